// The emulator's numbers of the hardware are those that the compiler works with.

#include "runtime/emulator/Hardware.h"
#include "compiler/target/Target.h"

#include <gtest/gtest.h>

namespace tegula {
namespace {

TEST(Hardware, EmulatorAndCompilerAgree) {
  for (const Target &target : allTargets()) {
    SCOPED_TRACE(target.name);
    EXPECT_EQ(target.warpSize, runtime::ptx::lanes);
    EXPECT_EQ(target.maxWarpsPerBlock * target.warpSize, runtime::ptx::maxThreadsPerBlock);
    EXPECT_EQ(target.sectorBytes, runtime::ptx::sectorBytes);
    EXPECT_EQ(target.sharedBanks, runtime::ptx::sharedBanks);
    EXPECT_EQ(target.sharedBankBytes, runtime::ptx::sharedBankBytes);
    EXPECT_LE(target.maxVectorBytes, runtime::ptx::maxAccessBytes);
    const runtime::ptx::Multiprocessor &on = runtime::ptx::multiprocessorOf(target.name);
    EXPECT_TRUE(target.name.starts_with(on.target)) << on.target;
    EXPECT_EQ(target.maxWarpsPerMultiprocessor, on.warps);
    EXPECT_EQ(target.maxBlocksPerMultiprocessor, on.blocks);
    EXPECT_EQ(target.sharedPerMultiprocessor, on.sharedBytes);
    EXPECT_EQ(target.maxSharedPerBlock, on.maxSharedPerBlock);
  }
}

} // namespace
} // namespace tegula
