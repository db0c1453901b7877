// Conjunctions of comparisons as bounds along axes.
#include "compiler/analysis/access/BoxAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

std::optional<SmallVector<BoxAnalysis::Bound>> BoxAnalysis::boundsOf(Value mask) {
  SmallVector<Bound> bounds;
  SmallVector<unsigned> axes;
  for (unsigned axis = 0; axis < rankOf(mask); ++axis)
    axes.push_back(axis);
  if (!addBounds(mask, axes, bounds))
    return std::nullopt;
  return bounds;
}

/// `axes` says which axis of the mask each of `part` is.
bool BoxAnalysis::addBounds(Value part, ArrayRef<unsigned> axes, SmallVectorImpl<Bound> &bounds) {
  Operation *op = part.getDefiningOp();
  if (!op)
    return false;
  if (isa<arith::AndIOp>(op))
    return addBounds(op->getOperand(0), axes, bounds) && addBounds(op->getOperand(1), axes, bounds);
  if (isa<tile::BroadcastOp, tile::ConvertLayoutOp>(op))
    return addBounds(op->getOperand(0), axes, bounds);
  if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    SmallVector<unsigned> inner(axes);
    inner.erase(inner.begin() + expand.getAxis());
    return addBounds(expand.getSource(), inner, bounds);
  }
  if (std::optional<int64_t> constant = splatOf(part))
    return *constant != 0;
  auto compare = dyn_cast<arith::CmpIOp>(op);
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
  if (auto most = size.getDefiningOp<arith::MaxSIOp>(); most && splatOf(most.getRhs()) == 0)
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
