// One lane's access to memory: from an address to host bytes, with every check on the way.
#pragma once

#include "runtime/emulator/warp/Target.h"

#include <optional>

namespace tegula::runtime::ptx {

/// The shared memory at `address`, which lies inside of the block's.
Target sharedTarget(Warp &warp, uint64_t address);

/// Resolves `address` of `space` for `count` bytes and checks space, bounds and alignment. False
/// after a fault.
bool locate(Warp &warp, uint32_t lane, Space space, uint64_t address, uint32_t count, AccessKind kind,
            Target &target);

/// Calls `body(lane, target)` for the executing lanes until one faults, with the place that the address in
/// `src[0]` of `inst` leads to.
template <typename Body>
void forTargets(Warp &warp, const Inst &inst, Space space, uint32_t count, AccessKind kind, Body body) {
  const uint64_t *addresses = warp.row(inst.src[0]);
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint64_t address = addresses[lane] + uint64_t(inst.offset);
    Target target;
    if (!warp.faulted() && locate(warp, lane, space, address, count, kind, target))
      body(lane, target);
  });
}

/// Checks a read of the target: initialised, and no race. False after a fault. `actor` is the lane whose
/// access it is, or `wholeWarp` where the address is one lane's and the value others'; by default it is
/// `lane`.
bool beforeRead(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                std::optional<uint32_t> actor = {});
/// The same for a write of `values`; marks the bytes as initialised.
bool beforeWrite(Warp &warp, uint32_t lane, const Target &target, uint32_t count, bool strong,
                 const uint8_t *values, std::optional<uint32_t> actor = {});
/// The same for shared memory that an agent will have written later on (`Clocks`), which the lane sets off.
bool beforeFill(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const uint8_t *values,
                uint32_t agent);
/// Returns true if units see all writes to the target so far: a fence between proxies follows them. Otherwise
/// a fault says that `unit` `verb` ("reads") it.
bool isPublished(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit,
                 const char *verb);
/// Checks a read of shared memory by a unit, which must be published.
bool beforeUnitRead(Warp &warp, uint32_t lane, const Target &target, uint32_t count, const char *unit);

/// The fault of an access of the warp's present instruction that races with an earlier one. Returns false.
bool faultConflict(Warp &warp, uint32_t lane, const Conflict &conflict, bool write, const char *space);

/// Acquires and releases at the target of a strong access, by the order that `inst` names. The caller ticks
/// once the instruction is done.
void synchronizeAt(Warp &warp, const Inst &inst, const Target &target, bool reads, bool writes);

} // namespace tegula::runtime::ptx
