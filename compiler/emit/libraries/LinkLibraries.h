// Links what a kernel calls of its libraries into its LLVM module.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace tegula {

/// The functions of libraries that a kernel calls, each with its first call.
using ExternCalls = std::map<std::string, mlir::Location>;

/// Returns those of a module of the `llvm` form.
ExternCalls externCallsOf(mlir::ModuleOp module);

/// Links the definitions of `calls` out of the libraries of `module` into `code`, its translation, as
/// functions that nothing outside sees; variables stay visible to the host. Functions of LLVM itself,
/// `llvm.nvvm.*`, need no library. Reports at a call what no library defines, takes other types, or cannot be
/// read.
mlir::LogicalResult linkLibraries(mlir::ModuleOp module, const ExternCalls &calls, llvm::Module &code);

} // namespace tegula
