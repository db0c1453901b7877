// The subject of one compilation: the kernel's name, and for every parameter either a run-time type with
// facts or a compile-time value. Compilation is a pure function of source text and KernelSpec.
#pragma once

#include "compiler/spec/BoundValue.h"
#include "compiler/spec/DefaultTarget.h"
#include "compiler/spec/Feature.h"
#include "compiler/spec/LanguageVersion.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace tegula {

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

/// One parameter: run-time, or bound at compile time (a constexpr parameter, None, or a fact `=1`).
using ArgSpec = std::variant<RuntimeArg, BoundValue>;

/// A file of LLVM bitcode whose functions a kernel may call.
struct ExternLibrary {
  std::string name;   ///< in messages
  std::string path;   ///< the file
  std::string digest; ///< of the file's bytes, so that code for one file is not found for another
  bool operator==(const ExternLibrary &) const = default;
};

/// Options of a kernel's code that its launch may set. A count of 0 means that nothing is said: the default
/// holds.
struct CodeOptions {
  uint32_t numWarps = 0;  ///< read with `warps`
  uint32_t numStages = 0; ///< read with `stages`; 1 pipelines nothing
  /// Registers of a thread, up to `tile::MaxRegisters`; 0 leaves the choice to the assembler.
  uint32_t maxRegisters = 0;
  bool debug = false;         ///< keep device_assert, and check integers where `overflowChecks`
  bool overflowChecks = true; ///< with `debug`: sums and products of integers that wrap end the kernel
  /// The blocks of a cluster share out a loop that adds up products, where the kernel has such a loop: how
  /// many, each launch says.
  bool splitK = false;
  uint32_t numCtas = 1; ///< above 1: blocks of a cluster that share a program's long rows; 2, 4 or 8
  bool fpFusion = true; ///< a product and a sum of the source may be rounded once, as one multiply-add
  /// Precision of a `tl.dot` of fp32 that is told none, as its `input_precision` spells it; empty for the
  /// language's own choice.
  std::string dotPrecision;
  std::vector<ExternLibrary> externLibs; ///< searched in this order

  uint32_t warps() const { return numWarps ? numWarps : 4; }
  uint32_t stages() const { return numStages ? numStages : 3; }
  bool operator==(const CodeOptions &) const = default;
};

/// Everything that a compilation depends on besides the source text.
struct KernelSpec : CodeOptions {
  std::string kernel;                  ///< name of the `@triton.jit` function; may be empty if there is one
  std::map<std::string, ArgSpec> args; ///< by parameter name; absent ones take their defaults
  std::string target{DefaultTarget};
  /// Version of Triton that the source is written for: a name of `allLanguageVersions`.
  std::string tritonVersion = std::string(defaultLanguageVersion().name);
  std::set<Feature> without; ///< what it may not use
  bool operator==(const KernelSpec &) const = default;
};

/// True for the types whose values may be known not to be negative: signed integers of 8 to 64 bits.
bool isSignedInteger(const RuntimeArg &arg);

/// Parses a signature type: `*fp32:16`, `i32+` (not negative), `i32:16+`, `i32=1` (gives the constexpr 1),
/// `bf16`, `none` (gives the constexpr None). On failure the string says what is wrong.
std::variant<ArgSpec, std::string> parseArgType(std::string_view text);
/// The inverse of `parseArgType` for run-time arguments: "*fp32:16", "i32:16+".
std::string formatArgType(const RuntimeArg &arg);

} // namespace tegula
