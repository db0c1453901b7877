// Integers and pointers as sums: what all elements have in common, and a step along each axis.
#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tegula {

/// Longer sums are no coordinates that anybody wants computed.
static constexpr size_t MaxTerms = 16;
/// Indices have as many bits, or more.
static constexpr unsigned CoordinateBits = 32;

unsigned BoxAnalysis::rankOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? unsigned(type.getRank()) : 0;
}

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
  if (auto [known, isNew] = affines.try_emplace(value); !isNew)
    return known->second;
  std::optional<Affine> found = computeAffine(value);
  affines[value] = found;
  return found;
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::computeAffine(Value value) {
  unsigned rank = rankOf(value);
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return Affine{Polynomial(*number),
                  SmallVector<Polynomial, 2>(rank),
                  SmallVector<std::optional<std::pair<Polynomial, Polynomial>>, 2>(rank),
                  {}};
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && loop && argument.getOwner() == loop.getBody())
    return carried(argument);
  Operation *op = value.getDefiningOp();
  std::optional<Affine> found = op ? ofOp(op) : std::nullopt;
  const auto isLong = [](const Polynomial &sum) { return sum.products().size() > MaxTerms; };
  if (found && (isLong(found->uniform) || llvm::any_of(found->steps, isLong)))
    found.reset();
  if (found || rank > 0)
    return found;
  if (!isa<tile::PtrType>(value.getType()))
    return symbolOf(value);
  // Pointers that were not computed from others are a parameter's, or of an unknown array.
  return isParameter(value) ? std::optional(Affine{{}, {}, {}, value}) : std::nullopt;
}

/// Returns what the loop carries: the counter, and a value to which each iteration adds the same.
std::optional<BoxAnalysis::Affine> BoxAnalysis::carried(BlockArgument argument) {
  Affine iteration{Polynomial::symbol(Iteration), {}, {}, {}};
  if (argument == loop.getInductionVar()) {
    std::optional<Affine> first = affineOf(loop.getLowerBound()), step = affineOf(loop.getStep());
    return first && step ? std::optional(*first + iteration.times(step->uniform)) : std::nullopt;
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
  if (!first || !each || !each->isUniform() || each->uniform.has(Iteration))
    return std::nullopt;
  first->uniform = first->uniform + Polynomial::symbol(Iteration) * each->uniform;
  return first;
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::ofOp(Operation *op) {
  if (isa<tile::HintOp, tile::ConvertLayoutOp>(op))
    return affineOf(op->getOperand(0));
  if (isa<arith::ExtSIOp>(op))
    return narrowSumOf(op->getOperand(0));
  if (auto step = dyn_cast<tile::AddPtrOp>(op)) {
    std::optional<Affine> pointer = affineOf(step.getPointer()), offset = narrowSumOf(step.getOffset());
    return pointer && offset && !pointer->wrapsWhere(*offset) ? std::optional(*pointer + *offset)
                                                              : std::nullopt;
  }
  if (std::optional<Affine> result = ofArithmetic(op))
    return result;
  if (std::optional<Affine> result = ofBounded(op))
    return result;
  return ofShape(op);
}

/// Returns what is widened next, or added to a pointer: if it has 32 bits or less, its sum fits these.
std::optional<BoxAnalysis::Affine> BoxAnalysis::narrowSumOf(Value value) {
  std::optional<Affine> sum = affineOf(value);
  if (sum && tile::elementTypeOf(value.getType()).getIntOrFloatBitWidth() <= CoordinateBits)
    narrowSums.push_back(sum->uniform);
  return sum;
}

std::optional<BoxAnalysis::Affine> BoxAnalysis::ofArithmetic(Operation *op) {
  // Narrower integers wrap on purpose: what they come to is a number of its own.
  Type type = tile::elementTypeOf(op->getResult(0).getType());
  if (!type.isInteger() || type.getIntOrFloatBitWidth() < CoordinateBits)
    return std::nullopt;
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

/// Returns the coordinates that replace those from a size on: the last that exists, of `min(coordinate, size
/// - 1)`, or anything else, of `coordinate < size ? coordinate : 0`.
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

} // namespace tegula
