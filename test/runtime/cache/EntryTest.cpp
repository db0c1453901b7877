// The form of an entry, and its checksum.
#include "runtime/cache/Entry.h"
#include "runtime/cache/Checksum.h"

#include <gtest/gtest.h>

#include <set>

using namespace tegula::cache;

namespace {

const Sections sections{{"code", std::string("\177ELF\0\n", 6)}, {"empty", ""}, {"ptx", ".version 8.0\n"}};

TEST(CacheEntry, GivesBackWhatWentIn) {
  for (const std::string &key : {std::string(), std::string("a key\n3 4\n"), std::string(3, '\0')}) {
    const std::optional<Entry> entry = decode(encode(key, sections));
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->key, key);
    EXPECT_EQ(entry->sections, sections);
  }
  EXPECT_TRUE(decode(encode("key", {})));
}

TEST(CacheEntry, CutAnywhereItIsNone) {
  const std::string whole = encode("key", sections);
  for (size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(decode(whole.substr(0, length))) << length;
  EXPECT_FALSE(decode(whole + "x"));
}

TEST(CacheEntry, ChangedAnywhereItIsNone) {
  const std::string whole = encode("key", sections);
  for (size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = whole;
      changed[at] = char(changed[at] ^ 1 << bit);
      EXPECT_FALSE(decode(changed)) << at;
    }
}

/// Contents with the right checksum and yet no sense: written by hand, or by a version that is none.
TEST(CacheEntry, NonsenseUnderARightChecksumIsNone) {
  for (const char *content :
       {"", "3", "3 0", "3 0\nke", "3 0\nkeyx", "x 0\nkey", "3 x\nkey", "3 1\nkey", "3 1\nptx\nkey",
        "3 1\nptx 9\nkey", "99999999999999999999 0\nkey", "3 1\nptx x\nkey", "3 99999999\nptx 1\nk",
        "18446744073709551615 0\n", "3 1\nptx 18446744073709551615\nkey"})
    EXPECT_FALSE(decode("tegula cache 4\n" + checksum(content) + "\n" + content)) << content;
  EXPECT_TRUE(decode("tegula cache 4\n" + checksum("3 1\nptx 2\nkeyab") + "\n3 1\nptx 2\nkeyab"));
}

TEST(CacheChecksum, TellsTextsApart) {
  std::set<std::string> sums;
  size_t count = 0;
  auto add = [&](const std::string &text) {
    const std::string sum = checksum(text);
    EXPECT_EQ(sum.size(), 32u);
    EXPECT_EQ(sum.find_first_not_of("0123456789abcdef"), std::string::npos);
    sums.insert(sum);
    ++count;
  };
  for (size_t length = 0; length < 200; ++length)
    add(std::string(length, '\0'));
  for (size_t at = 0; at < 200; ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string text(200, '\0');
      text[at] = char(1 << bit);
      add(text);
    }
  EXPECT_EQ(sums.size(), count);
  // What files are named by must not change from one build to the next.
  EXPECT_EQ(checksum("tegula"), checksum(std::string("tegula")));
}

} // namespace
