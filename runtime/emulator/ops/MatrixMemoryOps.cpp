// ldmatrix, stmatrix, movmatrix: 8 x 8 matrices of 16-bit elements between shared memory, where lane 8i + r
// names row r of matrix i, and registers, where lane 4r + t holds elements 2t and 2t + 1 of row r (of column
// r when transposed).
//
// The warp reads and writes as one: an element's address comes from one lane and its value is another's, so
// an access is in order with those of the same warp only where something orders the whole warp.

#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/Traffic.h"
#include "runtime/emulator/warp/Write.h"

#include <cstring>

namespace tegula::runtime::ptx {

namespace {

constexpr uint32_t rowBytes = 16, rowsOfMatrix = 8;

/// A place in the rows that an instruction moves.
struct Place16 {
  unsigned row, element;
};

/// The element that half `half` of register `index` of `lane` holds.
Place16 placeOf(const Inst &inst, unsigned index, unsigned lane, unsigned half) {
  const unsigned outer = lane / 4, inner = lane % 4 * 2 + half;
  return inst.combine ? Place16{index * rowsOfMatrix + inner, outer}
                      : Place16{index * rowsOfMatrix + outer, inner};
}

/// The rows on their way, and which of their elements are defined (a bit an element).
struct Rows {
  uint16_t values[lanes][rowsOfMatrix];
  uint8_t defined[lanes];
};

const Row *registersOf(const Warp &warp, const Inst &inst) { return &warp.function->pool[inst.pool]; }

/// Finds the rows that the first `8 * count` lanes name, and counts the request.
bool locateRows(Warp &warp, const Inst &inst, AccessKind kind, std::array<Target, lanes> &targets) {
  if (!warp.requireWhole())
    return false;
  const uint32_t count = inst.count * rowsOfMatrix;
  warp.mask = uint32_t(lowMask(count)); // the addresses of the other lanes do not matter
  const bool areDefined = warp.requireDefined(inst.src[0], "an address");
  warp.mask = ~0u;
  if (!areDefined)
    return false;
  Traffic traffic;
  for (uint32_t lane = 0; lane < count; ++lane) {
    const uint64_t address = warp.row(inst.src[0])[lane] + uint64_t(inst.offset);
    if (!locate(warp, lane, inst.space, address, rowBytes, kind, targets[lane]))
      return false;
    if (targets[lane].space != Space::Shared)
      return warp.refuse(lane, "expected a row in shared memory, found the address {:#x}", address);
    traffic.add(lane, targets[lane]);
  }
  traffic.count(warp, rowBytes, kind == AccessKind::Store);
  return true;
}

void load(Warp &warp, const Inst &inst) {
  std::array<Target, lanes> targets;
  if (!locateRows(warp, inst, AccessKind::Load, targets))
    return;
  Rows rows;
  for (uint32_t lane = 0; lane < inst.count * rowsOfMatrix; ++lane) {
    if (!beforeRead(warp, lane, targets[lane], rowBytes, false, wholeWarp))
      return;
    std::memcpy(rows.values[lane], targets[lane].bytes, rowBytes);
    const SharedMemory &shared = warp.block->shared;
    rows.defined[lane] = 0xff;
    if (!shared.isDefined(targets[lane].offset, rowBytes))
      for (unsigned element = 0; element < rowsOfMatrix; ++element)
        rows.defined[lane] &=
            uint8_t(~(uint32_t(!shared.isDefined(targets[lane].offset + element * 2, 2)) << element));
  }
  for (unsigned index = 0; index < inst.count; ++index) {
    uint64_t *out = warp.row(registersOf(warp, inst)[index]);
    std::array<uint32_t, 8> definedBytes{};
    for (unsigned lane = 0; lane < lanes; ++lane) {
      out[lane] = 0;
      for (unsigned half = 0; half < 2; ++half) {
        const Place16 at = placeOf(inst, index, lane, half);
        out[lane] |= uint64_t(rows.values[at.row][at.element]) << (16 * half);
        const uint32_t isDefined = uint32_t(rows.defined[at.row] >> at.element & 1) << lane;
        definedBytes[2 * half] |= isDefined;
        definedBytes[2 * half + 1] |= isDefined;
      }
    }
    warp.setDefinedBytes(registersOf(warp, inst)[index], definedBytes, 4);
  }
}

void store(Warp &warp, const Inst &inst) {
  std::array<Target, lanes> targets;
  if (!locateRows(warp, inst, AccessKind::Store, targets))
    return;
  Rows rows;
  std::memset(rows.defined, 0, sizeof(rows.defined));
  for (unsigned index = 0; index < inst.count; ++index) {
    const Row number = registersOf(warp, inst)[index];
    const std::array<uint32_t, 8> definedBytes = warp.definedBytes(number);
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned half = 0; half < 2; ++half) {
        const Place16 at = placeOf(inst, index, lane, half);
        rows.values[at.row][at.element] = uint16_t(warp.row(number)[lane] >> (16 * half));
        rows.defined[at.row] |= uint8_t((definedBytes[2 * half] & definedBytes[2 * half + 1]) >> lane & 1)
                                << at.element;
      }
  }
  for (uint32_t lane = 0; lane < inst.count * rowsOfMatrix; ++lane) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(rows.values[lane]);
    tellObserver({warp, lane, inst, targets[lane], rowBytes, bytes});
    if (!beforeWrite(warp, lane, targets[lane], rowBytes, false, bytes, wholeWarp))
      return;
    std::memcpy(targets[lane].bytes, bytes, rowBytes);
    for (unsigned element = 0; element < rowsOfMatrix; ++element)
      if (!(rows.defined[lane] >> element & 1))
        warp.block->shared.setDefined(targets[lane].offset + element * 2, 2, false);
  }
}

/// The transpose of one matrix that is in registers already.
void move(Warp &warp, const Inst &inst) {
  if (!warp.requireWhole())
    return;
  std::array<uint64_t, lanes> in;
  std::copy_n(warp.row(inst.src[0]), lanes, in.begin());
  const std::array<uint32_t, 8> inDefined = warp.definedBytes(inst.src[0]);
  std::array<uint32_t, 8> definedBytes{};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    uint64_t out = 0;
    for (unsigned half = 0; half < 2; ++half) {
      const unsigned row = lane % 4 * 2 + half, column = lane / 4;
      const unsigned from = row * 4 + column / 2, fromHalf = column % 2;
      out |= (in[from] >> (16 * fromHalf) & 0xffff) << (16 * half);
      for (unsigned byte = 0; byte < 2; ++byte)
        definedBytes[2 * half + byte] |= (inDefined[2 * fromHalf + byte] >> from & 1) << lane;
    }
    warp.row(inst.dst)[lane] = out;
  }
  warp.setDefinedBytes(inst.dst, definedBytes, 4);
}

} // namespace

bool decodeMatrixMemory(Form &form) {
  Inst &inst = form.inst;
  if (!form.take("sync") || !form.take("aligned") || !form.take("m8n8") || !form.take("b16"))
    return false;
  inst.combine = form.take("trans");
  if (form.opcode() == "movmatrix") {
    inst.run = move;
    return inst.combine && form.operands(Type::B32, {Type::B32});
  }
  static constexpr std::pair<std::string_view, uint8_t> counts[] = {{"x1", 1}, {"x2", 2}, {"x4", 4}};
  if (!form.takeOneOf(counts, inst.count) || !form.expectOperands(2))
    return false;
  inst.space = form.take("shared") || form.take("shared::cta") ? Space::Shared : Space::Generic;
  const bool isLoad = form.opcode() == "ldmatrix";
  inst.run = isLoad ? load : store;
  if (!form.address(isLoad ? 1 : 0, 0))
    return false;
  inst.pool = form.poolSize();
  return form.poolRegisters(isLoad ? 0 : 1, inst.count, Type::B32, isLoad);
}

} // namespace tegula::runtime::ptx
