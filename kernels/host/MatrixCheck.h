// Helpers of the host sides of matrix kernels: matrices with strides, shapes with every kind of edge, and
// products in double precision to compare with.
//
// An element may differ from the exact product by what adding up in fp32 can cost, in proportion to the sum
// of its terms' magnitudes, and by its own rounding. A mean error is compared as well, with that of the
// plainest program there is: fp32 sums, one term after the other, rounded once.
#pragma once

#include "kernels/host/Check.h"

#include <functional>

namespace tegula::kernels {

/// m by k times k by n.
struct ProductShape {
  int64_t m, n, k;
};

/// A kernel's tile of a product.
struct Tiling {
  int64_t m, n, k;
  int warps, stages;
};

/// `kernel` with the tiling as BLOCK_M, BLOCK_N, BLOCK_K, warps and stages.
Kernel withTiling(const Kernel &kernel, const Tiling &tiling);

/// The tilings that the `triton.Config`s of a kernels' file name, in their order: what a grid depends on
/// stands in one place. A side that a config leaves out is 0.
std::vector<Tiling> configsOf(const std::string &file);

/// Random shapes that each matrix kernel and type is checked with.
inline constexpr int shapesEach = 50;

/// Returns the shape that is asked for (`n` for each side left out), or `shapesEach` random ones: sides of 1,
/// far below a block, next to and at multiples of 16, k of 0. All are small enough for the emulator.
std::vector<ProductShape> productShapes(const Problem &problem);

/// The tiling of the `index`-th shape of a problem: of one that is asked for, and of the first random one,
/// `usual`; of the others each of a list of small ones by turns.
Tiling tilingFor(const Problem &problem, size_t index, const Tiling &usual);

/// The order of a matrix in memory: of its rows, or of its columns; `Gaps` leaves some elements of NaN
/// between them, which nothing may read or write.
enum class Order { Rows, Columns, RowsWithGaps, ColumnsWithGaps };

/// Numbers on the host seen as a matrix.
struct MatrixView {
  const double *values;
  int64_t rows, columns, rowStride, columnStride;
  double at(int64_t row, int64_t column) const { return values[row * rowStride + column * columnStride]; }
};

/// A matrix on both sides.
struct Matrix {
  /// Random values. With int8, from all there are.
  Matrix(const Problem &problem, Dtype dtype, int64_t rows, int64_t columns, Order order, uint64_t seed);

  int64_t rows, columns, rowStride, columnStride;
  std::vector<double> values; ///< as they lie in memory
  DeviceValues onDevice;
  /// Some of the rows, on the host.
  MatrixView part(int64_t first, int64_t count) const {
    return {values.data() + first * rowStride, count, columns, rowStride, columnStride};
  }
  MatrixView all() const { return part(0, rows); }
  Pointer pointer() const { return onDevice.pointer(); }
};

/// Precision of the product of two numbers.
enum class Precision {
  Exact, ///< as of fp16, bf16, fp8 and int8 in fp32 or int32, and of fp64 in itself
  TF32,
  TF32x3,
  IEEE, ///< fp32
};

/// Products in double precision, of some rows: all, or a sample where there would be too much to compute.
struct Reference {
  std::vector<int64_t> rows;
  int64_t columns;
  std::vector<double> exact, plain, allowed; ///< rows.size() by columns; `allowed` without the last rounding

  /// Adds a bias to every row, and applies `activation`, whose slope is at most `slope`; where it is
  /// `inexact`, it is computed from functions of fp32.
  void finish(const std::vector<double> *bias, const std::function<double(double)> &activation, double slope,
              bool inexact);
  /// Puts the rows of another result below these, as rows `first` and on.
  void append(const Reference &below, int64_t first);
};
Reference multiply(const MatrixView &a, const MatrixView &b, Dtype dtype, Precision precision);

/// The matrix that a kernel writes: elements that it leaves out are poison.
class Result {
public:
  Result(const Problem &problem, Dtype dtype, int64_t rows, int64_t columns);
  Pointer pointer() const { return onDevice.pointer(); }
  int64_t stride() const { return columns + gap; }
  /// Compares what was written, and looks whether anything was between the rows.
  Outcome compareWith(const Reference &reference) const;

private:
  static constexpr int64_t gap = 3;
  Dtype dtype;
  int64_t rows, columns;
  DeviceValues onDevice;
};

/// Compares rows that were found, `reference.rows` of them, with the reference.
Outcome compareRows(Dtype dtype, const Reference &reference, const std::vector<double> &found);

/// Compares the mean error with a plain program's, and counts as wrong one that is larger by more than
/// chance.
void judgeMeanError(Outcome &outcome);

/// The nearest number with a mantissa of tf32, ten bits.
double roundedToTf32(double value);

/// Unit roundoff of a type: the largest relative error of rounding to it.
double unitRoundoff(Dtype dtype);

/// Calls `body(i)` for 0 to count - 1 on all cores.
void inParallel(int64_t count, const std::function<void(int64_t)> &body);

} // namespace tegula::kernels
