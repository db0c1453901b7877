// Loops around dots do what they did, whatever waits in which slot: for every number of stages and
// iterations, run by the reference interpreter, whose copies arrive when they were waited for and not before.
#include "compiler/distribute/Passes.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/persist/PersistPrograms.h"
#include "test/compiler/interp/InterpreterFixture.h"
#include "test/compiler/schedule/DotLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tegula;
using tegula::interp::Array;

namespace {

/// Holds a loop as the passes left it, with counts of its ops.
struct Scheduled {
  std::string text;
  unsigned copies = 0, waits = 0, loads = 0, buffers = 0, dots = 0, products = 0;
  unsigned inFlight = 0; ///< waits that leave products pending
  unsigned tmaCopies = 0, producers = 0;
  unsigned moved = 0; ///< reads of a part that a loop over K counts to
};

/// Few, so that small products of threads are long ones.
constexpr uint32_t MaxMultiplications = 64;

/// Runs the passes before pipelining, then `pipeline`, then the passes after it, and returns the result.
Scheduled scheduled(const std::string &ir, llvm::function_ref<void(ModuleOp)> pipeline) {
  DialectRegistry registry;
  registry.insert<tile::TileDialect, tgpu::TgpuDialect, arith::ArithDialect, scf::SCFDialect,
                  func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, &context);
  Scheduled result;
  EXPECT_TRUE(module) << ir;
  if (!module)
    return result;
  PassManager before(&context), after(&context);
  before.addPass(createFormBoxesPass());
  before.addPass(createHoistInvariantsPass());
  before.addPass(createUnrollLoopsPass());
  before.addPass(createBufferOperandsPass());
  EXPECT_TRUE(succeeded(before.run(*module))) << ir;
  pipeline(*module);
  after.addPass(createSplitDotsPass({.maxMultiplications = MaxMultiplications}));
  after.addPass(createCSEPass());
  EXPECT_TRUE(succeeded(after.run(*module))) << ir;
  module->walk([&](Operation *op) {
    result.copies += isa<tgpu::AsyncCopyOp>(op);
    result.tmaCopies += isa<tgpu::TmaCopyOp>(op);
    result.producers += isa<tgpu::ProducerOp>(op);
    result.waits += isa<tgpu::AsyncWaitOp>(op);
    result.loads += isa<tile::LoadOp>(op);
    result.buffers += isa<tgpu::AllocOp>(op);
    result.dots += isa<tile::DotOp>(op);
    result.products += isa<tgpu::MmaOp>(op);
    auto read = dyn_cast<tgpu::LocalLoadOp>(op);
    result.moved += read && read.getPosition();
    auto wait = dyn_cast<tgpu::MmaWaitOp>(op);
    result.inFlight += wait && wait.getPending();
  });
  llvm::raw_string_ostream(result.text) << *module;
  return result;
}

/// Adds the passes that plan loops and those that carry out the plans.
void addLoopPasses(PassManager &pm) {
  pm.addPass(createPlanLoopsPass());
  pm.addPass(createMakePersistentPass());
  pm.addPass(createSpecializeWarpsPass());
  pm.addPass(createPipelineLoopsPass());
  pm.addPass(createOverlapProductsPass());
}

Scheduled scheduled(const std::string &ir) {
  return scheduled(ir, [&](ModuleOp module) {
    PassManager pm(module.getContext());
    addLoopPasses(pm);
    EXPECT_TRUE(succeeded(pm.run(module))) << ir;
  });
}

/// The same where a block runs several programs.
Scheduled scheduledPersistent(const std::string &ir) {
  return scheduled(ir, [&](ModuleOp module) {
    persistPrograms(*module.getOps<func::FuncOp>().begin(), /*blocksPerMultiprocessor=*/1);
    PassManager pm(module.getContext());
    addLoopPasses(pm);
    EXPECT_TRUE(succeeded(pm.run(module))) << ir;
  });
}

/// Returns what the programs write in `trips` iterations; their inputs end where the last iteration's do. The
/// programs of a persistent kernel are run by `blocks` blocks.
std::vector<uint64_t> outputOf(const std::string &ir, const DotLoop &form, unsigned trips,
                               uint32_t blocks = 1) {
  DotLoopSizes sizes = sizesOf(form, trips);
  std::vector<Array> arrays{{1, std::vector<uint64_t>(sizes.a)},
                            {1, std::vector<uint64_t>(sizes.b)},
                            {4, std::vector<uint64_t>(sizes.bias)},
                            {1, std::vector<uint64_t>(sizes.v)},
                            {4, std::vector<uint64_t>(sizes.out, 7)}};
  std::mt19937 random(trips);
  for (unsigned n = 0; n < 4; ++n)
    for (uint64_t &element : arrays[n].elements)
      element = random() & 0xff;
  interp::Options options;
  options.blocks = blocks;
  auto outcome = interp::run(ir, arrays, {trips}, {form.programsX, form.programsY, 1}, options);
  EXPECT_EQ(outcome.text, "") << trips << " iterations, element " << outcome.element << "\n" << ir;
  return arrays[4].elements;
}

void expectSame(const DotLoop &form, const Scheduled &after, unsigned maxTrips, const std::string &what) {
  std::string before = textOf(form);
  for (unsigned trips = 0; trips <= maxTrips && !::testing::Test::HasFailure(); ++trips)
    EXPECT_EQ(outputOf(after.text, form, trips), outputOf(before, form, trips))
        << what << ", stages " << form.stages << ", trips " << trips << "\n"
        << after.text;
}

void expectSame(const DotLoop &form, unsigned maxTrips, const std::string &what) {
  expectSame(form, scheduled(textOf(form)), maxTrips, what);
}

} // namespace

TEST(DotLoopLaws, EveryNumberOfStagesAndIterations) {
  for (unsigned stages = 1; stages <= 5; ++stages) {
    DotLoop form;
    form.m = form.n = 16;
    form.stages = stages;
    Scheduled after = scheduled(textOf(form));
    EXPECT_EQ(after.copies, stages == 1 ? 0 : 2 * stages) << after.text;
    EXPECT_EQ(after.loads, stages == 1 ? 2u : 0u) << after.text;
    EXPECT_EQ(after.buffers, 2u) << after.text;
    expectSame(form, 8, "plain");
  }
}

TEST(DotLoopLaws, EveryForm) {
  struct Form {
    const char *name;
    void (*set)(DotLoop &);
  };
  const Form forms[] = {
      {"transposed", [](DotLoop &f) { f.transposedB = true; }},
      {"pointers from the induction variable", [](DotLoop &f) { f.carriedA = false; }},
      {"masked", [](DotLoop &f) { f.maskedA = true; }},
      {"through registers", [](DotLoop &f) { f.narrowB = true; }},
      {"with a bias", [](DotLoop &f) { f.hasBias = true; }},
      {"chained", [](DotLoop &f) { f.isChained = true; }},
      {"nested", [](DotLoop &f) { f.isNested = true; }},
      {"with an operand from before", [](DotLoop &f) { f.invariantA = true; }},
      {"with a load for two", [](DotLoop &f) { f.sharesLoad = true; }},
  };
  for (const Form &form : forms)
    for (unsigned stages : {2u, 4u}) {
      DotLoop loop;
      loop.m = loop.n = 32;
      loop.warpsN = 2;
      loop.stages = stages;
      form.set(loop);
      expectSame(loop, 5, form.name);
    }
}

TEST(DotLoopLaws, RandomForms) {
  std::mt19937 random(7);
  auto chance = [&] { return random() % 3 == 0; };
  for (unsigned round = 0; round < 24 && !HasFailure(); ++round) {
    DotLoop form;
    form.m = 16 << random() % 2;
    form.n = 16 << random() % 2;
    form.k = 32 << random() % 2;
    form.warpsM = 1 << random() % 2;
    form.warpsN = 1 << random() % 2;
    form.stages = 1 + random() % 5;
    for (bool *flag : {&form.transposedB, &form.carriedA, &form.maskedA, &form.narrowB, &form.hasBias,
                       &form.isNested, &form.invariantA, &form.sharesLoad})
      *flag = chance();
    if (form.n >= 32)
      form.isChained = chance();
    expectSame(form, 6, "round " + std::to_string(round));
  }
}

TEST(DotLoopLaws, ProductsOfGroups) {
  enum class Loading { Threads, Engine, Producer };
  struct Form {
    const char *name;
    void (*set)(DotLoop &);
    unsigned inFlight;  ///< from one iteration to the next, given stages
    unsigned tmaCopies; ///< of an iteration, where there are any
    bool isSpecialized; ///< a producer may make all of them
  };
  const Form forms[] = {
      {"copied", [](DotLoop &) {}, 1, 2, true},
      {"b through registers", [](DotLoop &f) { f.transposedB = false; }, 0, 1, false},
      {"pointers from the induction variable", [](DotLoop &f) { f.carriedA = false; }, 1, 2, true},
      {"masked", [](DotLoop &f) { f.maskedA = true; }, 1, 1, false},
      {"with a bias", [](DotLoop &f) { f.hasBias = true; }, 0, 2, false},
      {"chained", [](DotLoop &f) { f.isChained = true; }, 0, 2, false},
      {"nested", [](DotLoop &f) { f.isNested = true; }, 1, 2, true},
      {"with an operand from before", [](DotLoop &f) { f.invariantA = true; }, 1, 1, true},
      {"two of one load", [](DotLoop &f) { f.sharesLoad = true; }, 0, 2, true},
      {"two groups along m", [](DotLoop &f) { f.m = 128, f.warpsM = 2; }, 1, 2, true},
      {"two groups along n", [](DotLoop &f) { f.n = 64, f.warpsN = 2; }, 1, 2, true},
      {"one behind another", [](DotLoop &f) { f.isTwice = true; }, 2, 4, true},
  };
  for (const Form &form : forms)
    for (unsigned stages = 1; stages <= 4 && !HasFailure(); ++stages)
      for (Loading by : {Loading::Threads, Loading::Engine, Loading::Producer}) {
        DotLoop loop;
        loop.byGroups = loop.transposedB = true;
        loop.m = 64;
        loop.stages = stages;
        loop.withoutTma = by == Loading::Threads;
        loop.specializes = by == Loading::Producer;
        form.set(loop);
        Scheduled after = scheduled(textOf(loop));
        EXPECT_EQ(after.dots, 0u) << form.name;
        EXPECT_GT(after.products, 0u) << form.name;
        EXPECT_EQ(after.inFlight, stages > 1 ? form.inFlight : 0u) << form.name << " " << stages << "\n"
                                                                   << after.text;
        const bool isSpecialized = by == Loading::Producer && stages > 1 && form.isSpecialized;
        EXPECT_EQ(after.producers, isSpecialized ? 1u : 0u) << form.name << " " << stages << "\n"
                                                            << after.text;
        // What is ahead of the last iteration stands before the loop, but not in a producer's.
        const unsigned times = by == Loading::Threads || stages == 1 ? 0 : isSpecialized ? 1 : stages;
        EXPECT_EQ(after.tmaCopies, form.tmaCopies * times) << form.name << " " << stages << "\n"
                                                           << after.text;
        expectSame(loop, after, 5, form.name);
      }
}

TEST(DotLoopLaws, ProductsOfThreadsInRounds) {
  struct Form {
    const char *name;
    void (*set)(DotLoop &);
    unsigned moved; ///< reads in loops over K
    unsigned dots;
  };
  const Form forms[] = {
      {"plain", [](DotLoop &) {}, 2, 1},
      {"two steps a round", [](DotLoop &f) { f.m = 16, f.k = 64; }, 4, 2},
      {"transposed", [](DotLoop &f) { f.transposedB = true; }, 2, 1},
      {"pointers from the induction variable", [](DotLoop &f) { f.carriedA = false; }, 2, 1},
      {"masked", [](DotLoop &f) { f.maskedA = true; }, 2, 1},
      {"through registers", [](DotLoop &f) { f.narrowB = true; }, 2, 1},
      {"with a bias", [](DotLoop &f) { f.hasBias = true; }, 2, 1},
      {"chained", [](DotLoop &f) { f.isChained = true; }, 4, 2},
      {"nested", [](DotLoop &f) { f.isNested = true; }, 2, 1},
      {"one behind another", [](DotLoop &f) { f.isTwice = true; }, 4, 2},
      {"with a load for two, which is whole", [](DotLoop &f) { f.sharesLoad = true; }, 0, 2},
  };
  for (const Form &form : forms)
    for (unsigned stages = 1; stages <= 4 && !HasFailure(); ++stages)
      for (bool specializes : {false, true}) {
        DotLoop loop;
        loop.byThreads = true;
        loop.warpsN = 2;
        loop.stages = stages;
        loop.specializes = specializes;
        form.set(loop);
        Scheduled after = scheduled(textOf(loop));
        EXPECT_EQ(after.moved, form.moved) << form.name << " " << stages << "\n" << after.text;
        EXPECT_EQ(after.dots, form.dots) << form.name << " " << stages << "\n" << after.text;
        expectSame(loop, after, 4, form.name);
      }
}

TEST(DotLoopLaws, BlocksThatRunSeveralPrograms) {
  struct Form {
    const char *name;
    void (*set)(DotLoop &);
    bool isSpecialized; ///< a producer may make all loads, in the loop round programs
  };
  const Form forms[] = {
      {"copied", [](DotLoop &) {}, true},
      {"copied by threads", [](DotLoop &f) { f.withoutTma = true; }, false},
      {"without a producer", [](DotLoop &f) { f.specializes = false; }, false},
      {"b through registers", [](DotLoop &f) { f.transposedB = false; }, false},
      {"masked", [](DotLoop &f) { f.maskedA = true; }, false},
      {"with a bias", [](DotLoop &f) { f.hasBias = true; }, false},
      {"nested", [](DotLoop &f) { f.isNested = true; }, true},
      {"with an operand from before", [](DotLoop &f) { f.invariantA = true; }, true},
      {"one behind another", [](DotLoop &f) { f.isTwice = true; }, true},
      {"programs along both axes", [](DotLoop &f) { f.programsY = 2; }, true},
      {"programs along y", [](DotLoop &f) { f.programsX = 1, f.programsY = 3; }, true},
  };
  for (const Form &form : forms)
    for (unsigned stages = 1; stages <= 4 && !HasFailure(); ++stages) {
      DotLoop loop;
      loop.byGroups = loop.transposedB = loop.specializes = true;
      loop.m = 64;
      loop.stages = stages;
      loop.programsX = 3;
      form.set(loop);
      const std::string before = textOf(loop);
      const Scheduled after = scheduledPersistent(before);
      EXPECT_EQ(after.producers, stages > 1 && form.isSpecialized ? 1u : 0u) << form.name << "\n"
                                                                             << after.text;
      for (unsigned trips : {0u, 1u, 2u, 5u})
        for (uint32_t blocks : {1u, 2u, 4u, 100u})
          EXPECT_EQ(outputOf(after.text, loop, trips, blocks), outputOf(before, loop, trips))
              << form.name << ", stages " << stages << ", trips " << trips << ", blocks " << blocks << "\n"
              << after.text;
    }
}
