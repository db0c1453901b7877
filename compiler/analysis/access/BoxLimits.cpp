// Finds which coordinates of a box fit 32 bits: TMA counts with these, pointers with 64.
//
// What a kernel computes with 32 bits fits, for it is trusted not to overflow (README.md). The ranges of the
// numbers in other sums must say it. Where they do not:
//
//     base + pid.to(int64) * 2^28 + k       pid goes along an axis of its own, with a stride of 2^28
//     (pid.to(int64) * 128 + i) < rows      what does not fit is not below `rows`, which does: any other such
//                                           coordinate gives the same zeros
#include "compiler/analysis/access/BoxAccess.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir;

namespace tegula {

namespace {

constexpr uint64_t MostCoordinate = std::numeric_limits<int32_t>::max();

uint64_t plus(uint64_t a, uint64_t b) { return llvm::SaturatingAdd(a, b); }
uint64_t times(uint64_t a, uint64_t b) { return llvm::SaturatingMultiply(a, b); }

bool isSubsum(const Polynomial &part, const Polynomial &sum) {
  return llvm::all_of(part.products(), [&](const auto &term) {
    auto found = sum.products().find(term.first);
    return found != sum.products().end() && found->second == term.second;
  });
}

} // namespace

/// Returns `factor` times the greatest number of an iteration.
std::optional<uint64_t> BoxAnalysis::mostTripsTimes(uint64_t factor) {
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  std::optional<ConstantIntRanges> first = ranges.of(loop.getLowerBound()),
                                   end = ranges.of(loop.getUpperBound());
  int64_t distance = 0;
  if (!step || *step < 1 || !first || !end || loop.getUnsignedCmp() ||
      llvm::SubOverflow(end->smax().getSExtValue(), first->smin().getSExtValue(), distance))
    return std::nullopt;
  const uint64_t most = distance < 1 ? 0 : uint64_t(distance - 1);
  return factor % uint64_t(*step) == 0 ? times(factor / uint64_t(*step), most)
                                       : times(factor, most / uint64_t(*step));
}

std::optional<uint64_t> BoxAnalysis::mostOf(const Polynomial &coordinate, bool isNegative) {
  uint64_t sum = 0;
  for (const auto &[product, factor] : coordinate.products()) {
    if ((factor < 0) != isNegative)
      continue;
    uint64_t term = isNegative ? -uint64_t(factor) : uint64_t(factor);
    for (Polynomial::Symbol symbol : product) {
      std::optional<uint64_t> next;
      if (symbol == Iteration)
        next = mostTripsTimes(term);
      else if (std::optional<ConstantIntRanges> range = ranges.of(symbols[symbol]);
               range && range->smin().isNonNegative())
        next = times(term, range->smax().getZExtValue());
      if (!next)
        return std::nullopt;
      term = *next;
    }
    sum = plus(sum, term);
  }
  return sum;
}

bool BoxAnalysis::isNarrow(const BoxAxis &axis) {
  const Polynomial offset = axis.start * polynomialOf(axis.stride);
  return llvm::any_of(
      narrowSums, [&](const Polynomial &sum) { return isSubsum(axis.start, sum) || isSubsum(offset, sum); });
}

bool BoxAnalysis::isWithin(const BoxAxis &axis, uint64_t most) {
  auto isAtMost = [&](bool isNegative) {
    std::optional<uint64_t> found = mostOf(axis.start, isNegative);
    return found && *found <= (isNegative ? MostCoordinate : most);
  };
  // Nothing that is taken away goes below zero, but where the mask leaves that out.
  return isAtMost(false) && (!axis.isBoundedInFront || isAtMost(true));
}

bool BoxAnalysis::fits(const BoxAxis &axis) { return isNarrow(axis) || isWithin(axis, MostCoordinate); }

void BoxAnalysis::partLongSteps(Box &box) {
  for (unsigned number = 0; number < box.axes.size(); ++number)
    while (true) {
      const BoxAxis axis = box.axes[number];
      if (axis.stride.parameter || axis.size || fits(axis))
        break;
      // The longest step that is still one of something.
      std::optional<std::pair<Polynomial::Product, int64_t>> longest;
      for (const auto &[product, factor] : axis.start.products())
        if (!product.empty() && factor > 1 && (!longest || factor > longest->second))
          longest = {product, factor};
      int64_t stride = 0;
      if (!longest || llvm::MulOverflow(longest->second, axis.stride.constant, stride) ||
          llvm::any_of(box.axes, [&](const BoxAxis &other) {
            return other.stride == LaunchValue{{}, stride};
          }))
        break;
      const Polynomial of = Polynomial::term(longest->first);
      box.axes[number].start = axis.start - Polynomial::term(longest->first, longest->second);
      box.axes.push_back({.stride = {{}, stride}, .start = of});
    }
}

Decision<> BoxAnalysis::fitCoordinates(Box &box) {
  partLongSteps(box);
  for (BoxAxis &axis : box.axes) {
    if (fits(axis))
      continue;
    const bool hasNarrowSize =
        axis.size && (axis.size->parameter ? axis.size->parameter.getType().getIntOrFloatBitWidth() <= 32
                                           : uint64_t(axis.size->constant) <= MostCoordinate);
    if (!hasNarrowSize || !isWithin(axis, std::numeric_limits<int64_t>::max()))
      return because("a coordinate may not fit 32 bits, by which TMA counts: bounds of it by `tl.assume` or "
                     "a mask help")
          .fixedBy(
              "bound the coordinate by `tl.assume` or a mask, or give what has 64 bits an axis of its own");
    axis.isSaturated = true;
  }
  return {};
}

} // namespace tegula
