// atom and red on global and shared memory. The lanes of a warp take turns, lowest first.

#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/DeviceAccess.h"
#include "runtime/emulator/warp/Traffic.h"
#include "runtime/emulator/warp/Write.h"

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

/// Returns how observers call an operation.
WriteKind writeKindOf(const Inst &inst) {
  const bool hasNoSign = isUnsigned(inst.type);
  switch (inst.op) {
  case And:
    return WriteKind::And;
  case Or:
    return WriteKind::Or;
  case Xor:
    return WriteKind::Xor;
  case Exchange:
    return WriteKind::Store;
  case Add:
    return WriteKind::Add;
  case Min:
    return hasNoSign ? WriteKind::UMin : WriteKind::Min;
  case Max:
    return hasNoSign ? WriteKind::UMax : WriteKind::Max;
  default:
    return WriteKind::Swap;
  }
}

/// The rows of the operands: results, then values, then what cas stores; `count` of each that there are.
struct Rows {
  const Row *results, *values, *swaps;
  Rows(const Warp &warp, const Inst &inst) {
    const Row *all = &warp.function->pool[inst.pool];
    results = all;
    values = all + (inst.has(FlagReturns) ? inst.count : 0);
    swaps = values + inst.count;
  }
};

bool operandsDefined(Warp &warp, const Inst &inst, const Rows &rows) {
  if (!warp.requireDefined(inst.src[0], "an address"))
    return false;
  for (unsigned i = 0; i < inst.count; ++i)
    if (!warp.requireDefined(rows.values[i], "a stored value") ||
        (inst.op == CompareAndSwap && !warp.requireDefined(rows.swaps[i], "a stored value")))
      return false;
  return true;
}

/// Tells the observer of the write of one lane.
void tellOperands(Warp &warp, const Inst &inst, const Rows &rows, uint32_t lane, const Target &target) {
  std::array<uint8_t, maxAccessBytes> operands;
  for (unsigned i = 0; i < inst.count; ++i)
    std::memcpy(&operands[i * inst.bytes], &warp.row(rows.values[i])[lane], inst.bytes);
  tellObserver(
      {warp, lane, inst, target, uint32_t(inst.bytes) * inst.count, operands.data(), writeKindOf(inst)});
}

/// The read and the write of one lane. `before` takes the old elements. False after a fault.
bool exchange(Warp &warp, const Inst &inst, const Rows &rows, uint32_t lane, const Target &target,
              std::array<uint64_t, 8> &before) {
  const uint32_t total = uint32_t(inst.bytes) * inst.count;
  synchronizeAt(warp, inst, target, true, true);
  if (!beforeRead(warp, lane, target, total, true))
    return false;
  waitOnFabric(warp, lane, inst, target);
  if (inst.op == CompareAndSwap)
    warp.watch.expected = warp.row(rows.values[0])[lane];
  std::array<uint8_t, maxAccessBytes> values;
  for (unsigned i = 0; i < inst.count; ++i) {
    uint64_t old = 0;
    std::memcpy(&old, target.bytes + i * inst.bytes, inst.bytes);
    const uint64_t made = newValue(inst, old, warp.row(rows.values[i])[lane],
                                   inst.op == CompareAndSwap ? warp.row(rows.swaps[i])[lane] : 0,
                                   target.space == Space::Global);
    std::memcpy(&values[i * inst.bytes], &made, inst.bytes);
    before[i] = old;
  }
  const bool fails = inst.op == CompareAndSwap && before[0] != warp.row(rows.values[0])[lane];
  if (warp.block->launch.fabric && !fails)
    signalOnFabric(warp, lane, inst, target, std::memcmp(target.bytes, values.data(), total) != 0);
  if (!fails && warp.block->launch.observer)
    tellOperands(warp, inst, rows, lane, target);
  if (!beforeWrite(warp, lane, target, total, true, values.data()))
    return false;
  std::memcpy(target.bytes, values.data(), total);
  return true;
}

void atomic(Warp &warp, const Inst &inst) {
  const Rows rows(warp, inst);
  if (!operandsDefined(warp, inst, rows))
    return;
  const uint32_t total = uint32_t(inst.bytes) * inst.count;
  Traffic traffic;
  std::array<std::array<uint64_t, 8>, lanes> before{};
  forTargets(warp, inst, inst.space, total, AccessKind::Atomic, [&](uint32_t lane, const Target &target) {
    if (target.space != Space::Global && (target.space != Space::Shared || inst.count > 1))
      return warp.fault(lane, "expected an address in global{} memory of an atomic operation",
                        inst.count > 1 ? "" : " or shared");
    if (exchange(warp, inst, rows, lane, target, before[lane]))
      traffic.add(lane, target);
  });
  if (warp.faulted())
    return;
  traffic.count(warp, total, true);
  if (warp.block->clocks.handsOn(warp.index, inst.has(FlagRelease)))
    warp.block->tick(warp.index);
  for (unsigned i = 0; inst.has(FlagReturns) && i < inst.count; ++i) {
    forLanes(warp.mask, [&](uint32_t lane) { warp.row(rows.results[i])[lane] = before[lane][i]; });
    warp.setDefined(rows.results[i], ~0u);
  }
}

/// The combinations that the architecture has. `count` is 1 for scalars.
bool allowed(uint8_t op, Type type, unsigned count) {
  const unsigned width = bitsOf(type);
  if (count > 1) {
    const bool fits = isHalf(type) ? count * width <= 128 : type == Type::F32 && count <= 4;
    return fits && (op == Add || (isHalf(type) && (op == Min || op == Max)));
  }
  switch (op) {
  case And:
  case Or:
  case Xor:
  case Exchange:
    return isUntyped(type) && (width == 32 || width == 64);
  case CompareAndSwap:
    return isUntyped(type) && width >= 16 && width <= 64;
  case Add:
    return isFloat(type) || isHalf(type) || type == Type::U32 || type == Type::S32 || type == Type::U64;
  case Increment:
  case Decrement:
    return type == Type::U32;
  default:
    return isInteger(type) && (width == 32 || width == 64);
  }
}

/// Order, scope, caches and space; what `red` does not have it refuses by name.
void takeQualifiers(Form &form, bool isAtom) {
  Inst &inst = form.inst;
  inst.flags |= FlagStrong;
  if (form.take("release"))
    inst.flags |= FlagRelease;
  else if (isAtom && form.take("acquire"))
    inst.flags |= FlagAcquire;
  else if (isAtom && form.take("acq_rel"))
    inst.flags |= FlagAcquire | FlagRelease;
  else
    form.take("relaxed");
  if (form.take("sys"))
    inst.flags |= FlagSystem;
  else
    for (const std::string_view scope : {"cta", "cluster", "gpu"})
      if (form.take(scope))
        break;
  form.takeHints("L2::");
  if (form.take("global"))
    inst.space = Space::Global;
  else if (form.take("shared") || form.take("shared::cta") || form.take("shared::cluster"))
    inst.space = Space::Shared;
}

/// One operand, or a vector of `count`, into the pool.
bool poolOperands(Form &form, size_t index, bool written) {
  const Inst &inst = form.inst;
  const Operand &operand = form.operand(index);
  if (operand.kind == Operand::Vector ? operand.parts.size() != inst.count : inst.count != 1)
    return form.fail("expected as many registers as the access has elements");
  for (unsigned i = 0; i < inst.count; ++i) {
    const Operand &part = operand.kind == Operand::Vector ? operand.parts[i] : operand;
    Row row = noRow;
    if (!(written ? form.destination(part, inst.type, row) : form.source(part, inst.type, row)))
      return false;
    form.pool(row);
  }
  return true;
}

} // namespace

bool decodeAtomic(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, Operation> names[] = {
      {"and", And},       {"or", Or},         {"xor", Xor}, {"exch", Exchange}, {"add", Add},
      {"inc", Increment}, {"dec", Decrement}, {"min", Min}, {"max", Max},       {"cas", CompareAndSwap}};
  const bool isAtom = form.opcode() == "atom";
  takeQualifiers(form, isAtom);
  inst.count = form.take("v2") ? 2 : form.take("v4") ? 4 : form.take("v8") ? 8 : 1;
  const bool noFlush = form.take("noftz");
  if (!form.takeOneOf(names, inst.op) || !form.takeType(inst.type) ||
      !allowed(inst.op, inst.type, inst.count) || noFlush != isHalf(inst.type) ||
      (inst.count > 1 && inst.space == Space::Shared) ||
      (!isAtom && (inst.op == Exchange || inst.op == CompareAndSwap)))
    return false;
  const size_t first = isAtom ? 1 : 0, operands = first + (inst.op == CompareAndSwap ? 3 : 2);
  inst.bytes = uint8_t(bitsOf(inst.type) / 8);
  inst.run = atomic;
  inst.pool = form.poolSize();
  // One operand more is a cache policy.
  if (!form.expectOperands(operands, operands + 1))
    return false;
  const bool returns = isAtom && form.operand(0).kind != Operand::Sink;
  inst.flags |= returns ? FlagReturns : 0;
  return (!returns || poolOperands(form, 0, true)) && form.address(first, 0) &&
         poolOperands(form, first + 1, false) &&
         (inst.op != CompareAndSwap || poolOperands(form, first + 2, false));
}

} // namespace tegula::runtime::ptx
