// How a tensor gets from one layout to another: pure data, read off the two maps. No IR.
//
// `invertAndCompose(to, from)` says for each place of the new layout where the element is now. If lane
// and warp stay, registers are renamed; if the warp stays, lanes shuffle; else the tensor goes through
// shared memory.
//
// # The shared memory trip
//
// The tensor is laid out in memory by a linear map chosen for these two layouts. An element offset has
// three groups of bits:
//
//      segment bits            bank bits               vector bits
//      which row of 128 bytes  which bank in the row   which element of one access
//
// Two lanes collide when they meet in bank and vector bits but not in the segment. The lanes of one
// wavefront span a subspace A of tensor positions when storing and B when loading. So it is enough that
// the positions that differ in segment bits only, a subspace S, meets A and B in zero alone. Such an S
// always exists: take a complement of A + B, and pair the vectors that only A has with those that only B
// has, since a ^ b is in neither. That pairing *is* the familiar xor swizzle of a transposition; with it
// no padding is needed, and both directions are free of bank conflicts (arXiv 2505.23819, section 5).
#pragma once

#include "compiler/lower/AccessPlan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tegula {

/// One side of the trip through shared memory, for one thread.
struct SharedAccess {
  unsigned elements = 1;                      ///< of one access; elements * bytes of one is at most 16
  std::vector<std::vector<uint32_t>> vectors; ///< registers of each access, in address order
  std::vector<uint32_t> offsets;              ///< bytes of each access, xored with the thread's part
  std::vector<uint32_t> threadOffsets;        ///< bytes that each bit of the thread's number stands for
  /// Thread bits that must be 0 for the access to be made (0: all threads make it).
  uint32_t copyBits = 0;
};

struct SharedPlan {
  uint32_t bytes = 0;
  SharedAccess store, load;
  /// Registers of the result that hold the same as another one, which is loaded: by register.
  std::vector<uint32_t> original;
  bool withinWarp = false; ///< no element crosses between warps: a warp's barrier is enough
};

/// Exchange within warps. Lane l of a warp finds result register r in register
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
  SharedPlan shared;
};

/// Plans the conversion of a tensor of elements of `elementBytes` (1, 2, 4 or 8). Both layouts are onto
/// the same tensor. \post carrying out the plan puts at each place of `to` the element that `to` names.
ConversionPlan planConversion(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                              unsigned elementBytes);

/// The exchange within warps alone, or nothing where an element would have to cross.
std::optional<ShufflePlan> planLaneExchange(const LinearLayout &from, const LinearLayout &to,
                                            unsigned threadBits);

/// The shared memory trip alone, for layouts where a cheaper way may exist.
SharedPlan planShared(const LinearLayout &from, const LinearLayout &to, unsigned threadBits,
                      unsigned elementBytes);

} // namespace tegula
