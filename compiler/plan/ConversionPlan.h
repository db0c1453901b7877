// Plans of how a tensor gets from one layout to another: pure data, read off the two maps. No IR.
//
// `invertAndCompose(to, from)` says for each place of the new layout where the element is now. If lane
// and warp stay, registers are renamed; if the warp stays, lanes shuffle; else the tensor goes through
// shared memory, in a map that dialect/layout/SharedLayout.h chooses for the two.
#pragma once

#include "compiler/plan/RoundTripPlan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tegula {

/// A shuffle within warps. Lane l of a warp finds result register r in register
/// `registers[r] ^ f(l)` of lane `lanes[r] ^ g(l)`, f and g linear in the bits of the thread's number.
struct ShufflePlan {
  std::vector<uint32_t> registers, lanes; ///< by result register
  std::vector<uint32_t> threadRegisters;  ///< f: by bit of the thread's number
  std::vector<uint32_t> threadLanes;      ///< g: likewise
  /// All values of f; one where the register does not depend on the thread.
  std::vector<uint32_t> choices;
  /// True when g is the identity: each lane reads from `own lane ^ constant`.
  bool butterfly = false;
};

struct ConversionPlan {
  enum Kind { Registers, Shuffle, Shared } kind = Registers;
  std::vector<uint32_t> registers; ///< for Registers: where each result register is now
  ShufflePlan shuffle;
  RoundTripPlan shared;
};

/// Plans the conversion of a tensor of elements of `elementBytes` (1, 2, 4 or 8). Both layouts are onto
/// the same tensor. \post carrying out the plan puts at each place of `to` the element that `to` names.
/// `mostBytes` as for `planRoundTrip`.
ConversionPlan planConversion(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                              unsigned elementBytes, MatrixMoves moves = {}, uint32_t mostBytes = AnyBytes);

/// The kind of plan that `planConversion` makes, in a fraction of its time: without the round trip through
/// shared memory.
struct ConversionRoute {
  ConversionPlan::Kind kind = ConversionPlan::Registers;
  bool withinWarp = true; ///< no warp waits for another
};
ConversionRoute routeOfConversion(const LinearLayout &from, const LinearLayout &to, unsigned threadBits);

/// Plans shuffles within warps alone, or nothing where an element would have to cross.
std::optional<ShufflePlan> planLaneShuffle(const LinearLayout &from, const LinearLayout &to,
                                           unsigned threadBits);

} // namespace tegula
