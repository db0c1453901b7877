// Output of `tegula tune`: a table, JSON.
#pragma once

#include "compiler/frontend/Tuning.h"
#include "runtime/jit/tune/TunedChoice.h"

#include <string>
#include <vector>

namespace tegula::cli {

struct TuneResult {
  std::string kernel, device;
  std::vector<KernelConfig> configs;
  std::vector<jit::Trial> trials;          ///< by config
  std::optional<jit::TunedChoice> earlier; ///< what an earlier run found, instead of trials
  std::string keptIn;                      ///< the folder that has the choice now; empty where none has
};

/// A row for each config, the fastest marked, and what to say to take that one.
std::string formatTuning(const TuneResult &result);
std::string tuneJson(const TuneResult &result);

} // namespace tegula::cli
