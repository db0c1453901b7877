// The places of the elements of a box that TMA copies.
#pragma once

#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

namespace tegula::interp {

/// The address of each element of a tensor of `type` at a box of an array, 0 outside of the array. Operand
/// `map` is the array's map, and the `axes` operands from `start` on are where the box begins.
llvm::SmallVector<uint64_t, 1> addressesInBox(const Machine &machine, const Step &step, unsigned map,
                                              unsigned start, size_t axes, tgpu::BufferType type);

} // namespace tegula::interp
