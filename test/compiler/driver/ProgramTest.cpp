// Programs whose sources a host has taken out of their files, with what their names mean.
#include "compiler/driver/Compiler.h"
#include "compiler/driver/TileKernel.h"

#include <gtest/gtest.h>

#include <set>

using namespace tegula;

namespace {

Compiler &compiler() {
  static Compiler compiler;
  return compiler;
}

RuntimeArg pointer() { return {ScalarKind::Float32, 1, {16}}; }

KernelSpec specOf(std::string kernel = {}) {
  KernelSpec spec;
  spec.kernel = std::move(kernel);
  spec.args = {{"x", pointer()}};
  return spec;
}

BoundValue constant(int64_t value) { return {.value = value, .isConstexpr = true}; }
BoundValue language(std::string path) { return {bound::Language{std::move(path)}}; }
BoundValue function(size_t source, std::string name) { return {bound::Function{source, std::move(name)}}; }
BoundValue host(std::string name, decltype(bound::HostFunction::call) call) {
  return {std::make_shared<const bound::HostFunction>(bound::HostFunction{std::move(name), std::move(call)})};
}

/// A kernel of the parameter `x` at line 10 of "main.py", whose body, indented by 4, begins at line 12.
SourceUnit kernelOf(const std::string &body, NameTable names = {}) {
  names.emplace("tl", language("triton.language"));
  return {"main.py", "@triton.jit\ndef k(x):\n" + body, 10, std::move(names)};
}

CompileResult compile(std::vector<SourceUnit> units, Stage stage = Stage::Tile,
                      const KernelSpec &spec = specOf(), size_t entry = 0) {
  CompileOptions options;
  options.emit = {stage};
  return compiler().compile(*compiler().parse(std::move(units), entry), spec, options);
}

/// The diagnostics as a terminal shows them.
std::string shown(std::vector<SourceUnit> units) { return render(compile(std::move(units)).diagnostics); }

/// Returns the output of `tl.static_print`, a line each; the errors where there are any.
std::string printed(std::vector<SourceUnit> units) {
  CompileResult result = compile(std::move(units));
  std::string text;
  for (const Diagnostic &diagnostic : result.diagnostics)
    if (diagnostic.severity != Severity::Remark)
      return render(result.diagnostics);
    else
      text += diagnostic.message + "\n";
  return text;
}

/// Returns the value of a name, read by a kernel with `tl.static_print(EXPR)`.
std::string printed(const std::string &expr, NameTable names) {
  return printed({kernelOf("    tl.static_print(" + expr + ")\n", std::move(names))});
}

} // namespace

TEST(Program, AKernelReadsWhatItsNamesAreBoundTo) {
  BoundValue point{bound::Tuple{{{int64_t(3)}, {int64_t(4)}}, {"a", "b"}, "Point"}};
  BoundValue dict{bound::Dict{{{"a", {int64_t(1)}}, {"b", {std::string("two")}}}}};
  BoundValue list{bound::List{{{int64_t(1)}, {2.5}}}};
  for (BoundValue *value : {&point, &dict, &list})
    value->isConstexpr = true;
  EXPECT_EQ(printed("N", {{"N", constant(7)}}), "7\n");
  EXPECT_EQ(printed("N", {{"N", {.value = true, .isConstexpr = true}}}), "True\n");
  EXPECT_EQ(printed("N", {{"N", {.value = uint64_t(-1), .isConstexpr = true}}}), "18446744073709551615\n");
  EXPECT_EQ(printed("N", {{"N", {.value = -0.5, .isConstexpr = true}}}), "-0.5\n");
  EXPECT_EQ(printed("N", {{"N", {.value = std::string("s"), .isConstexpr = true}}}), "s\n");
  EXPECT_EQ(printed("N", {{"N", {}}}), "None\n");
  EXPECT_EQ(printed("N", {{"N", {bound::Dtype{ScalarKind::Float32, 1}}}}), "pointer<fp32>\n");
  EXPECT_EQ(printed("P, P.b, P[0], len(P)", {{"P", point}}), "(3, 4) 4 3 2\n");
  EXPECT_EQ(printed("D['b']", {{"D", dict}}), "two\n");
  EXPECT_EQ(printed("L", {{"L", list}}), "[1, 2.5]\n");
  EXPECT_EQ(printed("m.cdiv(5, 2), p(4.0), f", {{"f", language("triton.language.float32")},
                                                {"m", language("triton")},
                                                {"p", language("math.sqrt")}}),
            "3 2.0 fp32\n");
}

TEST(Program, NamedTuplesKeepTheirNamesInVariables) {
  BoundValue point{.value = bound::Tuple{{{int64_t(3)}, {int64_t(4)}}, {"a", "b"}, "Point"},
                   .isConstexpr = true};
  EXPECT_EQ(printed({kernelOf("    p = P\n    for i in range(2):\n        p = p\n    tl.static_print(p.b)\n",
                              {{"P", point}})}),
            "int32\n");
  EXPECT_EQ(shown({kernelOf("    P.first\n", {{"P", point}})}),
            "main.py:12:7: error: tuple has no attribute `first`\n"
            "        P.first\n          ^~~~~\n");
}

TEST(Program, FunctionsOfOtherSourcesAreEvaluatedWithTheirOwnNames) {
  // Both sources have a function `helper` and a name N; each function sees its own.
  SourceUnit first{
      "a.py",
      "def helper(y):\n    tl.static_print(y, N)\n    other(y + N)\n",
      1,
      {{"N", constant(100)}, {"other", function(2, "helper")}, {"tl", language("triton.language")}}};
  SourceUnit second{"b.py",
                    "def helper(y):\n    tl.static_print(y, N)\n",
                    1,
                    {{"N", constant(3)}, {"tl", language("triton.language")}}};
  EXPECT_EQ(printed({kernelOf("    helper(2)\n    tl.static_print(N)\n",
                              {{"helper", function(1, "helper")}, {"N", constant(1000)}}),
                     first, second}),
            "2 100\n102 3\n1000\n");
  // Through a namespace, with a default that names something of its own source.
  SourceUnit third{"c.py",
                   "def scaled(y, by=SCALE):\n    tl.static_print(y * by)\n",
                   1,
                   {{"SCALE", {int64_t(5)}}, {"tl", language("triton.language")}}};
  BoundValue space{bound::Namespace{"module `ops`", {{"scaled", function(1, "scaled")}}}};
  EXPECT_EQ(printed({kernelOf("    ops.scaled(2)\n", {{"ops", space}}), third}), "10\n");
}

TEST(Program, FunctionsArePassedAsValues) {
  SourceUnit combine{"a.py",
                     "@jit\ndef most(a, b):\n    return tl.maximum(a, b) + ZERO\n",
                     1,
                     {{"tl", language("triton.language")}, {"ZERO", {.value = 0.0, .isConstexpr = true}}}};
  CompileResult result =
      compile({kernelOf("    tl.store(x, tl.reduce(tl.load(x + tl.arange(0, 64)), 0, most))\n",
                        {{"most", function(1, "most")}}),
               combine});
  EXPECT_TRUE(result.diagnostics.empty()) << render(result.diagnostics);
  EXPECT_NE(result.stageText[Stage::Tile].find("tile.reduce"), std::string::npos);
}

TEST(Program, TheEntryIsAnySource) {
  SourceUnit helper{"a.py", "def f(y):\n    return missing\n", 1, {}};
  CompileResult result =
      compile({helper, kernelOf("    f(4)\n", {{"f", function(0, "f")}})}, Stage::Tile, specOf("k"), 1);
  ASSERT_EQ(result.diagnostics.size(), 1u) << render(result.diagnostics);
  EXPECT_EQ(result.diagnostics[0].file, "a.py");
  EXPECT_EQ(result.diagnostics[0].notes.at(0).line, 12u);
  std::vector<KernelInfo> kernels = listKernels(*compiler().parse({helper, kernelOf("    pass\n")}, 1));
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_EQ(kernels[0].name, "k");
  EXPECT_EQ(kernels[0].line, 11u);
}

TEST(Program, AnEntryThatIsNotThereIsAnError) {
  auto parsed = compiler().parse(std::vector<SourceUnit>{kernelOf("    pass\n")}, 1);
  EXPECT_EQ(render(compiler().compile(*parsed, specOf()).diagnostics),
            "error: expected the number of one of 1 sources as a program's entry, found 1\n");
  EXPECT_TRUE(listKernels(*parsed).empty());
  EXPECT_FALSE(compiler().configs(*parsed, "k", "sm_90a").configs);
}

TEST(Program, BoundNamesShadowWhatIsAroundAndAreShadowedByLocals) {
  NameTable names = {{"len", constant(1)}, {"N", constant(2)}, {"k", constant(3)}};
  EXPECT_EQ(printed({kernelOf("    tl.static_print(len, N, k)\n    N = 5\n    x = None\n"
                              "    tl.static_print([N for N in (8,)][0])\n",
                              names)}),
            "1 2 3\n8\n");
  // Statements in the text besides its functions are not evaluated.
  SourceUnit unit = kernelOf("    f(1)\n", {{"N", constant(2)}});
  unit.text = "N = 1\n@triton.constexpr_function\ndef f(a):\n    tl.static_print(a, N)\n" +
              kernelOf("    f(1)\n").text;
  EXPECT_EQ(printed({unit}), "1 2\n");
  unit.text = "M = tl.constexpr(1)\n" + kernelOf("    M\n").text;
  EXPECT_EQ(shown({unit}), "main.py:13:5: error: name `M` is not defined\n        M\n        ^\n");
}

TEST(Program, ANameThatNothingBindsIsAnErrorAtItsUse) {
  SourceUnit helper{"lib/util.py", "def f(y):\n    return y + missing\n", 30, {}};
  NameTable names = {{"f", function(1, "f")}, {"blocks", constant(1)}};
  EXPECT_EQ(shown({kernelOf("    f(missing)\n    block = blokcs\n", names), helper}),
            "main.py:12:7: error: name `missing` is not defined\n"
            "        f(missing)\n          ^~~~~~~\n"
            "main.py:13:13: error: name `blokcs` is not defined\n"
            "        block = blokcs\n                ^~~~~~\n"
            "    help: did you mean `blocks`?\n");
  EXPECT_EQ(shown({kernelOf("    f(1)\n    tl.store(x, f(2))\n", names), helper}),
            "lib/util.py:31:16: error: name `missing` is not defined\n"
            "        return y + missing\n                   ^~~~~~~\n"
            "main.py:12:5: note: `f` is called here\n"
            "        f(1)\n        ^~~~\n");
}

TEST(Program, TwoFunctionsOfOneNameMissTheSameName) {
  SourceUnit first{"a.py", "def f(y):\n    return missing\n", 1, {}};
  SourceUnit second{"b.py", "def f(y):\n    return missing\n", 1, {}};
  std::string errors = shown(
      {kernelOf("    f(1)\n    g(1)\n", {{"f", function(1, "f")}, {"g", function(2, "f")}}), first, second});
  EXPECT_NE(errors.find("a.py:2:12: error: name `missing` is not defined"), std::string::npos) << errors;
  EXPECT_NE(errors.find("b.py:2:12: error: name `missing` is not defined"), std::string::npos) << errors;
}

TEST(Program, RecursionThroughSourcesIsAnError) {
  SourceUnit first{"a.py", "def f(y):\n    return g(y)\n", 1, {{"g", function(2, "f")}}};
  SourceUnit second{"b.py", "def f(y):\n    return g(y)\n", 1, {{"g", function(1, "f")}}};
  std::string errors = shown({kernelOf("    f(1)\n", {{"f", function(1, "f")}}), first, second});
  EXPECT_NE(errors.find("b.py:2:12: error: recursion: f -> f -> f"), std::string::npos) << errors;
}

TEST(Program, PlainValuesAreConstantsOrOutOfReach) {
  for (const BoundValue &value : std::vector<BoundValue>{{int64_t(1)},
                                                         {2.5},
                                                         {true},
                                                         {std::string("s")},
                                                         {bound::Tuple{}},
                                                         {bound::List{}},
                                                         {bound::Dict{}}})
    EXPECT_EQ(shown({kernelOf("    y = N\n", {{"N", value}})}),
              "main.py:12:9: error: Cannot access global variable `N`: it is not a constant that a kernel "
              "may read\n"
              "        y = N\n            ^\n"
              "    help: write `N = tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter\n");
  BoundValue space{bound::Namespace{"module `config`", {{"N", {int64_t(1)}}, {"M", constant(2)}}}};
  EXPECT_EQ(
      shown({kernelOf("    y = config.N + config.M\n", {{"config", space}})}),
      "main.py:12:16: error: the attribute `N` of module `config` is not a constant that a kernel may read\n"
      "        y = config.N + config.M\n                   ^\n"
      "    help: make it `tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter\n");
  EXPECT_EQ(printed("config.M", {{"config", space}}), "2\n");
  space.isConstexpr = true;
  EXPECT_EQ(printed("config.N", {{"config", space}}), "1\n");
}

TEST(Program, ANamespaceHasTheAttributesThatItWasGiven) {
  BoundValue space{bound::Namespace{"module `ops`", {}}};
  EXPECT_EQ(shown({kernelOf("    ops.relu(1)\n", {{"ops", space}})}),
            "main.py:12:9: error: module `ops` has no attribute `relu`\n"
            "        ops.relu(1)\n            ^~~~\n");
  EXPECT_EQ(printed("hasattr(ops, 'relu'), ops is ops", {{"ops", space}}), "False True\n");
  EXPECT_EQ(shown({kernelOf("    ops(1)\n", {{"ops", {bound::Namespace{}}}})}),
            "main.py:12:5: error: expected a function to call, found object\n"
            "        ops(1)\n        ^~~\n");
}

TEST(Program, WhatAKernelCannotUseIsAnErrorAtItsUse) {
  NameTable names = {{"w", {bound::Unknown{"a torch.Tensor"}}},
                     {"torch", {bound::Unknown{"module `torch`"}}}};
  EXPECT_EQ(shown({kernelOf("    v = w\n    y = v + 1\n", names)}),
            "main.py:13:9: error: `w` is a torch.Tensor, which cannot be used in what a kernel reads\n"
            "        y = v + 1\n            ^~~~~\n"
            "    help: pass what the kernel needs of it as an argument\n");
  EXPECT_EQ(shown({kernelOf("    torch.exp(x)\n", names)}),
            "main.py:12:11: error: `torch` is module `torch`, which cannot be used in what a kernel reads\n"
            "        torch.exp(x)\n              ^~~\n"
            "    help: in a kernel it is `tl.exp`\n");
}

TEST(Program, WhatDoesNotExistIsAnErrorAtItsUse) {
  EXPECT_EQ(
      shown({kernelOf("    f(1)\n", {{"f", function(7, "g")}})}),
      "main.py:12:5: error: `f` is bound to the function `g` of source 7, which the program does not have\n"
      "        f(1)\n        ^\n");
  EXPECT_EQ(shown({kernelOf("    f(1)\n", {{"f", language("triton.experimental.gluon")}})}),
            "main.py:12:5: error: `f` is `triton.experimental.gluon`, which this compiler does not have\n"
            "        f(1)\n        ^\n");
  EXPECT_EQ(shown({kernelOf("    f(1)\n", {{"f", language("triton.language.exqp")}})}),
            "main.py:12:5: error: module `triton.language` has no attribute `exqp`\n"
            "        f(1)\n        ^\n    help: did you mean `exp`?\n");
  BoundValue deep;
  for (int i = 0; i < 1000; ++i) {
    bound::Tuple tuple;
    tuple.items.push_back(std::move(deep));
    deep = {std::move(tuple)};
  }
  EXPECT_EQ(shown({kernelOf("    T\n", {{"T", std::move(deep)}})}),
            "main.py:12:5: error: expected values that nest at most 32 deep in `T`\n"
            "        T\n        ^\n");
}

TEST(Program, HostFunctionsAreCalledWithKnownValues) {
  std::vector<std::string> seen;
  BoundValue call =
      host("pick", [&](const bound::HostArguments &given) -> std::variant<BoundValue, bound::HostError> {
        for (const BoundValue &value : given.positional)
          seen.push_back(std::to_string(value.value.index()));
        for (const bound::NamedValue &named : given.keywords)
          seen.push_back(named.name + "=" + std::to_string(std::get<int64_t>(named.value.value)));
        return BoundValue{bound::Tuple{{{int64_t(6)}, {bound::Function{1, "f"}}}, {"n", "f"}, "R"}};
      });
  SourceUnit helper{
      "a.py", "def f(y):\n    tl.static_print(y + 1)\n", 1, {{"tl", language("triton.language")}}};
  EXPECT_EQ(
      printed({kernelOf(
                   "    r = tl.constexpr(pick(1, 2.5, 'a', None, True, (1,), tl.float32, tl, f, pick, n=4))\n"
                   "    tl.static_print(pick().n)\n    pick().f(8)\n",
                   {{"pick", call}, {"f", function(1, "f")}}),
               helper}),
      "6\n9\n");
  // In the order of the variant.
  seen.resize(std::min<size_t>(seen.size(), 11));
  EXPECT_EQ(seen, (std::vector<std::string>{"2", "4", "5", "0", "1", "7", "6", "11", "10", "13", "n=4"}));
}

TEST(Program, WhatTheHostComputesShowsInWhatIsHeardOfAKernel) {
  // What is found by it must be the same to the lines that faults and profilers name.
  const std::string body =
      "    if pick() == 1:\n        tl.store(x, 1.0)\n    else:\n        tl.store(x, 1.0)\n";
  std::set<std::string> heard;
  for (int64_t number : {1, 2, 1}) {
    BoundValue pick = host("pick", [number](const bound::HostArguments &) { return BoundValue{number}; });
    CompileOptions options;
    options.isKnown = [&](const std::string &tile) { return !heard.insert(tile).second; };
    const auto source = compiler().parse({kernelOf(body, {{"pick", pick}})}, 0);
    const size_t before = heard.size();
    const CompileResult result = compiler().compile(*source, specOf(), options);
    EXPECT_TRUE(result.diagnostics.empty());
    EXPECT_EQ(result.image.has_value(), heard.size() > before) << "what is known is not compiled";
  }
  EXPECT_EQ(heard.size(), 2u);
}

TEST(Program, HostFunctionsAreErrorsAtTheirCalls) {
  BoundValue fails =
      host("fails", [](const bound::HostArguments &) -> std::variant<BoundValue, bound::HostError> {
        return bound::HostError{"ValueError: no such layout"};
      });
  BoundValue gives =
      host("gives", [](const bound::HostArguments &) -> std::variant<BoundValue, bound::HostError> {
        return BoundValue{bound::Unknown{"a generator"}};
      });
  NameTable names = {{"fails", fails}, {"gives", gives}};
  EXPECT_EQ(shown({kernelOf("    fails()\n", names)}),
            "main.py:12:5: error: `fails`: ValueError: no such layout\n"
            "        fails()\n        ^~~~~~~\n");
  EXPECT_EQ(shown({kernelOf("    gives() + 1\n", names)}),
            "main.py:12:5: error: `gives` is a generator, which cannot be used in what a kernel reads\n"
            "        gives() + 1\n        ^~~~~~~~~~~\n"
            "    help: pass what the kernel needs of it as an argument\n");
  EXPECT_EQ(shown({kernelOf("    fails(1, tl.load(x))\n", names)}),
            "main.py:12:14: error: `fails`: expected a value known at compile time, found fp32\n"
            "        fails(1, tl.load(x))\n                 ^~~~~~~~~~\n");
  EXPECT_EQ(
      shown({kernelOf("    fails(len)\n", names)}),
      "main.py:12:11: error: `fails`: expected a value that can be handed to Python, found function `len`\n"
      "        fails(len)\n              ^~~\n");
}

TEST(Program, TextsMayBeIndentedAsAWhole) {
  SourceUnit unit{"main.py",
                  "    # a comment\n"
                  "    @staticmethod\n"
                  "    @triton.jit\n"
                  "    def k(x):\n"
                  "        if True:\n"
                  "            y = 1 + missing\n"
                  "  # another\n"
                  "        return\n",
                  40,
                  {{"triton", language("triton")}}};
  EXPECT_EQ(shown({unit}), "main.py:45:21: error: name `missing` is not defined\n"
                           "                y = 1 + missing\n                        ^~~~~~~\n");
  unit.text = "\tdef k(x):\n\t\ty = (1 +\n\t\treturn\n";
  std::string broken = shown({unit});
  EXPECT_NE(broken.find("main.py:42:"), std::string::npos) << broken;
  unit.text = "    def k(x):\n        pass\n  y = 1\n";
  EXPECT_EQ(shown({unit}),
            "main.py:42:1: error: expected the indentation of an enclosing block, found 2 columns\n"
            "      y = 1\n    ^~\n    help: the nearest enclosing block is indented by 4\n");
}

TEST(Program, WhatTheHostSaysIsAJitFunctionIsOne) {
  // Neither the kernel nor the helper is decorated in its text, or by what this compiler knows nothing of.
  SourceUnit kernel = kernelOf("    tl.static_print(1)\n    f(1)\n", {{"f", function(1, "f")}});
  kernel.text.erase(0, kernel.text.find("def"));
  SourceUnit helper{"a.py", "@registered(3, twice=True)\ndef f(y):\n    return y\n", 1, {}};
  EXPECT_EQ(printed({kernel, helper}), "1\n");
  kernel.text = "@traced\n@triton.jit(bounds=3)\n" + kernel.text;
  EXPECT_EQ(printed({kernel, helper}), "1\n");
  // What does not parse of it is an error of the program.
  helper.text = "def f(y):\n    return y +\n";
  EXPECT_EQ(shown({kernel, helper}), "a.py:2:15: error: expected an expression, found end of line\n"
                                     "        return y +\n                  ^\n");
}

TEST(Program, ASourceWithoutNamesIsAFile) {
  SourceUnit file{"ops.py",
                  "import triton\nimport triton.language as tl\nN = tl.constexpr(5)\n"
                  "@triton.jit\ndef f(y):\n    tl.static_print(y + N)\n",
                  1,
                  {}};
  EXPECT_EQ(printed({kernelOf("    f(1)\n", {{"f", function(1, "f")}}), file}), "6\n");
}

TEST(Program, RemarksAndLineTablesNameTheTrueLines) {
  SourceUnit helper{"lib/util.py",
                    "def f(y):\n    return tl.sum(tl.load(y + tl.arange(0, 64)), 0)\n",
                    30,
                    {{"tl", language("triton.language")}}};
  CompileOptions options;
  options.remarks = true;
  CompileResult result = compiler().compile(
      *compiler().parse({kernelOf("    tl.store(x, f(x))\n", {{"f", function(1, "f")}}), helper}, 0),
      specOf(), options);
  ASSERT_TRUE(result.image) << render(result.diagnostics);
  bool found = false;
  for (const Remark &remark : result.remarks)
    found = found || (remark.file == "lib/util.py" && remark.line == 31);
  EXPECT_TRUE(found);
  // Both files, with the true lines, stand in the line table.
  const std::string &ptx = result.image->ptx;
  for (const char *line : {".file\t2 \"main.py\"", ".file\t1 \"lib/util.py\"", ".loc\t2 12 ", ".loc\t1 31 "})
    EXPECT_NE(ptx.find(line), std::string::npos) << line << "\n" << ptx;
}

TEST(Program, ErrorsBehindTheFrontEndShowTheLinesOfAllSources) {
  SourceUnit helper{"main.py",
                    "    def turn(x):\n"
                    "        i = tl.arange(0, 256)[:, None]\n"
                    "        j = tl.arange(0, 256)[None, :]\n"
                    "        tl.store(x + i * 256 + j, tl.gather(tl.load(x + i * 256 + j), i ^ j, 0))\n",
                    90,
                    {{"tl", language("triton.language")}}};
  auto parsed = compiler().parse({kernelOf("    turn(x)\n", {{"turn", function(1, "turn")}}), helper}, 0);
  CompileResult result = compiler().compile(*parsed, specOf());
  EXPECT_EQ(
      render(result.diagnostics),
      "main.py:11:5: error: kernel `k` needs 262144 bytes of shared memory, `sm_90a` has 232448 for a block\n"
      "    def k(x):\n        ^\n    help: use smaller tiles\n"
      "main.py:93:35: note: threads exchange what `tile.gather` needs: 262144 bytes\n"
      "            tl.store(x + i * 256 + j, tl.gather(tl.load(x + i * 256 + j), i ^ j, 0))\n"
      "                                      ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST(Program, FaultsNameThePlacesInAllSources) {
  SourceUnit helper{
      "lib/util.py", "def f(y):\n    tl.store(y, 1.0)\n", 30, {{"tl", language("triton.language")}}};
  auto parsed = compiler().parse({kernelOf("    f(x)\n", {{"f", function(1, "f")}}), helper}, 0);
  TileKernel::Made made = TileKernel::create(*parsed, specOf());
  ASSERT_TRUE(made.kernel) << render(made.diagnostics);
  interp::Memory memory;
  const uint64_t address[] = {0};
  EXPECT_EQ(
      made.kernel->launch({1, 1, 1}, address, memory, {}).value_or(""),
      "kernel `k` faulted at lib/util.py:31:5, called from main.py:12, program (0,0,0): store of 4 bytes "
      "at 0x0, `x[0]`: a null address\n"
      "        tl.store(y, 1.0)\n"
      "        ^");
}

TEST(Program, AQuestionAskedQuietlyHidesNoError) {
  // `N.load` asks what the module's N is that the parameter hides.
  SourceUnit unit =
      kernelOf("    f(1)\n    N\n", {{"N", language("triton.language.exqp")}, {"f", function(1, "f")}});
  SourceUnit helper{"main.py", "def f(N):\n    N.load\n", 50, unit.names};
  EXPECT_EQ(shown({unit, helper}),
            "main.py:51:7: error: int has no attribute `load`\n        N.load\n          ^~~~\n"
            "main.py:12:5: note: `f` is called here\n        f(1)\n        ^~~~\n"
            "main.py:13:5: error: module `triton.language` has no attribute `exqp`\n        N\n        ^\n"
            "    help: did you mean `exp`?\n");
}

TEST(Program, NotesShowTheLinesOfOtherSources) {
  SourceUnit helper{"lib/util.py",
                    "def f(y):\n    return tl.load(y + tl.arange(0, 64))\n",
                    30,
                    {{"tl", language("triton.language")}}};
  EXPECT_EQ(shown({kernelOf("    a = f(x)\n    a + tl.arange(0, 32)\n", {{"f", function(1, "f")}}), helper}),

            "main.py:13:5: error: `+`: expected shapes that broadcast, found [64] and [32]\n"
            "        a + tl.arange(0, 32)\n        ^~~~~~~~~~~~~~~~~~~~\n"
            "lib/util.py:31:12: note: the operand of shape [64] is made here\n"
            "        return tl.load(y + tl.arange(0, 64))\n               ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n");
}

TEST(Program, TuningReadsBoundNames) {
  SourceUnit unit = kernelOf("    pass\n", {{"triton", language("triton")},
                                            {"SIZES", {bound::List{{{int64_t(32)}, {int64_t(64)}}}}}});
  unit.text = "@triton.autotune([triton.Config({'N': n}) for n in SIZES], key=[])\n"
              "@triton.heuristics({'M': lambda args: args['N'] * 2})\n@triton.jit\n"
              "def k(x, N: tl.constexpr, M: tl.constexpr):\n    pass\n";
  auto parsed = compiler().parse(std::vector<SourceUnit>{unit}, 0);
  ConfigsResult configs = compiler().configs(*parsed, "k", "sm_90a");
  ASSERT_TRUE(configs.configs) << render(configs.diagnostics);
  ASSERT_EQ(configs.configs->size(), 2u);
  EXPECT_EQ((*configs.configs)[1].values.at("N"), BoundValue{int64_t(64)});
  KernelSpec known = specOf("k");
  known.args["N"] = BoundValue{int64_t(32)};
  HeuristicsResult heuristics = compiler().heuristics(*parsed, known, {"M"});
  ASSERT_TRUE(heuristics.values) << render(heuristics.diagnostics);
  EXPECT_EQ(heuristics.values->at("M"), BoundValue{int64_t(64)});
}
