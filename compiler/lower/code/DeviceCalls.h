// Calls of functions that are no part of the kernel: vprintf and __assertfail, which every CUDA device
// offers, and those of linked libraries.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <map>
#include <string>

namespace tegula {

/// The strings of a module by content, so that each is there once.
using Texts = std::map<std::string, mlir::LLVM::GlobalOp>;

/// Calls `printf(format, values...)`. `values` are i32, i64 or f64, as the format says.
void callPrintf(mlir::OpBuilder &builder, mlir::Location loc, const std::string &format,
                llvm::ArrayRef<mlir::Value> values, Texts &texts);

/// Stops the kernel with `message` and the place in the source that `loc` names.
void callAssertFail(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef message, Texts &texts);

/// Declares `name`, a function of a library, unless it is declared. Every call has this `type`.
mlir::LLVM::LLVMFuncOp externFunction(mlir::OpBuilder &builder, llvm::StringRef name,
                                      mlir::LLVM::LLVMFunctionType type);

} // namespace tegula
