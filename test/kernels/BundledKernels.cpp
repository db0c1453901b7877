#include "test/kernels/BundledKernels.h"

#include "compiler/target/Target.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tegula::test {

#define SIDES " M=i32:16 N=i32:16 K=i32:16"
#define BY_ROWS                                                                                              \
  " stride_am=i32:16 stride_ak=i32=1 stride_bk=i32:16 stride_bn=i32=1 stride_cm=i32:16 stride_cn=i32=1"
#define BY_COLUMNS                                                                                           \
  " stride_am=i32:16 stride_ak=i32=1 stride_bk=i32=1 stride_bn=i32:16 stride_cm=i32:16 stride_cn=i32=1"
#define BATCH_STRIDES " stride_ab=i32:16 stride_bb=i32:16 stride_cb=i32:16"
#define MATRICES "a_ptr=*T:16 b_ptr=*T:16 c_ptr=*T:16"
#define ATTENTION                                                                                            \
  "q_ptr=*T:16 k_ptr=*T:16 v_ptr=*T:16 o_ptr=*T:16 lse_ptr=*fp32:16 stride_head=i32:16 stride_row=i32:16 "   \
  "N=i32:16 scale=fp32 EVEN_N=#0"
#define BACKWARD                                                                                             \
  "q_ptr=*T:16 k_ptr=*T:16 v_ptr=*T:16 do_ptr=*T:16 tops_ptr=*fp32:16 deltas_ptr=*fp32:16 "                  \
  "stride_head=i32:16 stride_row=i32:16 N=i32:16 scale=fp32 GROUP=#1"
#define BACKWARD_KV BACKWARD " dk_ptr=*T:16 dv_ptr=*T:16 EVEN_M=#0"
#define BACKWARD_Q BACKWARD " dq_ptr=*T:16 EVEN_N=#0"
#define DECODE                                                                                               \
  "q_ptr=*T:16 k_ptr=*T:16 v_ptr=*T:16 o_ptr=*T:16 parts_ptr=*fp32:16 tops_ptr=*fp32:16 sums_ptr=*fp32:16 "  \
  "arrivals_ptr=*i32:16 lengths_ptr=*i32:16 stride_page=i32:16 stride_head=i32:16 stride_row=i32:16 "        \
  "max_pages=i32 chunk=i32:16 scale=fp32 GROUP=#4 ROWS=#16"
#define LAYERS                                                                                               \
  "x_ptr=*T:16 w1_ptr=*T:16 b1_ptr=*T:16 w2_ptr=*T:16 b2_ptr=*T:16 y_ptr=*T:16 M=i32:16 IN=i32:16 "          \
  "HIDDEN=i32:16 OUT=i32:16"
#define TILE_128 " BLOCK_M=#128 BLOCK_N=#128 BLOCK_K=#64"
#define TILE_64 " BLOCK_M=#64 BLOCK_N=#64 BLOCK_K=#32"

std::span<const BundledKernel> matrixKernels() {
  static const BundledKernel kernels[] = {
      {"matmul", "matmul.py", "matmul_kernel", MATRICES SIDES BY_ROWS TILE_128, "fp16 bf16"},
      {"matmul_grouped", "matmul.py", "matmul_grouped_kernel",
       MATRICES " bias_ptr=*T:16 ACTIVATION='gelu' GROUP_M=#8" SIDES BY_ROWS TILE_64},
      {"matmul_ieee", "matmul.py", "matmul_kernel", MATRICES " PRECISION='ieee'" SIDES BY_ROWS TILE_64,
       "fp32 fp64"},
      {"matmul_ieee_rounds", "matmul.py", "matmul_kernel",
       MATRICES " PRECISION='ieee' BLOCK_M=#64 BLOCK_N=#64 BLOCK_K=#64" SIDES BY_ROWS, "fp32"},
      {"matmul_tf32x3", "matmul.py", "matmul_kernel", MATRICES " PRECISION='tf32x3'" SIDES BY_ROWS TILE_64,
       "fp32"},
      {"matmul_tuned", "matmul.py", "matmul_tuned_kernel", MATRICES " bias_ptr=!" SIDES BY_ROWS, "fp16 bf16"},
      {"matmul_tuned_bias", "matmul.py", "matmul_tuned_kernel", MATRICES " bias_ptr=*T:16" SIDES BY_ROWS,
       "fp16 bf16"},
      {"batched", "batched_matmul.py", "batched_matmul_kernel", MATRICES SIDES BATCH_STRIDES BY_ROWS,
       "fp16 bf16"},
      {"small_batched", "batched_matmul.py", "small_batched_matmul_kernel",
       MATRICES " batches=i32:16" SIDES BATCH_STRIDES BY_ROWS " BATCH=#4 BLOCK_M=#32 BLOCK_N=#32 BLOCK_K=#32",
       "fp16 bf16"},
      {"int8", "quantized_matmul.py", "int8_matmul_kernel",
       "a_ptr=*i8:16 b_ptr=*i8:16 c_ptr=*i32:16 row_scale_ptr=! column_scale_ptr=!" SIDES BY_COLUMNS, "i8"},
      {"int8_scaled", "quantized_matmul.py", "int8_matmul_kernel",
       "a_ptr=*i8:16 b_ptr=*i8:16 c_ptr=*T:16 row_scale_ptr=*fp32:16 column_scale_ptr=*fp32:16" SIDES
           BY_COLUMNS,
       "fp16 bf16"},
      {"fp8", "quantized_matmul.py", "fp8_matmul_kernel",
       "a_ptr=*T:16 b_ptr=*T:16 c_ptr=*fp16:16 scale=fp32" SIDES BY_COLUMNS, "fp8e4nv fp8e5", 4, true},
      {"attention_32", "attention.py", "attention_kernel", ATTENTION " D=#32 CAUSAL=#0", "bf16 fp16"},
      {"attention_64", "attention.py", "attention_kernel", ATTENTION " D=#64 CAUSAL=#0", "bf16 fp16"},
      {"attention_64_causal", "attention.py", "attention_kernel", ATTENTION " D=#64 CAUSAL=#1", "bf16 fp16"},
      {"attention_128", "attention.py", "attention_kernel", ATTENTION " D=#128 CAUSAL=#0", "bf16 fp16"},
      {"attention_128_causal", "attention.py", "attention_kernel", ATTENTION " D=#128 CAUSAL=#1",
       "bf16 fp16"},
      {"backward_kv_64", "attention_backward.py", "attention_backward_kv_kernel",
       BACKWARD_KV " D=#64 CAUSAL=#0", "fp16 bf16"},
      {"backward_kv_64_causal", "attention_backward.py", "attention_backward_kv_kernel",
       BACKWARD_KV " D=#64 CAUSAL=#1", "fp16 bf16"},
      {"backward_q_64", "attention_backward.py", "attention_backward_q_kernel", BACKWARD_Q " D=#64 CAUSAL=#0",
       "fp16 bf16"},
      {"backward_q_64_causal", "attention_backward.py", "attention_backward_q_kernel",
       BACKWARD_Q " D=#64 CAUSAL=#1", "fp16 bf16"},
      {"backward_kv_128", "attention_backward.py", "attention_backward_kv_kernel",
       BACKWARD_KV " D=#128 CAUSAL=#0", "fp16 bf16"},
      {"backward_kv_128_causal", "attention_backward.py", "attention_backward_kv_kernel",
       BACKWARD_KV " D=#128 CAUSAL=#1", "fp16 bf16"},
      {"backward_q_128", "attention_backward.py", "attention_backward_q_kernel",
       BACKWARD_Q " D=#128 CAUSAL=#0", "fp16 bf16"},
      {"backward_q_128_causal", "attention_backward.py", "attention_backward_q_kernel",
       BACKWARD_Q " D=#128 CAUSAL=#1", "fp16 bf16"},
      {"decode_128", "decode.py", "decode_kernel", DECODE " table_ptr=! D=#128 PAGE=#0", "bf16 fp16"},
      {"decode_64_paged", "decode.py", "decode_kernel", DECODE " table_ptr=*i32:16 D=#64 PAGE=#64",
       "bf16 fp16"},
      {"perceptron_64", "perceptron.py", "perceptron_kernel", LAYERS " BLOCK_IN=#64 BLOCK_OUT=#64",
       "fp16 bf16"},
      {"perceptron_256", "perceptron.py", "perceptron_kernel", LAYERS " BLOCK_IN=#256 BLOCK_OUT=#128",
       "fp16 bf16"},
  };
  return kernels;
}

#define IN_OUT "x_ptr=*T:16 y_ptr=*T:16 "
#define MOMENTS                                                                                              \
  "weight_ptr=*T:16 bias_ptr=*T:16 mean_ptr=*fp32:16 rstd_ptr=*fp32:16 stride=i32:16 n=i32:16 eps=fp32 "

std::span<const BundledKernel> rowKernels() {
  static const BundledKernel kernels[] = {
      {"vector_add", "vector_add.py", "add_kernel",
       "x_ptr=*T:16 y_ptr=*T:16 out_ptr=*T:16 n=i32:16 BLOCK_SIZE=#1024", "fp16 bf16 fp32 fp64 i8 i64"},
      {"backward_rows", "attention_backward.py", "attention_backward_rows_kernel",
       "o_ptr=*T:16 do_ptr=*T:16 lse_ptr=*fp32:16 tops_ptr=*fp32:16 deltas_ptr=*fp32:16 rows=i32:16 D=#128 "
       "BLOCK=#32"},
      {"gelu", "gelu.py", "gelu_kernel", IN_OUT "n=i32:16 BLOCK_SIZE=#1024"},
      {"strided_copy", "strided_copy.py", "strided_copy_kernel",
       IN_OUT "n=i32:16 x_stride=i32 y_stride=i32=1 BLOCK_SIZE=#1024", "i8 fp16 fp32 fp64"},
      {"transpose", "transpose.py", "transpose_kernel",
       IN_OUT "M=i32:16 N=i32:16 x_stride=i32:16 y_stride=i32:16 BLOCK_M=#64 BLOCK_N=#64",
       "i8 fp16 fp32 fp64"},
      {"softmax", "softmax.py", "softmax_kernel", IN_OUT "stride=i32:16 n=i32:16 BLOCK=#4096"},
      {"softmax_short", "softmax.py", "softmax_kernel", IN_OUT "stride=i32:16 n=i32:16 BLOCK=#256"},
      {"softmax_persistent", "softmax.py", "softmax_persistent_kernel",
       IN_OUT "stride=i32:16 n_rows=i32:16 n=i32:16 BLOCK=#1024 STAGES=#2"},
      {"softmax_online", "softmax.py", "softmax_online_kernel", IN_OUT "stride=i32:16 n=i32:16 BLOCK=#4096",
       "fp16 bf16 fp32", 8},
      {"layernorm", "layernorm.py", "layernorm_kernel", IN_OUT MOMENTS "BLOCK=#4096"},
      {"layernorm_any", "layernorm.py", "layernorm_any_kernel", IN_OUT MOMENTS "BLOCK=#4096"},
      {"rmsnorm", "rmsnorm.py", "rmsnorm_kernel",
       IN_OUT "weight_ptr=*T:16 stride=i32:16 n=i32:16 eps=fp32 BLOCK=#4096"},
      {"row_sums", "matrix_sums.py", "row_sums_kernel",
       "x_ptr=*T:16 sums_ptr=*fp32:16 M=i32:16 N=i32:16 stride=i32:16 BLOCK_M=#4 BLOCK_N=#1024"},
      {"column_sums", "matrix_sums.py", "column_sums_kernel",
       "x_ptr=*T:16 sums_ptr=*fp32:16 M=i32:16 N=i32:16 stride=i32:16 rows_each=i32:16 BLOCK_M=#16 "
       "BLOCK_N=#128"},
      {"cross_entropy", "cross_entropy.py", "cross_entropy_kernel",
       "logits_ptr=*T:16 targets_ptr=*i64:16 losses_ptr=*fp32:16 stride=i32:16 V=i32:16 ignore_index=i32 "
       "BLOCK=#4096",
       "fp16 bf16 fp32", 8},
      {"histogram", "histogram.py", "histogram_kernel",
       "x_ptr=*T:16 counts_ptr=*i32:16 n=i32:16 bins=i32 BLOCK=#1024", "i32 u8 i16"},
  };
  return kernels;
}

void PrintTo(const BundledKernel &kernel, std::ostream *os) { *os << kernel.name; }

std::vector<std::string> wordsOf(const std::string &text) {
  std::vector<std::string> words;
  std::stringstream stream(text);
  for (std::string word; stream >> word;)
    words.push_back(word);
  return words;
}

/// One argument as `BundledKernel::args` spells it.
static ArgSpec argument(std::string text, const std::string &type) {
  if (text == "!")
    return BoundValue{};
  if (text[0] == '#')
    return BoundValue{int64_t(std::strtoll(text.c_str() + 1, nullptr, 10))};
  if (text[0] == '\'')
    return BoundValue{text.substr(1, text.size() - 2)};
  if (size_t at = text.find('T'); at != std::string::npos)
    text.replace(at, 1, type);
  return std::get<ArgSpec>(parseArgType(text));
}

static std::shared_ptr<const ParsedSource> sourceOf(const BundledKernel &kernel, Compiler &compiler) {
  const std::string path = std::string(TEGULA_SOURCE_DIR) + "/kernels/" + kernel.file;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return compiler.parse(path, text.str());
}

size_t configCount(const BundledKernel &kernel, const Target &target) {
  Compiler compiler;
  const ConfigsResult found =
      compiler.configs(*sourceOf(kernel, compiler), kernel.kernel, std::string(target.name));
  return found.configs && !found.configs->empty() ? found.configs->size() : 1;
}

CompileResult compileBundled(const BundledKernel &kernel, const std::string &type, const Target &target,
                             size_t config, const CompileOptions &options) {
  Compiler compiler;
  auto source = sourceOf(kernel, compiler);
  KernelSpec spec;
  spec.kernel = kernel.kernel;
  spec.target = target.name;
  spec.numWarps = kernel.numWarps;
  ConfigsResult configs = compiler.configs(*source, spec.kernel, spec.target);
  if (configs.configs && config < configs.configs->size()) {
    const KernelConfig &chosen = (*configs.configs)[config];
    spec.args.insert(chosen.values.begin(), chosen.values.end());
    spec.numWarps = chosen.numWarps;
    spec.numStages = chosen.numStages;
  }
  for (const std::string &word : wordsOf(kernel.args)) {
    const size_t equal = word.find('=');
    spec.args[word.substr(0, equal)] = argument(word.substr(equal + 1), type);
  }
  CompileResult result = compiler.compile(*source, spec, options);
  const bool emitted = !options.emit.empty() && result.stageText.size() == options.emit.size();
  EXPECT_TRUE(result.image || emitted || (config != 0 && lacksResource(result)))
      << kernel.name << " " << type << " " << target.name << "\n"
      << render(result.diagnostics);
  return result;
}

bool lacksResource(const CompileResult &result) {
  return !result.image && std::ranges::any_of(result.diagnostics, [](const Diagnostic &diagnostic) {
    return diagnostic.resource.has_value();
  });
}

} // namespace tegula::test
