// What `tegula tune` shows: progress, a table, JSON.
#pragma once

#include "compiler/frontend/Tuning.h"
#include "runtime/jit/TunedChoice.h"

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

/// While this lives, a line on standard error, where that is a terminal, says which config is measured.
class TuneProgress {
public:
  explicit TuneProgress(size_t configs);
  ~TuneProgress();
  TuneProgress(const TuneProgress &) = delete;
  TuneProgress &operator=(const TuneProgress &) = delete;
  void show(size_t config) const;

private:
  size_t configs;
  bool watched;
};

} // namespace tegula::cli
