// How long a cold compile takes, source to PTX, in a warm process: parsed and compiled anew each time.
//
//   compile-time [ROUNDS]
//
// Prints the median, the least and the largest of each bundled kernel in milliseconds.
#include "compiler/Compile.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace tegula;

namespace {

struct Case {
  const char *file, *kernel;
  std::vector<std::pair<const char *, const char *>> types;
  std::vector<std::pair<const char *, ConstexprValue>> constants;
  int warps = 4;
  int stages = 3;
};

ConstexprValue number(int64_t value) { return {value}; }

const Case cases[] = {
    {"vector_add.py", "add_kernel", {{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"out_ptr", "*fp32:16"}, {"n", "i32:16"}},
     {{"BLOCK_SIZE", number(1024)}}},
    {"gelu.py", "gelu_kernel", {{"x_ptr", "*bf16:16"}, {"y_ptr", "*bf16:16"}, {"n", "i32:16"}}, {{"BLOCK_SIZE", number(1024)}}},
    {"strided_copy.py", "strided_copy_kernel",
     {{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"n", "i32"}, {"x_stride", "i32"}, {"y_stride", "i32"}},
     {{"BLOCK_SIZE", number(1024)}}},
    {"transpose.py", "transpose_kernel",
     {{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"M", "i32:16"}, {"N", "i32:16"}, {"x_stride", "i32:16"}, {"y_stride", "i32:16"}},
     {{"BLOCK_M", number(64)}, {"BLOCK_N", number(64)}}},
    {"softmax.py", "softmax_kernel",
     {{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"stride", "i32:16"}, {"n", "i32:16"}},
     {{"BLOCK", number(4096)}}, 8},
    {"layernorm.py", "layernorm_kernel",
     {{"x_ptr", "*fp32:16"}, {"y_ptr", "*fp32:16"}, {"weight_ptr", "*fp32:16"}, {"bias_ptr", "*fp32:16"},
      {"mean_ptr", "*fp32:16"}, {"rstd_ptr", "*fp32:16"}, {"stride", "i32:16"}, {"n", "i32:16"}, {"eps", "fp32"}},
     {{"BLOCK", number(4096)}}, 8},
    {"matmul.py", "matmul_grouped_kernel",
     {{"a_ptr", "*bf16:16"}, {"b_ptr", "*bf16:16"}, {"c_ptr", "*bf16:16"}, {"M", "i32:16"}, {"N", "i32:16"}, {"K", "i32:16"},
      {"stride_am", "i32:16"}, {"stride_ak", "i32=1"}, {"stride_bk", "i32:16"}, {"stride_bn", "i32=1"},
      {"stride_cm", "i32:16"}, {"stride_cn", "i32=1"}},
     {{"bias_ptr", ConstexprValue{}}, {"BLOCK_M", number(128)}, {"BLOCK_N", number(256)}, {"BLOCK_K", number(64)},
      {"GROUP_M", number(8)}}, 8},
    {"attention.py", "attention_kernel",
     {{"q_ptr", "*bf16:16"}, {"k_ptr", "*bf16:16"}, {"v_ptr", "*bf16:16"}, {"o_ptr", "*bf16:16"}, {"lse_ptr", "*fp32:16"},
      {"stride_head", "i32:16"}, {"stride_row", "i32:16"}, {"N", "i32:16"}, {"scale", "fp32"}},
     {{"D", number(64)}, {"CAUSAL", {true}}, {"EVEN_N", {true}}, {"BLOCK_M", number(128)}, {"BLOCK_N", number(64)}}, 8},
};

std::string readFile(const std::string &path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

KernelSpec specOf(const Case &test) {
  KernelSpec spec;
  spec.kernel = test.kernel;
  spec.numWarps = test.warps;
  spec.numStages = test.stages;
  for (auto [name, type] : test.types)
    spec.args[name] = std::get<ArgSpec>(parseArgType(type));
  for (auto [name, value] : test.constants)
    spec.args[name] = value;
  return spec;
}

} // namespace

int main(int argc, char **argv) {
  int rounds = std::clamp(argc > 1 ? std::atoi(argv[1]) : 50, 1, 10000);
  Compiler compiler;
  for (const Case &test : cases) {
    std::string text = readFile(std::string(TEGULA_KERNEL_SOURCES) + "/" + test.file);
    KernelSpec spec = specOf(test);
    std::vector<double> times;
    for (int round = -3; round < rounds; ++round) { // the first three warm the process up
      auto start = std::chrono::steady_clock::now();
      CompileResult result = compiler.compile(*compiler.parse(test.file, text), spec);
      std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
      if (!result.image) {
        std::fprintf(stderr, "%s", render(result.diagnostics).c_str());
        return 1;
      }
      if (round >= 0)
        times.push_back(spent.count());
    }
    std::sort(times.begin(), times.end());
    std::printf("%-16s median %6.2f ms, least %6.2f, largest %6.2f\n", test.file, times[times.size() / 2], times.front(),
                times.back());
  }
}
