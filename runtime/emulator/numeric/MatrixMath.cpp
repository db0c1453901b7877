#include "runtime/emulator/numeric/MatrixMath.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace tegula::runtime::ptx {

/// Precision with which a chunk of K is added up.
struct Exactness {
  /// Bits behind the binary point of the largest exponent that aligned terms keep.
  int alignedBits;
  /// Bits behind its own binary point that a sum in single precision keeps.
  int singleBits;
};

/// Sums keep all that aligned terms make, but for products of 8-bit floats by `wgmma`.
static constexpr Exactness exactnessOfMost{25, 52}, exactnessOfEights{13, 13};

static double powerOfTwo(int exponent) { return asDouble(uint64_t(exponent + 1023) << 52); }

/// `value` cut to single precision, towards zero; infinity where it does not fit.
static double cutToSingle(double value) {
  const float nearest = float(value);
  const bool tooFar = std::fabs(double(nearest)) > std::fabs(value) && std::fabs(value) < 0x1p128;
  return double(std::bit_cast<float>(std::bit_cast<uint32_t>(nearest) - uint32_t(tooFar)));
}

/// `value` with `bits` behind its binary point, cut towards zero.
static double cutTo(double value, int bits) {
  return asDouble(bitsOfDouble(value) >> (52 - bits) << (52 - bits));
}

namespace {

/// Cells whose sum is no finite number, and what it is instead.
struct SpecialCells {
  uint8_t columns[matrixRows] = {}; ///< a bit a column
  double value[matrixRows][matrixColumns];
};

} // namespace

/// Finds the special cells and zeroes the operands that make them, so that the others can be computed alike.
static void takeSpecials(FusedOperands &o, unsigned first, unsigned last, SpecialCells &cells) {
  for (unsigned row = 0; row < matrixRows; ++row)
    for (unsigned column = 0; column < matrixColumns; ++column) {
      double sum = o.c[row][column];
      for (unsigned k = first; k < last; ++k)
        sum += o.a[row][k] * o.b[k][column];
      cells.value[row][column] = sum;
      cells.columns[row] |= uint8_t(!std::isfinite(sum)) << column;
    }
  const auto clear = [](double &value) { value = std::isfinite(value) ? value : 0; };
  for (unsigned row = 0; row < matrixRows; ++row) {
    std::for_each(o.a[row] + first, o.a[row] + last, clear);
    std::for_each(o.c[row], o.c[row] + matrixColumns, clear);
  }
  for (unsigned k = first; k < last; ++k)
    std::for_each(o.b[k], o.b[k] + matrixColumns, clear);
}

/// Exponents of the accumulators of a row, where a zero counts as the smallest normal single.
static void exponentsOf(const double *values, int least, int16_t *exponents) {
  for (unsigned column = 0; column < matrixColumns; ++column) {
    const int field = int(bitsOfDouble(values[column]) >> 52 & 0x7ff);
    exponents[column] = int16_t(values[column] == 0 ? -126 : std::max(field - 1023, least));
  }
}

static void multiplyRow(FusedOperands &o, unsigned row, unsigned first, unsigned last, const Format &to,
                        Exactness exactness) {
  const int alignedBits = exactness.alignedBits;
  int16_t top[matrixColumns];
  exponentsOf(o.c[row], to.minExponent, top);
  for (unsigned k = first; k < last; ++k)
    for (unsigned column = 0; column < matrixColumns; ++column)
      top[column] = std::max(top[column], int16_t(o.aExponent[row][k] + o.bExponent[k][column]));
  double scale[matrixColumns], sum[matrixColumns];
  for (unsigned column = 0; column < matrixColumns; ++column)
    scale[column] = powerOfTwo(alignedBits - top[column]);
  // A term is below 2^(25 + 2), so a conversion to an integer and back cuts it.
  for (unsigned column = 0; column < matrixColumns; ++column)
    sum[column] = double(int32_t(o.c[row][column] * scale[column]));
  for (unsigned k = first; k < last; ++k) {
    const double a = o.a[row][k];
    for (unsigned column = 0; column < matrixColumns; ++column)
      sum[column] += double(int32_t(a * o.b[k][column] * scale[column]));
  }
  for (unsigned column = 0; column < matrixColumns; ++column)
    o.c[row][column] = sum[column] * powerOfTwo(top[column] - alignedBits);
  for (unsigned column = 0; column < matrixColumns; ++column)
    if (to == half)
      o.c[row][column] = toDouble(roundTo(o.c[row][column], half, Rounding::Nearest), half);
    else
      o.c[row][column] = cutToSingle(cutTo(o.c[row][column], exactness.singleBits));
}

static void multiplyRows(FusedOperands &o, unsigned first, unsigned last, const Format &to,
                         Exactness exactness) {
  for (unsigned row = 0; row < matrixRows; ++row)
    multiplyRow(o, row, first, last, to, exactness);
}

/// Adds the products of the elements `first` to `last` of K to C. A and B stay as they are: `wgmma`
/// multiplies one A by many B.
static void multiplyChunk(FusedOperands &o, unsigned first, unsigned last, const Format &to,
                          Exactness exactness = exactnessOfMost) {
  bool special = o.special;
  for (const auto &row : o.c)
    for (const double value : row)
      special |= !std::isfinite(value);
  if (!special)
    return multiplyRows(o, first, last, to, exactness);
  FusedOperands finite = o;
  SpecialCells cells;
  takeSpecials(finite, first, last, cells);
  multiplyRows(finite, first, last, to, exactness);
  for (unsigned row = 0; row < matrixRows; ++row)
    for (unsigned column = 0; column < matrixColumns; ++column)
      o.c[row][column] = cells.columns[row] >> column & 1 ? cells.value[row][column] : finite.c[row][column];
}

void multiplyFused(FusedOperands &o, unsigned depth, const Format &to) { multiplyChunk(o, 0, depth, to); }

void multiplyForGroup(FusedOperands &o, unsigned depth, bool eights, const Format &to) {
  multiplyChunk(o, 0, depth, to, eights ? exactnessOfEights : exactnessOfMost);
}

void multiplyEights(FusedOperands &o, unsigned depth, const Format &to) {
  double addend[matrixRows][matrixColumns];
  for (unsigned row = 0; row < matrixRows; ++row)
    for (unsigned column = 0; column < matrixColumns; ++column)
      addend[row][column] = std::exchange(o.c[row][column], 0.0);
  multiplyChunk(o, 0, depth / 2, to);
  multiplyChunk(o, depth / 2, depth, to);
  for (unsigned row = 0; row < matrixRows; ++row)
    for (unsigned column = 0; column < matrixColumns; ++column) {
      double &sum = o.c[row][column];
      // A sum of two halves is exact in double.
      sum = to == half ? toDouble(roundTo(addend[row][column] + sum, half, Rounding::Nearest), half)
                       : double(float(addend[row][column]) + float(sum));
    }
}

void multiplyIntegers(IntegerOperands &o, unsigned rows, unsigned depth, bool saturates) {
  for (unsigned row = 0; row < rows; ++row) {
    float sum[matrixColumns] = {};
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned column = 0; column < matrixColumns; ++column)
        sum[column] += o.a[row][k] * o.b[k][column];
    for (unsigned column = 0; column < matrixColumns; ++column) {
      const int64_t total = int64_t(o.c[row][column]) + int64_t(sum[column]);
      constexpr int64_t least = std::numeric_limits<int32_t>::min(),
                        most = std::numeric_limits<int32_t>::max();
      o.c[row][column] = int32_t(uint32_t(saturates ? std::clamp(total, least, most) : total));
    }
  }
}

/// a * b + c, with the NaN that the matrix unit takes; a scalar fma takes the first of a, b and c.
static uint64_t fuseDoubles(uint64_t a, uint64_t b, uint64_t c, Rounding rounding) {
  constexpr uint64_t invalid = 0xfff8000000000000;
  if (doubleFormat.isNan(b))
    return doubleResult(asDouble(b), b);
  if (doubleFormat.isNan(a) && (c == invalid || !doubleFormat.isNan(c)))
    return doubleResult(asDouble(a), a);
  if (doubleFormat.isNan(c))
    return doubleResult(asDouble(c), c);
  return rounding == Rounding::Nearest
             ? doubleResult(std::fma(asDouble(a), asDouble(b), asDouble(c)), a, b, c)
             : doubleInMode(FloatOp::Fma, a, b, c, rounding);
}

void multiplyDoubles(DoubleOperands &o, unsigned rows, unsigned depth, Rounding rounding) {
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned column = 0; column < matrixColumns; ++column)
      for (unsigned k = 0; k < depth; ++k)
        o.c[row][column] =
            fuseDoubles(bitsOfDouble(o.a[row][k]), bitsOfDouble(o.b[k][column]), o.c[row][column], rounding);
}

} // namespace tegula::runtime::ptx
