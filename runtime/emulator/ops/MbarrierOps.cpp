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

/// Flags of an arrival or of `expect_tx`, in `Inst::op`. `InCluster`: the scope is a cluster, and an arrival
/// releases.
enum ArriveFlag : uint8_t { Expects = 1, Drops = 2, CompletesNothing = 4, InCluster = 8 };

/// Calls `body(lane, mbarriers, address)` for the executing lanes until one faults, with the mbarriers of the
/// block that has the address; operands must be defined.
template <typename Body> void forMbarriers(Warp &warp, const Inst &inst, Body body) {
  if (!warp.requireDefined(inst.src[0], "an address") ||
      (inst.src[1] != noRow && !warp.requireDefined(inst.src[1], "an operand of an mbarrier")))
    return;
  forTargets(warp, inst, inst.space, mbarrierBytes, AccessKind::Atomic,
             [&](uint32_t lane, const Target &target) {
               if (target.space != Space::Shared)
                 return warp.fault(lane, "an mbarrier lies in shared memory");
               Block &owner = target.owner ? static_cast<Block &>(*target.owner) : blockOf(warp);
               body(lane, owner.mbarriers, uint32_t(target.offset));
             });
}

uint64_t operandOf(Warp &warp, const Inst &inst, uint32_t lane) { return warp.row(inst.src[1])[lane]; }

void init(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, Mbarriers &mbarriers, uint32_t address) {
    mbarriers.init(warp, lane, address, uint32_t(operandOf(warp, inst, lane)));
  });
}

void invalidate(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, Mbarriers &mbarriers, uint32_t address) {
    mbarriers.invalidate(warp, lane, address);
  });
}

void expect(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, Mbarriers &mbarriers, uint32_t address) {
    Mbarrier *const mbarrier = mbarriers.use(warp, lane, address);
    if (mbarrier &&
        mbarriers.reaches(warp, lane, address, inst.op & InCluster, "expects bytes", ".relaxed.cluster"))
      mbarriers.expect(warp, lane, address, *mbarrier, int64_t(operandOf(warp, inst, lane)));
  });
}

void arrive(Warp &warp, const Inst &inst) {
  forMbarriers(warp, inst, [&](uint32_t lane, Mbarriers &mbarriers, uint32_t address) {
    Mbarrier *const mbarrier = mbarriers.use(warp, lane, address);
    if (!mbarrier ||
        !mbarriers.reaches(warp, lane, address, inst.op & InCluster, "arrives", ".release.cluster"))
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

/// Flags of a wait, in `Inst::op`: it names its phase by parity and not by a state, and acquires from the
/// cluster.
enum WaitFlag : uint8_t { ByParity = 1, FromCluster = 2 };

/// `op` has flags of `WaitFlag`. `combine`: may wait.
void wait(Warp &warp, const Inst &inst) {
  Block &block = blockOf(warp);
  uint32_t done = 0, missing = 0;
  forMbarriers(warp, inst, [&](uint32_t lane, Mbarriers &mbarriers, uint32_t address) {
    Mbarrier *const mbarrier = mbarriers.use(warp, lane, address);
    if (!mbarrier)
      return;
    const uint64_t operand = operandOf(warp, inst, lane);
    const bool byParity = inst.op & ByParity;
    if (byParity && operand > 1)
      return warp.fault(lane, "expected a parity of 0 or 1");
    const bool isDone = byParity ? mbarriers.hasCompleted(warp, lane, *mbarrier, uint32_t(operand))
                                 : mbarriers.hasPassed(warp, lane, *mbarrier, operand);
    if (isDone && !mbarriers.waitReaches(warp, lane, *mbarrier, inst.op & FromCluster))
      return;
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

/// `.shared` in its spellings; with `reachesOthers` `.shared::cluster` may be that of another block.
bool takeSpace(Form &form, bool reachesOthers = false) {
  form.inst.space = Space::Generic;
  for (const std::string_view space : {"shared", "shared::cta"})
    if (form.take(space))
      form.inst.space = Space::Shared;
  if (form.take("shared::cluster"))
    form.inst.space = reachesOthers ? Space::Cluster : Space::Shared;
  return form.take("b64");
}

/// Takes the order and the scope; returns true where they are `wanted` ("release"), which may be left out,
/// and `.cluster`. Within a block all arrivals release and all waits acquire here, which the weaker forms do
/// not.
bool takeOrder(Form &form, std::string_view wanted) {
  bool isWanted = true;
  for (const std::string_view order : {"release", "acquire", "relaxed"})
    if (form.take(order))
      isWanted = order == wanted;
  form.take("cta");
  return form.take("cluster") && isWanted;
}

/// Returns whether an arrival names neither order nor scope. At another block's mbarrier that says that the
/// thread has read: on a GPU it orders this block's reads of shared memory before what comes after the wait,
/// as rings of slots need it, and costs no fence. Its writes are not told apart from that here.
bool namesNothing(const Form &form) {
  return !form.modifiersLeft().empty() && form.modifiersLeft().front() == "shared::cluster";
}

bool decodeArrive(Form &form, uint8_t flags) {
  Inst &inst = form.inst;
  inst.run = arrive;
  inst.op = uint8_t(flags | (form.take("expect_tx") ? Expects : 0) |
                    (form.take("noComplete") ? CompletesNothing : 0));
  inst.op |= namesNothing(form) || takeOrder(form, "release") ? InCluster : 0;
  const bool hasOperand = form.size() == 3;
  inst.src[1] = noRow;
  if (!takeSpace(form, !(inst.op & CompletesNothing)))
    return false;
  if (inst.space == Space::Cluster && form.operand(0).kind != Operand::Sink)
    return form.wrongOperand(0, "`_`, as the state of another block's mbarrier is not returned");
  return form.expectOperands(inst.op & (Expects | CompletesNothing) ? 3 : 2, 3) &&
         form.destination(0, Type::B64, inst.dst) && form.address(1, 0) &&
         (!hasOperand || form.source(2, Type::B32, inst.src[1]));
}

bool decodeWait(Form &form, bool mayWait) {
  Inst &inst = form.inst;
  inst.run = wait;
  const bool byParity = form.take("parity");
  inst.op = uint8_t((byParity ? ByParity : 0) | (takeOrder(form, "acquire") ? FromCluster : 0));
  inst.combine = mayWait;
  Row hint = noRow; // how long to wait: time does not pass here
  return takeSpace(form) && form.expectOperands(3, mayWait ? 4 : 3) &&
         form.predicateDestination(form.operand(0), inst.dst) && form.address(1, 0) &&
         form.source(2, byParity ? Type::B32 : Type::B64, inst.src[1]) &&
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
  const bool expects = form.take("expect_tx");
  if (!expects && !form.take("init"))
    return false;
  inst.run = expects ? expect : init;
  inst.op = takeOrder(form, "relaxed") ? InCluster : 0;
  return takeSpace(form, expects) && form.expectOperands(2) && form.address(0, 0) &&
         form.source(1, Type::B32, inst.src[1]);
}

} // namespace tegula::runtime::ptx
