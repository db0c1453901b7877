// Elements of 8 and 16 bits that move between the lanes of a warp, as many in a shuffle as a word holds.
#pragma once

#include "compiler/lower/code/LaneShuffle.h"

namespace tegula {

/// Carries out `plan` on `source`, elements of 8 or 16 bits in whole words, and fewer shuffles than elements:
/// a word of neighbouring registers moves at a time, and `prmt` puts the words of results together. Nothing
/// where there are fewer registers than a word has elements, or elements of other sizes.
std::optional<llvm::SmallVector<mlir::Value>> shufflePacked(LaneShuffle &shuffle, mlir::OpBuilder &builder,
                                                            mlir::Location loc, const ShufflePlan &plan,
                                                            mlir::ValueRange source, ThreadIndex &threads);

} // namespace tegula
