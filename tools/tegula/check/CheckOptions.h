// Options of a check.
#pragma once

#include "compiler/driver/Stage.h"
#include "tools/tegula/check/DocLines.h"
#include "tools/tegula/check/RecordedLaunches.h"

#include <functional>
#include <string>

namespace tegula::cli {

struct CheckOptions {
  std::string target;               ///< architecture
  Stage stage = Stage::Distributed; ///< where compilations end
  bool remarks = false;             ///< missed optimisations are wanted
  unsigned attempts = 24;           ///< further compilations that a kernel may take to find a better guess
  ReadCommand readCommand;          ///< of the docstrings' commands
  std::shared_ptr<RecordedLaunches> recorded; ///< or null
  std::function<bool()> isStopped;            ///< asked between compilations; absent: never
};

} // namespace tegula::cli
