#include "compiler/schedule/specialize/Channels.h"

#include "compiler/analysis/plans/Executor.h"
#include "dialect/layout/Fragments.h"

using namespace mlir;

namespace tegula {

unsigned consumersOf(func::FuncOp kernel) { return kernelOf(kernel).getWarps() / WarpsOfGroup; }

Value makeBarriers(OpBuilder &builder, Location loc, unsigned slots, unsigned arrivals) {
  return tgpu::BarriersOp::create(
      builder, loc, tgpu::BarriersType::get(builder.getContext(), slots, arrivals, /*blocks=*/1));
}

Channel makeChannel(OpBuilder &builder, Location loc, func::FuncOp kernel, unsigned slots) {
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value full = makeBarriers(builder, loc, slots, 1);
  return {full, makeBarriers(builder, loc, slots, consumersOf(kernel))};
}

Value carryState(RewriterBase &rewriter, scf::ForOp &loop, Value begin) {
  auto next = [](OpBuilder &builder, Location loc, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>{tgpu::PipelineNextOp::create(builder, loc, arguments[0])};
  };
  rewriter.setInsertionPoint(loop);
  loop = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(rewriter, begin, /*replaceInitOperandUsesInLoop=*/false, next));
  return loop.getRegionIterArgs().back();
}

Value carryThrough(RewriterBase &rewriter, MutableArrayRef<scf::ForOp> round, Value begin) {
  Value state = begin;
  for (scf::ForOp &outer : round) {
    auto asItIs = [](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
      return SmallVector<Value>(arguments.begin(), arguments.end());
    };
    rewriter.setInsertionPoint(outer);
    outer = cast<scf::ForOp>(
        *outer.replaceWithAdditionalYields(rewriter, state, /*replaceInitOperandUsesInLoop=*/false, asItIs));
    state = outer.getRegionIterArgs().back();
  }
  return state;
}

void handOn(MutableArrayRef<scf::ForOp> round, Value left) {
  for (scf::ForOp &outer : llvm::reverse(round)) {
    outer.getBody()->getTerminator()->setOperand(outer.getNumRegionIterArgs() - 1, left);
    left = outer.getResults().back();
  }
}

} // namespace tegula
