// How much code a kernel becomes: every value of every thread is an instruction or more.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Values that one thread of a distributed kernel may compute, counting what stands in a loop once. Time and code grow
/// with them: a sort of 32768 numbers by 4 warps counts 190000, is 120000 instructions of PTX and compiles in 5 seconds,
/// so a kernel at the limit takes some ten. Programs have such, though a thread has no more than 255 registers and the
/// rest is spilled.
inline constexpr uint64_t MaxValuesPerThread = 1 << 18;

/// The sum of the registers of all tensors that ops of `module`, whose tensors have layouts, make or store;
/// the functions that become polynomials count sixteen times, those that reduce angles sixty-four times, and a dot's multiplications count too.
uint64_t valuesPerThread(mlir::ModuleOp module);

} // namespace tegula
