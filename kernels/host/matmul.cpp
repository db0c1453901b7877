// The host sides of matmul.py in C++: products of every shape, order and precision; bias and activations.
#include "kernels/host/MatrixCheck.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace tegula::kernels {
namespace {

constexpr int64_t groupM = 8;

/// The fixed part of a run, and the parameters of one shape.
struct Case {
  const Problem &p;
  size_t index;
  ProductShape shape;
  Tiling tiling;
  Precision precision;
  const char *precisionName;
};

Precision precisionOf(const Problem &p, size_t index, const char *&name) {
  static constexpr std::pair<Precision, const char *> single[] = {
      {Precision::TF32, "tf32"}, {Precision::TF32x3, "tf32x3"}, {Precision::IEEE, "ieee"}};
  name = "tf32"; // which means nothing for other types
  if (p.dtype != Dtype::f32)
    return Precision::Exact;
  name = single[index % 3].second;
  return single[index % 3].first;
}

/// Returns the order of the operands: by rows, by columns, with gaps; each pair of orders in turn.
Order orderOf(size_t index) { return Order(index % 4); }

std::vector<Argument> productArguments(const Matrix &a, const Matrix &b, const Result &c,
                                       std::optional<Argument> bias = {}) {
  std::vector<Argument> arguments = {a.pointer(), b.pointer(), c.pointer()};
  if (bias)
    arguments.push_back(*bias);
  for (int64_t number : {a.rows, b.columns, a.columns, a.rowStride, a.columnStride, b.rowStride,
                         b.columnStride, c.stride(), int64_t(1)})
    arguments.push_back(number);
  return arguments;
}

std::string describe(const Case &c) {
  char text[160];
  std::snprintf(
      text, sizeof text, "%lldx%lldx%lld (m, n, k) in tiles of %lldx%lldx%lld, %d warps, %d stages, %s",
      (long long)c.shape.m, (long long)c.shape.n, (long long)c.shape.k, (long long)c.tiling.m,
      (long long)c.tiling.n, (long long)c.tiling.k, c.tiling.warps, c.tiling.stages, c.precisionName);
  return text;
}

/// Runs `one` on every shape of the problem and sums up.
template <typename One> Outcome runShapes(const Problem &p, const Tiling &usual, One one) {
  Outcome outcome;
  std::vector<ProductShape> shapes = productShapes(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    Case c{p, i, shapes[i], tilingFor(p, i, usual), Precision::Exact, ""};
    c.precision = precisionOf(p, i, c.precisionName);
    outcome.add(one(c), describe(c));
  }
  judgeMeanError(outcome);
  return outcome;
}

Outcome runMatmul(const Problem &p) {
  const Tiling usual = {128, 128, 64, 4, 3}; // as in the host side of the file
  Kernel matmul = Program::load(sourceFolder() + "/matmul.py").kernel("matmul_kernel");
  return runShapes(p, usual, [&](const Case &c) {
    Matrix a(p, p.dtype, c.shape.m, c.shape.k, orderOf(c.index / 4), p.seed + 2 * c.index);
    Matrix b(p, p.dtype, c.shape.k, c.shape.n, orderOf(c.index), p.seed + 2 * c.index + 1);
    Result found(p, p.dtype == Dtype::i8 ? Dtype::i32 : p.dtype, c.shape.m, c.shape.n);
    Kernel kernel = withTiling(matmul, c.tiling).constexpr_("PRECISION", c.precisionName);
    std::vector<Argument> arguments = productArguments(a, b, found);
    kernel.launchWith(p.device, {cdiv(c.shape.m, c.tiling.m), cdiv(c.shape.n, c.tiling.n)}, arguments.data(),
                      arguments.size());
    return found.compareWith(multiply(a.all(), b.all(), p.dtype, c.precision));
  });
}

struct Activation {
  const char *name;
  double (*function)(double);
  double slope;
  bool inexact;
};

const Activation activations[] = {
    {"none", [](double x) { return x; }, 1, false},
    {"relu", [](double x) { return std::max(x, 0.0); }, 1, false},
    {"leaky_relu", [](double x) { return x >= 0 ? x : 0.01 * x; }, 1, true},
    {"gelu",
     [](double x) { return x / 2 * (1 + std::tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))); }, 1.13,
     true},
};

/// The grouped kernel with every activation by turns, with and without bias; `launchOne(case, activation,
/// arguments)` gives what launches it.
template <typename LaunchOne>
Outcome runGroupedWith(const Problem &p, const Tiling &usual, LaunchOne launchOne) {
  return runShapes(p, usual, [&](const Case &c) {
    Matrix a(p, p.dtype, c.shape.m, c.shape.k, orderOf(c.index / 4), p.seed + 3 * c.index);
    Matrix b(p, p.dtype, c.shape.k, c.shape.n, orderOf(c.index), p.seed + 3 * c.index + 1);
    std::vector<double> bias = randomValues(p.dtype, c.shape.n, p.seed + 3 * c.index + 2);
    DeviceValues biases(p.device, p.dtype, bias);
    Result found(p, p.dtype, c.shape.m, c.shape.n);
    const bool hasBias = c.index % 3 != 0;
    const Activation &activation = activations[c.index % 4];
    auto launch = launchOne(
        c, activation, productArguments(a, b, found, hasBias ? Argument(biases.pointer()) : std::nullopt));
    launch();
    Reference reference = multiply(a.all(), b.all(), p.dtype, c.precision);
    reference.finish(hasBias ? &bias : nullptr, activation.function, activation.slope, activation.inexact);
    return found.compareWith(reference);
  });
}

Outcome runGrouped(const Problem &p) {
  Kernel grouped = Program::load(sourceFolder() + "/matmul.py").kernel("matmul_grouped_kernel");
  return runGroupedWith(p, configsOf("matmul.py").front(),
                        [&](const Case &c, const Activation &activation, const auto &arguments) {
                          Kernel kernel = withTiling(grouped, c.tiling)
                                              .constexpr_("GROUP_M", c.index % 2 ? groupM : 3)
                                              .constexpr_("ACTIVATION", activation.name)
                                              .constexpr_("PRECISION", c.precisionName);
                          return [=, &p, grid = cdiv(c.shape.m, c.tiling.m) * cdiv(c.shape.n, c.tiling.n)] {
                            kernel.launchWith(p.device, grid, arguments.data(), arguments.size());
                          };
                        });
}

/// Each config of the list on a shape of its own. Their tiles are large, and the emulator has not got all
/// day: the shapes are one tile and a bit.
Outcome runTuned(const Problem &p) {
  std::vector<Tiling> configs = configsOf("matmul.py");
  Kernel tuned = Program::load(sourceFolder() + "/matmul.py").kernel("matmul_tuned_kernel");
  Outcome outcome;
  for (int i = 0; i < tuned.configCount(); ++i) {
    Problem one = p;
    if (p.n == 0)
      one.m = 70, one.n = 90 + i, one.k = 200;
    const Tiling &tiling = configs.at(size_t(i));
    Outcome found =
        runGroupedWith(one, tiling, [&](const Case &c, const Activation &activation, const auto &arguments) {
          Kernel kernel = tuned.config(i)
                              .constexpr_("ACTIVATION", activation.name)
                              .constexpr_("PRECISION", c.precisionName);
          return [=, &one, grid = cdiv(c.shape.m, tiling.m) * cdiv(c.shape.n, tiling.n)] {
            kernel.launchWith(one.device, grid, arguments.data(), arguments.size());
          };
        });
    found.note.clear();
    outcome.add(found, "config " + std::to_string(i));
  }
  judgeMeanError(outcome);
  return outcome;
}

const std::vector<Dtype> dtypes = {Dtype::f16, Dtype::bf16, Dtype::f32};

} // namespace

HostSide matmul() {
  return {"matmul", {Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64, Dtype::i8}, runMatmul, {}};
}
HostSide matmulGrouped() { return {"matmul_grouped", dtypes, runGrouped, {}}; }
HostSide matmulTuned() { return {"matmul_tuned", dtypes, runTuned, {}}; }

} // namespace tegula::kernels
