#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/analysis/integers/AxisInfo.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <limits>

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

bool BoxAnalysis::areStridesAligned(const BoxAccess &box, const BoxAxis &contiguous, int64_t elements) {
  return llvm::all_of(box.axes, [&](const BoxAxis &axis) {
    return &axis == &contiguous || divisibilityOf(polynomialOf(axis.stride)) % elements == 0;
  });
}

int64_t BoxAnalysis::divisibilityOf(const Polynomial &coordinate) const {
  int64_t all = MaxDivisibility;
  for (const auto &[product, factor] : coordinate.products()) {
    int64_t one = powerOfTwoDivisor(factor);
    for (Polynomial::Symbol symbol : product)
      if (tile::ParamAttr param = paramOf(symbols[symbol]))
        one = std::min(MaxDivisibility, int64_t(llvm::SaturatingMultiply<uint64_t>(
                                            uint64_t(one), uint64_t(param.getDivisibility()))));
    all = std::min(all, one);
  }
  return all;
}

/// Whether all that it is computed from is there when the loop is entered, but for the trip.
bool BoxAnalysis::isKnownOutside(const Polynomial &polynomial) {
  return llvm::all_of(polynomial.products(), [&](const auto &term) {
    return llvm::all_of(term.first, [&](Polynomial::Symbol symbol) {
      return symbol == Trip || loop.isDefinedOutsideOfLoop(symbols[symbol]);
    });
  });
}

/// What is the same for all elements is shared out: to axes whose stride it is a multiple of, parameters
/// before constants and great ones before small, and what is a multiple of another parameter to axes of its
/// own. Empty, or why not.
StringRef BoxAnalysis::whyNotShared(BoxAccess &box, Polynomial offset) {
  for (BoxAxis &axis : box.axes)
    if (axis.stride.parameter)
      axis.start = offset.takeFactor(numbers.at(axis.stride.parameter));
  for (Polynomial::Symbol symbol = Trip + 1; symbol < symbols.size(); ++symbol)
    if (isParameter(symbols[symbol]) && symbols[symbol].getType().isInteger())
      if (Polynomial start = offset.takeFactor(symbol); !start.isZero())
        box.axes.push_back({{symbols[symbol], 0}, std::nullopt, start});
  SmallVector<BoxAxis *> constants;
  for (BoxAxis &axis : box.axes)
    if (!axis.stride.parameter)
      constants.push_back(&axis);
  llvm::sort(constants, [](BoxAxis *a, BoxAxis *b) { return a->stride.constant > b->stride.constant; });
  for (BoxAxis *axis : constants)
    axis->start = offset.takeMultiples(axis->stride.constant);
  return offset.isZero() ? "" : "what the elements' pointers have in common is a multiple of no stride";
}

/// Sizes by the mask. Empty, or why it is more than these.
StringRef BoxAnalysis::whyNotBounded(BoxAccess &box, Value mask) {
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

std::optional<BoxAccess> BoxAnalysis::boxAt(Value pointer, Value mask, std::string &why) {
  auto refuse = [&](StringRef reason) {
    why = reason.str();
    return std::nullopt;
  };
  narrowSums.clear();
  auto type = dyn_cast<RankedTensorType>(pointer.getType());
  std::optional<Affine> pointers = type ? affineOf(pointer) : std::nullopt;
  if (!pointers || !pointers->base)
    return refuse(
        "its pointers are no sum of a parameter, coordinates times strides and what iterations add");
  BoxAccess box{pointers->base, {}};
  for (auto [axis, step] : llvm::enumerate(pointers->steps)) {
    std::optional<LaunchValue> stride = launchValueOf(step);
    if (!stride || (!stride->parameter && stride->constant < 1))
      return refuse("a stride is neither a parameter nor a constant");
    for (const BoxAxis &other : box.axes)
      if (other.stride == *stride)
        return refuse("two axes have one stride");
    box.axes.push_back({*stride, std::nullopt, {}, unsigned(type.getDimSize(axis))});
  }
  if (StringRef reason = whyNotShared(box, pointers->uniform); !reason.empty())
    return refuse(reason);
  for (unsigned axis = 0; axis < pointers->steps.size(); ++axis)
    if (const auto &modulus = pointers->modulus[axis]) {
      box.axes[axis].size = launchValueOf(modulus->first);
      box.axes[axis].wraps = true;
      if (!box.axes[axis].size || box.axes[axis].start != modulus->second)
        return refuse(
            "from a place on that is no size of the array its rows stand for others (`%`, `where`)");
    }
  if (StringRef reason = mask ? whyNotBounded(box, mask) : ""; !reason.empty())
    return refuse(reason);
  return box;
}

std::optional<BoxAccess> BoxAnalysis::boxOf(tile::LoadOp load, std::string &why) {
  kernel = load->getParentOfType<func::FuncOp>();
  std::optional<BoxAccess> box = boxAt(load.getPointer(), load.getMask(), why);
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
  return box;
}

std::optional<BoxAccess> BoxAnalysis::boxOf(tile::StoreOp store, std::string &why) {
  kernel = store->getParentOfType<func::FuncOp>();
  std::optional<BoxAccess> box = boxAt(store.getPointer(), store.getMask(), why);
  if (!box)
    return std::nullopt;
  for (const BoxAxis &axis : box->axes) {
    if (axis.wraps) {
      why = "rows behind the end that stand for others (`%`, `where`) are written elsewhere than in a box";
      return std::nullopt;
    }
    if (mayBeNegative(axis, "the engine writes nothing in front of an array", why))
      return std::nullopt;
  }
  if (mayNotFit(*box, why))
    return std::nullopt;
  return box;
}

Value BoxAnalysis::startOf(const BoxAxis &axis, OpBuilder &builder, Location loc, scf::ForOp now) const {
  const unsigned bits = axis.isSaturated ? 64 : 32;
  Type type = builder.getIntegerType(bits);
  auto resized = [&](Value value) -> Value {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width > bits)
      return arith::TruncIOp::create(builder, loc, type, value);
    return width < bits ? arith::ExtSIOp::create(builder, loc, type, value).getResult() : value;
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, type, value);
  };
  // How far the counter has come: the trip times the step.
  auto distance = [&] {
    return builder.createOrFold<arith::SubIOp>(loc, resized(now.getInductionVar()),
                                               resized(now.getLowerBound()));
  };
  std::optional<int64_t> step = now ? splatOf(now.getStep()) : std::nullopt;
  Value sum;
  for (const auto &[product, found] : axis.start.products()) {
    int64_t factor = found;
    SmallVector<Value> values;
    for (Polynomial::Symbol symbol : product) {
      if (symbol != Trip) {
        values.push_back(resized(symbols[symbol]));
      } else if (step && factor % *step == 0) {
        factor /= *step;
        values.push_back(distance());
      } else {
        values.push_back(arith::DivUIOp::create(builder, loc, distance(), resized(now.getStep())));
      }
    }
    if (factor != 1 || values.empty())
      values.push_back(constant(factor));
    Value term = values.front();
    for (Value value : ArrayRef(values).drop_front())
      term = builder.createOrFold<arith::MulIOp>(loc, term, value);
    sum = sum ? builder.createOrFold<arith::AddIOp>(loc, sum, term) : term;
  }
  if (!sum)
    sum = constant(0);
  if (!axis.isSaturated)
    return sum;
  Value most = constant(std::numeric_limits<int32_t>::max());
  return arith::TruncIOp::create(builder, loc, builder.getI32Type(),
                                 arith::MinSIOp::create(builder, loc, sum, most));
}

llvm::SmallVector<Value> BoxAnalysis::valuesIn(const Polynomial &coordinate) const {
  llvm::SmallVector<Value> values;
  for (const auto &[product, factor] : coordinate.products())
    for (Polynomial::Symbol symbol : product)
      if (symbol != Trip)
        values.push_back(symbols[symbol]);
  return values;
}

} // namespace tegula
