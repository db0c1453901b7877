// The kernels of a file as their `def`s declare them: what a caller needs to bind arguments.
#pragma once

#include "compiler/frontend/Tuning.h"
#include "compiler/spec/KernelSpec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

namespace ast {
struct JitFunction;
} // namespace ast

class ParsedSource;

/// One parameter of a kernel as its `def` declares it: what a caller needs to bind arguments.
struct ParameterInfo {
  std::string name;
  bool isConstexpr = false; ///< annotated `tl.constexpr`
  bool isCalled = false;    ///< as a function, in the function's own text
  bool hasDefault = false;
  bool doNotSpecialize = false; ///< listed in the decorator's `do_not_specialize`, by name or index
  bool doNotSpecializeOnAlignment = false;
  /// The annotation where it names a type: `x: tl.int64`, `x: "u64"`. It overrides the type that the
  /// argument itself suggests.
  std::optional<RuntimeArg> type;
  std::string annotation, defaultValue; ///< as the source spells them; empty where it has none
};

/// A `@triton.jit` function of a file.
struct KernelInfo {
  std::string name;
  uint32_t line = 0;
  bool calledInFile = false; ///< another jit function of the file calls it: a helper, hardly an entry
  std::vector<ParameterInfo> parameters;
  TuningInfo tuning;     ///< what `triton.autotune` and `triton.heuristics` above it say
  bool isNested = false; ///< in a class or a function, whose name is in front of its own
  /// Conditions decide which of several definitions it is, and this is the last of them.
  bool hasSeveralDefinitions = false;
};

/// The jit functions of the file or entry of `source` in the order of the text; those that did not parse are
/// left out, and those whose name a later function takes.
std::vector<KernelInfo> listKernels(const ParsedSource &source);
/// The kernel that this definition, one of `source`, makes.
KernelInfo describeKernel(const ParsedSource &source, const ast::JitFunction &kernel);

} // namespace tegula
