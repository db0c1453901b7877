#include "runtime/jit/launch/Specialize.h"
#include "runtime/jit/files/SpecText.h"

#include <gtest/gtest.h>

#include <random>

using namespace tegula;
using namespace tegula::jit;

namespace {

ParameterInfo parameter(std::optional<RuntimeArg> type = std::nullopt) {
  ParameterInfo info;
  info.name = "x";
  info.type = type;
  return info;
}

/// The argument of the spec as it would be written in a signature; "=1" and "=None" for bound ones.
std::string specialized(const ParameterInfo &info, HostValue value) {
  const Specialized result = specialize(info, value);
  if (result.form == Specialized::Mismatch)
    return mismatch(info, value).text;
  ArgSpec spec = argSpec(result);
  if (const auto *runtime = std::get_if<RuntimeArg>(&spec))
    return formatArgType(*runtime);
  const BoundValue &bound = std::get<BoundValue>(spec);
  return std::holds_alternative<std::monostate>(bound.value) ? "=None" : "=1";
}

TEST(Specialize, IntegersByValue) {
  EXPECT_EQ(specialized(parameter(), HostValue::integer(1)), "=1");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(0)), "i32:16+");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(7)), "i32+");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(1024)), "i32:16+");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(-16)), "i32:16");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(-7)), "i32");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(INT32_MAX)), "i32+");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(int64_t(INT32_MAX) + 1)), "i64:16+");
  EXPECT_EQ(specialized(parameter(), HostValue::integer(int64_t(INT32_MIN) - 1)), "i64");
  EXPECT_EQ(specialized(parameter(), HostValue::unsignedInteger(UINT64_MAX)), "u64");
}

TEST(Specialize, DoNotSpecialize) {
  ParameterInfo info = parameter();
  info.doNotSpecialize = true;
  EXPECT_EQ(specialized(info, HostValue::integer(1)), "i32");
  EXPECT_EQ(specialized(info, HostValue::integer(16)), "i32");
  EXPECT_EQ(specialized(info, HostValue::pointer(256, ScalarKind::Float32)), "*fp32");
  info.doNotSpecialize = false;
  info.doNotSpecializeOnAlignment = true;
  EXPECT_EQ(specialized(info, HostValue::integer(1)), "=1");
  EXPECT_EQ(specialized(info, HostValue::integer(16)), "i32+");
  EXPECT_EQ(specialized(info, HostValue::integer(-16)), "i32");
  EXPECT_EQ(specialized(info, HostValue::pointer(256, ScalarKind::Float32)), "*fp32");
}

TEST(Specialize, OtherValues) {
  EXPECT_EQ(specialized(parameter(), HostValue::none()), "=None");
  EXPECT_EQ(specialized(parameter(), HostValue::boolean(true)), "i1");
  EXPECT_EQ(specialized(parameter(), HostValue::boolean(false)), "i1");
  EXPECT_EQ(specialized(parameter(), HostValue::floating(1)), "fp32");
  EXPECT_EQ(specialized(parameter(), HostValue::pointer(4096, ScalarKind::BFloat16)), "*bf16:16");
  EXPECT_EQ(specialized(parameter(), HostValue::pointer(4104, ScalarKind::BFloat16)), "*bf16");
}

TEST(Specialize, TypesOfTheArgument) {
  HostValue value = HostValue::integer(1);
  value.type = ScalarKind::Int64;
  EXPECT_EQ(specialized(parameter(), value), "i64+");
  value = HostValue::floating(0.5);
  value.type = ScalarKind::Float64;
  EXPECT_EQ(specialized(parameter(), value), "fp64");
}

TEST(Specialize, AnnotationsOverride) {
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Int64}), HostValue::integer(1)), "i64+");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Int64}), HostValue::integer(32)), "i64:16+");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Float16}), HostValue::floating(2)), "fp16");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Float32}), HostValue::integer(16)), "fp32");
  EXPECT_EQ(
      specialized(parameter(RuntimeArg{ScalarKind::UInt8, 1}), HostValue::pointer(64, ScalarKind::Int1)),
      "*u8:16");
}

TEST(Specialize, Mismatches) {
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Int8}), HostValue::integer(300)),
            "expected i8 for parameter `x`, found the integer 300");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Int32}), HostValue::floating(1.5)),
            "expected i32 for parameter `x`, found the float 1.5");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Int32}), HostValue::pointer(0, ScalarKind::Float32)),
            "expected i32 for parameter `x`, found a pointer *fp32");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Float32, 1}), HostValue::integer(3)),
            "expected *fp32 for parameter `x`, found the integer 3");
  EXPECT_EQ(specialized(parameter(RuntimeArg{ScalarKind::Float32, 1}), HostValue::boolean(true)),
            "expected *fp32 for parameter `x`, found True");
}

TEST(Specialize, ConstexprValues) {
  ParameterInfo info = parameter();
  EXPECT_EQ(std::get<int64_t>(constexprOf(info, HostValue::integer(-3))->value), -3);
  EXPECT_EQ(std::get<bool>(constexprOf(info, HostValue::boolean(true))->value), true);
  EXPECT_EQ(std::get<double>(constexprOf(info, HostValue::floating(0.25))->value), 0.25);
  auto pointer = constexprOf(info, HostValue::pointer(16, ScalarKind::Float32));
  ASSERT_FALSE(pointer);
  EXPECT_EQ(pointer.error().text, "parameter `x` is a `tl.constexpr`, found a pointer *fp32");
}

TEST(Specialize, EqualKeysMeanEqualSpecs) {
  std::mt19937_64 random(2);
  std::map<uint32_t, ArgSpec> byKey;
  for (int i = 0; i < 20000; ++i) {
    HostValue value;
    value.kind = HostValue::Kind(random() % 6);
    value.bits = random() >> (random() % 64);
    if (value.kind == HostValue::Bool)
      value.bits &= 1;
    if (value.kind == HostValue::Pointer || random() % 4 == 0)
      value.type = ScalarKind(random() % 13);
    ParameterInfo info = parameter();
    info.doNotSpecialize = random() % 4 == 0;
    info.doNotSpecializeOnAlignment = random() % 4 == 0;
    if (random() % 3 == 0)
      info.type = RuntimeArg{ScalarKind(random() % 13), uint8_t(random() % 2)};
    const Specialized result = specialize(info, value);
    if (result.form == Specialized::Mismatch)
      continue;
    auto [found, inserted] = byKey.emplace(result.key(), argSpec(result));
    EXPECT_TRUE(found->second == argSpec(result));
  }
  EXPECT_GT(byKey.size(), 20u);
}

TEST(SpecText, TellsSpecsApart) {
  KernelSpec base;
  base.kernel = "k";
  std::vector<KernelSpec> specs{base};
  auto add = [&](auto change) {
    KernelSpec spec = base;
    change(spec);
    specs.push_back(spec);
  };
  add([](KernelSpec &s) { s.kernel = "l"; });
  add([](KernelSpec &s) { s.numWarps = 8; });
  add([](KernelSpec &s) { s.numStages = 8; });
  add([](KernelSpec &s) { s.target = "sm_80"; });
  add([](KernelSpec &s) { s.tritonVersion = "3.8"; });
  add([](KernelSpec &s) { s.debug = true; });
  add([](KernelSpec &s) { s.debug = true, s.overflowChecks = false; });
  add([](KernelSpec &s) { s.maxRegisters = 64; });
  add([](KernelSpec &s) { s.fpFusion = false; });
  add([](KernelSpec &s) { s.externLibs = {{"a", "a.bc", "0"}}; });
  add([](KernelSpec &s) { s.externLibs = {{"a", "a.bc", "1"}}; });
  add([](KernelSpec &s) { s.externLibs = {{"b", "a.bc", "1"}}; });
  add([](KernelSpec &s) { s.externLibs = {{"a", "b.bc", "1"}}; });
  add([](KernelSpec &s) { s.dotPrecision = "ieee"; });
  add([](KernelSpec &s) { s.dotPrecision = "tf32x3"; });
  add([](KernelSpec &s) { s.dotPrecision = "ieee\nwithout wgmma"; });
  add([](KernelSpec &s) { s.without = {Feature::Wgmma}; });
  using Value = decltype(BoundValue::value);
  const Value values[] = {std::monostate(),
                          true,
                          false,
                          int64_t(1),
                          uint64_t(1),
                          1.0,
                          0.0,
                          -0.0,
                          std::string("1"),
                          std::string("n"),
                          bound::Dtype{ScalarKind::Int1},
                          bound::Tuple{},
                          bound::Tuple{{{int64_t(1)}, {int64_t(2)}}},
                          bound::Tuple{{{bound::Tuple{{{int64_t(1)}}}}, {int64_t(2)}}}};
  for (const Value &value : values)
    add([&](KernelSpec &s) { s.args.emplace("x", BoundValue{value}); });
  add([](KernelSpec &s) { s.args.emplace("x", RuntimeArg{}); });
  add([](KernelSpec &s) { s.args.emplace("y", RuntimeArg{}); });
  add([](KernelSpec &s) { s.args.emplace("x", RuntimeArg{ScalarKind::Int32, 0, {16}}); });
  add([](KernelSpec &s) { s.args.emplace("x", RuntimeArg{ScalarKind::Int32, 0, {16, true}}); });
  add([](KernelSpec &s) { s.args.emplace("x", RuntimeArg{ScalarKind::Int32, 1}); });
  for (size_t i = 0; i < specs.size(); ++i)
    for (size_t j = 0; j < specs.size(); ++j)
      EXPECT_EQ(specText(specs[i]) == specText(specs[j]), i == j) << i << " " << j << "\n"
                                                                  << specText(specs[i]);
}

} // namespace
