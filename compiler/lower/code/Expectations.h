// Lines in the PTX that say what the code rests on, for the emulator to check.
//
//     //tegula: expect.box.s32 %r7, %p1;
//
// A comment: the assembler sees nothing of it, nor of what is computed for it alone.
// `runtime/emulator/ops/ExpectOps.cpp` lists the forms.
#pragma once

#include "mlir/IR/Builders.h"

namespace tegula {

/// Writes that `what`, a form with its type, holds of `operands`: integers of 8 to 64 bits, pointers or
/// predicates. Constants are written as such, and what is narrower than 32 bits is widened by its sign. Only
/// lanes are asked in which all of `conditions` hold, of which those that are null do.
void emitExpectation(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef what,
                     llvm::ArrayRef<mlir::Value> operands, llvm::ArrayRef<mlir::Value> conditions);

/// Writes that a box of an array begins at no negative `coordinate`, an i32, where `condition` holds.
void expectInArray(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value coordinate,
                   mlir::Value condition);

} // namespace tegula
