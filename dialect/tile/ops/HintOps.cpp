// Verifiers, effects and folds of assume, hint, opt_barrier, print and assert.
#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tegula::tile;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void AssumeOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), Assumptions::get());
}
void PrintOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), DeviceOutput::get());
}
void AssertOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), DeviceOutput::get());
}

Interaction PrintOp::getInteractions() { return Interaction::Prints; }
Interaction AssertOp::getInteractions() { return Interaction::Asserts; }

LogicalResult HintOp::verify() {
  auto tensor = dyn_cast<RankedTensorType>(getSource().getType());
  size_t expected = tensor ? size_t(tensor.getRank()) : 1;
  struct Named {
    llvm::StringRef name;
    std::optional<ArrayRef<int64_t>> list;
  };
  for (const Named &hint : {Named{"contiguity", getContiguity()}, Named{"divisibility", getDivisibility()},
                            Named{"constancy", getConstancy()}}) {
    if (!hint.list)
      continue;
    // (hint_c1)
    if (hint.list->size() != expected)
      return emitOpError() << "expected " << expected << " numbers in `" << hint.name << "`, found "
                           << hint.list->size();
    // (hint_c2)
    for (int64_t number : *hint.list)
      if (number < 1)
        return emitOpError() << "expected positive numbers in `" << hint.name << "`, found " << number;
  }
  return success();
}

LogicalResult OptBarrierOp::verify() {
  // (opt_barrier_c1)
  if (!elementTypeOf(getAfter().getType()).isIntOrFloat())
    return emitOpError() << "expected integers or floats to wait for, found " << getAfter().getType();
  return success();
}

LogicalResult PrintOp::verify() {
  // (print_c1)
  if (getIsSigned().size() != getOperands().size())
    return emitOpError() << "expected a sign for each of " << getOperands().size() << " operands, found "
                         << getIsSigned().size();
  return success();
}

/// An assertion or assumption of what is known to be true says nothing.
template <typename Op> static LogicalResult eraseIfTrue(Op op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return rewriter.notifyMatchFailure(op, "the condition is not known to be true");
  rewriter.eraseOp(op);
  return success();
}

LogicalResult AssumeOp::canonicalize(AssumeOp op, PatternRewriter &rewriter) {
  return eraseIfTrue(op, rewriter);
}
LogicalResult AssertOp::canonicalize(AssertOp op, PatternRewriter &rewriter) {
  return eraseIfTrue(op, rewriter);
}
