#include "compiler/schedule/pipeline/CarriedSlots.h"

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

void CarriedSlots::carrySlot(unsigned slots, unsigned stage) {
  bool isNew = indices.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second;
  if (!isNew)
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
  Value end = arith::ConstantIntOp::create(rewriter, loc, slots, 32);
  carryValue(rewriter, loop, zero, [&](OpBuilder &builder, BlockArgument now) {
    Value next = arith::AddIOp::create(builder, loc, now, one);
    Value isEnd = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next, end);
    Value wrapped = arith::SelectOp::create(builder, loc, isEnd, zero, next);
    for (Value value : {next, isEnd, wrapped})
      stages.set(value.getDefiningOp(), stage);
    return wrapped;
  });
}

void CarriedSlots::carryParity(unsigned slots, unsigned stage) {
  bool isNew = parities.try_emplace({slots, stage}, loop.getNumRegionIterArgs()).second;
  if (!isNew)
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 32);
  Value one = arith::ConstantIntOp::create(rewriter, loc, 1, 32);
  Value last = arith::ConstantIntOp::create(rewriter, loc, slots - 1, 32);
  carryValue(rewriter, loop, zero, [&](OpBuilder &builder, BlockArgument now) {
    Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slot(slots, stage), last);
    Value other = arith::XOrIOp::create(builder, loc, now, one);
    Value next = arith::SelectOp::create(builder, loc, isLast, other, now);
    for (Value value : {isLast, other, next})
      stages.set(value.getDefiningOp(), stage);
    return next;
  });
}

} // namespace tegula
