// The cost of a random number, in instructions of each element.
#include "compiler/driver/Compiler.h"

#include <gtest/gtest.h>

#include <map>

using namespace tegula;

namespace {

/// Counts each instruction in the PTX of `tl.rand` for so many numbers in a thread.
std::map<std::string, int> instructionsFor(int numbers, const std::string &call) {
  const std::string block = std::to_string(128 * numbers);
  const std::string text = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(out, seed):\n"
                           "    i = tl.program_id(0) * " +
                           block + " + tl.arange(0, " + block + ")\n    tl.store(out + i, tl." + call +
                           "(seed, i))\n";
  KernelSpec spec;
  spec.kernel = "k";
  spec.args["out"] = std::get<ArgSpec>(parseArgType("*i32:16"));
  spec.args["seed"] = std::get<ArgSpec>(parseArgType("i32"));
  Compiler compiler;
  CompileResult result = compiler.compile(*compiler.parse("random.py", text), spec);
  EXPECT_TRUE(result.image) << render(result.diagnostics);
  std::map<std::string, int> counts;
  if (!result.image)
    return counts;
  const std::string &ptx = result.image->ptx;
  for (size_t at = ptx.find("\n\t"); at != std::string::npos; at = ptx.find("\n\t", at + 1)) {
    const size_t end = ptx.find_first_of(" \t\n", at + 2);
    ++counts[ptx.substr(at + 2, end - at - 2)];
  }
  return counts;
}

} // namespace

// Of ten rounds with two products each, one has a factor 0, one is the launch's alone, and one has no part in
// the first word; of three more only the upper half has, of one only the lower. Key and first counters are
// the launch's, too.
TEST(RandomNumbers, TheFirstWordOfFourTakesSeventeenMultiplications) {
  std::map<std::string, int> few = instructionsFor(8, "randint"), many = instructionsFor(16, "randint");
  EXPECT_EQ(many["mul.wide.u32"] - few["mul.wide.u32"], 8 * 13);
  EXPECT_EQ(many["mul.hi.u32"] - few["mul.hi.u32"], 8 * 3);
  EXPECT_EQ(many["mul.lo.s32"] - few["mul.lo.s32"], 8);
  // Two operands of an exclusive or each; the assembler has such of three, of which seventeen remain.
  EXPECT_EQ(many["xor.b32"] + many["xor.b64"] - few["xor.b32"] - few["xor.b64"], 8 * 32);
}
