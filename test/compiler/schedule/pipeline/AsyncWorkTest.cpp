// Orders of steps and numbers of pending groups, for schedules where they are plain to see.
#include "compiler/schedule/pipeline/AsyncWork.h"
#include "compiler/schedule/pipeline/StageAssignment.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

/// A loop of two groups, whose ops stand for themselves; and one that carries a number through two ops.
struct StepsTest : ::testing::Test {
  StepsTest() {
    DialectRegistry registry;
    registry.insert<tgpu::TgpuDialect, arith::ArithDialect, scf::SCFDialect, func::FuncDialect>();
    context.appendDialectRegistry(registry);
    module = parseSourceString<ModuleOp>(R"(
      func.func @f(%n: i32) -> i32 {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        scf.for %i = %c0 to %n step %c1 : i32 {
          tgpu.async_wait pending 0
          tgpu.async_commit
          tgpu.async_commit
          tgpu.async_wait pending 0
        }
        %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0) -> (i32) : i32 {
          %a = arith.addi %x, %i : i32
          %b = arith.muli %a, %i : i32
          scf.yield %b : i32
        }
        return %r : i32
      })",
                                         &context);
    module->walk([&](scf::ForOp loop) { loops.push_back(loop); });
  }

  std::vector<Operation *> opsOf(unsigned index) {
    std::vector<Operation *> ops;
    for (Operation &op : loops[index].getBody()->without_terminator())
      ops.push_back(&op);
    return ops;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::vector<scf::ForOp> loops;
};

} // namespace

TEST_F(StepsTest, AWaitLeavesPendingWhatWasCommittedSince) {
  auto ops = opsOf(0); // wait, commit, commit, wait
  AsyncWork work;
  for (unsigned group : {0u, 1u})
    work.groups.push_back(
        {{}, cast<tgpu::AsyncCommitOp>(ops[1 + group]), cast<tgpu::AsyncWaitOp>(ops[3 * group])});
  auto pendings = [&](unsigned first, unsigned second) {
    ModuloSchedule schedule{{ops[0], first}, {ops[1], 0}, {ops[2], 0}, {ops[3], second}};
    return std::pair(work.pendingOf(0, schedule), work.pendingOf(1, schedule));
  };
  EXPECT_EQ(pendings(2, 2), std::pair(3u, 4u));
  EXPECT_EQ(pendings(1, 1), std::pair(1u, 2u));
  // The first one's readers an iteration ahead of the second one's.
  EXPECT_EQ(pendings(1, 2), std::pair(1u, 4u));
  // One group: all but its own iteration's and what is committed behind the wait.
  work.groups.pop_back();
  for (unsigned stages : {2u, 3u, 7u})
    EXPECT_EQ(work.pendingOf(0, {{ops[0], stages - 1}, {ops[1], 0}, {ops[2], 0}, {ops[3], 0}}), stages - 2);
}

TEST_F(StepsTest, GroupsThatTheFirstIterationLacksAreNotCounted) {
  // The second group is committed a stage later: at the first wait it has none yet.
  auto ops = opsOf(0);
  AsyncWork work;
  for (unsigned group : {0u, 1u})
    work.groups.push_back(
        {{}, cast<tgpu::AsyncCommitOp>(ops[1 + group]), cast<tgpu::AsyncWaitOp>(ops[3 * group])});
  ModuloSchedule schedule{{ops[1], 0}, {ops[2], 1}, {ops[0], 0}, {ops[3], 1}};
  EXPECT_EQ(work.pendingOf(0, schedule), 0u);
}

TEST_F(StepsTest, WorkIsReadBehindItsGroupsWaitAndReplacedBehindItsReads) {
  auto ops = opsOf(0); // wait, commit, commit, wait
  auto others = opsOf(1);
  Operation *write = others[0], *read = others[1], *commit = ops[1], *wait = ops[3], *release = ops[0];
  AsyncWork work;
  work.groups.push_back({{write}, commit, wait});
  work.buffers.push_back({.write = write, .reads = {read}, .release = release, .slots = 3, .group = 0});
  ScheduleProblem problem(loops[0]);
  problem.dependences.clear();
  work.addDependences(problem);
  using Order = std::tuple<Operation *, Operation *, unsigned>; // from, to, iterations later
  std::vector<Order> found;
  for (const Dependence &dependence : problem.dependences)
    found.emplace_back(dependence.from, dependence.to, dependence.distance);
  EXPECT_EQ(found, (std::vector<Order>{{release, write, 2},
                                       {write, read, 0},
                                       {read, write, 3},
                                       {wait, read, 0},
                                       {write, commit, 0},
                                       {commit, write, 1},
                                       {commit, wait, 0}}));
}

TEST_F(StepsTest, AStepGoesByPartsThenStagesThenTheBody) {
  auto ops = opsOf(0);
  StageAssignment stages(3);
  stages.set(ops[0], 1, StepPart::End);
  stages.set(ops[1], 1);
  stages.set(ops[2], 0);
  stages.set(ops[3], 2, StepPart::Begin);
  ScheduleProblem problem(loops[0]);
  EXPECT_EQ(stages.schedule(problem), (ModuloSchedule{{ops[3], 2}, {ops[2], 0}, {ops[1], 1}, {ops[0], 1}}));
}

TEST_F(StepsTest, WhatAnEarlierStageNeedsOfTheStepComesBeforeIt) {
  // The sum of stage 0 takes what stage 1 makes for the iteration before: in the same step.
  auto ops = opsOf(1);
  StageAssignment stages(2);
  stages.set(ops[0], 0);
  ScheduleProblem problem(loops[1]);
  ModuloSchedule schedule = stages.schedule(problem);
  EXPECT_EQ(schedule, (ModuloSchedule{{ops[1], 1}, {ops[0], 0}}));
  EXPECT_TRUE(checkSchedule(problem, schedule));
}

TEST_F(StepsTest, ARingWithinAStepIsAViolation) {
  auto ops = opsOf(1);
  StageAssignment stages(1);
  ScheduleProblem problem(loops[1]);
  problem.add(ops[1], ops[0], 0, "a ring");
  ModuloSchedule schedule = stages.schedule(problem);
  EXPECT_EQ(schedule.size(), 2u);
  EXPECT_FALSE(checkSchedule(problem, schedule));
}
