// Checks that a plan reserves enough shared memory for what `allocate-shared` allocates, and not much more.
#include "compiler/schedule/plan/SharedNeed.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "compiler/distribute/Passes.h"
#include "compiler/lower/Passes.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/PrefetchPlan.h"
#include "test/compiler/schedule/DotLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

/// The bytes that a plan for the first loop of a module counts with; nothing where it stays as it is.
std::optional<uint64_t> reserved(ModuleOp module, unsigned stages) {
  scf::ForOp loop;
  module.walk([&](scf::ForOp inner) { loop = loop ? loop : inner; });
  CopyRuns runs;
  AxisInfoAnalysis facts(module);
  loop->walk([&](tile::LoadOp load) { runs[load] = copyRunOf(load, facts); });
  const Decision<PrefetchPlan> plan = planPrefetches(loop, {stages}, targetOf(module), runs);
  return plan ? std::optional(plan->sharedBytes + OtherSharedBytes) : std::nullopt;
}

/// The bytes up to the end of the last place.
uint64_t allocated(ModuleOp module) {
  uint64_t end = 0;
  module.walk([&](Operation *op) {
    if (auto place = op->getAttrOfType<tile::ScratchAttr>("tile.scratch"))
      end = std::max<uint64_t>(end, place.getOffset() + place.getBytes());
  });
  return end;
}

void expectEnough(const DotLoop &form, const std::string &name) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, tgpu::TgpuDialect, arith::ArithDialect, scf::SCFDialect,
                      func::FuncDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(textOf(form), &context);
  ASSERT_TRUE(module);
  PassManager before(&context), after(&context);
  before.addPass(createFormBoxesPass());
  before.addPass(createHoistInvariantsPass());
  before.addPass(createUnrollLoopsPass());
  before.addPass(createBufferOperandsPass());
  ASSERT_TRUE(succeeded(before.run(*module)));
  const std::optional<uint64_t> bytes = reserved(*module, form.stages);
  ASSERT_TRUE(bytes) << name;
  after.addPass(createPlanLoopsPass());
  after.addPass(createMakePersistentPass());
  after.addPass(createSpecializeWarpsPass());
  after.addPass(createPipelineLoopsPass());
  after.addPass(createOverlapProductsPass());
  after.addPass(createSplitDotsPass());
  after.addPass(createStoreByTmaPass());
  after.addPass(createCSEPass());
  after.addPass(createAllocateSharedPass());
  ASSERT_TRUE(succeeded(after.run(*module)));
  EXPECT_LE(allocated(*module), *bytes) << name << ", stages " << form.stages;
  EXPECT_LE(*bytes, allocated(*module) + OtherSharedBytes) << name << ", stages " << form.stages;
}

} // namespace

TEST(SharedNeed, WhatIsReservedIsEnough) {
  struct Form {
    const char *name;
    void (*set)(DotLoop &);
  };
  const Form forms[] = {
      {"plain", [](DotLoop &) {}},
      {"pointers from the induction variable", [](DotLoop &f) { f.carriedA = false; }},
      {"masked", [](DotLoop &f) { f.maskedA = true; }},
      {"b through registers", [](DotLoop &f) { f.narrowB = true; }},
      {"with a bias", [](DotLoop &f) { f.hasBias = true; }},
      {"chained", [](DotLoop &f) { f.isChained = true; }},
      {"nested", [](DotLoop &f) { f.isNested = true; }},
      {"one behind another", [](DotLoop &f) { f.isTwice = true; }},
      {"with an operand from before", [](DotLoop &f) { f.invariantA = true; }},
      {"two of one load", [](DotLoop &f) { f.sharesLoad = true; }},
      {"copied by threads", [](DotLoop &f) { f.withoutTma = true; }},
      {"by groups", [](DotLoop &f) { f.byGroups = f.transposedB = true, f.m = 64; }},
      {"by groups, with a producer",
       [](DotLoop &f) { f.byGroups = f.transposedB = f.specializes = true, f.m = 64; }},
      {"by threads", [](DotLoop &f) { f.byThreads = true, f.warpsN = 2; }},
  };
  for (const Form &form : forms)
    for (unsigned stages = 2; stages <= 4; ++stages) {
      DotLoop loop;
      loop.stages = stages;
      form.set(loop);
      expectEnough(loop, form.name);
    }
}
