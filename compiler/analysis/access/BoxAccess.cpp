#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/analysis/access/DeadLanes.h"
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

/// Whether `value` is the same in every iteration: the loop may compute it nonetheless.
bool BoxAnalysis::isInvariant(Value value, unsigned depth) {
  constexpr unsigned MaxDepth = 16;
  if (loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  return op && depth < MaxDepth && isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isInvariant(operand, depth + 1); });
}

/// Whether all that it is computed from is the same in every iteration, but for the trip.
bool BoxAnalysis::isKnownOutside(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.products(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](Polynomial::Symbol symbol) {
      return symbol == Trip || isInvariant(symbols[symbol]);
    });
  });
}

/// What is the same for all elements is shared out: to axes whose stride it is a multiple of, parameters
/// before constants and great ones before small, and what is a multiple of another parameter to axes of its
/// own. Empty, or why not.
StringRef BoxAnalysis::whyNotShared(Box &box, Polynomial offset) {
  for (BoxAxis &axis : box.axes)
    if (axis.stride.parameter)
      axis.start = offset.takeFactor(numbers.at(axis.stride.parameter));
  for (Polynomial::Symbol symbol = Trip + 1; symbol < symbols.size(); ++symbol)
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
      if (llvm::count(product, Trip) > 1)
        return "a coordinate is no multiple of how often the loop has come round";
  return offset.isZero() ? "" : "what the elements' pointers have in common is a multiple of no stride";
}

/// Sizes by the mask. Empty, or why it is more than these.
StringRef BoxAnalysis::whyNotBounded(Box &box, Value mask) {
  std::optional<SmallVector<Bound>> bounds = boundsOf(mask);
  if (!bounds)
    return "its mask is more than bounds of coordinates";
  for (const Bound &bound : *bounds) {
    BoxAxis &axis = box.axes[bound.axis];
    std::optional<LaunchValue> size = launchValueOf(axis.start + bound.below);
    // The engine has zeros in front of an array, too.
    const bool isOfFront = !bound.from || (axis.start + *bound.from).isZero();
    if (!size || !isOfFront || (axis.size && *axis.size != *size))
      return "its mask compares coordinates with what is no size of the array";
    axis.size = size;
    axis.isBoundedInFront |= bound.from.has_value();
  }
  return "";
}

std::optional<Box> BoxAnalysis::boxAt(Value pointer, Value mask, std::string &why) {
  auto refuse = [&](StringRef reason) {
    why = reason.str();
    return std::nullopt;
  };
  narrowSums.clear();
  wrapping.clear();
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  std::optional<Affine> pointers = type ? affineOf(pointer) : std::nullopt;
  if (!pointers || !pointers->base)
    return refuse(
        "its pointers are no sum of a parameter, coordinates times strides and what iterations add");
  Box box{.base = pointers->base};
  for (auto [axis, step] : llvm::enumerate(pointers->steps)) {
    std::optional<LaunchValue> stride = launchValueOf(step);
    if (!stride || (!stride->parameter && stride->constant < 1))
      return refuse("a stride is neither a parameter nor a constant");
    for (const BoxAxis &other : box.axes)
      if (other.stride == *stride)
        return refuse("two axes have one stride");
    box.axes.push_back({.stride = *stride});
  }
  if (StringRef reason = whyNotShared(box, pointers->uniform); !reason.empty())
    return refuse(reason);
  for (unsigned axis = 0; axis < pointers->steps.size(); ++axis)
    if (const auto &modulus = pointers->modulus[axis]) {
      box.axes[axis].size = launchValueOf(modulus->first);
      wrapping.push_back(axis);
      if (!box.axes[axis].size || box.axes[axis].start != modulus->second)
        return refuse(
            "from a place on that is no size of the array its rows stand for others (`%`, `where`)");
    }
  if (StringRef reason = mask ? whyNotBounded(box, mask) : ""; !reason.empty())
    return refuse(reason);
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

/// Whether what `load` reads where the box has zeros, since coordinates from a size on are others, may reach a
/// store.
bool BoxAnalysis::hasLiveZeros(tile::LoadOp load, const Box &box) {
  return llvm::any_of(wrapping, [&](unsigned number) {
    const BoxAxis &axis = box.axes[number];
    return !areDeadFrom(load.getResult(), number, polynomialOf(*axis.size) - axis.start, *this);
  });
}

std::optional<Box> BoxAnalysis::boxOf(tile::LoadOp load, std::string &why) {
  std::optional<Box> box = boxAt(load.getPointer(), load.getMask(), why);
  if (!box)
    return std::nullopt;
  for (const BoxAxis &axis : box->axes) {
    if (!isKnownOutside(axis.start)) {
      why = "a coordinate is computed in the loop";
      return std::nullopt;
    }
    if (!axis.isBoundedInFront && mayBeNegative(axis, "the engine has zeros in front of an array", why))
      return std::nullopt;
  }
  if (mayNotFit(*box, why))
    return std::nullopt;
  if (hasLiveZeros(load, *box)) {
    why = "rows behind the end that stand for others (`%`, `where`) are not known to be left out of every store";
    return std::nullopt;
  }
  return completed(*std::move(box));
}

std::optional<Box> BoxAnalysis::boxOf(tile::StoreOp store, std::string &why) {
  std::optional<Box> box = boxAt(store.getPointer(), store.getMask(), why);
  if (!box)
    return std::nullopt;
  if (!wrapping.empty()) {
    why = "rows behind the end that stand for others (`%`, `where`) are written elsewhere than in a box";
    return std::nullopt;
  }
  for (const BoxAxis &axis : box->axes)
    if (mayBeNegative(axis, "the engine writes nothing in front of an array", why))
      return std::nullopt;
  if (mayNotFit(*box, why))
    return std::nullopt;
  return completed(*std::move(box));
}

} // namespace tegula
