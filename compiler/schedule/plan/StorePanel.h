// The parts in which a tensor goes by shared memory to an array, by TMA.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace tegula {

/// The usual bytes of a slot: two of them fit next to the buffers of a loop that continues.
inline constexpr uint64_t StoreSlotBytes = 16 * 1024;
inline constexpr unsigned StoreSlotsInLoops = 2;

/// The part of a tensor that goes through one slot.
struct Panel {
  llvm::SmallVector<int64_t, 2> sides;
  LinearLayout registers, memory;
  unsigned warpParts = 1; ///< of the warps, that have boxes of their own
  unsigned span = 0;      ///< bytes of a row of its boxes
  uint64_t bytes = 0;
};

/// The best part of a tensor with the layout `whole`, whose elements are neighbours along the axis
/// `contiguous` of the array: such that as many parts of the warps as possible have boxes of their own in it,
/// then one of few bytes, more where no loop goes on (`isRepeated`), then one of long rows, then the largest
/// that a slot has room for.
std::optional<Panel> choosePanel(const LinearLayout &whole, unsigned contiguous, unsigned elementBytes,
                                 unsigned warps, bool isRepeated);

} // namespace tegula
