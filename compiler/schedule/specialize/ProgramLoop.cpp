#include "compiler/schedule/specialize/ProgramLoop.h"

#include "compiler/schedule/plan/LoopNest.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

bool ProgramLoop::isOfProgram(Value value) const {
  if (isa<tgpu::PipelineStateType>(value.getType()))
    return false; // slots are taken as often, as loops run as often
  return dependsOn(value, [this](Value source) {
    if (source == number)
      return true;
    auto argument = dyn_cast<BlockArgument>(source);
    if (!argument)
      return !isScalarOp(source.getDefiningOp()) || isa<tgpu::BlockIdOp>(source.getDefiningOp());
    auto inside = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return inside && argument != inside.getInductionVar();
  });
}

bool ProgramLoop::isOfIteration(Value value) const {
  return dependsOn(value, [this](Value source) {
    auto argument = dyn_cast<BlockArgument>(source);
    return argument && source != number && loop->isAncestor(argument.getOwner()->getParentOp());
  });
}

Decision<> ProgramLoop::isExecutedAsOften(Operation *op) const {
  for (Operation *around = op->getParentOp(); around != loop; around = around->getParentOp()) {
    auto inside = dyn_cast_or_null<scf::ForOp>(around);
    if (!inside)
      return because(op, "whether it is executed depends on the program").nothingToDo();
    if (isOfProgram(inside.getLowerBound()) || isOfProgram(inside.getUpperBound()) ||
        isOfProgram(inside.getStep()))
      return because(inside, "how often it runs depends on the program")
          .fixedBy("let every program run the loop equally often, where the algorithm allows it");
  }
  return {};
}

RoundedLoop roundUp(OpBuilder &builder, scf::ForOp loop) {
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  Value count = loop.getUpperBound(), one = arith::ConstantIntOp::create(builder, loc, 1, 32);
  Value more = arith::SubIOp::create(builder, loc,
                                     tgpu::ClusterSizeOp::create(builder, loc, builder.getI32Type()), one);
  // Sizes are 1 and 2.
  Value missing = arith::AndIOp::create(builder, loc, count, more);
  Value last = arith::SubIOp::create(builder, loc, count, one);
  loop.setUpperBound(arith::AddIOp::create(builder, loc, count, missing));
  builder.setInsertionPointToStart(loop.getBody());
  Value iteration = loop.getInductionVar();
  Value isThere = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, iteration, count);
  auto program = arith::MinSIOp::create(builder, loc, iteration, last);
  iteration.replaceUsesWithIf(program, [&](OpOperand &use) {
    return use.getOwner() != program && use.getOwner() != isThere.getDefiningOp();
  });
  return {program, last, isThere};
}

} // namespace tegula
