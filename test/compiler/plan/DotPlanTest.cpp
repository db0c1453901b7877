// Plans of dots against the sum that they should compute, on a model of a block and of its instructions.
#include "compiler/plan/DotPlan.h"
#include "PlanModel.h"
#include "dialect/layout/Layouts.h"
#include "test/dialect/layout/RandomLayout.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::testing;

namespace {

/// An element that a thread's register holds, of a matrix of a batch.
struct Place {
  int32_t batch, row, column;
  bool operator==(const Place &) const = default;
  auto operator<=>(const Place &) const = default;
};

/// A tensor as a block holds it: `held[thread][register]`.
struct Tensor {
  std::vector<std::vector<Place>> held;
  int32_t rows, columns, batches;

  Tensor(const LinearLayout &layout, unsigned threadBits) {
    unsigned rank = unsigned(layout.outs().size());
    Dim row = tensorDim(rank - 2), column = tensorDim(rank - 1);
    rows = layout.outSize(row), columns = layout.outSize(column);
    batches = rank == 3 ? layout.outSize(Dim::Dim0) : 1;
    for (const std::vector<uint64_t> &registers : blockOf(layout, threadBits)) {
      std::vector<Place> &places = held.emplace_back();
      for (uint64_t reg : registers)
        places.push_back({rank == 3 ? layout.unpackOut(reg, Dim::Dim0) : 0, layout.unpackOut(reg, row),
                          layout.unpackOut(reg, column)});
    }
  }
};

/// Elements small enough for exact sums.
int64_t elementOf(uint64_t seed, const Place &place) {
  uint64_t hash = seed * 0x9e3779b97f4a7c15u;
  for (int32_t part : {place.batch, place.row, place.column})
    hash = (hash ^ uint64_t(part)) * 0xff51afd7ed558ccdu, hash ^= hash >> 29;
  return int64_t(hash % 200) - 100;
}

using Sums = std::vector<std::vector<std::vector<int64_t>>>; // by thread, fragment, register

/// Returns the element that an instruction reads at (lane, register) of a fragment.
struct Reader {
  const std::vector<DotPlan::Fragment> &fragments;
  const Tensor &tensor;
  uint64_t seed;

  int64_t operator()(size_t thread, uint32_t fragment, uint32_t reg) const {
    return elementOf(seed, tensor.held[thread][fragments[fragment][reg]]);
  }
};

/// A matrix as a warp's instruction takes it: `by[row][column]`.
using Matrix = std::vector<std::vector<int64_t>>;

/// Visits (lane, register, row, column) of a fragment.
template <typename Visit> void visit(const LinearLayout &fragment, Visit visitor) {
  for (int32_t lane = 0; lane < 32; ++lane)
    for (int32_t reg = 0; reg < fragment.inSize(Dim::Register); ++reg) {
      std::vector<Coord> at = fragment.apply({{Dim::Register, reg}, {Dim::Lane, lane}});
      visitor(size_t(lane), uint32_t(reg), size_t(at[0].value), size_t(at[1].value));
    }
}

/// `mma.sync` of one warp: what the manual says, on the fragments of all lanes.
void matrixInstruction(const MatrixShape &shape, unsigned bytes, size_t warp, const DotStep &step,
                       const Reader &a, const Reader &b, Sums &sums) {
  Matrix left(size_t(shape.m), std::vector<int64_t>(size_t(shape.k))),
      right(size_t(shape.k), std::vector<int64_t>(size_t(shape.n)));
  visit(fragmentA(shape, bytes), [&](size_t lane, uint32_t reg, size_t row, size_t k) {
    left[row][k] = a(warp * 32 + lane, step.a, reg);
  });
  visit(fragmentB(shape, bytes), [&](size_t lane, uint32_t reg, size_t k, size_t column) {
    right[k][column] = b(warp * 32 + lane, step.b, reg);
  });
  visit(fragmentC(shape), [&](size_t lane, uint32_t reg, size_t row, size_t column) {
    for (size_t k = 0; k < size_t(shape.k); ++k)
      sums[warp * 32 + lane][step.sum][reg] += left[row][k] * right[k][column];
  });
}

/// Empty where the plan computes a * b + c in every register; else what is wrong. No `shape`: each thread
/// by itself.
std::string wrongWith(const DotPlan &plan, const DotLayouts &layouts, std::optional<MatrixShape> shape,
                      unsigned bytes) {
  Tensor a(layouts.a, layouts.threadBits), b(layouts.b, layouts.threadBits),
      sum(layouts.sum, layouts.threadBits);
  Reader readA{plan.a, a, 1}, readB{plan.b, b, 2}, readSum{plan.sum, sum, 3};
  Sums sums(sum.held.size());
  for (size_t thread = 0; thread < sums.size(); ++thread)
    for (uint32_t fragment = 0; fragment < plan.sum.size(); ++fragment) {
      std::vector<int64_t> &registers = sums[thread].emplace_back();
      for (uint32_t reg = 0; reg < plan.sum[fragment].size(); ++reg)
        registers.push_back(readSum(thread, fragment, reg));
    }
  for (const DotStep &step : plan.steps)
    if (shape) {
      for (size_t warp = 0; warp < sums.size() / 32; ++warp)
        matrixInstruction(*shape, bytes, warp, step, readA, readB, sums);
    } else {
      for (size_t thread = 0; thread < sums.size(); ++thread)
        sums[thread][step.sum][0] += readA(thread, step.a, 0) * readB(thread, step.b, 0);
    }
  std::map<Place, int64_t> expected;
  for (size_t thread = 0; thread < sums.size(); ++thread)
    for (size_t reg = 0; reg < sum.held[thread].size(); ++reg) {
      Place place = sum.held[thread][reg];
      auto [known, isNew] = expected.try_emplace(place, elementOf(3, place));
      for (int32_t k = 0; isNew && k < a.columns; ++k)
        known->second +=
            elementOf(1, {place.batch, place.row, k}) * elementOf(2, {place.batch, k, place.column});
      const DotPlan::Source &source = plan.results.at(reg);
      if (sums[thread][source.fragment][source.reg] != known->second)
        return "thread " + std::to_string(thread) + " has a wrong sum in register " + std::to_string(reg);
    }
  return {};
}

struct Instruction {
  MatrixShape shape;
  unsigned bytes;
};
const Instruction Instructions[] = {{{16, 8, 16}, 2}, {{16, 8, 8}, 2},  {{16, 8, 8}, 4}, {{16, 8, 4}, 4},
                                    {{8, 8, 4}, 8},   {{16, 8, 32}, 1}, {{16, 8, 16}, 1}};

/// The three layouts of a dot.
struct Case {
  LinearLayout a, b, sum;
  unsigned threadBits;
  DotLayouts layouts() const { return {a, b, sum, threadBits}; }
};

/// The layouts that `distribute` chooses, on random sides and grids of warps.
Case randomFragments(std::mt19937_64 &random, const Instruction &instruction) {
  unsigned warpBits = pick(random, 4), m = pick(random, warpBits + 1), batch = 0;
  int32_t k = instruction.shape.k << pick(random, 3);
  std::vector<int32_t> a{1 << pick(random, 7), k}, b{k, 1 << pick(random, 7)}, sum{a[0], b[1]};
  if (pick(random, 3) == 0) {
    int32_t batches = 1 << pick(random, 3);
    batch = pick(random, m + 1);
    for (std::vector<int32_t> *shape : {&a, &b, &sum})
      shape->insert(shape->begin(), batches);
  }
  WarpGrid grid{1 << batch, 1 << (m - batch), 1 << (warpBits - m)};
  return {matrixOperand(0, a, instruction.shape, grid, instruction.bytes),
          matrixOperand(1, b, instruction.shape, grid, instruction.bytes),
          matrixResult(sum, instruction.shape, grid), LaneBits + warpBits};
}

/// The registers of `layout` in another order, some held twice.
LinearLayout disordered(std::mt19937_64 &random, const LinearLayout &layout) {
  unsigned registers = layout.inBits(Dim::Register);
  std::vector<uint64_t> columns;
  std::vector<DimBits> ins{{Dim::Register, registers}};
  for (unsigned bit = 0; bit < registers; ++bit)
    columns.push_back(layout.column(Dim::Register, bit));
  // Sums of columns reach the same positions.
  for (unsigned step = 0; registers > 1 && step < registers; ++step) {
    unsigned one = pick(random, registers), other = pick(random, registers);
    if (one != other)
      columns[one] ^= columns[other];
  }
  std::shuffle(columns.begin(), columns.end(), random);
  if (pick(random, 3) == 0) {
    columns.insert(columns.begin() + pick(random, registers + 1), columns.empty() ? 0 : columns.front());
    ++ins[0].bits;
  }
  for (Dim dim : {Dim::Lane, Dim::Warp}) {
    ins.push_back({dim, layout.inBits(dim)});
    for (unsigned bit = 0; bit < layout.inBits(dim); ++bit)
      columns.push_back(layout.column(dim, bit));
  }
  return LinearLayout::fromColumns(ins, layout.outs(), columns);
}

} // namespace

TEST(DotPlan, FragmentsGiveEverySum) {
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 400; ++i) {
    const Instruction &instruction = Instructions[i % std::size(Instructions)];
    Case test = randomFragments(random, instruction);
    std::optional<DotPlan> plan = planMatrixDot(test.layouts(), instruction.shape, instruction.bytes);
    ASSERT_TRUE(plan) << "case " << i << ": " << test.a.toString() << " by " << test.b.toString();
    ASSERT_EQ(wrongWith(*plan, test.layouts(), instruction.shape, instruction.bytes), "")
        << "case " << i << ": " << test.a.toString() << " by " << test.b.toString();
  }
}

TEST(DotPlan, TheOrderOfRegistersDoesNotMatter) {
  std::mt19937_64 random(2);
  for (unsigned i = 0; i < 300; ++i) {
    const Instruction &instruction = Instructions[i % std::size(Instructions)];
    Case test = randomFragments(random, instruction);
    test.a = disordered(random, test.a), test.b = disordered(random, test.b);
    test.sum = disordered(random, test.sum);
    std::optional<DotPlan> plan = planMatrixDot(test.layouts(), instruction.shape, instruction.bytes);
    ASSERT_TRUE(plan) << "case " << i;
    ASSERT_EQ(wrongWith(*plan, test.layouts(), instruction.shape, instruction.bytes), "") << "case " << i;
  }
}

// Any layouts at all: a plan that is made is right, whether or not one is.
TEST(DotPlan, WhatIsPlannedIsRight) {
  std::mt19937_64 random(3);
  unsigned matrix = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const Instruction &instruction = Instructions[pick(random, std::size(Instructions))];
    Case test = randomFragments(random, instruction);
    // A column of one of them is another one, or two change places.
    LinearLayout &changed = *std::array{&test.a, &test.b, &test.sum}[pick(random, 3)];
    std::vector<uint64_t> columns(changed.allColumns().begin(), changed.allColumns().end());
    if (columns.size() > 1) {
      size_t one = pick(random, unsigned(columns.size())), other = pick(random, unsigned(columns.size()));
      if (pick(random, 2))
        std::swap(columns[one], columns[other]);
      else
        columns[one] ^= columns[other];
    }
    changed = LinearLayout::fromColumns(changed.ins(), changed.outs(), columns);
    if (auto plan = planMatrixDot(test.layouts(), instruction.shape, instruction.bytes)) {
      ++matrix;
      ASSERT_EQ(wrongWith(*plan, test.layouts(), instruction.shape, instruction.bytes), "") << "case " << i;
    }
    if (auto plan = planThreadDot(test.layouts()))
      ASSERT_EQ(wrongWith(*plan, test.layouts(), std::nullopt, 0), "") << "case " << i;
  }
  EXPECT_GT(matrix, 300u);
  EXPECT_LT(matrix, 2900u);
}

/// A blocked result, and operands of which each thread holds what it needs.
Case randomThreads(std::mt19937_64 &random) {
  unsigned threadBits = LaneBits + pick(random, 4);
  bool hasBatch = pick(random, 3) == 0;
  std::vector<DimBits> sides;
  for (unsigned axis = hasBatch ? 0 : 1; axis < 3; ++axis)
    sides.push_back({tensorDim(axis - (hasBatch ? 0 : 1)), pick(random, axis ? 6 : 3)});
  unsigned bits = 0, kBits = pick(random, 6), rank = unsigned(sides.size());
  std::vector<std::array<unsigned, 2>> steps; // axis and bit
  for (unsigned axis = 0; axis < rank; ++axis)
    for (unsigned bit = 0; bit < sides[axis].bits; ++bit, ++bits)
      steps.push_back({axis, bit});
  std::shuffle(steps.begin(), steps.end(), random);
  unsigned registers = bits > threadBits ? bits - threadBits : 0;
  auto layoutOf = [&](int without) {
    std::vector<DimBits> outs = sides;
    if (without >= 0)
      outs[unsigned(without)].bits = kBits;
    auto packed = [&](unsigned axis, unsigned bit) {
      for (unsigned i = 0; i < axis; ++i)
        bit += outs[i].bits;
      return uint64_t(1) << bit;
    };
    std::vector<uint64_t> columns;
    for (unsigned bit = 0; without >= 0 && bit < kBits; ++bit)
      columns.push_back(packed(unsigned(without), bit));
    for (unsigned i = 0; i < registers + threadBits; ++i)
      columns.push_back(i >= steps.size() || int(steps[i][0]) == without ? 0
                                                                         : packed(steps[i][0], steps[i][1]));
    return LinearLayout::fromColumns({{Dim::Register, registers + (without >= 0 ? kBits : 0)},
                                      {Dim::Lane, LaneBits},
                                      {Dim::Warp, threadBits - LaneBits}},
                                     outs, columns);
  };
  return {layoutOf(int(rank) - 1), layoutOf(int(rank) - 2), layoutOf(-1), threadBits};
}

TEST(DotPlan, ThreadsComputeTheirOwnElements) {
  std::mt19937_64 random(4);
  for (unsigned i = 0; i < 300; ++i) {
    Case test = randomThreads(random);
    std::optional<DotPlan> plan = planThreadDot(test.layouts());
    ASSERT_TRUE(plan) << "case " << i;
    ASSERT_EQ(wrongWith(*plan, test.layouts(), std::nullopt, 0), "") << "case " << i;
  }
}

TEST(DotPlan, NeighboursShareAFragmentAndDoNotWaitForEachOther) {
  MatrixShape shape{16, 8, 16};
  WarpGrid grid{1, 2, 2};
  LinearLayout a = matrixOperand(0, std::array{64, 32}, shape, grid, 2),
               b = matrixOperand(1, std::array{32, 64}, shape, grid, 2),
               sum = matrixResult(std::array{64, 64}, shape, grid);
  DotPlan plan = *planMatrixDot({a, b, sum, LaneBits + 2}, shape, 2);
  EXPECT_EQ(plan.a.size(), 4u);
  EXPECT_EQ(plan.b.size(), 8u);
  EXPECT_EQ(plan.sum.size(), 8u);
  ASSERT_EQ(plan.steps.size(), 16u);
  for (size_t i = 1; i < plan.steps.size(); ++i) {
    EXPECT_NE(plan.steps[i].sum, plan.steps[i - 1].sum);
    if (i % 8)
      EXPECT_TRUE(plan.steps[i].a == plan.steps[i - 1].a || plan.steps[i].b == plan.steps[i - 1].b) << i;
  }
}

TEST(DotPlan, AShortKHasNoInstruction) {
  MatrixShape shape{16, 8, 16};
  LinearLayout a = matrixOperand(0, std::array{16, 8}, shape, {}, 2),
               b = matrixOperand(1, std::array{8, 8}, shape, {}, 2),
               sum = matrixResult(std::array{16, 8}, shape, {});
  EXPECT_FALSE(planMatrixDot({a, b, sum, LaneBits}, shape, 2));
}
