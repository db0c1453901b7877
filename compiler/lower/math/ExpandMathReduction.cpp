// Two ways to reduce, of which the second is for large arguments alone: it stands in a branch.
//
// Where the argument is known to be small there is but one.
//
// - Small arguments (Cody and Waite): a - n (pi / 2) with pi / 2 as a sum of three floats and fused
//   multiply-adds, so that cancellation loses nothing.
// - Large arguments (Payne and Hanek): a = m 2^p with an integer m. Bits of 2 / pi that mean multiples
//   of 4 after the multiplication by 2^p do not matter, nor do those far below the rest; between them is
//   a window of a few words. m times the window, in integers, is a * 2 / pi modulo 4 as a fixed-point number.
//
//     2 / pi:   ..oooooooo|WWWWWWWWWWWWWWWWWWWWWWWWWW|oooooooo...
//                          ^ weight 2 after * 2^p
//
// The window's place depends on the exponent alone. Words come from a table of constants by a tree of
// selects on the bits of the word index: cheap, and no memory is read. Where arguments are known to end, so
// does the table: a position in a sequence times a frequency needs no select at all.
#include "compiler/lower/math/ExpandMathReduction.h"
#include "compiler/lower/math/ExpandMathBounds.h"
#include "compiler/lower/math/ExpandMathFormat.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace tegula::expandmath {

namespace {
/// The bound from which on arguments are large, and the window's words; one more word is read, to shift from.
template <int Bits> struct Window {
  // n times the first piece is a multiple of its last bit, so that the difference from a is exact; what the
  // pieces leave of pi / 2 is 2^-161, and no a below 2^40 comes closer to a multiple of it than 2^-62.
  static constexpr double large = Bits == 32 ? 0x1p16 : 0x1p40;
  /// The biased exponent of `large`.
  static constexpr int firstExponent = Format<Bits>::bias + (Bits == 32 ? 16 : 40);
  static constexpr int lastExponent = 2 * Format<Bits>::bias;
  static constexpr int indexBits = Bits == 32 ? 2 : 4;
};
} // namespace

static constexpr int windowWords = 3;

/// The 64 bits of 2 / pi that begin at a place after the binary point; before it there are zeros.
static uint64_t bitsOfTwoOverPi(int place) {
  uint64_t bits = 0;
  for (int i = place; i < place + 64; ++i) {
    bool inTable = i >= 0 && i / 32 < int(std::size(twoOverPi));
    bits = bits << 1 | (inTable ? twoOverPi[i / 32] >> (31 - i % 32) & 1 : 0);
  }
  return bits;
}

/// The bits of the index of a word that differ among windows of arguments up to `largest`.
template <int Bits> static int indexBits(double largest) {
  using W = Window<Bits>;
  if (!std::isfinite(largest))
    return W::indexBits;
  int last = std::min(std::ilogb(largest) + Format<Bits>::bias, W::lastExponent);
  return llvm::Log2_32_Ceil((last - W::firstExponent) / Bits + 1);
}

/// The three words of the window, first word highest, for a biased exponent of an argument up to `largest`.
template <int Bits> static std::vector<Expr> window(Expr exponent, double largest) {
  using F = Format<Bits>;
  using W = Window<Bits>;
  // a = m 2^p, p = exponent - bias - mantissa. The bit at place i weighs 2^(p - i - 1) and the window
  // begins where that is 2: at i = p - 2. The table begins where it does for the first exponent.
  constexpr int start = W::firstExponent - F::bias - F::mantissa - 2;
  constexpr int wordBits = Bits == 32 ? 5 : 6;
  static_assert((W::lastExponent - W::firstExponent) >> wordBits < 1 << W::indexBits);

  Expr offset = exponent - W::firstExponent;
  const int treeBits = indexBits<Bits>(largest);
  int count = (1 << treeBits) - 1 + windowWords + 1;
  std::vector<Expr> words;
  for (int i = 0; i < count; ++i)
    words.push_back(exponent.integer(bitsOfTwoOverPi(start + i * Bits) >> (64 - Bits)));
  for (int bit = treeBits - 1; bit >= 0; --bit) {
    int step = 1 << bit;
    Expr taken = (offset & (uint64_t(1) << (wordBits + bit))) != 0;
    for (int i = 0; i + step < int(words.size()); ++i)
      words[i] = select(taken, words[i + step], words[i]);
    words.erase(words.end() - step, words.end());
  }

  Expr left = offset & (Bits - 1);
  Expr right = left ^ (Bits - 1);
  std::vector<Expr> shifted;
  for (int i = 0; i < windowWords; ++i)
    shifted.push_back(shiftLeft(words[i], left) | shiftRight(shiftRight(words[i + 1], 1), right));
  return shifted;
}

/// The upper two words of m times the window modulo its size: a * 2 / pi modulo 4. In f32 both in an i64.
static Expr product32(Expr m, const std::vector<Expr> &w) {
  Expr wide = extendUnsigned(m, 64);
  Expr upper = shiftLeft(extendUnsigned(m * w[0], 64), 32);
  Expr lower = shiftRight(wide * extendUnsigned(w[2], 64), 32);
  return upper + wide * extendUnsigned(w[1], 64) + lower;
}

// Both functions below take the product apart: its two upper bits are the quadrant, the others a fraction. As
// a signed number the fraction lies within one half, and if it is negative the quadrant is one more. It is
// made positive by complementing its bits, wrong only in the last, before parts of it become floats: the
// parts of a small negative number are large.

/// magnitude with the sign that all bits of `negative` are.
template <int Bits> static Expr restoreSign(Expr magnitude, Expr negative) {
  return fromBits(toBits(magnitude) ^ (negative & Format<Bits>::signBit), magnitude.element());
}

static Quadrant large32(Expr m, const std::vector<Expr> &w, mlir::Type element, Expr zeroOrNaN) {
  using C = Coefficients<32>;
  Expr p = product32(m, w);
  Expr index = shiftRight(shiftRight(narrow(shiftRight(p, 32), 32), 29) + 1, 1);
  Expr fraction = shiftLeft(p, 2);
  Expr negative = shiftRightSigned(fraction, 63);
  fraction = fraction ^ negative;
  // In two floats, the upper exact, so that the product is rounded once.
  constexpr uint64_t rounded = (uint64_t(1) << 40) - 1;
  Expr upper = toFloat(fraction & ~rounded, element);
  Expr lower = fma(toFloat(fraction & rounded, element), C::halfPi[0] * 0x1p-64, zeroOrNaN);
  Expr rest = fma(upper, C::halfPi[0] * 0x1p-64, fma(upper, C::halfPi[1] * 0x1p-64, lower));
  return {restoreSign<32>(rest, narrow(negative, 32)), index};
}

static Quadrant large64(Expr m, const std::vector<Expr> &w, mlir::Type element, Expr zeroOrNaN) {
  using C = Coefficients<64>;
  Expr middle = m * w[1];
  Expr low = middle + multiplyHigh(m, w[2]);
  Expr carry = extendUnsigned(lessUnsigned(low, middle), 64);
  Expr high = m * w[0] + multiplyHigh(m, w[1]) + carry;

  Expr index = shiftRight(shiftRight(high, 61) + 1, 1);
  Expr fraction = shiftLeft(high, 2) | shiftRight(low, 62);
  Expr negative = shiftRightSigned(fraction, 63);
  fraction = fraction ^ negative;
  Expr fractionLow = shiftLeft(low, 2) ^ negative;
  // Many leading bits of the fraction may be zero, so its lower word counts, and so do the bits of the upper
  // word that a double cannot hold together with the others.
  constexpr uint64_t rounded = (1 << 10) - 1;
  Expr upper = toFloat(fraction & ~rounded, element);
  Expr lower = fma(toFloatUnsigned(fractionLow, element), 0x1p-64, toFloat(fraction & rounded, element));
  Expr all = upper + lower;
  Expr lost = fma(lower - (all - upper), C::halfPi[0] * 0x1p-64, zeroOrNaN);
  Expr rest = fma(all, C::halfPi[0] * 0x1p-64, fma(all, C::halfPi[1] * 0x1p-64, lost));
  return {restoreSign<64>(rest, negative), index};
}

template <int Bits> static Quadrant reduce(Expr a) {
  using C = Coefficients<Bits>;
  using F = Format<Bits>;
  Rounded n = roundProduct<Bits>(a, C::inverseHalfPi[0]);
  // If the result is small each difference is exact.
  Expr near = a;
  for (double piece : C::halfPi)
    near = fma(n.asFloat, -piece, near);

  // An angle made of a number below 1, as random numbers have them, is never far.
  const double largest = largestMagnitude(a.value());
  if (largest < Window<Bits>::large)
    return {near, n.lowBits};
  Expr isFar = a >= Window<Bits>::large;
  auto far = [&](Expr a) -> std::pair<Expr, Expr> {
    Expr bits = toBits(a);
    Expr exponent = shiftRight(bits, F::mantissa);
    constexpr uint64_t hidden = uint64_t(1) << F::mantissa;
    Expr m = (bits & (hidden - 1)) | hidden;
    // 0, but NaN for infinity and NaN, whose bits are like those of any number.
    Expr zeroOrNaN = a - a;
    std::vector<Expr> w = window<Bits>(exponent, largest);
    Quadrant q = Bits == 32 ? large32(m, w, a.element(), zeroOrNaN) : large64(m, w, a.element(), zeroOrNaN);
    return {q.rest, q.index};
  };
  auto [rest, index] = rarely(isFar, a, far, {near, n.lowBits});
  return {rest, index};
}

Quadrant reduceByHalfPi(Expr a) {
  return byWidth(a, []<int B>(Expr a) { return reduce<B>(a); });
}

} // namespace tegula::expandmath
