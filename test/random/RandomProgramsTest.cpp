// A fixed share of the random kernels; `random-programs` runs any number.
#include "test/random/Differential.h"

#include <gtest/gtest.h>

#include <set>

using namespace tegula;
using namespace tegula::random;

namespace {

constexpr uint64_t shareSize = 150;

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

// The generator uses what it promises, and equal seeds give equal kernels.
TEST(RandomKernels, UseTheWholeLanguageAndRepeat) {
  const std::vector<std::string> wanted{
      "for ",      "tl.range(",    "tl.static_range", "while ",     "if ",
      "elif ",     "else:",        "return",          "tl.where(",  "mask=",
      "other=",    "tl.trans(",    "tl.reshape(",     "[:, None]",  "tl.expand_dims(",
      "tl.sum(",   "tl.argmax(",   "tl.xor_sum(",     "tl.reduce(", "keep_dims=True",
      "helper_",   "atomic_add",   "atomic_xchg",     "tl.fma(",    ".to(tl.bfloat16)",
      "axis=None", "combine_pair", "num_stages=",     "tl.exp(",    "debug_barrier()"};
  std::string all;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const std::string text = sourceOf(randomKernel(seed, {}));
    EXPECT_EQ(text, sourceOf(randomKernel(seed, {})));
    all += text.substr(text.find("def kernel("));
  }
  for (const std::string &part : wanted)
    EXPECT_NE(all.find(part), std::string::npos) << part;
}

TEST(RandomKernels, LeaveOutWhatTheyMayNotUse) {
  const Features none{false, false, false, false, false};
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
