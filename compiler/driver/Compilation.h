// One compilation: from a program, or from the text of a stage, to PTX, one stage after the other.
#pragma once

#include "compiler/driver/CompileResult.h"
#include "compiler/driver/ParsedSource.h"
#include "compiler/driver/Worker.h"
#include "compiler/insight/InsightReader.h"
#include "compiler/spec/KernelSpec.h"
#include "compiler/target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace llvm {
class DiagnosticInfo;
class LLVMContext;
class Module;
} // namespace llvm

namespace tegula {

class Compilation {
public:
  /// All of them outlive it.
  Compilation(Worker &worker, const ParsedSource &source, const KernelSpec &spec,
              const CompileOptions &options);

  CompileResult run();
  /// Goes as far as stage `tile`, and reads the amounts of work in a launch off it.
  TermsResult terms(const cost::LaunchFacts &launch);
  /// The same from the text of a stage, which `source` has as its file.
  CompileResult resume(Stage from);

  /// LLVM gave up, and what it worked on cannot be used again: the worker.
  bool isLost() const { return lost; }

private:
  bool hasErrors() const;
  Diagnostic &error(std::string message);

  /// Checks the specification apart from the kernel's own parameters.
  bool checkSpec();
  mlir::OwningOpRef<mlir::ModuleOp> evaluate();
  /// Compiles what is of stage `made`, or fresh from the front end.
  void compileModule(mlir::ModuleOp module, std::optional<Stage> made = std::nullopt);
  /// True when all stages ran and another one is wanted.
  bool runPasses(mlir::ModuleOp module, std::optional<Stage> made);
  /// Before the stages whose time depends on it.
  bool checkCodeSize(mlir::ModuleOp module);
  void emit(mlir::ModuleOp module);
  void generate(mlir::ModuleOp module, llvm::LLVMContext &context, std::unique_ptr<llvm::Module> &code,
                KernelImage &image);
  /// The result, with what is known only at the end.
  CompileResult takeResult();

  /// Returns true if `body` came to its end. Where LLVM gives up instead, that is an error, and everything
  /// that `body` worked on is left alone from then on.
  bool survives(llvm::function_ref<void()> body);
  void reportBackend(const llvm::DiagnosticInfo &info);

  bool isWanted(Stage stage) const;
  /// Hands out the text of a finished stage where it is wanted. True when no stage after it is.
  bool finish(Stage stage, llvm::function_ref<std::string()> print);
  /// Reads a finished stage into the insight, where there is one.
  void readInsight(Stage stage, mlir::ModuleOp module);
  void writeDump(std::string_view suffix, const std::string &text);

  Worker &worker;
  const ParsedSource &source;
  SourceFiles files; ///< that messages may be about, once the front end has seen them all
  const KernelSpec &spec;
  const CompileOptions &options;
  const Target *target = nullptr;
  std::string kernel; ///< its name in the source, as far as it is known
  uint32_t warps;     ///< of a program
  bool lost = false;
  CompileResult result;
  std::shared_ptr<insight::Insight> insight; ///< null where it was not asked for
  std::optional<insight::InsightReader> reader;
};

} // namespace tegula
