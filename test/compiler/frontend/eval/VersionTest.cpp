// Meanings of one source under several versions of the language.
#include "test/compiler/frontend/Harness.h"

#include "compiler/spec/LanguageVersion.h"

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::string_view helpers = "@triton.jit\ndef half():\n    return 0.5\n"
                                     "@triton.jit\ndef two():\n    return 2\n"
                                     "@triton.jit\ndef minus_seven():\n    return -7\n"
                                     "@triton.jit\ndef big():\n    return 1048576\n"
                                     "@triton.jit\ndef sides():\n    return 4, 8\n"
                                     "@triton.jit\ndef sign(n):\n"
                                     "    if n > 0:\n        return 1\n    return -1\n"
                                     "@triton.jit\ndef both(n):\n"
                                     "    if n > 0:\n        return 1, n\n    return 2, n\n";

const NamedArguments arguments = {{"h", "fp16"}, {"x", "fp32"}, {"b", "i8"}, {"n", "i32"}, {"p", "*fp8e5"}};

Evaluated evaluated(std::string_view version, std::string_view statements, bool debug = false) {
  std::string source(helpers);
  source += "@triton.jit\ndef kernel(h, x, b, n, p):\n";
  size_t from = 0;
  for (size_t end; from < statements.size(); from = end + 1) {
    end = std::min(statements.find('\n', from), statements.size());
    source += "    " + std::string(statements.substr(from, end - from)) + "\n";
  }
  return evaluateAs(version, source, arguments, debug, "kernel");
}

/// The first line of what is wrong with the statements; empty where nothing is.
std::string problem(std::string_view version, std::string_view statements) {
  std::string all = summary(evaluated(version, statements).diagnostics);
  return all.substr(0, all.find('\n'));
}

/// Returns the name of the expression's type.
std::string typeUnder(std::string_view version, std::string_view expression) {
  const Evaluated made = evaluated(version, "v = " + std::string(expression) + "\ntl.static_print(v.dtype)");
  std::string text = summary(made.diagnostics);
  return text.substr(text.rfind(' ') + 1, text.size() - text.rfind(' ') - 2);
}

} // namespace

TEST(LanguageVersion, EachIsFoundByItsName) {
  EXPECT_EQ(defaultLanguageVersion().name, "3.6");
  for (const LanguageVersion &version : allLanguageVersions()) {
    EXPECT_EQ(lookupLanguageVersion(version.name), &version);
    EXPECT_EQ(version.full, std::string(version.name) + ".0");
  }
  EXPECT_EQ(lookupLanguageVersion("3.8.0"), nullptr);
  EXPECT_EQ(unknownLanguageVersion("4.0"),
            "unknown version `4.0` of Triton; known: `3.6`, `3.7`, `3.8`, `3.9`");
}

TEST(LanguageVersion, AnUnknownOneIsRefused) {
  EXPECT_TRUE(
      problem("2.9", "pass").ends_with("unknown version `2.9` of Triton; known: `3.6`, `3.7`, `3.8`, `3.9`"));
}

TEST(LanguageVersion, ASourceMayAskForIt) {
  for (std::string version : {"3.6", "3.7", "3.8", "3.9"})
    EXPECT_EQ(problem(version, "tl.static_assert(triton.__version__ == '" + version + ".0')"), "");
}

TEST(ReturnedConstants, BecomeTensorsBefore37) {
  EXPECT_EQ(typeUnder("3.6", "h * half()"), "fp32");
  EXPECT_EQ(typeUnder("3.7", "h * half()"), "fp16");
  EXPECT_EQ(typeUnder("3.6", "b * two()"), "int32");
  EXPECT_EQ(typeUnder("3.7", "b * two()"), "int8");
  EXPECT_EQ(typeUnder("3.6", "big() * big()"), "int32");
  EXPECT_EQ(typeUnder("3.7", "big() * big()"), "int64");
}

TEST(ReturnedConstants, DivideAsPythonsFrom37) {
  EXPECT_TRUE(
      holds(evaluated("3.6", "tl.device_print('q', minus_seven() // two())").ir, {"constant -3 : i32"}));
  EXPECT_TRUE(
      holds(evaluated("3.8", "tl.device_print('q', minus_seven() // two())").ir, {"constant -4 : i32"}));
}

TEST(ReturnedConstants, AreConstantsForWhoAsksUnderEveryVersion) {
  for (std::string_view version : {"3.6", "3.7"}) {
    EXPECT_EQ(problem(version, "v = tl.full((two(), 4), 0, tl.int32)\ntl.static_assert(v.shape[0] == 2)"),
              "");
    EXPECT_EQ(problem(version, "v = tl.zeros(sides(), tl.int32)\ntl.static_assert(v.shape[1] == 8)"), "");
    EXPECT_EQ(problem(version, "N: tl.constexpr = two()\nv = tl.arange(0, N)"), "");
    EXPECT_EQ(problem(version, "tl.static_assert(two())"), "");
    EXPECT_EQ(problem(version, "S: tl.constexpr = sides()\nv = tl.zeros(S, tl.int8)"), "");
    EXPECT_EQ(problem(version, "for i in tl.static_range(two()):\n    tl.static_assert(i < 2)"), "");
    EXPECT_EQ(problem(version, "t = (n, x)\ntl.static_assert(t[two() - 1].dtype == tl.float32)").empty(),
              version == "3.7"); // under 3.6 an operation has made a tensor of it
    EXPECT_EQ(problem(version, "t = (n, h, x)\ntl.static_assert(t[two()].dtype == tl.float32)"), "");
  }
  // What has been assigned to a name is a tensor.
  EXPECT_NE(problem("3.7", "N = two()\nv = tl.arange(0, N)"), "");
  EXPECT_NE(problem("3.6", "N = two()\nv = tl.arange(0, N)"), "");
}

TEST(ReturnedConstants, ThatDifferAreTensors) {
  for (std::string_view version : {"3.6", "3.9"}) {
    EXPECT_EQ(typeUnder(version, "sign(n)"), "int32");
    EXPECT_EQ(problem(version, "one, same = both(n)\ntl.static_assert(one.dtype == tl.int32)"), "");
  }
}

TEST(Negation, FlipsTheSignOfFloatsFrom38) {
  EXPECT_TRUE(holds(evaluated("3.7", "tl.device_print('x', -x)").ir, {"arith.subf"}));
  EXPECT_TRUE(holds(evaluated("3.8", "tl.device_print('x', -x)").ir, {"arith.negf %arg1 : f32"}));
  EXPECT_TRUE(holds(evaluated("3.8", "tl.device_print('x', -n)").ir, {"arith.subi"}));
  EXPECT_TRUE(holds(evaluated("3.8", "tl.device_print('x', -tl.load(p))").ir, {"arith.negf"}));
}

TEST(DivisionOfFloat8, IsOfFloat32From39) {
  for (std::string_view expression :
       {"tl.load(p) / tl.load(p)", "tl.load(p) % tl.load(p)", "tl.load(p) / 2.0", "2.0 / tl.load(p)"}) {
    EXPECT_EQ(typeUnder("3.8", expression), "fp8e5") << expression;
    EXPECT_EQ(typeUnder("3.9", expression), "fp32") << expression;
  }
  EXPECT_EQ(typeUnder("3.8", "tl.load(p) / tl.load(p).to(tl.float8e4nv)"), "fp16");
  EXPECT_EQ(typeUnder("3.9", "tl.load(p) / tl.load(p).to(tl.float8e4nv)"), "fp32");
  EXPECT_EQ(typeUnder("3.9", "tl.load(p) * tl.load(p)"), "fp8e5");
}

TEST(Fdiv, RoundsOnRequestFrom38) {
  constexpr std::string_view rounded = "tl.device_print('q', tl.fdiv(x, x + 1, ieee_rounding=True))";
  EXPECT_TRUE(holds(evaluated("3.7", rounded).ir, {"arith.divf", "fastmath<afn>"}));
  EXPECT_FALSE(holds(evaluated("3.8", rounded).ir, {"arith.divf", "fastmath<afn>"}));
  EXPECT_TRUE(holds(evaluated("3.8", "tl.device_print('q', tl.fdiv(x, x + 1, approx=True))").ir,
                    {"arith.divf", "fastmath<afn>"}));
  EXPECT_TRUE(problem("3.8", "tl.fdiv(x, x, ieee_rounding=True, approx=True)")
                  .ends_with("`tl.fdiv`: expected one of `ieee_rounding` and `approx`, found both"));
}

TEST(MethodsOfTensors, TakeShortFloatsUntil39) {
  for (std::string_view call : {"h.exp()", "h.exp2()", "h.log()", "h.log2()", "h.sin()", "h.cos()",
                                "h.sqrt()", "h.sqrt_rn()", "h.rsqrt()", "h.erf()", "h.floor()", "h.ceil()"}) {
    EXPECT_EQ(typeUnder("3.6", call), "fp16") << call;
    EXPECT_NE(problem("3.9", "v = " + std::string(call)), "") << call;
  }
  EXPECT_TRUE(problem("3.9", "v = h.exp()").ends_with("`tl.exp`: expected fp32 or fp64, found fp16"));
  // The functions have never taken them.
  EXPECT_TRUE(problem("3.6", "v = tl.exp(h)").ends_with("`tl.exp`: expected fp32 or fp64, found fp16"));
  EXPECT_TRUE(problem("3.6", "v = n.exp()").ends_with("`tl.exp`: expected fp32 or fp64, found int32"));
}

TEST(Debug, ExpectZeroAssertsFrom38) {
  constexpr std::string_view statement = "tl.device_print('x', tl.expect_zero(x, n > 0))";
  EXPECT_FALSE(holds(evaluated("3.7", statement, /*debug=*/true).ir, {"tile.assert"}));
  EXPECT_TRUE(holds(evaluated("3.8", statement, /*debug=*/true).ir, {"tile.assert"}));
  EXPECT_FALSE(holds(evaluated("3.8", statement).ir, {"tile.assert"}));
}

TEST(Debug, RandomNumbersNegateWithoutOverflowFrom38) {
  constexpr std::string_view statement = "tl.device_print('x', tl.uint_to_uniform_float(n))";
  EXPECT_TRUE(holds(evaluated("3.7", statement, /*debug=*/true).ir, {"int32 overflow"}));
  EXPECT_FALSE(holds(evaluated("3.8", statement, /*debug=*/true).ir, {"int32 overflow"}));
}

TEST(MustUseResult, IsAskedOfMethodsFrom37) {
  auto errors = [](std::string_view version, const std::string &statement) {
    std::string source =
        "@triton.must_use_result('it changes nothing')\n@triton.jit\ndef twice(n):\n    return n * 2\n"
        "@triton.aggregate\nclass A:\n    x: tl.tensor\n"
        "    @triton.must_use_result\n    @triton.jit\n    def next(self):\n"
        "        return A(self.x + 1)\n"
        "@triton.jit\ndef kernel(n):\n    " +
        statement + "\n";
    return summary(evaluateAs(version, source, {{"n", "i32"}}, false, "kernel").diagnostics);
  };
  for (std::string_view version : {"3.6", "3.7"}) {
    EXPECT_EQ(errors(version, "twice(n)"),
              "14:5-13: The result of twice is not being used. it changes nothing\n");
    EXPECT_EQ(errors(version, "m = twice(n)"), "");
    EXPECT_EQ(errors(version, "tl.device_print('n', twice(n))"), "");
  }
  EXPECT_EQ(errors("3.6", "A(n).next()"), "");
  EXPECT_EQ(errors("3.7", "A(n).next()"), "14:5-16: The result of next is not being used.\n");
}
