// Whatever becomes of a loop, it does what it did: for every number of iterations, stages and copies of its
// body, run by the reference interpreter, with nothing loaded that the loop as written would not load.
#include "compiler/distribute/Passes.h"
#include "compiler/schedule/Passes.h"
#include "dialect/tile/Tile.h"
#include "test/compiler/interp/InterpreterFixture.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;
using tegula::interp::Array;

namespace {

/// Three loads that can run ahead: at the induction variable, at a carried pointer under a mask, and a
/// scalar. The loop stores, and carries a sum that depends on everything.
constexpr const char *loop = R"(
func.func @f(%x: !tile.ptr<i32>, %y: !tile.ptr<i32>, %out: !tile.ptr<i32>, %lower: i32, %upper: i32, %by: i32) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %four = arith.constant 4 : i32
  %three = arith.constant dense<3> : tensor<4xi32>
  %zero = arith.constant dense<0> : tensor<4xi32>
  %i = tile.arange 0 to 4 : tensor<4xi32>
  %m = arith.cmpi slt, %i, %three : tensor<4xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %outs = tile.splat %out : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
  %first = tile.addptr %ys, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  %all:2 = scf.for %k = %lower to %upper step %by iter_args(%p = %first, %acc = %zero) -> (tensor<4x!tile.ptr<i32>>, tensor<4xi32>) : i32 {
    %k4 = arith.muli %k, %four : i32
    %ks = tile.splat %k4 : i32 -> tensor<4xi32>
    %o = arith.addi %ks, %i : tensor<4xi32>
    %xp = tile.addptr %xs, %o : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    %a = tile.load %xp : tensor<4x!tile.ptr<i32>>
    %b = tile.load %p, %m, %three : tensor<4x!tile.ptr<i32>>
    %cp = tile.addptr %x, %k4 : !tile.ptr<i32>, i32
    %c = tile.load %cp : !tile.ptr<i32>
    %cs = tile.splat %c : i32 -> tensor<4xi32>
    %ab = arith.muli %a, %b : tensor<4xi32>
    %abc = arith.subi %ab, %cs : tensor<4xi32>
    %twice = arith.addi %acc, %acc : tensor<4xi32>
    %next = arith.addi %twice, %abc : tensor<4xi32>
    %outp = tile.addptr %outs, %o : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    tile.store %outp, %next : tensor<4x!tile.ptr<i32>>
    %q = tile.addptr %p, %three : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    scf.yield %q, %next : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  } {tile.loop = #tile.loop<HINTS>}
  %lastp = tile.addptr %outs, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
  tile.store %lastp, %all#1 : tensor<4x!tile.ptr<i32>>
  return
})";

std::string withHints(unsigned stages, unsigned unroll) {
  std::string text = loop;
  text.replace(text.find("HINTS"), 5,
               "stages = " + std::to_string(stages) + ", unroll = " + std::to_string(unroll));
  return text;
}

/// The same, counting without sign, at positions counted from where it begins.
std::string withoutSign(std::string text) {
  auto replace = [&](const std::string &from, const std::string &to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("scf.for %k", "scf.for unsigned %k");
  replace("%k4 = arith.muli %k, %four",
          "%behind = arith.subi %k, %lower : i32\n    %k4 = arith.muli %behind, %four");
  return text;
}

/// The text after the passes of the stage; `loads` counts the loads in it.
std::string scheduled(const std::string &ir, unsigned &loads) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, arith::ArithDialect, scf::SCFDialect, func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, &context);
  EXPECT_TRUE(module);
  PassManager pm(&context);
  pm.addPass(createFormBoxesPass());
  pm.addPass(createHoistInvariantsPass());
  pm.addPass(createUnrollLoopsPass());
  pm.addPass(createPlanLoopsPass());
  pm.addPass(createPipelineLoopsPass());
  EXPECT_TRUE(succeeded(pm.run(*module)));
  loads = 0;
  module->walk([&](tile::LoadOp) { ++loads; });
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  return text;
}

/// Returns what the program writes when it runs `trips` iterations from `lower` in steps of `by`, the first
/// at position `first` of its inputs; these end where the last iteration's do.
std::vector<uint64_t> outputOf(const std::string &ir, unsigned lower, unsigned trips, unsigned by, int slack,
                               unsigned first) {
  size_t last = trips ? first + (trips - 1) * by + 1 : 0;
  std::vector<Array> arrays{{4, std::vector<uint64_t>(4 * last + 1)},
                            {4, std::vector<uint64_t>(3 * trips + 1)},
                            {4, std::vector<uint64_t>(4 * last + 4, 7)}};
  for (unsigned n = 0; n < 2; ++n)
    for (size_t i = 0; i < arrays[n].elements.size(); ++i)
      arrays[n].elements[i] = (i * 2654435761u + n) & 0xff;
  int64_t upper = int64_t(lower) + int64_t(trips) * by - slack;
  auto outcome = interp::run(ir, arrays, {lower, uint32_t(upper), by});
  EXPECT_EQ(outcome.text, "") << "lower " << lower << " trips " << trips << " by " << by << "\n" << ir;
  return arrays[2].elements;
}

} // namespace

TEST(ScheduleLaws, LoopsDoWhatTheyDidForEveryNumberOfIterations) {
  for (unsigned stages : {1u, 2u, 3u, 4u})
    for (unsigned unroll : {1u, 2u, 3u, 4u}) {
      std::string before = withHints(stages, unroll);
      unsigned loads;
      std::string after = scheduled(before, loads);
      // Three loads for each copy of the body and each stage; and what unrolling leaves over.
      EXPECT_EQ(loads, 3 * unroll * stages + (unroll > 1 ? 3 : 0)) << after;
      for (unsigned trips = 0; trips <= 9; ++trips)
        for (unsigned by : {1u, 3u})
          for (unsigned lower : {0u, 5u}) {
            // The last step may go beyond the end.
            int slack = trips && by > 1 ? 1 : 0;
            EXPECT_EQ(outputOf(after, lower, trips, by, slack, lower),
                      outputOf(before, lower, trips, by, slack, lower))
                << "stages " << stages << " unroll " << unroll << " trips " << trips << " by " << by;
          }
      // An end before the beginning.
      EXPECT_EQ(outputOf(after, 5, 0, 1, 3, 5), outputOf(before, 5, 0, 1, 3, 5));
    }
}

TEST(ScheduleLaws, LoopsWithoutSignDoWhatTheyDid) {
  // Numbers that are negative where they have a sign, up to the last that there is.
  for (unsigned stages : {1u, 2u, 4u})
    for (unsigned unroll : {1u, 3u}) {
      std::string before = withoutSign(withHints(stages, unroll));
      unsigned loads;
      std::string after = scheduled(before, loads);
      EXPECT_EQ(loads, 3 * unroll * stages + (unroll > 1 ? 3 : 0)) << after;
      for (unsigned lower : {0u, 0x7ffffffeu, 0xfffffff0u})
        for (unsigned trips : {0u, 1u, 2u, 5u})
          for (unsigned by : {1u, 3u}) {
            int slack = trips && by > 1 ? 1 : 0;
            EXPECT_EQ(outputOf(after, lower, trips, by, slack, 0),
                      outputOf(before, lower, trips, by, slack, 0))
                << "stages " << stages << " unroll " << unroll << " lower " << lower << " trips " << trips;
          }
      // An end before the beginning.
      EXPECT_EQ(outputOf(after, 0xfffffff0u, 0, 1, 5, 0), outputOf(before, 0xfffffff0u, 0, 1, 5, 0));
    }
}
