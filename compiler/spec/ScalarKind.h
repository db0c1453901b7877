// The scalar types of the language, and their names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tegula {

/// A scalar type of the language. Floats come last; names are `scalarTypeName`.
enum class ScalarKind : uint8_t {
  Int1,
  Int8,
  Int16,
  Int32,
  Int64,
  UInt8,
  UInt16,
  UInt32,
  UInt64,
  Float16,
  BFloat16,
  Float32,
  Float64,
  Float8E4M3,
  Float8E5M2,
  Float8E4B15, ///< without infinities and NaNs; up to 1.75
  Float8E4B8,  ///< one NaN in the place of -0, no infinities; up to 240
  Float8E5B16, ///< the same with two bits of fraction; up to 57344
};

/// "fp32", "bf16", "i1", "u8" ...; the spelling of signatures.
std::string_view scalarKindName(ScalarKind kind);
/// Returns the kind with this spelling, or with the language's: "float32".
std::optional<ScalarKind> parseScalarKind(std::string_view name);
/// Bytes in memory: Int1 takes one.
uint32_t scalarKindBytes(ScalarKind kind);

/// Returns true if values of `kind` have a fraction.
bool isFloatKind(ScalarKind kind);
/// All names of `scalarKindName`, as a message lists them.
std::string knownScalarKinds();

} // namespace tegula
