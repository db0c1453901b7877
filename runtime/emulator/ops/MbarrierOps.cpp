// mbarrier: instructions on the barriers in shared memory.
//
// `try_wait` puts the warp to rest until the phase completes; where nothing else can run it comes back
// empty-handed, as the hardware's does after a while, and with a seed now and then even though the phase is
// over.

#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/Access.h"

namespace tegula::runtime::ptx {

namespace {

/// Flags of an arrival, in `Inst::op`.
enum ArriveFlag : uint8_t { Expects = 1, Drops = 2, CompletesNothing = 4 };

/// Finds the address of the lane's mbarrier; false after a fault.
bool addressOf(Warp &warp, const Inst &inst, uint32_t lane, uint32_t &address) {
  Target target;
  if (!locate(warp, lane, inst.space, warp.row(inst.src[0])[lane] + uint64_t(inst.offset), mbarrierBytes,
              AccessKind::Atomic, target))
    return false;
  address = uint32_t(target.offset);
  if (target.space == Space::Shared)
    return true;
  return warp.refuse(lane, "an mbarrier lies in shared memory");
}

/// Calls `body(lane, address)` for the executing lanes until one faults; operands must be defined.
template <typename Body> void forMbarriers(Warp &warp, const Inst &inst, Body body) {
  if (!warp.requireDefined(inst.src[0], "an address") ||
      (inst.src[1] != noRow && !warp.requireDefined(inst.src[1], "an operand of an mbarrier")))
    return;
  forLanes(warp.mask, [&](uint32_t lane) {
    uint32_t address = 0;
    if (!warp.faulted() && addressOf(warp, inst, lane, address))
      body(lane, address);
  });
}

uint64_t operandOf(Warp &warp, const Inst &inst, uint32_t lane) { return warp.row(inst.src[1])[lane]; }

void init(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, uint32_t address) {
    blockOf(warp).mbarriers.init(warp, lane, address, uint32_t(operandOf(warp, inst, lane)));
  });
}

void invalidate(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, uint32_t address) {
    blockOf(warp).mbarriers.invalidate(warp, lane, address);
  });
}

void expect(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, uint32_t address) {
    if (Mbarrier *const mbarrier = blockOf(warp).mbarriers.use(warp, lane, address))
      blockOf(warp).mbarriers.expect(warp, lane, address, *mbarrier, int64_t(operandOf(warp, inst, lane)));
  });
}

void arrive(Warp &warp, const Inst &inst) {
  Mbarriers &mbarriers = blockOf(warp).mbarriers;
  forMbarriers(warp, inst, [&](uint32_t lane, uint32_t address) {
    Mbarrier *const mbarrier = mbarriers.use(warp, lane, address);
    if (!mbarrier)
      return;
    const uint64_t operand = inst.src[1] == noRow ? 1 : operandOf(warp, inst, lane);
    const bool expects = inst.op & Expects;
    if (expects)
      mbarriers.expect(warp, lane, address, *mbarrier, int64_t(operand));
    const uint32_t count = expects ? 1 : uint32_t(operand);
    if (warp.faulted())
      return;
    if (inst.op & CompletesNothing && count == mbarrier->pending && mbarrier->bytes == 0)
      return warp.fault(lane, "an arrival that must not complete the phase completes it");
    if (inst.op & Drops)
      mbarriers.drop(warp, lane, *mbarrier, count);
    warp.set(inst.dst, lane, mbarrier->phase);
    if (!warp.faulted())
      mbarriers.arrive(warp, lane, address, *mbarrier, count);
  });
  if (!warp.faulted())
    warp.block->tick(warp.index);
}

/// Form in which a wait names its phase, in `Inst::op`.
enum PhaseName : uint8_t { ByState, ByParity };

/// `op` is a `PhaseName`. `combine`: may wait.
void wait(Warp &warp, const Inst &inst) {
  Block &block = blockOf(warp);
  uint32_t done = 0, missing = 0;
  forMbarriers(warp, inst, [&](uint32_t lane, uint32_t address) {
    Mbarrier *const mbarrier = block.mbarriers.use(warp, lane, address);
    if (!mbarrier)
      return;
    const uint64_t operand = operandOf(warp, inst, lane);
    if (inst.op == ByParity && operand > 1)
      return warp.fault(lane, "expected a parity of 0 or 1");
    const bool isDone = inst.op == ByParity
                            ? block.mbarriers.hasCompleted(warp, lane, *mbarrier, uint32_t(operand))
                            : block.mbarriers.hasPassed(warp, lane, *mbarrier, operand);
    done |= uint32_t(isDone) << lane;
    if (!isDone)
      missing = address;
  });
  if (warp.faulted())
    return;
  // As after a read, for those who ask what the warp waits for.
  warp.watch.read = warp.current;
  warp.watch.readSerial = warp.serial;
  warp.watch.mbarrier = done == warp.mask ? std::nullopt : std::optional(missing);
  const bool timesOut = std::exchange(warp.timesOut, false) || (inst.combine && block.chance(8));
  if (done != warp.mask && inst.combine && !timesOut)
    return warp.rest(Warp::Rest::Mbarrier, missing);
  if (done != warp.mask)
    block.polled();
  warp.setPredicate(inst.dst, inst.combine && timesOut ? 0 : done, ~0u);
}

bool takeSpace(Form &form) {
  form.inst.space = Space::Generic;
  for (const std::string_view space : {"shared", "shared::cta", "shared::cluster"})
    if (form.take(space))
      form.inst.space = Space::Shared;
  return form.take("b64");
}

/// All arrivals release and all waits acquire here, which the weaker forms do not; scopes are the widest.
void takeOrder(Form &form) {
  for (const std::string_view known : {"release", "acquire", "relaxed", "cta", "cluster"})
    form.take(known);
}

bool decodeArrive(Form &form, uint8_t flags) {
  Inst &inst = form.inst;
  inst.run = arrive;
  inst.op = uint8_t(flags | (form.take("expect_tx") ? Expects : 0) |
                    (form.take("noComplete") ? CompletesNothing : 0));
  takeOrder(form);
  const bool hasOperand = form.size() == 3;
  inst.src[1] = noRow;
  return takeSpace(form) && form.expectOperands(inst.op & (Expects | CompletesNothing) ? 3 : 2, 3) &&
         form.destination(0, Type::B64, inst.dst) && form.address(1, 0) &&
         (!hasOperand || form.source(2, Type::B32, inst.src[1]));
}

bool decodeWait(Form &form, bool mayWait) {
  Inst &inst = form.inst;
  inst.run = wait;
  inst.op = form.take("parity") ? ByParity : ByState;
  inst.combine = mayWait;
  takeOrder(form);
  Row hint = noRow; // how long to wait: time does not pass here
  return takeSpace(form) && form.expectOperands(3, mayWait ? 4 : 3) &&
         form.predicateDestination(form.operand(0), inst.dst) && form.address(1, 0) &&
         form.source(2, inst.op == ByParity ? Type::B32 : Type::B64, inst.src[1]) &&
         (form.size() == 3 || form.source(3, Type::B32, hint));
}

} // namespace

bool decodeMbarrier(Form &form) {
  Inst &inst = form.inst;
  if (form.take("arrive"))
    return decodeArrive(form, 0);
  if (form.take("arrive_drop"))
    return decodeArrive(form, Drops);
  if (form.take("test_wait"))
    return decodeWait(form, false);
  if (form.take("try_wait"))
    return decodeWait(form, true);
  inst.src[1] = noRow;
  if (form.take("inval")) {
    inst.run = invalidate;
    return takeSpace(form) && form.expectOperands(1) && form.address(0, 0);
  }
  if (form.take("init"))
    inst.run = init;
  else if (form.take("expect_tx"))
    inst.run = expect;
  else
    return false;
  takeOrder(form);
  return takeSpace(form) && form.expectOperands(2) && form.address(0, 0) &&
         form.source(1, Type::B32, inst.src[1]);
}

} // namespace tegula::runtime::ptx
