// The offers of a kernel's decorators to its launcher: the configs of `triton.autotune` and the values that
// `triton.heuristics` computes from the arguments. Read only on request.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/spec/KernelSpec.h"

#include <set>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tegula {

/// One `triton.Config`.
struct KernelConfig {
  std::map<std::string, BoundValue> values; ///< by parameter
  uint32_t numWarps = 4;
  uint32_t numStages = 3;
  uint32_t numCtas = 1;
  std::optional<uint32_t> maxRegisters; ///< `maxnreg`: registers a thread may have
  bool hasPreHook = false;              ///< a function that Python would run before each launch
  bool operator==(const KernelConfig &) const = default;
};

/// Facts that the text alone shows; nothing is evaluated.
struct TuningInfo {
  bool hasConfigs = false;      ///< `triton.autotune` stands there; whether its configs can be read is open
  std::vector<std::string> key; ///< parameters on which the best config depends
  /// Names that `triton.heuristics` gives values, where its dict stands in the text: parameters, or
  /// "num_warps" and "num_stages".
  std::vector<std::string> heuristics;
};
TuningInfo describeTuning(const ast::Module &module, const ast::FunctionStmt &kernel);

/// The configs of `kernel`, which is in the entry of `program`, in their order, evaluated as Python within
/// the budget of a compilation. Without `triton.autotune` none; an empty list gives the one default config,
/// as in Triton. Nothing, after a report, where they cannot be evaluated. Of `spec` the target and the
/// version count, for which the code may ask.
std::optional<std::vector<KernelConfig>> readConfigs(const ParsedProgram &program,
                                                     const ast::FunctionStmt &kernel, const KernelSpec &spec,
                                                     mlir::MLIRContext &context,
                                                     DiagnosticEngine &diagnostics);

/// The values of the heuristics named in `wanted`, in the order of the decorators, each computed from the
/// values that `known` binds, the launch's `num_warps` and `num_stages`, and the values before it. Nothing,
/// after a report for each that cannot be computed.
std::optional<std::map<std::string, BoundValue>>
computeHeuristics(const ParsedProgram &program, const ast::FunctionStmt &kernel, const KernelSpec &known,
                  const std::set<std::string> &wanted, mlir::MLIRContext &context,
                  DiagnosticEngine &diagnostics);

} // namespace tegula
