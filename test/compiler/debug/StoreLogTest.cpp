// Stores of two runs of one launch: which differ, and which only came in another order.
#include "compiler/debug/differences/StoreComparison.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>

using namespace tegula;
using namespace tegula::debug;

namespace {

const std::vector<Array> arrays = {{"x", 0x1000, ScalarKind::Float32, {8}},
                                   {"n", 0x2000, ScalarKind::Int32, {4}}};

/// A run whose stores are said one after the other.
struct Stores {
  StoreLog log{.arrays = arrays};
  std::vector<uint8_t> memory = std::vector<uint8_t>(0x2100);

  void add(LoggedStore store, uint64_t address, uint32_t bytes, const void *operand) {
    log.add(store, address, bytes, static_cast<const uint8_t *>(operand),
            [this](void *to, uint64_t from, uint32_t count) {
              std::memcpy(to, memory.data() + from, count);
              return true;
            });
  }
  Stores &store(uint64_t index, float value, uint64_t program = 0, uint32_t at = 0, uint32_t thread = 0) {
    add({.program = program, .at = at, .thread = thread}, 0x1000 + 4 * index, 4, &value);
    return *this;
  }
  Stores &atomic(StoreKind kind, uint64_t index, int32_t value, uint64_t program = 0, uint32_t at = 0) {
    add({.program = program, .at = at, .kind = kind}, 0x2000 + 4 * index, 4, &value);
    return *this;
  }
};

StoreComparison compared(const Stores &here, const Stores &there) {
  return compareStores(here.log, there.log, {Tolerance{1e-6, 1e-3}, {}});
}

} // namespace

TEST(StoreLog, EqualRunsInAnotherOrderDoNotDiffer) {
  Stores here, there;
  here.store(0, 1, 0, 0).store(1, 2, 0, 0).store(0, 3, 1, 1);
  there.store(0, 3, 1, 9).store(1, 2, 0, 8).store(0, 1.0001f, 0, 8);
  const StoreComparison made = compared(here, there);
  EXPECT_FALSE(made.first);
  EXPECT_EQ(made.stores, 2u);
  EXPECT_EQ(made.elements, 2u);
}

TEST(StoreLog, TheFirstDifferenceIsFoundThoughLaterStoresAgree) {
  Stores here, there;
  here.store(2, 1, 0, 0).store(3, 1, 0, 0).store(2, 7, 0, 1).store(3, 7, 0, 1);
  there.store(2, 1, 0, 20).store(3, 2, 0, 20).store(2, 7, 0, 30).store(3, 7, 0, 30);
  const StoreComparison made = compared(here, there);
  ASSERT_TRUE(made.first);
  EXPECT_EQ(made.first->here.at, 0u);
  EXPECT_EQ(made.first->here.index, 3u);
  EXPECT_EQ(made.first->there, 20u);
  EXPECT_EQ(made.first->found.real, 1);
  EXPECT_EQ(made.first->expected.real, 2);
  EXPECT_EQ(made.first->differing, 1u);
  EXPECT_EQ(made.first->written, 2u);
}

TEST(StoreLog, StoresThatACompilerRemovesAreNoDifference) {
  Stores here, there;
  here.store(0, 1, 0, 0).store(0, 2, 0, 1).store(0, 3, 0, 2);
  EXPECT_FALSE(compared(here, Stores().store(0, 3)).first);
  EXPECT_FALSE(compared(here, Stores().store(0, 1).store(0, 3, 0, 5)).first);
  EXPECT_FALSE(compared(here, Stores().store(0, 2).store(0, 3, 0, 5)).first);
  // The last one stays.
  EXPECT_TRUE(compared(here, Stores().store(0, 1).store(0, 2, 0, 5)).first);
  // One that no store of the source is, is too many.
  EXPECT_TRUE(compared(here, Stores().store(0, 9).store(0, 3, 0, 5)).first);
}

TEST(StoreLog, ThreadsThatStoreTheSameCountOnce) {
  Stores here, there;
  here.store(0, 1, 0, 0).store(0, 2, 0, 1);
  there.store(0, 1, 0, 20, 0).store(0, 1, 0, 20, 1).store(0, 2, 0, 21, 0).store(0, 2, 0, 21, 1);
  EXPECT_FALSE(compared(here, there).first);
  // The same thread stores it twice: a loop.
  Stores loop, unrolled;
  loop.store(0, 5, 0, 0).store(0, 5, 0, 1);
  unrolled.store(0, 5, 0, 20, 3).store(0, 5, 0, 20, 3);
  EXPECT_FALSE(compared(loop, unrolled).first);
}

TEST(StoreLog, WhatOneRunAloneWritesDiffers) {
  Stores here, there;
  here.store(0, 1).store(1, 1);
  there.store(0, 1);
  StoreComparison made = compared(here, there);
  ASSERT_TRUE(made.first);
  EXPECT_TRUE(made.first->isHere);
  EXPECT_FALSE(made.first->isThere);
  EXPECT_EQ(made.first->here.index, 1u);
  made = compared(there, here);
  ASSERT_TRUE(made.first);
  EXPECT_FALSE(made.first->isHere);
  EXPECT_EQ(made.first->expected.real, 1);
}

TEST(StoreLog, AtomicsAreComparedByWhatTheyCombine) {
  Stores here, there;
  here.atomic(StoreKind::Add, 0, 3, 0, 0)
      .atomic(StoreKind::Add, 0, 4, 0, 1)
      .atomic(StoreKind::UMax, 1, -1, 1, 2);
  there.atomic(StoreKind::Add, 0, 7, 0, 9).atomic(StoreKind::UMax, 1, -1, 1, 8);
  EXPECT_FALSE(compared(here, there).first);
  there.atomic(StoreKind::Add, 0, 1, 0, 9);
  const StoreComparison made = compared(here, there);
  ASSERT_TRUE(made.first);
  EXPECT_EQ(made.first->found.whole, 3);
  EXPECT_EQ(made.first->expected.whole, 7);
  EXPECT_FALSE(compared(Stores().atomic(StoreKind::Min, 0, -5).atomic(StoreKind::Min, 0, 2),
                        Stores().atomic(StoreKind::Min, 0, 2).atomic(StoreKind::Min, 0, -5))
                   .first);
  EXPECT_TRUE(compared(Stores().atomic(StoreKind::And, 0, 6), Stores().atomic(StoreKind::And, 0, 7)).first);
}

TEST(StoreLog, ElementsThatAreSwappedAreLeftOut) {
  Stores here, there;
  here.atomic(StoreKind::Swap, 0, 1).atomic(StoreKind::Add, 0, 1);
  const StoreComparison made = compared(here, there);
  EXPECT_FALSE(made.first);
  EXPECT_EQ(made.skipped, 1u);
}

TEST(StoreLog, ProgramsWithOtherNumbersAreNoDifference) {
  EXPECT_FALSE(
      compared(Stores().store(0, 1, 0).store(1, 2, 1), Stores().store(0, 1, 1).store(1, 2, 0)).first);
  const StoreComparison made =
      compared(Stores().store(0, 1, 0).store(1, 2, 1), Stores().store(0, 1, 1).store(1, 3, 0));
  ASSERT_TRUE(made.first);
  EXPECT_EQ(made.first->here.program, 1u);
}

TEST(StoreLog, WithoutProgramsElementsOfSeveralAreLeftOut) {
  Stores here, there;
  here.store(0, 1, 0, 0).store(0, 2, 1, 1).store(1, 4, 1, 1);
  there.store(0, 1).store(1, 4);
  there.log.knowsPrograms = false;
  const StoreComparison made = compared(here, there);
  EXPECT_FALSE(made.first);
  EXPECT_EQ(made.skipped, 1u);
  // Atomics are added up.
  here = {}, there = {};
  here.atomic(StoreKind::Add, 0, 3, 0).atomic(StoreKind::Add, 0, 4, 1).atomic(StoreKind::Add, 0, 5, 2);
  there.atomic(StoreKind::Add, 0, 7).atomic(StoreKind::Add, 0, 5);
  there.log.knowsPrograms = false;
  EXPECT_FALSE(compared(here, there).first);
  there.atomic(StoreKind::Add, 0, 1);
  EXPECT_TRUE(compared(here, there).first);
}

TEST(StoreLog, WideNarrowAndStrangeAccesses) {
  Stores run;
  const float two[] = {1, 2};
  run.add({}, 0x1008, 8, two); // a vector
  ASSERT_EQ(run.log.stores.size(), 2u);
  EXPECT_EQ(run.log.stores[1].index, 3u);
  EXPECT_EQ(std::bit_cast<float>(uint32_t(run.log.stores[1].bits)), 2);
  // A byte of an integer: the others stay as they are.
  const uint32_t before = 0x04030201;
  std::memcpy(run.memory.data() + 0x2004, &before, 4);
  const uint8_t byte = 0xff;
  run.add({}, 0x2005, 1, &byte);
  EXPECT_EQ(run.log.stores[2].bits, 0x0403ff01u);
  run.add({.kind = StoreKind::Add}, 0x2005, 1, &byte);
  EXPECT_EQ(run.log.stores[3].kind, StoreKind::Swap);
  run.add({}, 0x3000, 4, &before);
  EXPECT_EQ(run.log.stores.size(), 4u);
}
