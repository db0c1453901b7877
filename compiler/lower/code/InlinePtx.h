// Inline PTX: operands are named as they are added, so that text, constraints and operands cannot differ.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

#include <string>

namespace tegula {

/// Adds a piece of assembly with LLVM's `constraints`.
mlir::LLVM::InlineAsmOp emitAssembly(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange types,
                                     mlir::ValueRange operands, llvm::StringRef text,
                                     llvm::StringRef constraints, bool hasSideEffects);

/// One piece of inline PTX.
///
///     InlinePtx ptx(builder, loc);
///     std::string result = ptx.result(i32), address = ptx.operand(pointer);
///     ptx.onlyIf(predicate, /*otherwise=*/{zero});
///     Value loaded = ptx.emit("ld.global.b32 " + result + ", [" + address + "];").front();
class InlinePtx {
public:
  InlinePtx(mlir::OpBuilder &builder, mlir::Location loc) : builder(builder), loc(loc) {}

  /// A register that the text writes, and its name there. Comes before all operands.
  std::string result(mlir::Type type);
  /// A register that the text reads, and its name.
  std::string operand(mlir::Value value);
  /// Registers that the text reads and writes, `values` before, and their names. Comes before all operands.
  llvm::SmallVector<std::string> updated(mlir::ValueRange values);
  /// Several, as PTX writes a vector: `{$1, $2}`; one alone as `$1`.
  std::string results(mlir::Type type, unsigned number);
  std::string operands(mlir::ValueRange vector);
  /// Executes the text, one instruction, where `predicate` holds; else the results are `otherwise`, which is
  /// empty where they are unused. A null predicate holds.
  void onlyIf(mlir::Value predicate, mlir::ValueRange otherwise = {});

  /// Adds the text. Side effects keep it in its place among accesses of memory, of which LLVM sees nothing.
  llvm::SmallVector<mlir::Value> emit(llvm::StringRef text, bool hasSideEffects = true);

private:
  std::string name(llvm::StringRef constraint);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Value> values, before;
  llvm::SmallVector<std::pair<unsigned, mlir::Value>> tied; ///< results by number, and what they are before
  mlir::Value condition;
  std::string constraints;
  unsigned count = 0;
};

} // namespace tegula
