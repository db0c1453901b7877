// Tests what is concluded about a kernel from the effects of its ops.
#include "compiler/analysis/effects/KernelEffects.h"
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace mlir;
using namespace tegula;

namespace {

/// The effects of a kernel with this body, of which `load`, `store` and so on are those with that `name`.
struct Effects {
  explicit Effects(std::string body) : kernel(std::move(body)) {
    auto function = *kernel.module->getOps<func::FuncOp>().begin();
    found.emplace(function);
    function.walk([&](Operation *op) {
      if (auto name = op->getAttrOfType<StringAttr>("name"))
        named[name.getValue()] = op;
    });
    x = function.getArgument(0), h = function.getArgument(1);
  }
  const KernelEffects *operator->() const { return &*found; }

  tegula::testing::AnalysedKernel kernel;
  std::optional<KernelEffects> found;
  llvm::StringMap<Operation *> named;
  Value x, h;
};

/// A load behind what a test is about.
const std::string last = "\n%last = tile.load %h {name = \"last\"} : !tile.ptr<bf16>\n";

/// The reason of a refusal; empty for a yes.
std::string textOf(const Decision<> &decision) { return decision ? "" : decision.error().text; }

TEST(KernelEffects, WritesReachTheParameterThatTheyGoThrough) {
  Effects effects(R"(%v = tile.load %h : !tile.ptr<bf16>
    %f = arith.constant 1.0 : f32
    tile.store %x, %f {name = "store"} : !tile.ptr<f32>)" +
                  last);
  EXPECT_TRUE(effects->isWrittenBefore(effects.named["last"], effects.x));
  EXPECT_FALSE(effects->isWrittenBefore(effects.named["last"], effects.h));
  EXPECT_FALSE(effects->isAccessedExceptBy(effects.named["store"], effects.x));
  EXPECT_TRUE(effects->isAccessedExceptBy(effects.named["store"], effects.h));
}

TEST(KernelEffects, AWriteThroughALoadedPointerMayBeAnywhere) {
  const std::string store = R"(%p = tile.int_to_ptr %wide : i64 -> !tile.ptr<i32>
    tile.store %p, %n : !tile.ptr<i32>)";
  Effects effects(store + last);
  EXPECT_TRUE(effects->isWrittenBefore(effects.named["last"], effects.x));
  EXPECT_TRUE(effects->isWrittenBefore(effects.named["last"], effects.h));
}

TEST(KernelEffects, WhatIsWrittenOrWaitedForBehindALoadIsNoConcernOfIt) {
  Effects effects(last + R"(%f = arith.constant 1.0 : f32
    tile.store %x, %f : !tile.ptr<f32>
    %i = tile.bitcast %x : !tile.ptr<f32> -> !tile.ptr<i32>
    %o = tile.atomic_rmw add, acquire, gpu, %i, %n : !tile.ptr<i32>)");
  EXPECT_FALSE(effects->isWrittenBefore(effects.named["last"], effects.x));
  EXPECT_EQ(textOf(effects->mayReadByUnit(effects.named["last"])), "");
  // In a loop one iteration's load follows the store of the one before.
  Effects loop(R"(%f = arith.constant 1.0 : f32
    scf.for %k = %n to %m step %n : i32 {)" +
               last + R"(tile.store %x, %f : !tile.ptr<f32>
    })");
  EXPECT_TRUE(loop->isWrittenBefore(loop.named["last"], loop.x));
}

TEST(KernelEffects, AtomicsWriteAndPtxByHandMay) {
  Effects atomic(R"(%f = arith.constant 1.0 : f32
    %o = tile.atomic_rmw fadd, relaxed, gpu, %x, %f : !tile.ptr<f32>)" +
                 last);
  EXPECT_TRUE(atomic->isWrittenBefore(atomic.named["last"], atomic.x));
  const std::string assembly = R"(%o = tile.inline_asm "mov.b32 $0, $1;", "=r,r" )";
  Effects pure(assembly + "pure pack = 1 (%n) : (i32) -> i32" + last);
  EXPECT_FALSE(pure->isWrittenBefore(pure.named["last"], pure.x));
  Effects impure(assembly + "pack = 1 (%n) : (i32) -> i32" + last);
  EXPECT_TRUE(impure->isWrittenBefore(impure.named["last"], impure.x));
}

TEST(KernelEffects, OnlyWhatOthersCouldObserveKeepsAStoreFromBeingLate) {
  const std::string store = R"(%f = arith.constant 1.0 : f32
    tile.store %x, %f {name = "store"} : !tile.ptr<f32>
    )";
  auto refusal = [&](const std::string &before, const std::string &after) {
    Effects effects(before + "\n" + store + after);
    return textOf(effects->mayStoreLater(effects.named["store"]));
  };
  const std::string volatileLoad = "%v = tile.load %x volatile : !tile.ptr<f32>";
  EXPECT_EQ(refusal("", "%v = tile.load %x : !tile.ptr<f32>"), "");
  EXPECT_EQ(refusal("", volatileLoad), "the kernel may wait for other programs");
  EXPECT_EQ(refusal("", "tile.barrier"),
            "the kernel has a barrier, behind which others may read what is written");
  // What comes before the store tells no program of it; a launch that is let go may wait for all of this one.
  EXPECT_EQ(refusal(volatileLoad + "\ntile.barrier", ""), "");
  EXPECT_EQ(refusal("tile.grid_dependency launch_dependents", ""),
            "other launches may wait for what the kernel writes");
}

TEST(KernelEffects, OnlyOneSideOfABranchIsReached) {
  const std::string sides = R"(%c = arith.cmpi slt, %n, %m : i32
    %f = arith.constant 1.0 : f32
    scf.if %c {
      tile.store %x, %f {name = "store"} : !tile.ptr<f32>
    } else {
      tile.store %x, %f : !tile.ptr<f32>
    }
    )";
  Effects once(sides);
  EXPECT_FALSE(once->isAccessedExceptBy(once.named["store"], once.x));
  // In a loop one iteration may take one side, and the next the other.
  Effects again("scf.for %k = %n to %m step %n : i32 {\n" + sides + "}\n");
  EXPECT_TRUE(again->isAccessedExceptBy(again.named["store"], again.x));
  Effects behind(sides + "%v = tile.load %x : !tile.ptr<f32>");
  EXPECT_TRUE(behind->isAccessedExceptBy(behind.named["store"], behind.x));
}

TEST(KernelEffects, ARefusalNamesTheOpThatItIsAbout) {
  Effects effects(R"(%f = arith.constant 1.0 : f32
    tile.store %x, %f {name = "store"} : !tile.ptr<f32>
    tile.barrier {name = "barrier"})");
  const Decision<> decision = effects->mayStoreLater(effects.named["store"]);
  ASSERT_FALSE(decision);
  EXPECT_EQ(decision.error().place, LocationAttr(effects.named["barrier"]->getLoc()));
}

TEST(KernelEffects, WhatProgramsShareMakesThemDependent) {
  EXPECT_EQ(textOf(Effects("%v = tile.load %x volatile : !tile.ptr<f32>")->areProgramsIndependent()), "");
  EXPECT_EQ(textOf(Effects("%s = tile.read_special smid : i32")->areProgramsIndependent()),
            "it asks for things of the device itself");
  EXPECT_EQ(textOf(Effects(R"(tile.print " n: " [true] values(%n : i32))")->areProgramsIndependent()),
            "what programs print would come in another order");
  EXPECT_EQ(textOf(Effects(R"(%t = arith.constant true
    tile.assert %t, "holds" : i1)")
                       ->areProgramsIndependent()),
            "");
}

TEST(KernelEffects, AnAcquireInFrontOfALoadMayHaveWaitedForItsData) {
  const std::string load = "%v = tile.load %h {name = \"load\"} : !tile.ptr<bf16>\n";
  const std::string acquire = R"(%i = tile.bitcast %x : !tile.ptr<f32> -> !tile.ptr<i32>
    %o = tile.atomic_rmw add, acquire, gpu, %i, %n {name = "wait"} : !tile.ptr<i32>
    )";
  Effects scalar(acquire + load);
  EXPECT_EQ(textOf(scalar->mayReadByUnit(scalar.named["load"])), "") << "behind a fence";
  EXPECT_EQ(scalar->waitBefore(scalar.named["load"]), scalar.named["wait"]);
  // A barrier behind the load orders nothing for it.
  Effects behind(load + "tile.barrier");
  EXPECT_EQ(textOf(behind->mayReadByUnit(behind.named["load"])), "");
  Effects later(load + acquire);
  EXPECT_EQ(later->waitBefore(later.named["load"]), nullptr);
  Effects front("tile.barrier\n" + load);
  EXPECT_EQ(textOf(front->mayReadByUnit(front.named["load"])),
            "a barrier precedes it, after which it may read what threads have written");
}

/// Each element of a tensor is acquired by its own thread: who looks at no old value has waited for none.
TEST(KernelEffects, AnAcquireOfATensorCountsWhereItsResultIsUsed) {
  const std::string acquire = R"(%is = tile.bitcast %x : !tile.ptr<f32> -> !tile.ptr<i32>
    %p = tile.splat %is : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
    %w = tile.splat %n : i32 -> tensor<64xi32>
    %o = tile.atomic_rmw add, acquire, gpu, %p, %w : tensor<64x!tile.ptr<i32>>
    )";
  const std::string load = "%v = tile.load %h {name = \"load\"} : !tile.ptr<bf16>\n";
  Effects unused(acquire + load);
  EXPECT_EQ(textOf(unused->mayReadByUnit(unused.named["load"])), "");
  Effects used(acquire + "tile.store %p, %o : tensor<64x!tile.ptr<i32>>\n" + load);
  EXPECT_EQ(textOf(used->mayReadByUnit(used.named["load"])),
            "the kernel waits for what other programs write");
}

TEST(KernelEffects, OnlyAWhileMayWaitForOtherPrograms) {
  const std::string read = R"(%v = tile.load %x : !tile.ptr<f32>
    )",
                    goRound = "scf.while : () -> () {\n" + read + R"(%c = arith.cmpf oeq, %v, %v : f32
      scf.condition(%c)
    } do {
      scf.yield
    }
    )",
                    end = R"(} {name = "loop"}
    )";
  auto refusal = [&](const std::string &before, const std::string &body, const std::string &after,
                     bool waits) {
    Effects effects(before + "scf.for %i = %n to %m step %n : i32 {\n" + body + end + after);
    EXPECT_EQ(bool(effects->waitBefore(effects.named["loop"])), waits) << before << body;
    return textOf(effects->mayRunAhead(effects.named["loop"]));
  };
  EXPECT_EQ(refusal("", read, "", false), "");
  EXPECT_EQ(refusal(goRound, "", "", true), "") << "once they are told";
  EXPECT_EQ(refusal("", "", goRound, false), "");
  EXPECT_EQ(refusal("", goRound, "", false), "the program may wait for others within the loop");
}

} // namespace
