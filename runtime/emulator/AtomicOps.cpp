// atom and red on global and shared memory. The lanes of a warp take turns, lowest first.

#include "runtime/emulator/Access.h"
#include "runtime/emulator/Decode.h"
#include "runtime/emulator/FloatMath.h"

#include <algorithm>
#include <cstring>

namespace tegula::runtime::ptx {

namespace {

enum Operation : uint8_t { And, Or, Xor, Exchange, Add, Increment, Decrement, Min, Max, CompareAndSwap };

template <const Format &F> uint64_t floatResult(const Inst &inst, uint64_t old, uint64_t b) {
  if (inst.op == Add)
    return narrowOp<F, FloatOp::Add>(inst, old, b, 0);
  return inst.op == Min ? extremum<F, false>(inst, old, b) : extremum<F, true>(inst, old, b);
}

template <const Format &F> uint64_t pairResult(const Inst &inst, uint64_t old, uint64_t b) {
  return floatResult<F>(inst, old & 0xffff, b & 0xffff) | floatResult<F>(inst, old >> 16, b >> 16) << 16;
}

/// Single-precision addition in global memory flushes subnormals; in shared memory it does not.
uint64_t singleResult(const Inst &inst, uint64_t old, uint64_t b, bool global) {
  if (!global)
    return floatResult<single>(inst, old, b);
  Inst flushing = inst;
  flushing.flags |= FlagFtz;
  return floatResult<single>(flushing, old, b);
}

uint64_t integerResult(const Inst &inst, uint64_t old, uint64_t b, uint64_t c) {
  const unsigned width = bitsOf(inst.type);
  const bool less = isSigned(inst.type) ? signExtend(old, width) < signExtend(b, width) : old < b;
  switch (inst.op) {
  case And:
    return old & b;
  case Or:
    return old | b;
  case Xor:
    return old ^ b;
  case Exchange:
    return b;
  case Add:
    return (old + b) & lowMask(width);
  case Increment:
    return old >= b ? 0 : old + 1;
  case Decrement:
    return old == 0 || old > b ? b : old - 1;
  case Min:
    return less ? old : b;
  case Max:
    return less ? b : old;
  default:
    return old == b ? c : old;
  }
}

uint64_t newValue(const Inst &inst, uint64_t old, uint64_t b, uint64_t c, bool global) {
  switch (inst.type) {
  case Type::F16:
    return floatResult<half>(inst, old, b);
  case Type::BF16:
    return floatResult<bfloat>(inst, old, b);
  case Type::F16x2:
    return pairResult<half>(inst, old, b);
  case Type::BF16x2:
    return pairResult<bfloat>(inst, old, b);
  case Type::F32:
    return singleResult(inst, old, b, global);
  case Type::F64:
    return doubleResult(asDouble(old) + asDouble(b), old, b);
  default:
    return integerResult(inst, old, b, c);
  }
}

void atomic(Warp &warp, const Inst &inst) {
  const bool swap = inst.op == CompareAndSwap;
  if (!warp.requireDefined(inst.src[0], "an address") ||
      !warp.requireDefined(inst.src[1], "a stored value") ||
      (swap && !warp.requireDefined(inst.src[2], "a stored value")))
    return;
  Traffic traffic;
  std::array<uint64_t, lanes> before{};
  forLanes(warp.mask, [&](uint32_t lane) {
    if (warp.faulted())
      return;
    const uint64_t address = warp.row(inst.src[0])[lane] + uint64_t(inst.offset);
    Target target;
    if (!locate(warp, lane, inst.space, address, inst.bytes, AccessKind::Atomic, target))
      return;
    if (target.space != Space::Global && target.space != Space::Shared) {
      warp.fault(lane, "expected an address in global or shared memory of an atomic operation");
      return;
    }
    if (target.space == Space::Shared)
      warp.block->synchronizeAt(warp, target.offset);
    if (!beforeRead(warp, lane, target, inst.bytes, true))
      return;
    uint64_t old = 0;
    std::memcpy(&old, target.bytes, inst.bytes);
    const uint64_t made = newValue(inst, old, warp.row(inst.src[1])[lane],
                                   swap ? warp.row(inst.src[2])[lane] : 0, target.space == Space::Global);
    std::array<uint8_t, 8> values;
    std::memcpy(values.data(), &made, 8);
    if (!beforeWrite(warp, lane, target, inst.bytes, true, values.data()))
      return;
    std::memcpy(target.bytes, values.data(), inst.bytes);
    before[lane] = old;
    traffic.setLane(lane);
    traffic.add(target, address);
  });
  if (warp.faulted())
    return;
  traffic.count(warp, inst.bytes, true);
  if (!inst.has(FlagReturns))
    return;
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = before[lane]; });
  warp.setDefined(inst.dst, ~0u);
}

bool allowed(uint8_t op, Type type) {
  const unsigned width = bitsOf(type);
  const bool anyFloat = isFloat(type) || type == Type::F16x2 || type == Type::BF16x2;
  switch (op) {
  case And:
  case Or:
  case Xor:
  case Exchange:
    return isUntyped(type) && (width == 32 || width == 64);
  case CompareAndSwap:
    return isUntyped(type) && width >= 16 && width <= 64;
  case Add:
    return anyFloat || (isInteger(type) && (width == 32 || width == 64));
  case Increment:
  case Decrement:
    return type == Type::U32;
  default:
    return (isInteger(type) && (width == 32 || width == 64)) ||
           (anyFloat && width != 64 && type != Type::F32);
  }
}

} // namespace

bool decodeAtomic(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, Operation> names[] = {
      {"and", And},       {"or", Or},         {"xor", Xor}, {"exch", Exchange}, {"add", Add},
      {"inc", Increment}, {"dec", Decrement}, {"min", Min}, {"max", Max},       {"cas", CompareAndSwap}};
  for (const std::string_view ignored :
       {"relaxed", "acquire", "release", "acq_rel", "cta", "cluster", "gpu", "sys", "noftz"})
    form.take(ignored);
  while (form.takeWhere([](std::string_view name) { return name.starts_with("L2::"); })) {
  }
  if (form.take("global"))
    inst.space = Space::Global;
  else if (form.take("shared") || form.take("shared::cta") || form.take("shared::cluster"))
    inst.space = Space::Shared;
  bool found = false;
  for (const auto &[name, op] : names)
    if (!found && form.take(name)) {
      inst.op = op;
      found = true;
    }
  if (!found || !form.takeType(inst.type) || !allowed(inst.op, inst.type))
    return false;
  const bool returns = form.opcode() == "atom";
  const size_t first = returns ? 1 : 0;
  inst.flags |= FlagStrong | (returns ? FlagReturns : 0);
  inst.bytes = uint8_t(bitsOf(inst.type) / 8);
  inst.run = atomic;
  const size_t needed = first + (inst.op == CompareAndSwap ? 3 : 2);
  return form.expectOperands(needed, needed + 1) && (!returns || form.destination(0, inst.type, inst.dst)) &&
         form.address(first, 0) && form.source(first + 1, inst.type, inst.src[1]) &&
         (inst.op != CompareAndSwap || form.source(first + 2, inst.type, inst.src[2]));
}

} // namespace tegula::runtime::ptx
