// Which coordinates of a box may be below zero.
#include "compiler/analysis/BoxAccess.h"
#include "compiler/analysis/KernelParam.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tegula {

namespace {

bool isNonNegative(Value parameter) {
  tile::ParamAttr param = paramOf(parameter);
  return param && param.getNonNegative();
}

} // namespace

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

std::optional<Polynomial> BoxAnalysis::mostTrips(int64_t factor) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<Affine> first = affineOf(loop.getLowerBound()), end = affineOf(loop.getUpperBound());
  if (!step || factor % *step != 0 || !first || !end)
    return std::nullopt;
  return (end->uniform - first->uniform - 1) * Polynomial(factor / *step);
}

/// `factor` times `product`, a term that is taken off, with one of its symbols at its most; nothing where no
/// symbol has one.
std::optional<Polynomial> BoxAnalysis::least(const Polynomial::Product &product, int64_t factor) {
  for (auto [place, symbol] : llvm::enumerate(product)) {
    // The factor goes with the trip: the loop's step is part of it.
    std::optional<Polynomial> most = symbol == Trip ? mostTrips(factor) : mostOf(symbol);
    if (!most)
      continue;
    Polynomial term = symbol == Trip ? *most : *most * Polynomial(factor);
    for (auto [other, with] : llvm::enumerate(product))
      if (other != place)
        term = term * Polynomial::symbol(with);
    return term;
  }
  return std::nullopt;
}

bool BoxAnalysis::mayBeNegative(Polynomial coordinate) {
  constexpr unsigned MaxSteps = 8;
  auto hasSign = [&](Polynomial::Symbol symbol) {
    return symbol != Trip && isParameter(symbols[symbol]) && !isNonNegative(symbols[symbol]);
  };
  for (unsigned i = 0; i < MaxSteps; ++i) {
    Polynomial next;
    bool isLess = false, isAnyKnown = false;
    for (const auto &[product, factor] : coordinate.products()) {
      if (llvm::any_of(product, hasSign))
        return true;
      isLess |= factor < 0;
      std::optional<Polynomial> known = factor < 0 ? least(product, factor) : std::nullopt;
      isAnyKnown |= known.has_value();
      Polynomial term(factor);
      for (Polynomial::Symbol symbol : product)
        term = term * Polynomial::symbol(symbol);
      next = next + known.value_or(term);
    }
    if (!isLess || !isAnyKnown)
      return isLess;
    coordinate = next;
  }
  return true;
}

} // namespace tegula
