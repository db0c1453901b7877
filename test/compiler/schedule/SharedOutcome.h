// The shared memory that a plan says a kernel needs, next to what `allocate-shared` then gives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tegula::test {

struct SharedOutcome {
  uint64_t predicted = 0;   ///< bytes of a block, by `plan-loops`
  uint64_t available = 0;   ///< that it has
  uint64_t needed = 0;      ///< that it takes when nothing is apart to save barriers
  uint64_t allocated = 0;   ///< that it gets; 0 where there is too little
  uint64_t forBarriers = 0; ///< that it may take to save barriers
};

/// Schedules and lowers `text`, a kernel of the `distributed` stage, up to `allocate-shared`. Nothing if a
/// pass before that fails.
std::optional<SharedOutcome> sharedOutcomeOf(const std::string &text);

/// Returns how `outcome` breaks the law, or nothing where it holds: what is predicted to fit is allocated,
/// never more than predicted but to save barriers, and at most `mostSurplus` bytes less.
std::optional<std::string> brokenBy(const SharedOutcome &outcome, uint64_t mostSurplus);

} // namespace tegula::test
