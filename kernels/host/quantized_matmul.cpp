// The host sides of quantized_matmul.py in C++: int8 with and without scales, fp8 of either kind and of both.
#include "kernels/host/MatrixCheck.h"

#include <cmath>
#include <cstdlib>

namespace tegula::kernels {
namespace {

/// One product of 8-bit matrices: a by rows, b mostly by columns, as is quickest.
struct Case {
  Case(const Problem &p, size_t index, const ProductShape &shape, const Tiling &tiling, Dtype typeOfB,
       Dtype typeOfC)
      : shape(shape), tiling(tiling),
        a(p, p.dtype, shape.m, shape.k, index % 5 == 4 ? Order::Columns : Order::Rows, p.seed + 2 * index),
        b(p, typeOfB, shape.k, shape.n, index % 3 == 2 ? Order::Rows : Order::Columns,
          p.seed + 2 * index + 1),
        c(p, typeOfC, shape.m, shape.n) {}

  ProductShape shape;
  Tiling tiling;
  Matrix a, b;
  Result c;

  void addSides(std::vector<Argument> &arguments) const {
    for (int64_t number : {shape.m, shape.n, shape.k})
      arguments.push_back(number);
  }
  void addStrides(std::vector<Argument> &arguments) const {
    for (int64_t number : {a.rowStride, a.columnStride, b.rowStride, b.columnStride, c.stride(), int64_t(1)})
      arguments.push_back(number);
  }

  /// Launches, compares with `reference` and on a GPU says how fast it was.
  Outcome run(const Problem &p, const Kernel &kernel, const std::vector<Argument> &arguments,
              const Reference &reference) const {
    Kernel tiled = withTiling(kernel, tiling);
    tiled.launchWith(p.device, {cdiv(shape.m, tiling.m), cdiv(shape.n, tiling.n)}, arguments.data(),
                     arguments.size());
    Outcome outcome = c.compareWith(reference);
    return outcome;
  }
};

/// Runs `one` on each shape: on the first in all configs of the file, on others in one of small tiles.
template <typename One> Outcome runShapes(const Problem &p, One one) {
  Outcome outcome;
  const std::vector<Tiling> configs = configsOf("quantized_matmul.py");
  const std::vector<ProductShape> shapes = productShapes(p);
  for (size_t i = 0; i < shapes.size(); ++i)
    for (const Tiling &tiling : i == 0 ? configs : std::vector{tilingFor(p, i, configs.front())})
      outcome.add(one(i, shapes[i], tiling), std::to_string(shapes[i].m) + "x" + std::to_string(shapes[i].n) +
                                                 "x" + std::to_string(shapes[i].k));
  judgeMeanError(outcome);
  return outcome;
}

Outcome runInt8(const Problem &p) {
  Kernel kernel = Program::load(sourceFolder() + "/quantized_matmul.py").kernel("int8_matmul_kernel");
  return runShapes(p, [&](size_t index, const ProductShape &shape, const Tiling &tiling) {
    Case c(p, index, shape, tiling, p.dtype, Dtype::i32);
    std::vector<Argument> arguments = {c.a.pointer(), c.b.pointer(), c.c.pointer(), std::nullopt,
                                       std::nullopt};
    c.addSides(arguments);
    c.addStrides(arguments);
    return c.run(p, kernel, arguments, multiply(c.a.all(), c.b.all(), p.dtype, Precision::Exact));
  });
}

Outcome runScaled(const Problem &p) {
  Kernel kernel = Program::load(sourceFolder() + "/quantized_matmul.py").kernel("int8_matmul_kernel");
  return runShapes(p, [&](size_t index, const ProductShape &shape, const Tiling &tiling) {
    Case c(p, index, shape, tiling, p.dtype, Dtype::f16);
    // Scales that bring sums of products of whole int8 back near 1.
    std::vector<double> rowScale = randomValues(Dtype::f32, shape.m, p.seed + 7 * index);
    std::vector<double> columnScale = randomValues(Dtype::f32, shape.n, p.seed + 7 * index + 1);
    for (double &scale : rowScale)
      scale = rounded(Dtype::f32, scale * 1e-4);
    DeviceValues rows(p.device, Dtype::f32, rowScale), columns(p.device, Dtype::f32, columnScale);
    std::vector<Argument> arguments = {c.a.pointer(), c.b.pointer(), c.c.pointer(), rows.pointer(),
                                       columns.pointer()};
    c.addSides(arguments);
    c.addStrides(arguments);
    Reference reference = multiply(c.a.all(), c.b.all(), p.dtype, Precision::Exact);
    for (size_t i = 0; i < reference.exact.size(); ++i) {
      const double scale =
          rowScale[size_t(reference.rows[i / size_t(shape.n)])] * columnScale[i % size_t(shape.n)];
      reference.exact[i] *= scale;
      reference.plain[i] = double(float(reference.exact[i]));
      reference.allowed[i] = std::ldexp(std::abs(reference.exact[i]), -22);
    }
    return c.run(p, kernel, arguments, reference);
  });
}

Outcome runFp8(const Problem &p) {
  // The number in "sm_90a".
  if (std::strtol(p.device.arch().c_str() + 3, nullptr, 10) < 89) {
    Outcome leftOut;
    leftOut.note = "left out: fp8 needs sm_89 or later";
    return leftOut;
  }
  Kernel kernel = Program::load(sourceFolder() + "/quantized_matmul.py").kernel("fp8_matmul_kernel");
  return runShapes(p, [&](size_t index, const ProductShape &shape, const Tiling &tiling) {
    const Dtype other = p.dtype == Dtype::fp8e4nv ? Dtype::fp8e5 : Dtype::fp8e4nv;
    Case c(p, index, shape, tiling, index % 4 == 3 ? other : p.dtype, Dtype::f16);
    const float scale = 0.37f;
    std::vector<Argument> arguments = {c.a.pointer(), c.b.pointer(), c.c.pointer()};
    c.addSides(arguments);
    arguments.push_back(scale);
    c.addStrides(arguments);
    Reference reference = multiply(c.a.all(), c.b.all(), p.dtype, Precision::Exact);
    for (size_t i = 0; i < reference.exact.size(); ++i) {
      // Matrix units of Hopper keep 13 bits of the fraction of an fp8 sum, not 23.
      reference.allowed[i] = double(scale) * std::ldexp(reference.allowed[i], 10);
      reference.exact[i] *= double(scale);
      reference.plain[i] = double(scale * float(reference.plain[i]));
    }
    return c.run(p, kernel, arguments, reference);
  });
}

} // namespace

HostSide int8Matmul() { return {"int8_matmul", {Dtype::i8}, runInt8, {}}; }
HostSide int8MatmulScaled() { return {"int8_matmul_scaled", {Dtype::i8}, runScaled, {}}; }
HostSide fp8Matmul() { return {"fp8_matmul", {Dtype::fp8e4nv, Dtype::fp8e5}, runFp8, {}}; }

} // namespace tegula::kernels
