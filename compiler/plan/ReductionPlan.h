// Plans of how the elements along an axis are combined into one: pure data, read off the layout. No IR.
//
// A place is a register of a lane of a warp; the layout maps the bits of places to (o, a), the position in
// the result and the one along the axis. The places that share an o form cosets of one subspace, the kernel
// N of the map to o, and since a layout is onto, each coset holds every a. So reducing means: choose vectors
// t1, t2, ... of N whose a parts are independent and span the axis; for each combine what place x has with
// what place x ^ t has. Vectors of N whose a part the chosen ones span already lead to copies, which must
// not be combined twice. This holds for any layout, skewed ones too: nothing need be converted first.
//
// Vectors of registers alone come first and cost an operation of the thread (`Fold`). Next are those that
// reach other lanes, a shuffle each (`Butterfly`). Where a thread has several results, half of them can
// be handed to the lane that gets the other half in return (`Halve`), which moves R/2 + R/4 + ... values
// instead of R each time, and afterwards `Broadcast` gives each lane what it needs:
//
//      lane 0:  a b c d              a+a' b+b'               a+a'+a"+a"'
//      lane 1:  a' b' c' d'   ->     c+c' d+d'        ->     c+c'+c"+c"'   ...
//
// The remaining vectors distinguish warps and go through shared memory (`RoundTrip`): a change of layout,
// planned by `planRoundTrip`, after which a thread has the partial results of the warps in registers, or in
// lanes that have no use else, and combines them as before.
#pragma once

#include "compiler/plan/ConversionPlan.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tegula {

/// The facts about the combining function that a plan needs.
struct CombineTraits {
  /// `combine(a, b)` and `combine(b, a)` have equal bits. Else the threads that hold one result must see
  /// to it that they combine in one order.
  bool commutes = false;
  /// One instruction combines a value of all lanes of a warp.
  bool hasRedux = false;
};

/// One step of all threads: a list of values becomes another.
struct ReductionStep {
  enum Kind {
    Fold,      ///< value i = combine(pairs[i][0], pairs[i][1])
    Butterfly, ///< value i = combine(pairs[i][0], pairs[i][1] of lane `own ^ lanes`)
    Halve,     ///< of each pair a thread without bit `pivot` keeps the first and sends the second to lane
               ///< `own ^ lanes`, one with it the other way round; what is kept meets what comes
    WarpWide,  ///< value i = value i of all lanes combined, by `redux.sync`
    Broadcast, ///< `shuffle` makes the values anew
    RoundTrip, ///< `roundTrips` makes the values anew
  } kind = Fold;
  std::vector<std::array<uint32_t, 2>> pairs;
  uint32_t lanes = 0, pivot = 0;
  /// The second of a pair comes first where the parity of the thread's number in these bits, changed by
  /// `reversed`, is odd. Counts only where the order matters.
  uint32_t order = 0;
  std::vector<uint8_t> reversed; ///< by pair
  ShufflePlan shuffle;
  std::vector<RoundTripPlan> roundTrips; ///< by operand
  std::vector<uint32_t> offsets; ///< by operand: where in the op's shared memory its round trip takes place
};

struct ReductionPlan {
  std::vector<uint32_t> inputs; ///< the registers that take part, the first values
  std::vector<ReductionStep> steps;
  std::vector<uint32_t> results; ///< for each register of the result the value that it is
  uint32_t bytes = 0;            ///< of shared memory

  // The cost, for one thread and for one operand.
  unsigned folds = 0, shuffles = 0;
  unsigned warps = 1; ///< whose partial results meet in shared memory
};

/// Plans the reduction along `axis` of tensors of one layout, one for each of `elementBytes` (1, 2, 4 or 8).
/// \post each register of `layoutWithoutAxis` has each element along the axis once, and threads that hold
/// copies of a result have the same bits.
ReductionPlan planReduction(const LinearLayout &layout, unsigned axis, unsigned threadBits,
                            std::span<const unsigned> elementBytes, CombineTraits traits);

} // namespace tegula
