// Floating-point instructions against exact arithmetic: a result is right when no neighbour in its
// format is a better answer in the instruction's direction.

#include "test/runtime/emulator/Operands.h"
#include "test/runtime/emulator/RunPtx.h"

#include <bit>
#include <cmath>
#include <functional>

namespace tegula::runtime::test {
namespace {

using Exact = Quad;
constexpr size_t samples = 4096;

/// A format by its own definition, not by the emulator's.
struct Kind {
  const char *type;
  unsigned bits, mantissa;
  char letter;
};
constexpr Kind f16{"f16", 16, 10, 'h'}, bf16{"bf16", 16, 7, 'h'}, f32{"f32", 32, 23, 'r'},
    f64{"f64", 64, 52, 'd'};

uint64_t infinityOf(const Kind &kind) {
  return ((uint64_t(1) << (kind.bits - 1 - kind.mantissa)) - 1) << kind.mantissa;
}
uint64_t signOf(const Kind &kind) { return uint64_t(1) << (kind.bits - 1); }
bool isNan(const Kind &kind, uint64_t bits) { return (bits & (signOf(kind) - 1)) > infinityOf(kind); }
bool isInf(const Kind &kind, uint64_t bits) { return (bits & (signOf(kind) - 1)) == infinityOf(kind); }

/// Infinity counts as the next number after the greatest.
Exact valueOf(const Kind &kind, uint64_t bits) {
  const int bias = (1 << (kind.bits - 2 - kind.mantissa)) - 1;
  const uint64_t magnitude = bits & (signOf(kind) - 1);
  const int field = int(magnitude >> kind.mantissa);
  uint64_t significand = magnitude & ((uint64_t(1) << kind.mantissa) - 1);
  if (field)
    significand |= uint64_t(1) << kind.mantissa;
  Exact value = Exact(significand);
  int exponent = (field ? field : 1) - bias - int(kind.mantissa);
  for (; exponent > 0; --exponent)
    value *= 2;
  for (; exponent < 0; ++exponent)
    value /= 2;
  return bits & signOf(kind) ? -value : value;
}

/// Returns true if `bits` is `exact` rounded by `mode` ("rn", "rz", "rm", "rp").
bool isRounded(const Kind &kind, Exact exact, uint64_t bits, const std::string &mode) {
  if (isNan(kind, bits))
    return false;
  const uint64_t magnitude = bits & (signOf(kind) - 1);
  const bool negative = bits & signOf(kind);
  if (exact != 0 && negative != (exact < 0))
    return false;
  const Exact size = exact < 0 ? -exact : exact, here = valueOf(kind, magnitude);
  if (here == size)
    return true;
  if (here < size) { // rounded towards zero
    const Exact above = valueOf(kind, magnitude + 1);
    if (magnitude >= infinityOf(kind) || above <= size)
      return magnitude >= infinityOf(kind) && mode == "rn";
    if (mode == "rn")
      return size - here < above - size || (size - here == above - size && magnitude % 2 == 0);
    return mode == "rz" || (mode == "rm" && !negative) || (mode == "rp" && negative);
  }
  if (magnitude == 0)
    return false;
  const Exact below = valueOf(kind, magnitude - 1);
  if (below >= size)
    return false;
  if (mode == "rn")
    return here - size < size - below || (here - size == size - below && magnitude % 2 == 0);
  return mode != "rz" && (mode == "rp") == !negative;
}

/// Finite numbers whose sums and products the oracle can hold; `negative` says whether some are below zero.
std::vector<uint64_t> finiteOperands(Operands &operands, const Kind &kind, bool negative) {
  std::vector<uint64_t> out;
  while (out.size() < samples) {
    const uint64_t bits =
        operands.floating(kind.bits, kind.mantissa) & (negative ? ~uint64_t(0) : signOf(kind) - 1);
    // Far exponents would need more bits than the oracle has: stay near one for wide formats.
    const int bias = (1 << (kind.bits - 2 - kind.mantissa)) - 1;
    const int exponent = int((bits & (signOf(kind) - 1)) >> kind.mantissa) - bias;
    const bool near =
        std::abs(exponent) <= (kind.bits == 64 ? 12 : 20) || (kind.bits == 16 && kind.mantissa == 10);
    if (!isNan(kind, bits) && !isInf(kind, bits) && near)
      out.push_back(bits & (kind.bits == 64 ? ~uint64_t(0) : (uint64_t(1) << kind.bits) - 1));
  }
  return out;
}

using Oracle = std::function<Exact(Exact, Exact, Exact)>;

/// Operands of one format; specials are checked by the golden vectors.
void checkRounding(const Kind &kind, const std::string &code, const std::string &mode, const Oracle &oracle,
                   bool positive = false) {
  Operands operands(std::hash<std::string>()(code + mode));
  const std::vector<uint64_t> a = finiteOperands(operands, kind, !positive),
                              b = finiteOperands(operands, kind, true),
                              c = finiteOperands(operands, kind, true);
  const std::vector<uint64_t> found = evaluate(code, kind.bits, a, b, c);
  for (size_t i = 0; i < samples; ++i) {
    const Exact x = valueOf(kind, a[i]), y = valueOf(kind, b[i]), z = valueOf(kind, c[i]);
    if (code.starts_with("div") && y == 0)
      continue;
    ASSERT_TRUE(isRounded(kind, oracle(x, y, z), found[i], mode))
        << std::hex << code << " a=" << a[i] << " b=" << b[i] << " c=" << c[i] << " gave " << found[i];
  }
}

std::string withRegisters(std::string code, char letter) {
  for (size_t at; (at = code.find('$')) != std::string::npos;)
    code.replace(at, 1, std::string("%") + letter);
  return code;
}

TEST(Float, ArithmeticInEveryDirection) {
  for (const Kind &kind : {f32, f64})
    for (const std::string mode : {"rn", "rz", "rm", "rp"}) {
      const std::string suffix = "." + mode + "." + kind.type;
      const auto code = [&](const std::string &text) { return withRegisters(text, kind.letter); };
      checkRounding(kind, code("add" + suffix + " $o, $a, $b;"), mode,
                    [](Exact a, Exact b, Exact) { return a + b; });
      checkRounding(kind, code("sub" + suffix + " $o, $a, $b;"), mode,
                    [](Exact a, Exact b, Exact) { return a - b; });
      checkRounding(kind, code("mul" + suffix + " $o, $a, $b;"), mode,
                    [](Exact a, Exact b, Exact) { return a * b; });
      if (kind.bits == 32) // a double's product and sum need more than the oracle's bits
        checkRounding(kind, code("fma" + suffix + " $o, $a, $b, $c;"), mode,
                      [](Exact a, Exact b, Exact c) { return a * b + c; });
      // The oracle's own rounding of a quotient is harmless: a quotient is never that close to a tie.
      checkRounding(kind, code("div" + suffix + " $o, $a, $b;"), mode,
                    [](Exact a, Exact b, Exact) { return a / b; });
    }
}

TEST(Float, HalvesAndPairs) {
  for (const Kind &kind : {f16, bf16}) {
    const std::string suffix = std::string(".rn.") + kind.type;
    const auto code = [&](const std::string &text) { return withRegisters(text, 'h'); };
    checkRounding(kind, code("add" + suffix + " $o, $a, $b;"), "rn",
                  [](Exact a, Exact b, Exact) { return a + b; });
    checkRounding(kind, code("sub" + suffix + " $o, $a, $b;"), "rn",
                  [](Exact a, Exact b, Exact) { return a - b; });
    checkRounding(kind, code("mul" + suffix + " $o, $a, $b;"), "rn",
                  [](Exact a, Exact b, Exact) { return a * b; });
    checkRounding(kind, code("fma" + suffix + " $o, $a, $b, $c;"), "rn",
                  [](Exact a, Exact b, Exact c) { return a * b + c; });
    // A pair does in each half what the scalar does.
    for (const char *op : {"add", "sub", "mul", "min", "max"}) {
      Operands operands(7);
      const std::string rounding = op[0] == 'm' && op[1] != 'u' ? "." : ".rn.";
      const std::vector<uint64_t> a = operands.integers(32, 2048), b = operands.integers(32, 2048);
      const auto scalar = [&](unsigned shift) {
        return evaluate("shr.u32 %ra, %ra, " + std::to_string(shift) + ";\nshr.u32 %rb, %rb, " +
                            std::to_string(shift) + ";\ncvt.u16.u32 %ha, %ra;\ncvt.u16.u32 %hb, %rb;\n" + op +
                            rounding + kind.type + " %ho, %ha, %hb;",
                        16, a, b);
      };
      const std::vector<uint64_t> low = scalar(0), high = scalar(16),
                                  both = evaluate(op + rounding + kind.type + "x2 %ro, %ra, %rb;", 32, a, b);
      for (size_t i = 0; i < both.size(); ++i)
        ASSERT_EQ(both[i], low[i] | high[i] << 16) << op << kind.type;
    }
  }
  Operands operands(8);
  const std::vector<uint64_t> a = operands.integers(64, 1024), b = operands.integers(64, 1024);
  const std::vector<uint64_t> both = evaluate("mul.rn.f32x2 %do, %da, %db;", 64, a, b);
  const std::vector<uint64_t> low = evaluate("mul.rn.f32 %ro, %ra, %rb;", 32, a, b);
  for (size_t i = 0; i < both.size(); ++i)
    ASSERT_EQ(both[i] & 0xffffffff, low[i]);
}

TEST(Float, MixedPrecisionRoundsOnce) {
  struct {
    std::string opcode, operands;
    Oracle oracle;
  } const forms[] = {{"add", " %ro, %ha, %rc;", [](Exact a, Exact, Exact c) { return a + c; }},
                     {"sub", " %ro, %ha, %rc;", [](Exact a, Exact, Exact c) { return a - c; }},
                     {"fma", " %ro, %ha, %hb, %rc;", [](Exact a, Exact b, Exact c) { return a * b + c; }}};
  for (const Kind &kind : {f16, bf16})
    for (const std::string mode : {"rn", "rz", "rm", "rp"})
      for (const auto &form : forms) {
        const std::string code = form.opcode + "." + mode + ".f32." + kind.type + form.operands;
        Operands operands(std::hash<std::string>()(code));
        const std::vector<uint64_t> a = finiteOperands(operands, kind, true),
                                    b = finiteOperands(operands, kind, true),
                                    c = finiteOperands(operands, f32, true);
        const std::vector<uint64_t> found = evaluate(code, 32, a, b, c);
        for (size_t i = 0; i < samples; ++i) {
          const Exact exact = form.oracle(valueOf(kind, a[i]), valueOf(kind, b[i]), valueOf(f32, c[i]));
          ASSERT_TRUE(isRounded(f32, exact, found[i], mode))
              << std::hex << code << " a=" << a[i] << " b=" << b[i] << " c=" << c[i] << " gave " << found[i];
        }
      }
}

TEST(Float, MixedPrecisionSpecials) {
  // To nearest when nothing is said. The least half is a normal single; that of bf16 stays subnormal.
  EXPECT_EQ(evaluate("add.f32.f16 %ro, %ha, %rb;", 32, {1, 0x8001, 0x7c00, 0x7e00, 0xfc00, 0x3c00},
                     {0, 0, 0x3f800000, 0x3f800000, 0x7f800000, 0x33800000}),
            (std::vector<uint64_t>{0x33800000, 0xb3800000, 0x7f800000, 0x7fffffff, 0x7fffffff, 0x3f800000}));
  EXPECT_EQ(evaluate("sub.f32.bf16 %ro, %ha, %rb;", 32, {1, 0x8001, 0x7f80, 0x7fc0, 0x7f80, 0x3f80},
                     {0, 0, 0x3f800000, 0x3f800000, 0x7f800000, 0x40000000}),
            (std::vector<uint64_t>{0x00010000, 0x80010000, 0x7f800000, 0x7fffffff, 0x7fffffff, 0xbf800000}));
  // What cancels is -0 when rounding goes down.
  EXPECT_EQ(evaluate("sub.rm.f32.f16 %ro, %ha, %rb;", 32, {0x3c00, 0}, {0x3f800000, 0x80000000}),
            (std::vector<uint64_t>{0x80000000, 0}));
  EXPECT_EQ(evaluate("add.rn.sat.f32.f16 %ro, %ha, %rb;", 32, {0x3c00, 0xbc00, 0x7e00, 0x3400},
                     {0x3f800000, 0, 0, 0x3e800000}),
            (std::vector<uint64_t>{0x3f800000, 0, 0, 0x3f000000}));
  EXPECT_EQ(evaluate("fma.rz.sat.f32.bf16 %ro, %ha, %hb, %rc;", 32, {0x4000, 0xc000, 0x7f80, 0x3f00},
                     {0x4000, 0x4000, 0, 0x3f00}, {0, 0, 0, 0x3e800000}),
            (std::vector<uint64_t>{0x3f800000, 0, 0, 0x3f000000}));
  // The product of two of the greatest bf16 is beyond f32, that of two of the least is nothing.
  EXPECT_EQ(evaluate("fma.rn.f32.bf16 %ro, %ha, %hb, %rc;", 32, {0x7f7f, 0x7f7f, 0x0001},
                     {0x7f7f, 0x3f80, 0x0001}, {0, 0xff7f0000, 0}),
            (std::vector<uint64_t>{0x7f800000, 0, 0}));
}

TEST(Float, SquareRootsAndReciprocals) {
  for (const std::string mode : {"rn", "rz", "rm", "rp"}) {
    checkRounding(
        f32, "sqrt." + mode + ".f32 %ro, %ra;", mode,
        [](Exact a, Exact, Exact) { return Exact(std::sqrt((long double)a)); }, true);
    checkRounding(
        f32, "max.f32 %ra, %ra, 0f00800000;\nrcp." + mode + ".f32 %ro, %ra;", mode,
        [](Exact a, Exact, Exact) { return 1 / (a < Exact(0x1p-126) ? Exact(0x1p-126) : a); }, true);
  }
}

float toFloat(uint64_t bits) { return std::bit_cast<float>(uint32_t(bits)); }

TEST(Float, FlushAndSaturate) {
  const std::vector<uint64_t> a{0x00000001, 0x807fffff, 0x00800000, 0x3f800000,
                                0x40000000, 0xbf800000, 0x7fc00000, 0x7f800000};
  const std::vector<uint64_t> one(a.size(), 0x3f800000), zero(a.size(), 0);
  EXPECT_EQ(evaluate("mul.ftz.f32 %ro, %ra, %rb;", 32, a, one),
            (std::vector<uint64_t>{0, 0x80000000, 0x00800000, 0x3f800000, 0x40000000, 0xbf800000, 0x7fffffff,
                                   0x7f800000}));
  EXPECT_EQ(evaluate("add.sat.f32 %ro, %ra, %rb;", 32, a, zero),
            (std::vector<uint64_t>{1, 0, 0x00800000, 0x3f800000, 0x3f800000, 0, 0, 0x3f800000}));
  EXPECT_EQ(evaluate("mul.ftz.f32 %ro, %ra, 0f3f000000;", 32, {0x00800000}), (std::vector<uint64_t>{0}));
  EXPECT_EQ(
      evaluate("fma.rn.relu.f16 %ho, %ha, %hb, %hb;", 16, {0xbc00, 0x3c00, 0x7e00}, {0x4000, 0x4000, 0x3c00}),
      (std::vector<uint64_t>{0, 0x4400, 0x7fff}));
  EXPECT_EQ(evaluate("add.sat.f16 %ho, %ha, %hb;", 16, {0x3c00, 0xbc00, 0x7e00}, {0x3c00, 0, 0}),
            (std::vector<uint64_t>{0x3c00, 0, 0}));
}

TEST(Float, MinimumAndMaximum) {
  const std::vector<uint64_t> a{0x7fc00000, 0x80000000, 0x3f800000, 0xc0000000},
      b{0x3f800000, 0, 0x7fc00000, 0x40400000};
  EXPECT_EQ(evaluate("min.f32 %ro, %ra, %rb;", 32, a, b),
            (std::vector<uint64_t>{0x3f800000, 0x80000000, 0x3f800000, 0xc0000000}));
  EXPECT_EQ(evaluate("max.f32 %ro, %ra, %rb;", 32, a, b),
            (std::vector<uint64_t>{0x3f800000, 0, 0x3f800000, 0x40400000}));
  EXPECT_EQ(evaluate("max.NaN.f32 %ro, %ra, %rb;", 32, a, b),
            (std::vector<uint64_t>{0x7fffffff, 0, 0x7fffffff, 0x40400000}));
  EXPECT_EQ(
      evaluate("max.xorsign.abs.f32 %ro, %ra, %rb;", 32, {0xc0000000, 0xc0000000}, {0x40400000, 0xc0400000}),
      (std::vector<uint64_t>{0xc0400000, 0x40400000}));
}

TEST(Float, ApproximateFunctionsStayWithinTwoUlp) {
  const std::tuple<const char *, std::function<double(double)>, bool> functions[] = {
      {"ex2.approx.f32", [](double x) { return std::exp2(x); }, false},
      {"lg2.approx.f32", [](double x) { return std::log2(x); }, true},
      {"rcp.approx.f32", [](double x) { return 1 / x; }, false},
      {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, true},
      {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, true},
      {"sin.approx.f32", [](double x) { return std::sin(x); }, false},
      {"cos.approx.f32", [](double x) { return std::cos(x); }, false},
      {"tanh.approx.f32", [](double x) { return std::tanh(x); }, false}};
  for (const auto &[name, function, positive] : functions) {
    Operands operands(3);
    std::vector<uint64_t> a;
    while (a.size() < 1024) {
      const uint64_t bits = operands.floating(32, 23) & (positive ? 0x7fffffff : 0xffffffff);
      if (std::isfinite(toFloat(bits)) && std::fabs(toFloat(bits)) < 100 && std::fabs(toFloat(bits)) > 1e-30f)
        a.push_back(bits);
    }
    const std::vector<uint64_t> found = evaluate(std::string(name) + " %ro, %ra;", 32, a);
    for (size_t i = 0; i < a.size(); ++i) {
      const double truth = function(toFloat(a[i]));
      ASSERT_LE(std::fabs(toFloat(found[i]) - truth), 2 * std::fabs(truth) * 0x1p-23 + 0x1p-149)
          << name << " " << toFloat(a[i]);
    }
  }
  // With .ftz a subnormal operand is a zero, and so is a result below 2^-126: -126, -126.5, -149, two
  // subnormals.
  const std::vector<uint64_t> small{0xc2fc0000, 0xc2fd0000, 0xc3150000, 0x807fffff, 1};
  EXPECT_EQ(evaluate("ex2.approx.ftz.f32 %ro, %ra;", 32, small),
            (std::vector<uint64_t>{0x00800000, 0, 0, 0x3f800000, 0x3f800000}));
  EXPECT_EQ(evaluate("ex2.approx.f32 %ro, %ra;", 32, small),
            (std::vector<uint64_t>{0x00800000, 0x005a827a, 1, 0x3f800000, 0x3f800000}));
  EXPECT_EQ(evaluate("ex2.approx.ftz.f16 %ho, %ha;", 16, {0x3c00, 0xfc00, 0x7c00}),
            (std::vector<uint64_t>{0x4000, 0, 0x7c00}));
  EXPECT_EQ(evaluate("tanh.approx.bf16x2 %ro, %ra;", 32, {0x7f80ff80}), (std::vector<uint64_t>{0x3f80bf80}));
  EXPECT_EQ(evaluate("lg2.approx.f32 %ro, %ra;", 32, {0, 0x80000000, 0xbf800000, 0x7f800000}),
            (std::vector<uint64_t>{0xff800000, 0xff800000, 0x7fffffff, 0x7f800000}));
  EXPECT_EQ(evaluate("rcp.approx.ftz.f64 %do, %da;", 64, {0x4010000000000000}),
            (std::vector<uint64_t>{0x3fd0000000000000}));
  // div.approx loses divisors whose reciprocal underflows; div.full keeps them.
  EXPECT_EQ(evaluate("div.approx.f32 %ro, %ra, %rb;", 32, {0x7e800000}, {0x7e800000}),
            (std::vector<uint64_t>{0}));
  EXPECT_EQ(evaluate("div.full.f32 %ro, %ra, %rb;", 32, {0x7e800000}, {0x7e800000}),
            (std::vector<uint64_t>{0x3f800000}));
}

} // namespace
} // namespace tegula::runtime::test
