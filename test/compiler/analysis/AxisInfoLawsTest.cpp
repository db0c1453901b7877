// Every claim of AxisInfo against the values of random programs.
#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "dialect/tile/Tile.h"
#include "test/compiler/analysis/RandomProgram.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;
using namespace tegula::testing;

namespace {

/// Claims that say something, counted so that the test cannot pass by claiming nothing.
struct Strength {
  uint64_t contiguity = 0, divisibility = 0, constancy = 0, maskConstancy = 0, constants = 0, notNegative = 0;
  uint64_t remainders = 0, floorRemainders = 0,
           quotients = 0; ///< that have runs, or groups of equal elements
};

/// The indices of the elements of one line along `axis` through element `start`.
std::vector<size_t> lineOf(const Known &known, unsigned axis, size_t start) {
  size_t stride = 1;
  for (unsigned i = axis + 1; i < known.shape.size(); ++i)
    stride *= size_t(known.shape[i]);
  std::vector<size_t> line;
  for (int64_t i = 0; i < known.shape[axis]; ++i)
    line.push_back(start + size_t(i) * stride);
  return line;
}

/// The element where the line along `axis` through element `index` begins, as its index.
bool beginsLine(const Known &known, unsigned axis, size_t index) {
  size_t stride = 1;
  for (unsigned i = axis + 1; i < known.shape.size(); ++i)
    stride *= size_t(known.shape[i]);
  return index / stride % size_t(known.shape[axis]) == 0;
}

std::string check(const Known &known, const AxisInfo &info, unsigned axis, const std::vector<size_t> &line) {
  uint64_t step = uint64_t(info.step());
  uint64_t modulo = llvm::maskTrailingOnes<uint64_t>(known.originWidth);
  uint64_t own = llvm::maskTrailingOnes<uint64_t>(known.width);
  const AxisFacts &facts = info[axis];
  auto at = [&](size_t i) { return known.elements[line[i]]; };
  for (size_t i = 0; i < line.size(); ++i) {
    size_t first = i & ~size_t(facts.contiguity - 1);
    if (((at(i) - at(first) - (i - first) * step) & modulo) != 0)
      return "contiguity";
    size_t run = i & ~size_t(info.alignedRun(axis) - 1);
    if (((at(i) - at(run) - (i - run) * step) & own) != 0)
      return "aligned run";
    if (i == first && (known.signedElement(line[i]) & (facts.divisibility - 1)) != 0)
      return "divisibility";
    if (at(i) != at(i & ~size_t(facts.constancy - 1)))
      return "constancy";
    if (info.constant() && *info.constant() != known.signedElement(line[i]))
      return "constant";
    if ((known.signedElement(line[i]) & (info.divisibilityOfEach() - 1)) != 0)
      return "divisibility of each";
  }
  return "";
}

void count(Strength &strength, const Known &known, const AxisInfo &info, unsigned axis) {
  strength.contiguity += info[axis].contiguity > 1;
  strength.divisibility += info[axis].divisibility > 1;
  bool partial = info[axis].constancy > 1 && info[axis].constancy < known.shape[axis];
  strength.constancy += partial;
  strength.maskConstancy += partial && known.width == 1;
  strength.constants += info.constant().has_value();
  if (Operation *op = known.value.getDefiningOp()) {
    strength.remainders += isa<arith::RemSIOp>(op) && info[axis].contiguity > 1;
    strength.floorRemainders += isa<arith::SelectOp>(op) &&
                                op->getOperand(2).getDefiningOp<arith::RemSIOp>() &&
                                info[axis].contiguity > 1;
    strength.quotients += isa<arith::DivSIOp>(op) && partial;
  }
}

std::string described(const Known &known, const RandomProgram &program) {
  std::string text;
  llvm::raw_string_ostream(text) << known.value << "\n" << *program.module;
  return text;
}

/// Every claim that an analysis with `trust` makes holds in programs that keep to it.
Strength checkRandomPrograms(Trust trust, unsigned seed) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect>();
  std::mt19937_64 random(seed);
  Strength strength;
  for (unsigned round = 0; round < 1600 && !::testing::Test::HasFailure(); ++round) {
    RandomProgram program = randomProgram(context, random, 40, trust);
    EXPECT_TRUE(succeeded(verify(*program.module)));
    AxisInfoAnalysis facts(*program.module, trust);
    for (const Known &known : program.values) {
      AxisInfo info = facts.of(known.value);
      EXPECT_EQ(info.rank(), known.shape.size());
      if (facts.isNotNegative(known.value)) {
        ++strength.notNegative;
        for (size_t i = 0; i < known.elements.size(); ++i)
          EXPECT_GE(known.signedElement(i), 0) << described(known, program);
      }
      for (unsigned axis = 0; axis < info.rank(); ++axis) {
        count(strength, known, info, axis);
        for (size_t start = 0; start < known.elements.size(); ++start) {
          if (!beginsLine(known, axis, start))
            continue;
          std::string wrong = check(known, info, axis, lineOf(known, axis, start));
          if (wrong.empty())
            continue;
          std::string text;
          llvm::raw_string_ostream os(text);
          info.print(os);
          os << " along dim " << axis << " of " << described(known, program);
          ADD_FAILURE() << wrong << " is wrong: " << text;
          return strength;
        }
      }
    }
  }
  return strength;
}

} // namespace

TEST(AxisInfoLaws, EveryClaimHoldsInRandomPrograms) {
  Strength strength = checkRandomPrograms(Trust::Nothing, 40);
  EXPECT_GT(strength.contiguity, 4000u);
  EXPECT_GT(strength.divisibility, 10000u);
  EXPECT_GT(strength.constancy, 200u);
  EXPECT_GT(strength.maskConstancy, 20u);
  EXPECT_GT(strength.constants, 1000u);
  EXPECT_GT(strength.notNegative, 5000u);
  EXPECT_GT(strength.remainders, 20u);
  EXPECT_GT(strength.floorRemainders, 20u);
  EXPECT_GT(strength.quotients, 5u);
}

TEST(AxisInfoLaws, TrustedClaimsHoldWhereNothingDividedIsNegativeAndNothingOverflows) {
  Strength strength = checkRandomPrograms(Trust::Signs, 42);
  EXPECT_GT(strength.contiguity, 4000u);
  EXPECT_GT(strength.notNegative, 5000u);
  EXPECT_GT(strength.remainders, 40u);
  EXPECT_GT(strength.quotients, 10u);
}

TEST(AxisInfoLaws, JoinClaimsNoMoreThanEither) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect>();
  std::mt19937_64 random(41);
  for (unsigned round = 0; round < 50; ++round) {
    RandomProgram program = randomProgram(context, random, 40);
    AxisInfoAnalysis facts(*program.module, Trust::Nothing);
    for (const Known &a : program.values)
      for (const Known &b : program.values) {
        if (a.value.getType() != b.value.getType())
          continue;
        AxisInfo x = facts.of(a.value), joined = AxisInfo::join(x, facts.of(b.value));
        EXPECT_EQ(joined, AxisInfo::join(joined, x));
        EXPECT_EQ(AxisInfo::join(x, AxisInfo()), x);
        for (unsigned axis = 0; axis < joined.rank(); ++axis)
          for (size_t start = 0; start < a.elements.size(); ++start)
            if (beginsLine(a, axis, start)) {
              EXPECT_EQ(check(a, joined, axis, lineOf(a, axis, start)), "");
              EXPECT_EQ(check(b, joined, axis, lineOf(b, axis, start)), "");
            }
      }
  }
}
