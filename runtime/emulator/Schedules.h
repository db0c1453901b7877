// Runs of the same launches under several schedules, each from the same memory.
#pragma once

#include "dialect/image/Result.h"
#include "runtime/emulator/memory/GlobalMemory.h"

#include <cstdint>
#include <functional>

namespace tegula::runtime {

/// Calls `run` with a schedule's number and its seed, for `schedules` of them from `firstSeed` on, and puts
/// `memory` back in between. Errors: the first that `run` gives; a fault names its schedule where there are
/// several.
Result<void> runUnderSchedules(ptx::GlobalMemory &memory, uint32_t schedules, uint64_t firstSeed,
                               const std::function<Result<void>(uint32_t schedule, uint64_t seed)> &run);

} // namespace tegula::runtime
