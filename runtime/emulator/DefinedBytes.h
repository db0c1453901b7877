// Which bytes of a result are defined, for operations that move or cut bits and do not compute with them.
//
// LLVM packs narrow elements into wider registers beside others that it leaves undefined, carries those
// registers through moves, selections, shuffles and memory, and takes the elements out again by moves,
// permutations, shifts, masks and truncations. For these a row counts byte by byte, for all other operations
// as a whole.
#pragma once

#include "runtime/emulator/Warp.h"

namespace tegula::runtime::ptx {

/// The executing lanes in which each byte of a result is defined.
using ByteLanes = std::array<uint32_t, 8>;

/// mov: those of the operand.
ByteLanes copiedBytes(const Warp &warp, const Inst &inst);
/// and, or, xor: a defined byte of zeros decides an `and`, one of ones an `or`. `inst.op` says which.
enum class Logic : uint8_t { And, Or, Xor };
ByteLanes combinedBytes(const Warp &warp, const Inst &inst);
/// shl and shr of `inst.type`: of the bytes that a byte's bits come from.
ByteLanes shiftedLeftBytes(const Warp &warp, const Inst &inst);
ByteLanes shiftedRightBytes(const Warp &warp, const Inst &inst);
/// bfe and bfi with the field that the handler takes out or puts in.
ByteLanes extractedBytes(const Warp &warp, const Inst &inst);
ByteLanes insertedBytes(const Warp &warp, const Inst &inst);
/// cvt between integers: the lower bytes, and the upper ones with the sign.
ByteLanes convertedBytes(const Warp &warp, const Inst &inst);

/// Whether all lanes that execute have whole values in the first `Sources` operands.
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
