// A fixed share of the random kernels; `random-programs` runs any number.
#include "test/random/Differential.h"
#include "test/random/Numbers.h"
#include "test/random/Paths.h"
#include "test/random/StageRun.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace tegula;
using namespace tegula::random;

namespace {

#ifdef TEGULA_SANITIZED
// Each takes several times as long, and it is memory that is looked at.
constexpr uint64_t shareSize = 60, shareOfDots = 20, shareOfNormalDots = 20, shareOfTiles = 40;
#else
constexpr uint64_t shareSize = 150, shareOfDots = 60, shareOfNormalDots = 20, shareOfTiles = 40;
#endif

Compiler &compiler() {
  static Compiler compiler;
  return compiler;
}

/// Thirty kernels a test, so that several run at once.
class RandomPrograms : public testing::TestWithParam<uint64_t> {};

} // namespace

TEST_P(RandomPrograms, MeanTheSameCompiledAndInterpreted) {
  for (uint64_t seed = GetParam(); seed < GetParam() + 30; ++seed) {
    const RandomKernel kernel = randomKernel(seed, {});
    const std::optional<Difference> difference = compare(compiler(), kernel, {.schedules = 2});
    ASSERT_FALSE(difference) << describe(kernel, *difference);
  }
}

INSTANTIATE_TEST_SUITE_P(Share, RandomPrograms, testing::Range<uint64_t>(0, shareSize, 30));

TEST_P(RandomPrograms, MeanTheSameWithWhatFewUse) {
  Features features;
  features.kind = Kind::Rare;
  for (uint64_t seed = GetParam(); seed < GetParam() + 30; ++seed) {
    const RandomKernel kernel = randomKernel(seed, features);
    const std::optional<Difference> difference = compare(compiler(), kernel, {.schedules = 2});
    ASSERT_FALSE(difference) << describe(kernel, *difference);
  }
}

TEST_P(RandomPrograms, MeanTheSameWithIndicesOfArrays) {
  Features features;
  features.kind = Kind::Arrays;
  for (uint64_t seed = GetParam(); seed < GetParam() + 30; ++seed) {
    const RandomKernel kernel = randomKernel(seed, features);
    const std::optional<Difference> difference = compare(compiler(), kernel);
    ASSERT_FALSE(difference) << describe(kernel, *difference);
  }
}

TEST(RandomKernels, IndexArraysInEveryWayAndRepeat) {
  Features features;
  features.kind = Kind::Arrays;
  std::string all;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::string text = sourceOf(randomKernel(seed, features));
    EXPECT_EQ(text, sourceOf(randomKernel(seed, features)));
    all += text.substr(text.find("def kernel("));
  }
  for (const char *part : {"xindex % ks", "xindex // ks", "[:]", "yindex", "rindex", "for roffset", "(-1)*x0",
                           ">= 0) & (", "x0 // 2", "2*x1", "tmp", "tl.device_assert(", "tl.atomic_add(",
                           "tl.sum(", "tl.max(", "tl.full([", ", None"})
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

TEST(RandomKernels, UseWhatFewUse) {
  Features features;
  features.kind = Kind::Rare;
  std::string all;
  for (uint64_t seed = 0; seed < 200; ++seed)
    all += sourceOf(randomKernel(seed, features));
  for (const char *text :
       {"tl.randint(", "tl.randint4x(", "libdevice.popc(", "libdevice.byte_perm(", "return_indices=True",
        "RarePair(", "rare_fold(", "rare_apply(", "rare_swapped(", ".ravel()", "tl.bitonic_merge(",
        ".squeeze(", "tl.swizzle2d(", ".logical_and(", " and not ", " for k"})
    EXPECT_NE(all.find(text), std::string::npos) << text;
}

namespace {

/// Twenty kernels a test, which every stage has to leave as they are.
class RandomDots : public testing::TestWithParam<uint64_t> {};

void compareDots(Kind kind, uint64_t first) {
  Features features;
  features.kind = kind;
  for (uint64_t seed = first; seed < first + 20; ++seed) {
    const RandomKernel kernel = randomKernel(seed, features);
    const std::optional<Difference> difference =
        compare(compiler(), kernel, {.schedules = 2, .stages = kind == Kind::Dots});
    ASSERT_FALSE(difference) << describe(kernel, *difference);
  }
}

} // namespace

TEST_P(RandomDots, MeanTheSameInEveryStage) { compareDots(Kind::Dots, GetParam()); }
INSTANTIATE_TEST_SUITE_P(Share, RandomDots, testing::Range<uint64_t>(0, shareOfDots, 20));

/// Compares kernels of large tiles, and checks that together they take every path of the compiler.
TEST(RandomTiles, TakeEachWayAndMeanTheSame) {
  Features features;
  features.kind = Kind::Tiles;
  std::vector<Path> paths = allPaths();
  for (uint64_t seed = 0; seed < shareOfTiles; ++seed) {
    const RandomKernel kernel = randomKernel(seed, features);
    countPaths(textOfStage(compiler(), kernel, Stage::Ptx, {}), paths);
    const std::optional<Difference> difference =
        compare(compiler(), kernel, {.schedules = 2, .assembles = true});
    ASSERT_FALSE(difference) << describe(kernel, *difference);
  }
  for (const Path &path : paths)
    EXPECT_GT(path.kernels, 0u) << path.name;
}

class RandomNormalDots : public testing::TestWithParam<uint64_t> {};
TEST_P(RandomNormalDots, AgreeAsFarAsTheirTypesDo) { compareDots(Kind::NormalDots, GetParam()); }
INSTANTIATE_TEST_SUITE_P(Share, RandomNormalDots, testing::Range<uint64_t>(0, shareOfNormalDots, 20));

// The generator uses what it promises, and equal seeds give equal kernels.
TEST(RandomKernels, UseTheWholeLanguageAndRepeat) {
  const std::vector<std::string> wanted{"for ",
                                        "tl.range(",
                                        "tl.static_range",
                                        "while ",
                                        "if ",
                                        "elif ",
                                        "else:",
                                        "return",
                                        "tl.where(",
                                        "mask=",
                                        "other=",
                                        "tl.trans(",
                                        "tl.reshape(",
                                        "[:, None]",
                                        "tl.expand_dims(",
                                        "tl.sum(",
                                        "tl.argmax(",
                                        "tl.xor_sum(",
                                        "tl.reduce(",
                                        "keep_dims=True",
                                        "helper_",
                                        "atomic_add",
                                        "atomic_xchg",
                                        "atomic_cas",
                                        "sem='acquire'",
                                        "sem='release'",
                                        "sem='relaxed'",
                                        "sem='acq_rel'",
                                        "scope='sys'",
                                        "tl.fma(",
                                        ".to(tl.bfloat16)",
                                        "axis=None",
                                        "combine_pair",
                                        "num_stages=",
                                        "tl.exp(",
                                        "debug_barrier()",
                                        "tl.cumsum(",
                                        "tl.cumprod(",
                                        "combine_affine",
                                        "reverse=True",
                                        "tl.sort(",
                                        "tl.flip(",
                                        "tl.gather(",
                                        "tl.cat(",
                                        "tl.interleave(",
                                        "tl.join(",
                                        "tl.split(",
                                        "make_block_ptr(",
                                        "tl.advance(",
                                        "make_tensor_descriptor("};
  std::string all;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const std::string text = sourceOf(randomKernel(seed, {}));
    EXPECT_EQ(text, sourceOf(randomKernel(seed, {})));
    all += text.substr(text.find("def kernel("));
  }
  for (const std::string &part : wanted)
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

TEST(RandomKernels, UseDotsOfEveryKindAndRepeat) {
  const std::vector<std::string> wanted{"tl.dot(",
                                        ", acc=",
                                        "input_precision='tf32'",
                                        "input_precision='tf32x3'",
                                        "input_precision='ieee'",
                                        "allow_tf32=False",
                                        "out_dtype=tl.float16",
                                        "out_dtype=tl.int32",
                                        "max_num_imprecise_acc=",
                                        ".to(tl.float8e4nv)",
                                        ".to(tl.float8e5)",
                                        ".T",
                                        "tl.trans(",
                                        "tl.permute(",
                                        "[None, :, :]",
                                        "tl.cdiv(",
                                        "_rows\n",
                                        "num_stages=1)",
                                        "num_stages=5)",
                                        "other=0.0)",
                                        "tl.max("};
  std::set<uint32_t> warps, stages;
  for (Kind kind : {Kind::Dots, Kind::NormalDots}) {
    Features features;
    features.kind = kind;
    std::string all;
    for (uint64_t seed = 0; seed < 200; ++seed) {
      const RandomKernel kernel = randomKernel(seed, features);
      const std::string text = sourceOf(kernel);
      EXPECT_EQ(text, sourceOf(randomKernel(seed, features)));
      all += text.substr(text.find("def kernel("));
      warps.insert(kernel.numWarps);
      stages.insert(kernel.numStages);
    }
    for (const std::string &part : wanted)
      EXPECT_NE(all.find(part), std::string::npos) << part;
    EXPECT_EQ(all.find("tl.exp2((") != std::string::npos, kind == Kind::NormalDots);
  }
  EXPECT_EQ(warps, (std::set<uint32_t>{1, 2, 4, 8}));
  EXPECT_EQ(stages, (std::set<uint32_t>{1, 2, 3, 4, 5}));
}

// Most of what may become of a dot becomes of some.
TEST(RandomKernels, ReachCopiesAndMatrixUnits) {
  Features features;
  features.kind = Kind::Dots;
  std::string scheduled, ptx;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const RandomKernel kernel = randomKernel(seed, features);
    scheduled += textOfStage(compiler(), kernel, Stage::Scheduled);
    ptx += textOfStage(compiler(), kernel, Stage::Ptx);
  }
  for (const char *part :
       {"tgpu.async_copy", "tgpu.async_wait pending 1", "tgpu.local_load", "tgpu.local_store"})
    EXPECT_NE(scheduled.find(part), std::string::npos) << part;
  for (const char *part : {"mma.sync", "ldmatrix", "cp.async"})
    EXPECT_NE(ptx.find(part), std::string::npos) << part;
  // Older targets have no floats of eight bits.
  features.fp8 = false;
  for (uint64_t seed = 0; seed < 200; ++seed)
    EXPECT_EQ(sourceOf(randomKernel(seed, features)).find("float8"), std::string::npos) << seed;
  const RandomKernel kernel = randomKernel(0, features);
  EXPECT_NE(textOfStage(compiler(), kernel, Stage::Ptx, {.target = "sm_80"}).find(".target sm_80"),
            std::string::npos);
}

TEST(RandomKernels, LeaveOutWhatTheyMayNotUse) {
  const Features none{false, false, false, false, false, false};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = sourceOf(randomKernel(seed, none));
    const std::string body = text.substr(text.find("def kernel("));
    for (const char *part : {"for ", "while ", "if ", "tl.sum", "tl.max(", "tl.min(", "tl.reduce", "tl.arg",
                             "atomic", "barrier"})
      EXPECT_EQ(body.find(part), std::string::npos) << seed << ": " << part;
  }
}

// A comparison that never finds anything would pass all the above.
TEST(RandomKernels, AreComparedElementByElement) {
  RandomKernel kernel;
  Argument x, y;
  x.name = "x";
  x.type = {ScalarKind::Int32, 1, {16}};
  x.elements = {5, 6, 7, 8};
  y = x;
  y.name = "y";
  y.isOutput = true;
  kernel.arguments = {x, y};
  kernel.numWarps = 1;
  kernel.body = {{"i = tl.arange(0, 4)", {}, {}}, {"tl.store(y + i, tl.load(x + i))", {}, {}}};
  EXPECT_FALSE(compare(compiler(), kernel));
  // A device approximates this function, so that bits differ where no distance is allowed.
  kernel.arguments[1].type.scalar = ScalarKind::Float32;
  kernel.body = {{"i = tl.arange(0, 4)", {}, {}},
                 {"v = tl.load(x + i)", {}, "v = tl.arange(0, 4) + 5"},
                 {"tl.store(y + i, tl.exp(v.to(tl.float32) * 0.7))", {}, {}}};
  const std::optional<Difference> difference = compare(compiler(), kernel);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->kind, Difference::Result);
  EXPECT_EQ(difference->text.substr(0, 2), "y[");
  kernel.arguments[1].ulps = 4;
  EXPECT_FALSE(compare(compiler(), kernel));
  kernel.arguments[1].ulps = 0;
  const RandomKernel reduced =
      reduceKernel([](const RandomKernel &k) { return compare(compiler(), k); }, kernel, *difference);
  ASSERT_EQ(reduced.body.size(), 3u);
  EXPECT_EQ(reduced.body[1].text, "v = tl.arange(0, 4) + 5");
  EXPECT_EQ(reduced.arguments.size(), 1u);
}

// Outputs of floats may lie apart as far as their argument says.
TEST(RandomKernels, MayBeInexactWithinBounds) {
  RandomKernel kernel;
  Argument x, y;
  x.name = "x";
  x.type = {ScalarKind::Float32, 1, {16}};
  x.elements = {nearest(ScalarKind::Float32, 0.3), 0, 0, 0};
  y = x;
  y.name = "y";
  y.isOutput = true;
  kernel.arguments = {x, y};
  kernel.body = {{"i = tl.arange(0, 4)", {}, {}}, {"tl.store(y + i, tl.exp(tl.load(x + i)))", {}, {}}};
  ASSERT_TRUE(compare(compiler(), kernel));
  kernel.arguments[1].error = 1e-6;
  EXPECT_FALSE(compare(compiler(), kernel));
}

TEST(RandomKernels, HaveNumbersOfEveryFormat) {
  for (ScalarKind type : {ScalarKind::Float8E4M3, ScalarKind::Float8E5M2})
    for (uint64_t bits = 0; bits < 256; ++bits)
      if (const double value = real(type, bits); std::isfinite(value))
        EXPECT_EQ(nearest(type, value), bits);
  EXPECT_EQ(real(ScalarKind::Float8E4M3, 0x7e), 448);
  EXPECT_EQ(real(ScalarKind::Float8E4M3, 0x01), std::ldexp(1, -9));
  EXPECT_EQ(real(ScalarKind::Float8E5M2, 0x7b), 57344);
  EXPECT_EQ(nearest(ScalarKind::Float8E4M3, 1.0625), 0x38u); // ties to even
  EXPECT_EQ(nearest(ScalarKind::Float8E5M2, -1.375), 0xbeu);
  EXPECT_EQ(nearest(ScalarKind::BFloat16, 1.00390625), 0x3f80u);
}

// A stage that does not do what the kernel does has a fault or another result.
TEST(RandomKernels, RunAsTheTextOfAStage) {
  interp::Memory memory;
  const uint64_t base = memory.allocate(4)->base;
  const auto run = [&](const std::string &value) {
    return runStage(
        "func.func @f(%y: !tile.ptr<i32> {tile.param = #tile.param<\"y\", \"*i32\", 4>}) {\n" + value +
            "tile.store %y, %v : !tile.ptr<i32>\nreturn\n}",
        {1, 1, 1}, [&](const std::string &name) { return name == "y" ? base : 0; }, memory, 1000);
  };
  EXPECT_EQ(run("%v = arith.constant 7 : i32\n"), "");
  uint32_t found = 0;
  EXPECT_TRUE(memory.read(&found, base, sizeof found));
  EXPECT_EQ(found, 7u);
  EXPECT_EQ(run("").substr(0, 35), "the text of the stage does not pars");
  EXPECT_NE(run("%n = arith.constant 0 : i32\n%v = arith.divsi %n, %n : i32\n")
                .find("the value stored is undefined"),
            std::string::npos);
  EXPECT_EQ(run("%v, %o = arith.addui_extended %n, %n : i32, i1\n").substr(0, 35),
            "the text of the stage does not pars");
}

// What a process of its own finds is what this one finds.
TEST(RandomKernels, MayRunInAProcessOfTheirOwn) {
  RandomKernel kernel;
  kernel.body = {{"pass", {}, {}}};
  EXPECT_FALSE(compareIsolated(compiler(), kernel));
  kernel.body = {{"tl.static_assert(False)", {}, {}}};
  const std::optional<Difference> here = compare(compiler(), kernel),
                                  there = compareIsolated(compiler(), kernel);
  ASSERT_TRUE(here && there);
  EXPECT_EQ(here->kind, there->kind);
  EXPECT_EQ(here->text, there->text);
}

TEST(RandomKernels, ThatFailSayHow) {
  RandomKernel kernel;
  Argument x;
  x.name = "x";
  x.type = {ScalarKind::Int32, 1, {16}};
  x.elements = {5};
  kernel.arguments = {x};
  kernel.body = {{"tl.store(x + 1, 2)", {}, {}}};
  std::optional<Difference> difference = compare(compiler(), kernel);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->kind, Difference::Source);
  EXPECT_NE(difference->text.find("outside any array"), std::string::npos) << difference->text;
  EXPECT_NE(describe(kernel, *difference).find("tl.store(x + 1, 2)"), std::string::npos);
  kernel.body = {{"tl.store(x, zzz)", {}, {}}};
  difference = compare(compiler(), kernel);
  ASSERT_TRUE(difference);
  EXPECT_NE(difference->text.find("`zzz`"), std::string::npos) << difference->text;
}
