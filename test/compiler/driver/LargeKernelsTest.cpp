// The largest kernels that people write: a long chain of operations, a tile of as many elements as there may
// be, a loop unrolled a thousand times. Each compiles to as many instructions as it has elements and
// operations, and no more.
#include "compiler/driver/Compiler.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tegula;

namespace {

constexpr const char *imports = "import triton\nimport triton.language as tl\n\n";

/// Instructions of `kernel`, a body over `x` and `i`, for 4 or as many `warps`, in a file that begins with
/// `above`.
size_t instructionsOf(const std::string &body, uint32_t warps = 4, const std::string &above = imports) {
  const std::string text = above + "@triton.jit\ndef kernel(x):\n" + body;
  KernelSpec spec;
  spec.kernel = "kernel";
  spec.numWarps = warps;
  spec.args["x"] = std::get<ArgSpec>(parseArgType("*fp32:16"));
  Compiler compiler;
  CompileResult result = compiler.compile(*compiler.parse("large.py", text), spec);
  EXPECT_TRUE(result.image) << render(result.diagnostics);
  return result.image ? size_t(std::count(result.image->ptx.begin(), result.image->ptx.end(), ';')) : 0;
}

constexpr size_t around = 100; ///< instructions besides those that are repeated

} // namespace

TEST(LargeKernels, AChainOfFiveHundredOperationsHasOneInstructionForEach) {
  std::string body = "    i = tl.arange(0, 128)\n    v = tl.load(x + i)\n";
  for (int i = 0; i < 500; ++i)
    body += i % 2 ? "    v = v * 1.5\n" : "    v = v + 0.25\n";
  EXPECT_LE(instructionsOf(body + "    tl.store(x + i, v)\n"), 500 + around);
}

TEST(LargeKernels, ATileOfAMillionElementsHasAFewInstructionsForEachOfAThread) {
  const size_t ofThread = (size_t(1) << 20) / 1024;
  // An addition each, a load and a store for each four, and the registers that these take.
  EXPECT_LE(instructionsOf("    i = tl.arange(0, 1048576)\n    tl.store(x + i, tl.load(x + i) + 1.0)\n", 32),
            3 * ofThread + around);
}

TEST(LargeKernels, AThousandUnrolledIterationsHaveAsManyInstructions) {
  EXPECT_LE(instructionsOf("    i = tl.arange(0, 128)\n    v = tl.load(x + i)\n"
                           "    for k in tl.static_range(1000):\n        v = v * 0.5 + k\n"
                           "    tl.store(x + i, v)\n"),
            1000 + around);
}

TEST(LargeKernels, AScanOfALongFunctionHasFewCopiesOfIt) {
  // The sum of two exponentials as a logarithm, sixteen elements a thread on eight warps: 48 copies where
  // each is written out.
  const std::string above =
      std::string(imports) +
      "from triton.language.extra import libdevice\n\n"
      "@triton.jit\ndef combine(a, b):\n"
      "    low = tl.where((a < b) | (a != a), a, b)\n    high = tl.where((a > b) | (a != a), a, b)\n"
      "    differ = (low != high) | (libdevice.isinf(low) == 0)\n"
      "    return tl.where(differ, libdevice.log1p(libdevice.exp(low - high)) + high, a)\n\n";
  const std::string scan = "    i = tl.arange(0, 4096)\n"
                           "    tl.store(x + i, tl.associative_scan(tl.load(x + i), 0, combine))\n";
  EXPECT_LE(instructionsOf(scan, 8, above), 3500u); // 6,000 with all copies
}
