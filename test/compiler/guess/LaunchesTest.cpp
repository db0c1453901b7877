// Launches in a file, and what they show of the arguments of a kernel.
#include "compiler/guess/Guess.h"

#include "compiler/spec/ValueText.h"

#include <gtest/gtest.h>

namespace tegula::guess {
namespace {

std::map<std::string, Passed> passedIn(const std::string &text) {
  static Compiler compiler;
  const std::shared_ptr<const ParsedSource> source =
      compiler.parse("kernel.py", "import triton\n@triton.jit\ndef kernel(x, n, BLOCK):\n    pass\n" + text);
  return passedTo(*source, listKernels(*source).front());
}

std::string literal(const std::map<std::string, Passed> &passed, const std::string &name) {
  const auto found = passed.find(name);
  return found == passed.end() || !found->second.literal ? "nothing" : valueText(*found->second.literal);
}

TEST(Launches, LiteralsByPositionAndByName) {
  const auto passed = passedIn("kernel[(1,)](data, -5, BLOCK=64, num_warps=8)\n");
  EXPECT_EQ(literal(passed, "x"), "nothing");
  EXPECT_EQ(literal(passed, "n"), "-5");
  EXPECT_EQ(literal(passed, "BLOCK"), "64");
  EXPECT_EQ(literal(passed, "num_warps"), "8");
  EXPECT_EQ(passed.at("n").line, 5u);
}

TEST(Launches, ThroughVariablesOfTheFunctionAndTheFile) {
  const auto passed = passedIn("SIZE = 128\ndef launch():\n    n = 7\n    kernel[grid](x, n, SIZE)\n");
  EXPECT_EQ(literal(passed, "n"), "7");
  EXPECT_EQ(literal(passed, "BLOCK"), "128");
}

TEST(Launches, ElementsOfArraysThatAreMadeThere) {
  const auto passed = passedIn("x = torch.empty(9, dtype=torch.bfloat16)\nkernel[g](x, 9)\n");
  EXPECT_EQ(passed.at("x").element, ScalarKind::BFloat16);
}

TEST(Launches, NothingBehindAStar) {
  const auto passed = passedIn("kernel[g](*all, 3)\nother[g](1, 2, 3)\n");
  EXPECT_TRUE(passed.empty());
}

TEST(Launches, TheFirstThatShowsOne) {
  const auto passed = passedIn("kernel[g](x, m)\nkernel[g](x, 4)\nkernel[g](x, 5)\n");
  EXPECT_EQ(literal(passed, "n"), "4");
}

TEST(Launches, OfAKernelInAFunctionOnlyThoseThere) {
  static Compiler compiler;
  const auto source =
      compiler.parse("kernel.py", "import triton\ndef one():\n    @triton.jit\n    def kernel(n):\n        "
                                  "pass\n    kernel[g](1)\ndef two():\n    @triton.jit\n    def "
                                  "kernel(n):\n        pass\n    kernel[g](2)\n");
  const std::vector<KernelInfo> kernels = listKernels(*source);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(literal(passedTo(*source, kernels[0]), "n"), "1");
  EXPECT_EQ(literal(passedTo(*source, kernels[1]), "n"), "2");
}

} // namespace
} // namespace tegula::guess
