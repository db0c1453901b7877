// Every conversion between two of the 13 types.
#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fmt/format.h>

using namespace tegula;
using namespace tegula::e2e;

namespace {

constexpr size_t Rows = 256;

constexpr Dtype allTypes[] = {Dtype::i1,   Dtype::i8,  Dtype::i16, Dtype::i32, Dtype::i64,
                              Dtype::u8,   Dtype::u16, Dtype::u32, Dtype::u64, Dtype::f16,
                              Dtype::bf16, Dtype::f32, Dtype::f64};

/// Returns true if the integer part of a float is representable in `to`.
bool fitsIn(Dtype to, long double value) {
  if (!std::isfinite(value))
    return false;
  long double whole = std::trunc(value), limit = std::ldexp(1.0L, int(bitsOf(to)) - isSigned(to));
  return whole < limit && whole >= (isSigned(to) ? -limit : 0);
}

/// Values of a float type for which a conversion to the integer type is defined, the outermost among them.
std::vector<Bits> valuesWithin(Dtype from, Dtype to, uint64_t seed) {
  Random random(seed);
  std::vector<Bits> values = randomBits(from, Rows, seed);
  long double limit = std::ldexp(1.0L, int(bitsOf(to)) - isSigned(to));
  values[0] = fromReal(from, limit - 1, /*towardZero=*/true);
  values[1] = fromReal(from, -limit);
  for (Bits &value : values)
    if (!fitsIn(to, toReal(from, value)))
      value = fromReal(
          from,
          std::ldexp(random.real(isSigned(to) ? -1 : 0, 1), int(random.next() % (bitsOf(to) - isSigned(to)))),
          true);
  return values;
}

/// Adds values halfway between two neighbours of the target, and just off that point: there roundings
/// differ.
void addTies(Column &column, Dtype to, uint64_t seed) {
  Random random(seed);
  for (size_t i = 0; i < column.bits.size(); i += 3) {
    Bits low = fromReal(to, random.real(-4, 4), true);
    long double middle = (toReal(to, low) + toReal(to, low + 1)) / 2;
    Bits tie = fromReal(column.type, middle);
    column.bits[i] = tie + (random.next() % 3) - 1;
  }
}

class Casts : public testing::TestWithParam<Dtype> {};

TEST_P(Casts, ToEveryTypeAgreeWithTheHost) {
  Dtype from = GetParam();
  std::vector<Column> columns = {{"a", from, randomBits(from, Rows, 900 + uint64_t(from))}};
  std::vector<Expression> expressions;
  auto add = [&](const std::string &text, Dtype to, const std::vector<Bits> &values, bool towardZero) {
    expressions.push_back(
        {text, to, [=](size_t row) { return exactly(convert(from, values[row], to, towardZero)); }});
  };
  for (Dtype to : allTypes) {
    std::string name = "a";
    if (isFloat(from) && !isFloat(to) && to != Dtype::i1) {
      name = fmt::format("a{}", columns.size());
      columns.push_back({name, from, valuesWithin(from, to, 950 + uint64_t(to))});
    }
    bool narrows = isFloat(from) && isFloat(to) && bitsOf(to) < bitsOf(from);
    if (narrows) {
      name = fmt::format("a{}", columns.size());
      columns.push_back({name, from, randomBits(from, Rows, 970 + uint64_t(to))});
      addTies(columns.back(), to, 980);
    }
    const std::vector<Bits> &values = name == "a" ? columns[0].bits : columns.back().bits;
    add(fmt::format("{}.to({})", name, languageName(to)), to, values, false);
    add(fmt::format("tl.cast({}, {})", name, languageName(to)), to, values, false);
    if (narrows) {
      add(fmt::format("{}.to({}, fp_downcast_rounding=\"rtz\")", name, languageName(to)), to, values, true);
      add(fmt::format("{}.to({}, fp_downcast_rounding=\"rtne\")", name, languageName(to)), to, values, false);
    }
    if (bitsOf(to) == bitsOf(from))
      expressions.push_back({fmt::format("a.to({}, bitcast=True)", languageName(to)), to,
                             [bits = columns[0].bits](size_t row) { return exactly(bits[row]); }});
  }
  check(columns, expressions);
}

TEST_P(Casts, AStoreConvertsToWhatThePointerPointsAt) {
  Dtype from = GetParam();
  std::vector<Bits> values = randomBits(from, Rows, 31);
  for (Bits &value : values)
    value =
        convert(Dtype::f32, fromReal(Dtype::f32, from == Dtype::i1 ? value & 1 : double(value % 100)), from);
  for (Dtype to : allTypes) {
    Memory in(from, values), out(to, std::vector<Bits>(Rows));
    Program::parse("store.py", "import triton\nimport triton.language as tl\n\n\n"
                               "@triton.jit\ndef kernel(x, out, N: tl.constexpr):\n    i = tl.arange(0, N)\n"
                               "    tl.store(out + i, tl.load(x + i))\n")
        .kernel()
        .constexpr_("N", Rows)
        .launch(device(), 1, in.pointer(), out.pointer());
    std::vector<Bits> found = out.read();
    // A truth in memory is a byte, and a number leaves its own there.
    const Dtype stored = to == Dtype::i1 && from != Dtype::i1 ? Dtype::i8 : to;
    for (size_t row = 0; row < Rows; ++row)
      ASSERT_EQ(found[row], convert(from, values[row], stored)) << languageName(to) << ", row " << row;
  }
}

INSTANTIATE_TEST_SUITE_P(From, Casts, testing::ValuesIn(allTypes),
                         [](const testing::TestParamInfo<Dtype> &info) {
                           return languageName(info.param).substr(3);
                         });

} // namespace
