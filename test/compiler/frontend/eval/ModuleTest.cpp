// Modules: names under every import, and the module's own constants.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string messages(const std::string &source, const NamedArguments &arguments = {}) {
  std::string out;
  for (const Diagnostic &diagnostic : evaluate(source, arguments, false, "k").diagnostics)
    out += diagnostic.message + "\n";
  return out;
}

} // namespace

TEST(EvalModule, EveryImportAlias) {
  for (const char *text : {
           "import triton.language as T\n@triton.jit\ndef k(x):\n    T.static_print(T.exp(x), T.math.exp(x), "
           "T.float32)\n",
           "from triton.language import exp, static_print, math, float32\n@triton.jit\ndef k(x):\n    "
           "static_print(exp(x), math.exp(x), float32)\n",
           "from triton import language as L, jit\n@jit\ndef k(x):\n    L.static_print(L.exp(x), "
           "L.core.exp(x), L.core.float32)\n",
           "import triton as tt\n@tt.jit\ndef k(x):\n    tt.language.static_print(tt.language.math.exp(x), "
           "tt.language.standard.sigmoid(x), tt.language.float32)\n",
           "from triton.language.math import exp as e\nfrom triton.language.core import float32 as "
           "f\n@triton.jit\ndef k(x):\n    tl.static_print(e(x), x.exp(), f)\n",
           "from triton.language.extra import libdevice as ld\nimport triton.language.extra.cuda.libdevice "
           "as ld2\n@triton.jit\ndef k(x):\n    tl.static_print(ld.exp(x), ld2.tanh(x), tl.float32)\n",
           "from triton.language.extra.libdevice import tanh\n@triton.jit\ndef k(x):\n    "
           "tl.static_print(tanh(x), tl.extra.libdevice.tanh(x), tl.dtype('fp32'))\n",
           "from triton.language import *\n@triton.jit\ndef k(x):\n    static_print(exp(x), sigmoid(x), "
           "float32)\n",
       })
    EXPECT_EQ(messages(text, {{"x", "fp32"}}), "fp32 fp32 fp32\n") << text;
}

TEST(EvalModule, TheFirstKnownImportOfATry) {
  EXPECT_EQ(messages(R"(
try:
    from triton.language.extra.nowhere import tanh
except ImportError:
    from triton.language.extra.cuda.libdevice import tanh
if hasattr(tl, "nothing"):
    X = tl.constexpr(1)
elif hasattr(tl, "exp"):
    X = tl.constexpr(2)
else:
    X = tl.constexpr(3)
@triton.jit
def k(x):
    tl.static_print(tanh(x), X)
)",
                     {{"x", "fp32"}}),
            "fp32 2\n");
}

TEST(EvalModule, ImportsUnderAConditionThatNobodyKnows) {
  EXPECT_EQ(messages(R"(
import operator
from project.utils import compare_version
if compare_version("triton", operator.ge, "3.0.0"):
    try:
        from triton.language.extra.nowhere import tanh
    except ModuleNotFoundError:
        from triton.language.extra.cuda.libdevice import tanh
else:
    from triton.language.math import tanh
@triton.jit
def k(x):
    tl.static_print(tanh(x))
)",
                     {{"x", "fp32"}}),
            "fp32\n");
  // A constant is not guessed.
  EXPECT_TRUE(holds(
      messages(
          "import operator\nif operator.ge(1, 2):\n    X = tl.constexpr(1)\nelse:\n    X = tl.constexpr(2)\n"
          "@triton.jit\ndef k(x):\n    tl.static_print(X)\n",
          {{"x", "fp32"}}),
      {"`X` has two definitions, and which one holds is not known here"}));
}

TEST(EvalModule, ConstantsAreEvaluatedOnlyWhereTheyAreRead) {
  EXPECT_EQ(messages(R"(
import torch
import numpy as np
BROKEN = torch.cuda.get_device_properties(0).multi_processor_count // 0
FOREVER = [x for x in range(10 ** 15)]
def host(x):
    return torch.empty(x)
class Module(torch.nn.Module):
    pass
with torch.no_grad():
    W = host(3)
SIZES = {"small": 16, "large": 64}
pick = lambda name, scale=1: SIZES[name] * scale
BLOCK = tl.constexpr(pick("small", scale=2))
TWICE = BLOCK * 2
A, (B, *C) = tl.constexpr(1), [tl.constexpr(2), tl.constexpr(3)]
N = tl.constexpr(1)
N += 1
N = N * 10
DTYPE = tl.float16
@triton.jit
def k():
    tl.static_print(BLOCK, TWICE, A, B, N, DTYPE)
)"),
            "32 64 1 2 20 fp16\n");
}

TEST(EvalModule, PlainVariablesAreOutOfReach) {
  EXPECT_EQ(fileErrors("X = 5\n@triton.jit\ndef k():\n    y = X\n    z = X + 1\n"),
            "4:9-10: Cannot access global variable `X`: it is not a constant that a kernel may read\n"
            "  1:1-6: `X` is assigned here\n"
            "  help: write `X = tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter\n"
            "5:9-10: Cannot access global variable `X`: it is not a constant that a kernel may read\n"
            "  1:1-6: `X` is assigned here\n"
            "  help: write `X = tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter\n");
  // An annotation does not make it one.
  EXPECT_TRUE(
      holds(fileErrors("X: tl.constexpr = 5\n@triton.jit\ndef k():\n    y = X\n"), {"is not a constant"}));
  // A default is Python, where it may be read.
  EXPECT_EQ(fileErrors("X = 5\n@triton.jit\ndef k(B: tl.constexpr = X):\n    tl.static_print(B)\n"),
            "4:5-23: remark: 5\n");
}

TEST(EvalModule, WhatCannotBeEvaluated) {
  struct Case {
    const char *source, *message;
  };
  for (Case c : {
           Case{"import torch\nX = tl.constexpr(torch.pi)\n",
                "`torch` cannot be used in what a kernel reads"},
           Case{"import torch\nX = tl.constexpr(torch.pi)\n",
                "help: only `triton`, `triton.language` and `math` are known at compile time"},
           Case{"X = tl.constexpr(Y)\nY = X\n", "name `Y` is not defined"},
           Case{"X += 1\n", "name `X` is not defined"},
           Case{"with open('f') as X:\n    pass\n",
                "expected `X` to be assigned by a plain statement for a kernel to read it"},
           Case{"def X():\n    pass\n",
                "expected a `@triton.jit` function to call from a kernel, found the plain function `X`"},
           Case{"from helpers import X\n", "`X` comes from `helpers`, and only one file is compiled"},
           Case{"from helpers import X\n", "help: copy its definition into this file"},
           Case{"class X:\n    pass\n", "class `X` cannot be used in what a kernel reads"},
           Case{"X = tl.constexpr(Z)\n", "name `Z` is not defined"},
           Case{"X = tl.arange(0, 4)\n", "a tensor cannot be made outside a kernel"},
           Case{"X, Y = tl.constexpr(1), 2, 3\n", "expected 2 values to unpack, found 3"},
           Case{"(X, Y) = 5\n", "expected something to iterate over at compile time, found int"},
           Case{"def f():\n    with g() as x:\n        pass\nX = tl.constexpr(f())\n",
                "`with` cannot be used in what is computed at compile time"},
           Case{"f = lambda: f()\nX = tl.constexpr(f())\n", "calls nest deeper than 600"},
       }) {
    Evaluated result = evaluate(std::string(c.source) + "@triton.jit\ndef k():\n    X()\n", {}, false, "k");
    ASSERT_GE(result.diagnostics.size(), 1u) << c.source;
    EXPECT_TRUE(holds(result.errors, {c.message})) << c.source;
  }
}

TEST(EvalModule, QuestionsAboutTheTarget) {
  EXPECT_EQ(bodyMessages("tl.static_print(tl.target_info.is_cuda(), tl.target_info.is_hip(), "
                         "tl.target_info.cuda_capability_geq(9, 0), tl.target_info.cuda_capability_geq(10), "
                         "tl.extra.cuda.num_warps(), tl.extra.cuda.num_threads(), triton.__version__)"),
            "True False True False 4 128 3.6.0\n");
}

TEST(EvalModule, NamesOfTypes) {
  EXPECT_EQ(bodyMessages("tl.static_print(x.dtype.is_dtype('bf16'), x.dtype.is_dtype('fp8e4b8'), "
                         "x.dtype.is_dtype('void'), x.dtype.is_dtype('float32'), x.dtype.is_dtype('*fp32'))",
                         {{"x", "fp32"}}),
            "True True True False False\n");
  EXPECT_EQ(bodyMessages("tl.static_print(x.dtype.value, tl.constexpr(tl.int8).value)", {{"x", "fp32"}}),
            "fp32 int8\n");
  EXPECT_EQ(bodyMessages("tl.static_print(tl.dtype.SINT_TYPES, tl.dtype.UINT_TYPES)"),
            "['int8', 'int16', 'int32', 'int64'] ['int1', 'uint8', 'uint16', 'uint32', 'uint64']\n");
  EXPECT_EQ(bodyMessages("for name in tl.static_range(2):\n    tl.static_print(('fp16', 'fp8e5')[name] in "
                         "tl.dtype.FP_TYPES, ('fp16', 'fp8e5')[name] in tl.dtype.STANDARD_FP_TYPES)"),
            "True True\nTrue False\n");
  EXPECT_EQ(bodyMessages("tl.static_print(tl.core.CONSTEXPR_0, tl.CONSTEXPR_0 + 1)"), "0 1\n");
}

TEST(EvalModule, TypesThatTheIrLacksAreBytesThere) {
  EXPECT_TRUE(holds(bodyIr("y = x.to(tl.float8e4b15)\ntl.store(p, y)", {{"x", "fp32"}, {"p", "*fp8e4b15"}}),
                    {"!tile.ptr<i8>", "arith.minui", "arith.trunci", "i32 to i8", "tile.store"}));
  EXPECT_TRUE(holds(
      bodyIr("tl.store(p + tl.arange(0, 16), tl.full((16,), 0.3, tl.float8e5b16))", {{"p", "*fp8e5b16"}}),
      {"arith.constant dense<57> : tensor<16xi8>"}));
  EXPECT_EQ(bodyMessages("tl.static_print(tl.float8e4b8 == tl.float8e5b16, tl.float8e4b8.is_fp8())"),
            "False True\n");
}

TEST(EvalModule, NamesWithinTheLanguagesOwnModules) {
  Evaluated result = evaluate(R"(
from triton.language.standard import _log2
import triton.language.core as core
@triton.jit
def k(x):
    depth: tl.constexpr = _log2(64)
    tl.static_print(depth, _log2(1), _log2(100), tl.standard._log2(8))
    tl.static_print(tl.math.max(x, 1.0), tl.math.cdiv(7, 2), core.sum(core.arange(0, 8)), tl.math.where(x > 0, x, 0.0))
)",
                              {{"x", "fp32"}}, false, "k");
  ASSERT_EQ(result.diagnostics.size(), 2u) << result.errors;
  EXPECT_EQ(result.diagnostics[0].message, "6 0 6 3");
  EXPECT_EQ(result.diagnostics[1].message, "fp32 4 int32 fp32");
  EXPECT_EQ(bodyErrors("y = tl._log3(4)"), "1:8-13: module `triton.language` has no attribute `_log3`\n");
}
