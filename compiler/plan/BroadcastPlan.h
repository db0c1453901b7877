// The broadcast of the result of an op that one thread carries out for each element to the threads that hold
// copies of it: pure data from a layout, no IR.
#pragma once

#include "compiler/plan/ConversionPlan.h"

namespace tegula {

/// One of the threads that hold an element carries the atomic op out, and the others get the result from it:
/// by shuffles where all of them are in one warp, else through shared memory.
struct BroadcastPlan {
  enum Kind { None, Shuffle, Shared } kind = None;
  ShufflePlan shuffle;
  RoundTripPlan shared; ///< from the layout to itself: who carries out stores, all load
};

/// Plans it for elements of `elementBytes` (1, 2, 4 or 8).
/// \post each register of each thread has what its owner has: `planAccess` says which thread and register
/// that is
BroadcastPlan planBroadcast(const LinearLayout &layout, unsigned threadBits, unsigned elementBytes);

} // namespace tegula
