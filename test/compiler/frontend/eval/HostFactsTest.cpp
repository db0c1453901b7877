// Questions of a file about packages and the process, answered without running them.
#include "test/compiler/frontend/Files.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const std::string language = "import triton\nimport triton.language as tl\n";

/// Returns what a kernel prints of `value`, which it reads as a constant that `above` computes.
std::string printed(const std::string &above, const std::string &value, Variables variables = std::nullopt,
                    const std::string &target = "sm_90a") {
  return messagesOf({.files = {{"k.py", language + above + "V = tl.constexpr(" + value +
                                            ")\n@triton.jit\ndef k(x):\n    tl.static_print(V)\n"}},
                     .variables = std::move(variables),
                     .target = target});
}

} // namespace

TEST(EvalHostFacts, PyTorchSpeaksOfTheTarget) {
  const std::string torch = "import torch\n";
  for (auto [value, expected] : std::initializer_list<std::pair<const char *, const char *>>{
           {"torch.version.hip is None", "True\n"},
           {"torch.version.cuda is not None", "True\n"},
           {"torch.cuda.is_available()", "True\n"},
           {"torch.xpu.is_available()", "False\n"},
           {"torch.cuda.get_device_capability()", "(9, 0)\n"},
           {"torch.cuda.get_device_capability(torch.cuda.current_device())[0]", "9\n"},
           {"torch.cuda.get_device_capability(device='cuda') >= (8, 9)", "True\n"},
           {"torch.cuda.get_device_properties(0).major", "9\n"},
           {"getattr(torch.cuda.get_device_properties(0), 'warp_size', 1)", "32\n"},
           {"getattr(torch, 'cuda').device_count()", "1\n"},
           {"torch.are_deterministic_algorithms_enabled()", "False\n"},
           {"torch.finfo(torch.float16).max", "65504.0\n"},
           {"torch.finfo(torch.float8_e4m3fn).min", "-448.0\n"},
           {"torch.finfo(torch.float32).eps == 2.0**-23", "True\n"},
           {"torch.iinfo(torch.int8).min", "-128\n"},
           {"torch.iinfo(torch.int64).max == 2**63 - 1", "True\n"},
       })
    EXPECT_EQ(printed(torch, value), expected) << value;
  EXPECT_EQ(printed(torch, "torch.cuda.get_device_capability()", std::nullopt, "sm_86"), "(8, 6)\n");
  EXPECT_EQ(printed("from torch.cuda import get_device_capability as c\n", "c(0)"), "(9, 0)\n");
  EXPECT_EQ(printed("from torch.version import hip\n", "hip"), "None\n");
  EXPECT_EQ(printed("", "triton.runtime.driver.active.utils.get_device_properties(0)['max_shared_mem']"),
            "232448\n");
}

TEST(EvalHostFacts, PyTorchsVersionComparesAsVersionsDo) {
  // As texts do "2.11.0" is less than "2.4".
  const std::string torch = "import torch\nfrom torch import __version__ as found\n";
  for (auto [value, expected] : std::initializer_list<std::pair<const char *, const char *>>{
           {"torch.__version__ >= '2.4'", "True\n"},
           {"torch.__version__ < '2.9.1'", "False\n"},
           {"'2.4' <= found", "True\n"},
           {"torch.__version__ >= (2, 4)", "True\n"},
           {"torch.__version__ == '2.11'", "True\n"},
           {"torch.__version__ != '2.11.1'", "True\n"},
           {"torch.__version__ == 'nightly'", "False\n"},
           {"'2.11' in torch.__version__", "True\n"},
           // What is made of it is a text as any other, and so is the language's own.
           {"torch.__version__ + '' >= '2.4'", "False\n"},
           {"triton.__version__ >= '3.10'", "True\n"},
       })
    EXPECT_EQ(printed(torch, value), expected) << value;
  EXPECT_EQ(messagesOf(language + torch + "V = tl.constexpr(torch.__version__ >= '2.4')\n",
                       "tl.static_print(V)", {}, {{"torch.__version__", {std::string("2.10.0+cu130")}}}),
            "True\n");
  EXPECT_EQ(
      messagesOf({.files = {{"k.py", language + torch +
                                         "if torch.__version__ < '2.4':\n    V = tl.constexpr(1)\nelse:\n"
                                         "    V = tl.constexpr(2)\n@triton.jit\ndef k(x):\n"
                                         "    tl.static_print(V)\n"}}}),
      "2\n");
}

TEST(EvalHostFacts, WhatTheTargetDoesNotSayStaysUnknown) {
  const std::string torch = "import torch\n";
  EXPECT_TRUE(holds(printed(torch, "torch.cuda.get_device_properties(0).multi_processor_count"),
                    {"`torch.cuda.get_device_properties()` cannot be used in what a kernel reads"}));
  // A default would be a guess.
  EXPECT_TRUE(holds(printed(torch, "getattr(torch.cuda.get_device_properties(0), 'name', 'x')"),
                    {"`torch.cuda.get_device_properties()` cannot be used in what a kernel reads"}));
  EXPECT_TRUE(holds(printed(torch, "hasattr(torch, 'npu')"), {"`torch` cannot be used"}));
  EXPECT_TRUE(holds(printed(torch, "torch.cuda"), {"`torch.cuda` cannot be used"}));
  EXPECT_TRUE(holds(printed(torch, "torch.finfo(torch.float64x)"), {"`torch` cannot be used"}));
  EXPECT_TRUE(
      holds(printed(torch, "str(torch.float32)"), {"`torch.float32` cannot be used in what a kernel reads",
                                                   "help: in a kernel it is `tl.float32`"}));
  // As in Python, where Triton compares the two: the branch is never taken.
  EXPECT_EQ(messagesOf(language + torch,
                       "tl.static_print(x.dtype.element_ty == torch.float8_e5m2, torch.int8 != tl.int8)", {}),
            "k.py:6:21: a type of the language is never equal to one of PyTorch's\n"
            "  help: in a kernel it is `tl.float8e5`\n"
            "k.py:6:62: a type of the language is never equal to one of PyTorch's\n"
            "  help: in a kernel it is `tl.int8`\n"
            "False True\n");
  // Given values come first.
  EXPECT_EQ(messagesOf(language + torch + "V = tl.constexpr(torch.version.hip)\n", "tl.static_print(V)", {},
                       {{"torch.version.hip", {std::string("6.2")}}}),
            "6.2\n");
}

TEST(EvalHostFacts, VersionsCompareByTheirNumbers) {
  for (const char *import :
       {"from packaging import version\nparse = version.parse\n", "from packaging.version import parse\n",
        "import packaging.version\nparse = packaging.version.parse\n",
        "from packaging.version import Version as parse\n"}) {
    for (auto [value, expected] : std::initializer_list<std::pair<const char *, const char *>>{
             {"parse(triton.__version__) >= parse('3.0.0')", "True\n"},
             {"parse(triton.__version__) < parse('3')", "False\n"},
             {"parse('3.10') > parse('3.9.1')", "True\n"},
             {"parse('2.1.0+git123') == parse('2.1')", "True\n"},
             {"parse('2.1.0a0').micro", "0\n"},
             {"parse('v1.2.3').minor", "2\n"},
         })
      EXPECT_EQ(printed(import, value), expected) << import << value;
  }
  EXPECT_TRUE(holds(printed("from packaging import version\n", "version.parse('x')"),
                    {"`packaging.version.parse` cannot be used in what a kernel reads"}));
  EXPECT_EQ(printed("import importlib.metadata\n", "importlib.metadata.version('triton')"), "3.6.0\n");
  // Both definitions were in force before.
  EXPECT_EQ(
      printed("from packaging.version import Version\nif Version(triton.__version__) >= Version('3.0'):\n"
              "    W = 1\nelse:\n    W = 2\n",
              "W"),
      "1\n");
}

TEST(EvalHostFacts, TheEnvironmentIsTheOneOfWhoeverFindsFiles) {
  const std::string os = "import os\n";
  const Variables some = std::map<std::string, std::string>{{"FAST", "1"}, {"EMPTY", ""}};
  for (auto [value, expected] : std::initializer_list<std::pair<const char *, const char *>>{
           {"os.environ.get('FAST', '0')", "1\n"},
           {"os.environ.get('SLOW', '0')", "0\n"},
           {"os.environ.get('SLOW', default='7')", "7\n"},
           {"os.getenv('SLOW') is None", "True\n"},
           {"os.environ.get('EMPTY', '0') == ''", "True\n"},
           {"int(os.environ['FAST']) + 1", "2\n"},
           {"'FAST' in os.environ", "True\n"},
           {"'SLOW' not in os.environ", "True\n"},
           {"os.environ.get('FAST', '0').lower() in ('1', 'true')", "True\n"},
       })
    EXPECT_EQ(printed(os, value, some), expected) << value;
  EXPECT_EQ(printed("from os import environ, getenv\n", "environ.get('FAST') + getenv('FAST')", some),
            "11\n");
  EXPECT_TRUE(
      holds(printed(os, "os.environ['SLOW']", some), {"k.py:4:18: the environment has no variable 'SLOW'"}));
  EXPECT_TRUE(holds(printed(os, "os.environ['FAST']"),
                    {"`os.environ` cannot be used in what a kernel reads",
                     "help: give the variable a value with `-D os.environ.NAME=VALUE`"}));
  EXPECT_TRUE(
      holds(printed(os, "'FAST' in os.environ"), {"`os.environ` cannot be used in what a kernel reads"}));
}

TEST(EvalHostFacts, ClassesHoldFunctionsAndConstants) {
  const std::string classes = language + "class Ops:\n"
                                         "    LIMIT = tl.constexpr(9)\n"
                                         "    plain = 3\n"
                                         "    @staticmethod\n"
                                         "    @triton.jit\n"
                                         "    def twice(a):\n"
                                         "        return a * 2\n"
                                         "    def host(a):\n"
                                         "        return a + 1\n"
                                         "class More(Ops):\n"
                                         "    LIMIT = tl.constexpr(7)\n";
  EXPECT_EQ(messagesOf(classes, "tl.static_print(Ops.LIMIT, More.LIMIT, More.twice(1.0))", {}), "9 7 fp32\n");
  EXPECT_EQ(messagesOf(classes + "V = tl.constexpr(More.host(More.plain))\n", "tl.static_print(V)", {}),
            "4\n");
  EXPECT_EQ(
      messagesOf(language + "import ops\n", "tl.static_print(ops.More.twice(1.0))", {{"ops.py", classes}}),
      "fp32\n");
  for (const char *what : {"Ops.plain", "Ops.host(1)", "Ops.missing", "Ops + 1"})
    EXPECT_TRUE(holds(messagesOf(classes, "tl.static_print(" + std::string(what) + ")", {}),
                      {"class `Ops` cannot be used in what a kernel reads"}))
        << what;
}

TEST(EvalHostFacts, FunctionsOfTheHostImportAndTry) {
  for (auto [body, expected] : std::initializer_list<std::pair<const char *, const char *>>{
           {"    import os\n    return int(os.environ.get('N', '3'))\n", "3\n"},
           {"    from math import sqrt as s\n    return s(4.0)\n", "2.0\n"},
           {"    try:\n        import os\n        n = 1\n    except ImportError:\n        n = 2\n    else:\n "
            "       n += 10\n"
            "    finally:\n        n += 100\n    return n\n",
            "111\n"},
           {"    try:\n        import pkg.missing\n        return 1\n    except ImportError:\n        return "
            "2\n",
            "2\n"},
           {"    def inner(a):\n        return a\n    return 5\n", "5\n"},
           {"    return len({1, 2, 2}) + len(frozenset((1, 1)))\n", "3\n"},
           {"    return dict(a=1, b=2)['b'] + dict({'a': 1}, a=4)['a']\n", "6\n"},
           {"    return 'x' in {'x', 'y'}\n", "True\n"},
       })
    EXPECT_EQ(messagesOf({.files = {{"k.py", language + "def f():\n" + body +
                                                 "V = tl.constexpr(f())\n@triton.jit\ndef k(x):\n"
                                                 "    tl.static_print(V)\n"},
                                    {"pkg/__init__.py", ""}},
                          .variables = std::map<std::string, std::string>()}),
              expected)
        << body;
  EXPECT_TRUE(holds(
      printed("def f():\n    try:\n        import elsewhere\n        return 1\n    except ImportError:\n"
              "        return 2\n",
              "f()"),
      {"k.py:5:9: whether this import succeeds is not known here",
       "help: `--import-path=DIR` names a folder to look in"}));
  EXPECT_TRUE(
      holds(printed("def f():\n    try:\n        import triton.missing\n    finally:\n        pass\n", "f()"),
            {"k.py:4:5: `try` cannot be used in what is computed at compile time"}));
  EXPECT_TRUE(holds(printed("def f():\n    def inner():\n        return 1\n    return inner()\n", "f()"),
                    {"`inner` is a function within a function, which cannot be called at compile time",
                     "k.py:4:9: it is defined here"}));
}

TEST(EvalHostFacts, AConstantMayBecomeAVariable) {
  EXPECT_EQ(messagesOf(language, "c: tl.constexpr = 4\n    c = c + 1\n    tl.static_print(c)", {}),
            "int32\n");
}

TEST(EvalHostFacts, AnotherPackagesAutotuneHasParametersOfItsOwn) {
  const std::string kernel = "(configs=[], key=['n'], nearest_power_of_two=True)\n";
  EXPECT_EQ(messagesOf(language + "import tuner\n@tuner.autotune" + kernel, "pass", {}), "");
  EXPECT_TRUE(holds(messagesOf(language + "@triton.autotune" + kernel, "pass", {}),
                    {"`triton.autotune` has no parameter `nearest_power_of_two`"}));
}

TEST(EvalHostFacts, AFunctionMadeAConstantComputesConstants) {
  EXPECT_EQ(messagesOf(language + "@tl.constexpr\ndef f(t):\n    return tl.float32 if t.is_fp16() else t\n",
                       "tl.static_print(f(tl.float16), f(tl.int8))", {}),
            "fp32 int8\n");
}

TEST(EvalHostFacts, ModulesAreFoundByName) {
  const std::string find = "import importlib.util\n"
                           "def load(*names):\n"
                           "    for name in names:\n"
                           "        if spec := importlib.util.find_spec(name):\n"
                           "            module = importlib.util.module_from_spec(spec)\n"
                           "            assert spec.loader is not None\n"
                           "            spec.loader.exec_module(module)\n"
                           "            return module\n"
                           "    return None\n";
  EXPECT_EQ(printed(find, "load('triton.language.nothing', 'triton.language.math').exp is tl.math.exp"),
            "True\n");
  EXPECT_EQ(printed(find, "load('triton.language.nothing') is None"), "True\n");
  EXPECT_EQ(printed("import importlib\n", "importlib.import_module('triton.language').float32"), "fp32\n");
  // What may be installed where the program runs leaves both sides open.
  EXPECT_TRUE(holds(
      printed(find + "if importlib.util.find_spec('some_package') is None:\n    A = 1\nelse:\n    A = 2\n",
              "A"),
      {"`A` has two definitions, and which one holds is not known here\n"}));
}

TEST(EvalHostFacts, FunctionsBecomeConstexprOnesByACall) {
  const std::string wrapped = "try:\n"
                              "    int_type = triton.runtime.jit.constexpr_function(tl.core.get_int_dtype)\n"
                              "except Exception:\n"
                              "    int_type = tl.core.get_int_dtype\n"
                              "def twice(x):\n    return 2 * x\n"
                              "twice = triton.constexpr_function(twice)\n";
  EXPECT_EQ(
      messagesOf(
          {.files = {{"k.py", language + wrapped +
                                  "@triton.jit\ndef k(x):\n"
                                  "    tl.static_print(int_type(bitwidth=16, signed=True), twice(4))\n"}}}),
      "int16 8\n");
  EXPECT_TRUE(holds(printed("", "triton.constexpr_function(3)"),
                    {"`triton.constexpr_function`: expected a function, found int\n"}));
}

TEST(EvalHostFacts, AKernelUnderAConditionOfAGlobalSeesTheImportsBesideIt) {
  EXPECT_EQ(messagesOf({.files = {{"k.py", "K = None\n"
                                           "def make():\n"
                                           "    global K\n"
                                           "    if K is None:\n"
                                           "        import triton\n"
                                           "        import triton.language as tl\n"
                                           "        @triton.jit\n"
                                           "        def k(x):\n"
                                           "            tl.static_print(tl.float16)\n"
                                           "        K = k\n"
                                           "    return K\n"}},
                        .kernel = "make.k"}),
            "fp16\n");
}
