// Common slips: each message says what the author most likely meant.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

TEST(EvalAdvice, APointerIsNoArray) {
  EXPECT_EQ(bodyErrors("i = tl.arange(0, 4)\ny = x[i]\nz = x[i * 2 + 1]\n", {{"x", "*fp32"}}),
            "2:5-9: unsupported tensor index: a pointer has no elements, memory is read with `tl.load`\n  "
            "help: write `tl.load(x + i)`\n"
            "3:5-17: unsupported tensor index: a pointer has no elements, memory is read with `tl.load`\n"
            "  help: write `tl.load(x + i * 2 + 1)`\n");
  EXPECT_EQ(
      bodyErrors("x[0] = 1.0\n", {{"x", "*fp32"}}),
      "1:1-5: elements cannot be assigned\n  help: memory is written with `tl.store(x + offset, value)`\n");
  EXPECT_TRUE(holds(bodyErrors("y = tl.arange(0, 4)\ny[0] = 1\n"), {"make a new tensor with `tl.where`"}));
}

TEST(EvalAdvice, FunctionsOfTheHostHaveTheirNameInTheLanguage) {
  auto errors = [](const char *call, const char *import) {
    return fileErrors(std::string(import) +
                          "\n@triton.jit\ndef k(x):\n    y = tl.load(x + tl.arange(0, 4))\n    z = " + call +
                          "\n",
                      {{"x", "*fp32"}}, "k");
  };
  EXPECT_EQ(errors("math.exp(y)", "import math"),
            "5:18-19: `math.exp`: expected a number known at compile time, found fp32[4]\n"
            "  help: for run-time values it is `tl.exp`\n");
  EXPECT_EQ(errors("math.sigmoid(y)", "import math"),
            "5:14-21: module `math` has no attribute `sigmoid`\n  help: in a kernel it is `tl.sigmoid`\n");
  EXPECT_EQ(errors("torch.exp(y)", "import torch"),
            "5:15-18: `torch` cannot be used in what a kernel reads\n  1:1-13: it is imported here\n"
            "  help: in a kernel it is `tl.exp`\n");
  EXPECT_TRUE(holds(errors("torch.relu(y)", "import torch"), {"in a kernel it is `tl.maximum(x, 0.0)`"}));
  EXPECT_TRUE(
      holds(errors("np.tanh(y)", "import numpy as np"),
            {"in a kernel it is `libdevice.tanh`, behind `from triton.language.extra import libdevice`"}));
  EXPECT_TRUE(holds(errors("y.to(torch.float16)", "import torch"), {"in a kernel it is `tl.float16`"}));
  EXPECT_TRUE(holds(errors("torch.fft(y)", "import torch"),
                    {"only `triton`, `triton.language` and `math` are known"}));
}

TEST(EvalAdvice, MethodsOfTorchsTensors) {
  auto errors = [](const char *expr) {
    return bodyErrors("y = tl.load(x + tl.arange(0, 4))\nz = " + std::string(expr) + "\n", {{"x", "*fp32"}});
  };
  EXPECT_EQ(
      errors("y.expand(4, 4)"),
      "2:7-13: fp32[4] has no attribute `expand`\n  help: in a kernel it is `tl.broadcast_to(x, shape)`\n");
  EXPECT_TRUE(holds(errors("y.float()"), {"in a kernel it is `x.to(tl.float32)`"}));
  EXPECT_TRUE(holds(errors("y.size(0)"), {"in a kernel it is `x.shape`"}));
  EXPECT_TRUE(holds(errors("y.exp_()"), {"in a kernel it is `tl.exp`"}));
  EXPECT_TRUE(holds(errors("y.tanh()"), {"in a kernel it is `libdevice.tanh`"}));
}

TEST(EvalAdvice, TypesAndFunctionsWithoutTheirModule) {
  EXPECT_EQ(bodyErrors("y = tl.zeros((4,), dtype=float32)\n"),
            "1:26-33: name `float32` is not defined\n  help: did you mean `tl.float32`?\n");
  EXPECT_TRUE(holds(bodyErrors("y = arange(0, 4)\n"), {"did you mean `tl.arange`?"}));
  EXPECT_TRUE(holds(bodyErrors("y = cdiv(5, 4)\n"), {"did you mean `tl.cdiv`?"}));
}

TEST(EvalAdvice, MathOfRunTimeValuesNeedsNoImport) {
  auto errors = [](const std::string &expr) {
    return bodyErrors("y = " + expr + "\n", {{"n", "fp32"}, {"x", "*fp32"}});
  };
  EXPECT_EQ(errors("math.exp(n)"),
            "1:5-9: name `math` is not defined\n  help: for run-time values it is `tl.exp`\n");
  EXPECT_EQ(errors("math.exp(n) + math.erfc(tl.load(x))"),
            "1:5-9: name `math` is not defined\n  help: for run-time values it is `tl.exp`\n"
            "1:19-23: name `math` is not defined\n"
            "  help: for run-time values it is `libdevice.erfc`, behind "
            "`from triton.language.extra import libdevice`\n");
  // Functions that the language has no word for, constants, and no call at all.
  for (const char *expr : {"math.factorial(n)", "math.exp(1.0)", "math.pi"})
    EXPECT_EQ(errors(expr), "1:5-9: name `math` is not defined\n"
                            "  help: write `import math` at the top of the file\n");
  EXPECT_EQ(errors("math.exp(m)"), "1:14-15: name `m` is not defined\n")
      << "what it should be depends on the argument";
  // A parameter and a variable of the name are neither.
  EXPECT_EQ(bodyErrors("math = tl\ny = math.exp(n)\n", {{"n", "fp32"}}), "");
}

TEST(EvalAdvice, AMissingImport) {
  auto errors = [](const char *expr) {
    return bodyErrors("y = " + std::string(expr) + "\n", {{"n", "fp32"}});
  };
  EXPECT_EQ(errors("libdevice.tanh(n)"),
            "1:5-14: name `libdevice` is not defined\n"
            "  help: write `from triton.language.extra import libdevice` at the top of the file\n");
  EXPECT_TRUE(holds(errors("math.exp(1.0)"), {"write `import math` at the top of the file"}));
  EXPECT_TRUE(holds(fileErrors("from helpers import *\n@triton.jit\ndef k():\n    y = gelu(1.0)\n", {}, "k"),
                    {"name `gelu` is not defined", "1:1-22: what this imports is not known"}));
}

TEST(EvalAdvice, AVariableThatHidesTheModule) {
  EXPECT_EQ(
      fileErrors("@triton.jit\ndef k(x, tl):\n    y = tl.load(x)\n", {{"x", "*fp32"}, {"tl", "i32"}}, "k"),
      "3:9-11: `tl` is int32 here, not the module `triton.language`\n  2:10-12: `tl` gets this value here\n"
      "  help: give the variable another name\n");
  EXPECT_TRUE(holds(bodyErrors("tl = 4\ny = tl.arange(0, 4)\n"),
                    {"`tl` is int32 here", "1:1-3: `tl` gets this value"}));
}

TEST(EvalAdvice, AQuotientIsNoOffset) {
  EXPECT_EQ(
      bodyErrors("y = tl.load(x + n / 2)\n", {{"x", "*fp32"}, {"n", "i32"}}),
      "1:13-22: `+`: invalid operands of type pointer<fp32> and fp32, expected a pointer and an integer\n"
      "  help: offsets are integers: divide with `//`, or convert with `.to(tl.int32)`\n");
}

TEST(EvalAdvice, AHelperWithoutItsDecorator) {
  EXPECT_TRUE(holds(
      fileErrors("def f(a):\n    return a\n@triton.jit\ndef k(n):\n    y = f(n)\n", {{"n", "i32"}}, "k"),
      {"5:9-13: expected a `@triton.jit` function", "1:5-6: `f` is defined here",
       "help: decorate it with `@triton.jit`"}));
}

TEST(EvalAdvice, AnUndefinedNameIsReportedOnce) {
  EXPECT_EQ(bodyErrors("y = blok + 1\nz = blok * 2\ntl.static_print(blok)\n"),
            "1:5-9: name `blok` is not defined\n");
}
