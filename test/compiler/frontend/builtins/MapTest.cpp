// tl.map_elementwise: a function of scalars becomes the region of an op, or is called where all it gets are
// scalars.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::string_view functions = R"(
@triton.jit
def halve(x):
    if x > 0:
        return x * 0.5
    return x
@triton.jit
def pair(a, b):
    return a, b
@triton.jit
def types(a, b):
    return a, 1
@triton.jit
def block(a):
    return a + tl.arange(0, 2)
@triton.jit
def reads(a):
    return tl.load(P + a)
@triton.jit
def prints(a):
    tl.device_print("a", a)
    return a
@triton.jit
def k(x, q):
    i = tl.arange(0, 64)
    v = tl.load(x + i)
)";

const NamedArguments parameters = {{"x", "*fp32"}, {"q", "*i32"}};

std::string errors(const std::string &line) {
  std::string all = fileErrors(std::string(functions) + "    " + line + "\n", parameters, "k");
  return all.substr(0, all.find('\n'));
}

} // namespace

TEST(Map, TheFunctionBecomesARegionWithItsBranches) {
  Evaluated made = evaluate(std::string(functions) + "    tl.store(x + i, tl.map_elementwise(halve, v))\n",
                            parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(
      holds(made.ir, {"tile.map %", "pack 1 : tensor<64xf32> -> tensor<64xf32>", "scf.if", "tile.yield"}));
}

TEST(Map, WhatTheFunctionPrintsIsPrintedForEachElement) {
  Evaluated made = evaluate(std::string(functions) + "    tl.store(x + i, tl.map_elementwise(prints, v))\n",
                            parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {"tile.map %", "tile.print", "tile.yield"}));
}

TEST(Map, OfScalarsItIsACall) {
  Evaluated made =
      evaluate(std::string(functions) + "    tl.store(x, tl.map_elementwise(halve, tl.load(x)))\n",
               parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_EQ(made.ir.find("tile.map"), std::string::npos);
}

TEST(Map, OfScalarsItGivesWhatTheFunctionReturns) {
  Evaluated made =
      evaluate(std::string(functions) + "    both = tl.map_elementwise(pair, tl.load(x), tl.load(q))\n"
                                        "    tl.static_assert(len(both) == 2)\n"
                                        "    tl.store(x, both[0])\n    tl.store(q, both[1])\n",
               parameters, false, "k");
  EXPECT_EQ(made.errors, "");
  EXPECT_TRUE(holds(made.ir, {" = tile.load %arg0 : !tile.ptr<f32>", " = tile.load %arg1 : !tile.ptr<i32>",
                              "tile.store %arg0, ", "tile.store %arg1, "}));
}

TEST(Map, MistakesAreTold) {
  EXPECT_EQ(errors("tl.map_elementwise(halve)"),
            "27:5-30: `tl.map_elementwise`: expected one or more tensors to map");
  EXPECT_EQ(errors("tl.map_elementwise(3, v)"),
            "27:24-25: `tl.map_elementwise`: expected a `@triton.jit` function of scalars, found int");
  EXPECT_EQ(errors("tl.map_elementwise(halve, 'a')"),
            "27:31-34: `tl.map_elementwise`: expected tensors to map, found str");
  EXPECT_EQ(errors("tl.map_elementwise(halve, v, pack=0)"),
            "27:34-40: `tl.map_elementwise`: expected 1 to 64 elements a pack, found 0");
  EXPECT_EQ(errors("tl.map_elementwise(types, v, pack=2)"),
            "27:24-29: `tl.map_elementwise`: expected `types` to return elements of one type for each "
            "result, found fp32 "
            "and int32");
  EXPECT_EQ(errors("tl.map_elementwise(halve, v, v)"),
            "27:24-29: `halve`: expected at most 1 argument, found 2");
  EXPECT_EQ(errors("tl.map_elementwise(block, v)"),
            "27:24-29: `tl.map_elementwise`: expected `block` to return scalars, found fp32[2]");
  EXPECT_EQ(errors("tl.map_elementwise(pair, v, tl.arange(0, 32))"),
            "27:33-49: the tensors to map: expected shapes that broadcast, found [64] and [32]");
}
