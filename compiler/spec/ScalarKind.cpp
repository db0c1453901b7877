#include "compiler/spec/ScalarKind.h"

#include <fmt/format.h>

#include <array>
#include <ranges>

namespace tegula {
namespace {

struct ScalarEntry {
  ScalarKind kind;
  std::string_view name, languageName;
  uint32_t bytes;
};

/// In the order of ScalarKind.
constexpr std::array<ScalarEntry, 18> scalars{{
    {ScalarKind::Int1, "i1", "int1", 1},
    {ScalarKind::Int8, "i8", "int8", 1},
    {ScalarKind::Int16, "i16", "int16", 2},
    {ScalarKind::Int32, "i32", "int32", 4},
    {ScalarKind::Int64, "i64", "int64", 8},
    {ScalarKind::UInt8, "u8", "uint8", 1},
    {ScalarKind::UInt16, "u16", "uint16", 2},
    {ScalarKind::UInt32, "u32", "uint32", 4},
    {ScalarKind::UInt64, "u64", "uint64", 8},
    {ScalarKind::Float16, "fp16", "float16", 2},
    {ScalarKind::BFloat16, "bf16", "bfloat16", 2},
    {ScalarKind::Float32, "fp32", "float32", 4},
    {ScalarKind::Float64, "fp64", "float64", 8},
    {ScalarKind::Float8E4M3, "fp8e4nv", "float8e4nv", 1},
    {ScalarKind::Float8E5M2, "fp8e5", "float8e5", 1},
    {ScalarKind::Float8E4B15, "fp8e4b15", "float8e4b15", 1},
    {ScalarKind::Float8E4B8, "fp8e4b8", "float8e4b8", 1},
    {ScalarKind::Float8E5B16, "fp8e5b16", "float8e5b16", 1},
}};

} // namespace

std::string_view scalarKindName(ScalarKind kind) { return scalars[size_t(kind)].name; }

std::optional<ScalarKind> parseScalarKind(std::string_view name) {
  for (const ScalarEntry &entry : scalars)
    if (entry.name == name || entry.languageName == name)
      return entry.kind;
  return std::nullopt;
}

uint32_t scalarKindBytes(ScalarKind kind) { return scalars[size_t(kind)].bytes; }

bool isFloatKind(ScalarKind kind) { return kind >= ScalarKind::Float16; }

std::string knownScalarKinds() {
  return fmt::format("`{}`", fmt::join(scalars | std::views::transform(&ScalarEntry::name), "`, `"));
}

} // namespace tegula
