#include "compiler/schedule/specialize/Channels.h"

#include "compiler/analysis/plans/Executor.h"
#include "compiler/schedule/pipeline/CarriedStates.h"
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
  carryValue(rewriter, loop, begin, [loc = loop.getLoc()](OpBuilder &builder, BlockArgument state) {
    return tgpu::PipelineNextOp::create(builder, loc, state).getResult();
  });
  return loop.getRegionIterArgs().back();
}

Value carryThrough(RewriterBase &rewriter, MutableArrayRef<scf::ForOp> round, Value begin) {
  Value state = begin;
  for (scf::ForOp &outer : round) {
    carryValue(rewriter, outer, state, [](OpBuilder &, BlockArgument asItIs) { return asItIs; });
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
