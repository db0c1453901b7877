// The code of a `SharedAccess`: registers go to shared memory, or come back.
#pragma once

#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/plan/RoundTripPlan.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tegula {

/// Writes `source`, the registers of one tensor, to their places in `buffer`, an address in shared memory.
void storeToShared(mlir::OpBuilder &builder, mlir::Location loc, const SharedAccess &access,
                   mlir::Value buffer, mlir::ValueRange source, ThreadIndex &threads);

/// Reads the registers of a tensor of type `element` from their places, at `position` where the access has
/// one of run time.
llvm::SmallVector<mlir::Value> loadFromShared(mlir::OpBuilder &builder, mlir::Location loc,
                                              const SharedAccess &access, mlir::Value buffer,
                                              mlir::Type element, ThreadIndex &threads,
                                              mlir::Value position = {});

/// Reads one element of type `element`, `offset` bytes (i32) after the address `buffer`.
mlir::Value loadElement(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::Value offset,
                        mlir::Type element);

/// An address as a register and a number, which instructions add.
struct SharedAddress {
  mlir::Value base;
  uint32_t bytes = 0;
};

/// Returns the address of this thread's access `index`, at `position` where the access has one of run time.
SharedAddress addressOf(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer,
                        const SharedAccess &access, size_t index, ThreadIndex &threads,
                        mlir::Value position = {});

/// `pointer` moved by `bytes`, a number or an i32.
mlir::Value addBytes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer,
                     mlir::LLVM::GEPArg bytes);

/// The address of slot `slot`, an i32, of the buffer of type `type` at `buffer`.
mlir::Value slotAddress(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer, mlir::Value slot,
                        tgpu::BufferType type);

} // namespace tegula
