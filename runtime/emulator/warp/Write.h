// A write of one lane, as observers are told of it.
#pragma once

#include "runtime/emulator/warp/Observer.h"
#include "runtime/emulator/warp/Target.h"

namespace tegula::runtime::ptx {

/// Says how bytes change.
enum class WriteKind : uint8_t {
  Store, ///< they become the operands: a store, an exchange, a copy
  Swap,  ///< so that it matters what was there, as of a compare-and-swap that succeeds
  Add,
  And,
  Or,
  Xor,
  Min, ///< of numbers with a sign, as are floats
  Max,
  UMin,
  UMax
};

/// A write of one lane to global memory or to shared memory, before the bytes change.
struct Write {
  Warp &warp;
  uint32_t lane;
  const Inst &inst; ///< that stores, or that has set off the copy
  const Target &target;
  uint32_t bytes;
  const uint8_t
      *operands; ///< as many bytes: what is stored, or what an atomic operation combines memory with
  WriteKind kind = WriteKind::Store;
};

/// Tells the observer, if there is one, of what a lane is about to write.
inline void tellObserver(const Write &write) {
  if (Observer *observer = write.warp.block->launch.observer)
    observer->writes(write);
}

} // namespace tegula::runtime::ptx
