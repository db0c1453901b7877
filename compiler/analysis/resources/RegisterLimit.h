// The number of registers that a thread of a kernel can have.
#pragma once

#include "compiler/target/Target.h"

#include "mlir/IR/Operation.h"

namespace tegula {

/// Returns the registers of a thread in the kernel that `op` is or is in: what the instruction set allows,
/// the thread's share, or what the caller says.
uint32_t registerLimit(mlir::Operation *op, const Target &target);

/// Returns the registers of a thread in a block of `warps` warps that has a multiprocessor to itself: warps
/// go to the four parts of it in turn, each with a quarter of the registers, so one of 9 has as many as one
/// of 12.
uint32_t registersWithWarps(unsigned warps, const Target &target);

/// Returns how many blocks of `warps` warps share a multiprocessor, as far as shared memory and `registers`
/// allow; at least one.
unsigned residentBlocks(unsigned warps, uint32_t registers, uint64_t sharedBytes, const Target &target);

} // namespace tegula
