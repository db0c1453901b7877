// Products of matrices.
//
// Operands are taken as doubles, which f8, f16, bf16 and f32 are exactly; products of two are exact too.
// Those of one element are added up in double, the accumulator first and then from the first k to the last,
// and the sum is rounded once to the accumulator's format. Where `precision` is `tf32`, operands of f32 are
// rounded to that format before, to nearest and ties away from zero, as `cvt.rna.tf32` does; `tf32x3` counts
// as f32, of which it keeps all but the last digits. f64 is a chain of fused multiply-adds, i8 exact modulo
// 2^32. Matrix units add in orders and widths of their own: what they give differs in the last digits of a
// sum that is not exact, and `maxImprecise` changes nothing here.
#include "compiler/interp/ops/DotOps.h"
#include "compiler/interp/machine/Machine.h"
#include "compiler/interp/values/Floats.h"
#include "dialect/tile/Tile.h"

#include <cmath>

using namespace mlir;

namespace tegula::interp {
namespace {

/// The number of multiply-adds that cost as much as a step.
constexpr uint64_t multiplyAddsOfStep = 8;

std::vector<double> asDoubles(const Tensor &tensor, bool toTf32) {
  const Element::Kind kind = Element(tensor.type).kind;
  std::vector<double> values(tensor.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = decodeFloat(kind, toTf32 ? roundToTf32(uint32_t(tensor.bits[i])) : tensor.bits[i]);
  return values;
}

std::vector<int64_t> asIntegers(const Tensor &tensor) {
  const unsigned bits = Element(tensor.type).bits;
  std::vector<int64_t> values(tensor.size());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = signExtend(tensor.bits[i], bits);
  return values;
}

/// sums[m, n] = add(a[m, k], b[k, n], sums[m, n]) for each k in turn. Whole rows of `b` and `sums` at a time,
/// so that memory is walked in order and the innermost loop has no dependence.
template <typename T, typename Add>
void multiply(const Sides &sides, const std::vector<T> &a, const std::vector<T> &b, std::vector<T> &sums,
              Add add) {
  const T *left = a.data();
  for (size_t row = 0; row < sides.batches * sides.m; ++row) {
    T *sum = &sums[row * sides.n];
    const T *right = &b[row / sides.m * sides.k * sides.n];
    for (size_t k = 0; k < sides.k; ++k, right += sides.n) {
      const T factor = *left++;
      for (size_t n = 0; n < sides.n; ++n)
        sum[n] = add(factor, right[n], sum[n]);
    }
  }
}

/// A sum is undefined where one of its products is, or what it starts from.
void markUndefined(const Sides &sides, const Tensor &a, const Tensor &b, Tensor &result) {
  for (size_t i = 0; i < a.undefined.size(); ++i)
    for (size_t n = 0; a.undefined[i] && n < sides.n; ++n)
      result.setUndefined(i / sides.k * sides.n + n);
  for (size_t i = 0; i < b.undefined.size(); ++i)
    for (size_t m = 0; b.undefined[i] && m < sides.m; ++m)
      result.setUndefined((i / (sides.k * sides.n) * sides.m + m) * sides.n + i % sides.n);
}

LogicalResult dot(Machine &machine, const Step &step) {
  auto op = cast<tile::DotOp>(step.op);
  const Tensor &a = machine.operand(step, 0), &b = machine.operand(step, 1);
  Tensor result = machine.operand(step, 2);
  const Sides sides{op.getBatchAxes() ? size_t(op.getResultType().getShape()[0]) : 1, size_t(op.getM()),
                    size_t(op.getN()), size_t(op.getK())};
  const bool toTf32 =
      op.getPrecision() == tile::InputPrecision::TF32 && Element(a.type).kind == Element::Float32;
  if (failed(addProducts(machine, step, sides, a, b, toTf32, result)))
    return failure();
  machine.setResult(step, std::move(result));
  return success();
}

} // namespace

LogicalResult addProducts(Machine &machine, const Step &step, const Sides &sides, const Tensor &a,
                          const Tensor &b, bool toTf32, Tensor &result) {
  if (failed(machine.spend(step, result.size() * sides.k / multiplyAddsOfStep)))
    return failure();
  const Element element(result.type);
  if (element.isFloat()) {
    const std::vector<double> left = asDoubles(a, toTf32), right = asDoubles(b, toTf32);
    std::vector<double> sums = asDoubles(result, false);
    if (element.kind == Element::Float64)
      multiply(sides, left, right, sums, [](double x, double y, double z) { return std::fma(x, y, z); });
    else
      multiply(sides, left, right, sums, [](double x, double y, double z) { return x * y + z; });
    for (size_t i = 0; i < sums.size(); ++i)
      result.bits[i] = encodeFloat(element.kind, sums[i]);
  } else {
    std::vector<int64_t> sums = asIntegers(result);
    multiply(sides, asIntegers(a), asIntegers(b), sums,
             [](int64_t x, int64_t y, int64_t z) { return x * y + z; });
    for (size_t i = 0; i < sums.size(); ++i)
      result.bits[i] = uint64_t(sums[i]) & element.mask();
  }
  markUndefined(sides, a, b, result);
  return success();
}

void addDotOps(HandlerTable &table) { addHandler<tile::DotOp>(table, dot); }

} // namespace tegula::interp
