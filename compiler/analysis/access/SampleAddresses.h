// Addresses as a run might have them, for costs that depend on how far neighbours lie apart.
#pragma once

#include "dialect/tile/Tile.h"

#include <optional>
#include <vector>

namespace tegula {

/// A place in a tensor: one coordinate for each axis.
using Place = llvm::SmallVector<int64_t, 4>;

/// The byte addresses that `pointers`, a tensor of pointers, has at `places`, with each scalar that only a
/// run knows taken to be `unknown`, and each base to be 0. Nothing where what the program computes them from
/// is loaded, or follows from ops that are not looked through; a bounded number of ops is looked at. It
/// proves nothing: it says what is likely, for choices that are right either way.
std::optional<std::vector<int64_t>> sampleAddresses(mlir::Value pointers, llvm::ArrayRef<Place> places,
                                                    int64_t unknown);

} // namespace tegula
