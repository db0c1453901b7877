// The products: kernels whose time is that of their dots, and one whose matrices are too small for that.
#include "tools/tegula/bench/Catalogue.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace tegula::cli::bench {

using runtime::Result;

namespace {

/// Of all heads of an attention together, so that every length has as much to do.
constexpr int64_t queriesOfAllHeads = 1 << 18, smallHeads = 2;

/// The compile-time values of a config, which are whole numbers in these files.
std::map<std::string, int64_t> numbersOf(const KernelConfig &config) {
  std::map<std::string, int64_t> numbers;
  for (const auto &[name, value] : config.values)
    if (const auto *number = std::get_if<int64_t>(&value.value))
      numbers.emplace(name, *number);
  return numbers;
}

/// A config of the file or of a sweep.
struct Way {
  std::map<std::string, int64_t> values;
  uint32_t warps = 4, stages = 3;
};

/// What a sweep tries of `name`: what it was told, or `usual`.
std::vector<int64_t> triedOf(const Setting &setting, const std::string &name, std::vector<int64_t> usual) {
  auto found = setting.swept.find(name);
  return found == setting.swept.end() ? usual : found->second;
}

/// Fewer sums than this in a thread leave it idle, more do not fit beside what it needs else.
constexpr int64_t leastSums = 16, mostSums = 200;

/// Every way out of the values that may be worth a try: sums of a thread fill its registers well, but fit.
/// `sums` says how many a block has.
template <typename Sums> std::vector<Way> sweep(const Setting &setting, bool hasK, Sums sums) {
  std::vector<Way> ways;
  for (const int64_t m : triedOf(setting, "BLOCK_M", {64, 128, 256}))
    for (const int64_t n : triedOf(setting, "BLOCK_N", {32, 64, 128, 256}))
      for (const int64_t k : hasK ? triedOf(setting, "BLOCK_K", {32, 64, 128}) : std::vector<int64_t>{0})
        for (const int64_t warps : triedOf(setting, "num_warps", {4, 8}))
          for (const int64_t stages : triedOf(setting, "num_stages", {2, 3, 4, 5})) {
            const int64_t each = sums(m, n) / (32 * warps);
            if (each < leastSums || each > mostSums)
              continue;
            Way way{{{"BLOCK_M", m}, {"BLOCK_N", n}}, uint32_t(warps), uint32_t(stages)};
            if (hasK)
              way.values.emplace("BLOCK_K", k);
            ways.push_back(std::move(way));
          }
  return ways;
}

/// The configs that `kernel` has in its file.
Result<std::vector<Way>> waysOfFile(const Setting &setting, const std::string &file,
                                    const std::string &kernel) {
  std::vector<KernelConfig> configs = TRY(setting.configsOf(file, kernel));
  std::vector<Way> ways;
  for (const KernelConfig &config : configs)
    ways.push_back({numbersOf(config), config.numWarps, config.numStages});
  return ways;
}

int64_t tileSums(int64_t m, int64_t n) { return n < 64 ? 0 : m * n; }

Result<std::vector<Way>> productWays(const Setting &setting, const std::string &file,
                                     const std::string &kernel) {
  return setting.isSweep ? Result<std::vector<Way>>(sweep(setting, true, tileSums))
                         : waysOfFile(setting, file, kernel);
}

/// Which operands of a product lie by columns, and so are given transposed.
enum class ByColumns { None, A, B };

/// The strides of a product of m rows, n columns and k terms each.
void addStrides(Case &made, int64_t m, int64_t n, int64_t k, ByColumns which) {
  const bool isA = which == ByColumns::A, isB = which == ByColumns::B;
  for (const auto &[name, value] : {std::pair("stride_am", isA ? 1 : k),
                                    {"stride_ak", isA ? m : 1},
                                    {"stride_bk", isB ? 1 : n},
                                    {"stride_bn", isB ? k : 1},
                                    {"stride_cm", n},
                                    {"stride_cn", 1}})
    made.arguments.push_back(number(name, value));
}

void addSizes(Case &made, int64_t m, int64_t n, int64_t k) {
  made.arguments.push_back(number("M", m));
  made.arguments.push_back(number("N", n));
  made.arguments.push_back(number("K", k));
}

/// The side of the block that `side` elements of a matrix lie in: dots have no shorter ones.
int64_t blockOf(int64_t side) { return std::max<int64_t>(16, int64_t(std::bit_ceil(uint64_t(side)))); }

/// The arrays of a batch of products, one matrix behind another, and what an entry's result is compared with.
void addBatch(Case &made, ScalarKind type) {
  const int64_t batch = made.shape[0], m = made.shape[1], n = made.shape[2], k = made.shape[3];
  made.arguments = {{"a_ptr", Tensor{type, {batch, m, k}}},
                    {"b_ptr", Tensor{type, {batch, k, n}}},
                    {"c_ptr", Tensor{type, {batch, m, n}, Tensor::Output}}};
  made.output = "c_ptr";
  made.library = "batched product";
  made.relative = 2e-2;
  made.absolute = 2e-3 * std::sqrt(double(k));
}

void addBatchStrides(Case &made, int64_t m, int64_t n, int64_t k) {
  for (const auto &[name, value] : {std::pair("stride_ab", m * k),
                                    {"stride_am", k},
                                    {"stride_ak", 1},
                                    {"stride_bb", k * n},
                                    {"stride_bk", n},
                                    {"stride_bn", 1},
                                    {"stride_cb", m * n},
                                    {"stride_cm", n},
                                    {"stride_cn", 1}})
    made.arguments.push_back(number(name, value));
}

Shape cubeOf(int64_t n, bool) { return {n, n, n}; }

/// Tiles in groups of GROUP_M rows of tiles, or all rows by rows.
Entry matmul(const std::string &name, bool isGrouped, std::vector<DefaultShape> shapes,
             ByColumns which = ByColumns::None) {
  auto fill = [isGrouped, which](Case &made, ScalarKind type, const Setting &setting) -> Result<void> {
    const int64_t m = made.shape[0], n = made.shape[1], k = made.shape[2];
    const std::vector<int64_t> a{m, k}, b{k, n};
    made.arguments = {{"a_ptr", Tensor{type, which == ByColumns::A ? std::vector(a.rbegin(), a.rend()) : a}},
                      {"b_ptr", Tensor{type, which == ByColumns::B ? std::vector(b.rbegin(), b.rend()) : b}},
                      {"c_ptr", Tensor{type, {m, n}, Tensor::Output}},
                      {"bias_ptr", HostValue::none()}};
    addSizes(made, m, n, k);
    addStrides(made, m, n, k, which);
    made.output = "c_ptr";
    made.library = "product";
    made.work = 2 * double(m) * double(n) * double(k);
    made.relative = 2e-2;
    made.absolute = 2e-3 * std::sqrt(double(k));
    // The kernel under `triton.autotune` is this one with configs.
    std::vector<Way> ways = TRY(productWays(setting, "matmul", "matmul_tuned_kernel"));
    for (Way &way : ways) {
      way.values.emplace("GROUP_M", 8);
      if (!isGrouped)
        way.values["GROUP_M"] = 1;
      const uint32_t tiles = blocks(m, way.values["BLOCK_M"]) * blocks(n, way.values["BLOCK_N"]);
      made.configs.push_back(makeConfig(way.values, way.warps, {tiles}, way.stages));
    }
    return {};
  };
  return {.name = name,
          .file = "matmul",
          .kernel = "matmul_grouped_kernel",
          .sides = "MxNxK",
          .dtypes = {"bf16"},
          .otherDtypes = {"fp16"},
          .shapes = shapes,
          .small = {100, 64, 96},
          .ofSize = cubeOf,
          .unit = Unit::Teraflops,
          .hasErrors = isGrouped && which == ByColumns::None,
          .fill = fill};
}

Entry quantized(const std::string &name, const std::string &dtype) {
  auto fill = [](Case &made, ScalarKind type, const Setting &setting) -> Result<void> {
    const int64_t m = made.shape[0], n = made.shape[1], k = made.shape[2];
    const bool isInteger = type == ScalarKind::Int8;
    // b's columns are contiguous, as the libraries want it too.
    made.arguments = {
        {"a_ptr", Tensor{type, {m, k}}},
        {"b_ptr", Tensor{type, {n, k}}},
        {"c_ptr", Tensor{isInteger ? ScalarKind::Int32 : ScalarKind::Float16, {m, n}, Tensor::Output}}};
    if (isInteger)
      for (const char *none : {"row_scale_ptr", "column_scale_ptr"})
        made.arguments.push_back({none, HostValue::none()});
    addSizes(made, m, n, k);
    if (!isInteger)
      made.arguments.push_back({"scale", HostValue::floating(0.5)});
    addStrides(made, m, n, k, ByColumns::B);
    made.output = "c_ptr";
    made.library = "product";
    made.work = 2 * double(m) * double(n) * double(k);
    // Hopper's units keep fewer bits of sums of fp8 products than fp32 has.
    made.relative = isInteger ? 0 : 2e-2;
    made.absolute = isInteger ? 0 : 0.016 * std::sqrt(double(k));
    std::vector<Way> ways = TRY(productWays(setting, made.file, made.entry));
    for (Way &way : ways)
      made.configs.push_back(makeConfig(way.values, way.warps,
                                        {blocks(m, way.values["BLOCK_M"]), blocks(n, way.values["BLOCK_N"])},
                                        way.stages));
    return {};
  };
  return {.name = name,
          .file = "quantized_matmul",
          .kernel = name + "_kernel",
          .sides = "MxNxK",
          .dtypes = {dtype},
          .shapes = {{{4096, 4096, 4096}}, {{8192, 8192, 8192}}},
          .small = {64, 128, 128},
          .ofSize = cubeOf,
          .unit = Unit::Teraflops,
          .hasErrors = true,
          .fill = fill};
}

Entry batchedMatmul() {
  auto fill = [](Case &made, ScalarKind type, const Setting &setting) -> Result<void> {
    const int64_t batch = made.shape[0], m = made.shape[1], n = made.shape[2], k = made.shape[3];
    addBatch(made, type);
    addSizes(made, m, n, k);
    addBatchStrides(made, m, n, k);
    made.work = 2 * double(batch) * double(m) * double(n) * double(k);
    std::vector<Way> ways = TRY(productWays(setting, made.file, made.entry));
    for (Way &way : ways)
      made.configs.push_back(
          makeConfig(way.values, way.warps,
                     {blocks(m, way.values["BLOCK_M"]) * blocks(n, way.values["BLOCK_N"]), uint32_t(batch)},
                     way.stages));
    return {};
  };
  return {.name = "batched_matmul",
          .file = "batched_matmul",
          .kernel = "batched_matmul_kernel",
          .sides = "BATCHxMxNxK",
          .dtypes = {"bf16"},
          .otherDtypes = {"fp16"},
          .shapes = {{{64, 1024, 1024, 512}}},
          .small = {2, 64, 64, 64},
          .ofSize = [](int64_t n, bool isSmall) -> Shape { return {isSmall ? 2 : 64, n, n, n}; },
          .unit = Unit::Teraflops,
          .hasErrors = true,
          .fill = fill};
}

/// Matrices of which a block takes several. There is little to compute with what is read, so that it is
/// counted in bytes: products of 32 by 32 by 32 do 11 operations for each, the chip a good hundred in the
/// time of one.
Entry smallBatchedMatmul() {
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t batch = made.shape[0], m = made.shape[1], n = made.shape[2], k = made.shape[3];
    constexpr int64_t mostSide = 64; // a matrix lies in one block
    if (const int64_t side = std::max({m, n, k}); side > mostSide)
      return usageError(fmt::format("expected at most {} as a side of the matrices of `{}`, found {}",
                                    mostSide, made.name, side));
    addBatch(made, type);
    made.arguments.push_back(number("batches", batch));
    addSizes(made, m, n, k);
    addBatchStrides(made, m, n, k);
    made.work = double(batch) * double(m * k + k * n + m * n) * double(scalarKindBytes(type));
    for (const auto &[each, warps] : {std::pair(2, 4), {4, 4}, {8, 8}})
      made.configs.push_back(makeConfig(
          {{"BATCH", each}, {"BLOCK_M", blockOf(m)}, {"BLOCK_N", blockOf(n)}, {"BLOCK_K", blockOf(k)}},
          uint32_t(warps), {blocks(batch, each)}));
    return {};
  };
  return {.name = "small_batched_matmul",
          .file = "batched_matmul",
          .kernel = "small_batched_matmul_kernel",
          .sides = "BATCHxMxNxK",
          .dtypes = {"bf16"},
          .otherDtypes = {"fp16"},
          .shapes = {{{65536, 32, 32, 32}}},
          .small = {6, 20, 24, 30},
          .ofSize = [](int64_t n, bool) -> Shape { return {n, 32, 32, 32}; },
          .hasErrors = true,
          .fill = fill};
}

Entry attention(const std::string &name, bool isCausal) {
  auto fill = [isCausal](Case &made, ScalarKind type, const Setting &setting) -> Result<void> {
    const int64_t size = made.shape[0], length = made.shape[1];
    if (size < 16 || size > 256 || !std::has_single_bit(uint64_t(size)))
      return usageError(
          fmt::format("expected 16, 32, 64, 128 or 256 as the D of `{}`, found {}", made.name, size));
    const int64_t heads = setting.isSmall ? smallHeads : std::max<int64_t>(1, queriesOfAllHeads / length);
    const Shape all{heads, length, size};
    for (const char *name : {"q_ptr", "k_ptr", "v_ptr"})
      made.arguments.push_back({name, Tensor{type, all}});
    made.arguments.push_back({"o_ptr", Tensor{type, all, Tensor::Output}});
    made.arguments.push_back({"lse_ptr", Tensor{ScalarKind::Float32, {heads, length}, Tensor::Output}});
    for (const auto &[name, value] :
         {std::pair("stride_head", length * size), {"stride_row", size}, {"N", length}})
      made.arguments.push_back(number(name, value));
    made.arguments.push_back({"scale", HostValue::floating(1 / std::sqrt(double(size)))});
    made.output = "o_ptr";
    made.library = isCausal ? "causal attention" : "attention";
    made.torch = fmt::format("torch.nn.functional.scaled_dot_product_attention(q_ptr[None], k_ptr[None], "
                             "v_ptr[None], is_causal={})",
                             isCausal ? "True" : "False");
    made.work = 4 * double(heads) * double(length) * double(length) * double(size) / (isCausal ? 2 : 1);
    made.relative = 2e-2;
    made.absolute = 5e-3;
    std::vector<Way> ways =
        TRY(setting.isSweep ? sweep(setting, false, [size](int64_t m, int64_t n) { return m * (size + n); })
                            : waysOfFile(setting, made.file, made.entry));
    for (const Way &way : ways) {
      std::map<std::string, int64_t> values = way.values;
      values["D"] = size;
      jit::TuneConfig config =
          makeConfig(values, way.warps, {blocks(length, values["BLOCK_M"]), uint32_t(heads)}, way.stages);
      config.options.constexprs.emplace("CAUSAL", BoundValue{isCausal});
      config.options.constexprs.emplace("EVEN_N", BoundValue{length % values["BLOCK_N"] == 0});
      made.configs.push_back(std::move(config));
    }
    return {};
  };
  return {.name = name,
          .file = "attention",
          .kernel = "attention_kernel",
          .sides = "DxN",
          .dtypes = {"bf16"},
          .otherDtypes = {"fp16"},
          .shapes = {{{64, 4096}}, {{64, 16384}}, {{128, 4096}}, {{128, 16384}}},
          .small = {32, 100},
          .ofSize = [](int64_t n, bool isSmall) -> Shape { return {isSmall ? 32 : 128, n}; },
          .unit = Unit::Teraflops,
          .hasErrors = true,
          .fill = fill};
}

Entry perceptron() {
  auto fill = [](Case &made, ScalarKind type, const Setting &setting) -> Result<void> {
    const int64_t m = made.shape[0], in = made.shape[1], hidden = made.shape[2], out = made.shape[3];
    constexpr int64_t mostInputs = 256; // all of them lie in one block
    if (in > mostInputs)
      return usageError(fmt::format("expected at most {} inputs of `perceptron`, found {}", mostInputs, in));
    made.arguments = {{"x_ptr", Tensor{type, {m, in}}},
                      {"w1_ptr", Tensor{type, {in, hidden}}},
                      {"b1_ptr", Tensor{type, {hidden}}},
                      {"w2_ptr", Tensor{type, {hidden, out}}},
                      {"b2_ptr", Tensor{type, {out}}},
                      {"y_ptr", Tensor{type, {m, out}, Tensor::Output}},
                      number("M", m),
                      number("IN", in),
                      number("HIDDEN", hidden),
                      number("OUT", out)};
    made.output = "y_ptr";
    made.work = 2 * double(m) * double(hidden) * double(in + out);
    made.expected = "host.reference(x_ptr, w1_ptr, b1_ptr, w2_ptr, b2_ptr)";
    made.torch = "torch.addmm(b2_ptr, torch.nn.functional.gelu(torch.addmm(b1_ptr, x_ptr, w1_ptr), "
                 "approximate='tanh'), w2_ptr)";
    made.relative = 2e-2;
    // Inputs and weights are normal numbers, so that a hidden unit is of the size of the root of their
    // number.
    made.absolute = 2e-2 * std::sqrt(double(in) * double(hidden));
    std::vector<Way> ways = TRY(waysOfFile(setting, made.file, made.entry));
    for (Way &way : ways) {
      way.values["BLOCK_IN"] = blockOf(in);
      way.values["BLOCK_OUT"] = std::min<int64_t>(128, blockOf(out));
      made.configs.push_back(
          makeConfig(way.values, way.warps,
                     {blocks(m, way.values["BLOCK_M"]), blocks(out, way.values["BLOCK_OUT"])}, way.stages));
    }
    return {};
  };
  return {.name = "perceptron",
          .file = "perceptron",
          .kernel = "perceptron_kernel",
          .sides = "MxINxHIDDENxOUT",
          .dtypes = {"bf16"},
          .otherDtypes = {"fp16"},
          .shapes = {{{65536, 128, 1024, 128}}},
          .small = {64, 32, 64, 16},
          .ofSize = [](int64_t n, bool isSmall) -> Shape {
            return isSmall ? Shape{64, 32, n, 16} : Shape{65536, 128, n, 128};
          },
          .unit = Unit::Teraflops,
          .hasErrors = true,
          .fill = fill};
}

} // namespace

std::vector<Entry> productKernels() {
  return {matmul("matmul", true,
                 {{{1024, 1024, 1024}},
                  {{2048, 2048, 2048}},
                  {{4096, 4096, 4096}},
                  {{8192, 8192, 8192}},
                  {{8192, 1024, 4096}},
                  {{256, 8192, 8192}},
                  {{4096, 4096, 16384}}}),
          attention("attention", false),
          attention("attention_causal", true),
          matmul("matmul_row_major", false, {{{8192, 8192, 8192}}}),
          matmul("matmul_a_transposed", true, {{{4096, 4096, 4096}}, {{8192, 8192, 8192}}}, ByColumns::A),
          matmul("matmul_b_transposed", true, {{{4096, 4096, 4096}}, {{8192, 8192, 8192}}}, ByColumns::B),
          quantized("fp8_matmul", "fp8e4nv"),
          quantized("int8_matmul", "i8"),
          batchedMatmul(),
          smallBatchedMatmul(),
          perceptron()};
}

} // namespace tegula::cli::bench
