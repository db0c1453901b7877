#include "runtime/emulator/Schedules.h"

#include <fmt/format.h>

namespace tegula::runtime {

Result<void> runUnderSchedules(ptx::GlobalMemory &memory, uint32_t schedules, uint64_t firstSeed,
                               const std::function<Result<void>(uint32_t schedule, uint64_t seed)> &run) {
  ptx::GlobalMemory::Snapshot before;
  if (schedules > 1)
    before = memory.save();
  for (uint32_t schedule = 0; schedule < schedules; ++schedule) {
    if (schedule)
      memory.restore(before);
    const uint64_t seed = firstSeed + schedule;
    Result<void> done = run(schedule, seed);
    if (done)
      continue;
    if (schedules > 1 && done.error().kind == ErrorKind::Fault)
      done.error().text += fmt::format(" (schedule {})", seed);
    return done;
  }
  return {};
}

} // namespace tegula::runtime
