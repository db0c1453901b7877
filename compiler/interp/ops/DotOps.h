// Declarations shared by dots and products of matrix units.
#pragma once

#include "compiler/interp/machine/Machine.h"

namespace tegula::interp {

/// The sides of one product, and how many there are.
struct Sides {
  size_t batches, m, n, k;
};

/// Adds `a` times `b` to `result`, elements as `DotOps.cpp` says; f32 rounded to tf32 before where `toTf32`.
/// Fails where the program may do no more.
mlir::LogicalResult addProducts(Machine &machine, const Step &step, const Sides &sides, const Tensor &a,
                                const Tensor &b, bool toTf32, Tensor &result);

} // namespace tegula::interp
