// The kernels whose time is that of moving their data.
#include "tools/tegula/bench/Catalogue.h"

#include <fmt/format.h>

#include <bit>

namespace tegula::cli::bench {

using runtime::Result;

namespace {

constexpr uint32_t rowWarps[] = {4, 8, 16};
const std::vector<std::string> floats = {"fp32", "bf16", "fp16"}, fewFloats = {"fp32", "bf16"};

int64_t blockFor(int64_t n) { return int64_t(std::bit_ceil(uint64_t(n))); }

Argument input(std::string name, ScalarKind type, Shape shape) {
  return {std::move(name), Tensor{type, std::move(shape)}};
}
Argument output(std::string name, ScalarKind type, Shape shape) {
  return {std::move(name), Tensor{type, std::move(shape), Tensor::Output}};
}

double bytesOf(ScalarKind type) { return double(scalarKindBytes(type)); }

/// How near results of these types have to be, where nothing is summed.
void setTolerance(Case &made, double ofFp32, double ofBf16) {
  made.relative = made.absolute = made.dtype == "fp32" ? ofFp32 : made.dtype == "fp16" ? 2e-3 : ofBf16;
}

Shape vectorOf(int64_t n, bool) { return {n}; }
/// Rows of n, as many as make 64 Mi elements.
Shape rowsOf(int64_t n, bool isSmall) {
  return {isSmall ? 4 : std::max<int64_t>(1, (int64_t(1) << 26) / n), n};
}
Shape squareOf(int64_t n, bool) { return {n, n}; }

Entry elementwise(std::string name, std::string kernel, std::vector<DefaultShape> shapes,
                  std::vector<std::string> inputs, std::string output_, std::string torch) {
  auto fill = [=](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t n = made.shape[0];
    for (const std::string &each : inputs)
      made.arguments.push_back(input(each, type, {n}));
    made.arguments.push_back(output(output_, type, {n}));
    made.arguments.push_back(number("n", n));
    made.output = output_;
    made.work = double(inputs.size() + 1) * double(n) * bytesOf(type);
    made.expected = fmt::format("host.reference({})", fmt::join(inputs, ", "));
    made.torch = torch;
    setTolerance(made, 2e-6, 2e-2);
    for (const auto &[block, warps] : {std::pair(1024, 4), {2048, 4}, {2048, 8}, {4096, 8}})
      made.configs.push_back(makeConfig({{"BLOCK_SIZE", block}}, uint32_t(warps), {blocks(n, block)}));
    return {};
  };
  return {.name = name,
          .file = name,
          .kernel = kernel,
          .sides = "N",
          .dtypes = floats,
          .shapes = shapes,
          .small = {4096},
          .ofSize = vectorOf,
          .fill = fill};
}

/// Every other element of a vector.
Entry stridedCopy() {
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t n = made.shape[0];
    made.arguments = {input("x_ptr", type, {2 * n}), output("y_ptr", type, {n}), number("n", n),
                      number("x_stride", 2), number("y_stride", 1)};
    made.output = "y_ptr";
    made.work = 3 * double(n) * bytesOf(type); // what is skipped is in the same sectors
    made.expected = "host.reference(x_ptr, 2)";
    made.torch = "x_ptr[::2].contiguous()";
    for (const int64_t block : {1024, 2048})
      made.configs.push_back(makeConfig({{"BLOCK_SIZE", block}}, 4, {blocks(n, block)}));
    return {};
  };
  return {.name = "strided_copy",
          .file = "strided_copy",
          .kernel = "strided_copy_kernel",
          .sides = "N",
          .dtypes = fewFloats,
          .shapes = {{{1 << 26}}},
          .small = {4096},
          .ofSize = vectorOf,
          .fill = fill};
}

Entry transpose() {
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t m = made.shape[0], n = made.shape[1];
    made.arguments = {
        input("x_ptr", type, {m, n}), output("y_ptr", type, {n, m}), number("M", m), number("N", n),
        number("x_stride", n),        number("y_stride", m)};
    made.output = "y_ptr";
    made.work = 2 * double(m * n) * bytesOf(type);
    made.expected = "host.reference(x_ptr)";
    made.torch = "x_ptr.t().contiguous()";
    for (const int64_t block : {64, 128})
      for (const uint32_t warps : {4, 8})
        made.configs.push_back(makeConfig({{"BLOCK_M", block}, {"BLOCK_N", block}}, warps,
                                          {blocks(m, block), blocks(n, block)}));
    return {};
  };
  return {.name = "transpose",
          .file = "transpose",
          .kernel = "transpose_kernel",
          .sides = "MxN",
          .dtypes = fewFloats,
          .shapes = {{{8192, 8192}}},
          .small = {128, 128},
          .ofSize = squareOf,
          .fill = fill};
}

/// How a kernel over rows is launched.
enum class RowLaunch { Whole, Persistent, Pieces };

std::vector<jit::TuneConfig> rowConfigs(RowLaunch launch, int64_t rows, int64_t n, const Setting &setting) {
  std::vector<jit::TuneConfig> configs;
  for (const uint32_t warps : rowWarps) {
    if (launch == RowLaunch::Whole)
      configs.push_back(makeConfig({{"BLOCK", blockFor(n)}}, warps, {uint32_t(rows)}));
    if (launch == RowLaunch::Pieces)
      configs.push_back(makeConfig({{"BLOCK", 4096}}, warps, {uint32_t(rows)}));
    if (launch == RowLaunch::Persistent)
      for (const uint32_t each : {2, 4, 8})
        configs.push_back(makeConfig({{"BLOCK", blockFor(n)}, {"STAGES", 2}}, warps,
                                     {uint32_t(std::min<int64_t>(setting.multiprocessors * each, rows))}));
  }
  return configs;
}

/// A kernel from rows of x to rows of y.
struct RowKernel {
  std::string name, file, kernel, torch, expected;
  std::vector<std::string> weights;    ///< vectors of n elements behind y
  std::vector<std::string> statistics; ///< fp32 outputs of a number for each row, behind those
  double eps = 0;                      ///< 0: the kernel has none
  RowLaunch launch = RowLaunch::Whole;
  std::vector<DefaultShape> shapes;
};

Entry rows(const RowKernel &kernel) {
  auto fill = [kernel](Case &made, ScalarKind type, const Setting &setting) -> Result<void> {
    const int64_t rows = made.shape[0], n = made.shape[1];
    made.arguments = {input("x_ptr", type, {rows, n}), output("y_ptr", type, {rows, n})};
    for (const std::string &name : kernel.weights)
      made.arguments.push_back(input(name, type, {n}));
    for (const std::string &name : kernel.statistics)
      made.arguments.push_back(output(name, ScalarKind::Float32, {rows}));
    made.arguments.push_back(number("stride", n));
    if (kernel.launch == RowLaunch::Persistent)
      made.arguments.push_back(number("n_rows", rows));
    made.arguments.push_back(number("n", n));
    if (kernel.eps != 0)
      made.arguments.push_back({"eps", HostValue::floating(kernel.eps)});
    made.output = "y_ptr";
    made.work = 2 * double(rows * n) * bytesOf(type);
    made.expected = kernel.expected;
    made.torch = kernel.torch;
    const bool isExact = type == ScalarKind::Float32, hasWeights = !kernel.weights.empty();
    made.relative = !isExact ? 2e-2 : hasWeights ? 1e-4 : 5e-5;
    made.absolute = hasWeights ? (isExact ? 1e-5 : 2e-2) : (isExact ? 1e-6 : 1e-4);
    made.configs = rowConfigs(kernel.launch, rows, n, setting);
    return {};
  };
  return {.name = kernel.name,
          .file = kernel.file,
          .kernel = kernel.kernel,
          .sides = "ROWSxN",
          .dtypes = fewFloats,
          .shapes = kernel.shapes,
          .small = {4, 1000},
          .ofSize = rowsOf,
          .fill = fill};
}

Entry rowSums() {
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t m = made.shape[0], n = made.shape[1];
    made.arguments = {input("x_ptr", type, {m, n}), output("sums_ptr", ScalarKind::Float32, {m}),
                      number("M", m), number("N", n), number("stride", n)};
    made.output = "sums_ptr";
    made.work = double(m * n) * bytesOf(type);
    made.expected = "host.reference(x_ptr, 1)";
    made.torch = "x_ptr.sum(1, dtype=torch.float32)";
    made.relative = 1e-4;
    made.absolute = 1e-2;
    for (const uint32_t warps : {4, 8})
      made.configs.push_back(makeConfig({{"BLOCK_M", 4}, {"BLOCK_N", 1024}}, warps, {blocks(m, 4)}));
    return {};
  };
  return {.name = "row_sums",
          .file = "matrix_sums",
          .kernel = "row_sums_kernel",
          .sides = "MxN",
          .dtypes = floats,
          .shapes = {{{16384, 4096}}},
          .small = {8, 1000},
          .ofSize = rowsOf,
          .fill = fill};
}

/// The first of two launches, which reads everything: sums of parts of the rows.
Entry columnSums() {
  constexpr int64_t each = 512;
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t m = made.shape[0], n = made.shape[1], parts = (m + each - 1) / each;
    made.arguments = {input("x_ptr", type, {m, n}),
                      output("sums_ptr", ScalarKind::Float32, {parts, n}),
                      number("M", m),
                      number("N", n),
                      number("stride", n),
                      number("rows_each", each)};
    made.output = "sums_ptr";
    made.work = double(m * n) * bytesOf(type);
    made.expected = "torch.stack([host.reference(part, 0) for part in x_ptr.split(rows_each)])";
    made.torch = "x_ptr.sum(0, dtype=torch.float32)";
    made.relative = 1e-4;
    made.absolute = 1e-2;
    for (const uint32_t warps : {4, 8})
      made.configs.push_back(
          makeConfig({{"BLOCK_M", 16}, {"BLOCK_N", 128}}, warps, {blocks(n, 128), uint32_t(parts)}));
    return {};
  };
  return {.name = "column_sums",
          .file = "matrix_sums",
          .kernel = "column_sums_kernel",
          .sides = "MxN",
          .dtypes = floats,
          .shapes = {{{16384, 4096}}},
          .small = {32, 256},
          .ofSize = rowsOf,
          .fill = fill};
}

Entry crossEntropy() {
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t rows = made.shape[0], v = made.shape[1];
    Tensor targets{ScalarKind::Int64, {rows}, Tensor::Random, v};
    made.arguments = {input("logits_ptr", type, {rows, v}),
                      {"targets_ptr", targets},
                      output("losses_ptr", ScalarKind::Float32, {rows}),
                      number("stride", v),
                      number("V", v),
                      number("ignore_index", -100)};
    made.output = "losses_ptr";
    made.work = double(rows * v) * bytesOf(type);
    made.expected = "host.reference(logits_ptr, targets_ptr)";
    made.torch = "torch.nn.functional.cross_entropy(logits_ptr, targets_ptr, reduction='none')";
    made.relative = made.absolute = made.dtype == "fp32" ? 1e-4 : 2e-2;
    made.configs = rowConfigs(RowLaunch::Pieces, rows, v, {});
    return {};
  };
  return {.name = "cross_entropy",
          .file = "cross_entropy",
          .kernel = "cross_entropy_kernel",
          .sides = "ROWSxN",
          .dtypes = fewFloats,
          .shapes = {{{4096, 50257}}},
          .small = {4, 1000},
          .ofSize = rowsOf,
          .fill = fill};
}

Entry histogram() {
  constexpr int64_t bins = 256;
  auto fill = [](Case &made, ScalarKind type, const Setting &) -> Result<void> {
    const int64_t n = made.shape[0];
    made.arguments = {{"x_ptr", Tensor{type, {n}, Tensor::Random, bins}},
                      {"counts_ptr", Tensor{ScalarKind::Int32, {bins}, Tensor::Sums}},
                      number("n", n),
                      number("bins", bins)};
    made.output = "counts_ptr";
    made.work = double(n) * bytesOf(type);
    made.expected = "host.reference(x_ptr, bins)";
    made.torch = "torch.bincount(x_ptr, minlength=bins)";
    for (const int64_t block : {1024, 4096})
      made.configs.push_back(makeConfig({{"BLOCK", block}}, 4, {blocks(n, block)}));
    return {};
  };
  return {.name = "histogram",
          .file = "histogram",
          .kernel = "histogram_kernel",
          .sides = "N",
          .dtypes = {"i32"},
          .shapes = {{{1 << 24}}},
          .small = {4096},
          .ofSize = vectorOf,
          .fill = fill};
}

} // namespace

std::vector<Entry> memoryKernels() {
  // A row that no vector of bytes divides is among them: of bf16 one whose rows are at least whole words.
  const std::vector<DefaultShape> rowShapes = {
      {{65536, 256}},  {{32768, 1024}},         {{16384, 4096}},        {{8192, 16384}},
      {{4096, 32768}}, {{4096, 12345}, "fp32"}, {{4096, 12346}, "bf16"}};
  const std::vector<DefaultShape> norms = {{{32768, 1024}}, {{16384, 4096}}, {{8192, 16384}}};
  const std::vector<DefaultShape> few = {{{16384, 4096}}};
  const RowKernel softmax = {.name = "softmax",
                             .file = "softmax",
                             .kernel = "softmax_kernel",
                             .torch = "torch.softmax(x_ptr, 1)",
                             .expected = "host.reference(x_ptr)",
                             .shapes = rowShapes};
  RowKernel persistent = softmax, online = softmax;
  persistent.name = "softmax_persistent";
  persistent.kernel = "softmax_persistent_kernel";
  persistent.launch = RowLaunch::Persistent;
  online.name = "softmax_online";
  online.kernel = "softmax_online_kernel";
  online.launch = RowLaunch::Pieces;
  online.shapes = {{{4096, 32768}}};
  const RowKernel layernorm = {.name = "layernorm",
                               .file = "layernorm",
                               .kernel = "layernorm_kernel",
                               .torch =
                                   "torch.nn.functional.layer_norm(x_ptr, (n,), weight_ptr, bias_ptr, eps)",
                               .expected = "host.reference(x_ptr, weight_ptr, bias_ptr, eps)",
                               .weights = {"weight_ptr", "bias_ptr"},
                               .statistics = {"mean_ptr", "rstd_ptr"},
                               .eps = 1e-5,
                               .shapes = norms};
  RowKernel any = layernorm;
  any.name = "layernorm_any";
  any.kernel = "layernorm_any_kernel";
  any.launch = RowLaunch::Pieces;
  any.shapes = {{{8192, 16384}}};
  const RowKernel rmsnorm = {.name = "rmsnorm",
                             .file = "rmsnorm",
                             .kernel = "rmsnorm_kernel",
                             .torch = "torch.nn.functional.rms_norm(x_ptr, (n,), weight_ptr, eps)",
                             .expected = "host.reference(x_ptr, weight_ptr, eps)",
                             .weights = {"weight_ptr"},
                             .eps = 1e-6,
                             .shapes = few};
  return {rows(softmax),
          rows(layernorm),
          elementwise("vector_add", "add_kernel", {{{1 << 24}}, {{1 << 27}}}, {"x_ptr", "y_ptr"}, "out_ptr",
                      "torch.add(x_ptr, y_ptr, out=out_ptr)"),
          elementwise("gelu", "gelu_kernel", {{{1 << 27}}}, {"x_ptr"}, "y_ptr",
                      "torch.nn.functional.gelu(x_ptr, approximate='tanh')"),
          rows(persistent),
          rows(online),
          rows(any),
          rows(rmsnorm),
          rowSums(),
          columnSums(),
          crossEntropy(),
          histogram(),
          transpose(),
          stridedCopy()};
}

} // namespace tegula::cli::bench
