// Errors of imports, and of the files that they lead to: each message has its file, line and reason.
#include "test/compiler/frontend/Files.h"

#include <random>

using namespace tegula;
using namespace tegula::test;

namespace {

const std::string language = "import triton\nimport triton.language as tl\n";

std::string printed(const std::string &above, const std::string &value, Files others) {
  return messagesOf(language + above, "tl.static_print(" + value + ")", std::move(others));
}

} // namespace

TEST(EvalImportError, AModuleThatIsNotThere) {
  EXPECT_EQ(printed("from pkg.utils import W\n", "W + 1", {}),
            "k.py:6:21: `W` comes from `pkg.utils`, which is not found\n  k.py:3:1: it is imported here\n"
            "  help: name the folder that holds `pkg` with `--import-path=DIR`, or give it a value with `-D "
            "pkg.utils.W=VALUE`\n");
  EXPECT_EQ(printed("from .utils import W\n", "W + 1", {}),
            "k.py:6:21: `W` comes from `.utils`, which is not found\n  k.py:3:1: it is imported here\n"
            "  help: give it a value with `-D utils.W=VALUE`\n");
  EXPECT_EQ(printed("import pkg.utils as u\n", "u.W", {}),
            "k.py:6:23: `pkg.utils` cannot be used in what a kernel reads\n  k.py:3:1: it is imported here\n"
            "  help: known at compile time are `triton`, `triton.language`, `math` and modules whose files "
            "are found: "
            "`--import-path=DIR` names a folder to look in\n");
  EXPECT_EQ(printed("from compat import tl as T, math\n", "math.pi", {}),
            "k.py:6:26: `math` comes from `compat`, which is not found\n  k.py:3:1: it is imported here\n"
            "  help: write `import math` in this file\n");
  EXPECT_EQ(
      printed("from pkg.utils import *\n", "unknown", {}),
      "k.py:6:21: name `unknown` is not defined\n  k.py:3:1: what this imports is not known: the module is "
      "not found\n");
}

TEST(EvalImportError, ANameThatIsNotImportedFromAModule) {
  EXPECT_EQ(printed("from utils import WIDTH\n", "WIDTH, HEIGHT",
                    {{"utils.py", language + "WIDTH = tl.constexpr(1)\nHEIGHT = tl.constexpr(2)\n"}}),
            "k.py:6:28: name `HEIGHT` is not defined\n");
  EXPECT_EQ(printed("from triton.language import exp\n", "exp(1.0), sigmoid(1.0)", {}),
            "k.py:6:31: name `sigmoid` is not defined\n  help: did you mean `tl.sigmoid`?\n");
}

TEST(EvalImportError, ANameThatTheModuleDoesNotHave) {
  EXPECT_EQ(printed("from utils import WIDHT\n", "WIDHT + 1", {{"utils.py", "WIDTH = 1\n"}}),
            "k.py:3:19: module `utils` has no attribute `WIDHT`\n  k.py:6:21: `WIDHT` is read here\n  help: "
            "did you mean `WIDTH`?\n");
  EXPECT_EQ(printed("import pkg.utils\n", "pkg.utils.WIDHT", {{"pkg/utils.py", "WIDTH = 1\n"}}),
            "k.py:6:31: module `pkg.utils` has no attribute `WIDHT`\n  help: did you mean `WIDTH`?\n");
  EXPECT_EQ(printed("from . import nothing\n", "nothing.X", {}),
            "k.py:3:15: module `top` has no attribute `nothing`\n  k.py:6:21: `nothing` is read here\n");
}

TEST(EvalImportError, WhatHasNoValueThere) {
  EXPECT_EQ(
      printed("from utils import C\n", "C + 1", {{"utils.py", "class C:\n    pass\n"}}),
      "k.py:6:21: class `C` cannot be used in what a kernel reads\n  utils.py:1:7: it is defined here\n");
  EXPECT_TRUE(holds(printed("from utils import V\n", "V",
                            {{"utils.py", "import torch\nV = torch.cuda.memory_allocated()\n"}}),
                    {"utils.py:2:16: `torch.cuda` cannot be used in what a kernel reads",
                     "k.py:6:21: `V` is read here", "utils.py:1:1: it is imported here"}));
}

TEST(EvalImportError, MistakesInAFunctionOfAnotherFile) {
  EXPECT_EQ(printed("from utils import f\n", "f(1)",
                    {{"utils.py", language + "@triton.jit\ndef f(a):\n    return a + blok\n"}}),
            "utils.py:5:16: name `blok` is not defined\n  k.py:6:21: `f` is called here\n");
  EXPECT_TRUE(holds(
      printed("from utils import f\n", "f(1)", {{"utils.py", "def f(a):\n    return a\n"}}),
      {"k.py:6:21: expected a `@triton.jit` function to call from a kernel, found the plain function `f`",
       "utils.py:1:5: `f` is defined here"}));
}

TEST(EvalImportError, AFileThatDoesNotParse) {
  EXPECT_EQ(printed("from utils import f, g\n", "f(1), g(1)", {{"utils.py", language + "W = = 1\n"}}),
            "utils.py:3:5: expected an expression, found `=`\n");
  // That it is wrong is no reason to take another.
  EXPECT_TRUE(holds(printed("try:\n    from utils import f\nexcept ImportError:\n    from other import f\n",
                            "f(1)", {{"utils.py", "W = = 1\n"}, {"other.py", "f = 1\n"}}),
                    {"utils.py:1:5: expected an expression"}));
}

TEST(EvalImportError, AFileThatCannotBeRead) {
  EXPECT_EQ(printed("from utils import f\n", "f(1)", {{"utils.py", "!it is a directory"}}),
            "k.py:3:1: cannot read `utils.py`: it is a directory\n  k.py:6:21: `f` is read here\n");
  EXPECT_EQ(printed("from utils import *\n", "f(1)", {{"utils.py", "!permission denied"}}),
            "k.py:3:1: cannot read `utils.py`: permission denied\n  k.py:6:5: `tl` is read here\n");
}

TEST(EvalImportError, ACircleThatLeadsNowhere) {
  EXPECT_EQ(printed("from a import W\n", "W", {{"a.py", "from b import W\n"}, {"b.py", "from a import W\n"}}),
            "b.py:1:15: `W` has no value yet: it is imported in a circle, a.py -> b.py -> a.py\n"
            "  a.py:1:15: `W` is read here\n  k.py:3:15: `W` is read here\n  k.py:6:21: `W` is read here\n");
  EXPECT_TRUE(holds(printed("from k import W\n", "W", {}), {"it is imported in a circle, k.py -> k.py"}));
  EXPECT_TRUE(holds(printed("from a import V\n", "V",
                            {{"a.py", "import b\nV = b.W + 1\n"}, {"b.py", "import a\nW = a.V + 1\n"}}),
                    {"imported in a circle, a.py -> b.py -> a.py"}));
}

TEST(EvalImportError, ChainsAreBounded) {
  Files chain;
  for (int i = 0; i < 2000; ++i)
    chain["m" + std::to_string(i) + ".py"] = "from m" + std::to_string(i + 1) + " import W\n";
  EXPECT_TRUE(holds(printed("from m0 import W\n", "W", chain), {"nest deeper than 600"}));
  Files stars;
  for (int i = 0; i < 2000; ++i)
    stars["m" + std::to_string(i) + ".py"] = "from m" + std::to_string(i + 1) + " import *\n";
  EXPECT_NE(printed("from m0 import *\n", "W", stars), "");
}

TEST(EvalImportError, AnyGraphOfImportsEnds) {
  std::mt19937 random(7);
  auto pick = [&](size_t count) { return random() % count; };
  const std::vector<std::string> names = {"a", "b", "c", "p", "p.q", "missing"};
  for (int round = 0; round < 300; ++round) {
    auto module = [&] { return names[pick(names.size())]; };
    auto variable = [&] { return std::string(1, "XYZ"[pick(3)]); };
    auto statement = [&](auto &self, int depth) -> std::string {
      switch (pick(depth > 2 ? 6 : 9)) {
      case 0:
        return "from " + module() + " import " + variable() + " as " + variable() + "\n";
      case 1:
        return "from " + module() + " import *\n";
      case 2:
        return "import " + module() + " as " + variable() + "\n";
      case 3:
        return "from " + std::string(1 + pick(3), '.') + (pick(2) ? module() : "") + " import " + variable() +
               "\n";
      case 4:
        return variable() + " = " + (pick(2) ? "tl.constexpr(1)" : variable() + ".X") + "\n";
      case 5:
        return "__all__ = ['" + variable() + "']\n";
      case 6:
        return "if " + variable() + ":\n    " + self(self, 3) + "else:\n    " + self(self, 3);
      case 7:
        return "try:\n    " + self(self, 3) + "except ImportError:\n    " + self(self, 3);
      default:
        return "def X():\n    return Y\n";
      }
    };
    Files files;
    for (const char *path : {"a.py", "b.py", "c.py", "p/__init__.py", "p/q.py"})
      for (int line = 0; line < 5; ++line)
        files[path] += statement(statement, 0);
    const std::string above = statement(statement, 0) + statement(statement, 0) + statement(statement, 0);
    EXPECT_NE(printed(above, "X, Y", files), "") << above;
  }
}
