// Plans of how the elements along an axis are combined up to each place: pure data, read off the layout. No
// IR.
//
// Each bit of a place along the axis is a bit of registers, lanes or warps of its own (`isScannable`). They
// are taken from the lowest on, in runs of one kind, and after each run every block of that many neighbours
// is scanned: each element is combined with all before it in its block, and the thread knows the block's
// total. With two bits of registers, two of lanes and one of registers on top, 32 elements in 4 threads:
//
//      registers    a  ab  abc  abcd                    each thread, its own four
//      lanes        prefix: the totals of the lanes before; total: of all four lanes
//      registers    the second four have the first block's total before them as well
//
// A run of registers goes from element to element. A run of lanes takes a shuffle for each bit, with which
// each lane gets the total of the half that it is not in: it comes before the own prefix in the upper half. A
// run of warps writes the totals to shared memory, where each warp reads all of them. What is before an
// element from lanes and warps is put together first and then combined with the element once. Elements keep
// their order, and how they are grouped depends on the layout alone. Backwards, the highest place is the
// first.
#pragma once

#include "compiler/plan/RoundTripPlan.h"
#include "dialect/layout/LinearLayout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tegula {

/// One step of all threads. Values have numbers: first the registers, then what the steps make, in order.
struct ScanStep {
  enum Kind {
    Combine, ///< of each pair a value: combine(first, second)
    Lanes, ///< of each input two values: the totals before, and the total, of the lanes that differ in `bits`
    Warps, ///< the same of warps, through shared memory
  } kind = Combine;

  /// A thread is the first among those that differ in some bits of its number if these are 0, or 1 backwards.
  /// There is nothing before it: it takes the other value as it is.
  struct Pair {
    uint32_t first, second;
    uint32_t firstFrom = 0;  ///< bits of threads: where the thread is the first, there is no `first`
    uint32_t secondFrom = 0; ///< likewise
  };
  std::vector<Pair> pairs;

  std::vector<uint32_t> inputs; ///< totals, the same for all threads that differ in the bits of earlier runs
  std::vector<uint32_t> bits;   ///< of the thread's number, the lowest along the axis first

  // For warps: input i is register i of what is stored, the total of input i of warp w is register `i * warps
  // + w` of what is loaded, by operand.
  std::vector<uint32_t> warpOf; ///< by bit of the thread's number: its part of w
  std::vector<RoundTripPlan> roundTrips;
  std::vector<uint32_t> offsets; ///< where in the op's shared memory each round trip takes place
};

struct ScanPlan {
  std::vector<ScanStep> steps;
  std::vector<uint32_t> results; ///< by register the value that it is
  uint32_t bytes = 0;            ///< of shared memory

  // The cost, for one thread and for one operand.
  unsigned combinations = 0, shuffles = 0;
  unsigned warps = 1; ///< whose totals meet in shared memory
};

/// Plans the scan along `axis` of tensors of one layout, one for each of `elementBytes` (1, 2, 4 or 8).
/// Requires that each bit of the layout moves along the axis by one bit, another one each, and along nothing
/// else, or not along it.
/// \post each register has its element combined with all before it along the axis, in order, and places that
/// hold one element have the same bits.
ScanPlan planScan(const LinearLayout &layout, unsigned axis, bool reverse, unsigned threadBits,
                  std::span<const unsigned> elementBytes);

} // namespace tegula
