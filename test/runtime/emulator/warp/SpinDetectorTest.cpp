// Finding warps that loop without end, from what they show of their states.

#include "runtime/emulator/warp/SpinDetector.h"
#include "runtime/emulator/ptx/Module.h"

#include <gtest/gtest.h>

#include <vector>

using namespace tegula::runtime::ptx;

namespace {

/// Two warps of a block. A warp `shows` a state where it jumps backwards, each time a little later.
struct SpinDetectorTest : testing::Test {
  void shows(SpinWatch &watch, uint64_t state) {
    spins.runs(watch);
    spins.sample(watch, state, serial += 100, jump);
  }
  bool areStuck(bool firstMayRun = true, bool secondMayRun = true) {
    const std::vector<SpinDetector::Candidate> warps{{&first, firstMayRun}, {&second, secondMayRun}};
    return spins.areStuck(warps);
  }

  SpinDetector spins;
  SpinWatch first, second;
  Inst jump;
  uint32_t serial = 0;
};

} // namespace

TEST_F(SpinDetectorTest, AStateThatComesBackIsNoProgress) {
  shows(first, 1);
  EXPECT_FALSE(spins.seemsStuck(first));
  for (int i = 0; i < 4; ++i)
    shows(first, 1);
  EXPECT_TRUE(spins.seemsStuck(first));
  EXPECT_TRUE(first.sampled);
  shows(first, 2);
  EXPECT_FALSE(spins.seemsStuck(first));
}

TEST_F(SpinDetectorTest, WhateverIsNewHelpsEveryWarp) {
  for (int i = 0; i < 5; ++i)
    shows(first, 1);
  ASSERT_TRUE(spins.seemsStuck(first));
  spins.progressed();
  EXPECT_FALSE(spins.seemsStuck(first));
  for (int i = 0; i < 5; ++i)
    shows(first, 1);
  const uint8_t value = 3;
  spins.writes(1, 0x1000, &value, 1);
  EXPECT_FALSE(spins.seemsStuck(first));
  for (int i = 0; i < 5; ++i)
    shows(first, 1);
  spins.writes(1, 0x1000, &value, 1); // memory has been so
  EXPECT_TRUE(spins.seemsStuck(first));
}

TEST_F(SpinDetectorTest, AllAreStuckOnceAllComeBackOnly) {
  shows(second, 8);
  for (int i = 0; i < 40; ++i)
    shows(first, 1);
  EXPECT_FALSE(areStuck());
  for (int i = 0; i < 40; ++i)
    shows(second, 9);
  for (int i = 0; i < 40; ++i)
    shows(first, 1);
  EXPECT_TRUE(areStuck());
}

TEST_F(SpinDetectorTest, AWarpAtABarrierIsGivenAWholeRound) {
  spins.runs(second); // and stands at a barrier from now on
  for (int i = 0; i < 40; ++i)
    shows(first, 1);
  EXPECT_FALSE(areStuck(true, false)); // it may have come there just now
  for (int i = 0; i < 40; ++i)
    shows(first, 1);
  EXPECT_TRUE(areStuck(true, false));
}
