// `FactWalk` along what divides offsets and addresses.
#include "compiler/analysis/access/FactWalk.h"

#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tegula {

static bool isPointer(Value value) { return isa<tile::PtrType>(tile::elementTypeOf(value.getType())); }

static std::string text(const Twine &twine) { return twine.str(); }

MaybeBroken FactWalk::multiple(Value value, unsigned axis, int64_t group, int64_t divisor, Operation *user) {
  const AxisInfo info = of(value);
  if (axis >= info.rank() || info.divisibilityAt(axis, group) >= divisor || !mayVisit())
    return std::nullopt;
  if (paramOf(value) || getConstantIntValue(value))
    return notMultiple(value, divisor, user);
  Operation *op = value.getDefiningOp();
  if (!op)
    return multipleCarried(cast<BlockArgument>(value), group, divisor);
  if (isa<tile::AddPtrOp, arith::AddIOp, arith::SubIOp, arith::SelectOp, arith::MinSIOp, arith::MaxSIOp,
          arith::MinUIOp, arith::MaxUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return multipleOfParts(op, axis, group, divisor);
  if (isa<arith::MulIOp>(op))
    return multipleProduct(op, axis, group, divisor);
  if (auto next = moved(op, axis))
    return multiple(next->first, next->second, isa<tile::SplatOp>(op) ? 1 : group, divisor, op);
  return notMultiple(value, divisor, user);
}

/// Asks each part of sums, choices and remainders: of bytes what is added to a pointer is
/// elements.
MaybeBroken FactWalk::multipleOfParts(Operation *op, unsigned axis, int64_t group, int64_t divisor) {
  MaybeBroken found;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (isa<arith::SelectOp>(op) && index == 0)
      continue;
    const bool isOffset = isa<tile::AddPtrOp>(op) && index == 1;
    const int64_t wanted = isOffset ? divisor / of(op->getOperand(0)).step() : divisor;
    const unsigned along = std::min(axis, of(operand).rank() - 1);
    if (wanted > 1)
      found = moreTelling(found, multiple(operand, along, group, wanted, op));
  }
  return found ? found : notMultiple(op->getResult(0), divisor, nullptr);
}

/// Asks the factors of a product, which share the divisor: what the one has the other need not.
MaybeBroken FactWalk::multipleProduct(Operation *op, unsigned axis, int64_t group, int64_t divisor) {
  MaybeBroken found;
  for (unsigned index : {0u, 1u}) {
    const Value factor = op->getOperand(index), other = op->getOperand(1 - index);
    const int64_t wanted = std::max<int64_t>(2, divisor / of(other).divisibilityAt(axis, group));
    found = moreTelling(found, multiple(factor, axis, group, wanted, op));
  }
  return found;
}

MaybeBroken FactWalk::multipleCarried(BlockArgument argument, int64_t group, int64_t divisor) {
  auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
  if (!loop)
    return notMultiple(argument, divisor, nullptr);
  if (argument == loop.getInductionVar()) {
    MaybeBroken step = multiple(loop.getStep(), 0, 1, divisor, loop);
    if (step && step->rank == CauseRank::Constant) // it slides over neighbours, as a convolution does
      step->advice = {"", /*isNothingToDo=*/true};
    return moreTelling(multiple(loop.getLowerBound(), 0, 1, divisor, loop), std::move(step));
  }
  // The step of the loop is asked of the sum, whose other part is the argument itself.
  MaybeBroken found = multiple(loop.getTiedLoopInit(argument)->get(), 0, group, divisor, loop);
  Operation *step = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp();
  if (isa_and_nonnull<tile::AddPtrOp, arith::AddIOp>(step) && step->getOperand(0) == argument) {
    const int64_t wanted = isPointer(argument) ? divisor / of(argument).step() : divisor;
    if (wanted > 1)
      found = moreTelling(found, multiple(step->getOperand(1), 0, group, wanted, step));
  }
  return found;
}

MaybeBroken FactWalk::notMultiple(Value value, int64_t divisor, Operation *user) {
  const Twine count(divisor);
  if (tile::ParamAttr param = paramOf(value)) {
    const std::string name = param.getName().str();
    if (isPointer(value))
      return BrokenFact{
          CauseRank::Parameter,
          causeAt(value, "is not known to begin at a multiple of " + count + " bytes"),
          {text("pass an array that begins at a multiple of " + count + " bytes as `" + name + "`"), false}};
    return BrokenFact{CauseRank::Parameter,
                      causeAt(value, "is not known to be a multiple of " + count),
                      {text("pass a multiple of " + count + " as `" + name +
                            "`, or state it by `tl.multiple_of(" + name + ", " + count + ")`"),
                       false, divisor, name}};
  }
  if (getConstantIntValue(value))
    return BrokenFact{CauseRank::Constant,
                      causeAt(value, "is not a multiple of " + count, user),
                      {text("use a multiple of " + count), false}};
  const std::string fact = text("is not known to be a multiple of " + count);
  if (value.getDefiningOp<tile::ProgramIdOp>())
    return BrokenFact{
        CauseRank::Computed,
        causeAt(value, fact),
        {text("let the programs begin at multiples of " + count + ", by a block of as many"), false}};
  if (MaybeBroken found = loaded(value, fact, "state what divides it by `tl.multiple_of`, where that is so"))
    return found;
  return BrokenFact{CauseRank::Computed,
                    causeAt(value, fact, user),
                    {text("state what divides it by `tl.multiple_of`, where that is so"), false}};
}

} // namespace tegula
