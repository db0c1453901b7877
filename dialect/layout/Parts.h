// Parts of a tensor that lie in registers: boxes cut out of it without moving an element between threads.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <span>

namespace tegula {

/// The layout of a box of `sides` at a corner of the tensor that `whole` lays out, and hence of every such
/// box: each thread keeps the registers that hold elements of the box. Nothing where a lane or a warp holds
/// elements beyond it, so that they would have to move. Requires outputs dim0, dim1, ... and sides that
/// divide theirs.
/// \post `registersOfPart(whole, *partLayout(whole, sides), offsets)` for all offsets that are multiples of
/// `sides`, where `whole` is onto
std::optional<LinearLayout> partLayout(const LinearLayout &whole, std::span<const int32_t> sides);

/// Returns for each register of `part` the register of `whole` that holds the same element, that is the
/// element `offsets` farther in every axis; the same one for all threads. Nothing where there is none.
/// Requires offsets that are multiples of the part's sides.
std::optional<std::vector<uint32_t>> registersOfPart(const LinearLayout &whole, const LinearLayout &part,
                                                     std::span<const int32_t> offsets);

} // namespace tegula
