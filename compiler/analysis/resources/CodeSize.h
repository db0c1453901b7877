// The amount of code that a kernel becomes: every value of every thread is an instruction or more.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// The most values that one thread of a distributed kernel may compute, counting what is in a loop once. Time
/// and code grow with them: a sort of 32768 numbers by 4 warps counts 190000, is 120000 instructions of PTX
/// and compiles in 5 seconds, so a kernel at the limit takes some ten. Programs have such, though a thread
/// has no more than 255 registers and the rest is spilled.
inline constexpr uint64_t MaxValuesPerThread = 1 << 18;

/// The part of it that the iterations which unrolling makes one may have together, where the author asks for
/// more: a few of them hide what a loop costs. A backward pass of attention with 64x64 tiles has 2,500 in an
/// iteration; sixteen were 22,000 instructions, which took 1.4 s to compile.
inline constexpr uint64_t MaxUnrolledValues = 16384;

/// The sum of the registers of all tensors that ops in `top`, whose tensors have layouts, make or store;
/// the functions that become polynomials count sixteen times, those that reduce angles sixty-four times, and
/// a dot's multiplications count too.
uint64_t valuesPerThread(mlir::Operation *top);

} // namespace tegula
