// Names that come from other files: every way in which Python finds and binds them.
#include "test/compiler/frontend/Files.h"

using namespace tegula;
using namespace tegula::test;

namespace {

const std::string language = "import triton\nimport triton.language as tl\n";
/// A module with a constant and a jit function that reads it.
const std::string utils =
    language + "W = tl.constexpr(8)\n@triton.jit\ndef f(a):\n    return tl.full((W,), a, tl.float32)\n";

/// Returns what a kernel in `above` prints of `value`.
std::string printed(const std::string &above, const std::string &value, Files others) {
  return messagesOf(language + above, "tl.static_print(" + value + ")", std::move(others));
}

} // namespace

TEST(EvalImport, EveryFormOfImport) {
  for (auto [above, value] : std::initializer_list<std::pair<const char *, const char *>>{
           {"from utils import f, W\n", "W, f(1)"},
           {"from utils import f as g, W as V\n", "V, g(1)"},
           {"import utils\n", "utils.W, utils.f(1)"},
           {"import utils as u\n", "u.W, u.f(1)"},
           {"from utils import *\n", "W, f(1)"},
           {"from .utils import f, W\n", "W, f(1)"},
           {"from . import utils\n", "utils.W, utils.f(1)"},
           {"import pkg.utils\n", "pkg.utils.W, pkg.utils.f(1)"},
           {"import pkg.utils as u\n", "u.W, u.f(1)"},
           {"from pkg import utils\n", "utils.W, utils.f(1)"},
           {"from pkg.utils import f, W\n", "W, f(1)"},
           {"from .pkg.utils import f, W\n", "W, f(1)"},
           {"import pkg.inner.deep\nimport pkg.utils\n", "pkg.inner.deep.W, pkg.utils.f(1)"},
           {"from pkg.inner import W, f\n", "W, f(1)"},
           {"from pkg.inner.up import W, f\n", "W, f(1)"},
       })
    EXPECT_EQ(printed(above, value,
                      {{"utils.py", utils},
                       {"pkg/utils.py", utils},
                       {"pkg/inner/deep.py", utils},
                       {"pkg/inner/__init__.py", "from .deep import *\n"},
                       {"pkg/inner/up.py", "from ..utils import W, f\n"}}),
              std::string(value).find("(1)") != std::string::npos ? "8 fp32[8]\n" : "8\n")
        << above;
}

TEST(EvalImport, FunctionsSeeTheVariablesOfTheirOwnFile) {
  EXPECT_EQ(printed("from utils import f\nW = tl.constexpr(100)\n", "f(1), W", {{"utils.py", utils}}),
            "fp32[8] 100\n");
  EXPECT_EQ(
      printed("from utils import g\n", "g(1)",
              {{"utils.py", language + "from deep import f\n@triton.jit\ndef g(a):\n    return f(a) * 2\n"},
               {"deep.py", utils}}),
      "fp32[8]\n");
  // Defaults are those of the file, too.
  EXPECT_EQ(
      printed("from utils import g\n", "g()",
              {{"utils.py",
                language + "D = 4\n@triton.jit\ndef g(a: tl.constexpr = D):\n    return tl.arange(0, a)\n"}}),
      "int32[4]\n");
}

TEST(EvalImport, TheLanguageThroughAnotherFile) {
  const Files others = {
      {"pkg/__init__.py", "from .compat import tl, triton, jit\n"},
      {"pkg/compat.py", language + "import math\njit = triton.jit\nlibdevice = tl.extra.libdevice\n"
                                   "__all__ = ['tl', 'triton', 'jit']\n"},
      {"pkg/ext.py",
       language + "@triton.jit\ndef program_id(axis):\n    return tl.program_id(axis).to(tl.int64)\n"}};
  for (const char *above :
       {"from pkg.compat import tl, triton\n", "from pkg import tl, triton\n", "from pkg.compat import *\n",
        "import pkg.compat as c\ntriton = c.triton\ntl = c.tl\n"})
    EXPECT_EQ(messagesOf(above, "tl.static_print(tl.float32, tl.arange(0, 4))", others), "fp32 int32[4]\n")
        << above;
  EXPECT_EQ(messagesOf(
                {.files = {{"k.py",
                            "from pkg import tl, jit\n@jit\ndef k(x):\n    tl.static_print(tl.cdiv(7, 2))\n"},
                           *others.find("pkg/compat.py"),
                           *others.find("pkg/__init__.py")}}),
            "4\n");
  EXPECT_EQ(printed("import pkg.ext as ext\n", "ext.program_id(0)", others), "int64\n");
  EXPECT_EQ(printed("from pkg import compat\n", "compat.math.pi > 3, compat.libdevice.tanh(1.0)", others),
            "True fp32\n");
}

TEST(EvalImport, PrefersAsPythonDoes) {
  // What a package binds comes before its parts.
  EXPECT_EQ(printed("from pkg import v\n", "v",
                    {{"pkg/__init__.py", language + "v = tl.constexpr(1)\n"}, {"pkg/v.py", "v = 2\n"}}),
            "1\n");
  // The last statement counts, also among imports, stars and assignments.
  EXPECT_EQ(printed("from a import W\nfrom b import W\n", "W",
                    {{"a.py", "W = 1\n"}, {"b.py", language + "W = tl.constexpr(2)\n"}}),
            "2\n");
  EXPECT_EQ(printed("W = tl.constexpr(1)\nfrom utils import *\n", "W", {{"utils.py", utils}}), "8\n");
  EXPECT_EQ(printed("from utils import *\nW = tl.constexpr(1)\n", "W", {{"utils.py", utils}}), "1\n");
  // No file stands in for the language.
  EXPECT_EQ(printed("import math\n", "math.pi > 3", {{"math.py", "pi = 1\n"}, {"triton/language.py", ""}}),
            "True\n");
}

TEST(EvalImport, AStarTakesWhatTheModuleLists) {
  const std::string constants = language + "A = tl.constexpr(1)\n_B = tl.constexpr(2)\n";
  EXPECT_EQ(printed("from c import *\n", "A", {{"c.py", constants}}), "1\n");
  EXPECT_EQ(printed("from c import *\n", "_B", {{"c.py", constants + "__all__ = ['_B']\n"}}), "2\n");
  EXPECT_EQ(printed("from c import *\n", "_B", {{"c.py", constants + "__all__ = []\n__all__ += ['_B']\n"}}),
            "2\n");
  for (const char *listed : {"", "__all__ = ['_B']\n"})
    EXPECT_TRUE(holds(printed("from c import *\n", *listed ? "A" : "_B", {{"c.py", constants + listed}}),
                      {"is not defined"}))
        << listed;
  for (const char *under :
       {"if True:\n    ", "try:\n    ", "if False:\n    pass\nelse:\n    try:\n        "}) {
    bool isTry = std::string_view(under).find("try") != std::string_view::npos;
    EXPECT_EQ(printed(under + std::string("from c import *\n") +
                          (!isTry          ? ""
                           : *under == 't' ? "except ImportError:\n    pass\n"
                                           : "    except ImportError:\n        pass\n"),
                      "A", {{"c.py", constants}}),
              "1\n")
        << under;
  }
  // A list that cannot be computed is none.
  EXPECT_EQ(printed("from c import *\n", "A", {{"c.py", constants + "import os\n__all__ = os.names()\n"}}),
            "1\n");
  // Modules that a package lists, and stars of stars.
  EXPECT_EQ(printed("from pkg import *\n", "utils.W",
                    {{"pkg/__init__.py", "__all__ = ['utils']\n"}, {"pkg/utils.py", utils}}),
            "8\n");
  EXPECT_EQ(printed("from a import *\n", "W, sigmoid(1.0)",
                    {{"a.py", "from b import *\nfrom triton.language import *\n"}, {"b.py", utils}}),
            "8 fp32\n");
}

TEST(EvalImport, ATryTakesTheHandlerWhereAModuleIsNotThere) {
  const Files others = {{"fast.py", language + "V = tl.constexpr(1)\n"},
                        {"slow.py", language + "V = tl.constexpr(2)\n"}};
  EXPECT_EQ(
      printed("try:\n    from fast import V\nexcept ImportError:\n    from slow import V\n", "V", others),
      "1\n");
  for (const char *failing : {"from slow.missing import V", "import slow.missing\n    from fast import V",
                              "from fast import Missing as V", "from .missing import V",
                              "from fast import V\n    import slow.missing"})
    for (const char *handler : {"ImportError", "(OSError, ImportError)", "ModuleNotFoundError", "Exception"})
      EXPECT_EQ(
          printed("try:\n    " + std::string(failing) + "\nexcept " + handler + ":\n    from slow import V\n",
                  "V", others),
          "2\n")
          << failing;
  EXPECT_EQ(printed("try:\n    V = tl.constexpr(3)\n    import slow.missing\nexcept ImportError:\n    pass\n",
                    "V", others),
            "3\n");
  EXPECT_EQ(
      printed("try:\n    import slow.missing\n    V = tl.constexpr(1)\nexcept OSError:\n    pass\nexcept "
              "ImportError:\n    V = "
              "tl.constexpr(4)\n",
              "V", others),
      "4\n");
  // What is not found may be installed where the program runs.
  for (const char *foreign :
       {"import torch", "import flash_attn", "from vllm.platforms import current_platform"})
    EXPECT_TRUE(holds(printed("try:\n    " + std::string(foreign) +
                                  "\n    V = tl.constexpr(1)\nexcept ImportError:\n    V = tl.constexpr(2)\n",
                              "V", others),
                      {"`V` has two definitions, and which one holds is not known here"}))
        << foreign;
}

TEST(EvalImport, ASideIsNotGuessed) {
  const Files others = {{"amd.py", utils}, {"nvidia.py", utils}};
  EXPECT_TRUE(holds(
      printed("import torch\nif torch.is_amd:\n    from amd import W\nelse:\n    from nvidia import W\n", "W",
              others),
      {"`W` has two definitions, and which one holds is not known here"}));
  EXPECT_EQ(printed("from amd import W as FLAG\nif FLAG == 8:\n    from nvidia import f\nelse:\n    from amd "
                    "import f\n",
                    "f(1)", others),
            "fp32[8]\n");
}

TEST(EvalImport, ConstantsOfEveryKind) {
  EXPECT_EQ(
      printed(
          "from c import DTYPES, pick, BLOCK\nD = DTYPES['half']\nB = tl.constexpr(pick(3))\n", "D, B, BLOCK",
          {{"c.py",
            language +
                "import math\nDTYPES = {'half': tl.float16}\ndef pick(n):\n    return BASE << n\nBASE = 2\n"
                "BLOCK = tl.constexpr(int(math.log2(256)))\n"}}),
      "fp16 16 8\n");
  // The rule for what a kernel reads is the same in every file.
  EXPECT_EQ(printed("from c import V\n", "V", {{"c.py", "V = 1\n"}}),
            "k.py:6:21: Cannot access global variable `V`: it is not a constant that a kernel may read\n"
            "  k.py:3:1: `V` is assigned here\n"
            "  help: write `V = tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter\n");
  EXPECT_EQ(printed("import c\n", "c.V", {{"c.py", "V = 1\n"}}),
            "k.py:6:23: the variable `V` of module `c` is not a constant that a kernel may read\n"
            "  c.py:1:1: `V` is assigned here\n"
            "  help: write `V = tl.constexpr(...)` there, or pass it as a `tl.constexpr` parameter\n");
}

TEST(EvalImport, OnlyWhatIsNeededIsRead) {
  EXPECT_EQ(printed("from utils import W\nfrom broken import X\nimport huge\n", "W",
                    {{"utils.py", utils + "from broken import Y\n"},
                     {"broken.py", "def (\n"},
                     {"huge.py", "!it is too large"}}),
            "8\n");
}

TEST(EvalImport, CirclesThatPythonBearsAreFine) {
  // Each file needs a part of the other.
  EXPECT_EQ(
      printed(
          "import a\n", "a.f(1)",
          {{"a.py",
            language +
                "from b import W\n@triton.jit\ndef f(a):\n    return tl.arange(0, W)\nV = tl.constexpr(2)\n"},
           {"b.py",
            language + "import a\nW = tl.constexpr(2)\n@triton.jit\ndef g(x):\n    return a.f(x)\n"}}),
      "int32[2]\n");
  // A file that imports itself, by its name and through its package.
  EXPECT_EQ(printed("W = tl.constexpr(3)\nimport k as me\nfrom . import k as too\n", "me.W, too.W", {}),
            "3 3\n");
  EXPECT_EQ(printed("from pkg import part\n", "part.W",
                    {{"pkg/__init__.py", "from . import part\n"}, {"pkg/part.py", utils}}),
            "8\n");
  EXPECT_EQ(
      printed("from a import W\n", "W",
              {{"a.py", language + "W = tl.constexpr(5)\nfrom b import W\n"}, {"b.py", "from a import W\n"}}),
      "5\n");
  EXPECT_EQ(printed("from a import *\n", "W",
                    {{"a.py", "from b import *\n"}, {"b.py", "from a import *\n" + utils}}),
            "8\n");
}

TEST(EvalImport, NamesOfModulesCanBeGivenValues) {
  const BoundValue no{false}, none{std::monostate()};
  const std::string test = "tl.static_print(1 if FLAG else 2)";
  const Files found = {
      {"pkg/utils.py",
       "import torch\nFLAG = torch.version.hip is not None\ndef is_amd():\n    return FLAG\n"}};
  for (const Files &others : {found, Files()}) {
    EXPECT_EQ(messagesOf(language + "from pkg.utils import FLAG\n", test, others, {{"pkg.utils.FLAG", no}}),
              "2\n");
    EXPECT_EQ(messagesOf(language + "import pkg.utils as u\nFLAG = tl.constexpr(u.FLAG)\n", test, others,
                         {{"pkg.utils.FLAG", no}}),
              "2\n");
    EXPECT_EQ(messagesOf(language + "from pkg.utils import is_amd\nFLAG = tl.constexpr(is_amd())\n", test,
                         others, {{"pkg.utils.is_amd()", no}}),
              "2\n");
  }
  EXPECT_EQ(messagesOf(language + "from pkg.utils import is_amd\nFLAG = tl.constexpr(is_amd())\n", test,
                       found, {{"torch.version.hip", none}}),
            "2\n");
  EXPECT_EQ(messagesOf(language + "from vendor import platform\nFLAG = tl.constexpr(platform.is_rocm())\n",
                       test, {}, {{"vendor.platform.is_rocm()", no}}),
            "2\n");
  // A module of the language, which a project would pick as it runs.
  EXPECT_EQ(messagesOf(language + "from pkg import shim\n", "tl.static_print(shim.tanh(1.0))", {},
                       {{"pkg.shim", {std::string("triton.language.extra.libdevice")}}}),
            "fp32\n");
  EXPECT_EQ(messagesOf(language + "from pkg import tanh\n", "tl.static_print(tanh(1.0))", {},
                       {{"pkg.tanh", {std::string("triton.language.extra.libdevice.tanh")}}}),
            "fp32\n");
  // Variables of the environment are texts, and None where they are not set.
  for (const char *asked :
       {"os.environ.get('FAST', '0')", "os.getenv('FAST', '0')", "(os.environ.get('FAST') or '0')"}) {
    const std::string above = language + "import os\nif " + asked +
                              " == '1':\n    FLAG = tl.constexpr(1)\nelse:\n"
                              "    FLAG = tl.constexpr(0)\n";
    EXPECT_EQ(messagesOf(above, test, {}, {{"os.environ.FAST", {int64_t(1)}}}), "1\n") << asked;
    EXPECT_EQ(messagesOf(above, test, {}, {{"os.environ.FAST", {std::string("0")}}}), "2\n") << asked;
    EXPECT_EQ(messagesOf(above, test, {}, {{"os.environ.FAST", none}}), "2\n") << asked;
    EXPECT_TRUE(holds(messagesOf(above, test, {}, {{"os.environ.OTHER", none}}),
                      {"`FLAG` has two definitions, and which one holds is not known here",
                       "help: leave the definition that is meant, or say what decides: `-D "
                       "'os.environ.FAST=VALUE'`"}))
        << asked;
  }
  // Also without a loader of files.
  EXPECT_EQ(
      messagesOf({.files = {{"k.py", language + "from pkg.utils import FLAG\n@triton.jit\ndef k(x):\n    " +
                                         test + "\n"}},
                  .values = {{"pkg.utils.FLAG", no}},
                  .isAlone = true}),
      "2\n");
}
