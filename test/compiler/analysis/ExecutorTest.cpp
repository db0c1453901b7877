// Tests which warps execute an op, in kernels and elsewhere.
#include "compiler/analysis/plans/Executor.h"
#include "compiler/lower/code/ThreadIndex.h"
#include "test/compiler/analysis/AnalysisFixture.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tegula;

namespace {

OwningOpRef<ModuleOp> parse(MLIRContext &context, const std::string &attributes) {
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
  return parseSourceString<ModuleOp>("func.func @f(%n: i32) " + attributes + R"({
      %c1 = arith.constant 1 : i32
      scf.for %i = %c1 to %n step %c1 : i32 {
        tile.barrier
      }
      return
    })",
                                     &context);
}

Operation *barrierIn(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](tile::BarrierOp op) { found = op; });
  return found;
}

} // namespace

TEST(Executor, AllWarpsOfTheProgram) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module = parse(context, "attributes {tile.kernel = #tile.kernel<warps = 8, stages = 1>}");
  Operation *op = barrierIn(*module);
  EXPECT_EQ(executorOf(op), (Executor{.firstWarp = 0, .warps = 8, .barrier = 0}));
  EXPECT_EQ(executorOf(op).warpBits(), 3u);
  EXPECT_EQ(executorOf(op).threadBits(), 8u);
  EXPECT_FALSE(executorOf(op).isOneWarp());
  EXPECT_EQ(Executors(op->getParentOfType<func::FuncOp>()).of(op), executorOf(op));
  EXPECT_EQ(warpsOfBlock(op), 8u);
}

TEST(Executor, ProgramsThatShareABlockHaveAWarpEach) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module =
      parse(context, "attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1, programs = 4>}");
  EXPECT_TRUE(executorOf(barrierIn(*module)).isOneWarp());
  EXPECT_EQ(warpsOfBlock(barrierIn(*module)), 4u);
}

TEST(Executor, OneWarpWhereThereIsNoKernel) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module = parse(context, "");
  EXPECT_EQ(executorOf(barrierIn(*module)), Executor());
  EXPECT_FALSE(kernelOf(barrierIn(*module)));
  EXPECT_EQ(warpsOfBlock(barrierIn(*module)), 1u);
}

TEST(Executor, WaitsAtItsOwnBarrier) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<NVVM::NVVMDialect>();
  auto module = parse(context, "");
  OpBuilder builder(barrierIn(*module));
  auto emitted = [&](const Executor &executor) {
    emitBarrier(builder, builder.getUnknownLoc(), executor);
    return &*std::prev(builder.getInsertionPoint());
  };
  EXPECT_TRUE(isa<NVVM::SyncWarpOp>(emitted({.warps = 1})));
  EXPECT_TRUE(isa<NVVM::Barrier0Op>(emitted({.warps = 8})));
  auto own = dyn_cast<NVVM::BarrierOp>(emitted({.firstWarp = 4, .warps = 4, .barrier = 2}));
  ASSERT_TRUE(own);
  auto number = [](Value value) {
    return cast<IntegerAttr>(value.getDefiningOp<arith::ConstantOp>().getValue()).getInt();
  };
  EXPECT_EQ(number(own.getBarrierId()), 2);
  EXPECT_EQ(number(own.getNumberOfThreads()), 128);
}
