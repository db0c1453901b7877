// Every binary operator on every pair of types, tensor with tensor and tensor with a number.
#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fmt/format.h>

using namespace tegula;
using namespace tegula::e2e;

namespace {

constexpr size_t Rows = 160;

Expected expectedOf(Op op, Dtype common, Bits x, Bits y, bool arithmeticShift) {
  Outcome outcome = apply(op, common, x, y, arithmeticShift);
  if (outcome.slack == 0) {
    Expected expected = exactly(outcome.bits);
    // By a constant 1 LLVM computes the remainder as fmod does, whose zeros have the dividend's sign.
    expected.eitherZero = op == Op::Mod && isFloat(common);
    return expected;
  }
  // The quotient as it is before rounding, so that the documented error is not widened by ours.
  long double a = toReal(Dtype::f32, convert(common, x, Dtype::f32)),
              b = toReal(Dtype::f32, convert(common, y, Dtype::f32));
  return about(a / b, outcome.slack);
}

/// Divisors for the rows of `dividends`: never zero, and never the -1 that takes the smallest number out of
/// range.
std::vector<Bits> divisorsFor(Dtype type, const std::vector<Bits> &dividends, Dtype dividendType,
                              uint64_t seed) {
  std::vector<Bits> values = randomBits(type, dividends.size(), seed);
  for (size_t i = 0; i < values.size(); ++i) {
    if (isFloat(type))
      continue;
    bool overflows = extend(type, values[i]) == ~uint64_t(0) && !isFloat(dividendType) &&
                     dividends[i] == smallest(dividendType);
    if (values[i] == 0 || overflows)
      values[i] = 3;
  }
  return values;
}

/// Shift amounts below the width of `common`.
std::vector<Bits> shiftsFor(unsigned width, uint64_t seed) {
  Random random(seed);
  std::vector<Bits> values(Rows);
  for (Bits &value : values)
    value = random.next() % width;
  return values;
}

class OperatorPairs : public testing::TestWithParam<Dtype> {};

TEST_P(OperatorPairs, AgreeWithTheHost) {
  Dtype left = GetParam();
  for (Dtype right : numbers) {
    uint64_t seed = uint64_t(left) * 16 + uint64_t(right);
    std::vector<Column> columns = {{"a", left, randomBits(left, Rows, seed)},
                                   {"b", right, randomBits(right, Rows, seed + 1000)}};
    columns.push_back({"d", right, divisorsFor(right, columns[0].bits, left, seed + 2000)});
    unsigned width = 8;
    if (std::optional<Dtype> common = commonType(Op::Shl, {left}, {right}))
      width = bitsOf(*common);
    if (!isFloat(right))
      columns.push_back({"s", right, shiftsFor(width, seed + 3000)});
    else
      columns.push_back({"s", right, randomBits(right, Rows, seed + 3000)});

    std::vector<Expression> expressions;
    for (Op op : operators) {
      std::optional<Dtype> common = commonType(op, {left}, {right});
      if (!common)
        continue;
      const Column &y = columns[isShift(op) ? 3 : divides(op) ? 2 : 1];
      std::vector<Bits> xs = columns[0].bits, ys = y.bits;
      expressions.push_back({"a " + spelling(op) + " " + y.name, resultType(op, *common), [=](size_t row) {
                               return expectedOf(op, *common, convert(left, xs[row], *common),
                                                 convert(right, ys[row], *common), isSigned(left));
                             }});
    }
    check(columns, expressions);
  }
}

std::string nameOf(const testing::TestParamInfo<Dtype> &info) { return languageName(info.param).substr(3); }
INSTANTIATE_TEST_SUITE_P(All, OperatorPairs, testing::ValuesIn(numbers), nameOf);

/// A number as it stands in the source.
struct Number {
  std::string text;
  Dtype type; ///< that of a tensor made from it
  long double value;
  Bits as(Dtype common) const {
    return isFloat(common) ? fromReal(common, value) : fromInt(common, uint64_t(int64_t(value)));
  }
};

bool fits(const Number &number, Dtype common) {
  if (isFloat(common))
    return true;
  return number.value < 0 ? isSigned(common)
                          : number.value < std::ldexp(1.0L, int(bitsOf(common)) - isSigned(common));
}

class OperatorNumbers : public testing::TestWithParam<Dtype> {};

TEST_P(OperatorNumbers, TakeTheTensorsType) {
  Dtype type = GetParam();
  const Number list[] = {{"3", Dtype::i32, 3},
                         {"-5", Dtype::i32, -5},
                         {"100", Dtype::i32, 100},
                         {"1000", Dtype::i32, 1000},
                         {"3000000000", Dtype::u32, 3e9L},
                         {"0.5", Dtype::f32, 0.5},
                         {"-2.25", Dtype::f32, -2.25},
                         {"1e30", Dtype::f32, (long double)(1e30)},
                         {"1e300", Dtype::f64, (long double)(1e300)},
                         {"0.1", Dtype::f32, (long double)(0.1)},
                         {"True", Dtype::i1, 1}};
  uint64_t seed = 77 + uint64_t(type);
  Column a{"a", type, randomBits(type, Rows, seed)}, d = a, s = a;
  d.name = "d", s.name = "s";
  d.bits = divisorsFor(type, a.bits, type, seed + 1);
  if (!isFloat(type))
    s.bits = shiftsFor(bitsOf(type), seed + 2);
  for (const Number &number : list) {
    std::vector<Expression> expressions;
    for (Op op : operators)
      for (bool numberFirst : {false, true}) {
        // In a comparison a number is a tensor of its own type.
        Side tensor{type}, literal{number.type, !compares(op)};
        std::optional<Dtype> common =
            numberFirst ? commonType(op, literal, tensor) : commonType(op, tensor, literal);
        // A shift by more than the width has no meaning.
        if (!common || !fits(number, *common) ||
            (isShift(op) && !numberFirst && (number.value < 0 || number.value >= bitsOf(*common))))
          continue;
        const Column &column = !numberFirst ? a : isShift(op) ? s : divides(op) ? d : a;
        Bits y = compares(op) ? convert(number.type, number.as(number.type), *common) : number.as(*common);
        std::vector<Bits> values = column.bits;
        expressions.push_back({numberFirst ? number.text + " " + spelling(op) + " " + column.name
                                           : column.name + " " + spelling(op) + " " + number.text,
                               resultType(op, *common), [=](size_t row) {
                                 Bits x = convert(type, values[row], *common);
                                 return numberFirst ? expectedOf(op, *common, y, x, isSigned(type))
                                                    : expectedOf(op, *common, x, y, isSigned(type));
                               }});
      }
    check({a, d, s}, expressions);
  }
}

INSTANTIATE_TEST_SUITE_P(All, OperatorNumbers, testing::ValuesIn(numbers), nameOf);

TEST(OperatorForms, UnaryAndBooleanOperatorsAgreeWithTheHost) {
  for (Dtype type : numbers) {
    Column a{"a", type, randomBits(type, Rows, 5)}, b{"b", type, randomBits(type, Rows, 6)};
    std::vector<Bits> x = a.bits, y = b.bits;
    auto truth = [=](const std::vector<Bits> &of, size_t row) {
      return convert(type, of[row], Dtype::i1) != 0;
    };
    std::vector<Expression> expressions = {
        {"+a", type, [=](size_t row) { return exactly(x[row]); }},
        // The language negates by subtracting from zero.
        {"-a", type, [=](size_t row) { return exactly(apply(Op::Sub, type, 0, x[row], false).bits); }},
        {"not a", Dtype::i1, [=](size_t row) { return exactly(!truth(x, row)); }},
        {"a.logical_and(b)", Dtype::i1, [=](size_t row) { return exactly(truth(x, row) && truth(y, row)); }},
        {"a.logical_or(b)", Dtype::i1, [=](size_t row) { return exactly(truth(x, row) || truth(y, row)); }},
        {"(a < b) & (b != 3)", Dtype::i1,
         [=](size_t row) {
           return exactly(toReal(type, x[row]) < toReal(type, y[row]) && toReal(type, y[row]) != 3);
         }},
        {"tl.where(a < b, a, b)", type,
         [=](size_t row) { return exactly(toReal(type, x[row]) < toReal(type, y[row]) ? x[row] : y[row]); }},
    };
    if (!isFloat(type))
      expressions.push_back({"~a", type, [=](size_t row) { return exactly(fromInt(type, ~x[row])); }});
    check({a, b}, expressions);
  }
}

TEST(OperatorForms, EveryOperationInAShortFloatRounds) {
  // A sum kept in fp32 between the two steps would differ in most rows.
  for (Dtype type : {Dtype::f16, Dtype::bf16}) {
    std::vector<Column> columns;
    for (const char *name : {"a", "b", "c"})
      columns.push_back({name, type, randomBits(type, Rows, 40 + uint64_t(name[0]))});
    std::vector<Bits> a = columns[0].bits, b = columns[1].bits, c = columns[2].bits;
    check(columns, {{"a + b + c", type,
                     [=](size_t row) {
                       Bits sum = apply(Op::Add, type, a[row], b[row], false).bits;
                       return exactly(apply(Op::Add, type, sum, c[row], false).bits);
                     }},
                    {"a * b * c", type, [=](size_t row) {
                       Bits product = apply(Op::Mul, type, a[row], b[row], false).bits;
                       return exactly(apply(Op::Mul, type, product, c[row], false).bits);
                     }}});
  }
}

TEST(OperatorForms, AScalarArgumentIsNoPythonNumber) {
  // A tensor of no dimensions takes part in promotion with its own type: int32 with uint8 gives int32.
  std::vector<Bits> values = randomBits(Dtype::u8, Rows, 9), halves = randomBits(Dtype::f16, Rows, 10);
  check({{"a", Dtype::u8, values}, {"h", Dtype::f16, halves}},
        {{"a - n", Dtype::i32, [=](size_t row) { return exactly(fromInt(Dtype::i32, values[row] - Rows)); }},
         {"h * n", Dtype::f16, [=](size_t row) {
            return exactly(apply(Op::Mul, Dtype::f16, halves[row], fromReal(Dtype::f16, Rows), false).bits);
          }}});
}

} // namespace
