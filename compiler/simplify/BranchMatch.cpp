#include "compiler/simplify/BranchMatch.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

bool isScalar(Type type) { return type.isIntOrFloat(); }

bool findScalarSlice(Value value, Block *branch, llvm::SetVector<Operation *> &slice) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != branch || slice.contains(op))
    return true;
  if (!isScalar(value.getType()) || op->getNumResults() != 1 || op->getNumRegions() || !isPure(op))
    return false;
  for (Value operand : op->getOperands())
    if (!findScalarSlice(operand, branch, slice))
      return false;
  slice.insert(op);
  return true;
}

unsigned divisibilityOf(const APInt &value) { return value.isZero() ? 6 : std::min(value.countr_zero(), 6u); }

TypedAttr numberOf(Value value) {
  Attribute number;
  if (!matchPattern(value, m_Constant(&number)))
    return {};
  if (auto tensor = dyn_cast<SplatElementsAttr>(number))
    number = tensor.getSplatValue<Attribute>();
  return isa<IntegerAttr, FloatAttr>(number) ? cast<TypedAttr>(number) : TypedAttr();
}

namespace {

/// Returns whether one number may be known only when the kernel runs where `user` has it: nothing but the
/// number is lost.
bool mayBeUnknown(Operation *user, const APInt &a, const APInt &b) {
  return a.getBitWidth() > 1 && isa<arith::CmpIOp, arith::AddIOp, arith::SubIOp>(user) &&
         divisibilityOf(a) == divisibilityOf(b);
}

/// Returns whether the values from outside of two branches may replace each other as operands of `user`.
bool mayDiffer(Operation *user, Value a, Value b) {
  TypedAttr number = numberOf(a), other = numberOf(b);
  if (number && other) {
    if (auto integer = dyn_cast<IntegerAttr>(number))
      return mayBeUnknown(user, integer.getValue(), cast<IntegerAttr>(other).getValue());
    return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(user);
  }
  tile::ParamAttr param = paramOf(a), another = paramOf(b);
  return param && another && param.getDivisibility() == another.getDivisibility() &&
         param.getNonNegative() == another.getNonNegative();
}

/// Ops of a branch that are not just computed for others, in order; false where one of them tells of its
/// place in the source, or is not understood.
bool findEffects(Block *branch, SmallVectorImpl<Operation *> &effects) {
  for (Operation &op : branch->without_terminator()) {
    if (op.getNumRegions() && !op.hasTrait<OpTrait::IsIsolatedFromAbove>())
      return false;
    if (isPure(&op))
      continue;
    if (!isa<tile::LoadOp, tile::StoreOp>(op))
      return false;
    effects.push_back(&op);
  }
  return true;
}

} // namespace

bool BranchMatch::find() {
  SmallVector<Operation *> effects, others;
  if (!findEffects(branch, effects) || !findEffects(other, others) || effects.size() != others.size())
    return false;
  return llvm::all_of(llvm::zip_equal(effects, others),
                      [&](auto pair) { return matchOps(std::get<0>(pair), std::get<1>(pair)); });
}

bool BranchMatch::matchOps(Operation *a, Operation *b) {
  if (a->getName() != b->getName() || a->getAttrDictionary() != b->getAttrDictionary() ||
      a->getNumOperands() != b->getNumOperands() || a->getResultTypes() != b->getResultTypes())
    return false;
  for (auto [mine, its] : llvm::zip_equal(a->getRegions(), b->getRegions()))
    if (!OperationEquivalence::isRegionEquivalentTo(&mine, &its, OperationEquivalence::IgnoreLocations))
      return false;
  for (auto [mine, its] : llvm::zip_equal(a->getOperands(), b->getOperands()))
    if (!matchValues(a, mine, its))
      return false;
  for (auto [mine, its] : llvm::zip_equal(a->getResults(), b->getResults()))
    counterpart[mine] = its;
  return true;
}

bool BranchMatch::matchValues(Operation *user, Value a, Value b) {
  Operation *mine = a.getDefiningOp(), *its = b.getDefiningOp();
  const bool isInside = mine && mine->getBlock() == branch, isOtherInside = its && its->getBlock() == other;
  if (auto found = counterpart.find(a); found != counterpart.end())
    return found->second == b && (a == b || isInside || isOtherInside || mayDiffer(user, a, b));
  if (a.getType() != b.getType())
    return false;
  if (!isInside && !isOtherInside && (a == b || mayDiffer(user, a, b))) {
    if (a != b)
      differing.insert(a);
    counterpart[a] = b;
    return true;
  }
  const bool mayMatch = isInside && isOtherInside && isPure(mine) && isPure(its);
  if (!isScalar(a.getType()))
    return mayMatch && matchOps(mine, its);
  // A scalar that is computed in another way is as good: what a failed attempt has found is forgotten.
  auto before = counterpart;
  auto differingBefore = differing;
  if (mayMatch && matchOps(mine, its))
    return true;
  counterpart = std::move(before);
  differing = std::move(differingBefore);
  llvm::SetVector<Operation *> slice;
  if (!(isInside || isOtherInside) || !findScalarSlice(a, branch, slice) || !findScalarSlice(b, other, slice))
    return false;
  differing.insert(a);
  counterpart[a] = b;
  return true;
}

} // namespace tegula
