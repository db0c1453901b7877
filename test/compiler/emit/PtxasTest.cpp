// Assembles the PTX that we emit with NVIDIA's ptxas, for every architecture, optimised and not: expects no
// warning and no spill.
#include "compiler/driver/Compiler.h"
#include "compiler/target/Target.h"
#include "test/Assembler.h"

#include <gtest/gtest.h>

using namespace tegula;
using namespace tegula::test;

namespace {

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Case {
  const char *name, *file, *kernel;
  std::vector<std::pair<const char *, const char *>> args; ///< types as in signatures; `#` for numbers
  int warps = 4;
  bool byRows = false; ///< holds a row in registers: too many for what -O0 makes of them
};

/// A kernel that goes by rows, whose parameters are of the types that a launch on whole rows gives them.
Case rows(const char *name, const char *file, const char *kernel, const char *pointer,
          std::vector<std::pair<const char *, const char *>> more, int warps) {
  Case test{name, file, kernel, {{"x_ptr", pointer}, {"stride", "i32:16"}}, warps};
  test.args.insert(test.args.end(), more.begin(), more.end());
  test.byRows = true;
  return test;
}

/// Prints the name of a case in GoogleTest's lists.
void PrintTo(const Case &test, std::ostream *os) { *os << test.name; }

std::vector<std::pair<const char *, const char *>> layernormArgs(const char *block) {
  return {{"y_ptr", "*fp32:16"},    {"weight_ptr", "*fp32:16"},
          {"bias_ptr", "*fp32:16"}, {"mean_ptr", "*fp32:16"},
          {"rstd_ptr", "*fp32:16"}, {"n", "i32:16"},
          {"eps", "fp32"},          {"BLOCK", block}};
}

const std::vector<Case> &cases() {
  static const std::vector<Case> all = {
      {"add_fp32",
       "vector_add.py",
       "add_kernel",
       {{"x_ptr", "*fp32:16"},
        {"y_ptr", "*fp32:16"},
        {"out_ptr", "*fp32:16"},
        {"n", "i32:16"},
        {"BLOCK_SIZE", "#1024"}}},
      {"add_bf16",
       "vector_add.py",
       "add_kernel",
       {{"x_ptr", "*bf16:16"},
        {"y_ptr", "*bf16:16"},
        {"out_ptr", "*bf16:16"},
        {"n", "i32:16"},
        {"BLOCK_SIZE", "#1024"}}},
      {"add_unaligned",
       "vector_add.py",
       "add_kernel",
       {{"x_ptr", "*i8"}, {"y_ptr", "*i8"}, {"out_ptr", "*i8"}, {"n", "i64"}, {"BLOCK_SIZE", "#1024"}}},
      {"gelu_fp16",
       "gelu.py",
       "gelu_kernel",
       {{"x_ptr", "*fp16:16"}, {"y_ptr", "*fp16:16"}, {"n", "i32:16"}, {"BLOCK_SIZE", "#1024"}}},
      {"strided_copy",
       "strided_copy.py",
       "strided_copy_kernel",
       {{"x_ptr", "*fp32:16"},
        {"y_ptr", "*fp32:16"},
        {"n", "i32"},
        {"x_stride", "i32"},
        {"y_stride", "i32"},
        {"BLOCK_SIZE", "#1024"}}},
      {"transpose",
       "transpose.py",
       "transpose_kernel",
       {{"x_ptr", "*fp32:16"},
        {"y_ptr", "*fp32:16"},
        {"M", "i32:16"},
        {"N", "i32:16"},
        {"x_stride", "i32:16"},
        {"y_stride", "i32:16"},
        {"BLOCK_M", "#64"},
        {"BLOCK_N", "#64"}}},
      rows("softmax_fp32", "softmax.py", "softmax_kernel", "*fp32:16",
           {{"y_ptr", "*fp32:16"}, {"n", "i32:16"}, {"BLOCK", "#1024"}}, 4),
      rows("softmax_bf16_long", "softmax.py", "softmax_kernel", "*bf16:16",
           {{"y_ptr", "*bf16:16"}, {"n", "i32:16"}, {"BLOCK", "#32768"}}, 8),
      rows("softmax_short", "softmax.py", "softmax_kernel", "*fp16:16",
           {{"y_ptr", "*fp16:16"}, {"n", "i32"}, {"BLOCK", "#128"}}, 4),
      rows("softmax_persistent", "softmax.py", "softmax_persistent_kernel", "*fp32:16",
           {{"y_ptr", "*fp32:16"}, {"n_rows", "i32"}, {"n", "i32:16"}, {"BLOCK", "#4096"}, {"STAGES", "#2"}},
           8),
      rows("softmax_online", "softmax.py", "softmax_online_kernel", "*bf16:16",
           {{"y_ptr", "*bf16:16"}, {"n", "i32"}, {"BLOCK", "#4096"}}, 8),
      rows("layernorm", "layernorm.py", "layernorm_kernel", "*fp32:16", layernormArgs("#4096"), 4),
      rows("layernorm_any", "layernorm.py", "layernorm_any_kernel", "*fp32:16", layernormArgs("#2048"), 4),
      rows("rmsnorm", "rmsnorm.py", "rmsnorm_kernel", "*bf16:16",
           {{"y_ptr", "*bf16:16"},
            {"weight_ptr", "*bf16:16"},
            {"n", "i32:16"},
            {"eps", "fp32"},
            {"BLOCK", "#4096"}},
           4),
      rows("row_sums", "matrix_sums.py", "row_sums_kernel", "*bf16:16",
           {{"sums_ptr", "*fp32:16"}, {"M", "i32"}, {"N", "i32:16"}, {"BLOCK_M", "#4"}, {"BLOCK_N", "#1024"}},
           4),
      rows("column_sums", "matrix_sums.py", "column_sums_kernel", "*fp32:16",
           {{"sums_ptr", "*fp32:16"},
            {"M", "i32"},
            {"N", "i32:16"},
            {"rows_each", "i32"},
            {"BLOCK_M", "#16"},
            {"BLOCK_N", "#128"}},
           4),
      {"cross_entropy",
       "cross_entropy.py",
       "cross_entropy_kernel",
       {{"logits_ptr", "*bf16:16"},
        {"targets_ptr", "*i64:16"},
        {"losses_ptr", "*fp32:16"},
        {"stride", "i32:16"},
        {"V", "i32"},
        {"ignore_index", "i32"},
        {"BLOCK", "#4096"}},
       8},
      {"histogram",
       "histogram.py",
       "histogram_kernel",
       {{"x_ptr", "*i32:16"}, {"counts_ptr", "*i32:16"}, {"n", "i32"}, {"bins", "i32"}, {"BLOCK", "#1024"}}},
  };
  return all;
}

KernelSpec specOf(const Case &test, std::string_view target) {
  KernelSpec spec;
  spec.kernel = test.kernel;
  spec.target = target;
  spec.numWarps = test.warps;
  for (auto [name, value] : test.args)
    spec.args[name] = value[0] == '#' ? ArgSpec(BoundValue{int64_t(strtoll(value + 1, nullptr, 10))})
                                      : std::get<ArgSpec>(parseArgType(value));
  return spec;
}

class Ptxas : public ::testing::TestWithParam<Case> {};

} // namespace

TEST_P(Ptxas, AcceptsWithoutWarningOrSpill) {
  std::string tool = findAssembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  const Case &test = GetParam();
  Compiler compiler;
  std::string path = std::string(TEGULA_SOURCE_DIR) + "/kernels/" + test.file;
  auto source = compiler.parse(path, readFile(path));
  for (const Target &target : allTargets()) {
    CompileResult result = compiler.compile(*source, specOf(test, target.name));
    ASSERT_TRUE(result.image) << render(result.diagnostics);
    for (const char *level : {"0", "3"}) {
      Assembled assembled =
          assemble(tool, result.image->ptx, target, level, std::string("ptxas_") + test.name);
      std::string what = std::string(target.name) + " -O" + level + "\n" + assembled.text;
      EXPECT_EQ(assembled.status, 0) << what;
      EXPECT_FALSE(assembled.warns()) << what;
      if (level[0] == '3' || !test.byRows)
        EXPECT_FALSE(assembled.spills()) << what;
    }
  }
}

TEST(PtxasAtomics, LoadsAndStoresOfEveryWidth) {
  std::string tool = findAssembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  Compiler compiler;
  auto source = compiler.parse("kernel.py", R"(import triton
import triton.language as tl
@triton.jit
def k(p, n):
    i = tl.arange(0, 512)
    x = tl.atomic_load(p + i, mask=i < n, sem="relaxed", scope="sys")
    tl.atomic_store(p + 512 + i, x, mask=i < n, scope="cta")
    tl.atomic_store(p + 1024, tl.atomic_load(p))
)");
  for (const Target &target : allTargets())
    for (const char *type : {"*i8:16", "*bf16:16", "*fp32:16", "*i64:16"}) {
      KernelSpec spec;
      spec.kernel = "k";
      spec.target = target.name;
      spec.args = {{"p", std::get<ArgSpec>(parseArgType(type))},
                   {"n", std::get<ArgSpec>(parseArgType("i32:16"))}};
      CompileResult result = compiler.compile(*source, spec);
      ASSERT_TRUE(result.image) << render(result.diagnostics);
      Assembled assembled = assemble(tool, result.image->ptx, target, "3", "ptxas_atomics");
      EXPECT_EQ(assembled.status, 0) << target.name << " " << type << "\n" << assembled.text;
      EXPECT_FALSE(assembled.warns()) << assembled.text;
    }
}

/// Compiles a kernel of this name, in a file of this path, that prints and asserts, and assembles it.
void expectAssembled(const std::string &kernel, const std::string &path, const std::string &entry) {
  std::string tool = findAssembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  Compiler compiler;
  auto source =
      compiler.parse(path, "import triton\nimport triton.language as tl\n@triton.jit\ndef " + kernel +
                               "(größe, n):\n    tl.device_print('x \"', n)\n"
                               "    tl.device_assert(n > 0, 'ß')\n    tl.store(größe, n)\n");
  KernelSpec spec;
  spec.kernel = kernel;
  spec.debug = true;
  spec.args = {{"größe", std::get<ArgSpec>(parseArgType("*i32:16"))},
               {"n", std::get<ArgSpec>(parseArgType("i32"))}};
  CompileResult result = compiler.compile(*source, spec);
  ASSERT_TRUE(result.image) << render(result.diagnostics);
  EXPECT_EQ(result.image->kernel, kernel);
  EXPECT_EQ(result.image->entry, entry);
  EXPECT_EQ(result.image->sourceFile, path);
  Assembled assembled = assemble(tool, result.image->ptx, *lookupTarget(spec.target), "3", "ptxas_names");
  EXPECT_EQ(assembled.status, 0) << kernel << " in " << path << "\n" << assembled.text << result.image->ptx;
}

TEST(PtxasNames, WhatAnAssemblerRefusesIsMangled) {
  for (auto [kernel, entry] : {std::pair("_", "_$"),
                               {"WARP_SZ", "WARP_SZ$"},
                               {"A7", "A7$"},
                               {"__nvvm_reflect", "__nvvm_reflect$"},
                               {"été", "$c3$a9t$c3$a9"},
                               {"vprintf", "vprintf$"},
                               {"__assertfail", "__assertfail$"},
                               {"tegula_shared", "tegula_shared$"}})
    expectAssembled(kernel, "kernel.py", entry);
}

TEST(PtxasNames, WordsOfPtxAreKept) {
  for (const char *kernel :
       {"__", "ret", "reg", "add", "entry", "b32", "pred", "param", "tid", "printf", "malloc"})
    expectAssembled(kernel, "kernel.py", kernel);
  const std::string large(5000, 'a');
  expectAssembled(large, "kernel.py", large);
}

TEST(PtxasNames, AnyPathOfASource) {
  for (const char *path : {"a folder/é.py", "a\"quote.py", "back\\slash\\", "line\nend.py", ""})
    expectAssembled("kernel", path, "kernel");
}

INSTANTIATE_TEST_SUITE_P(Kernels, Ptxas, ::testing::ValuesIn(cases()),
                         [](const auto &info) { return std::string(info.param.name); });
