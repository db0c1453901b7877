// The places that pieces of shared memory get, and the bytes that it would be with more.
#include "compiler/analysis/resources/SharedMemory.h"
#include "compiler/target/Target.h"
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace mlir;
using namespace tegula;

namespace {

constexpr uint64_t KiB = 1024;

/// A kernel without any, for pieces to be added to.
struct Memory {
  Memory() : kernel("") {
    auto function = *kernel.module->getOps<func::FuncOp>().begin();
    Scratches scratches(function);
    memory.emplace(function, scratches, KernelOrder(function));
  }

  /// Adds a buffer; later ones have lower numbers.
  void add(uint64_t bytes, unsigned first, unsigned last) {
    memory->add({.bytes = bytes, .alignment = 16, .rank = SharedRank::Buffer, .live = {first, last}});
  }
  SharedMemory *operator->() { return &*memory; }

  tegula::testing::AnalysedKernel kernel;
  std::optional<SharedMemory> memory;
};

} // namespace

TEST(SharedMemory, SharesBytesBetweenThoseThatDoNotMeet) {
  Memory memory;
  EXPECT_EQ(memory->place(), 0u);
  memory.add(8 * KiB, 0, 1);
  memory.add(4 * KiB, 2, 3);
  EXPECT_EQ(memory->place(), 8 * KiB);
  memory.add(2 * KiB, 1, 2);
  EXPECT_EQ(memory->place(), 10 * KiB);
  SharedMemory more = *memory.memory;
  more.add({.bytes = 24, .alignment = 16, .rank = SharedRank::Barriers, .live = {0, 9}});
  EXPECT_EQ(more.place(), 10 * KiB + 32) << "what is asked of a copy";
  EXPECT_EQ(memory->place(), 10 * KiB) << "changes nothing";
}

/// The largest first takes nine eighths of a block, the one that lives longest first takes all of it.
TEST(SharedMemory, TriesAnotherOrderWhereTheFirstDoesNotFit) {
  Memory memory;
  const uint64_t unit = memory->available / 8 / 16 * 16;
  memory.add(3 * unit, 2, 3);
  memory.add(4 * unit, 0, 2);
  memory.add(2 * unit, 3, 6);
  memory.add(6 * unit, 5, 6);
  EXPECT_EQ(memory->place(), 8 * unit);
}

TEST(SharedMemory, KeepsNothingApartThatCostsMoreThanIsNeeded) {
  Memory memory;
  memory.add(100 * KiB, 1, 1); // 3, the largest
  memory.add(60 * KiB, 2, 2);  // 2
  memory.add(30 * KiB, 3, 3);  // 1
  memory.add(20 * KiB, 2, 3);  // 0
  const uint64_t needed = memory->place();
  EXPECT_EQ(needed, 100 * KiB);
  memory->keepApart(1, 2);
  EXPECT_EQ(memory->place(), needed);
  EXPECT_EQ(*memory->all()[1].offset, 0u) << "as if they need not be apart";
}

TEST(SharedMemory, KeepsApartWhatCostsNothing) {
  Memory memory;
  memory.add(8 * KiB, 1, 1); // 2
  memory.add(3 * KiB, 2, 2); // 1
  memory.add(2 * KiB, 3, 3); // 0
  memory->keepApart(0, 1);
  EXPECT_EQ(memory->place(), 8 * KiB);
  EXPECT_EQ(*memory->all()[1].offset, 0u);
  EXPECT_EQ(*memory->all()[0].offset, 3 * KiB);
}
