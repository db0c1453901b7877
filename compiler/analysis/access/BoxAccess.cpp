#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/analysis/access/DemandedElements.h"
#include "compiler/analysis/integers/AxisInfo.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

std::optional<LaunchValue> BoxAnalysis::launchValueOf(const Polynomial &polynomial) const {
  if (std::optional<int64_t> constant = polynomial.constant())
    return LaunchValue{{}, *constant};
  std::optional<Polynomial::Symbol> symbol = polynomial.single();
  if (!symbol || !isParameter(symbols[*symbol]))
    return std::nullopt;
  return LaunchValue{symbols[*symbol], 0};
}

Polynomial BoxAnalysis::polynomialOf(const LaunchValue &number) {
  return number.parameter ? symbolOf(number.parameter).uniform : Polynomial(number.constant);
}

int64_t BoxAnalysis::multipleOf(const Polynomial &coordinate) const {
  int64_t all = MaxDivisibility;
  for (const auto &[product, factor] : coordinate.products()) {
    int64_t one = powerOfTwoDivisor(factor);
    for (Polynomial::Symbol symbol : product)
      one = std::min(MaxDivisibility, int64_t(llvm::SaturatingMultiply<uint64_t>(
                                          uint64_t(one), uint64_t(divisibilityOf({symbols[symbol], 1})))));
    all = std::min(all, one);
  }
  return all;
}

/// Returns true if `value` is the same in every iteration; the loop may compute it nonetheless.
bool BoxAnalysis::isInvariant(Value value, unsigned depth) {
  constexpr unsigned MaxDepth = 16;
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < MaxDepth && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand, depth + 1); });
}

/// Returns true if all that `polynomial` is computed from, but for the iteration number, is the same in every
/// iteration.
bool BoxAnalysis::isKnownOutside(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.products(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](Polynomial::Symbol symbol) {
      return symbol == Iteration || isInvariant(symbols[symbol]);
    });
  });
}

Decision<> BoxAnalysis::shareOut(Box &box, Polynomial offset) {
  for (BoxAxis &axis : box.axes)
    if (axis.stride.parameter)
      axis.start = offset.takeFactor(numbers.at(axis.stride.parameter));
  for (Polynomial::Symbol symbol = Iteration + 1; symbol < symbols.size(); ++symbol)
    if (isParameter(symbols[symbol]) && symbols[symbol].getType().isInteger())
      if (Polynomial start = offset.takeFactor(symbol); !start.isZero())
        box.axes.push_back({.stride = {symbols[symbol], 0}, .start = start});
  SmallVector<BoxAxis *> constants;
  for (BoxAxis &axis : box.axes)
    if (!axis.stride.parameter)
      constants.push_back(&axis);
  llvm::sort(constants, [](BoxAxis *a, BoxAxis *b) { return a->stride.constant > b->stride.constant; });
  for (BoxAxis *axis : constants)
    axis->start = offset.takeMultiples(axis->stride.constant);
  for (const BoxAxis &axis : box.axes)
    for (const auto &[product, factor] : axis.start.products())
      if (llvm::count(product, Iteration) > 1)
        return because("a coordinate is not linear in the iteration number")
            .fixedBy("advance pointers by the same step in each iteration");
  if (!offset.isZero())
    return because("what the elements' pointers have in common is a multiple of no stride")
        .fixedBy("offset the pointer by whole rows");
  return {};
}

Decision<> BoxAnalysis::bound(Box &box, Value mask) {
  std::optional<SmallVector<Bound>> bounds = boundsOf(mask);
  if (!bounds)
    return because("its mask is more than bounds of coordinates")
        .fixedBy("write masks as `(rows < M) & (columns < K)`, and any other condition with `tl.where` "
                 "afterwards");
  for (const Bound &bound : *bounds) {
    BoxAxis &axis = box.axes[bound.axis];
    std::optional<LaunchValue> size = launchValueOf(axis.start + bound.below);
    // TMA has zeros before an array, too.
    const bool isOfFront = !bound.from || (axis.start + *bound.from).isZero();
    if (!size || !isOfFront || (axis.size && *axis.size != *size))
      return because("its mask compares coordinates with what is no size of the array")
          .fixedBy("compare with the size of the array");
    axis.size = size;
    axis.isBoundedInFront |= bound.from.has_value();
  }
  return {};
}

Decision<Box> BoxAnalysis::boxAt(Value pointer, Value mask) {
  affines.clear();
  narrowSums.clear();
  wrapping.clear();
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  std::optional<Affine> pointers = type ? affineOf(pointer) : std::nullopt;
  if (!pointers || !pointers->base)
    return because(
               "its pointers are no sum of a parameter, coordinates times strides and what iterations add")
        .fixedBy("write pointers as `ptr + rows[:, None] * stride + columns[None, :]`, or use "
                 "`tl.make_tensor_descriptor`");
  Box box{.base = pointers->base};
  for (auto [axis, step] : llvm::enumerate(pointers->steps)) {
    std::optional<LaunchValue> stride = launchValueOf(step);
    if (!stride || (!stride->parameter && stride->constant < 1))
      return because("a stride is neither a parameter nor a constant")
          .fixedBy("pass the stride as a parameter of its own");
    for (const BoxAxis &other : box.axes)
      if (other.stride == *stride)
        return because("two axes have one stride").fixedBy("pass each stride as a parameter of its own");
    box.axes.push_back({.stride = *stride});
  }
  TRY(shareOut(box, pointers->uniform));
  for (unsigned axis = 0; axis < pointers->steps.size(); ++axis)
    if (const auto &modulus = pointers->modulus[axis]) {
      box.axes[axis].size = launchValueOf(modulus->first);
      wrapping.push_back(axis);
      if (!box.axes[axis].size || box.axes[axis].start != modulus->second)
        return because(
                   "from a place on that is no size of the array its rows stand for others (`%`, `where`)")
            .fixedBy("wrap rows with `% M`, M being the size of the array");
    }
  if (mask)
    TRY(bound(box, mask));
  return box;
}

Box BoxAnalysis::completed(Box box) {
  for (BoxAxis &axis : box.axes)
    axis.multiple = multipleOf(axis.start);
  box.symbols.assign(symbols.begin(), symbols.end());
  if (loop)
    box.counter = loop.getInductionVar(), box.first = loop.getLowerBound(), box.step = loop.getStep();
  return box;
}

bool BoxAnalysis::hasLiveZeros(tile::LoadOp load, const Box &box) {
  return llvm::any_of(wrapping, [&](unsigned number) {
    const BoxAxis &axis = box.axes[number];
    return !areDeadFrom(load.getResult(), number, polynomialOf(*axis.size) - axis.start, *this);
  });
}

Decision<Box> BoxAnalysis::boxOf(tile::LoadOp load) {
  Box box = TRY(boxAt(load.getPointer(), load.getMask()));
  for (const BoxAxis &axis : box.axes) {
    if (loop && !isKnownOutside(axis.start))
      return because("a coordinate is computed in the loop")
          .fixedBy("advance pointers by the same step in each iteration");
    if (!axis.isBoundedInFront)
      TRY(beginsInArray(axis, "TMA has zeros in front of an array"));
  }
  TRY(fitCoordinates(box));
  if (hasLiveZeros(load, box))
    return because("rows behind the end that stand for others (`%`, `where`) are not known to be left out of "
                   "every store")
        .fixedBy("mask the store with the real bounds");
  return completed(std::move(box));
}

Decision<Box> BoxAnalysis::boxOf(tile::StoreOp store) {
  Box box = TRY(boxAt(store.getPointer(), store.getMask()));
  if (!wrapping.empty())
    return because(
               "rows behind the end that stand for others (`%`, `where`) are written elsewhere than in a box")
        .fixedBy("mask the store with the real bounds");
  for (const BoxAxis &axis : box.axes)
    TRY(beginsInArray(axis, "TMA writes nothing in front of an array"));
  TRY(fitCoordinates(box));
  return completed(std::move(box));
}

} // namespace tegula
