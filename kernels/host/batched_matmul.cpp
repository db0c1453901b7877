// The host sides of batched_matmul.py in C++.
#include "kernels/host/MatrixCheck.h"

#include <algorithm>

namespace tegula::kernels {
namespace {

/// The matrices of a batch, one below another in memory, and the place of their products.
struct Batch {
  Batch(const Problem &p, const ProductShape &shape, int64_t count, size_t index)
      : shape(shape), count(count), a(p, p.dtype, count * shape.m, shape.k, Order::Rows, p.seed + 2 * index),
        b(p, p.dtype, count * shape.k, shape.n, Order::Rows, p.seed + 2 * index + 1),
        c(p, p.dtype, count * shape.m, shape.n) {}

  ProductShape shape;
  int64_t count;
  Matrix a, b;
  Result c;

  /// The pointers, where it is wanted the number of matrices, the sides and nine strides.
  std::vector<Argument> arguments(bool withCount) const {
    std::vector<Argument> list = {a.pointer(), b.pointer(), c.pointer()};
    if (withCount)
      list.push_back(count);
    const int64_t m = shape.m, n = shape.n, k = shape.k;
    for (int64_t number :
         {m, n, k, m * k, k, int64_t(1), k * n, n, int64_t(1), m * c.stride(), c.stride(), int64_t(1)})
      list.push_back(number);
    return list;
  }

  Outcome check(const Problem &p) const {
    const Precision precision = p.dtype == Dtype::f32 ? Precision::TF32 : Precision::Exact;
    Reference all{{}, shape.n, {}, {}, {}};
    for (int64_t i = 0; i < count; ++i)
      all.append(multiply(a.part(i * shape.m, shape.m), b.part(i * shape.k, shape.k), p.dtype, precision),
                 i * shape.m);
    return c.compareWith(all);
  }

  std::string describe() const {
    return std::to_string(count) + " times " + std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" +
           std::to_string(shape.k);
  }
};

Outcome runLarge(const Problem &p) {
  Kernel batched = Program::load(sourceFolder() + "/batched_matmul.py").kernel("batched_matmul_kernel");
  Outcome outcome;
  std::vector<ProductShape> shapes = productShapes(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    Batch batch(p, shapes[i], p.n ? 16 : 1 + int64_t(i % 3), i);
    Tiling tiling = tilingFor(p, i, configsOf("batched_matmul.py").front());
    Kernel kernel = withTiling(batched, tiling);
    std::vector<Argument> arguments = batch.arguments(false);
    const int64_t tiles = cdiv(batch.shape.m, tiling.m) * cdiv(batch.shape.n, tiling.n);
    kernel.launchWith(p.device, {tiles, batch.count}, arguments.data(), arguments.size());
    Outcome one = batch.check(p);
    outcome.add(one, batch.describe());
  }
  judgeMeanError(outcome);
  return outcome;
}

/// Sides up to 64, and numbers of matrices that programs share unevenly.
Outcome runSmall(const Problem &p) {
  constexpr int64_t each = 4, largest = 64;
  Kernel small = Program::load(sourceFolder() + "/batched_matmul.py").kernel("small_batched_matmul_kernel");
  Outcome outcome;
  std::vector<ProductShape> shapes = productShapes(p);
  for (size_t i = 0; i < shapes.size(); ++i) {
    auto side = [&](int64_t s) { return p.n ? std::min(s, largest) : 1 + s % 40; };
    Batch batch(p, {side(shapes[i].m), side(shapes[i].n), side(shapes[i].k)}, p.n ? 64 : 1 + int64_t(i % 6),
                i);
    auto block = [](int64_t s) { return std::max<int64_t>(16, nextPowerOf2(s)); };
    Kernel kernel =
        withTiling(small, {block(batch.shape.m), block(batch.shape.n), block(batch.shape.k), 4, 3})
            .constexpr_("BATCH", each);
    std::vector<Argument> arguments = batch.arguments(true);
    kernel.launchWith(p.device, cdiv(batch.count, each), arguments.data(), arguments.size());
    Outcome one = batch.check(p);
    outcome.add(one, batch.describe());
  }
  judgeMeanError(outcome);
  return outcome;
}

const std::vector<Dtype> dtypes = {Dtype::f16, Dtype::bf16, Dtype::f32};

} // namespace

HostSide batchedMatmul() { return {"batched_matmul", dtypes, runLarge, {}}; }
HostSide smallBatchedMatmul() { return {"small_batched_matmul", dtypes, runSmall, {}}; }

} // namespace tegula::kernels
