// The growth of compile time with a kernel. The times are of this thread on the processor, and only their
// ratios count: a kernel four times the size may take 9 times as long, where linear growth takes 4 and
// quadratic 16.
#include "compiler/driver/Compiler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <sstream>

using namespace tegula;

namespace {

constexpr double MaxRatio = 9;

struct Growing {
  const char *name; ///< the kernel in tools/bench/programs/growing.py, or `lines`
  std::vector<std::pair<const char *, const char *>> types;
  int64_t size;
};

void PrintTo(const Growing &growing, std::ostream *os) { *os << growing.name; }

std::string growingKernels() {
  std::ifstream file(TEGULA_GROWING_KERNELS);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A kernel with as many lines.
std::string linesKernel(int64_t count) {
  std::string text =
      "import triton\nimport triton.language as tl\n\n@triton.jit\ndef lines(x, STEPS: tl.constexpr):\n"
      "    i = tl.arange(0, 128)\n    v = tl.load(x + i)\n";
  for (int64_t i = 0; i < count; ++i)
    text += "    v = v * 3 + i\n";
  return text + "    tl.store(x + i, v)\n";
}

double secondsOfThread() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) + double(now.tv_nsec) * 1e-9;
}

/// The least of three compilations.
double secondsFor(Compiler &compiler, const Growing &growing, int64_t size) {
  std::string text = std::string_view(growing.name) == "lines" ? linesKernel(size) : growingKernels();
  KernelSpec spec;
  spec.kernel = growing.name;
  for (auto [name, type] : growing.types)
    spec.args[name] = std::get<ArgSpec>(parseArgType(type));
  spec.args["STEPS"] = BoundValue{size};
  double least = 1e9;
  for (int round = 0; round < 3; ++round) {
    double start = secondsOfThread();
    CompileResult result = compiler.compile(*compiler.parse("growing.py", text), spec);
    least = std::min(least, secondsOfThread() - start);
    EXPECT_TRUE(result.image) << render(result.diagnostics);
  }
  return least;
}

class CompileTime : public ::testing::TestWithParam<Growing> {};

} // namespace

TEST_P(CompileTime, GrowsWithTheKernelAndNoFaster) {
  const Growing &growing = GetParam();
  Compiler compiler;
  double small = secondsFor(compiler, growing, growing.size);
  double large = secondsFor(compiler, growing, 4 * growing.size);
  EXPECT_LE(large, MaxRatio * small) << small * 1e3 << " ms at " << growing.size << ", " << large * 1e3
                                     << " at " << 4 * growing.size;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CompileTime,
                         ::testing::Values(Growing{"lines", {{"x", "*i32:16"}}, 256},
                                           Growing{"chain", {{"x", "*i32:16"}, {"y", "*i32:16"}}, 256},
                                           Growing{"sums", {{"x", "*fp32:16"}, {"y", "*fp32:16"}}, 80},
                                           Growing{"turns", {{"x", "*fp32:16"}, {"y", "*fp32:16"}}, 40},
                                           Growing{"updates", {{"x", "*fp32:16"}}, 100},
                                           Growing{"powers", {{"x", "*fp32:16"}}, 20},
                                           Growing{"divisions", {{"x", "*i32:16"}}, 50},
                                           Growing{"product",
                                                   {{"a", "*fp16:16"},
                                                    {"b", "*fp16:16"},
                                                    {"c", "*fp32:16"},
                                                    {"K", "i32"},
                                                    {"stride_am", "i32"},
                                                    {"stride_ak", "i32"},
                                                    {"stride_bk", "i32"},
                                                    {"stride_bn", "i32"}},
                                                   32}),
                         [](const auto &info) { return std::string(info.param.name); });
