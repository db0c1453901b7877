// One lane's access to memory: from an address to host bytes, with every check on the way.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <optional>

namespace tegula::runtime::ptx {

/// Kind of a memory access, for checks and messages.
enum class AccessKind : uint8_t { Load, Store, Atomic };

/// The place that a lane accesses.
struct Target {
  Space space = Space::Global; ///< never Generic
  uint8_t *bytes = nullptr;
  uint8_t *shadow = nullptr; ///< local and param: one byte a byte, 1 when defined
  Allocation *allocation = nullptr;
  uint64_t offset = 0; ///< in the allocation, or the shared address
  BlockState *owner =
      nullptr; ///< of shared memory: the other block of the cluster that it belongs to, or null
};

/// The shared memory at `address`, which lies inside of the block's.
Target sharedTarget(Warp &warp, uint64_t address);

/// Returns how the race detectors see the lane's access by the warp's present instruction.
inline Access accessOf(const Warp &warp, uint32_t lane, bool strong) {
  return {warp.index, lane, warp.current->line, warp.serial, strong, warp.mask == warp.live};
}

/// Resolves `address` of `space` for `count` bytes and checks space, bounds and alignment. False
/// after a fault.
bool locate(Warp &warp, uint32_t lane, Space space, uint64_t address, uint32_t count, AccessKind kind,
            Target &target);

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
