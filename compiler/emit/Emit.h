// The last stage: the llvm dialect to LLVM IR, and that to PTX text with its manifest.
#pragma once

#include "compiler/emit/debug/ValueNotes.h"
#include "compiler/target/Target.h"
#include "dialect/image/KernelImage.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace tegula {

/// Keeps what is costly to make, a target machine for each architecture. Used by one thread at a time.
class PtxEmitter {
public:
  PtxEmitter();
  ~PtxEmitter();

  /// Translates a module of the `llvm` form. The triple and the data layout are there before any LLVM
  /// pass runs: without them the passes think that threads do not diverge. Requires `lowerDebugValues` of a
  /// module that has `tile.debug_value`. Null on failure, with a
  /// diagnostic at the module.
  std::unique_ptr<llvm::Module> translate(mlir::ModuleOp module, const Target &target,
                                          llvm::LLVMContext &context);

  /// Runs the LLVM passes. `module` comes from `translate` for the same target.
  void optimize(llvm::Module &module, const Target &target);

  /// Generates code; `module` is used up. `image`, the manifest of the same kernel, gets its text, which
  /// begins with what a launch needs (dialect/image/KernelImageText.h) and is checked to agree with the
  /// rest. Reports what went wrong at `loc`. With `notes` it tells where the values of the module's
  /// `tile.debug_value` are in that text.
  mlir::LogicalResult generate(llvm::Module &module, const Target &target, mlir::Location loc,
                               KernelImage &image, std::vector<ValueNote> *notes = nullptr);

private:
  llvm::TargetMachine &machineOf(const Target &target);

  std::map<std::string, std::unique_ptr<llvm::TargetMachine>, std::less<>> machines;
};

/// Reads the manifest off a module of the `llvm` form: everything of the image but `ptx`. Emits a
/// diagnostic at the kernel where there is none or a parameter is not described.
mlir::FailureOr<KernelImage> readManifest(mlir::ModuleOp module);

} // namespace tegula
