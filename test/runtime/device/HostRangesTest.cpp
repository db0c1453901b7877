// Ranges of the host's memory against a memory that holds a count for each byte.
#include "runtime/device/HostRanges.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

using namespace tegula::runtime;

namespace {

/// Holds what is adopted, and checks that no two pieces ever overlap.
struct Islands {
  std::map<uint64_t, uint64_t> pieces;
  std::set<uint64_t> readOnly;
  uint64_t refused = UINT64_MAX; ///< an address that belongs to another owner

  bool adopt(uint64_t base, uint64_t bytes, bool isReadOnly) {
    if (base <= refused && refused - base < bytes)
      return false;
    for (const auto &[at, size] : pieces)
      EXPECT_TRUE(at >= base + bytes || base >= at + size) << base << " overlaps " << at;
    EXPECT_TRUE(pieces.emplace(base, bytes).second);
    if (isReadOnly)
      readOnly.insert(base);
    return true;
  }
  void release(uint64_t base) {
    pieces.erase(base);
    readOnly.erase(base);
  }
};

TEST(HostRanges, OverlapsAreOneIslandAndNeighboursAreNot) {
  HostRanges ranges;
  Islands islands;
  ASSERT_TRUE(ranges.map(islands, {100, 10}));
  ASSERT_TRUE(ranges.map(islands, {110, 10}));
  EXPECT_EQ(islands.pieces, (std::map<uint64_t, uint64_t>{{100, 10}, {110, 10}}));
  ASSERT_TRUE(ranges.map(islands, {105, 10}));
  EXPECT_EQ(islands.pieces, (std::map<uint64_t, uint64_t>{{100, 20}}));
  ASSERT_TRUE(ranges.map(islands, {105, 10}));
  ASSERT_TRUE(ranges.unmap(islands, {105, 10}));
  EXPECT_EQ(islands.pieces.size(), 1u);
  ASSERT_TRUE(ranges.unmap(islands, {105, 10}));
  EXPECT_EQ(islands.pieces.size(), 2u);
  EXPECT_FALSE(ranges.unmap(islands, {105, 10}));
  EXPECT_FALSE(ranges.unmap(islands, {100, 9}));
}

TEST(HostRanges, WhatOneRangeAllowsIsAllowed) {
  HostRanges ranges;
  Islands islands;
  ASSERT_TRUE(ranges.map(islands, {100, 10, true}));
  ASSERT_TRUE(ranges.map(islands, {110, 10, false}));
  EXPECT_EQ(islands.readOnly, std::set<uint64_t>{100});
  ASSERT_TRUE(ranges.map(islands, {104, 4, true}));
  EXPECT_EQ(islands.readOnly, std::set<uint64_t>{100});
  ASSERT_TRUE(ranges.map(islands, {100, 10, false}));
  EXPECT_TRUE(islands.readOnly.empty());
  ASSERT_TRUE(ranges.unmap(islands, {100, 10})) << "the one that may be written";
  EXPECT_EQ(islands.readOnly, std::set<uint64_t>{100});
  ASSERT_TRUE(ranges.unmap(islands, {100, 10}));
  EXPECT_FALSE(ranges.unmap(islands, {100, 10}));
  EXPECT_EQ(islands.pieces, (std::map<uint64_t, uint64_t>{{104, 4}, {110, 10}}));
}

TEST(HostRanges, ARefusalChangesNothing) {
  HostRanges ranges;
  Islands islands;
  ASSERT_TRUE(ranges.map(islands, {100, 10}));
  islands.refused = 115;
  EXPECT_FALSE(ranges.map(islands, {105, 20}));
  EXPECT_EQ(islands.pieces, (std::map<uint64_t, uint64_t>{{100, 10}}));
  EXPECT_FALSE(ranges.unmap(islands, {105, 20}));
}

TEST(HostRanges, IslandsCoverWhatIsMapped) {
  std::mt19937 random(1);
  HostRanges ranges;
  Islands islands;
  std::vector<HostRange> mapped;
  for (int round = 0; round < 2000; ++round) {
    if (mapped.empty() || random() % 2) {
      mapped.push_back({100 + random() % 60, 1 + random() % 12});
      ASSERT_TRUE(ranges.map(islands, mapped.back()));
    } else {
      std::swap(mapped[random() % mapped.size()], mapped.back());
      ASSERT_TRUE(ranges.unmap(islands, mapped.back()));
      mapped.pop_back();
    }
    for (uint64_t byte = 90; byte < 180; ++byte) {
      bool isMapped = false, isCovered = false;
      for (const HostRange &range : mapped)
        isMapped |= byte >= range.base && byte < range.base + range.bytes;
      for (const auto &[base, bytes] : islands.pieces)
        isCovered |= byte >= base && byte < base + bytes;
      ASSERT_EQ(isMapped, isCovered) << "byte " << byte << " in round " << round;
    }
  }
}

TEST(HostRanges, NothingAndTooMuchAreNoRange) {
  int here = 0;
  EXPECT_TRUE(hostRange(&here, sizeof here));
  EXPECT_FALSE(hostRange(nullptr, 4));
  EXPECT_FALSE(hostRange(&here, 0));
  EXPECT_FALSE(hostRange(&here, SIZE_MAX));
}

} // namespace
