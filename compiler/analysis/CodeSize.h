// How much code a kernel becomes: every value of every thread is an instruction or more.
#pragma once

#include "mlir/IR/BuiltinOps.h"

namespace tegula {

/// Values that one thread of a distributed kernel may compute, counting what stands in a loop once. The
/// backend's time grows faster than the code: at this size it takes some seconds, at ten times the size
/// minutes. A tensor of 131072 elements on 8 warps is 512 values a thread, so sixty ops on such fit; no
/// thread has more than 255 registers, so a kernel beyond runs from spilled memory anyway.
inline constexpr uint64_t MaxValuesPerThread = 32768;

/// The sum of the registers of all tensors that ops of `module`, whose tensors have layouts, make or store;
/// the functions that become polynomials count sixteen times, and a dot's multiplications count too.
uint64_t valuesPerThread(mlir::ModuleOp module);

} // namespace tegula
