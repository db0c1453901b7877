// What one compilation is about: the kernel's name, and for every parameter either a run-time type
// with facts or a compile-time value. Compilation is a pure function of source text and KernelSpec.
#pragma once

#include "compiler/spec/DefaultTarget.h"
#include "compiler/spec/Feature.h"
#include "compiler/spec/LanguageVersion.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

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

/// Facts about a run-time argument that the compiler may rely on; the launcher derives them from the
/// actual values, so that relying on them is safe.
struct ArgFacts {
  /// The value (for a pointer: the address in bytes) is a multiple of this power of two.
  uint32_t divisibility = 1;
  /// The value, a signed integer's, is not below zero.
  bool nonNegative = false;
  bool operator==(const ArgFacts &) const = default;
};

/// A run-time parameter: a scalar, or a pointer to (pointers to) a scalar.
struct RuntimeArg {
  ScalarKind scalar = ScalarKind::Int32;
  uint8_t pointerDepth = 0; ///< 0 scalar, 1 `*fp32`, 2 `**fp32`
  ArgFacts facts;
  bool operator==(const RuntimeArg &) const = default;
};

/// A compile-time value of a parameter. `std::monostate` is None.
/// Strings hold text; names of types are DtypeValue so that `tl.float32` can be passed.
struct DtypeValue {
  ScalarKind kind;
  bool operator==(const DtypeValue &) const = default;
};
/// The jit function `name` of the program's source number `source`. A file is source 0, where a function is
/// whatever its top knows: also one that it imports, and "acts.relu" of a module.
struct FunctionValue {
  size_t source = 0;
  std::string name;
  bool operator==(const FunctionValue &) const = default;
};
/// What the language has under a dotted name: "triton.language.math.exp", "triton.language", "math".
struct LanguageValue {
  std::string path;
  bool operator==(const LanguageValue &) const = default;
};
/// What is known when compiling of a parameter that is a tensor descriptor made by the host. The array itself
/// is passed by parameters of their own: `descriptorParameters` in `compiler/spec/Descriptor.h`.
struct DescriptorValue {
  std::vector<int64_t> block; ///< the sides of its blocks, one for each axis of the array
  bool padsWithNan = false;   ///< what is read outside of the array; zero otherwise
  bool operator==(const DescriptorValue &) const = default;
};
struct ConstexprValue;
/// A tuple whose items have names too.
struct NamedTupleValue {
  std::string type;
  std::vector<std::string> fields;
  std::vector<ConstexprValue> items; ///< one for each field
  bool operator==(const NamedTupleValue &other) const;
};
/// Stands in a tuple for an item that each launch passes, as a parameter of its own
/// (`compiler/spec/PassedTuple.h`).
struct PassedValue {
  bool operator==(const PassedValue &) const = default;
};
struct ConstexprValue {
  std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string, DtypeValue,
               std::vector<ConstexprValue>, FunctionValue, LanguageValue, DescriptorValue, NamedTupleValue,
               PassedValue>
      value;
  bool operator==(const ConstexprValue &) const = default;
};

/// One parameter: run-time, or bound at compile time (a constexpr parameter, None, or a fact `=1`).
using ArgSpec = std::variant<RuntimeArg, ConstexprValue>;

/// Everything a compilation depends on beside the source text.
struct KernelSpec {
  std::string kernel;                  ///< name of the `@triton.jit` function; may be empty if there is one
  std::map<std::string, ArgSpec> args; ///< by parameter name; absent ones take their defaults
  uint32_t numWarps = 4;
  uint32_t numStages = 3; ///< 0 means 1, as `tile::stagesOf` says
  std::string target{DefaultTarget};
  /// Whose meaning the source has: a name of `allLanguageVersions`.
  std::string tritonVersion = std::string(defaultLanguageVersion().name);
  bool debug = false;         ///< keep device_assert, and check integers where `overflowChecks`
  bool overflowChecks = true; ///< with `debug`: sums and products of integers that wrap end the kernel
  /// Of a thread, up to `tile::MaxRegisters`; 0 leaves the choice to the assembler.
  uint32_t maxRegisters = 0;
  bool fpFusion = true; ///< a product and a sum of the source may be rounded once, as one multiply-add
  /// What `tl.dot` of fp32 takes where it is told nothing, as its `input_precision` spells it; empty for the
  /// language's own choice.
  std::string dotPrecision;
  std::set<Feature> without; ///< what it may not use
  bool operator==(const KernelSpec &) const = default;
};

/// "fp32", "bf16", "i1", "u8" ...; the spelling of signatures.
std::string_view scalarKindName(ScalarKind kind);
/// Of this spelling, or of the language's: "float32".
std::optional<ScalarKind> parseScalarKind(std::string_view name);
/// Bytes in memory: Int1 takes one.
uint32_t scalarKindBytes(ScalarKind kind);

/// True for the types whose values may be known not to be negative: signed integers of 8 to 64 bits.
bool isSignedInteger(const RuntimeArg &arg);

/// Parses a signature type: `*fp32:16`, `i32+` (not negative), `i32:16+`, `i32=1` (gives the constexpr 1),
/// `bf16`, `none` (gives the constexpr None). On failure the string says what is wrong.
std::variant<ArgSpec, std::string> parseArgType(std::string_view text);
/// The inverse of `parseArgType` for run-time arguments: "*fp32:16", "i32:16+".
std::string formatArgType(const RuntimeArg &arg);

} // namespace tegula
