// Kernels wherever they stand: under conditions, in classes, in functions.
#include "test/compiler/frontend/Harness.h"

#include "compiler/frontend/syntax/ast/JitFunctions.h"
#include "compiler/frontend/syntax/parse/Parser.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string names(std::string_view source) {
  DiagnosticEngine diagnostics;
  auto module = parseModule(std::make_shared<const SourceFile>("k.py", std::string(source)), diagnostics);
  std::string out;
  for (const ast::JitFunction &one : ast::jitFunctions(*module))
    out += one.name + (one.isNested ? " nested" : "") + (one.isConditional ? " conditional" : "") + "\n";
  return out;
}

/// A kernel that prints `what`.
std::string kernel(std::string_view indent, std::string_view what, std::string_view name = "k") {
  std::string in(indent);
  return in + "@triton.jit\n" + in + "def " + std::string(name) + "():\n" + in + "    tl.static_print(" +
         std::string(what) + ")\n";
}

/// Returns the output of the kernel, or the messages.
std::string said(const std::string &source, std::string_view name = "k") {
  std::string out;
  for (const Diagnostic &diagnostic : evaluate(source, {}, false, name).diagnostics)
    out += diagnostic.message + "\n";
  return out;
}

} // namespace

TEST(FindKernel, EveryPlaceIsListed) {
  EXPECT_EQ(names("@jit\ndef a():\n  pass\n"
                  "if X:\n  @jit\n  def b():\n    pass\nelse:\n  @jit\n  def b():\n    pass\n"
                  "try:\n  @jit\n  def c():\n    pass\nexcept E:\n  @jit\n  def d():\n    pass\n"
                  "with w():\n  @jit\n  def e():\n    pass\n"
                  "for i in r:\n  @jit\n  def f():\n    pass\n"
                  "class C:\n  @jit\n  def g():\n    pass\n  class D:\n    @jit\n    def h():\n      pass\n"
                  "def make(n):\n  if n:\n    @jit\n    def i():\n      pass\n  return i\n"
                  "@jit\ndef gone():\n  pass\ndef gone():\n  pass\n"),
            "a\nb conditional\nb conditional\nc conditional\nd conditional\ne\nf\nC.g nested\nC.D.h nested\n"
            "make.i nested conditional\n");
}

TEST(FindKernel, AKernelWhoseNameIsTakenKeepsAnother) {
  EXPECT_EQ(names("@jit\ndef cos_(x):\n  pass\ncos__kernel = cos_\ndef cos_(x):\n  cos__kernel[(1,)](x)\n"),
            "cos__kernel\n");
  EXPECT_EQ(said(kernel("", "1", "f") + "f_kernel = f\ndef f():\n    f_kernel[(1,)]()\n", "f_kernel"), "1\n");
}

TEST(FindKernel, UnderAnIf) {
  EXPECT_EQ(said("from foo import HAS_TRITON\nif HAS_TRITON:\n" + kernel("    ", "1")), "1\n");
  EXPECT_EQ(
      said("from foo import HAS_TRITON\nif not HAS_TRITON:\n    k = None\nelse:\n" + kernel("    ", "1")),
      "1\n");
  EXPECT_EQ(said("if tl.constexpr(True):\n" + kernel("    ", "1") + "else:\n" + kernel("    ", "2")), "1\n");
  EXPECT_EQ(said("if triton.__version__ < '3':\n" + kernel("    ", "1") + "else:\n" + kernel("    ", "2")),
            "2\n");
  EXPECT_EQ(said("if False:\n" + kernel("    ", "1")),
            "kernel `k` stands under a condition that does not hold\n");
  EXPECT_EQ(said("from foo import X\nif X:\n" + kernel("    ", "1") + "else:\n" + kernel("    ", "2")),
            "`k` has two definitions, and which one holds is not known here\n");
  EXPECT_EQ(said("from foo import X\n" + kernel("", "1") + "if X:\n" + kernel("    ", "2")),
            "`k` has two definitions, and which one holds is not known here\n");
  // So does what the kernel calls.
  EXPECT_EQ(
      said("from foo import X\nif X:\n    @triton.jit\n    def f():\n        return 3\nelse:\n    f = None\n"
           "@triton.jit\ndef k():\n    tl.static_print(f().dtype)\n"),
      "int32\n");
}

TEST(FindKernel, UnderATry) {
  EXPECT_EQ(said("try:\n    import triton\n    HAS = True\n" + kernel("    ", "HAS + 1") +
                 "except ImportError:\n    HAS = False\n"),
            "Cannot access global variable `HAS`: it is not a constant that a kernel may read\n");
  EXPECT_EQ(
      said("try:\n    import triton\n" + kernel("    ", "1") + "except ImportError:\n" + kernel("    ", "2")),
      "1\n");
  EXPECT_EQ(said("try:\n    import torch\n" + kernel("    ", "1") + "except ImportError:\n    k = None\n"),
            "1\n");
  EXPECT_EQ(
      said("try:\n    import intel\n" + kernel("    ", "1") + "except ImportError:\n" + kernel("    ", "2")),
      "`k` has two definitions, and which one holds is not known here\n");
}

TEST(FindKernel, InALoopOrAWith) {
  EXPECT_EQ(said("for B in [1, 2]:\n" + kernel("    ", "1")), "1\n");
  EXPECT_EQ(said("with open('f'):\n" + kernel("    ", "1")), "1\n");
}

TEST(FindKernel, InAClass) {
  std::string source = "G = tl.constexpr(7)\nclass C:\n    @staticmethod\n" + kernel("    ", "G");
  EXPECT_EQ(said(source, "C.k"), "7\n");
  EXPECT_EQ(said(source, ""), "7\n") << "the only one";
  EXPECT_EQ(fileErrors(source, {}, "k"), "there is no kernel `k` in the file\n  help: the file has `C.k`\n");
  // What stands at the top of the file is meant before.
  EXPECT_EQ(said(source + kernel("", "8", "top"), ""), "8\n");
}

TEST(FindKernel, InAFunction) {
  EXPECT_EQ(
      said("G = tl.constexpr(7)\ndef make():\n    import triton.language as L\n    B = L.constexpr(2)\n" +
               kernel("    ", "G, B, L.float32"),
           "make.k"),
      "7 2 fp32\n");
  EXPECT_EQ(fileErrors("def make(n):\n" + kernel("    ", "n + 1"), {}, "make.k"),
            "4:25-30: `n` is a parameter of `make` and has no value when a kernel is compiled\n"
            "  1:10-11: it is declared here\n  help: pass it to the kernel as a `tl.constexpr` parameter\n");
  EXPECT_EQ(said("def make(n):\n    def inner():\n        m = tl.constexpr(n)\n" + kernel("        ", "m"),
                 "make.inner.k"),
            "`n` is a parameter of `make` and has no value when a kernel is compiled\n");
  // Mistakes in its text count, those of the function around it do not.
  EXPECT_EQ(said("def make():\n    print 'old'\n" + kernel("    ", "1"), "make.k"), "1\n");
  EXPECT_TRUE(
      holds(said("def make():\n    @triton.jit\n    def k():\n        x = = 1\n    return k\n", "make.k"),
            {"expected"}));
}

TEST(FindKernel, TheKernelsOfAFileAreNamed) {
  EXPECT_EQ(fileErrors(kernel("", "1", "first") + kernel("", "1", "second"), {}, "third"),
            "there is no kernel `third` in the file\n  help: the file has `first`, `second`\n");
}
