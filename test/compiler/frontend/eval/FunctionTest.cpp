// Calls: helpers are inlined, specialised by what is known of their arguments.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string ir(const std::string &source, const NamedArguments &arguments = {}) {
  Evaluated result = evaluate(source, arguments, false, "k");
  EXPECT_EQ(result.errors, "");
  return result.ir;
}

std::string messages(const std::string &source, const NamedArguments &arguments = {}) {
  std::string out;
  for (const Diagnostic &diagnostic : evaluate(source, arguments, false, "k").diagnostics)
    out += diagnostic.message + "\n";
  return out;
}

} // namespace

TEST(EvalFunction, HelpersAreInlined) {
  std::string text = ir(R"(
@triton.jit
def double(x):
    return x * 2
@triton.jit
def k(n):
    tl.device_print("x", double(double(n)))
)",
                        {{"n", "i32"}});
  EXPECT_TRUE(holds(text, {"arith.muli %arg0", "arith.muli", "tile.print"}));
  EXPECT_EQ(text.find("call"), text.npos);
}

TEST(EvalFunction, ArgumentsByPositionNameAndDefault) {
  EXPECT_EQ(messages(R"(
BASE = 100
@triton.jit
def f(a, b, c: tl.constexpr = BASE + 1, *, d=4):
    tl.static_print(a, b, c, d)
@triton.jit
def g(a, *rest):
    tl.static_print(a, rest, len(rest))
@triton.jit
def k():
    f(1, 2)
    f(1, b=2, c=3)
    f(b=1, a=2, d=5)
    f(*(1, 2, 3), d=6)
    g(1)
    g(1, 2, 3)
)"),
            "1 2 101 4\n1 2 3 4\n2 1 101 5\n1 2 3 6\n1 () 0\n1 (2, 3) 2\n");
}

TEST(EvalFunction, ConstantsStayKnownWithinTheCallee) {
  EXPECT_EQ(messages(R"(
@triton.jit
def f(x, flag, size):
    if flag:
        tl.static_print("taken", tl.arange(0, size).shape)
    else:
        undefined
    return x
@triton.jit
def k(n):
    y = f(n, True, 16)
    tl.static_print(y)
)",
                     {{"n", "i32"}}),
            "taken [16]\nint32\n");
}

TEST(EvalFunction, ReturnsDecayIntoRuntimeScalars) {
  EXPECT_EQ(messages(R"(
@triton.jit
def half():
    return 0.5
@triton.jit
def pair(x):
    return x, 1
@triton.jit
def nothing(x):
    x + 1
@triton.jit
def k(h):
    tl.static_print((h * half()).dtype, (h * 0.5).dtype)
    a, b = pair(h)
    tl.static_print(a, b, pair(h)[1], nothing(h))
)",
                     {{"h", "fp16"}}),
            "fp32 fp16\nfp16 int32 int32 None\n");
}

TEST(EvalFunction, LibraryFunctionsOfConstantsAreConstants) {
  EXPECT_EQ(messages(R"(
@triton.jit
def k():
    tl.static_print(tl.cdiv(100, 16), triton.cdiv(7, 7), triton.next_power_of_2(33))
    x: tl.constexpr = tl.cdiv(64, 16)
    tl.static_print(tl.arange(0, x).shape)
)"),
            "7 1 64\n[4]\n");
}

TEST(EvalFunction, FunctionsAreValues) {
  EXPECT_EQ(messages(R"(
@triton.jit
def inc(x):
    return x + 1
@triton.jit
def apply(f: tl.constexpr, x):
    return f(x)
@triton.jit
def k(n):
    tl.static_print(apply(inc, n), apply(tl.abs, n), (tl.static_range if True else range)(2))
)",
                     {{"n", "i64"}}),
            "int64 int64 range(0, 2, 1)\n");
}

TEST(EvalFunction, ConstexprFunctionsRunAsPython) {
  EXPECT_EQ(messages(R"(
@triton.constexpr_function
def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
        if a > 1000:
            break
    return a
@triton.constexpr_function
def fact(n):
    return 1 if n <= 1 else n * fact(n - 1)
@triton.constexpr_function
def log2(n):
    k = 0
    while n > 1:
        n //= 2
        k += 1
    return k
@triton.jit
def k(B: tl.constexpr):
    tl.static_print(fib(10), fact(5), log2(B), fib(100))
)",
                     {{"B", "#64"}}),
            "55 120 6 1597\n");
}

TEST(EvalFunction, ConstexprFunctionsThatDoNotParseAreAnErrorAtTheirLineOnce) {
  EXPECT_EQ(fileErrors("@triton.constexpr_function\ndef f(a):\n    return a a\n@triton.jit\ndef k(n):\n"
                       "    x = f(1)\n    y = f(1)\n",
                       {{"n", "i32"}}),
            "3:14-15: expected end of line, found `a`\n");
}

TEST(EvalFunction, ConstexprFunctionsTakeNoRuntimeValues) {
  EXPECT_EQ(fileErrors("@triton.constexpr_function\ndef f(a, b):\n    return a\n@triton.jit\ndef k(n):\n"
                       "    x = f(1, n)\n",
                       {{"n", "i32"}}),
            "6:9-16: `f`: expected a value known at compile time for `b`, found int32\n"
            "  2:5-6: it is computed at compile time, as Python\n");
}

TEST(EvalFunction, MethodsAndAttributesByName) {
  EXPECT_EQ(messages(R"(
@triton.jit
def k(x, B: tl.constexpr):
    tl.static_print(x.to(tl.float32).exp().dtype, getattr(x, "dtype"), hasattr(x, "nope"), hasattr(tl, "exp"))
    tl.static_print(isinstance(x, tl.tensor), isinstance(B, tl.tensor), isinstance(B, int), isinstance(x.dtype, tl.dtype))
    tl.static_print(isinstance(B, (str, tl.constexpr)), B.value, getattr(x, "nope", 3))
)",
                     {{"x", "i32"}, {"B", "#8"}}),
            "fp32 int32 False True\nTrue False True True\nTrue 8 3\n");
}

TEST(EvalFunction, LocationsNameTheInnermostPlaceOfTheUser) {
  std::string text = R"(
@triton.jit
def f(x):
    return x * 2 + tl.sigmoid(x)
@triton.jit
def k(p):
    tl.store(p, f(tl.load(p)))
)";
  std::string all = locatedIr(text, {{"p", "*fp32"}}, "k");
  EXPECT_TRUE(holds(all, {"tile.load", "loc(\"k.py\":9:19 to :29)"}));
  EXPECT_TRUE(holds(all, {"arith.mulf", "loc(callsite(\"k.py\":6:12 to :17 at \"k.py\":9:17 to :30))"}));
  // Inside the library there are no lines to show: the call stands for them.
  EXPECT_TRUE(holds(all, {"math.exp", "loc(callsite(\"k.py\":6:20 to :33 at \"k.py\":9:17 to :30))"}));
  EXPECT_EQ(all.find("language.py"), all.npos);
}

TEST(EvalFunction, NamedTuplesOfCollections) {
  const std::string before = "import collections\nfrom collections import namedtuple\n"
                             "Pair = namedtuple('Pair', ['first', 'second'], defaults=(3,))\n"
                             "Other = collections.namedtuple('Other', 'a, b c')\n"
                             "@triton.jit\ndef kernel(n):\n";
  auto errors = [&](const std::string &body) { return fileErrors(before + body, {{"n", "i32"}}, "kernel"); };
  EXPECT_EQ(
      errors("    p = Pair(n)\n"
             "    tl.static_assert(p.second.dtype == tl.int32 and len(p) == 2 and isinstance(p, Pair))\n"
             "    o = Other(1, b=p, c=n)\n    tl.static_assert(len(o) == 3 and len(o.b) == 2)\n"
             "    for i in range(n):\n        p = Pair(p.first + 1, second=p.second)\n"),
      "");
  EXPECT_EQ(errors("    p = Pair(n, 1, 2)\n"), "7:20-21: `Pair`: expected at most 2 arguments, found 3\n");
  EXPECT_EQ(errors("    p = Other(n)\n"), "7:9-17: `Other`: missing argument `b`\n");
  // Names that are computed are none that are known here.
  EXPECT_TRUE(holds(fileErrors("from collections import namedtuple\nP = namedtuple('P', ['a', 'b'] + ['c'])\n"
                               "@triton.jit\ndef kernel(n):\n    p = P(n)\n",
                               {{"n", "i32"}}, "kernel"),
                    {"`namedtuple` comes from `collections`"}));
}

TEST(EvalFunction, NamedTuplesAreMadeByTheirClass) {
  const std::string before = "import typing\nfrom typing import NamedTuple\n"
                             "class Pair(NamedTuple):\n    first: tl.tensor\n    second: tl.tensor = 3\n"
                             "class Other(typing.NamedTuple):\n    first: int\n"
                             "@triton.jit\ndef kernel(n):\n";
  auto errors = [&](const std::string &body) { return fileErrors(before + body, {{"n", "i32"}}, "kernel"); };
  EXPECT_EQ(errors("    p = Pair(n)\n"
                   "    tl.static_assert(p.second.dtype == tl.int32 and len(p) == 2 and isinstance(p, Pair))\n"
                   "    tl.static_assert(not isinstance(p, Other) and not isinstance(n, Pair))\n"
                   "    for i in range(n):\n        p = Pair(p.first + 1, second=p.second)\n"),
            "");
  EXPECT_EQ(errors("    p = Pair(n, 1, 2)\n"), "10:20-21: `Pair`: expected at most 2 arguments, found 3\n");
  EXPECT_EQ(errors("    p = Pair(third=n)\n"), "10:14-21: `Pair` has no parameter `third`\n");
  EXPECT_EQ(errors("    p = Pair()\n"), "10:9-15: `Pair`: missing argument `first`\n");
  EXPECT_TRUE(
      holds(errors("    y = isinstance(n, kernel)\n"), {"expected a class such as `tl.tensor` or `int`"}));
}
