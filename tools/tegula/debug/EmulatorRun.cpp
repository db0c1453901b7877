#include "tools/tegula/debug/EmulatorRun.h"

#include "runtime/emulator/warp/Observer.h"
#include "runtime/emulator/warp/Write.h"
#include "tools/tegula/arguments/ImageArguments.h"
#include "tools/tegula/debug/EmulatedLaunch.h"
#include "tools/tegula/debug/EmulatedMemory.h"
#include "tools/tegula/debug/EmulatedPrograms.h"
#include "tools/tegula/debug/Expectation.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::cli {

using debug::StoreKind;
using runtime::Result;
using runtime::ptx::Write;
using runtime::ptx::WriteKind;

namespace {

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

void StoreRecorder::prepare(std::vector<debug::Array> arrays, const LaunchedPrograms &launched) {
  log.arrays = std::move(arrays);
  log.knowsPrograms = !launched.isPersistent;
  programs = launched;
}

bool StoreRecorder::launchBegins(runtime::ptx::LaunchContext &launch) {
  ++runs;
  read = globalReader(launch.memory);
  return true;
}

StoreKind kindOf(WriteKind kind) {
  // The two list the same kinds.
  static_assert(int(StoreKind::Swap) == int(WriteKind::Swap) && int(StoreKind::Xor) == int(WriteKind::Xor) &&
                int(StoreKind::UMax) == int(WriteKind::UMax));
  return StoreKind(kind);
}

void StoreRecorder::writes(const Write &write) {
  if (runs != 1 || write.target.space != runtime::ptx::Space::Global)
    return;
  debug::LoggedStore store{.at = write.inst.line,
                           .thread = write.warp.index * runtime::ptx::lanes + write.lane,
                           .kind = kindOf(write.kind)};
  if (const auto program = numberOf(*write.warp.block, write.warp.index, programs))
    store.program =
        program->x + uint64_t(programs.grid.x) * (program->y + uint64_t(programs.grid.y) * program->z);
  log.add(store, write.target.allocation->base + write.target.offset, write.bytes, write.operands, read);
}

/// Loads the code in `file`, that of the kernel which is debugged.
Result<EmulatedLaunch> prepareFile(const std::string &file, const LaunchInput &words,
                                   const std::shared_ptr<runtime::Device> &device,
                                   DeviceArguments &arguments) {
  KernelOptions options;
  options.file = file;
  const Input input = TRY(readInput(options));
  if (!input.stage)
    return usageError(
        fmt::format("expected PTX behind `--against=`, found `{}`, which is a file of kernels", file));
  const KernelImage image = TRY(imageOf(input));
  const KernelInfo kernel = describeImage(image);
  if (kernel.name != words.choice.kernel->name)
    return usageError(fmt::format("`{}` holds the kernel `{}`, but `{}` is debugged", file, kernel.name,
                                  words.choice.kernel->name));
  for (const ParameterInfo &parameter : kernel.parameters)
    if (!words.arguments.count(parameter.name))
      return usageError(fmt::format("`{}` needs a value for `{}`", file, parameter.name));
  return prepareImage(image, words, device, arguments);
}

/// Returns the median magnitude of an array's elements, at least 1: sums of large numbers are rounded by
/// more.
double magnitudeOf(const debug::Expected &array) {
  std::vector<double> sizes;
  for (uint64_t i = 0; isFloatKind(array.type) && i < array.array.elements(); ++i)
    if (const double size = std::fabs(array.at(i).real); std::isfinite(size))
      sizes.push_back(size);
  if (sizes.empty())
    return 1;
  const auto middle = sizes.begin() + ptrdiff_t(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  return std::max(1.0, *middle);
}

} // namespace

Result<EmulatorRun> runOnEmulator(const LaunchInput &words, const std::string &file) {
  StoreRecorder recorder;
  const std::shared_ptr<runtime::Device> device = TRY(openObserved("emulator:3", recorder));
  DeviceArguments made(device, words.arguments, words.seed);
  const EmulatedLaunch launch =
      TRY(file.empty() ? prepareKernel(words, device, made) : prepareFile(file, words, device, made));
  recorder.prepare(words.arraysOf(made), {words.grid, launch.kernel->image()});
  Result<void> done = launch.run();
  if (done)
    done = device->synchronize();
  EmulatorRun run;
  if (!done) {
    run.note = "on the emulator: " + done.error().text;
    return run;
  }
  run.note = "the emulator has run the launch";
  run.stores = std::move(recorder.log);
  for (const auto &[name, array] : made.arrays()) {
    debug::Expected one{{name, 0, array->type, array->shape}, array->type, TRY(array->download())};
    one.tolerance = roundingOf(array->type, magnitudeOf(one));
    run.expected.push_back(std::move(one));
  }
  return run;
}

} // namespace tegula::cli
