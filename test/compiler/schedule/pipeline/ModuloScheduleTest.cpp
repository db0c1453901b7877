// Schedules that break what must come before what are found, each by its reason.
#include "compiler/schedule/pipeline/ModuloSchedule.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

/// A loop that adds to a carried number in two steps.
struct ModuloScheduleTest : ::testing::Test {
  ModuloScheduleTest() {
    DialectRegistry registry;
    registry.insert<arith::ArithDialect, scf::SCFDialect, func::FuncDialect>();
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(R"(
      func.func @f(%n: i32) -> i32 {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
          %a = arith.addi %x, %i : i32
          %b = arith.muli %a, %i : i32
          %c = arith.subi %b, %i : i32
          scf.yield %c : i32
        }
        return %r : i32
      })",
                                         &context);
    module->walk([&](scf::ForOp op) { loop = op; });
    for (Operation &op : loop.getBody()->without_terminator())
      ops.push_back(&op);
  }

  std::string violation(ModuloSchedule schedule) {
    ScheduleProblem problem(loop);
    Decision<> found = checkSchedule(problem, schedule);
    return found ? "" : found.error().text;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  scf::ForOp loop;
  std::vector<Operation *> ops;
};

} // namespace

TEST_F(ModuloScheduleTest, InOrderIsRight) {
  EXPECT_EQ(violation({{ops[0], 0}, {ops[1], 0}, {ops[2], 0}}), "");
}

TEST_F(ModuloScheduleTest, EachOpOnce) {
  EXPECT_EQ(violation({{ops[0], 0}, {ops[1], 0}}), "expected each op, found none for `arith.subi`");
  EXPECT_EQ(violation({{ops[0], 0}, {ops[1], 0}, {ops[1], 0}, {ops[2], 0}}),
            "expected each op once, found a second `arith.muli`");
}

TEST_F(ModuloScheduleTest, ValuesComeBeforeTheirUses) {
  EXPECT_EQ(violation({{ops[1], 0}, {ops[0], 0}, {ops[2], 0}}),
            "expected `arith.addi` before `arith.muli` 0 iterations later, found stages 0 and 0: a value");
  EXPECT_EQ(violation({{ops[0], 0}, {ops[2], 0}, {ops[1], 1}}),
            "expected `arith.muli` before `arith.subi` 0 iterations later, found stages 1 and 0: a value");
}

TEST_F(ModuloScheduleTest, CarriedValuesComeBeforeTheirUses) {
  // What ends in stage 1 is not there when the next iteration begins in stage 0, unless it comes first.
  EXPECT_EQ(
      violation({{ops[0], 0}, {ops[1], 1}, {ops[2], 1}}),
      "expected `arith.subi` before `arith.addi` 1 iterations later, found stages 1 and 0: a carried value");
  EXPECT_EQ(violation({{ops[1], 1}, {ops[2], 1}, {ops[0], 0}}), "");
}

TEST_F(ModuloScheduleTest, ASlotIsReadBeforeItIsWrittenAgain) {
  // `addi` writes what `muli` reads; values are left aside.
  ScheduleProblem problem(loop);
  problem.dependences.clear();
  problem.add(ops[0], ops[1], 0, "written");
  problem.add(ops[1], ops[0], /*distance=*/2, "read");
  ModuloSchedule oneAhead{{ops[0], 0}, {ops[1], 1}, {ops[2], 1}}, late{{ops[1], 2}, {ops[0], 0}, {ops[2], 2}},
      tooFar{{ops[0], 0}, {ops[1], 2}, {ops[2], 2}};
  EXPECT_TRUE(checkSchedule(problem, oneAhead));
  EXPECT_TRUE(checkSchedule(problem, late));
  EXPECT_EQ(checkSchedule(problem, tooFar).error().text,
            "expected `arith.muli` before `arith.addi` 2 iterations later, found stages 2 and 0: read");
}
