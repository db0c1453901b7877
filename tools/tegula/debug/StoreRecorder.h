// Notes what a launch on the emulator writes to its arrays.
#pragma once

#include "compiler/debug/StoreLog.h"
#include "runtime/emulator/warp/Observer.h"
#include "tools/tegula/debug/EmulatedPrograms.h"

namespace tegula::cli {

/// Observes launches of one kernel, and notes the writes of the first run: others are the same launch under
/// other schedules.
class StoreRecorder final : public runtime::ptx::Observer {
public:
  /// To be called before the launch.
  void prepare(std::vector<debug::Array> arrays, const LaunchedPrograms &launched);

  // runtime::ptx::Observer
  bool launchBegins(runtime::ptx::LaunchContext &launch) override;
  void blockBegins(runtime::ptx::BlockState &, std::span<runtime::ptx::Warp>) override {}
  bool before(runtime::ptx::Warp &) override { return true; }
  void writes(const runtime::ptx::Write &write) override;
  void blockEnds(runtime::ptx::BlockState &) override {}
  void faulted(runtime::ptx::LaunchContext &) override {}

  debug::StoreLog log; ///< stores are at lines of the PTX

private:
  LaunchedPrograms programs;
  debug::ReadMemory read; ///< of the launch
  uint32_t runs = 0;
};

} // namespace tegula::cli
