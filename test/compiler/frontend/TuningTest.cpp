// Reading decorators: configs, heuristics, keywords.
#include "compiler/frontend/Tuning.h"
#include "compiler/frontend/syntax/ast/JitFunctions.h"
#include "compiler/frontend/syntax/parse/Parser.h"
#include "test/compiler/frontend/Harness.h"

#include "mlir/IR/MLIRContext.h"

using namespace tegula;
using namespace tegula::test;

namespace {

constexpr std::string_view imports = "import triton\nimport triton.language as tl\n";

struct Parsed {
  explicit Parsed(std::string_view source) {
    auto file = std::make_shared<const SourceFile>("kernel.py", std::string(imports) + std::string(source));
    module = parseModule(file, diagnostics);
    EXPECT_FALSE(diagnostics.hasErrors()) << render(diagnostics.diagnostics());
    for (const ast::JitFunction &one : ast::jitFunctions(*module))
      if (one.name == "k")
        kernel = one.function;
    EXPECT_TRUE(kernel);
  }
  DiagnosticEngine diagnostics;
  std::unique_ptr<ast::Module> module;
  const ast::FunctionStmt *kernel = nullptr;
};

std::string text(const BoundValue &value);

/// Writes each kind of value.
struct Visitor {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool flag) const { return flag ? "True" : "False"; }
  std::string operator()(int64_t number) const { return std::to_string(number); }
  std::string operator()(uint64_t number) const { return std::to_string(number) + "u"; }
  std::string operator()(double number) const { return std::to_string(number); }
  std::string operator()(const std::string &string) const { return "'" + string + "'"; }
  std::string operator()(const bound::Dtype &type) const { return std::string(scalarKindName(type.scalar)); }
  std::string operator()(const bound::Function &function) const { return function.name; }
  std::string operator()(const bound::Language &known) const { return known.path; }
  std::string operator()(const bound::Descriptor &descriptor) const {
    return "a descriptor of " + std::to_string(descriptor.block.size()) + " axes";
  }
  std::string operator()(bound::Passed) const { return "passed"; }
  std::string operator()(const bound::Tuple &tuple) const { return all("(", tuple.items, ")"); }
  std::string operator()(const bound::List &list) const { return all("[", list.items, "]"); }
  // What no decorator gives.
  template <typename Other> std::string operator()(const Other &) const { return "something else"; }
  static std::string all(std::string out, const std::vector<BoundValue> &items, const char *end) {
    for (const BoundValue &item : items)
      out += text(item) + ",";
    return out + end;
  }
};

std::string text(const BoundValue &value) { return std::visit(Visitor(), value.value); }

std::string text(const std::map<std::string, BoundValue> &values) {
  std::string out;
  for (const auto &[name, value] : values)
    out += (out.empty() ? "" : " ") + name + "=" + text(value);
  return out;
}

void messages(const std::vector<Diagnostic> &diagnostics, std::string &out) {
  for (const Diagnostic &diagnostic : diagnostics) {
    out += std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column) + " " +
           diagnostic.message + "\n";
    messages(diagnostic.notes, out);
    if (diagnostic.help)
      out += "help: " + *diagnostic.help + "\n";
  }
}

/// A line for each config, "A=1 B=2 w4 s3", or the messages.
std::string configs(std::string_view source) {
  Parsed parsed(source);
  mlir::MLIRContext context;
  DiagnosticEngine engine;
  std::optional<std::vector<KernelConfig>> found =
      readConfigs(*parsed.module, *parsed.kernel, KernelSpec(), context, engine);
  EXPECT_EQ(found.has_value(), !engine.hasErrors());
  std::string out;
  messages(engine.diagnostics(), out);
  for (const KernelConfig &config : found.value_or(std::vector<KernelConfig>()))
    out += text(config.values) + " w" + std::to_string(config.numWarps) + " s" +
           std::to_string(config.numStages) +
           (config.maxRegisters ? " r" + std::to_string(*config.maxRegisters) : "") +
           (config.hasPreHook ? " hook" : "") + "\n";
  return out;
}

/// The same with `list` as the configs of a kernel of A, B and C, after `before`.
std::string configsOf(std::string_view list, std::string_view before = "") {
  return configs(
      std::string(before) + "@triton.autotune(configs=" + std::string(list) +
      ", key=['n'])\n@triton.jit\ndef k(n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):\n    pass\n");
}

/// The values of all heuristics for these arguments, or the messages.
std::string heuristics(std::string_view source, const std::map<std::string, BoundValue> &known) {
  Parsed parsed(source);
  mlir::MLIRContext context;
  DiagnosticEngine engine;
  KernelSpec spec;
  spec.kernel = "k";
  for (const auto &[name, value] : known)
    spec.args.emplace(name, value);
  std::vector<std::string> names = describeTuning(*parsed.module, *parsed.kernel).heuristics;
  auto values =
      computeHeuristics(*parsed.module, *parsed.kernel, spec, {names.begin(), names.end()}, context, engine);
  EXPECT_EQ(values.has_value(), !engine.hasErrors());
  std::string out;
  messages(engine.diagnostics(), out);
  return values ? text(*values) : out;
}

std::string heuristicsOf(std::string_view dict, const std::map<std::string, BoundValue> &known,
                         std::string_view before = "") {
  return heuristics(std::string(before) + "@triton.heuristics(" + std::string(dict) +
                        ")\n@triton.jit\ndef k(x, N, EVEN: tl.constexpr, B: tl.constexpr):\n    pass\n",
                    known);
}

BoundValue number(int64_t value) { return {value}; }

} // namespace

TEST(Tuning, ListsAndComprehensions) {
  EXPECT_EQ(
      configsOf(
          "[triton.Config({'A': 1}), triton.Config(kwargs={'A': 2, 'B': True}, num_warps=8, num_stages=0)]"),
      "A=1 w4 s3\nA=2 B=True w8 s1\n");
  EXPECT_EQ(
      configsOf(
          "[triton.Config({'A': a, 'B': b}, num_warps=w) for a in (16, 32) for b in [1, 2] if a * b != 32 "
          "for w in range(1, 3)]"),
      "A=16 B=1 w1 s3\nA=16 B=1 w2 s3\nA=32 B=2 w1 s3\nA=32 B=2 w2 s3\n");
  EXPECT_EQ(configsOf("MORE + [triton.Config({'A': 3}, 2, 5)] + list(MORE[1:])",
                      "MORE = [triton.Config(dict, num_warps=1) for dict in [{'A': 1}, {'A': 2}]]\n"),
            "A=1 w1 s3\nA=2 w1 s3\nA=3 w2 s5\nA=2 w1 s3\n");
  EXPECT_EQ(configsOf("[triton.Config({'A': 'relu', 'B': None, 'C': (1, (2.5, tl.float16))}, maxnreg=64, "
                      "pre_hook=lambda args: "
                      "args, num_ctas=1)]"),
            "A='relu' B=None C=(1,(2.500000,fp16,),) w4 s3 r64 hook\n");
  EXPECT_EQ(configsOf("[]"), " w4 s3\n");
  EXPECT_EQ(configsOf("[triton.Config({'A': 1, 'waves_per_eu': 2})]"), "A=1 w4 s3\n");
  EXPECT_EQ(configs("@triton.jit\ndef k():\n    pass\n"), "");
}

TEST(Tuning, Functions) {
  EXPECT_EQ(
      configsOf(
          "make()",
          "def make(sizes=(1, 2)):\n    found = []\n    for a in sizes:\n        for b in range(2):\n"
          "            if a == 2 and b == 0:\n                continue\n"
          "            found.append(triton.Config({'A': a, 'B': b}))\n    found += [triton.Config({})]\n"
          "    return found\n"),
      "A=1 B=0 w4 s3\nA=1 B=1 w4 s3\nA=2 B=1 w4 s3\n w4 s3\n");
  EXPECT_EQ(configsOf("list(filter(keep, ALL))",
                      "ALL = [triton.Config({'A': a}, num_warps=w) for a in [1, 2] for w in [4, 8]]\n"
                      "def keep(c):\n    return c.kwargs['A'] * c.num_warps == 8\n"),
            "A=1 w8 s3\nA=2 w4 s3\n");
  EXPECT_EQ(
      configsOf(
          "choose()",
          "def is_cuda():\n    return triton.runtime.driver.active.get_current_target().backend == 'cuda'\n"
          "def choose():\n    if is_cuda():\n        return [triton.Config({'A': "
          "triton.runtime.driver.active.get_current_target().arch})]\n    return nothing\n"),
      "A=90 w4 s3\n");
  EXPECT_EQ(configsOf("[triton.Config({'A': triton.runtime.driver.active.get_current_target().warp_size})]"),
            "A=32 w4 s3\n");
  EXPECT_EQ(configsOf("[triton.Config({'A': a, 'B': b}) for a, b in itertools.product([1, 2], (3, 4))]",
                      "import itertools\n"),
            "A=1 B=3 w4 s3\nA=1 B=4 w4 s3\nA=2 B=3 w4 s3\nA=2 B=4 w4 s3\n");
  EXPECT_EQ(configsOf("list(map(lambda a: triton.Config({'A': a}), [5, 6]))"), "A=5 w4 s3\nA=6 w4 s3\n");
}

TEST(Tuning, ListsThatTheModuleGrows) {
  EXPECT_EQ(
      configsOf("ALL",
                "ALL = []\nbase = 1\nfor i in range(3):\n    base = base * 2\n"
                "    ALL.append(triton.Config({'A': base}))\nALL.extend([triton.Config({'A': base})])\n"),
      "A=2 w4 s3\nA=4 w4 s3\nA=8 w4 s3\nA=8 w4 s3\n");
  EXPECT_EQ(
      configsOf("ALL", "ALL = [1]\nALL.clear()\n"),
      "4:1 list cannot be changed by `clear` in what is computed at compile time\n5:26 `ALL` is read here\n"
      "help: make a new value; lists grow by `append`, `extend` and `+=`\n"
      "5:26 expected a list of `triton.Config`, found int in it\n");
  EXPECT_EQ(configsOf("make()", "def make():\n    a = [1]\n    b = a\n    a.append(2)\n    return b\n"),
            "6:5 `b` is the same list as `a`, which would change with it\n8:26 `make` is called here\n"
            "help: copy it first: `a = list(a)`\n"
            "8:26 expected a list of `triton.Config`, found int in it\n");
  EXPECT_EQ(configsOf("make()", "ALL = []\ndef make():\n    ALL.append(2)\n    return ALL\n").substr(0, 89),
            "5:5 `ALL` is a list of the module, which a function cannot change at compile time\n7:26 `m");
  EXPECT_EQ(configsOf("make()", "def make():\n    a = []\n    a.append(2, 3)\n    return a\n").substr(0, 42),
            "5:5 `append`: expected one argument\n7:26 `");
}

TEST(Tuning, ConfigsThatCannotBeRead) {
  EXPECT_EQ(configsOf("[triton.Config({'D': 1})]"),
            "3:26 a config gives a value to `D`, which is no parameter of kernel `k`\n");
  EXPECT_EQ(configsOf("[4]"), "3:26 expected a list of `triton.Config`, found int in it\n");
  EXPECT_EQ(configsOf("[triton.Config(4)]"),
            "3:41 `triton.Config`: expected a dict of values by parameter, found int\n");
  EXPECT_EQ(configsOf("[triton.Config({4: 4})]"),
            "3:41 `triton.Config`: expected names of parameters as keys, found int\n");
  EXPECT_EQ(configsOf("[triton.Config({}, num_warps=-1)]"),
            "3:45 `triton.Config`: expected a small count as `num_warps`, found -1\n");
  EXPECT_EQ(configsOf("[triton.Config({}, maxnreg=0)]"),
            "3:45 `triton.Config`: expected from 1 to 255 registers as `maxnreg`, found 0\n");
  EXPECT_EQ(configsOf("[triton.Config({'A': lambda: 1})]"),
            "3:26 expected a number, string, type or tuple as the value of `A` in a config, found lambda\n");
  EXPECT_EQ(configsOf("[triton.Config({'A': torch.x})]", "import torch\n"),
            "4:53 `torch` cannot be used in what a kernel reads\n3:1 it is imported here\n"
            "help: only `triton`, `triton.language` and `math` are known at compile time\n");
  EXPECT_NE(configsOf("[triton.Config({'A': i}) for i in range(10**9)]")
                .find("evaluation at compile time exceeds its budget of 1000000 steps"),
            std::string::npos);
  EXPECT_EQ(configs("@triton.autotune(key=[])\n@triton.jit\ndef k():\n    pass\n"),
            "3:2 expected `triton.autotune` to be given `configs`\n");
  EXPECT_EQ(configsOf("map(lambda a: a)"), "3:26 `map`: expected one or more sequences\n");
}

TEST(Tuning, Heuristics) {
  const std::map<std::string, BoundValue> known{{"N", number(96)}, {"B", number(32)}};
  EXPECT_EQ(heuristicsOf("{'EVEN': lambda args: args['N'] % args['B'] == 0}", known), "EVEN=True");
  EXPECT_EQ(
      heuristicsOf(
          "values={'B': lambda a: min(triton.next_power_of_2(a['N']), 64), "
          "'EVEN': lambda a: triton.cdiv(a['N'], a['B']), 'num_warps': lambda a: 8 if a['B'] > 32 else 4}",
          {{"N", number(96)}}),
      "B=64 EVEN=2 num_warps=8");
  EXPECT_EQ(heuristicsOf("RULES", known,
                         "def even(args):\n    return args['N'] % 2 == 0\nRULES = {'EVEN': even}\n"),
            "EVEN=True");
  EXPECT_EQ(heuristics("@triton.heuristics({'A': lambda args: 4})\n@triton.heuristics({'B': lambda args: "
                       "args['A'] + args['num_warps']})\n"
                       "@triton.jit\ndef k(A: tl.constexpr, B: tl.constexpr):\n    pass\n",
                       {}),
            "A=4 B=8");
}

TEST(Tuning, HeuristicsOfADictThatIsComputed) {
  // It may give any compile-time value that nothing else gives.
  EXPECT_EQ(
      heuristicsOf("rules(2)", {{"N", number(96)}},
                   "def rules(n):\n    return {'EVEN': lambda args: args['N'] % n == 0, 'B': lambda a: n}\n"),
      "B=2 EVEN=True");
  EXPECT_EQ(heuristicsOf("rules()", {}, "def rules():\n    return {'B': lambda args: 5}\n"), "B=5");
  EXPECT_EQ(heuristicsOf("5", {}),
            "3:20 the heuristic value of `B` cannot be computed here\nhelp: give it with `-D B=VALUE`\n");
}

TEST(Tuning, HeuristicsThatCannotBeComputed) {
  EXPECT_EQ(
      heuristicsOf("{'EVEN': lambda args: args['x'].data_ptr() % 16 == 0, 'B': lambda args: 16, "
                   "'num_warps': lambda args: args['y']}",
                   {{"N", number(96)}}),
      "3:29 the heuristic value of `EVEN` cannot be computed here\n3:47 the dict has no key 'x'\n"
      "3:29 the lambda is called here\n"
      "help: give it with `-D EVEN=VALUE`\n"
      "3:109 the heuristic value of `num_warps` cannot be computed here\n3:127 the dict has no key 'y'\n"
      "3:109 the lambda is called here\n"
      "help: give it with `--num-warps`\n");
  EXPECT_EQ(heuristicsOf("{'EVEN': lambda args: tl}", {}),
            "3:29 the heuristic value of `EVEN` cannot be computed here\n"
            "3:29 expected a value that a parameter can take, found module `triton.language`\n"
            "help: give it with `-D EVEN=VALUE`\n");
}

TEST(Tuning, TheTextAlone) {
  Parsed parsed("@triton.autotune(anything(), key=['n', 'm'])\n@triton.heuristics(values={'E': f, 'F': "
                "g})\n@triton.jit\n"
                "def k(n, m, E, F):\n    pass\n");
  TuningInfo info = describeTuning(*parsed.module, *parsed.kernel);
  EXPECT_TRUE(info.hasConfigs);
  EXPECT_EQ(info.key, (std::vector<std::string>{"n", "m"}));
  EXPECT_EQ(info.heuristics, (std::vector<std::string>{"E", "F"}));
}

TEST(Tuning, DecoratorsOfAKernel) {
  const char *body = "@triton.jit\ndef k():\n    pass\n";
  auto errors = [&](std::string above) { return fileErrors(above + body, {}, "k"); };
  // Configs that cannot be read hinder only uses of them.
  EXPECT_EQ(
      errors("@triton.autotune(configs=unknown(), key=[], warmup=1, rep=2, use_cuda_graph=True, do_bench=f, "
             "cache_results=True, prune_configs_by={}, reset_to_zero=['x'], restore_value=['x'])\n"
             "@triton.heuristics({'E': torch.nothing})\n"),
      "");
  EXPECT_EQ(errors("@triton.heuristics(values={})\n@triton.autotune(configs=[], key=[])\n"), "");
  EXPECT_EQ(errors("@triton.autotune(config=[], key=[])\n"),
            "1:18-24: `triton.autotune` has no parameter `config`\n  help: did you mean `configs`?\n");
  EXPECT_EQ(errors("@triton.heuristics(value={})\n"),
            "1:20-25: `triton.heuristics` has no parameter `value`\n  help: did you mean `values`?\n");
  EXPECT_EQ(errors("@my.cache_autotune(configs=[], foo=1)\n@libentry()\n"),
            "1:2-38: decorator `cache_autotune` is not known here: the kernel is compiled without it\n"
            "2:2-12: decorator `libentry` is not known here: the kernel is compiled without it\n");
  EXPECT_EQ(errors("@(lambda f: f)\n").substr(0, 61),
            "1:3-14: this decorator is not known here: the kernel is compi");
  EXPECT_EQ(fileErrors("@triton.jit\n@triton.autotune(configs=[])\ndef k():\n    pass\n", {}, "k"),
            "2:2-29: expected `autotune` above `@triton.jit`\n  help: `@triton.jit` comes last, next to the "
            "`def`\n");
}

TEST(Tuning, TheJitDecorator) {
  auto errors = [&](std::string decorator) {
    return fileErrors(decorator + "\ndef k():\n    pass\n", {}, "k");
  };
  EXPECT_EQ(errors("@triton.jit(do_not_specialize=['n'], do_not_specialize_on_alignment=[], debug=False, "
                   "noinline=True, "
                   "repr=f, launch_metadata=g, version=3)"),
            "");
  EXPECT_EQ(errors("@triton.jit(do_not_specialise=['n'])"),
            "1:13-30: `triton.jit` has no parameter `do_not_specialise`\n  help: did you mean "
            "`do_not_specialize`?\n");
  EXPECT_EQ(errors("@triton.jit(foo=1)"), "1:13-16: `triton.jit` has no parameter `foo`\n");
  EXPECT_EQ(errors("@my_jit(foo=1)"), "");
  EXPECT_EQ(fileErrors("@triton.jit\nasync def k():\n    pass\n", {}, "k"),
            "2:11-12: expected `k` to be a plain `def`, found `async def`\n");
  EXPECT_EQ(fileErrors("@triton.jit(foo=1)\ndef f():\n    pass\n@triton.jit\ndef k():\n    f()\n", {}, "k"),
            "1:13-16: `triton.jit` has no parameter `foo`\n");
  EXPECT_EQ(fileErrors("@triton.jit\ndef k(**named):\n    pass\n", {}, "k"),
            "2:9-14: expected a kernel without keywords of any name, found `**named`\n");
  // The checks of a debug build.
  const std::string checked = "(debug=True)\ndef k(n):\n    tl.device_assert(n > 0, 'positive')\n";
  EXPECT_NE(evaluate("@triton.jit" + checked, {{"n", "i32"}}, false, "k").ir.find("tile.assert"),
            std::string::npos);
  EXPECT_EQ(evaluate("@triton.jit()" + checked.substr(12), {{"n", "i32"}}, false, "k").ir.find("tile.assert"),
            std::string::npos);
}

TEST(Tuning, TheLastOfTwoKernelsHolds) {
  const char *twice = "@triton.jit\ndef k(n):\n    tl.static_print('first')\n@triton.jit\ndef k():\n    "
                      "tl.static_print('second')\n";
  EXPECT_EQ(evaluate(twice).diagnostics.at(0).message, "second");
  EXPECT_EQ(
      fileErrors("@triton.jit\ndef k():\n    pass\ndef k():\n    pass\n", {}, "k"),
      "4:5-6: expected `k` to be a kernel, found a plain function\n  help: decorate it with `@triton.jit`\n");
}
