// Conjunctions of comparisons as bounds along axes.
#include "compiler/analysis/access/BoxAccess.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/Sequence.h"

#include <set>
#include <utility>

using namespace mlir;

namespace tegula {

std::optional<SmallVector<BoxAnalysis::Bound>> BoxAnalysis::boundsOf(Value mask) {
  // A part of the mask, and which axis of the mask each of its own is.
  using Part = std::pair<const void *, SmallVector<unsigned>>;
  SmallVector<Bound> bounds;
  auto all = llvm::to_vector(llvm::seq(rankOf(mask)));
  SmallVector<Part> parts{{mask.getAsOpaquePointer(), all}};
  std::set<Part> seen; // what several parts are made of counts once
  while (!parts.empty()) {
    Part part = parts.pop_back_val();
    if (!seen.insert(part).second)
      continue;
    auto &[opaque, axes] = part;
    Value value = Value::getFromOpaquePointer(opaque);
    Operation *op = value.getDefiningOp();
    if (isa_and_nonnull<arith::AndIOp>(op)) {
      for (Value operand : llvm::reverse(op->getOperands()))
        parts.emplace_back(operand.getAsOpaquePointer(), axes);
    } else if (isa_and_nonnull<tile::BroadcastOp, tile::ConvertLayoutOp>(op)) {
      parts.emplace_back(op->getOperand(0).getAsOpaquePointer(), axes);
    } else if (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op)) {
      axes.erase(axes.begin() + expand.getAxis());
      parts.emplace_back(expand.getSource().getAsOpaquePointer(), axes);
    } else if (std::optional<int64_t> constant = op ? getConstantIntValue(value) : std::nullopt) {
      if (*constant == 0)
        return std::nullopt;
    } else if (!addBounds(op, axes, bounds)) {
      return std::nullopt;
    }
  }
  return bounds;
}

bool BoxAnalysis::addBounds(Operation *op, ArrayRef<unsigned> axes, SmallVectorImpl<Bound> &bounds) {
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare)
    return false;
  switch (compare.getPredicate()) {
  case arith::CmpIPredicate::slt:
    return addComparison(compare.getLhs(), compare.getRhs(), true, axes, bounds);
  case arith::CmpIPredicate::sle:
    return addComparison(compare.getLhs(), compare.getRhs(), false, axes, bounds);
  case arith::CmpIPredicate::sgt:
    return addComparison(compare.getRhs(), compare.getLhs(), true, axes, bounds);
  case arith::CmpIPredicate::sge:
    return addComparison(compare.getRhs(), compare.getLhs(), false, axes, bounds);
  case arith::CmpIPredicate::ult:
    return addRange(compare.getLhs(), compare.getRhs(), axes, bounds);
  default:
    return false;
  }
}

/// `coordinate < size` without sign, as blocks of views are bounded: the coordinate is not below zero either.
/// The size is a parameter, or zero where that is negative: then no launch has a map, and it makes no
/// difference.
bool BoxAnalysis::addRange(Value coordinate, Value size, ArrayRef<unsigned> axes,
                           SmallVectorImpl<Bound> &bounds) {
  while (auto splat = size.getDefiningOp<tile::SplatOp>())
    size = splat.getSource();
  if (auto most = size.getDefiningOp<arith::MaxSIOp>(); most && getConstantIntValue(most.getRhs()) == 0)
    size = most.getLhs();
  std::optional<Affine> limit = affineOf(size), place = affineOf(coordinate);
  if (!limit || !limit->steps.empty() || !place || !launchValueOf(limit->uniform))
    return false;
  Affine difference = *place;
  difference.uniform = difference.uniform - limit->uniform;
  return addBound(difference, 0, axes, bounds) && (bounds.back().from = Polynomial() - place->uniform, true);
}

/// `low < high`, or `low <= high`: a bound where places along one axis are compared, with what is the same
/// for all.
bool BoxAnalysis::addComparison(Value low, Value high, bool isStrict, ArrayRef<unsigned> axes,
                                SmallVectorImpl<Bound> &bounds) {
  std::optional<Affine> a = affineOf(low), b = affineOf(high);
  if (!a || !b || a->base || b->base)
    return false;
  return addBound(*a + b->times(-1), isStrict ? 0 : 1, axes, bounds);
}

/// `difference < more`, which is the place along one axis and what is the same for all.
bool BoxAnalysis::addBound(const Affine &difference, int64_t more, ArrayRef<unsigned> axes,
                           SmallVectorImpl<Bound> &bounds) {
  std::optional<unsigned> along = difference.countedAxis();
  if (!along)
    return false;
  bounds.push_back({axes[*along], Polynomial(more) - difference.uniform});
  return true;
}

} // namespace tegula
