// Obstacles to ordinary accesses of shared memory: units that read it, mbarriers that lie there.

#include "runtime/emulator/memory/MbarrierWords.h"
#include "runtime/emulator/memory/UnitReads.h"

#include <gtest/gtest.h>

using tegula::runtime::ptx::MbarrierWords;
using tegula::runtime::ptx::UnitReads;

TEST(UnitReads, FindsAReaderOfEachByteUntilItEnds) {
  UnitReads reads(100);
  const UnitReads::Number number = reads.begin({"`wgmma`", 7}, {16, 96});
  for (uint32_t address = 0; address < 100; ++address)
    EXPECT_EQ(reads.find(address, 1).has_value(), (address >= 16 && address < 32) || address >= 96)
        << address;
  ASSERT_TRUE(reads.find(8, 16));
  EXPECT_EQ(reads.find(8, 16)->line, 7u);
  EXPECT_STREQ(reads.find(8, 16)->unit, "`wgmma`");
  EXPECT_FALSE(reads.find(0, 16));
  EXPECT_EQ(reads.end(number), (std::vector<uint32_t>{16, 96}));
  EXPECT_FALSE(reads.find(0, 100));
}

TEST(UnitReads, KeepsWhatAnotherStillReads) {
  UnitReads reads(64);
  const UnitReads::Number first = reads.begin({"`wgmma`", 1}, {0, 16});
  const UnitReads::Number second = reads.begin({"bulk copy", 2}, {16, 32});
  EXPECT_EQ(reads.find(16, 4)->line, 1u); // the one that began first
  EXPECT_EQ(reads.find(32, 4)->line, 2u);
  (void)reads.end(first);
  EXPECT_FALSE(reads.find(0, 16));
  EXPECT_EQ(reads.find(16, 4)->line, 2u);
  (void)reads.end(second);
  EXPECT_FALSE(reads.find(0, 64));
}

TEST(UnitReads, ForgetsTheBlockBefore) {
  UnitReads reads(64);
  (void)reads.begin({"bulk copy", 3}, {48});
  reads.beginBlock();
  EXPECT_FALSE(reads.find(0, 64));
  // A new reading of the same bytes is counted anew.
  (void)reads.end(reads.begin({"bulk copy", 4}, {48}));
  EXPECT_FALSE(reads.find(48, 16));
}

TEST(MbarrierWords, AreFoundByAnyOfTheirBytes) {
  MbarrierWords words;
  EXPECT_EQ(words.lineAt(0, 16), 0u);
  words.add(64, 5);
  words.add(80, 6);
  for (uint32_t address = 48; address < 112; ++address)
    for (const uint32_t count : {1u, 4u, 16u}) {
      const bool last = address < 88 && address + count > 80, first = address < 72 && address + count > 64;
      const uint32_t line = words.lineAt(address, count);
      EXPECT_EQ(line != 0, first || last) << address << ", " << count;
      if (first != last)
        EXPECT_EQ(line, first ? 5u : 6u) << address << ", " << count;
    }
  words.remove(64);
  EXPECT_EQ(words.lineAt(64, 8), 0u);
  EXPECT_EQ(words.lineAt(80, 8), 6u);
  words.beginBlock();
  EXPECT_EQ(words.lineAt(80, 8), 0u);
}
