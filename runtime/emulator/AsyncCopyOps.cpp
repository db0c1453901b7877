// cp.async: copies to shared memory that land when their group is waited for.
//
// The emulator takes the source bytes at once and writes the shared bytes as late as the program
// allows, at the wait; touching them before is an error.

#include "runtime/emulator/Access.h"
#include "runtime/emulator/Decode.h"

#include <cstring>

namespace tegula::runtime::ptx {

namespace {

bool readSource(Warp &warp, const Inst &inst, uint32_t lane, AsyncCopy &copy, Traffic &traffic) {
  uint64_t wanted = inst.bytes;
  if (inst.src[2] != noRow)
    wanted = std::min<uint64_t>(warp.row(inst.src[2])[lane], inst.bytes);
  copy.data.fill(0);
  if (wanted == 0)
    return true;
  const uint64_t address = warp.row(inst.src[1])[lane] + uint64_t(int64_t(int32_t(inst.target)));
  Target source;
  if (!locate(warp, lane, Space::Global, address, inst.bytes, AccessKind::Load, source) ||
      !beforeRead(warp, lane, source, uint32_t(wanted), false))
    return false;
  std::memcpy(copy.data.data(), source.bytes, wanted);
  traffic.setLane(lane);
  traffic.add(source, address);
  return true;
}

void issue(Warp &warp, const Inst &inst) {
  if (!warp.requireDefined(inst.src[0], "an address") || !warp.requireDefined(inst.src[1], "an address") ||
      (inst.src[2] != noRow && !warp.requireDefined(inst.src[2], "a size")))
    return;
  Traffic traffic;
  forLanes(warp.mask, [&](uint32_t lane) {
    if (warp.faulted())
      return;
    AsyncCopy copy{lane, inst.line, 0, inst.bytes, {}};
    const uint64_t address = warp.row(inst.src[0])[lane] + uint64_t(inst.offset);
    Target target;
    if (!locate(warp, lane, Space::Shared, address, inst.bytes, AccessKind::Store, target) ||
        !readSource(warp, inst, lane, copy, traffic))
      return;
    copy.address = uint32_t(target.offset);
    if (!beforeWrite(warp, lane, target, inst.bytes, false, copy.data.data()))
      return;
    warp.block->shared.setPending(target.offset, inst.bytes, true);
    warp.asyncOpen.push_back(copy);
  });
  if (!warp.faulted())
    traffic.count(warp, inst.bytes, false);
}

void land(Warp &warp, const std::vector<AsyncCopy> &copies) {
  SharedMemory &shared = warp.block->shared;
  for (const AsyncCopy &copy : copies) {
    shared.setPending(copy.address, copy.bytes, false);
    std::memcpy(shared.data() + copy.address, copy.data.data(), copy.bytes);
    shared.write({warp.index, copy.lane, copy.line, warp.serial, false}, copy.address, copy.bytes,
                 copy.data.data());
  }
}

void commit(Warp &warp, const Inst &) {
  warp.asyncGroups.push_back(std::move(warp.asyncOpen));
  warp.asyncOpen.clear();
}

/// Groups beyond the newest `op` land; wait_all (`combine`) takes the uncommitted copies too.
void wait(Warp &warp, const Inst &inst) {
  size_t landing = warp.asyncGroups.size();
  landing -= std::min<size_t>(landing, inst.op);
  for (size_t i = 0; i < landing; ++i)
    land(warp, warp.asyncGroups[i]);
  warp.asyncGroups.erase(warp.asyncGroups.begin(), warp.asyncGroups.begin() + long(landing));
  if (inst.combine) {
    land(warp, warp.asyncOpen);
    warp.asyncOpen.clear();
  }
}

bool decodeCopy(Form &form) {
  Inst &inst = form.inst;
  const bool all = form.take("ca");
  if (!all && !form.take("cg"))
    return false;
  while (form.takeWhere([](std::string_view name) { return name.starts_with("L2::"); })) {
  }
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
  inst.target = uint32_t(int32_t(inst.offset)); // the destination's offset takes the usual place
  inst.space = Space::Shared;
  inst.src[2] = noRow;
  if (form.size() > 3 && form.operand(3).kind == Operand::Predicate)
    return false;
  return form.address(0, 0) && (form.size() == 3 || form.source(3, Type::U32, inst.src[2]));
}

} // namespace

bool decodeAsyncCopy(Form &form) {
  Inst &inst = form.inst;
  if (!form.take("async"))
    return false;
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
    uint64_t groups = 0;
    inst.run = wait;
    if (!form.expectOperands(1) || !form.immediate(0, groups, "a number of groups"))
      return false;
    inst.op = uint8_t(std::min<uint64_t>(groups, 255));
    return true;
  }
  return decodeCopy(form);
}

} // namespace tegula::runtime::ptx
