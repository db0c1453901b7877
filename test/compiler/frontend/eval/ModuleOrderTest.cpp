// Values of a file's names for statements of the file: those assigned before them, as in Python.
#include "test/compiler/frontend/Files.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const std::string kernel = "@triton.jit\ndef k(x):\n    tl.static_print(V)\n";

/// Returns the messages of a kernel that prints `V`, which `above` assigns.
std::string said(const std::string &above, std::map<std::string, BoundValue> values = {}) {
  return messagesOf({.files = {{"k.py", above + kernel}}, .values = std::move(values)});
}

} // namespace

TEST(EvalModuleOrder, AConstantInATryDoesNotDependOnWhatIsBoundBehindIt) {
  EXPECT_EQ(said("try:\n    import triton\n    import triton.language as tl\n    HAVE = tl.constexpr(True)\n"
                 "except ImportError:\n    HAVE = False\nif not HAVE:\n    tl = 3\nV = tl.constexpr(1)\n"),
            "1\n");
}

TEST(EvalModuleOrder, AConditionInATryIsAskedBeforeWhatItsNamesAreBoundToLater) {
  EXPECT_EQ(said("from unittest.mock import MagicMock\nimport torch\nfrom packaging import version\n"
                 "try:\n    import triton\n    import triton.language as tl\n"
                 "    if version.parse(triton.__version__) < version.parse('3.4.0') and not "
                 "torch.cuda.is_available():\n"
                 "        HAVE = False\n    else:\n"
                 "        HAVE = tl.constexpr(version.parse(triton.__version__) >= version.parse('2.0.0'))\n"
                 "except ImportError:\n    HAVE = False\n"
                 "if not HAVE:\n    triton = MagicMock()\n    tl = MagicMock()\nV = tl.constexpr(HAVE)\n"),
            "True\n");
}

TEST(EvalModuleOrder, AValueThatIsNotKnownDoesNotMakeATryFail) {
  EXPECT_EQ(said("from somewhere import is_available\n"
                 "try:\n    import triton\n    import triton.language as tl\n    HAVE = True\n"
                 "    FAST = is_available and hasattr(tl, 'make_tensor_descriptor')\n"
                 "except ImportError:\n    HAVE = False\n    FAST = False\n"
                 "if not HAVE:\n    tl = 3\nV = tl.constexpr(HAVE)\n"),
            "True\n");
}

TEST(EvalModuleOrder, ANameIsWhatItWasWhereItWasRead) {
  const std::string language = "import triton\nimport triton.language as tl\n";
  EXPECT_EQ(said(language + "A = 1\nV = tl.constexpr(A)\nA = 2\n"), "1\n");
  EXPECT_EQ(said(language + "A = [1]\nB = A\nA = A + [2]\nV = tl.constexpr(len(B))\n"), "1\n");
  EXPECT_EQ(said(language +
                 "if triton.__version__ >= '3':\n    A = 1\n    B = A + 1\nelse:\n    A = 5\n    B = 6\n"
                 "A = 7\nV = tl.constexpr((A, B))\n"),
            "(7, 2)\n");
  EXPECT_EQ(said(language + "A = 0\nfor i in range(3):\n    A = A + i\nB = A\nA = 9\nV = tl.constexpr(B)\n"),
            "3\n");
  EXPECT_EQ(said(language + "def f():\n    return A\nA = 1\nB = f()\nA = 2\nV = tl.constexpr(B)\n"), "1\n");
}

TEST(EvalModuleOrder, ABuiltinIsItselfBeforeTheFileBindsItsName) {
  const std::string language = "import triton\nimport triton.language as tl\n";
  EXPECT_EQ(said(language + "A = max(1, 2)\nmax = 7\nV = tl.constexpr((A, max))\n"), "(2, 7)\n");
  EXPECT_EQ(said(language + "A = len([4, 5])\ndef len(x):\n    return 9\nV = tl.constexpr(A)\n"), "2\n");
  EXPECT_EQ(said(language + "max = max(1, 2)\nV = tl.constexpr(max)\nmax = 3\n"), "2\n");
  EXPECT_EQ(said(language + "def f():\n    return max(1, 2)\nA = f()\nmax = 7\nV = tl.constexpr(A)\n"),
            "2\n");
  EXPECT_EQ(
      said(language + "if min(3, 1) == 1:\n    A = 1\nelse:\n    A = 2\nmin = 4\nV = tl.constexpr(A)\n"),
      "1\n");
  EXPECT_EQ(said(language + "try:\n    A = max\n    B = max(1, 2)\nexcept NameError:\n    max = B = 9\n"
                            "V = tl.constexpr(B)\n"),
            "2\n");
  // For a kernel all statements have run.
  EXPECT_EQ(messagesOf({.files = {{"k.py", language + kernel + "V = tl.constexpr(len([1]))\nlen = 2\n"}}}),
            "1\n");
}

TEST(EvalModuleOrder, AllNamesOfAModuleAreBoundWhereTheyAreImported) {
  const std::string file = "import triton\nimport triton.language as tl\nA = min(8, 9)\nfrom other import *\n"
                           "B = max\nmax = 7\nmin = 6\nV = tl.constexpr((A, B, max))\n";
  EXPECT_EQ(messagesOf({.files = {{"k.py", file + kernel}, {"other.py", "max = 9\nmin = 5\n"}}}),
            "(8, 9, 7)\n");
}

TEST(EvalModuleOrder, ANameThatIsBoundLaterIsNotDefined) {
  const std::string language = "import triton\nimport triton.language as tl\n";
  EXPECT_EQ(said(language + "V = tl.constexpr(f())\ndef f():\n    return 1\n"),
            "k.py:3:18: name `f` is not defined\n  k.py:8:21: `V` is read here\n"
            "  k.py:4:1: `f` is bound here, later\n");
  EXPECT_TRUE(holds(said(language + "def f():\n    return N\nV = tl.constexpr(f())\nN = 1\n"),
                    {"k.py:4:12: name `N` is not defined", "k.py:6:1: `N` is bound here, later"}));
}

TEST(EvalModuleOrder, AVariableOfAFunctionCannotDependOnItself) {
  EXPECT_EQ(messagesOf({.files = {{"k.py", "import triton\nimport triton.language as tl\ndef make():\n"
                                           "    A = tl.constexpr(B)\n    B = tl.constexpr(A)\n"
                                           "    @triton.jit\n    def k(x):\n        tl.static_print(A)\n"}},
                        .kernel = "make.k"}),
            "k.py:5:22: the value of `A` depends on itself\n  k.py:4:22: `B` is read here\n"
            "  k.py:8:25: `A` is read here\n");
}

TEST(EvalModuleOrder, AModuleThatPytestImportsIsTheModule) {
  EXPECT_EQ(said("import pytest\ntriton = pytest.importorskip('triton')\n"
                 "tl = pytest.importorskip('triton.language', reason='needs it')\n"
                 "torch = pytest.importorskip('torch')\nV = tl.constexpr(torch.version.hip)\n"),
            "None\n");
}

TEST(EvalModuleOrder, WhatDecidesIsNamedAndCanBeSaid) {
  const std::string file = "import triton\nimport triton.language as tl\nfrom backends import get\n"
                           "try:\n    shim = get()\nexcept ImportError:\n    shim = tl.math\nV = "
                           "tl.constexpr(hasattr(shim, 'abs'))\n";
  EXPECT_TRUE(
      holds(said(file), {"`shim` has two definitions", "or say what decides: `-D 'backends.get()=VALUE'`"}));
  EXPECT_EQ(said(file, {{"backends.get()", {std::string("triton.language.math")}}}), "True\n");
  const std::string parts = "import triton\nimport triton.language as tl\nimport pkg\n"
                            "if pkg.device.is_hip(0):\n    A = 1\nelse:\n    A = 2\nV = tl.constexpr(A)\n";
  EXPECT_TRUE(holds(said(parts), {"or say what decides: `-D 'pkg.device.is_hip()=VALUE'`"}));
  EXPECT_EQ(said(parts, {{"pkg.device.is_hip()", {false}}}), "2\n");
}

TEST(EvalModuleOrder, ANameOfTheFileItselfCanBeGiven) {
  const std::string file = "import triton\nimport triton.language as tl\nclass C:\n    pass\n"
                           "if C():\n    A = 1\nelse:\n    A = 2\nV = tl.constexpr(A)\n";
  EXPECT_TRUE(holds(said(file), {"or give the name a value: `-D 'k.A=VALUE'`"}));
  EXPECT_EQ(said(file, {{"k.A", {int64_t(1)}}}), "1\n");
}

TEST(EvalModuleOrder, AFileAddsToAModuleWhatItLacks) {
  EXPECT_EQ(
      messagesOf("import triton\nimport triton.language as tl\n@triton.jit\ndef twice(x):\n    return 2 * x\n"
                 "def patched(module, names):\n    for name in names:\n        if hasattr(module, name):\n"
                 "            continue\n        setattr(module, name, twice)\n    return module\n"
                 "shim = patched(tl.math, ('exp', 'double_it'))\n_double = shim.double_it\n",
                 "y = _double(3)\n    tl.static_print(y.dtype, shim.exp(1.0).dtype)", {}),
      "int32 fp32\n");
}

TEST(EvalModuleOrder, AnAliasOfConstexprFunctionDecorates) {
  EXPECT_EQ(
      messagesOf("import triton\nimport triton.language as tl\n"
                 "if tuple(int(p) for p in triton.__version__.split('.')) > (3, 4) and hasattr(triton, "
                 "'constexpr_function'):\n"
                 "    _function = triton.constexpr_function\nelse:\n    _function = tl.constexpr_function\n"
                 "@_function\ndef log2(n):\n    return len(bin(n)) - 3\n",
                 "tl.static_print(log2(8))", {}),
      "3\n");
}

TEST(EvalModuleOrder, AFunctionInAConstexprIsCalledAsPython) {
  EXPECT_EQ(messagesOf("import triton\nimport triton.language as tl\n"
                       "def wide(t):\n    if t.is_int():\n        return tl.int64\n    return t\n"
                       "accumulator = tl.constexpr(wide)\n",
                       "tl.static_print(accumulator(tl.int8), accumulator(x.dtype.element_ty))", {}),
            "int64 fp32\n");
}
