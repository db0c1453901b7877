// Kernels and files made to exhaust the compiler: each ends soon, with a message.
#include "test/compiler/frontend/Harness.h"

#include <ctime>

using namespace tegula;
using namespace tegula::test;

namespace {

/// Evaluates `source` and checks that it fails with `message`, within ten seconds of the processor's time:
/// what else the machine does counts for nothing.
void expectFails(const std::string &source, const std::string &message) {
  std::clock_t begin = std::clock();
  Evaluated result = evaluate(source, {}, false, "k");
  EXPECT_LT(std::clock() - begin, 10 * CLOCKS_PER_SEC) << source.substr(0, 200);
  EXPECT_TRUE(holds(result.errors, {message})) << source.substr(0, 200);
}

std::string constant(const std::string &text) {
  return "X = tl.constexpr(" + text + ")\n@triton.jit\ndef k():\n    tl.static_print(X)\n";
}

std::string repeated(const std::string &text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i)
    out += text;
  return out;
}

const std::string budget = "evaluation at compile time exceeds its budget of 1000000 steps";

} // namespace

TEST(EvalLimit, ComprehensionsThatNeverEnd) {
  expectFails(constant("[i for i in range(10 ** 18) if i < 0]"), budget);
  expectFails(constant("[i for i in range(10 ** 18)]"), budget);
  expectFails(constant("[i for i in range(10 ** 18)]"),
              "help: make the range or the number of unrolled iterations smaller");
  expectFails(constant("[(i, j) for i in range(10 ** 9) for j in range(10 ** 9) if False]"), budget);
  expectFails(constant("sum(i for i in range(10 ** 9))"), budget);
  expectFails(constant("list(range(10 ** 9))"), budget);
  expectFails("@triton.jit\ndef k():\n    x = [i for i in range(10 ** 18) if i < 0]\n", budget);
}

TEST(EvalLimit, FunctionsThatNeverEnd) {
  expectFails("@triton.constexpr_function\ndef f():\n    while True:\n        pass\n" + constant("f()"),
              budget);
  expectFails("@triton.constexpr_function\ndef f(n):\n    return f(n + 1)\n" + constant("f(0)"),
              "calls nest deeper than 64");
  expectFails("f = lambda x: f(x)\n" + constant("f(0)"),
              "expressions, statements and calls nest deeper than 600");
  expectFails("f = lambda x: f(x)\n" + constant("f(0)"), "note: the lambda is called here");
}

TEST(EvalLimit, RecursionIsNamedWithItsChain) {
  EXPECT_EQ(fileErrors("@triton.jit\ndef a(x):\n    return b(x)\n@triton.jit\ndef b(x):\n    return "
                       "a(x)\n@triton.jit\ndef k(n):\n    y = a(n)\n",
                       {{"n", "i32"}}, "k"),
            "6:12-16: recursion: a -> b -> a\n"
            "  3:12-16: `b` is called here\n"
            "  9:9-13: `a` is called here\n"
            "  2:5-6: `a` is defined here\n"
            "  help: functions are inlined into the kernel: write a loop, or end it by what is known when "
            "compiling\n");
}

TEST(EvalLimit, RecursionEndsByWhatIsKnown) {
  const std::string factorial = "@triton.jit\ndef f(n: tl.constexpr):\n    if n == 0:\n        return 1\n"
                                "    else:\n        return n * f(n - 1)\n"
                                "@triton.jit\ndef k(o):\n    tl.store(o, f(5))\n";
  const Evaluated result = evaluate(factorial, {{"o", "*i32"}}, false, "k");
  EXPECT_EQ(result.errors, "");
  EXPECT_TRUE(holds(result.ir, {"arith.constant 120 : i32"})) << result.ir;
  // Of halves of a tensor, too: each call is given another type.
  EXPECT_EQ(fileErrors("@triton.jit\ndef f(x):\n    if x.numel == 1:\n        return x\n    else:\n"
                       "        a, b = tl.split(x.reshape([x.numel // 2, 2]))\n        return f(a + b)\n"
                       "@triton.jit\ndef k(o):\n    tl.store(o + tl.arange(0, 1), f(tl.arange(0, 16)))\n",
                       {{"o", "*i32"}}, "k"),
            "");
}

TEST(EvalLimit, RecursionThatGoesOnForever) {
  expectFails("@triton.jit\ndef f(n: tl.constexpr):\n    return f(n + 1) + f(n + 2)\n"
              "@triton.jit\ndef k():\n    x = f(0)\n",
              "recursion that does not end within 48 calls: f -> f");
}

TEST(EvalLimit, ValuesThatDouble) {
  std::string doubling = "@triton.constexpr_function\ndef f():\n    x = [1]\n    for i in range(100):\n      "
                         "  x = [x, x]\n    return x\n";
  expectFails(doubling + constant("f()"), "expected at most 1048576 values in a tuple or list");
  std::string deep = "@triton.constexpr_function\ndef f():\n    x = 1\n    for i in range(100000):\n        "
                     "x = [x]\n    return x\n";
  expectFails(deep + constant("f()"), "expected tuples and lists that nest at most 32 deep");
  std::string text = "@triton.constexpr_function\ndef f():\n    x = 'a'\n    for i in range(100):\n        x "
                     "= x + x\n    return x\n";
  expectFails(text + constant("f()"), "expected a string of at most 1048576 bytes");
}

TEST(EvalLimit, ListsThatTakeLongToSort) {
  expectFails("@triton.constexpr_function\ndef f():\n    return sorted([3, 1] * 500000)\n" + constant("f()"),
              budget);
}

TEST(EvalLimit, KernelsThatExplode) {
  expectFails("@triton.jit\ndef k():\n    x = tl.program_id(0)\n    for i in tl.static_range(1000000):\n     "
              "   x = x * x + i\n",
              "evaluation at compile time exceeds its budget of 1000000 steps");
  std::string doubling;
  for (int i = 0; i < 40; ++i)
    doubling += "@triton.jit\ndef f" + std::to_string(i + 1) + "(x):\n    x = f" + std::to_string(i) +
                "(x)\n    return f" + std::to_string(i) + "(x)\n";
  expectFails("@triton.jit\ndef f0(x):\n    return x * x\n" + doubling +
                  "@triton.jit\ndef k():\n    y = f40(tl.program_id(0))\n",
              budget);
}

TEST(EvalLimit, KernelsOfTooManyOperations) {
  // A debug kernel checks each integer operation: many ops a step.
  Evaluated result = evaluate("@triton.jit\ndef k(n):\n    x = n\n    for i in tl.static_range(100000):\n"
                              "        x = x * n\n",
                              {{"n", "i32"}}, /*debug=*/true);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].message, "the kernel exceeds its budget of 250000 operations");
  EXPECT_EQ(result.diagnostics[0].help, "make unrolled loops shorter");
}

TEST(EvalLimit, DeepExpressionsAndStatements) {
  // Long chains to the left are no nesting at all.
  EXPECT_EQ(fileErrors(constant("0" + repeated(" + 1", 900))), "4:5-23: remark: 900\n");
  std::string nested = "@triton.jit\ndef k():\n";
  for (int i = 0; i < 90; ++i)
    nested += std::string(4 + i, ' ') + "if True:\n";
  nested += std::string(94, ' ') + "tl.static_print('deep')\n";
  EXPECT_TRUE(holds(fileErrors(nested), {"remark: deep"}));
  // Blocks of 90 levels in each of a chain of functions.
  std::string chain = "@triton.jit\ndef f0():\n    pass\n";
  for (int f = 1; f < 10; ++f) {
    chain += "@triton.jit\ndef f" + std::to_string(f) + "():\n";
    for (int i = 0; i < 90; ++i)
      chain += std::string(4 + i, ' ') + "if True:\n";
    chain += std::string(94, ' ') + "f" + std::to_string(f - 1) + "()\n";
  }
  expectFails(chain + "@triton.jit\ndef k():\n    f9()\n",
              "expressions, statements and calls nest deeper than 600");
}

TEST(EvalLimit, AChainOfElifsThatOverflowedTheStack) {
  std::string chain = "@triton.jit\ndef k(n):\n    if n == 0:\n        pass\n";
  for (int i = 1; i < 5000; ++i)
    chain += "    elif n == " + std::to_string(i) + ":\n        tl.device_print('x')\n";
  EXPECT_TRUE(
      holds(fileErrors(chain, {{"n", "i32"}}), {"expressions, statements and calls nest deeper than 600"}));
}

TEST(EvalLimit, ErrorsInUnrolledLoopsAreReportedOnce) {
  EXPECT_EQ(bodyErrors("for i in tl.static_range(1000):\n    y = nothing"),
            "2:9-16: name `nothing` is not defined\n");
}
