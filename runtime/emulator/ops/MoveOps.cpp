// mov in all its forms, address conversions, and cache policies.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/ClusterAccess.h"
#include "runtime/emulator/warp/Warp.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

uint64_t copyValue(const Inst &, uint64_t a) { return a; }
uint64_t noPolicy(const Inst &, uint64_t) { return 0; }

void copyPredicate(Warp &warp, const Inst &inst) {
  const uint32_t bits = warp.predicates[inst.src[0]];
  warp.setPredicate(inst.dst, inst.has(FlagNegate) ? ~bits : bits, warp.predicateDefined[inst.src[0]]);
}

void constantPredicate(Warp &warp, const Inst &inst) { warp.setPredicate(inst.dst, inst.op ? ~0u : 0u, ~0u); }

/// %clock and its kin change while the warp runs.
void readClock(Warp &warp, const Inst &inst) {
  const Special which = Special(inst.op);
  const uint64_t time = warp.block->time() + (warp.serial - warp.turnSerial);
  const bool high = which == Special::ClockHi || which == Special::GlobalTimerHi;
  const uint64_t value = (high ? time >> 32 : time) & lowMask(bitsOf(inst.type));
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = value; });
  warp.setDefined(inst.dst, ~0u);
}

/// mov.b32 d, {a, b}: the first element in the low bits. Rows in the pool; `bytes` is an element's
/// width in bits.
void packElements(Warp &warp, const Inst &inst) {
  const Row *parts = &warp.function->pool[inst.pool];
  const unsigned width = inst.bytes / 8;
  std::array<uint64_t, lanes> out{};
  ByteLanes definedBits{};
  for (unsigned i = 0; i < inst.count; ++i) {
    const uint64_t *part = warp.row(parts[i]);
    const ByteLanes bytes = warp.definedBytes(parts[i]);
    std::copy_n(bytes.begin(), width, &definedBits[i * width]);
    for (uint32_t lane = 0; lane < lanes; ++lane)
      out[lane] |= part[lane] << (inst.bytes * i);
  }
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = out[lane]; });
  warp.setDefinedBytes(inst.dst, definedBits, inst.count * width);
}

void unpackElements(Warp &warp, const Inst &inst) {
  const Row *parts = &warp.function->pool[inst.pool];
  const unsigned width = inst.bytes / 8;
  std::array<uint64_t, lanes> in;
  std::copy_n(warp.row(inst.src[0]), lanes, in.begin());
  const ByteLanes definedBits = warp.definedBytes(inst.src[0]);
  for (unsigned i = 0; i < inst.count; ++i) {
    uint64_t *part = warp.row(parts[i]);
    forLanes(warp.mask,
             [&](uint32_t lane) { part[lane] = in[lane] >> (inst.bytes * i) & lowMask(inst.bytes); });
    ByteLanes bytes{};
    std::copy_n(&definedBits[i * width], width, bytes.begin());
    warp.setDefinedBytes(parts[i], bytes, width);
  }
}

/// 128-bit moves: rows from the pool, sources first.
void copyWide(Warp &warp, const Inst &inst) {
  const Row *parts = &warp.function->pool[inst.pool];
  std::array<std::array<uint64_t, lanes>, 2> in;
  std::array<ByteLanes, 2> definedBits;
  for (unsigned i = 0; i < 2; ++i) {
    std::copy_n(warp.row(parts[i]), lanes, in[i].begin());
    definedBits[i] = warp.definedBytes(parts[i]);
  }
  for (unsigned i = 0; i < 2; ++i) {
    forLanes(warp.mask, [&](uint32_t lane) { warp.row(parts[2 + i])[lane] = in[i][lane]; });
    warp.setDefinedBytes(parts[2 + i], definedBits[i], 8);
  }
}

uint64_t windowOf(Space space) {
  switch (space) {
  case Space::Shared:
    return sharedWindow;
  case Space::Local:
    return localWindow;
  case Space::Param:
    return paramWindow;
  default:
    return 0; // global and const addresses are generic addresses
  }
}

uint64_t toGeneric(const Inst &inst, uint64_t a) { return a + windowOf(inst.space); }
uint64_t fromGeneric(const Inst &inst, uint64_t a) { return a - windowOf(inst.space); }

void isInSpace(Warp &warp, const Inst &inst) {
  uint32_t out = 0;
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint64_t address = warp.row(inst.src[0])[lane];
    const uint64_t window = address & ~(windowBytes - 1);
    const bool other = window == sharedWindow || window == localWindow || window == paramWindow;
    const bool inside = windowOf(inst.space) ? window == windowOf(inst.space) : !other;
    out |= uint32_t(inside) << lane;
  });
  warp.setPredicate(inst.dst, out, warp.defined[inst.src[0]]);
}

/// mapa: the same place in the memory of another block of the cluster.
void addressInCluster(Warp &warp, const Inst &inst) {
  if (!warp.requireDefined(inst.src[1], "a block of the cluster"))
    return;
  const uint64_t blocks = warp.block->launch.clusterBlocks;
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint64_t rank = warp.row(inst.src[1])[lane], address = warp.row(inst.src[0])[lane];
    if (rank >= blocks && !warp.faulted())
      warp.fault(lane, "the cluster has no block {}, but {}", rank, blocks);
    else if (blocks > 1 && inst.space != Space::Cluster && !warp.faulted())
      warp.fault(lane, "`mapa` of a generic address: those of other blocks are not known here");
    const uint64_t offset = address & lowMask(clusterAddressBits);
    warp.row(inst.dst)[lane] = blocks > 1 ? (rank + 1) << clusterAddressBits | offset : address;
  });
  warp.setDefined(inst.dst, warp.defined[inst.src[0]]);
}

/// getctarank: the block whose memory an address lies in.
void rankOfAddress(Warp &warp, const Inst &inst) {
  const uint64_t blocks = warp.block->launch.clusterBlocks;
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint64_t rank = rankOf(*warp.block, warp.row(inst.src[0])[lane]);
    if (rank >= blocks && !warp.faulted())
      warp.fault(lane, "the cluster has no block {}, but {}", rank, blocks);
    warp.row(inst.dst)[lane] = rank;
  });
  warp.setDefined(inst.dst, warp.defined[inst.src[0]]);
}

/// Both sides of a 128-bit move as two rows.
bool wideRows(Form &form, const Operand &operand, bool write) {
  if (operand.kind == Operand::Register && operand.type == Type::B128) {
    form.pool(operand.index);
    form.pool(operand.index + 1);
    return true;
  }
  if (operand.kind != Operand::Vector || operand.parts.size() != 2)
    return false;
  for (const Operand &part : operand.parts) {
    Row row = noRow;
    if (write ? !form.destination(part, Type::B64, row) : !form.source(part, Type::B64, row))
      return false;
    form.pool(row);
  }
  return true;
}

bool decodeVectorMove(Form &form) {
  Inst &inst = form.inst;
  const bool unpack = form.operand(0).kind == Operand::Vector;
  const Operand &vector = form.operand(unpack ? 0 : 1);
  const unsigned count = unsigned(vector.parts.size());
  if ((count != 2 && count != 4 && count != 8) || bitsOf(inst.type) / count < 8)
    return form.wrongOperand(unpack ? 0 : 1, "a vector of 2, 4 or 8 elements");
  const unsigned bits = bitsOf(inst.type) / count;
  const Type element = bits == 8 ? Type::B8 : bits == 16 ? Type::B16 : Type::B32;
  inst.count = uint8_t(count);
  inst.bytes = uint8_t(bits);
  inst.pool = form.poolSize();
  for (const Operand &part : vector.parts) {
    Row row = noRow;
    if (unpack ? !form.destination(part, element, row, bits == 8)
               : !form.source(part, element, row, bits == 8))
      return false;
    form.pool(row);
  }
  inst.run = unpack ? unpackElements : packElements;
  return unpack ? form.source(1, inst.type, inst.src[0]) : form.destination(0, inst.type, inst.dst);
}

bool decodePredicateMove(Form &form) {
  Inst &inst = form.inst;
  if (!form.predicateDestination(form.operand(0), inst.dst))
    return false;
  if (form.operand(1).kind == Operand::Integer) {
    inst.op = form.operand(1).bits != 0;
    inst.run = constantPredicate;
    return true;
  }
  inst.run = copyPredicate;
  return form.predicate(1, inst.src[0]);
}

bool decodeMov(Form &form) {
  Inst &inst = form.inst;
  if (!form.takeType(inst.type) || !form.expectOperands(2))
    return false;
  if (inst.type == Type::Pred)
    return decodePredicateMove(form);
  if (inst.type == Type::B128) {
    inst.pool = form.poolSize();
    inst.run = copyWide;
    return wideRows(form, form.operand(1), false) && wideRows(form, form.operand(0), true);
  }
  if (bitsOf(inst.type) < 16)
    return false;
  if (form.operand(0).kind == Operand::Vector || form.operand(1).kind == Operand::Vector)
    return decodeVectorMove(form);
  const Operand &from = form.operand(1);
  if (from.kind == Operand::Special && Special(from.index) >= firstDynamicSpecial) {
    inst.op = uint8_t(from.index);
    inst.run = readClock;
    return form.destination(0, inst.type, inst.dst);
  }
  inst.run = byBytes<unary<copyValue>, copiedBytes, 1>;
  return form.destination(0, inst.type, inst.dst) && form.source(1, inst.type, inst.src[0]);
}

} // namespace

bool decodeMove(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name == "mov")
    return decodeMov(form);
  if (name == "cvta") {
    const bool to = form.take("to");
    inst.run = to ? unary<fromGeneric> : unary<toGeneric>;
    return form.takeSpace() && form.takeType(inst.type) && inst.type == Type::U64 &&
           form.operands(inst.type, {inst.type});
  }
  if (name == "isspacep") {
    inst.run = isInSpace;
    return form.takeSpace() && form.expectOperands(2) &&
           form.predicateDestination(form.operand(0), inst.dst) && form.source(1, Type::B64, inst.src[0]);
  }
  if (name == "mapa") {
    if (form.take("shared::cluster"))
      inst.space = Space::Cluster;
    inst.run = addressInCluster;
    return form.takeType(inst.type) && (inst.type == Type::U64 || inst.type == Type::U32) &&
           form.operands(inst.type, {inst.type, Type::U32});
  }
  if (name == "getctarank") {
    inst.run = rankOfAddress;
    return form.take("shared::cluster") && form.takeType(inst.type) &&
           (inst.type == Type::U32 || inst.type == Type::U64) && form.operands(Type::U32, {inst.type});
  }
  // createpolicy: a hint for caches that the emulator does not have.
  while (form.modifiersLeft().size() > 1)
    form.take(form.modifiersLeft().front());
  inst.run = unary<noPolicy>;
  return form.take("b64") && form.expectOperands(1, 3) && form.destination(0, Type::B64, inst.dst) &&
         (inst.src[0] = form.parser.constant(0), true);
}

} // namespace tegula::runtime::ptx
