// Finds which coordinates of a box may be below zero.
#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {

bool BoxAnalysis::isNotNegative(Polynomial::Symbol symbol) {
  if (symbol == Iteration)
    return true;
  Value value = symbols[symbol];
  // The analysis is not needed for these.
  if (value.getDefiningOp<tile::ProgramIdOp>() || value.getDefiningOp<tile::NumProgramsOp>())
    return true;
  if (tile::ParamAttr param = paramOf(value); param && param.getNonNegative())
    return true;
  std::optional<ConstantIntRanges> range = ranges.of(value);
  return (range && range->smin().isNonNegative()) || isNotNegativeBySums(value);
}

bool BoxAnalysis::isNotNegativeBySums(Value value) {
  constexpr unsigned MaxDepth = 6;
  Operation *op = value.getDefiningOp();
  if (!op || depth >= MaxDepth)
    return false;
  auto isSumOf = [&](unsigned operand) {
    std::optional<Affine> sum = affineOf(op->getOperand(operand));
    return sum && sum->isUniform() && !negativePart(sum->uniform);
  };
  ++depth;
  bool isKnown = false;
  // A remainder has the sign of what is divided, and so has a quotient by what is trusted to be positive.
  if (isa<arith::RemSIOp, arith::DivSIOp>(op))
    isKnown = isSumOf(0);
  else if (isa<arith::MinSIOp>(op))
    isKnown = isSumOf(0) && isSumOf(1);
  else if (isa<arith::MaxSIOp>(op))
    isKnown = isSumOf(0) || isSumOf(1);
  else if (isa<arith::SelectOp>(op))
    isKnown = isSumOf(1) && isSumOf(2);
  --depth;
  return isKnown;
}

/// Whatever q = x // d is, x being not negative, q * d is x at most: `place - first * width`, where `first`
/// is `place // (8 * width) * 8`, is not below zero.
std::optional<Polynomial> BoxAnalysis::mostByDivision(const Polynomial::Product &product, size_t place,
                                                      int64_t factor) {
  constexpr unsigned MaxDepth = 6;
  Operation *quotient = symbols[product[place]].getDefiningOp();
  if (!isa_and_nonnull<arith::DivSIOp, arith::DivUIOp, arith::ShRUIOp>(quotient) || depth >= MaxDepth)
    return std::nullopt;
  std::optional<Affine> divided = affineOf(quotient->getOperand(0)), by = affineOf(quotient->getOperand(1));
  if (!divided || !by || !divided->isUniform() || !by->isUniform())
    return std::nullopt;
  Polynomial divisor = by->uniform;
  if (isa<arith::ShRUIOp>(quotient)) {
    std::optional<int64_t> bits = divisor.constant();
    if (!bits || *bits < 0 || *bits > 30)
      return std::nullopt;
    divisor = Polynomial(int64_t(1) << *bits);
  }
  if (divisor.products().size() != 1)
    return std::nullopt;
  const auto &[symbolsOfDivisor, factorOfDivisor] = *divisor.products().begin();
  Polynomial::Product left = product;
  left.erase(left.begin() + int64_t(place));
  for (Polynomial::Symbol symbol : symbolsOfDivisor) {
    auto *found = llvm::find(left, symbol);
    if (found == left.end())
      return std::nullopt;
    left.erase(found);
  }
  ++depth;
  const bool isIndex = factor % factorOfDivisor == 0 && !negativePart(divided->uniform);
  --depth;
  if (!isIndex)
    return std::nullopt;
  return divided->uniform * Polynomial::term(left, factor / factorOfDivisor);
}

std::optional<Polynomial> BoxAnalysis::mostOf(Polynomial::Symbol symbol) {
  Value value = symbols[symbol];
  if (auto id = value.getDefiningOp<tile::ProgramIdOp>()) {
    for (auto [other, programs] : llvm::enumerate(symbols))
      if (auto count = programs ? programs.getDefiningOp<tile::NumProgramsOp>() : tile::NumProgramsOp();
          count && count.getAxis() == id.getAxis())
        return Polynomial::symbol(Polynomial::Symbol(other)) - 1;
    return std::nullopt;
  }
  auto argument = dyn_cast<BlockArgument>(value);
  auto outer = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!outer || argument != outer.getInductionVar())
    return std::nullopt;
  std::optional<Affine> end = affineOf(outer.getUpperBound());
  return end ? std::optional(end->uniform - 1) : std::nullopt;
}

std::optional<Polynomial> BoxAnalysis::mostIterations(int64_t factor) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<Affine> first = affineOf(loop.getLowerBound()), end = affineOf(loop.getUpperBound());
  if (!step || factor % *step != 0 || !first || !end)
    return std::nullopt;
  return (end->uniform - first->uniform - 1) * Polynomial(factor / *step);
}

/// `factor` times `product`, a term that is taken off, with one of its symbols at its most; nothing where no
/// symbol has one.
std::optional<Polynomial> BoxAnalysis::least(const Polynomial::Product &product, int64_t factor) {
  for (size_t place = 0; place < product.size(); ++place)
    if (std::optional<Polynomial> most =
            product[place] == Iteration ? std::nullopt : mostByDivision(product, place, factor))
      return most;
  for (auto [place, symbol] : llvm::enumerate(product)) {
    // The factor goes with the iteration: the loop's step is part of it.
    std::optional<Polynomial> most = symbol == Iteration ? mostIterations(factor) : mostOf(symbol);
    if (!most)
      continue;
    Polynomial::Product others = product;
    others.erase(others.begin() + place);
    return *most * Polynomial::term(others, symbol == Iteration ? 1 : factor);
  }
  return std::nullopt;
}

std::optional<Value> BoxAnalysis::negativePart(Polynomial coordinate) {
  constexpr unsigned MaxSteps = 8;
  for (unsigned i = 0; i < MaxSteps; ++i) {
    Polynomial next;
    bool isLess = false, isAnyKnown = false;
    for (const auto &[product, factor] : coordinate.products()) {
      for (Polynomial::Symbol symbol : product)
        if (!isNotNegative(symbol))
          return symbols[symbol];
      isLess |= factor < 0;
      std::optional<Polynomial> known = factor < 0 ? least(product, factor) : std::nullopt;
      isAnyKnown |= known.has_value();
      next = next + known.value_or(Polynomial::term(product, factor));
    }
    if (!isLess)
      return std::nullopt;
    if (!isAnyKnown)
      break;
    coordinate = next;
  }
  return Value();
}

/// Describes `value` so that the program's author finds it again.
static std::string describe(Value value) {
  if (tile::ParamAttr param = paramOf(value))
    return ("`" + param.getName() + "`").str();
  if (auto place = value.getLoc()->findInstanceOf<FileLineColRange>())
    return llvm::formatv("what line {0} computes", place.getStartLine()).str();
  return "a number";
}

Decision<> BoxAnalysis::beginsInArray(const BoxAxis &axis, StringRef consequence) {
  std::optional<Value> part = negativePart(axis.start);
  if (!part)
    return {};
  if (!*part)
    return because("a coordinate may be negative, and {0}", consequence)
        .fixedBy("state `tl.assume(x >= 0)` for what the coordinate is made of");
  return because("a coordinate may be negative, and {0}; it comes from {1}: is that not negative, "
                 "`tl.assume(... >= 0)` says so",
                 consequence, describe(*part))
      .fixedBy("state `tl.assume(... >= 0)` for it");
}

} // namespace tegula
