// The place that a lane accesses, once it is found.
#pragma once

#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

namespace tegula::runtime::ptx {

/// Kind of a memory access, for checks and messages.
enum class AccessKind : uint8_t { Load, Store, Atomic };

inline const char *nameOf(AccessKind kind) {
  return kind == AccessKind::Load ? "load" : kind == AccessKind::Store ? "store" : "atomic";
}

/// The place that a lane accesses.
struct Target {
  Space space = Space::Global; ///< never Generic or Cluster
  uint8_t *bytes = nullptr;
  uint8_t *shadow = nullptr; ///< local and param: one byte a byte, 1 when defined
  Allocation *allocation = nullptr;
  uint64_t offset = 0;         ///< in the allocation, or the shared address
  BlockState *owner = nullptr; ///< of shared memory in another block of the cluster; else null
};

/// Returns how the race detectors see the lane's access by the warp's present instruction.
inline Access accessOf(const Warp &warp, uint32_t lane, bool strong) {
  return {warp.index, lane, warp.current->line, warp.serial, strong, warp.mask == warp.live};
}

} // namespace tegula::runtime::ptx
