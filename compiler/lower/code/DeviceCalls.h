// Calls of the two functions that every CUDA device offers a kernel: vprintf and __assertfail.
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

} // namespace tegula
