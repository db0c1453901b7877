// Values of a debugger: operators, functions, texts.
#include "compiler/debug/Operators.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace tegula;
using namespace tegula::debug;

namespace {

Value wholes(std::vector<int64_t> numbers, std::vector<int64_t> shape = {}) {
  Value value;
  value.shape = shape.empty() ? std::vector<int64_t>{int64_t(numbers.size())} : shape;
  value.wholes = std::move(numbers);
  return value;
}
Value reals(std::vector<double> numbers) {
  Value value;
  value.kind = Value::Real;
  value.shape = {int64_t(numbers.size())};
  value.reals = std::move(numbers);
  return value;
}

std::string combined(ast::BinaryOp op, const Value &a, const Value &b) {
  std::string error;
  const std::optional<Value> made = combine(op, a, b, error);
  return made ? elementsText(*made, 8) : "error: " + error;
}

std::string called(const std::string &name, const std::vector<Value> &arguments) {
  std::string error;
  const std::optional<Value> made = callFunction(name, arguments, error);
  return made ? elementsText(*made, 8) : "error: " + error;
}

} // namespace

TEST(DebugOperators, BroadcastAsKernelsDo) {
  EXPECT_EQ(combined(ast::BinaryOp::Add, wholes({1, 2}, {2, 1}), wholes({10, 20, 30}, {1, 3})),
            "[[11, 21, 31], [12, 22, 32]]");
  EXPECT_EQ(combined(ast::BinaryOp::Mul, Value::of(int64_t(2)), reals({0.5, 1})), "[1, 2]");
  EXPECT_EQ(combined(ast::BinaryOp::Add, wholes({1, 2}), wholes({1, 2, 3})), "error: sides of 2 and 3 do not go together");
}

TEST(DebugOperators, IntegersTruncateAndWhatHasNoResultIsUndefined) {
  EXPECT_EQ(combined(ast::BinaryOp::FloorDiv, wholes({-7, 7, 7, INT64_MIN}), wholes({2, 0, -2, -1})),
            "[-3, undefined, -3, undefined]");
  EXPECT_EQ(combined(ast::BinaryOp::Mod, wholes({-7, 7, 7}), wholes({2, 0, -1})), "[-1, undefined, 0]");
  EXPECT_EQ(combined(ast::BinaryOp::ShiftLeft, wholes({1, 1}), wholes({3, 64})), "[8, undefined]");
  EXPECT_EQ(combined(ast::BinaryOp::Add, wholes({INT64_MAX}), wholes({1})), "[-9223372036854775808]");
  EXPECT_EQ(combined(ast::BinaryOp::BitAnd, reals({1}), wholes({1})), "error: `&` does not go with these values");
}

TEST(DebugOperators, UndefinedElementsStayUndefined) {
  Value value = wholes({1});
  value.addUndefined();
  value.shape = {2};
  EXPECT_EQ(combined(ast::BinaryOp::Add, value, wholes({1, 1})), "[2, undefined]");
  EXPECT_EQ(called("sum", {value}), "1");
  EXPECT_EQ(called("abs", {value}), "[1, undefined]");
  EXPECT_EQ(called("where", {wholes({1, 0}), value, wholes({7, 8})}),
            "[1, 8]"); // the other side counts alone
  EXPECT_EQ(called("where", {value, wholes({7}), reals({0.5})}), "[7, undefined]");
  EXPECT_EQ(summary(value), "int[2] min 1 max 1 mean 1, 1 undefined");
}

TEST(DebugOperators, Functions) {
  EXPECT_EQ(called("max", {wholes({3, -5, 4})}), "4");
  EXPECT_EQ(called("max", {wholes({3, -5}), wholes({0})}), "[3, 0]");
  EXPECT_EQ(called("mean", {wholes({1, 2})}), "1.5");
  EXPECT_EQ(called("isnan", {reals({NAN, 1})}), "[True, False]");
  EXPECT_TRUE(called("isnan", {reals({1}), reals({1})}).starts_with("error: no function `isnan` of 2 values"));
  EXPECT_EQ(called("any", {reals({0, 0})}), "False");
  EXPECT_EQ(called("where", {wholes({1, 0}), reals({NAN, INFINITY}), wholes({7, 8})}), "[nan, 8]");
  EXPECT_TRUE(called("frobnicate", {}).starts_with("error: no function `frobnicate` of 0 values: expected abs"));
  EXPECT_EQ(called("max", {wholes({}, {0})}), "error: no element is defined");
}

TEST(DebugOperators, ReduceAlongAnyAxis) {
  const Value matrix = wholes({1, 2, 3, 4, 5, 6}, {2, 3}), cube = wholes({1, 2, 3, 4, 5, 6, 7, 8}, {2, 2, 2});
  const auto along = [](const Value &value, int64_t axis) {
    std::string error;
    const std::optional<Value> made = reduceAlong("sum", value, axis, error);
    return made ? elementsText(*made, 8) : "error: " + error;
  };
  EXPECT_EQ(along(matrix, 0), "[5, 7, 9]");
  EXPECT_EQ(along(matrix, -1), "[6, 15]");
  EXPECT_EQ(along(cube, 0), "[[6, 8], [10, 12]]");
  EXPECT_EQ(along(cube, 1), "[[4, 6], [12, 14]]");
  EXPECT_EQ(along(matrix, 2), "error: a value of 2 sides has no axis 2");
}

TEST(DebugOperators, Summaries) {
  EXPECT_EQ(summary(reals({1, -2, NAN, INFINITY})), "float[4] min -2 max inf mean inf, 1 NaN, 1 infinite");
  EXPECT_EQ(summary(Value::of(true)), "True");
  EXPECT_EQ(elementsText(wholes({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 2), "[0, 1, ..., 8, 9]");
}

TEST(DebugArrays, ElementsByNameAndAddress) {
  const Array array{"out", 1000, ScalarKind::Float32, {4, 8}};
  EXPECT_EQ(array.elementName(11), "out[1, 3]");
  EXPECT_EQ(array.indexOf(1000 + 11 * 4), 11u);
  EXPECT_EQ(array.indexOf(1000 + 32 * 4), std::nullopt);
  EXPECT_EQ(array.indexOf(996), std::nullopt);
  EXPECT_EQ(text(numberOf(ScalarKind::Float16, 0x3e00)), "1.5");
  EXPECT_EQ(text(numberOf(ScalarKind::Int8, 0xff)), "-1");
  EXPECT_EQ(text(numberOf(ScalarKind::UInt8, 0xff)), "255");
}

TEST(DebugOperators, TruthsOfLanesNeedOnlyWhatDecides) {
  std::string error;
  Value some = wholes({1, 0, 1, 0});
  some.undefined = {0, 0, 1, 1};
  const Value no = wholes({0, 0, 0, 1}), one = Value::of(true);
  EXPECT_EQ(elementsText(*combineTruths(ast::BoolOp::And, some, no, error), 8),
            "[False, False, False, undefined]");
  EXPECT_EQ(elementsText(*combineTruths(ast::BoolOp::Or, some, no, error), 8),
            "[True, False, undefined, True]");
  EXPECT_EQ(elementsText(*combineTruths(ast::BoolOp::And, no, one, error), 8), "[False, False, False, True]");
  EXPECT_FALSE(combineTruths(ast::BoolOp::Or, wholes({1, 2, 3}), no, error));
  EXPECT_EQ(error, "sides of 3 and 4 do not go together");
}
