// cp.async: copies to shared memory that land when their group is waited for.
//
// The emulator takes the source bytes at once and writes the shared bytes as late as the program allows, at
// the wait. Between, touching the shared bytes is an error, and so is a source that the wait finds changed.
// Groups are each thread's own.

#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/Traffic.h"
#include "runtime/emulator/warp/Write.h"

#include <cstring>

namespace tegula::runtime::ptx {

namespace {

/// Operands of a copy. `inst.src` holds the rows of the addresses, destination first; `inst.offset` is added
/// to the destination's.
struct CopyData final : InstData {
  int64_t sourceOffset = 0;
  Row sourceSize = noRow; ///< bytes to read, where they are given
  Row ignored = noRow;    ///< a predicate: nothing is read
  bool ignoredNegated = false;
};

/// The bytes that the lane reads; the rest of its `inst.bytes` become zero. False after a fault.
bool sourceBytes(Warp &warp, const Inst &inst, uint32_t lane, uint32_t &wanted) {
  const auto &data = inst.dataAs<CopyData>();
  wanted = inst.bytes;
  if (data.ignored != noRow) {
    const bool ignored = (warp.predicates[data.ignored] >> lane & 1) != uint32_t(data.ignoredNegated);
    wanted = ignored ? 0 : inst.bytes;
  } else if (data.sourceSize != noRow) {
    const uint64_t size = uint32_t(warp.row(data.sourceSize)[lane]);
    if (size > inst.bytes)
      return warp.refuse(lane, "expected a source of at most {} bytes, found {}", inst.bytes, size);
    wanted = uint32_t(size);
  }
  return true;
}

bool readSource(Warp &warp, const Inst &inst, uint32_t lane, AsyncCopy &copy, Traffic &traffic) {
  if (!sourceBytes(warp, inst, lane, copy.sourceBytes))
    return false;
  if (copy.sourceBytes == 0)
    return true;
  const uint64_t address = warp.row(inst.src[1])[lane] + uint64_t(inst.dataAs<CopyData>().sourceOffset);
  if (address % inst.bytes)
    return warp.refuse(lane, "misaligned global load of {} bytes at {:#x}", inst.bytes, address);
  Target source;
  // In pieces, for checks of accesses are about powers of two.
  for (uint32_t done = 0; done < copy.sourceBytes;) {
    const uint32_t piece = std::bit_floor(copy.sourceBytes - done);
    Target part;
    if (!locate(warp, lane, Space::Global, address + done, piece, AccessKind::Load, part) ||
        !beforeRead(warp, lane, part, piece, false))
      return false;
    if (done == 0)
      source = part;
    done += piece;
  }
  copy.source = source.bytes;
  std::memcpy(copy.data.data(), source.bytes, copy.sourceBytes);
  traffic.add(lane, source);
  return true;
}

void issue(Warp &warp, const Inst &inst) {
  const auto &data = inst.dataAs<CopyData>();
  if (!warp.requireDefined(inst.src[0], "an address") || !warp.requireDefined(inst.src[1], "an address") ||
      (data.ignored != noRow && !warp.requirePredicate(data.ignored, "a predicate")) ||
      (data.sourceSize != noRow && !warp.requireDefined(data.sourceSize, "a size")))
    return;
  AsyncCopies &copies = blockOf(warp).asyncCopies;
  Traffic traffic;
  forTargets(warp, inst, Space::Shared, inst.bytes, AccessKind::Store,
             [&](uint32_t lane, const Target &target) {
               AsyncCopy copy{lane, inst.line, copies.openGroup(warp.index, lane), 0, inst.bytes, 0, nullptr,
                              {},   &inst};
               if (!readSource(warp, inst, lane, copy, traffic))
                 return;
               copy.address = uint32_t(target.offset);
               if (!beforeWrite(warp, lane, target, inst.bytes, false, copy.data.data()))
                 return;
               traffic.add(lane, target);
               warp.block->shared.setPending(target.offset, inst.bytes, true);
               copies.issue(warp.index, copy);
             });
  if (!warp.faulted())
    traffic.count(warp, inst.bytes, false);
}

void land(Warp &warp, const AsyncCopy &copy) {
  if (warp.faulted())
    return;
  if (copy.sourceBytes && std::memcmp(copy.source, copy.data.data(), copy.sourceBytes) != 0)
    return warp.fault(copy.lane, "the source of the `cp.async` at {} changed before it was waited for",
                      warp.block->faults.placeName(copy.line));
  SharedMemory &shared = warp.block->shared;
  shared.setPending(copy.address, copy.bytes, false);
  // No thread has touched the bytes since they were pending, so no race is left to find.
  shared.write({warp.index, copy.lane, copy.line, warp.serial, false}, copy.address, copy.bytes,
               copy.data.data());
  tellObserver({warp, copy.lane, *copy.inst, sharedTarget(warp, copy.address), copy.bytes, copy.data.data()});
  std::memcpy(shared.data() + copy.address, copy.data.data(), copy.bytes);
}

void commit(Warp &warp, const Inst &) {
  forLanes(warp.mask, [&](uint32_t lane) { blockOf(warp).asyncCopies.commit(warp.index, lane); });
}

/// Groups beyond a thread's newest `op` land; wait_all (`combine`) takes the uncommitted copies too.
void wait(Warp &warp, const Inst &inst) {
  AsyncCopies &copies = blockOf(warp).asyncCopies;
  const auto lands = [&](const AsyncCopy &copy) {
    return warp.mask >> copy.lane & 1 &&
           (inst.combine || copy.group + inst.op < copies.openGroup(warp.index, copy.lane));
  };
  copies.take(warp.index, lands, [&](const AsyncCopy &copy) { land(warp, copy); });
}

/// The operands after the number of bytes: how many of them the source has, or a predicate that says whether
/// it is ignored; then a cache policy.
bool optionalOperands(Form &form, CopyData &data, bool hasPolicy) {
  size_t count = form.size();
  if (hasPolicy) {
    Row policy;
    --count;
    if (count < 3 || !form.source(count, Type::B64, policy))
      return false;
  }
  if (!form.expectOperands(3, hasPolicy ? 5 : 4))
    return false;
  if (count == 3)
    return true;
  if (form.operand(3).kind != Operand::Predicate)
    return form.source(3, Type::U32, data.sourceSize);
  return form.predicate(3, data.ignored, data.ignoredNegated);
}

bool decodeCopy(Form &form) {
  Inst &inst = form.inst;
  const bool all = form.take("ca");
  if (!all && !form.take("cg"))
    return false;
  const bool hasPolicy = form.take("L2::cache_hint");
  form.takeHints("L2::");
  if (!(form.take("shared") || form.take("shared::cta")) || !form.take("global"))
    return false;
  uint64_t bytes = 0;
  if (!form.expectOperands(3, 5) || !form.immediate(2, bytes, "a size of 4, 8 or 16"))
    return false;
  if (bytes != 16 && (!all || (bytes != 4 && bytes != 8)))
    return form.wrongOperand(2, all ? "a size of 4, 8 or 16" : "a size of 16");
  inst.bytes = uint8_t(bytes);
  inst.run = issue;
  inst.space = Space::Global;
  if (!form.address(1, 1))
    return false;
  if (inst.offset != int32_t(inst.offset))
    return form.wrongOperand(1, "an offset of 32 bits");
  auto &data = form.addData<CopyData>();
  data.sourceOffset = inst.offset; // the destination's offset takes the usual place
  inst.space = Space::Shared;
  return form.address(0, 0) && optionalOperands(form, data, hasPolicy);
}

} // namespace

bool decodeAsyncCopy(Form &form) {
  Inst &inst = form.inst;
  if (!form.take("async"))
    return false;
  if (form.take("bulk"))
    return decodeBulkCopy(form);
  if (form.take("commit_group")) {
    inst.run = commit;
    return form.expectOperands(0);
  }
  if (form.take("wait_all")) {
    inst.run = wait;
    inst.combine = 1;
    return form.expectOperands(0);
  }
  if (form.take("wait_group")) {
    inst.run = wait;
    return form.groupsLeft();
  }
  return decodeCopy(form);
}

} // namespace tegula::runtime::ptx
