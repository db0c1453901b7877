#include "compiler/analysis/BoxAccess.h"
#include "compiler/analysis/AxisInfo.h"
#include "compiler/analysis/KernelParam.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula {

namespace {

/// Longer sums are no coordinates that anybody wants computed.
constexpr size_t MaxTerms = 16;

unsigned rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? unsigned(type.getRank()) : 0;
}

/// The number that all elements are.
std::optional<int64_t> splatOf(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto elements = dyn_cast<DenseIntElementsAttr>(attribute))
    return elements.isSplat() ? std::optional(elements.getSplatValue<APInt>().getSExtValue()) : std::nullopt;
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return number.getValue().getSExtValue();
  return std::nullopt;
}

} // namespace

//===--------------------------------------------------------------------===//
// Offsets
//===--------------------------------------------------------------------===//

bool BoxAnalysis::Affine::isUniform() const {
  return !base && llvm::all_of(steps, [](const Polynomial &step) { return step.isZero(); });
}

std::optional<unsigned> BoxAnalysis::Affine::countedAxis() const {
  std::optional<unsigned> counted;
  for (auto [axis, step] : llvm::enumerate(steps)) {
    if (step.isZero())
      continue;
    if (counted || step != Polynomial(1) || modulus[axis])
      return std::nullopt;
    counted = unsigned(axis);
  }
  return counted;
}

bool BoxAnalysis::Affine::wrapsWhere(const Affine &other) const {
  return llvm::any_of(llvm::zip(modulus, other.modulus),
                      [](const auto &both) { return std::get<0>(both) && std::get<1>(both); });
}

BoxAnalysis::Affine BoxAnalysis::Affine::operator+(const Affine &other) const {
  Affine sum = *this;
  sum.uniform = uniform + other.uniform;
  for (unsigned axis = 0; axis < steps.size(); ++axis) {
    sum.steps[axis] = steps[axis] + other.steps[axis];
    if (!sum.modulus[axis])
      sum.modulus[axis] = other.modulus[axis];
  }
  if (!sum.base)
    sum.base = other.base;
  return sum;
}

BoxAnalysis::Affine BoxAnalysis::Affine::times(const Polynomial &factor) const {
  Affine product = *this;
  product.uniform = uniform * factor;
  for (Polynomial &step : product.steps)
    step = step * factor;
  return product;
}

BoxAnalysis::Affine BoxAnalysis::symbolOf(Value value) {
  auto [place, isNew] = numbers.try_emplace(value, Polynomial::Symbol(symbols.size()));
  if (isNew)
    symbols.push_back(value);
  return {Polynomial::symbol(place->second), {}, {}, {}};
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::affineOf(Value value) {
  unsigned rank = rankOf(value);
  if (std::optional<int64_t> number = splatOf(value))
    return Affine{Polynomial(*number),
                  SmallVector<Polynomial, 2>(rank),
                  SmallVector<std::optional<std::pair<Polynomial, Polynomial>>, 2>(rank),
                  {}};
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && loop && argument.getOwner() == loop.getBody())
    return carried(argument);
  Operation *op = value.getDefiningOp();
  std::optional<Affine> found = op ? ofOp(op) : std::nullopt;
  if (found && (found->uniform.products().size() > MaxTerms))
    found.reset();
  if (found || rank > 0)
    return found;
  if (!isa<tile::PtrType>(value.getType()))
    return symbolOf(value);
  // Pointers that were not computed from others are a parameter's, or nobody knows whose.
  return isParameter(value) ? std::optional(Affine{{}, {}, {}, value}) : std::nullopt;
}

/// What the loop hands on: the counter, and what each iteration adds the same to.
std::optional<BoxAnalysis::Affine> BoxAnalysis::carried(BlockArgument argument) {
  Affine trip{Polynomial::symbol(Trip), {}, {}, {}};
  if (argument == loop.getInductionVar()) {
    std::optional<Affine> first = affineOf(loop.getLowerBound()), step = affineOf(loop.getStep());
    return first && step ? std::optional(*first + trip.times(step->uniform)) : std::nullopt;
  }
  Operation *next = loop.getTiedLoopYieldedValue(argument)->get().getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, tile::AddPtrOp>(next))
    return std::nullopt;
  Value step = next->getOperand(1);
  if (next->getOperand(0) != argument) {
    if (!isa<arith::AddIOp>(next) || step != argument)
      return std::nullopt;
    step = next->getOperand(0);
  }
  std::optional<Affine> first = affineOf(loop.getTiedLoopInit(argument)->get()), each = affineOf(step);
  if (!first || !each || !each->isUniform() || each->uniform.has(Trip))
    return std::nullopt;
  first->uniform = first->uniform + Polynomial::symbol(Trip) * each->uniform;
  return first;
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::ofOp(Operation *op) {
  if (isa<tile::HintOp, tile::ConvertLayoutOp, arith::ExtSIOp>(op))
    return affineOf(op->getOperand(0));
  if (auto step = dyn_cast<tile::AddPtrOp>(op)) {
    std::optional<Affine> pointer = affineOf(step.getPointer()), offset = affineOf(step.getOffset());
    return pointer && offset && !pointer->wrapsWhere(*offset) ? std::optional(*pointer + *offset)
                                                              : std::nullopt;
  }
  if (std::optional<Affine> result = ofArithmetic(op))
    return result;
  if (std::optional<Affine> result = ofBounded(op))
    return result;
  return ofShape(op);
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::ofArithmetic(Operation *op) {
  if (!isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShLIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return std::nullopt;
  std::optional<Affine> a = affineOf(op->getOperand(0)), b = affineOf(op->getOperand(1));
  if (!a || !b || a->wrapsWhere(*b))
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return *a + *b;
  if (isa<arith::SubIOp>(op))
    return *a + b->times(-1);
  if (isa<arith::MulIOp>(op)) {
    if (b->isUniform())
      return a->times(b->uniform);
    return a->isUniform() ? std::optional(b->times(a->uniform)) : std::nullopt;
  }
  if (isa<arith::ShLIOp>(op)) {
    std::optional<int64_t> bits = b->uniform.constant();
    return b->isUniform() && bits && *bits >= 0 && *bits < 32 ? std::optional(a->times(int64_t(1) << *bits))
                                                              : std::nullopt;
  }
  // Coordinates along one axis, taken modulo a size. Of scalars the remainder is a number of its own.
  return b->isUniform() ? within(std::move(a), b->uniform) : std::nullopt;
}

/// What stands for coordinates from a size on: the last that exists, of `min(coordinate, size - 1)`, or
/// anything else, of `coordinate < size ? coordinate : 0`.
std::optional<BoxAnalysis::Affine> BoxAnalysis::ofBounded(Operation *op) {
  if (isa<arith::MinSIOp>(op)) {
    std::optional<Affine> last = affineOf(op->getOperand(1));
    return last && last->isUniform() ? within(affineOf(op->getOperand(0)), last->uniform + 1) : std::nullopt;
  }
  auto choice = dyn_cast<arith::SelectOp>(op);
  if (!choice || rankOf(choice.getCondition()) == 0)
    return std::nullopt;
  std::optional<Affine> coordinate = affineOf(choice.getTrueValue());
  std::optional<SmallVector<Bound>> bounds = boundsOf(choice.getCondition());
  if (!coordinate || !bounds || bounds->size() != 1 || bounds->front().from ||
      coordinate->countedAxis() != bounds->front().axis)
    return std::nullopt;
  Polynomial size = bounds->front().below + coordinate->uniform;
  return within(std::move(coordinate), size);
}

/// Coordinates along one axis that are others, which exist, from `size` on.
std::optional<BoxAnalysis::Affine> BoxAnalysis::within(std::optional<Affine> coordinate,
                                                       const Polynomial &size) {
  std::optional<unsigned> along = coordinate ? coordinate->countedAxis() : std::nullopt;
  if (!along || coordinate->base)
    return std::nullopt;
  coordinate->modulus[*along] = {size, coordinate->uniform};
  return coordinate;
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::ofShape(Operation *op) {
  if (auto range = dyn_cast<tile::ArangeOp>(op))
    return Affine{Polynomial(int64_t(range.getStart())), {Polynomial(1)}, {std::nullopt}, {}};
  if (!isa<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::TransOp>(op))
    return std::nullopt;
  std::optional<Affine> found = affineOf(op->getOperand(0));
  if (!found)
    return std::nullopt;
  if (isa<tile::SplatOp>(op)) {
    found->steps.resize(rankOf(op->getResult(0)));
    found->modulus.resize(rankOf(op->getResult(0)));
  } else if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
    found->steps.insert(found->steps.begin() + expand.getAxis(), Polynomial());
    found->modulus.insert(found->modulus.begin() + expand.getAxis(), std::nullopt);
  } else if (auto trans = dyn_cast<tile::TransOp>(op)) {
    Affine source = *found;
    for (auto [axis, from] : llvm::enumerate(trans.getOrder())) {
      found->steps[axis] = source.steps[size_t(from)];
      found->modulus[axis] = source.modulus[size_t(from)];
    }
  } else {
    // An axis of one element has no places, whatever the step.
    auto source = cast<RankedTensorType>(op->getOperand(0).getType());
    for (unsigned axis = 0; axis < found->steps.size(); ++axis)
      if (source.getDimSize(axis) == 1) {
        found->steps[axis] = Polynomial();
        found->modulus[axis].reset();
      }
  }
  return found;
}

//===--------------------------------------------------------------------===//
// Masks
//===--------------------------------------------------------------------===//

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

//===--------------------------------------------------------------------===//
// Boxes
//===--------------------------------------------------------------------===//

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

std::optional<BoxAccess> BoxAnalysis::boxAt(Value pointer, Value mask,
                                            llvm::SmallDenseSet<unsigned, 4> &boundedInFront,
                                            std::string &why) {
  auto refuse = [&](const char *reason) {
    why = reason;
    return std::nullopt;
  };
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
    box.axes.push_back({*stride, std::nullopt, {}, unsigned(type.getDimSize(axis)), false});
  }
  // What is the same for all elements is shared out: to axes whose stride it is a multiple of, parameters
  // before constants and great ones before small, and what is a multiple of another parameter to axes of its
  // own.
  Polynomial offset = pointers->uniform;
  for (BoxAxis &axis : box.axes)
    if (axis.stride.parameter)
      axis.start = offset.takeFactor(numbers.at(axis.stride.parameter));
  for (Polynomial::Symbol symbol = Trip + 1; symbol < symbols.size(); ++symbol)
    if (isParameter(symbols[symbol]) && symbols[symbol].getType().isInteger())
      if (Polynomial start = offset.takeFactor(symbol); !start.isZero())
        box.axes.push_back({{symbols[symbol], 0}, std::nullopt, start, 1, false});
  SmallVector<BoxAxis *> constants;
  for (BoxAxis &axis : box.axes)
    if (!axis.stride.parameter)
      constants.push_back(&axis);
  llvm::sort(constants, [](BoxAxis *a, BoxAxis *b) { return a->stride.constant > b->stride.constant; });
  for (BoxAxis *axis : constants)
    axis->start = offset.takeMultiples(axis->stride.constant);
  if (!offset.isZero())
    return refuse("what the elements' pointers have in common is a multiple of no stride");
  for (unsigned axis = 0; axis < pointers->steps.size(); ++axis)
    if (const auto &modulus = pointers->modulus[axis]) {
      box.axes[axis].size = launchValueOf(modulus->first);
      box.axes[axis].wraps = true;
      if (!box.axes[axis].size || box.axes[axis].start != modulus->second)
        return refuse(
            "from a place on that is no size of the array its rows stand for others (`%`, `where`)");
    }
  if (mask) {
    std::optional<SmallVector<Bound>> bounds = boundsOf(mask);
    if (!bounds)
      return refuse("its mask is more than bounds of coordinates");
    for (const Bound &bound : *bounds) {
      BoxAxis &axis = box.axes[bound.axis];
      if (bound.from)
        boundedInFront.insert(bound.axis);
      std::optional<LaunchValue> size = launchValueOf(axis.start + bound.below);
      // The engine has zeros in front of an array, too.
      const bool isOfFront = !bound.from || (axis.start + *bound.from).isZero();
      if (!size || !isOfFront || (axis.size && *axis.size != *size))
        return refuse("its mask compares coordinates with what is no size of the array");
      axis.size = size;
    }
  }
  return box;
}

std::optional<BoxAccess> BoxAnalysis::boxOf(tile::LoadOp load, std::string &why) {
  llvm::SmallDenseSet<unsigned, 4> boundedInFront;
  std::optional<BoxAccess> box = boxAt(load.getPointer(), load.getMask(), boundedInFront, why);
  if (!box)
    return std::nullopt;
  for (auto [index, axis] : llvm::enumerate(box->axes)) {
    if (!isKnownOutside(axis.start)) {
      why = "a coordinate is computed in the loop";
      return std::nullopt;
    }
    if (!boundedInFront.contains(unsigned(index)) && mayBeNegative(axis.start)) {
      why = "a coordinate may be negative, and the engine has zeros in front of an array";
      return std::nullopt;
    }
  }
  return box;
}

std::optional<BoxAccess> BoxAnalysis::boxOf(tile::StoreOp store, std::string &why) {
  llvm::SmallDenseSet<unsigned, 4> boundedInFront;
  std::optional<BoxAccess> box = boxAt(store.getPointer(), store.getMask(), boundedInFront, why);
  if (!box)
    return std::nullopt;
  for (const BoxAxis &axis : box->axes) {
    if (axis.wraps) {
      why = "rows behind the end that stand for others (`%`, `where`) are written elsewhere than in a box";
      return std::nullopt;
    }
    if (mayBeNegative(axis.start)) {
      why = "a coordinate may be negative, and the engine writes nothing in front of an array";
      return std::nullopt;
    }
  }
  return box;
}

Value BoxAnalysis::valueOf(const Polynomial &coordinate, OpBuilder &builder, Location loc,
                           scf::ForOp now) const {
  Type i32 = builder.getI32Type();
  auto narrow = [&](Value value) -> Value {
    unsigned width = value.getType().getIntOrFloatBitWidth();
    if (width > 32)
      return arith::TruncIOp::create(builder, loc, i32, value);
    return width < 32 ? arith::ExtSIOp::create(builder, loc, i32, value).getResult() : value;
  };
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, int32_t(value), 32);
  };
  // How far the counter has come: the trip times the step.
  auto distance = [&] {
    return builder.createOrFold<arith::SubIOp>(loc, narrow(now.getInductionVar()),
                                               narrow(now.getLowerBound()));
  };
  std::optional<int64_t> step = now ? splatOf(now.getStep()) : std::nullopt;
  Value sum;
  for (const auto &[product, found] : coordinate.products()) {
    int64_t factor = found;
    SmallVector<Value> values;
    for (Polynomial::Symbol symbol : product) {
      if (symbol != Trip) {
        values.push_back(narrow(symbols[symbol]));
      } else if (step && factor % *step == 0) {
        factor /= *step;
        values.push_back(distance());
      } else {
        values.push_back(arith::DivUIOp::create(builder, loc, distance(), narrow(now.getStep())));
      }
    }
    if (factor != 1 || values.empty())
      values.push_back(constant(factor));
    Value term = values.front();
    for (Value value : ArrayRef(values).drop_front())
      term = builder.createOrFold<arith::MulIOp>(loc, term, value);
    sum = sum ? builder.createOrFold<arith::AddIOp>(loc, sum, term) : term;
  }
  return sum ? sum : constant(0);
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
