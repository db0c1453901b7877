// The whole compiler as one call: source text and a KernelSpec in, a KernelImage or diagnostics out.
#pragma once

#include "compiler/KernelSpec.h"
#include "compiler/ModuleLoader.h"
#include "compiler/SourceUnit.h"
#include "compiler/frontend/Tuning.h"
#include "compiler/frontend/syntax/Diagnostic.h"
#include "runtime/device/KernelImage.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// A stage whose text can be asked for, in the order of the flow.
enum class Stage { Ast, Tile, Distributed, Scheduled, Llvm, LlvmIr, Ptx };
std::optional<Stage> parseStage(std::string_view name);
std::string_view stageName(Stage stage);
/// The stage that a text is of by its first line, which `compile` writes for those that `resume` and a device
/// take.
std::optional<Stage> stageOfText(std::string_view text);

/// One fact of a remark by its name: {"VectorBytes", "16"}, {"Reason", "the mask varies"}.
struct RemarkArgument {
  std::string key, value;
  bool operator==(const RemarkArgument &) const = default;
};

/// One optimisation that was made or missed, where, why and how much.
struct Remark {
  enum Kind : uint8_t { Passed, Missed, Failed, Analysis };
  Kind kind = Analysis;
  std::string pass;                      ///< flag of the pass that says it: "coalesce"
  std::string name;                      ///< what of that pass's work it is about: "access"
  std::string function;                  ///< the kernel, as the source calls it
  std::string message;                   ///< what was done or left, in words; empty where the name says it
  std::vector<RemarkArgument> arguments; ///< the rest, in the order the pass gave it
  std::string text;                      ///< name, message and arguments as one line for a person
  std::string file;              ///< with line and column the innermost place; empty where there is none
  uint32_t line = 0, column = 0; ///< from 1
};
/// "passed", "missed", "failed" or "analysis".
std::string_view remarkKindName(Remark::Kind kind);

/// What a compilation gives back. `image` is present exactly when all stages ran and no diagnostic is an
/// error: without one, and without an error, the compilation ended where its options said.
struct CompileResult {
  std::optional<KernelImage> image;
  std::vector<Diagnostic> diagnostics;    ///< errors, and warnings and static prints of a success
  std::vector<Remark> remarks;            ///< filled when asked for
  std::map<Stage, std::string> stageText; ///< of each stage in `CompileOptions::emit` that was reached
};

struct CompileOptions {
  /// The stages whose text is wanted. The compilation ends with the last of them; where there is none it goes
  /// on to the image.
  std::set<Stage> emit;
  bool remarks = false;
  std::string dumpDir; ///< when set, every stage's text is written there as `<kernel>.<stage>`
  /// Hears, on the way to the image, all that it will be made of: stage Tile with its places in the source.
  /// True ends the compilation there, without an image: whoever asked for it has it.
  std::function<bool(const std::string &tile)> isKnown;
  /// What the compiled code calls the kernel, which profilers show; empty for the name in the source.
  /// Characters that PTX has no place for are replaced as in that.
  std::string entryName;
};

/// A parsed program of one or several sources: cheap to keep, used by any number of compilations.
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

/// The configs of a kernel, or what is wrong with them.
struct ConfigsResult {
  std::optional<std::vector<KernelConfig>> configs; ///< absent exactly when a diagnostic is an error
  std::vector<Diagnostic> diagnostics;
};
/// Values computed by `triton.heuristics`, by parameter ("num_warps" and "num_stages" among them), or what
/// is wrong.
struct HeuristicsResult {
  std::optional<std::map<std::string, ConstexprValue>>
      values; ///< absent exactly when a diagnostic is an error
  std::vector<Diagnostic> diagnostics;
};

/// The value of an expression, or what is wrong with it.
struct ExpressionResult {
  std::optional<ConstexprValue> value; ///< absent exactly when a diagnostic is an error
  std::vector<Diagnostic> diagnostics;
};

/// The jit functions of the file or entry of `source` in the order of the text; those that did not parse are
/// left out, and those whose name a later function takes.
std::vector<KernelInfo> listKernels(const ParsedSource &source);

/// The modules that `source` imports, as far as anything compiled from it has asked for them: what was looked
/// for, and which texts were found. It tells what a result depends on beside the file itself.
std::string importRecord(const ParsedSource &source);
/// The same of everything that its import statements lead to, whether a kernel needs it or not: what is known
/// of a program before anything is compiled. Reads and parses all those files.
std::string importClosure(const ParsedSource &source);
/// Whether such a record, perhaps of another process, holds for `source` too: what it looks for leads to the
/// same texts.
bool agreesWithImports(const ParsedSource &source, const std::string &record);
/// Whether what `source` has imported so far is still what would be found.
bool hasCurrentImports(const ParsedSource &source);

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

  /// Goes on from the text of stage `from` (Tile, Distributed, Scheduled or Llvm), as `compile` gave it or
  /// somebody wrote it. Architecture and launch stand in the text; `path` is what messages and line numbers
  /// call it.
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
                            const std::map<std::string, ConstexprValue> &names);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tegula
