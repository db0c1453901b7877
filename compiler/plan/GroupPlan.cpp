#include "compiler/plan/GroupPlan.h"

#include <algorithm>
#include <array>

namespace tegula {
namespace {

/// `layout` of a matrix without the axis of blocks, in the order of the constructors of `Fragments.h`.
std::optional<LinearLayout> ofThreads(const LinearLayout &layout) {
  constexpr std::array Ins{Dim::Register, Dim::Lane, Dim::Warp};
  constexpr std::array Outs{Dim::Dim0, Dim::Dim1};
  bool isMatrix = layout.outs().size() == 2 &&
                  std::ranges::all_of(Ins, [&](Dim dim) { return layout.hasIn(dim); }) &&
                  layout.hasOut(Dim::Dim0) && layout.hasOut(Dim::Dim1);
  return isMatrix ? std::optional(layout.sublayout(Ins, Outs)) : std::nullopt;
}

std::array<int32_t, 2> sidesOf(const LinearLayout &layout) {
  return {layout.outSize(Dim::Dim0), layout.outSize(Dim::Dim1)};
}

class Planner {
public:
  Planner(const MatrixShape &shape, unsigned elementBytes) : shape(shape), elementBytes(elementBytes) {}

  std::optional<GroupPlan> run(const LinearLayout &sums, const GivenOperand &a, const GivenOperand &b,
                               int32_t groups) {
    std::optional<LinearLayout> threads = ofThreads(sums);
    if (!threads || !findGrid(*threads, groups))
      return std::nullopt;
    sides = sidesOf(*threads);
    rows = sides[0] / plan.groups.m, columns = sides[1] / plan.groups.n;
    int32_t k = a.map.outSize(tensorDim(a.kAxis));
    if (!take(a, 0, plan.a) || !take(b, 1, plan.b) || k < shape.k)
      return std::nullopt;
    constexpr int32_t ThreadsOfGroup = 128;
    plan.registersOfTile = unsigned(RowsOfGroup * shape.n / ThreadsOfGroup);
    plan.registersOfA = unsigned(RowsOfGroup * shape.k / ThreadsOfGroup);
    int32_t tilesM = rows / RowsOfGroup, tilesN = columns / shape.n, steps = k / shape.k;
    plan.tiles = uint32_t(tilesM * tilesN);
    for (int32_t step = 0; step < steps; ++step)
      for (int32_t m = 0; m < tilesM; ++m)
        for (int32_t n = 0; n < tilesN; ++n)
          plan.steps.push_back({uint32_t(m * tilesN + n),
                                a.inMemory ? offsetOf(a, m * RowsOfGroup, step * shape.k)
                                           : uint32_t(m * steps + step) * plan.registersOfA,
                                offsetOf(b, n * shape.n, step * shape.k)});
    return std::move(plan);
  }

private:
  bool findGrid(const LinearLayout &sums, int32_t groups) {
    std::array<int32_t, 2> shapeOfSums = sidesOf(sums);
    for (int32_t m = 1; m <= groups; m *= 2) {
      plan.groups = {m, groups / m};
      if (shapeOfSums[0] / m >= RowsOfGroup && shapeOfSums[1] / plan.groups.n >= shape.n &&
          groupResult(shapeOfSums, shape.n, plan.groups) == sums)
        return true;
    }
    return false;
  }

  bool take(const GivenOperand &given, unsigned index, GroupOperand &operand) {
    operand.inMemory = given.inMemory;
    if (!given.inMemory) {
      std::optional<LinearLayout> threads = ofThreads(given.map);
      return threads && given.kAxis == 1 && index == 0 &&
             groupOperandA(sidesOf(*threads), shape.k, plan.groups, elementBytes) == *threads;
    }
    std::optional<UnitOperand> unit = asUnitOperand(given.map, given.kAxis, elementBytes);
    if (!unit)
      return false;
    operand.unit = *unit;
    // The rows that an instruction reads across K begin with a span.
    int32_t width = index == 0 ? RowsOfGroup : shape.n;
    if (!unit->form.kContiguous && unsigned(width) * elementBytes % unit->form.span != 0)
      return false;
    // Bits of a group's number: first those along n, then those along m.
    for (int32_t bit = 1; bit < plan.groups.n; bit *= 2)
      operand.groupOffsets.push_back(index == 1 ? offsetOf(given, bit * columns, 0) : 0);
    for (int32_t bit = 1; bit < plan.groups.m; bit *= 2)
      operand.groupOffsets.push_back(index == 0 ? offsetOf(given, bit * rows, 0) : 0);
    return true;
  }

  /// Bytes from the start of the buffer to the element at (`width`, `k`) of what an operand in memory begins
  /// with.
  uint32_t offsetOf(const GivenOperand &given, int32_t width, int32_t k) const {
    unsigned firstBits = given.map.outs().front().bits;
    bool kIsFirst = given.map.outs().front().dim == tensorDim(given.kAxis);
    uint64_t across = uint64_t(given.begin + width);
    uint64_t first = kIsFirst ? uint64_t(k) : across, second = kIsFirst ? across : uint64_t(k);
    return uint32_t(given.map.invert()->applyPacked(first | second << firstBits)) * elementBytes;
  }

  MatrixShape shape;
  unsigned elementBytes;
  std::array<int32_t, 2> sides{};
  int32_t rows = 0, columns = 0; ///< of a group
  GroupPlan plan;
};

} // namespace

void GroupPlan::keepOnly(uint32_t begin, uint32_t count) {
  steps.erase(steps.begin() + ptrdiff_t((begin + count) * tiles), steps.end());
  steps.erase(steps.begin(), steps.begin() + ptrdiff_t(begin * tiles));
}

std::optional<GroupPlan> planGroupProduct(const LinearLayout &sums, const GivenOperand &a,
                                          const GivenOperand &b, const MatrixShape &shape, unsigned warps,
                                          unsigned elementBytes) {
  if (warps % unsigned(WarpsOfGroup) != 0 || !b.inMemory)
    return std::nullopt;
  return Planner(shape, elementBytes).run(sums, a, b, int32_t(warps) / WarpsOfGroup);
}

} // namespace tegula
