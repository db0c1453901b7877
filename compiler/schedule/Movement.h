// How far elements travel from one layout to another.
#pragma once

#include "dialect/layout/LinearLayout.h"

namespace tegula {

/// The farthest that an element moves.
enum class Movement {
  Registers, ///< each thread has what it needs
  Lanes,     ///< within a warp
  Warps,     ///< through memory
};

/// From `from` to `to`, two layouts of one tensor. Where several threads hold the same element, the one that
/// wants it is taken to have its own.
Movement movementBetween(const LinearLayout &from, const LinearLayout &to);

} // namespace tegula
