// State that all launches of a fabric share.
#pragma once

#include "runtime/emulator/memory/FabricOrder.h"

#include "dialect/image/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {

struct LaunchContext;

struct FabricState {
  FabricOrder order;
  std::vector<LaunchContext *> launches; ///< by their numbers, since the devices were waited for last

  /// The first race. What is missing may show later, in how the two devices signal to each other: so the
  /// launches go on for a while.
  struct Race {
    FabricConflict conflict;
    std::string text; ///< up to what is missing
    SourcePlace place;
    FabricReason reason;
    uint64_t signalsSeen = 0; ///< when `reason` was looked for
  } race;
  /// The first read of another device's memory that nothing has written. A write that comes too late makes a
  /// race of it.
  struct Unwritten {
    std::string text;
    SourcePlace place;
    uint32_t device = 0;
  } unwritten;
};

} // namespace tegula::runtime::ptx
