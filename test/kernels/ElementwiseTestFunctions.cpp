// Every elementwise function of `tl` and `tl.math`, and what kernels use of libdevice, against long double.
//
// The bounds are those of the documentation: the language's approximate functions are single instructions
// with a documented error (ex2.approx and rsqrt.approx 2 ulp, div.full 2 ulp), the others are accurate.
#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::e2e;

namespace {

using Real = long double;

/// A function of up to three arguments: its text in `a`, `b` and `c`, its value, and the error that it may
/// have.
struct Function {
  std::string text;
  std::function<Real(Real a, Real b, Real c)> value;
  std::function<double(Real a)> ulps;
};

std::function<double(Real)> within(double ulps) {
  return [=](Real) { return ulps; };
}
std::function<Real(Real, Real, Real)> of(Real (*unary)(Real)) {
  return [=](Real a, Real, Real) { return unary(a); };
}
std::function<Real(Real, Real, Real)> of(Real (*binary)(Real, Real)) {
  return [=](Real a, Real b, Real) { return binary(a, b); };
}

Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
Real rsqrt(Real x) { return 1 / std::sqrt(x); }
Real exp10(Real x) { return std::pow(10.0L, x); }
Real divide(Real x, Real y) { return x / y; }

/// Returns `x` as the fast square roots of fp32 read it: subnormal numbers are zero.
Real flushed(Real x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(Real(0), x) : x;
}

/// exp(x) = ex2.approx(x * log2 e): the product's rounding grows with x. Below 2^-126 any result is taken
/// here.
double expUlps(Real x) {
  if (x < -86 && std::isfinite(x))
    return std::numeric_limits<double>::infinity();
  return std::isfinite(x) ? 2 + 1.5 * std::min<double>(std::fabs(double(x)), 110) : 1;
}
double exp2Ulps(Real x) { return x < -125 && std::isfinite(x) ? std::numeric_limits<double>::infinity() : 2; }
/// 1 / (1 + exp(-x)): far below zero the exponential overflows first and the result is zero.
double sigmoidUlps(Real x) {
  return x < -87 && std::isfinite(x) ? std::numeric_limits<double>::infinity() : 4 + expUlps(x);
}

void checkFunctions(Dtype type, const std::vector<Column> &columns, const std::vector<Function> &functions) {
  std::vector<Expression> expressions;
  for (const Function &function : functions)
    expressions.push_back({function.text, type, [&, type](size_t row) {
                             Real x[3] = {};
                             for (size_t i = 0; i < columns.size(); ++i)
                               x[i] = toReal(type, columns[i].bits[row]);
                             return about(function.value(x[0], x[1], x[2]), function.ulps(x[0]));
                           }});
  check(columns, expressions);
}

/// Half the rows of every magnitude, half where functions bend.
std::vector<Column> arguments(Dtype type, size_t count, double low, double high, uint64_t seed) {
  std::vector<Column> columns;
  for (size_t i = 0; i < count; ++i) {
    Random random(seed + i);
    Column column{std::string(1, char('a' + i)), type, randomBits(type, 600, seed + i)};
    for (size_t row = 64; row < 500; ++row)
      column.bits[row] = fromReal(type, random.real(low, high));
    columns.push_back(column);
  }
  return columns;
}

class Functions : public testing::TestWithParam<Dtype> {
protected:
  Dtype type = GetParam();
  bool isSingle = type == Dtype::f32;
  /// A bound for the approximation that fp32 has and fp64 has not.
  std::function<double(Real)> approximately(std::function<double(Real)> single) const {
    return isSingle ? single : within(2);
  }
  /// The same in fp32 of an argument that is zero where it is subnormal.
  std::function<Real(Real, Real, Real)> flushing(Real (*unary)(Real)) const {
    if (!isSingle)
      return of(unary);
    return [=](Real a, Real, Real) { return unary(flushed(a)); };
  }
};

TEST_P(Functions, ExponentialsAndLogarithms) {
  checkFunctions(type, arguments(type, 1, -100, 100, 1),
                 {{"tl.exp(a)", of(std::exp), approximately(expUlps)},
                  {"tl.math.exp(a)", of(std::exp), approximately(expUlps)},
                  {"a.exp()", of(std::exp), approximately(expUlps)},
                  {"libdevice.fast_expf(a)", of(std::exp), approximately(expUlps)},
                  {"tl.exp2(a)", of(std::exp2), approximately(exp2Ulps)},
                  {"tl.math.exp2(a)", of(std::exp2), approximately(exp2Ulps)},
                  {"libdevice.expm1(a)", of(std::expm1), within(3)},
                  {"libdevice.exp10(a)", of(exp10), within(2)},
                  {"tl.sigmoid(a)", of(sigmoid), isSingle ? sigmoidUlps : within(4)},
                  {"tl.log(a)", of(std::log), within(2)},
                  {"tl.math.log(a)", of(std::log), within(2)},
                  {"tl.log2(a)", of(std::log2), within(2)},
                  {"libdevice.log10(a)", of(std::log10), within(2)},
                  {"libdevice.log1p(a)", of(std::log1p), within(2)}});
}

TEST_P(Functions, RootsAndRounding) {
  std::vector<Function> functions = {{"tl.sqrt(a)", flushing(std::sqrt), approximately(within(2))},
                                     {"tl.math.sqrt(a)", flushing(std::sqrt), approximately(within(2))},
                                     {"tl.rsqrt(a)", flushing(rsqrt), within(2)},
                                     {"libdevice.rsqrt(a)", of(rsqrt), within(2)},
                                     {"libdevice.sqrt(a)", of(std::sqrt), within(0.51)},
                                     {"libdevice.cbrt(a)", of(std::cbrt), within(2)},
                                     {"tl.floor(a)", of(std::floor), within(0.1)},
                                     {"tl.ceil(a)", of(std::ceil), within(0.1)},
                                     {"tl.abs(a)", of(std::fabs), within(0.1)},
                                     {"abs(a)", of(std::fabs), within(0.1)},
                                     {"libdevice.round(a)", of(std::round), within(0.1)},
                                     {"libdevice.rint(a)", of(std::nearbyint), within(0.1)},
                                     {"libdevice.trunc(a)", of(std::trunc), within(0.1)}};
  if (isSingle)
    functions.push_back({"tl.sqrt_rn(a)", of(std::sqrt), within(0.51)});
  checkFunctions(type, arguments(type, 1, 0, 1000, 2), functions);
}

TEST_P(Functions, Trigonometry) {
  checkFunctions(type, arguments(type, 1, -30, 30, 3),
                 {{"tl.sin(a)", of(std::sin), within(2)},
                  {"tl.cos(a)", of(std::cos), within(2)},
                  {"tl.math.sin(a)", of(std::sin), within(2)},
                  {"libdevice.tan(a)", of(std::tan), within(4)},
                  {"libdevice.atan(a)", of(std::atan), within(3)}});
  checkFunctions(
      type, arguments(type, 1, -1, 1, 4),
      {{"libdevice.asin(a)", of(std::asin), within(3)}, {"libdevice.acos(a)", of(std::acos), within(3)}});
}

TEST_P(Functions, HyperbolicAndError) {
  checkFunctions(type, arguments(type, 1, -6, 6, 5),
                 {{"tl.erf(a)", of(std::erf), within(2)},
                  {"tl.math.erf(a)", of(std::erf), within(2)},
                  {"libdevice.erf(a)", of(std::erf), within(2)},
                  {"libdevice.erfc(a)", of(std::erfc), within(4)},
                  {"libdevice.tanh(a)", of(std::tanh), within(3)},
                  {"libdevice.sinh(a)", of(std::sinh), within(3)},
                  {"libdevice.cosh(a)", of(std::cosh), within(3)},
                  {"libdevice.asinh(a)", of(std::asinh), within(3)},
                  {"libdevice.acosh(a)", of(std::acosh), within(3)},
                  {"libdevice.atanh(a)", of(std::atanh), within(3)}});
}

TEST_P(Functions, OfTwoAndThree) {
  std::vector<Column> columns = arguments(type, 3, -8, 8, 6);
  // The product and the sum are computed as one: fma of the host.
  auto fma = [single = isSingle](Real a, Real b, Real c) -> Real {
    return single ? Real(std::fma(float(a), float(b), float(c)))
                  : Real(std::fma(double(a), double(b), double(c)));
  };
  checkFunctions(type, columns,
                 {{"tl.fma(a, b, c)", fma, within(0.1)},
                  {"libdevice.fma(a, b, c)", fma, within(0.1)},
                  {"a / b", of(divide), approximately(within(2))},
                  {"tl.fdiv(a, b)", of(divide), approximately(within(2))},
                  {"libdevice.fast_dividef(a, b)", of(divide), approximately(within(2))},
                  // Triton 3.6 approximates whatever is asked for.
                  {"tl.fdiv(a, b, ieee_rounding=True)", of(divide), approximately(within(2))},
                  {"tl.div_rn(a, b)", of(divide), within(0.51)},
                  {"libdevice.div_rn(a, b)", of(divide), within(0.51)},
                  {"libdevice.pow(a, b)", of(std::pow), within(2)},
                  {"libdevice.atan2(a, b)", of(std::atan2), within(3)},
                  {"libdevice.copysign(a, b)", of(std::copysign), within(0.1)}});
}

INSTANTIATE_TEST_SUITE_P(All, Functions, testing::Values(Dtype::f32, Dtype::f64),
                         [](const testing::TestParamInfo<Dtype> &info) {
                           return languageName(info.param).substr(3);
                         });

/// Returns the maximum or minimum; if one operand is a NaN, the other one, or the NaN if NaNs `spread`.
Bits extremum(Dtype type, Bits x, Bits y, bool largest, bool spread) {
  if (isNan(type, x) || isNan(type, y))
    return isNan(type, x) == spread || (isNan(type, x) && isNan(type, y)) ? x : y;
  Real a = toReal(type, x), b = toReal(type, y);
  if (a == b) // +0 is above -0
    return isFloat(type) ? (largest ? x & y : x | y) : x;
  return (a > b) == largest ? x : y;
}

TEST(FunctionsOfEveryType, MaximumMinimumClampAbsAndWhere) {
  for (Dtype type : numbers) {
    Column a{"a", type, randomBits(type, 256, 71)}, b{"b", type, randomBits(type, 256, 72)};
    std::vector<Bits> x = a.bits, y = b.bits;
    // bf16 is compared in fp32.
    Dtype wide = type == Dtype::bf16 ? Dtype::f32 : type;
    auto widen = [=](Bits bits) { return exactly(convert(type, bits, wide)); };
    std::vector<Expression> expressions;
    for (bool largest : {true, false})
      for (std::string mode : {"", ", tl.PropagateNan.NONE", ", propagate_nan=tl.PropagateNan.ALL"}) {
        bool spread = mode.find("ALL") != std::string::npos;
        expressions.push_back(
            {(largest ? "tl.maximum(a, b" : "tl.minimum(a, b") + mode + ")", wide,
             [=](size_t row) { return widen(extremum(type, x[row], y[row], largest, spread)); }});
      }
    expressions.push_back(
        {"max(a, b)", wide, [=](size_t row) { return widen(extremum(type, x[row], y[row], true, false)); }});
    expressions.push_back({"tl.abs(a)", type, [=](size_t row) {
                             if (isFloat(type))
                               return exactly(x[row] & ~(Bits(1) << (bitsOf(type) - 1)));
                             bool negative = isSigned(type) && int64_t(extend(type, x[row])) < 0;
                             return exactly(fromInt(type, negative ? -x[row] : x[row]));
                           }});
    for (Dtype condition : {Dtype::i1, type})
      expressions.push_back(
          {condition == type ? "tl.where(a, a, b)" : "tl.where(b == b, b, a)", type, [=](size_t row) {
             if (condition == type)
               return exactly(convert(type, x[row], Dtype::i1) ? x[row] : y[row]);
             return exactly(isNan(type, y[row]) ? x[row] : y[row]);
           }});
    // The bounds are fp32.
    if (isFloat(type))
      for (bool spread : {false, true})
        expressions.push_back(
            {std::string("tl.clamp(a, -1.5, 2.0") + (spread ? ", tl.PropagateNan.ALL)" : ")"),
             type == Dtype::f64 ? type : Dtype::f32, [=](size_t row) {
               Bits raised = extremum(type, x[row], fromReal(type, -1.5), true, spread);
               return exactly(convert(type, extremum(type, raised, fromReal(type, 2), false, spread),
                                      type == Dtype::f64 ? type : Dtype::f32));
             }});
    check({a, b}, expressions);
  }
}

Bits highProduct(Dtype type, Bits x, Bits y) { return Bits((unsigned __int128)(x)*y >> bitsOf(type)); }

TEST(FunctionsOfIntegers, QuotientsHighProductsAndBitCounts) {
  for (Dtype type : integers) {
    Column a{"a", type, randomBits(type, 256, 81)}, d{"d", type, randomBits(type, 256, 82)};
    for (size_t i = 0; i < d.bits.size(); ++i)
      // No zero, no -1 below the smallest number; (x + y - 1) wraps as in any sum.
      d.bits[i] = d.bits[i] == 0 || extend(type, d.bits[i]) == ~uint64_t(0) ? 7 : d.bits[i];
    std::vector<Bits> x = a.bits, y = d.bits;
    std::vector<Expression> expressions = {
        {"tl.cdiv(a, d)", type,
         [=](size_t row) {
           Bits sum = apply(Op::Sub, type, apply(Op::Add, type, x[row], y[row], 0).bits, 1, 0).bits;
           return exactly(apply(Op::FloorDiv, type, sum, y[row], 0).bits);
         }},
        {"tl.add(a, d)", type,
         [=](size_t row) { return exactly(apply(Op::Add, type, x[row], y[row], 0).bits); }},
        {"tl.mul(a, tl.sub(a, d))", type, [=](size_t row) {
           Bits difference = apply(Op::Sub, type, x[row], y[row], 0).bits;
           return exactly(apply(Op::Mul, type, x[row], difference, 0).bits);
         }}};
    if (bitsOf(type) >= 32) {
      expressions.push_back(
          {"tl.umulhi(a, d)", type, [=](size_t row) { return exactly(highProduct(type, x[row], y[row])); }});
      expressions.push_back({"libdevice.popc(a)", Dtype::i32,
                             [=](size_t row) { return exactly(__builtin_popcountll(x[row])); }});
      expressions.push_back({"libdevice.clz(a)", Dtype::i32, [=](size_t row) {
                               return exactly(x[row] ? __builtin_clzll(x[row]) - (64 - bitsOf(type))
                                                     : bitsOf(type));
                             }});
      expressions.push_back({"libdevice.ffs(a)", Dtype::i32,
                             [=](size_t row) { return exactly(__builtin_ffsll(int64_t(x[row]))); }});
    }
    check({a, d}, expressions);
  }
}

TEST(FunctionsOfFloats, PredicatesAndRoundingToIntegers) {
  for (Dtype type : {Dtype::f32, Dtype::f64}) {
    Column a{"a", type, randomBits(type, 256, 91)}, r{"r", type, {}};
    Random random(92);
    for (size_t i = 0; i < a.bits.size(); ++i)
      r.bits.push_back(fromReal(type, std::round(random.real(-1e6, 1e6)) / 2));
    std::vector<Bits> x = a.bits, y = r.bits;
    check({a, r},
          {{"libdevice.isnan(a)", Dtype::i1, [=](size_t row) { return exactly(isNan(type, x[row])); }},
           {"libdevice.isinf(a)", Dtype::i1,
            [=](size_t row) { return exactly(std::isinf(toReal(type, x[row]))); }},
           {"libdevice.finitef(a)", Dtype::i1,
            [=](size_t row) { return exactly(std::isfinite(toReal(type, x[row]))); }},
           {"libdevice.llrint(r)", Dtype::i64,
            [=](size_t row) { return exactly(Bits(std::llrint(toReal(type, y[row])))); }}});
  }
}

} // namespace
