// Reads and writes of ops. Atomic ops are told by their operands: what memory becomes depends on the order of
// programs, what it is combined with does not.
#pragma once

#include "compiler/debug/StoreLog.h"

#include "compiler/interp/Interpreter.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tegula::debug {

/// Returns how an op changes the elements that it writes.
StoreKind storeKindOf(mlir::Operation *op);

/// Calls `body` for each element that an op combines with an operand: one of kind Add and those behind it.
void forOperands(const interp::Moment &moment,
                 llvm::function_ref<void(uint64_t address, uint32_t bytes, uint64_t operand)> body);

/// Calls `body` for each element that a load reads; does nothing for other ops.
void forLoaded(const interp::Moment &moment, llvm::function_ref<void(uint64_t address)> body);
/// Returns true for ops that change memory atomically.
bool isAtomic(mlir::Operation *op);

} // namespace tegula::debug
