#include "compiler/plan/DotPlan.h"
#include "dialect/layout/Places.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

namespace tegula {
namespace {

/// A place in a matrix of a batch.
struct Position {
  int32_t batch = 0, row = 0, column = 0;

  Position operator^(const Position &other) const {
    return {batch ^ other.batch, row ^ other.row, column ^ other.column};
  }
  auto operator<=>(const Position &) const = default;

  /// One word for each position of a tensor: no side is longer than 2^21.
  uint64_t packed() const { return uint64_t(batch) << 42 | uint64_t(row) << 21 | uint64_t(column); }
};

constexpr unsigned MaxSideBits = 20;

/// A tensor as the threads hold it.
class Held {
public:
  Held(const LinearLayout &layout, unsigned threadBits) : outs(layout) {
    unsigned rank = unsigned(layout.outs().size());
    hasBatch = rank == 3;
    rowDim = tensorDim(rank - 2), columnDim = tensorDim(rank - 1);
    for (uint64_t column : threadColumns(layout, threadBits))
      threads.push_back(position(column));
    for (uint64_t reg : registerPositions(layout)) {
      registers.push_back(position(reg));
      numbers.try_emplace(registers.back().packed(), uint32_t(registers.size() - 1));
    }
  }

  /// Axes that a matrix has, none longer than what `Position` packs.
  static bool isMatrix(const LinearLayout &layout) {
    size_t rank = layout.outs().size();
    return (rank == 2 || rank == 3) && std::all_of(layout.outs().begin(), layout.outs().end(),
                                                   [](DimBits dim) { return dim.bits <= MaxSideBits; });
  }

  int32_t rows() const { return outs.outSize(rowDim); }
  int32_t columns() const { return outs.outSize(columnDim); }

  /// A place of a fragment in this tensor, whose sides may be shorter.
  Position wrapped(Position place) const {
    return {place.batch, place.row & (rows() - 1), place.column & (columns() - 1)};
  }

  std::optional<uint32_t> find(Position place) const {
    auto found = numbers.find(wrapped(place).packed());
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<Position> threads;   ///< by bit of the thread's number
  std::vector<Position> registers; ///< of thread 0

private:
  Position position(uint64_t packed) const {
    return {hasBatch ? outs.unpackOut(packed, Dim::Dim0) : 0, outs.unpackOut(packed, rowDim),
            outs.unpackOut(packed, columnDim)};
  }

  const LinearLayout &outs;
  bool hasBatch;
  Dim rowDim, columnDim;
  std::unordered_map<uint64_t, uint32_t> numbers; ///< of the first register at a position
};

/// The positions that an instruction takes, relative to a corner.
struct Fragment {
  std::vector<Position> registers, lanes;

  Fragment() : registers{Position()} {}
  explicit Fragment(const LinearLayout &layout) {
    for (uint64_t reg : registerPositions(layout))
      registers.push_back(position(layout, reg));
    for (unsigned bit = 0; bit < LaneBits; ++bit)
      lanes.push_back(position(layout, layout.column(Dim::Lane, bit)));
  }

  /// True where the lanes of `tensor` have what those of the fragment have.
  bool fits(const Held &tensor) const {
    for (size_t bit = 0; bit < lanes.size(); ++bit)
      if (tensor.threads[bit] != tensor.wrapped(lanes[bit]))
        return false;
    return true;
  }

private:
  static Position position(const LinearLayout &layout, uint64_t packed) {
    return {0, layout.unpackOut(packed, Dim::Dim0), layout.unpackOut(packed, Dim::Dim1)};
  }
};

/// The fragments of one tensor that the plan uses, each once.
class Fragments {
public:
  Fragments(const Held &tensor, const Fragment &fragment) : tensor(tensor), fragment(fragment) {}

  /// The number of the fragment at `corner`; nothing where a register lacks.
  std::optional<uint32_t> at(Position corner) {
    auto [known, isNew] = numbers.try_emplace(corner.packed(), uint32_t(all.size()));
    if (!isNew)
      return known->second;
    DotPlan::Fragment registers;
    for (const Position &place : fragment.registers) {
      std::optional<uint32_t> reg = tensor.find(corner ^ place);
      if (!reg)
        return std::nullopt;
      registers.push_back(*reg);
    }
    all.push_back(std::move(registers));
    return known->second;
  }

  std::vector<DotPlan::Fragment> all;

private:
  const Held &tensor;
  const Fragment &fragment;
  std::unordered_map<uint64_t, uint32_t> numbers;
};

/// Plans with the fragments of one instruction.
class Planner {
public:
  Planner(const DotLayouts &layouts, const MatrixShape &shape, Fragment a, Fragment b, Fragment sum)
      : shape(shape), a(layouts.a, layouts.threadBits), b(layouts.b, layouts.threadBits),
        sum(layouts.sum, layouts.threadBits), ofA(std::move(a)), ofB(std::move(b)), ofSum(std::move(sum)) {}

  std::optional<DotPlan> run() {
    if (a.columns() < shape.k || !ofA.fits(a) || !ofB.fits(b) || !ofSum.fits(sum) || !moveTogether())
      return std::nullopt;
    Fragments usedA(a, ofA), usedB(b, ofB), usedSum(sum, ofSum);
    std::vector<Position> corners = cornersInOrder();
    DotPlan plan;
    for (const Position &corner : corners)
      if (!usedSum.at(corner))
        return std::nullopt;
    for (int32_t k = 0; k < a.columns(); k += shape.k)
      for (const Position &corner : corners) {
        std::optional<uint32_t> first = usedA.at({corner.batch, corner.row, k}),
                                second = usedB.at({corner.batch, k, corner.column});
        if (!first || !second)
          return std::nullopt;
        plan.steps.push_back({*first, *second, *usedSum.at(corner)});
      }
    plan.a = std::move(usedA.all), plan.b = std::move(usedB.all), plan.sum = std::move(usedSum.all);
    return findResults(plan) ? std::optional(std::move(plan)) : std::nullopt;
  }

private:
  /// Threads that are not a fragment's lanes hold what belongs together.
  bool moveTogether() const {
    for (size_t bit = ofSum.lanes.size(); bit < sum.threads.size(); ++bit) {
      const Position &inA = a.threads[bit], &inB = b.threads[bit], &inSum = sum.threads[bit];
      if (inA.batch != inSum.batch || inB.batch != inSum.batch || inA.row != inSum.row ||
          inB.column != inSum.column || inA.column != inB.row)
        return false;
    }
    return true;
  }

  /// The corners of the fragments that a thread's registers of the sum belong to: row by row, there and
  /// back, so that each instruction shares a fragment with the one before.
  std::vector<Position> cornersInOrder() const {
    std::map<std::array<int32_t, 2>, std::vector<int32_t>> columns; // by batch and row
    for (const Position &place : sum.registers)
      columns[{place.batch, place.row & -shape.m}].push_back(place.column & -shape.n);
    std::vector<Position> corners;
    bool goesBack = false;
    for (auto &[start, list] : columns) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
      if (goesBack)
        std::reverse(list.begin(), list.end());
      for (int32_t column : list)
        corners.push_back({start[0], start[1], column});
      goesBack = !goesBack;
    }
    return corners;
  }

  /// Every position of the fragments of the sum, the first that computes it, for the registers there. False
  /// where a register is none of its fragment's.
  bool findResults(DotPlan &plan) const {
    std::unordered_map<uint64_t, DotPlan::Source> places;
    for (uint32_t fragment = 0; fragment < plan.sum.size(); ++fragment)
      for (uint32_t reg = 0; reg < plan.sum[fragment].size(); ++reg)
        places.try_emplace(sum.registers[plan.sum[fragment][reg]].packed(), DotPlan::Source{fragment, reg});
    for (const Position &place : sum.registers) {
      auto found = places.find(place.packed());
      if (found == places.end())
        return false;
      plan.results.push_back(found->second);
    }
    return true;
  }

  MatrixShape shape;
  Held a, b, sum;
  Fragment ofA, ofB, ofSum;
};

bool areMatrices(const DotLayouts &layouts) {
  return Held::isMatrix(layouts.a) && Held::isMatrix(layouts.b) && Held::isMatrix(layouts.sum);
}

} // namespace

std::optional<DotPlan> planMatrixDot(const DotLayouts &layouts, const MatrixShape &shape,
                                     unsigned elementBytes) {
  if (!areMatrices(layouts))
    return std::nullopt;
  return Planner(layouts, shape, Fragment(fragmentA(shape, elementBytes)),
                 Fragment(fragmentB(shape, elementBytes)), Fragment(fragmentC(shape)))
      .run();
}

std::optional<DotPlan> planThreadDot(const DotLayouts &layouts) {
  if (!areMatrices(layouts))
    return std::nullopt;
  return Planner(layouts, {1, 1, 1}, Fragment(), Fragment(), Fragment()).run();
}

} // namespace tegula
