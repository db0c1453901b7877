// Tuples that launches pass, as signatures spell them.
#include "compiler/spec/PassedTuple.h"

#include <gtest/gtest.h>

using namespace tegula;

namespace {

TupleType typeOf(std::string_view text) {
  auto parsed = parseTupleType("t", text);
  if (const std::string *wrong = std::get_if<std::string>(&parsed)) {
    ADD_FAILURE() << *wrong;
    return {};
  }
  return std::get<TupleType>(std::move(parsed));
}

std::string problem(std::string_view text) {
  const auto parsed = parseTupleType("t", text);
  const std::string *wrong = std::get_if<std::string>(&parsed);
  return wrong ? *wrong : "";
}

std::string passedBy(const BoundValue &value) {
  std::string text;
  for (const PassedParameter &part : passedParameters("t", value))
    text += part.name + (part.type ? ":" + formatArgType(*part.type) : "") + " ";
  return text;
}

} // namespace

TEST(PassedTuple, EachItemIsAParameter) {
  const TupleType type = typeOf("(*fp32:16, (i32=1, i64), none,)");
  ASSERT_EQ(type.passed.size(), 2u);
  EXPECT_EQ(type.passed[0], std::pair(std::string("t[0]"),
                                      ArgSpec(RuntimeArg{ScalarKind::Float32, 1, {.divisibility = 16}})));
  EXPECT_EQ(type.passed[1], std::pair(std::string("t[1][1]"), ArgSpec(RuntimeArg{ScalarKind::Int64})));
  const auto &items = std::get<bound::Tuple>(type.value.value).items;
  ASSERT_EQ(items.size(), 3u);
  EXPECT_EQ(items[0], BoundValue{bound::Passed()});
  EXPECT_EQ(items[2], BoundValue{std::monostate()});
  EXPECT_EQ(passedBy(type.value), "t[0] t[1][1] ");
  EXPECT_TRUE(std::get<bound::Tuple>(typeOf("()").value.value).items.empty());
}

TEST(PassedTuple, ItemsMayHaveNamesAndBeDescriptors) {
  const TupleType type = typeOf("Point(x=*fp32, step=i32=1, d=tensordesc<fp16[64,32],nan>)");
  const auto &named = std::get<bound::Tuple>(type.value.value);
  EXPECT_EQ(named.typeName, "Point");
  EXPECT_EQ(named.fields, (std::vector<std::string>{"x", "step", "d"}));
  EXPECT_EQ(named.items[1], BoundValue{int64_t(1)});
  EXPECT_EQ(named.items[2], (BoundValue{bound::Descriptor{{64, 32}, true}}));
  EXPECT_EQ(type.passed[1].first, "t[2].base");
  EXPECT_EQ(passedBy(type.value),
            "t[0] t[2].base t[2].shape[0]:i32+ t[2].shape[1]:i32+ t[2].strides[0]:i64:16+ ");
  bound::Tuple other = named;
  EXPECT_EQ(other, named);
  other.fields[0] = "y";
  EXPECT_NE(other, named);
}

TEST(PassedTuple, WhatIsNoSignature) {
  const std::string expected = "expected a tuple such as `(*fp32:16, i32)`, found ";
  EXPECT_EQ(problem("(i32"), expected + "`(i32`");
  EXPECT_EQ(problem("(i32,(i64]))"), expected + "`(i32,(i64]))`");
  EXPECT_EQ(problem("(i32, P(x=i32)"), expected + "`(i32, P(x=i32)`");
  EXPECT_TRUE(problem("(i33)").starts_with("unknown type `i33`"));
  EXPECT_EQ(problem("(i32, , i64)"), "expected a type such as `*fp32` or `i32`, found ``");
  EXPECT_EQ(problem("(x=i32)"),
            "expected a type without a name, found `x=i32`: a tuple with names has one of its "
            "own, `Point(x=i32)`");
  EXPECT_EQ(problem("Point(i32)"), "expected a name and a type such as `x=i32` in `Point`, found `i32`");
  EXPECT_EQ(problem("(tensordesc<fp16[6x]>)"), "expected a side of the block, found `6x`");
  EXPECT_EQ(problem(std::string(17, '(') + "i32" + std::string(17, ')')), "tuples nest more than 16 deep");
  EXPECT_FALSE(looksLikeTuple("*fp32:16"));
  EXPECT_FALSE(looksLikeTuple("tensordesc<fp16[64,32]>"));
}

TEST(PassedTuple, ThePartsOfOtherValuesAreNone) {
  EXPECT_EQ(passedBy({int64_t(3)}), "");
  EXPECT_EQ(passedBy({bound::Tuple{{{int64_t(3)}, {std::string("a")}}}}), "");
  EXPECT_EQ(parameterOf("t[1][0]"), "t");
  EXPECT_EQ(parameterOf("t[1].shape[0]"), "t");
  EXPECT_EQ(parameterOf("d.base"), "d");
  EXPECT_EQ(parameterOf("t"), "");
}
