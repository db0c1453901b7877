#include "compiler/schedule/pipeline/CarriedStates.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

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

void CarriedStates::carry(Positions &positions, unsigned slots, unsigned stage, unsigned bound,
                          function_ref<SmallVector<Value, 3>(OpBuilder &, const Numbers &)> makeNext) {
  bool isNew = positions.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second;
  if (!isNew)
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Numbers numbers;
  numbers.zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  numbers.one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
  numbers.bound = arith::ConstantIntOp::create(rewriter, loc, bound, 32);
  carryValue(rewriter, loop, numbers.zero, [&](OpBuilder &builder, BlockArgument now) {
    numbers.now = now;
    SmallVector<Value, 3> made = makeNext(builder, numbers);
    for (Value value : made)
      stages.set(value.getDefiningOp(), stage);
    return made.back();
  });
}

void CarriedStates::carryIndex(unsigned slots, unsigned stage) {
  carry(indices, slots, stage, slots, [&](OpBuilder &builder, const Numbers &of) -> SmallVector<Value, 3> {
    Location loc = loop.getLoc();
    Value next = arith::AddIOp::create(builder, loc, of.now, of.one);
    Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next, of.bound);
    return {next, isEnd, arith::SelectOp::create(builder, loc, isEnd, of.zero, next)};
  });
}

void CarriedStates::carryPhase(unsigned slots, unsigned stage) {
  carry(phases, slots, stage, slots - 1, [&](OpBuilder &builder, const Numbers &of) -> SmallVector<Value, 3> {
    Location loc = loop.getLoc();
    Value isLast =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, index(slots, stage), of.bound);
    Value other = arith::XOrIOp::create(builder, loc, of.now, of.one);
    return {isLast, other, arith::SelectOp::create(builder, loc, isLast, other, of.now)};
  });
}

} // namespace tegula
