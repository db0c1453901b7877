// Defined bytes of a result, for operations that move or cut bits, or compute the lower ones without the
// upper, or each element of a pair by itself.
//
// LLVM packs narrow elements into wider registers next to elements that it leaves undefined, carries those
// registers through moves, selections, shuffles and memory, and takes the elements out again by moves,
// permutations, shifts, masks and truncations. In between it adds such registers up where it will take only
// the lower bits, or both elements of a pair at once. For these a row counts byte by byte, for all other
// operations as a whole.
#pragma once

#include "runtime/emulator/warp/Warp.h"

#include <algorithm>

namespace tegula::runtime::ptx {

/// The executing lanes in which each byte of a result is defined.
using ByteLanes = std::array<uint32_t, 8>;

/// mov, not: those of the operand.
ByteLanes copiedBytes(const Warp &warp, const Inst &inst);
/// and, or, xor: a defined byte of zeros decides an `and`, one of ones an `or`. `inst.op` says which.
enum class Logic : uint8_t { And, Or, Xor };
ByteLanes combinedBytes(const Warp &warp, const Inst &inst);
/// shl and shr of `inst.type`: of the bytes that a byte's bits come from.
ByteLanes shiftedLeftBytes(const Warp &warp, const Inst &inst);
ByteLanes shiftedRightBytes(const Warp &warp, const Inst &inst);
/// The start or length of a bit field, beyond any register where it is large: they have 8 bits in the 32-bit
/// forms; in the 64-bit ones they count in full.
inline unsigned fieldOperand(const Inst &inst, uint64_t value) {
  return bitsOf(inst.type) == 32 ? unsigned(value & 0xff) : unsigned(std::min<uint64_t>(value, 255));
}
/// bfe and bfi with the field that the handler takes out or puts in.
ByteLanes extractedBytes(const Warp &warp, const Inst &inst);
ByteLanes insertedBytes(const Warp &warp, const Inst &inst);
/// cvt between integers: the lower bytes, and the upper ones with the sign.
ByteLanes convertedBytes(const Warp &warp, const Inst &inst);
/// Returns the lanes and bytes that all of the first `sources` operands define.
ByteLanes commonBytes(const Warp &warp, const Inst &inst, unsigned sources);
/// add, sub, mul.lo, mad.lo, neg: what is undefined reaches the bytes above, by carries, and none below.
template <unsigned Sources> ByteLanes carriedBytes(const Warp &warp, const Inst &inst) {
  ByteLanes bytes = commonBytes(warp, inst, Sources);
  for (size_t i = 1; i < bytes.size(); ++i)
    bytes[i] &= bytes[i - 1];
  return bytes;
}
/// Operations on each element, of `Width` bytes, by itself.
template <unsigned Sources, unsigned Width> ByteLanes elementBytes(const Warp &warp, const Inst &inst) {
  ByteLanes bytes = commonBytes(warp, inst, Sources);
  for (size_t first = 0; first < bytes.size(); first += Width) {
    uint32_t all = ~0u;
    for (size_t i = first; i < first + Width; ++i)
      all &= bytes[i];
    std::fill_n(bytes.begin() + first, Width, all);
  }
  return bytes;
}

/// Returns true if all executing lanes have whole values in the first `Sources` operands.
template <unsigned Sources> bool areWhole(const Warp &warp, const Inst &inst) {
  uint32_t all = ~0u;
  for (unsigned i = 0; i < Sources; ++i)
    all &= warp.defined[inst.src[i]];
  return (warp.mask & ~all) == 0;
}

/// A handler that marks its result by `Bytes` where an operand is not wholly defined.
template <void (*Run)(Warp &, const Inst &), ByteLanes (*Bytes)(const Warp &, const Inst &), unsigned Sources>
void byBytes(Warp &warp, const Inst &inst) {
  if (areWhole<Sources>(warp, inst))
    return Run(warp, inst);
  const ByteLanes bytes = Bytes(warp, inst); // before the result, which may be an operand
  Run(warp, inst);
  warp.setDefinedBytes(inst.dst, bytes, bitsOf(inst.type) < 16 ? 2 : bitsOf(inst.type) / 8);
}

} // namespace tegula::runtime::ptx
