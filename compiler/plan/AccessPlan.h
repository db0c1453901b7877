// The registers of a thread that one memory instruction moves: pure data from a layout, no IR.
#pragma once

#include "compiler/target/Target.h"
#include "dialect/layout/Places.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tegula {

/// One tensor access of one thread, cut into instructions.
///
///     registers  0 1 2 3 4 5 6 7      layout: register = [[1], [2], [512]], four elements provable
///     vectors   {0 1 2 3}{4 5 6 7}    elements = 4; 32-bit elements: words = 4, wordBits = 32
struct AccessPlan {
  unsigned elements = 1;  ///< of one vector; a power of two
  unsigned wordBits = 32; ///< width of one register of the instruction: 8, 16, 32 or 64
  unsigned words = 1;     ///< registers of the instruction: 1, 2 or 4
  /// The registers of each vector in the order of their addresses.
  std::vector<std::vector<uint32_t>> vectors;
  /// The register (of a vector) that holds the same element, by register: itself, unless a copy.
  std::vector<uint32_t> original;
  /// Bits of the thread's number that are 0 in exactly one thread of those that hold the same elements.
  uint32_t copyBits = 0;
};

/// The largest number of bits that one instruction moves for a thread, and that one request of 32 threads
/// moves through shared memory at once, whose banks are so many bytes wide.
inline constexpr unsigned MaxVectorBits = 8 * Target::maxVectorBytes, BankBytes = Target::sharedBankBytes,
                          WavefrontBytes = Target::sharedBanks * BankBytes;

/// Plans an access by `layout` to elements of `elementBits` (8 to 64). Along axis d, elements come in
/// aligned groups of `contiguous[d]` that lie side by side in memory and share one mask bit; 1 where
/// nothing is known. The widest vectors that the layout offers along one axis are chosen.
AccessPlan planAccess(const LinearLayout &layout, unsigned threadBits, std::span<const unsigned> contiguous,
                      unsigned elementBits);

} // namespace tegula
