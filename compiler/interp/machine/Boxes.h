// The places of the elements of a block of an array.
#pragma once

#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

namespace tegula::interp {

/// The addresses of a block's elements, and which of them lie in the array.
struct BlockPlaces {
  /// Those of a block of `type`, all 0 at first.
  explicit BlockPlaces(mlir::Type type);

  Tensor addresses;
  Tensor inside; ///< truths
};

/// The places of a box that TMA copies. Operand `map` is the array's map, and the `axes` operands from
/// `start` on are where the box begins.
BlockPlaces placesInBox(const Machine &machine, const Step &step, unsigned map, unsigned start, size_t axes,
                        tgpu::BufferType type);

} // namespace tegula::interp
