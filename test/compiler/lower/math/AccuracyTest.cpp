// Each function against the C library at twice the precision: the worst error over random arguments, and
// the special values exactly.
#include "test/compiler/lower/math/Evaluator.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>
#include <utility>

using tegula::test::Approximation;
using tegula::test::Evaluator;

namespace {

using Reference = long double (*)(long double, long double);

/// Arguments that matter are drawn from [low, high]; others from all bit patterns.
struct Function {
  const char *name;
  Reference reference;
  double low, high;
  /// The errors allowed, in ulp.
  double f32Bound, f64Bound;
  /// Multiples of this are hard, large ones too: the result comes from digits far down in it.
  long double period = 0;
};

/// Prints the name of a function in GoogleTest's lists.
void PrintTo(const Function &function, std::ostream *os) { *os << function.name; }

long double rsqrtl(long double x) { return 1 / sqrtl(x); }
constexpr long double halfPi = 1.570796326794896619231321691639751442L;
#define UNARY(f) [](long double x, long double) -> long double { return f(x); }

// The bounds are 2, or above it the errors measured over all f32, rounded up; coefficients/README.md shows them. Those of
// expm1 and, in f64, tan are what leaves a unit, and two, to the correctly rounded result: CUDA's.
const Function unaryFunctions[] = {
    // Two ulp of the hardware's are four of a result just below 1.
    {"exp", UNARY(expl), -105, 90, 5, 2},
    {"exp2", UNARY(exp2l), -150, 129, 2, 2},
    {"expm1", UNARY(expm1l), -20, 20, 1.5, 1.5},
    {"sinh", UNARY(sinhl), -10, 10, 2, 2},
    {"cosh", UNARY(coshl), -10, 10, 2, 2},
    {"tanh", UNARY(tanhl), -3, 3, 2.5, 2},
    {"log", UNARY(logl), 0, 4, 2, 2},
    {"log2", UNARY(log2l), 0, 4, 2, 2},
    {"log10", UNARY(log10l), 0, 4, 2, 2},
    {"log1p", UNARY(log1pl), -1, 4, 2, 2},
    {"asinh", UNARY(asinhl), -4, 4, 2, 2},
    {"acosh", UNARY(acoshl), 1, 4, 2, 2},
    {"atanh", UNARY(atanhl), -1, 1, 2.2, 2.2},
    {"sin", UNARY(sinl), -200, 200, 2, 2, halfPi},
    {"cos", UNARY(cosl), -200, 200, 2, 2, halfPi},
    {"tan", UNARY(tanl), -200, 200, 3.3, 2.5, halfPi},
    {"asin", UNARY(asinl), -1, 1, 2.1, 2},
    {"acos", UNARY(acosl), -1, 1, 2, 2},
    {"atan", UNARY(atanl), -5, 5, 2, 2},
    {"erf", UNARY(erfl), -4, 4, 2, 2},
    {"erfc", UNARY(erfcl), -4, 28, 3, 3},
    {"cbrt", UNARY(cbrtl), -10, 10, 2, 2},
    {"rsqrt", UNARY(rsqrtl), 0, 10, 2, 2},
};

const Function binaryFunctions[] = {
    {"powf", [](long double x, long double y) { return powl(x, y); }, 0, 10, 2, 2},
    {"atan2", [](long double x, long double y) { return atan2l(x, y); }, -3, 3, 2, 2},
};

template <typename T> using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <typename T> T fromBits(uint64_t bits) { return std::bit_cast<T>(static_cast<BitsOf<T>>(bits)); }
template <typename T> uint64_t toBits(T x) { return std::bit_cast<BitsOf<T>>(x); }

/// Both NaN, or equal with the same sign, zeros included.
template <typename T> bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || toBits(a) == toBits(b);
}

/// |found - wanted| in units of the last place of wanted. Infinity counts as the next power of two.
template <typename T> long double ulps(T found, long double wanted) {
  T rounded = static_cast<T>(wanted);
  if (same(found, rounded) && (wanted == 0 || !std::isfinite(found)))
    return 0;
  if (std::isnan(found) || std::isnan(wanted))
    return std::numeric_limits<long double>::infinity();
  constexpr int maxExponent = std::numeric_limits<T>::max_exponent;
  long double value = std::isinf(found) ? copysignl(ldexpl(1, maxExponent), found) : static_cast<long double>(found);
  if (std::isinf(wanted))
    wanted = copysignl(ldexpl(1, maxExponent), wanted);
  int exponent = wanted == 0 ? std::numeric_limits<T>::min_exponent - 1
                             : std::max(ilogbl(wanted), std::numeric_limits<T>::min_exponent - 1);
  return fabsl(value - wanted) / ldexpl(1, exponent - std::numeric_limits<T>::digits + 1);
}

/// Draws from all bit patterns, near zero, from the multiples and the interesting range in turn.
template <typename T> class Arguments {
public:
  Arguments(double low, double high, long double period = 0) : period(period), uniform(low, high) {}

  T next() {
    switch (++count % 4) {
    case 0: return fromBits<T>(random());
    case 1: return static_cast<T>(uniform(random) * std::ldexp(1.0, -static_cast<int>(random() % 12)));
    case 2:
      if (period != 0)
        return static_cast<T>(period * (random() >> (20 + random() % 44)));
      [[fallthrough]];
    default: return static_cast<T>(uniform(random));
    }
  }

private:
  long double period;
  std::mt19937_64 random{12345};
  std::uniform_real_distribution<double> uniform;
  unsigned count = 0;
};

template <typename T> std::vector<T> specialValues() {
  using L = std::numeric_limits<T>;
  std::vector<T> values = {0, L::infinity(), L::quiet_NaN(), L::min(), L::denorm_min(), L::max(), L::epsilon(),
                           1, 2, 3, T(0.5), T(0.67), T(4), T(10.5), T(27.5), T(65536), T(1073741824), T(0x1.0p126),
                           T(1e10), T(1.57079632679489661923L), T(3.14159265358979323846L), T(0.7853981633974483L),
                           std::nextafter(T(1), T(2)), std::nextafter(T(1), T(0)), std::nextafter(T(0.5), T(1)),
                           L::min() - L::denorm_min(), T(88.72284), T(103.97208), T(709.782712893384), T(745.13321910194)};
  // Very near multiples of pi / 2: two thirds of the bits of the reduced argument cancel.
  for (double hard : {0x1.628d4cp+40, 0x1.628d4cp+41, 0x1.b08c4ap+111, 0x1.9a48dep+15, 0x1.c6ac02p+15, 0x1.6ac5b262ca1ffp+849})
    values.push_back(static_cast<T>(hard));
  for (size_t i = 0, n = values.size(); i < n; ++i)
    values.push_back(-values[i]);
  return values;
}

struct Worst {
  long double error = 0;
  long double x = 0, y = 0, found = 0, wanted = 0;
};

template <typename T> void consider(Worst &worst, T found, long double wanted, T x, T y) {
  long double error = ulps<T>(found, wanted);
  if (error > worst.error)
    worst = {error, x, y, found, wanted};
}

/// Expects the result of C, sign included, where that is exact: zero, infinite or NaN.
template <typename T> void expectSpecial(T found, long double wanted, T x, T y) {
  T rounded = static_cast<T>(wanted);
  if (wanted == 0 || wanted != wanted || std::isinf(wanted))
    EXPECT_TRUE(same(found, rounded)) << "at " << x << ", " << y << ": wanted " << rounded << ", found " << found;
}

void report(const Worst &worst, double bound, size_t size) {
  EXPECT_LE(worst.error, bound) << "worst at " << std::hexfloat << static_cast<double>(worst.x) << ", "
                                << static_cast<double>(worst.y) << ": found " << static_cast<double>(worst.found)
                                << ", wanted " << static_cast<double>(worst.wanted);
  testing::Test::RecordProperty("ulp", std::to_string(static_cast<double>(worst.error)));
  testing::Test::RecordProperty("instructions", static_cast<int>(size));
}

/// `type` is that of T, or a tensor of one.
template <typename T> void measure(const Function &f, bool binary, double bound, const std::string &type) {
  std::string text = "%r = math." + std::string(f.name) + " %x" + (binary ? ", %y : " : " : ") + type;
  std::vector<std::string> types = {type};
  if (binary)
    types.push_back(type);
  Evaluator evaluator(text, types, type);
  ASSERT_TRUE(evaluator.valid()) << evaluator.error();

  Worst worst;
  auto evaluate = [&](T x, T y, Approximation approximation) {
    std::vector<uint64_t> arguments = {toBits(x)};
    if (binary)
      arguments.push_back(toBits(y));
    return fromBits<T>(evaluator.run(arguments, approximation));
  };

  std::vector<T> special = specialValues<T>();
  for (T x : special)
    for (T y : binary ? special : std::vector<T>{0}) {
      T found = evaluate(x, y, Approximation::Exact);
      long double wanted = f.reference(x, y);
      expectSpecial(found, wanted, x, y);
      consider(worst, found, wanted, x, y);
    }

  Arguments<T> xs(f.low, f.high, f.period), ys(-30, 30);
  for (int i = 0; i < 100000; ++i) {
    T x = xs.next(), y = binary ? ys.next() : T(0);
    consider(worst, evaluate(x, y, i % 2 ? Approximation::Worst : Approximation::Exact), f.reference(x, y), x, y);
  }
  report(worst, bound, evaluator.size());
}

struct ExpandMathUnary : testing::TestWithParam<Function> {};
TEST_P(ExpandMathUnary, F32) { measure<float>(GetParam(), false, GetParam().f32Bound, "f32"); }
TEST_P(ExpandMathUnary, F64) { measure<double>(GetParam(), false, GetParam().f64Bound, "f64"); }
// Tensors are expanded without control flow.
TEST_P(ExpandMathUnary, F32Tensor) { measure<float>(GetParam(), false, GetParam().f32Bound, "tensor<1xf32>"); }
TEST_P(ExpandMathUnary, F64Tensor) { measure<double>(GetParam(), false, GetParam().f64Bound, "tensor<1xf64>"); }

struct ExpandMathBinary : testing::TestWithParam<Function> {};
TEST_P(ExpandMathBinary, F32) { measure<float>(GetParam(), true, GetParam().f32Bound, "f32"); }
TEST_P(ExpandMathBinary, F64) { measure<double>(GetParam(), true, GetParam().f64Bound, "f64"); }

std::string nameOf(const testing::TestParamInfo<Function> &info) { return info.param.name; }
/// The sine of an integer times 2^power: what is known of the argument shortens the table that it is reduced
/// by.
template <typename T>
size_t measureSineOfInteger(int power, const std::string &type, const std::string &integer) {
  std::ostringstream text;
  text << "%n = arith.sitofp %x : " << integer << " to " << type << "\n%c = arith.constant dense<"
       << std::scientific << std::setprecision(17) << std::ldexp(1.0, power) << "> : " << type
       << "\n%a = arith.mulf %n, %c : " << type << "\n%r = math.sin %a : " << type;
  Evaluator evaluator(text.str(), {integer}, type);
  EXPECT_TRUE(evaluator.valid()) << evaluator.error();
  using Integer = std::make_signed_t<BitsOf<T>>;
  std::mt19937_64 random(power);
  Worst worst;
  for (int i = 0; i < 20000; ++i) {
    auto n = static_cast<Integer>(random()) >> (i % std::numeric_limits<Integer>::digits);
    if (i < 2)
      n = i == 0 ? std::numeric_limits<Integer>::min() : std::numeric_limits<Integer>::max();
    T a = std::ldexp(static_cast<T>(n), power);
    consider(worst, fromBits<T>(evaluator.run({static_cast<BitsOf<T>>(n)}, Approximation::Worst)), sinl(a), a,
             T(0));
  }
  report(worst, 2, evaluator.size());
  return evaluator.size();
}

TEST(ExpandMathSine, OfBoundedArgumentsHasAShorterTable) {
  size_t shorter = 0;
  for (int power : {-20, 0, 20, 96}) {
    size_t size = measureSineOfInteger<float>(power, "tensor<1xf32>", "tensor<1xi32>");
    EXPECT_LT(std::exchange(shorter, size), size) << "2^" << power;
  }
  shorter = 0;
  for (int power : {-30, 0, 64, 960}) {
    size_t size = measureSineOfInteger<double>(power, "tensor<1xf64>", "tensor<1xi64>");
    EXPECT_LT(std::exchange(shorter, size), size) << "2^" << power;
  }
}

INSTANTIATE_TEST_SUITE_P(Math, ExpandMathUnary, testing::ValuesIn(unaryFunctions), nameOf);
INSTANTIATE_TEST_SUITE_P(Math, ExpandMathBinary, testing::ValuesIn(binaryFunctions), nameOf);

} // namespace
