// The whole compiler as one call: source text and a KernelSpec in, a KernelImage or diagnostics out.
#pragma once

#include "compiler/driver/CompileResult.h"
#include "compiler/driver/KernelInfo.h"
#include "compiler/spec/KernelSpec.h"
#include "compiler/spec/ModuleLoader.h"
#include "compiler/spec/SourceUnit.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tegula {

/// A parsed program of one or several sources: cheap to keep, used by any number of compilations.
class ParsedSource;

/// The configs of a kernel, or what is wrong with them.
struct ConfigsResult {
  std::optional<std::vector<KernelConfig>> configs; ///< absent exactly when a diagnostic is an error
  std::vector<Diagnostic> diagnostics;
};
/// Values computed by `triton.heuristics`, by parameter ("num_warps" and "num_stages" among them), or what
/// is wrong.
struct HeuristicsResult {
  std::optional<std::map<std::string, BoundValue>> values; ///< absent exactly when a diagnostic is an error
  std::vector<Diagnostic> diagnostics;
};

/// The value of an expression, or what is wrong with it.
struct ExpressionResult {
  std::optional<BoundValue> value; ///< absent exactly when a diagnostic is an error
  std::vector<Diagnostic> diagnostics;
};

/// Sets the digests of `libraries` to those of their files as they are now; empty of a file that cannot be
/// read, which is an error of a kernel that calls a function of a library.
void identifyLibraries(std::vector<ExternLibrary> &libraries);

/// Owns what compilations share (MLIR context, target machines). Thread safe.
class Compiler {
public:
  Compiler();
  ~Compiler();

  /// Parses once; syntax errors come back from every `compile` of the result. What the file imports is looked
  /// for when a kernel needs it, and then kept with the result.
  std::shared_ptr<const ParsedSource> parse(std::string path, std::string text, ImportOptions imports = {});
  /// The same for a program of several sources. Its kernels are those of `units[entry]`.
  std::shared_ptr<const ParsedSource> parse(std::vector<SourceUnit> units, size_t entry);

  CompileResult compile(const ParsedSource &source, const KernelSpec &spec,
                        const CompileOptions &options = {});

  /// Reads the amounts of work in a launch off stage `tile` of a kernel, without making code.
  TermsResult terms(const ParsedSource &source, const KernelSpec &spec, const cost::LaunchFacts &launch);

  /// Goes on from the text of stage `from` (Tile, Distributed, Scheduled or Llvm), printed by `compile` or
  /// written by hand. The text holds architecture and launch; `path` names it in messages and line numbers.
  CompileResult resume(const std::string &path, const std::string &text, Stage from,
                       const CompileOptions &options = {});

  /// The definition of the kernel `name` that the conditions of the file lead to; nothing where they cannot
  /// be decided, which every compilation of it reports. `target` and `tritonVersion` are what they may ask
  /// for.
  std::optional<KernelInfo> definition(const ParsedSource &source, const std::string &name,
                                       const std::string &target,
                                       const std::string &tritonVersion = KernelSpec().tritonVersion);

  /// Evaluates the configs of the kernel `name`. `target` and `tritonVersion` are what the file's code may
  /// ask for.
  ConfigsResult configs(const ParsedSource &source, const std::string &name, const std::string &target,
                        const std::string &tritonVersion = KernelSpec().tritonVersion);
  /// Computes the heuristics in `wanted` of the kernel that `known` names, from the values that it binds.
  HeuristicsResult heuristics(const ParsedSource &source, const KernelSpec &known,
                              const std::set<std::string> &wanted);

  /// Evaluates an expression of Python, in which `names` have these values and `cdiv`, `next_power_of_2` and
  /// `triton` their own; messages call its place `what`.
  ExpressionResult evaluate(const std::string &what, const std::string &expression,
                            const std::map<std::string, BoundValue> &names);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tegula
