// Names without a value: imported from elsewhere, classes, definitions that depend on unknown conditions.
// They are an error where they are used, never true and never false.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::string_view foreign = "`F` comes from `pkg.utils`, and only one file is compiled";

/// The summary for the body of a kernel of a file that imports `F` and `G`.
std::string errorsOf(const std::string &body, const std::string &before = "") {
  return fileErrors("from pkg.utils import F, G\n" + before + "@triton.jit\ndef k(x, n):\n" + body,
                    {{"x", "*fp32"}, {"n", "i32"}}, "k");
}

bool isForeign(const std::string &body, const std::string &before = "") {
  std::string errors = errorsOf(body, before);
  bool named = errors.find(foreign) != std::string::npos &&
               errors.find("1:1-27: it is imported here") != std::string::npos &&
               errors.find("help: copy its definition into this file") != std::string::npos;
  EXPECT_TRUE(named) << body << before << errors;
  return named;
}

} // namespace

TEST(EvalUnknown, AForeignNameIsNoConditionAndComparesWithNothing) {
  for (const char *expr :
       {"1 if F else 2", "not F", "F and True", "True and F", "F or n", "n or F", "F == 1", "1 == F", "F != F", "F is None",
        "None is F", "F is not None", "F in (1, 2)", "1 in (F, 2)", "1 in F", "F < 1", "(1, F) == (1, 2)", "F == F",
        "bool(F)"})
    EXPECT_TRUE(isForeign("    y = " + std::string(expr) + "\n")) << expr;
  for (const char *statement : {"if F:\n        pass", "if n > 0:\n        pass\n    elif F:\n        pass",
                                "while F:\n        n += 1", "assert F", "assert n > 0, F"})
    EXPECT_TRUE(isForeign("    " + std::string(statement) + "\n")) << statement;
}

TEST(EvalUnknown, AForeignNameIsNoOperandAndNoArgument) {
  for (const char *expr :
       {"F + 1", "n * F", "-F", "F[0]", "(1, 2)[F]", "F.value", "F()", "f'{F}'", "f'{(1, F)}'", "str((1, F))",
        "str(F)", "int(F)", "len(F)", "isinstance(F, int)", "isinstance(n, F)", "hasattr(F, 'x')",
        "getattr(F, 'x', 0)", "min(F, 1)", "max(1, F)", "tl.constexpr(F)", "tl.zeros((F, 4), tl.float32)",
        "tl.zeros((4,), F)", "tl.load(x, F)", "tl.sum(tl.arange(0, 4), axis=F)", "tl.cdiv(F, 4)", "n.to(F)",
        "tl.where(F, 1, 2)", "tl.full((4,), F, tl.float32)", "[i for i in F]", "[i for i in range(4) if F]",
        "any([F])", "all([F])", "sum([F])", "range(F)"})
    EXPECT_TRUE(isForeign("    y = " + std::string(expr) + "\n")) << expr;
  for (const char *statement :
       {"y: tl.constexpr = F", "for i in F:\n        pass", "for i in range(F):\n        pass", "a, b = F",
        "y = 1\n    y += F", "tl.store(x, F)", "tl.static_print(F)", "tl.static_print((1, F))", "print(F)",
        "print('a', F)", "tl.device_assert(F)", "tl.static_assert(F)", "f(*F)", "f(**F)", "f(F)"})
    EXPECT_TRUE(isForeign("    " + std::string(statement) + "\n",
                          "@triton.jit\ndef f(a):\n    return a + 1\n"))
        << statement;
}

TEST(EvalUnknown, AForeignNameIsAnErrorInWhatAKernelReadsOfItsFile) {
  for (const char *global : {"V = tl.constexpr(1 if F else 2)", "V = tl.constexpr(1 if not F else 2)",
                             "V = tl.constexpr({True: 1, False: 2}[F])", "V = tl.constexpr(F)",
                             "def f(a):\n    return 1 if F else a\nV = tl.constexpr(f(2))",
                             "V = tl.constexpr((lambda: F or 1)())", "V = tl.constexpr({F: 1}[1])",
                             "V = tl.constexpr({1: 1}.get(F, 2))", "V = tl.constexpr(len(list(filter(lambda a: F, [1]))))"})
    EXPECT_TRUE(isForeign("    y = V\n", std::string(global) + "\n")) << global;
  // The value that nothing of it goes into is known.
  EXPECT_EQ(errorsOf("    tl.static_print(V)\n", "V = tl.constexpr(3 if True or F else 2)\n"),
            "5:5-23: remark: 3\n");
}

TEST(EvalUnknown, OneForeignNameIsReportedOnce) {
  EXPECT_EQ(errorsOf("    if F:\n        n += 1\n    if F:\n        n += 2\n    y = F + 1\n    z = G * 2\n"),
            "4:8-9: `F` comes from `pkg.utils`, and only one file is compiled\n"
            "  1:1-27: it is imported here\n  help: copy its definition into this file\n"
            "9:9-14: `G` comes from `pkg.utils`, and only one file is compiled\n"
            "  1:1-27: it is imported here\n  help: copy its definition into this file\n");
}

TEST(EvalUnknown, WhatIsNotUsedDoesNotMatter) {
  EXPECT_EQ(errorsOf("    y = F\n    z = (F, 1)\n    tl.store(x, z[1])\n",
                     "import torch\nclass C:\n    pass\nHAS = torch.cuda.is_available()\n@G\ndef host():\n    return F()\n"),
            "");
  EXPECT_EQ(errorsOf("    f(x, F)\n", "@triton.jit\ndef f(a, b):\n    tl.store(a, 1.0)\n"), "");
}

TEST(EvalUnknown, ADefaultThatComesFromElsewhereIsGivenByTheLaunch) {
  constexpr std::string_view source =
      "from pkg.utils import F\n@triton.jit\ndef k(x, B: tl.constexpr = F):\n    tl.static_print(B)\n";
  EXPECT_EQ(fileErrors(source, {{"x", "*fp32"}}, "k"),
            "3:28-29: `F` comes from `pkg.utils`, and only one file is compiled\n  1:1-24: it is imported here\n"
            "  help: give it with `-D B=VALUE`\n");
  EXPECT_EQ(fileErrors(source, {{"x", "*fp32"}, {"B", "#4"}}, "k"), "4:5-23: remark: 4\n");
}

TEST(EvalUnknown, ModulesAndClassesOfTheHostHaveNoValueEither) {
  EXPECT_TRUE(
      holds(errorsOf("    y = 1 if torch.is_amd.now else 2\n", "import torch\n"),
            {"5:20-26: `torch` cannot be used in what a kernel reads", "2:1-13: it is imported here"}));
  EXPECT_TRUE(holds(errorsOf("    y = V\n", "import os\nV = tl.constexpr(os.environ.get('V', '1') == '1')\n"),
                    {"3:18-32: `os.environ.get` cannot be used in what a kernel reads",
                     "help: give the variable a value with `-D os.environ.NAME=VALUE`"}));
  EXPECT_TRUE(holds(errorsOf("    y = 1 if C else 2\n", "class C:\n    pass\n"),
                    {"6:14-15: class `C` cannot be used in what a kernel reads", "2:7-8: it is defined here"}));
}

TEST(EvalUnknown, ADefinitionThatAConditionWithoutAValueDecidesHasNone) {
  for (const char *before :
       {"if F:\n    V = tl.constexpr(1)\nelse:\n    V = tl.constexpr(2)\n",
        "V = tl.constexpr(1)\nif F:\n    V = tl.constexpr(2)\n",
        "if F():\n    V = tl.constexpr(1)\nelif G:\n    V = tl.constexpr(2)\n",
        "try:\n    import intel\n    V = tl.constexpr(1)\nexcept ImportError:\n    V = tl.constexpr(2)\n",
        "V = tl.constexpr(1)\ntry:\n    import intel\n    V = tl.constexpr(2)\nexcept ImportError:\n    pass\n",
        "try:\n    import intel\nexcept ImportError:\n    V = tl.constexpr(1)\nelse:\n    V = tl.constexpr(2)\n",
        "try:\n    F.probe()\n    V = tl.constexpr(1)\nexcept Exception:\n    V = tl.constexpr(2)\n"})
    EXPECT_TRUE(holds(errorsOf("    if V == 1:\n        tl.store(x, 1.0)\n", before),
                      {"`V` has two definitions, and which one holds is not known here", "one is here",
                       "the other is here", "help: leave the definition that is meant"}))
        << before;
  // One definition is the one.
  for (const char *before :
       {"if F:\n    V = tl.constexpr(1)\n", "if F:\n    pass\nelse:\n    V = tl.constexpr(1)\n",
        "try:\n    import triton\n    V = tl.constexpr(1)\nexcept ImportError:\n    V = tl.constexpr(2)\n",
        "try:\n    W = triton.__version__ >= '3.0.0'\n    V = tl.constexpr(1)\nexcept Exception:\n    V = tl.constexpr(2)\n",
        "if False:\n    V = tl.constexpr(2)\nelif F:\n    V = tl.constexpr(1)\n",
        "V = tl.constexpr(2)\nif not False:\n    V = tl.constexpr(1)\n"})
    EXPECT_TRUE(errorsOf("    tl.static_print(V)\n", before).ends_with(": remark: 1\n")) << before;
}

TEST(EvalUnknown, AHookOfAConfigMayComeFromElsewhere) {
  EXPECT_EQ(errorsOf("    tl.static_print(len(C))\n",
                     "C = [triton.Config({'B': 1}, pre_hook=F)]\nC2 = tl.constexpr(1)\n")
                .find("`F` comes"),
            std::string::npos);
  EXPECT_TRUE(isForeign("    y = V\n", "V = tl.constexpr(len([triton.Config({'B': F})]))\n"));
  EXPECT_TRUE(isForeign("    y = V\n", "V = tl.constexpr(len([triton.Config({}, num_warps=F)]))\n"));
}

TEST(EvalUnknown, WhatWasNeverEqualIsComparedAsPythonDoes) {
  EXPECT_EQ(errorsOf("    tl.static_print(V)\n",
                     "g = lambda: 1\nV = tl.constexpr(({} == {}, {1: 2, 3: 4} == {3: 4, 1: 2}, {1: 2} == {1: 3}, "
                     "range(3) == range(0, 3, 1), range(0) == range(5, 2), range(3) == range(4), ... == ..., g == g, "
                     "g == (lambda: 1)))\n"),
            "6:5-23: remark: (True, True, False, True, True, False, True, True, False)\n");
}

TEST(EvalUnknown, TheLanguageFromAnotherFileIsImportedFromTheLanguage) {
  EXPECT_TRUE(holds(fileErrors("from compat import tl as L, tl, triton\n@triton.jit\ndef k(x):\n    tl.store(x, 1.0)\n",
                               {{"x", "*fp32"}}, "k"),
                    {"4:8-13: `tl` comes from `compat`", "help: write `import triton.language as tl` in this file"}));
}
