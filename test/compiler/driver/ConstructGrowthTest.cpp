// Constructs of the language in numbers: how many instructions a kernel has with so many copies of one. What
// four copies take twelve may take three times, with a little for what they share; nothing may grow faster.
#include "compiler/driver/Compiler.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

struct Construct {
  const char *name;
  const char *statement; ///< `#` is the number of the copy
};

void PrintTo(const Construct &construct, std::ostream *os) { *os << construct.name; }

constexpr const char *above = R"(
import triton
import triton.language as tl
from triton.language.extra import libdevice

@triton.jit
def affine(a, b, c, d):
    return a * c, b * c + d

@triton.jit
def mapped(a):
    if a > 0:
        return a * 2
    return a - 1

@triton.jit
def k(p, q, n):
    i = tl.arange(0, 256)
    x = tl.load(p + i)
    m = tl.load(q + i)
    s = tl.load(p + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :])
)";

size_t instructionsWith(const Construct &construct, int copies) {
  std::string text = above;
  for (int copy = 1; copy <= copies; ++copy) {
    text += "    ";
    for (const char *at = construct.statement; *at; ++at)
      text += *at == '#' ? std::to_string(copy) : std::string(1, *at);
    text += "\n";
  }
  text += "    tl.store(p + i, x)\n    tl.store(q + i, m)\n"
          "    tl.store(p + tl.arange(0, 32)[:, None] * 32 + tl.arange(0, 32)[None, :], s)\n";
  KernelSpec spec;
  spec.kernel = "k";
  for (auto [name, type] : {std::pair("p", "*fp32:16"), std::pair("q", "*i32:16"), std::pair("n", "i32")})
    spec.args[name] = std::get<ArgSpec>(parseArgType(type));
  Compiler compiler;
  CompileResult result = compiler.compile(*compiler.parse("constructs.py", text), spec);
  EXPECT_TRUE(result.image) << render(result.diagnostics);
  if (!result.image)
    return 0;
  size_t count = 0;
  for (size_t at = result.image->ptx.find(";\n"); at != std::string::npos;
       at = result.image->ptx.find(";\n", at + 1))
    ++count;
  return count;
}

class ConstructGrowth : public ::testing::TestWithParam<Construct> {};

} // namespace

TEST_P(ConstructGrowth, IsThatOfTheCopies) {
  constexpr int few = 4, many = 12;
  const size_t none = instructionsWith({"", "pass"}, 1), small = instructionsWith(GetParam(), few),
               large = instructionsWith(GetParam(), many);
  ASSERT_GT(small, none);
  // A quarter, and an instruction or two a copy: what a few copies keep in registers many compute again.
  EXPECT_LE(large - none, (small - none) * many / few * 5 / 4 + 2 * many)
      << none << ", " << small << ", " << large;
}

INSTANTIATE_TEST_SUITE_P(
    Language, ConstructGrowth,
    ::testing::Values(
        Construct{"elementwise", "x = x * 1.5 + #.0"}, Construct{"division", "m = m // (m & 7 | 1)"},
        Construct{"exponential", "x = tl.exp(x)"}, Construct{"power", "x = libdevice.pow(x, x)"},
        Construct{"packedFloats", "x = x.to(tl.float8e4b15).to(tl.float32) + #.0"},
        Construct{"sum", "x = x + tl.sum(x)"}, Construct{"argmax", "m = m + tl.argmax(x + #, 0)"},
        Construct{"scan", "x, y = tl.associative_scan((x, x), 0, affine)"},
        Construct{"sort", "x = tl.sort(x) + #.0"}, Construct{"topk", "x = x + tl.sum(tl.topk(x, 16))"},
        Construct{"gather", "x = tl.gather(x, m & 63, 0) + #.0"},
        Construct{"histogram", "m = m + tl.sum(tl.histogram(m & 63, 64))"},
        Construct{"join", "a, b = tl.split(tl.join(x, x + #.0)); x = a * b"},
        Construct{"trans", "s = tl.trans(s) + #.0"}, Construct{"broadcast", "s = s + tl.sum(s, 1)[:, None]"},
        Construct{"dot", "s = tl.dot(s, s) + #.0"},
        Construct{"dotOfParts", "s = tl.dot(s, s, input_precision='bf16x3')"},
        Construct{"dotScaled",
                  "s = tl.dot_scaled(s.to(tl.float8e5), None, 'e5m2', s.to(tl.float8e5), None, 'e5m2')"},
        Construct{"load", "x = x + tl.load(p + i + # * 256)"},
        Construct{
            "blockPointer",
            "x = x + tl.load(tl.make_block_ptr(p, (n,), (1,), (#,), (256,), (0,)), boundary_check=(0,))"},
        Construct{"descriptor",
                  "s = s + tl.make_tensor_descriptor(p, (n, 64), (64, 1), (32, 32)).load([#, n])"},
        Construct{"atomic", "x = x + tl.atomic_add(p + i + #, x)"},
        Construct{"random", "x = x + tl.rand(#, m)"}, Construct{"map", "x = tl.map_elementwise(mapped, x)"},
        Construct{"poll", "m += tl.atomic_poll(q, #).to(tl.int32)"},
        Construct{"branch", "x = x + 1.0 if n > # else x"}, Construct{"print", "tl.device_print('x', x)"}),
    [](const auto &info) { return std::string(info.param.name); });
