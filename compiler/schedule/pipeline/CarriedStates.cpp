#include "compiler/schedule/pipeline/CarriedStates.h"

using namespace mlir;

namespace tegula {

void carryValue(RewriterBase &rewriter, scf::ForOp &loop, Value init,
                function_ref<Value(OpBuilder &, BlockArgument)> makeNext) {
  auto yield = [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
    return SmallVector<Value>{makeNext(builder, arguments[0])};
  };
  rewriter.setInsertionPoint(loop);
  loop = cast<scf::ForOp>(
      *loop.replaceWithAdditionalYields(rewriter, init, /*replaceInitOperandUsesInLoop=*/false, yield));
}

void CarriedStates::carry(unsigned slots, unsigned stage) {
  if (slots == 1 || !positions.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second)
    return;
  rewriter.setInsertionPoint(loop);
  auto type = tgpu::PipelineStateType::get(loop.getContext(), slots);
  Value begin = tgpu::PipelineBeginOp::create(rewriter, loc, type, /*parity=*/0);
  carryValue(rewriter, loop, begin, [&](OpBuilder &builder, BlockArgument state) {
    auto next = tgpu::PipelineNextOp::create(builder, loc, state);
    stages.set(next, stage);
    return next.getResult();
  });
}

Value CarriedStates::slot(unsigned slots, unsigned stage) {
  if (slots > 1)
    return part<tgpu::PipelineSlotOp>(slots, stage);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(loop);
  return arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
}

template <typename Op> Value CarriedStates::part(unsigned slots, unsigned stage) {
  BlockArgument state = loop.getRegionIterArg(positions.at({slots, stage}));
  for (Operation *user : state.getUsers())
    if (auto known = dyn_cast<Op>(user))
      return known;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  auto made = Op::create(rewriter, loc, state);
  stages.set(made, stage, StepPart::Begin); // where the first waits are, which take it
  return made;
}

template Value CarriedStates::part<tgpu::PipelinePhaseOp>(unsigned, unsigned);

} // namespace tegula
