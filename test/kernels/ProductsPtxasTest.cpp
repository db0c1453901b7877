// Every matrix kernel in its default config, given to NVIDIA's assembler for every architecture that has its
// products: no warning, no spill. Registers are what these kernels have least of.
#include "compiler/Compile.h"
#include "compiler/target/Target.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace tegula;

namespace {

/// The assembler, by the environment's PATH or where toolkits put it; empty when there is none.
std::string assembler() {
  std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    if (std::filesystem::exists(folder + "/ptxas"))
      return folder + "/ptxas";
  const std::string usual = "/usr/local/cuda/bin/ptxas";
  return std::filesystem::exists(usual) ? usual : "";
}

std::string outputOf(const std::string &command, int &status) {
  std::string text;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return text;
  char buffer[4096];
  while (size_t read = fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, read);
  status = WEXITSTATUS(pclose(pipe));
  return text;
}

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Case {
  const char *name, *file, *kernel;
  const char *args; ///< "n=i32:16 BLOCK=#64 EVEN=!": a type, a number, None
  bool fp8 = false; ///< not on every architecture
};

/// How GoogleTest names one in its lists.
void PrintTo(const Case &test, std::ostream *os) { *os << test.name; }

#define SIDES " M=i32:16 N=i32:16 K=i32:16"
#define BY_ROWS                                                                                              \
  " stride_am=i32:16 stride_ak=i32=1 stride_bk=i32:16 stride_bn=i32=1 stride_cm=i32:16 stride_cn=i32=1"
#define BY_COLUMNS                                                                                           \
  " stride_am=i32:16 stride_ak=i32=1 stride_bk=i32=1 stride_bn=i32:16 stride_cm=i32:16 stride_cn=i32=1"
#define BATCH_STRIDES " stride_ab=i32:16 stride_bb=i32:16 stride_cb=i32:16"
#define HALVES "a_ptr=*fp16:16 b_ptr=*fp16:16 c_ptr=*fp16:16"
#define ATTENTION                                                                                            \
  "q_ptr=*bf16:16 k_ptr=*bf16:16 v_ptr=*bf16:16 o_ptr=*bf16:16 lse_ptr=*fp32:16 stride_head=i32:16 "         \
  "stride_row=i32:16 N=i32:16 scale=fp32 EVEN_N=#0"
#define LAYERS                                                                                               \
  "x_ptr=*fp16:16 w1_ptr=*fp16:16 b1_ptr=*fp16:16 w2_ptr=*fp16:16 b2_ptr=*fp16:16 y_ptr=*fp16:16 M=i32:16 "  \
  "IN=i32:16 HIDDEN=i32:16 OUT=i32:16"

const Case cases[] = {
    {"matmul", "matmul.py", "matmul_kernel", HALVES SIDES BY_ROWS " BLOCK_M=#128 BLOCK_N=#128 BLOCK_K=#64"},
    {"matmul_tuned", "matmul.py", "matmul_tuned_kernel", HALVES " bias_ptr=!" SIDES BY_ROWS},
    {"matmul_tuned_bias", "matmul.py", "matmul_tuned_kernel", HALVES " bias_ptr=*fp16:16" SIDES BY_ROWS},
    {"batched", "batched_matmul.py", "batched_matmul_kernel", HALVES SIDES BATCH_STRIDES BY_ROWS},
    {"small_batched", "batched_matmul.py", "small_batched_matmul_kernel",
     HALVES " batches=i32:16" SIDES BATCH_STRIDES BY_ROWS " BATCH=#4 BLOCK_M=#32 BLOCK_N=#32 BLOCK_K=#32"},
    {"int8", "quantized_matmul.py", "int8_matmul_kernel",
     "a_ptr=*i8:16 b_ptr=*i8:16 c_ptr=*i32:16 row_scale_ptr=! column_scale_ptr=!" SIDES BY_COLUMNS},
    {"int8_scaled", "quantized_matmul.py", "int8_matmul_kernel",
     "a_ptr=*i8:16 b_ptr=*i8:16 c_ptr=*fp16:16 row_scale_ptr=*fp32:16 column_scale_ptr=*fp32:16" SIDES
         BY_COLUMNS},
    {"fp8", "quantized_matmul.py", "fp8_matmul_kernel",
     "a_ptr=*fp8e4nv:16 b_ptr=*fp8e4nv:16 c_ptr=*fp16:16 scale=fp32" SIDES BY_COLUMNS, true},
    {"attention_32", "attention.py", "attention_kernel", ATTENTION " D=#32 CAUSAL=#0"},
    {"attention_64", "attention.py", "attention_kernel", ATTENTION " D=#64 CAUSAL=#0"},
    {"attention_64_causal", "attention.py", "attention_kernel", ATTENTION " D=#64 CAUSAL=#1"},
    {"attention_128", "attention.py", "attention_kernel", ATTENTION " D=#128 CAUSAL=#0"},
    {"attention_128_causal", "attention.py", "attention_kernel", ATTENTION " D=#128 CAUSAL=#1"},
    {"perceptron_64", "perceptron.py", "perceptron_kernel", LAYERS " BLOCK_IN=#64 BLOCK_OUT=#64"},
    {"perceptron_256", "perceptron.py", "perceptron_kernel", LAYERS " BLOCK_IN=#256 BLOCK_OUT=#128"},
};

/// The arguments of a case beside the first config of its kernel, where it has any.
KernelSpec specOf(Compiler &compiler, const ParsedSource &source, const Case &test, std::string_view target) {
  KernelSpec spec;
  spec.kernel = test.kernel;
  spec.target = target;
  ConfigsResult configs = compiler.configs(source, test.kernel, spec.target);
  if (configs.configs && !configs.configs->empty()) {
    const KernelConfig &first = configs.configs->front();
    spec.args.insert(first.values.begin(), first.values.end());
    spec.numWarps = first.numWarps;
    spec.numStages = first.numStages;
  }
  std::stringstream words(test.args);
  for (std::string word; words >> word;) {
    size_t equal = word.find('=');
    std::string value = word.substr(equal + 1);
    spec.args[word.substr(0, equal)] = value == "!" ? ArgSpec(ConstexprValue{})
                                       : value[0] == '#'
                                           ? ArgSpec(ConstexprValue{int64_t(atoll(value.c_str() + 1))})
                                           : std::get<ArgSpec>(parseArgType(value));
  }
  return spec;
}

class ProductsPtxas : public ::testing::TestWithParam<Case> {};

} // namespace

TEST_P(ProductsPtxas, NoWarningAndNoSpill) {
  std::string tool = assembler();
  if (tool.empty())
    GTEST_SKIP() << "no ptxas on this machine";
  const Case &test = GetParam();
  Compiler compiler;
  std::string path = std::string(TEGULA_SOURCE_DIR) + "/kernels/" + test.file;
  auto source = compiler.parse(path, readFile(path));
  std::string file = ::testing::TempDir() + "products_" + test.name + "_" + std::to_string(getpid()) + ".ptx";
  for (const Target &target : allTargets()) {
    if (test.fp8 && (target.name == "sm_80" || target.name == "sm_86"))
      continue;
    CompileResult result = compiler.compile(*source, specOf(compiler, *source, test, target.name));
    ASSERT_TRUE(result.image) << render(result.diagnostics);
    std::ofstream(file) << result.image->ptx;
    int status = -1;
    std::string said = outputOf(
        "'" + tool + "' -v -O3 -arch=" + std::string(target.name) + " -o /dev/null '" + file + "'", status);
    EXPECT_EQ(status, 0) << said;
    EXPECT_EQ(said.find("warning"), std::string::npos) << said;
    EXPECT_NE(said.find(" 0 bytes spill stores, 0 bytes spill loads"), std::string::npos)
        << target.name << "\n"
        << said;
  }
  std::filesystem::remove(file);
}

INSTANTIATE_TEST_SUITE_P(Kernels, ProductsPtxas, ::testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });
