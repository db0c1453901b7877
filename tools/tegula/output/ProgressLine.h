// The line that tells how far a long run has come.
#pragma once

#include "runtime/device/Device.h"

#include <chrono>
#include <string>
#include <string_view>

namespace tegula::cli {

/// A line on standard error, where that is a terminal, that says which step is at work; it goes away in the
/// end.
class StepLine {
public:
  StepLine();
  ~StepLine();
  StepLine(const StepLine &) = delete;
  StepLine &operator=(const StepLine &) = delete;
  void show(std::string_view text);

private:
  bool watched, shown = false;
};

/// While this lives, launches on the emulator and the interpreter that take longer than a second show on
/// standard error how many programs are done, where that is a terminal. The line goes away in the end.
class ProgressLine {
public:
  explicit ProgressLine(runtime::Device &device);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

private:
  void show(uint64_t done, uint64_t total);

  runtime::Device *device = nullptr; ///< null without a watcher
  std::chrono::steady_clock::time_point start;
  StepLine line;
};

} // namespace tegula::cli
