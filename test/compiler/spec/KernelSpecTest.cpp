#include "compiler/spec/KernelSpec.h"

#include <gtest/gtest.h>

namespace tegula {
namespace {

TEST(KernelSpec, ScalarNamesRoundTrip) {
  uint32_t total = 0;
  for (int i = 0; i <= int(ScalarKind::Float8E5M2); ++i) {
    ScalarKind kind = ScalarKind(i);
    EXPECT_EQ(parseScalarKind(scalarKindName(kind)), kind);
    total += scalarKindBytes(kind);
  }
  EXPECT_EQ(total, 1u + (1 + 2 + 4 + 8) * 2 + 2 + 2 + 4 + 8 + 1 + 1);
  EXPECT_EQ(scalarKindName(ScalarKind::BFloat16), "bf16");
  EXPECT_EQ(parseScalarKind("float"), std::nullopt);
  EXPECT_EQ(parseScalarKind("float32"), ScalarKind::Float32);
  EXPECT_EQ(parseScalarKind("bfloat16"), ScalarKind::BFloat16);
  EXPECT_EQ(parseScalarKind("uint8"), ScalarKind::UInt8);
  EXPECT_EQ(parseScalarKind("int1"), ScalarKind::Int1);
  EXPECT_EQ(scalarKindBytes(ScalarKind::Int1), 1u);
}

TEST(KernelSpec, TypesRoundTrip) {
  for (std::string_view text :
       {"i32", "*fp32", "**u8", "*fp32:16", "i64:1024", "bf16", "i1", "*i1:4", "i32+", "i64:16+", "i8+"}) {
    auto parsed = parseArgType(text);
    ASSERT_TRUE(std::holds_alternative<ArgSpec>(parsed)) << std::get<std::string>(parsed);
    EXPECT_EQ(formatArgType(std::get<RuntimeArg>(std::get<ArgSpec>(parsed))), text);
  }
  RuntimeArg expected{ScalarKind::Float32, 1, {16}};
  EXPECT_EQ(std::get<ArgSpec>(parseArgType("*fp32:16")), ArgSpec(expected));
  RuntimeArg notNegative{ScalarKind::Int32, 0, {16, true}};
  EXPECT_EQ(std::get<ArgSpec>(parseArgType("i32:16+")), ArgSpec(notNegative));
}

TEST(KernelSpec, EqualToOneIsAValue) {
  EXPECT_EQ(std::get<ArgSpec>(parseArgType("i32=1")), ArgSpec(BoundValue{int64_t(1)}));
}

TEST(KernelSpec, NoneIsAValue) {
  EXPECT_EQ(std::get<ArgSpec>(parseArgType("none")), ArgSpec(BoundValue{std::monostate()}));
}

TEST(KernelSpec, ErrorsSayWhatIsWrong) {
  auto error = [](std::string_view text) {
    auto parsed = parseArgType(text);
    return std::holds_alternative<std::string>(parsed) ? std::get<std::string>(parsed) : "accepted";
  };
  EXPECT_EQ(error(""), "expected a type such as `*fp32` or `i32`, found ``");
  EXPECT_EQ(error("*"), "expected a type such as `*fp32` or `i32`, found `*`");
  EXPECT_EQ(error(":16"), "expected a type such as `*fp32` or `i32`, found `:16`");
  EXPECT_EQ(error("float"),
            "unknown type `float`: expected one of `i1`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, "
            "`u32`, `u64`, `fp16`, `bf16`, `fp32`, `fp64`, `fp8e4nv`, `fp8e5`, `fp8e4b15`, "
            "`fp8e4b8`, `fp8e5b16`");
  EXPECT_EQ(error("***fp32"), "expected at most 2 `*` in a type, found 3");
  for (std::string_view suffix : {"", "0", "3", "-4", "16x", "99999999999", "2147483648"})
    EXPECT_EQ(error("*fp32:" + std::string(suffix)),
              "expected a power of two up to 1073741824 after `:`, found `" + std::string(suffix) + "`");
  EXPECT_EQ(error("fp32:16"), "expected a pointer or an integer before `:16`, found `fp32`");
  EXPECT_EQ(error("i1:16"), "expected a pointer or an integer before `:16`, found `i1`");
  EXPECT_EQ(error("*fp32=1"), "expected an integer type before `=`, found `*fp32`");
  EXPECT_EQ(error("fp32=1"), "expected an integer type before `=`, found `fp32`");
  EXPECT_EQ(error("i32=2"), "expected `1` after `=`, found `2`");
  for (std::string_view type : {"u32", "fp32", "*i32", "i1", "*i32:16", "i32=1"})
    EXPECT_EQ(error(std::string(type) + "+"),
              "expected a signed integer before `+`, found `" + std::string(type) + "`");
  EXPECT_EQ(error("i32++"),
            "unknown type `i32+`: expected one of `i1`, `i8`, `i16`, `i32`, `i64`, `u8`, `u16`, "
            "`u32`, `u64`, `fp16`, `bf16`, `fp32`, `fp64`, `fp8e4nv`, `fp8e5`, `fp8e4b15`, "
            "`fp8e4b8`, `fp8e5b16`");
}

} // namespace
} // namespace tegula
