// Computations of Python before a kernel runs: every case is asserted by the evaluator itself.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

/// Evaluates `text` at module level and compares its `repr`.
void expectValue(const std::string &text, const std::string &wanted) {
  std::string source =
      "import math\nX = tl.constexpr(" + text + ")\n@triton.jit\ndef k():\n    tl.static_print(X)\n";
  EXPECT_EQ(fileErrors(source), "5:5-23: remark: " + wanted + "\n") << text;
}

} // namespace

TEST(EvalConstexpr, Integers) {
  for (auto [text, wanted] : {
           std::pair("1 + 2 * 3 - 4", "3"),
           std::pair("7 // 2, -7 // 2, 7 // -2, -7 // -2", "(3, -4, -4, 3)"),
           std::pair("7 % 3, -7 % 3, 7 % -3, -7 % -3", "(1, 2, -2, -1)"),
           std::pair("7 / 2, 8 / 2", "(3.5, 4.0)"),
           std::pair("2 ** 10, 2 ** -1, (-1) ** 3, 0 ** 0", "(1024, 0.5, -1, 1)"),
           std::pair("1 << 40, -16 >> 2, 5 & 6, 5 | 6, 5 ^ 6, ~5", "(1099511627776, -4, 4, 7, 3, -6)"),
           std::pair("0xD2511F53, 1_000, 0b101, 0o17, 1e3, .5, 1.",
                     "(3528531795, 1000, 5, 15, 1000.0, 0.5, 1.0)"),
           std::pair("18446744073709551616 * 2", "36893488147419103232"),
           // Beyond 64 bits in each base.
           std::pair("0x1_0000_0000_0000_00fF, 0X1_0000_0000_0000_0001",
                     "(18446744073709551871, 18446744073709551617)"),
           std::pair("0o4_000_000_000_000_000_000_017, "
                     "0B1_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0000_0101",
                     "(36893488147419103247, 18446744073709551621)"),
           std::pair("True + True, True & False, not 1, -True", "(2, False, False, -1)"),
           std::pair("2.5 // 1, -2.5 % 2, 1e16, 1e22, 0.1 + 0.2",
                     "(2.0, 1.5, 1e+16, 1e+22, 0.30000000000000004)"),
       })
    expectValue(std::string("(") + text + ")", wanted);
}

TEST(EvalConstexpr, ComparisonsAndLogic) {
  for (auto [text, wanted] : {
           std::pair("1 < 2 < 3, 1 < 3 < 2, 1 == 1.0, 1 != 2", "(True, False, True, True)"),
           std::pair("None is None, 1 is not None, 'a' == 'a', 'a' < 'b'", "(True, True, True, True)"),
           std::pair("2 in (1, 2), 3 not in [1, 2], 'b' in 'abc', 'k' in {'k': 1}",
                     "(True, True, True, True)"),
           std::pair("(1, 2) < (1, 3), (1, 2) == (1, 2), [1] == [1]", "(True, True, True)"),
           std::pair("0 or 5, 0 and 5, 'x' and 'y', None or ()", "(5, 0, 'y', ())"),
           std::pair("1 if True else undefined, undefined if 0 else 2", "(1, 2)"),
           std::pair("float('nan') == float('nan'), float('inf') > 1e300", "(False, True)"),
       })
    expectValue(std::string("(") + text + ")", wanted);
}

TEST(EvalConstexpr, SequencesAndComprehensions) {
  for (auto [text, wanted] : {
           std::pair("[i * i for i in range(5) if i % 2 == 0]", "[0, 4, 16]"),
           std::pair("[(i, j) for i in range(2) for j in 'ab']", "[(0, 'a'), (0, 'b'), (1, 'a'), (1, 'b')]"),
           std::pair("{k: v for k, v in zip('ab', (1, 2))}", "{'a': 1, 'b': 2}"),
           std::pair("sum(x for x in range(10))", "45"),
           std::pair("(1, *[2, 3], 4)[1:], 'hello'[::-1], [1, 2, 3][-1]", "((2, 3, 4), 'olleh', 3)"),
           std::pair("(1, 2) + (3,), [0] * 3, 'ab' * 2, len('abc')", "((1, 2, 3), [0, 0, 0], 'abab', 3)"),
           std::pair("list(range(10, 0, -3)), tuple([1]), list(enumerate('a'))",
                     "([10, 7, 4, 1], (1,), [(0, 'a')])"),
           std::pair("max(1, 5, 3), min([4, 2]), abs(-3), int(3.9), float(2), int('7')",
                     "(5, 2, 3, 3, 2.0, 7)"),
           std::pair("{**{'a': 1}, 'a': 2}['a'], {'a': 1}.get('b', 0), list({'x': 1}.items())",
                     "(2, 0, [('x', 1)])"),
           std::pair("all([1, 0]), any([1, 0]), list(reversed([1, 2])), bool([])",
                     "(False, True, [2, 1], False)"),
           std::pair("'fp16'.startswith('fp'), 'a'.upper(), str(1.5)", "(True, 'A', '1.5')"),
       })
    expectValue(std::string("(") + text + ")", wanted);
}

TEST(EvalConstexpr, FunctionsAndText) {
  expectValue("(lambda x, y=2, *z: x * y + len(z))(3, 4, 5, 6)", "14");
  expectValue("[f(2) for f in [lambda x: x + 1, lambda x: x * 10]]", "[3, 20]");
  expectValue("f'{1 + 1}-{2.5:.2f}-{7:03d}-{\"a\"!r}-{3=}'", "2-2.50-007-'a'-3=3");
  expectValue("(math.log2(8), math.sqrt(2), math.ceil(1.2), math.floor(-1.2), math.pi)",
              "(3.0, 1.4142135623730951, 2, -2, 3.141592653589793)");
  expectValue("(triton.cdiv(10, 4), triton.next_power_of_2(100), tl.cdiv(7, 7))", "(3, 128, 1)");
  expectValue("(math.isinf(float('-inf')), math.gcd(12, -18), math.log(8, 2), math.inf)",
              "(True, 6, 3.0, inf)");
}

TEST(EvalConstexpr, Errors) {
  struct Case {
    const char *text, *message;
  };
  for (Case c : {
           Case{"1 // 0", "division by zero"},
           Case{"1.0 / 0", "division by zero"},
           Case{"1 % 0", "division by zero"},
           Case{"0 ** -1", "zero to a negative power"},
           Case{"(-8.0) ** 0.5", "a negative number to a fractional power"},
           Case{"1 << -1", "expected a shift that is not negative, found -1"},
           Case{"2 ** 1000", "expected an integer of at most 127 bits as the result"},
           Case{"1 << 200", "expected an integer of at most 127 bits as the result"},
           Case{"'a' + 1", "`+`: expected operands of fitting types, found str and int"},
           Case{"1 < 'a'", "`<`: expected operands of fitting types, found int and str"},
           Case{"1 in 2", "`in`: expected operands of fitting types, found int and int"},
           Case{"-'a'", "`-`: expected a number, found str"},
           Case{"(1, 2)[2]", "expected an index below 2, found 2"},
           Case{"(1, 2)['a']", "expected an index known at compile time, found str"},
           Case{"(1, 2)[::0]", "expected a step other than 0"},
           Case{"(1, 2)['a':]", "expected bounds known at compile time, found str"},
           Case{"{'a': 1}['b']", "the dict has no key 'b'"},
           Case{"[*5]", "expected something to iterate over at compile time, found int"},
           Case{"{**5}", "expected a dict after `**`, found int"},
           Case{"max(**{1: 2})", "expected names as the keys after `**`, found int"},
           Case{"len(5)", "`len`: expected something with a length, found int"},
           Case{"max()", "`max`: expected one or more values"},
           Case{"range(1, 2, 0)", "`range`: expected a step other than 0"},
           Case{"range('a')", "`range`: expected integers known at compile time as bounds, found str"},
           Case{"int('x')", "`int`: expected the digits of a number, found 'x'"},
           Case{"int(float('inf'))", "`int`: expected a finite number, found inf"},
           Case{"float('x')", "`float`: expected the digits of a number, found 'x'"},
           Case{"f'{1:zz}'", "expected a format for int, found `zz`"},
           Case{"math.sqrt(-1)", "`math.sqrt`: the argument is outside the function's domain"},
           Case{"math.log(0)", "`math.log`: the argument is outside the function's domain"},
           Case{"math.exp(1000)", "`math.exp`: the result is larger than a float can be"},
           Case{"math.pow(10, 400)", "`math.pow`: the result is larger than a float can be"},
           Case{"math.sqrt('a')", "`math.sqrt`: expected a number known at compile time, found str"},
           Case{"math.ceil(float('inf'))", "`math.ceil`: expected a finite number, found inf"},
           Case{"'a' * 10000000", "expected a string of at most 1048576 bytes"},
           Case{"[0] * 10000000", "expected at most 1048576 values in a tuple or list"},
           Case{"isinstance(1, 2)", "`isinstance`: expected a class such as `tl.tensor` or `int`, found int"},
           Case{"2j", "complex numbers cannot be used here"},
           Case{"5()", "expected a function to call, found int"},
           Case{"tl.arange(0, 4)", "`tl.constexpr`: expected a value known at compile time, found int32[4]"},
           Case{"99999999999999999999999999999999999999999", "expected an integer of at most 127 bits"},
       }) {
    Evaluated result = evaluate("import math\nX = tl.constexpr(" + std::string(c.text) +
                                ")\n@triton.jit\ndef k():\n    tl.static_print(X)\n");
    ASSERT_EQ(result.diagnostics.size(), 1u) << c.text << "\n" << result.errors;
    EXPECT_TRUE(holds(result.diagnostics[0].message, {c.message})) << c.text;
    ASSERT_EQ(result.diagnostics[0].notes.size(), 1u) << c.text;
    EXPECT_EQ(result.diagnostics[0].notes[0].message, "`X` is read here");
  }
}

TEST(EvalConstexpr, TheLastOfEqualKeysOfADictComprehensionHolds) {
  EXPECT_TRUE(
      holds(fileErrors("D = {k: v for k, v in [(1, 10), (2, 5), (1, 20)]}\nV = tl.constexpr((D[1], len(D)))\n"
                       "@triton.jit\ndef k():\n    tl.static_print(V)\n",
                       {}, "k"),
            {"remark: (20, 2)"}));
}

TEST(EvalConstexpr, NumbersAndOrders) {
  for (auto [text, wanted] : {
           std::pair(
               "round(2.5), round(3.5), round(-2.5), round(7), round(2.675, 2), round(1e22, 1), round(-0.4)",
               "(2, 4, -2, 7, 2.67, 1e+22, 0)"),
           std::pair(
               "divmod(-7, 2), divmod(7.5, -2), (255).bit_length(), (0).bit_length(), (-256).bit_length()",
               "((-4, 1), (-4.0, -0.5), 8, 0, 9)"),
           std::pair(
               "1.5 // 0.1, -1.5 // 0.1, 1e10 // 1e-7, 127 // 1.0, -0.0 // 3.0, 1e-320 // -2.0, 7.5 // -2",
               "(14.0, -15.0, 1e+17, 127.0, -0.0, -1.0, -4.0)"),
           std::pair("(2 ** 100).bit_length(), (~(2 ** 126 - 1 + 2 ** 126)).bit_length(), True.bit_length(), "
                     "1 << (1000 - 1).bit_length()",
                     "(101, 128, 1, 1024)"),
           std::pair("sorted([3, 1, 2]), sorted('hello'), sorted((2.5, -1), reverse=True)",
                     "([1, 2, 3], ['e', 'h', 'l', 'l', 'o'], [2.5, -1])"),
           std::pair(
               "sorted([-3, 3, 1, -1], key=abs), sorted([-3, 3, 1, -1], key=lambda x: x * x, reverse=True)",
               "([1, -1, -3, 3], [-3, 3, 1, -1])"),
           std::pair("[1, 2, 1].count(1), (1, 'a').index('a'), [2.0].index(2), [].count(0)", "(2, 1, 0, 0)"),
       })
    expectValue(std::string("(") + text + ")", wanted);
}

TEST(EvalConstexpr, AnAnnotationAloneDeclaresAConstant) {
  EXPECT_EQ(bodyErrors("N: tl.constexpr\nN = 8\nv = tl.arange(0, N)"), "");
  EXPECT_EQ(bodyErrors("N: tl.constexpr\nif K > 2:\n    N = 8\nelse:\n    N = 16\nv = tl.arange(0, N)",
                       {{"K", "#4"}}),
            "");
  EXPECT_EQ(bodyErrors("N: tl.constexpr\nM: tl.constexpr\nN, M = 8, 4\nv = tl.zeros((N, M), tl.int32)"), "");
  EXPECT_EQ(
      bodyErrors("N: tl.constexpr\nN, k = 8, 4\nv = tl.arange(0, N)\ntl.static_assert(k.dtype == tl.int32)"),
      "");
  EXPECT_EQ(bodyErrors("S: tl.constexpr\nS = (8, 4)\nv = tl.zeros(S, tl.int32)"), "");
  // It serves one assignment.
  EXPECT_EQ(bodyErrors("N: tl.constexpr\nN = 8\nN = 16\nv = tl.arange(0, N)").substr(0, 8), "4:18-19:");
  // A value of run time is what it is.
  EXPECT_EQ(bodyErrors("N: tl.constexpr\nN = n\ntl.static_assert(N.dtype == tl.int32)", {{"n", "i32"}}), "");
}

TEST(EvalConstexpr, ANaNOfNumbersHasTheSameSignOnEveryHost) {
  for (std::string text : {"x - x", "x + -x", "x * 0.0", "x / x", "x % 2", "x // 2"}) {
    const std::string body = "x: tl.constexpr = float('inf')\ny: tl.constexpr = " + text + "\ntl.store(p, y)";
    EXPECT_TRUE(holds(bodyIr(body, {{"p", "*fp32"}}), {"arith.constant 0xFFC00000 : f32"})) << text;
  }
  EXPECT_TRUE(
      holds(bodyIr("tl.store(p, float('nan') + 1)", {{"p", "*fp32"}}), {"arith.constant 0x7FC00000 : f32"}));
}
