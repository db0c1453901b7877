#include "tools/tegula/bench/Measure.h"

#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/jit/tune/TunedChoice.h"
#include "tools/tegula/bench/Arrays.h"

#include <fmt/format.h>

#include <numeric>

namespace tegula::cli::bench {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

Result<std::shared_ptr<jit::JitProgram>> KernelFiles::program(const std::string &file) {
  std::shared_ptr<jit::JitProgram> &place = programs[file];
  if (place)
    return place;
  Result<std::shared_ptr<jit::JitProgram>> loaded = jit::JitProgram::load(path + "/" + file + ".py");
  if (loaded)
    place = *loaded;
  return loaded;
}

Result<const KernelInfo *> KernelFiles::kernel(const std::string &file, const std::string &name) {
  Result<std::shared_ptr<jit::JitProgram>> loaded = program(file);
  return loaded ? (*loaded)->source().find(name) : Result<const KernelInfo *>(loaded.error());
}

Result<std::vector<KernelConfig>> KernelFiles::configs(const std::string &file, const std::string &kernel) {
  std::shared_ptr<jit::JitProgram> loaded = TRY(program(file));
  return loaded->source().configs(kernel, KernelSpec().target);
}

namespace {

/// The best of the trials as our side; Compile with the first reason where none worked.
Result<void> takeBest(Row &row, const std::vector<jit::Trial> &trials) {
  const jit::Trial *best = jit::fastest(trials);
  if (!best)
    return Error{ErrorKind::Compile, fmt::format("error: {}: no config works: {}\n", row.subject.label(),
                                                 trials.empty() ? "there is none" : trials.front().skipped)};
  row.registers = best->registers;
  row.spillBytes = best->spillBytes;
  row.sharedBytes = best->sharedBytes;
  row.sides.push_back({"Tegula", best->times->median, best->times->low, best->times->high, std::nullopt,
                       configText(row.subject.configs[best->config])});
  return {};
}

Result<void> time(Row &row, jit::TuneRequest &request, const MeasureOptions &options) {
  jit::ChoiceStore store;
  std::string key = TRY(jit::choiceKey(request));
  if (!options.isAgain && !options.isSweep)
    if (const std::optional<jit::TunedChoice> choice = store.find(key);
        choice && choice->config < request.configs.size()) {
      request.tried = {choice->config};
      row.isChosenEarlier = true;
    }
  std::vector<jit::Trial> trials = TRY(jit::tune(request));
  if (options.isSweep)
    row.trials = trials;
  const jit::Trial *best = jit::fastest(trials);
  if (best && request.tried.size() > 1)
    store.keep(key,
               fmt::format("{} benched on {}: config {}", row.subject.label(),
                           request.device->properties().name, best->config),
               {best->config, best->times->median});
  return takeBest(row, trials);
}

Result<void> count(Row &row, const jit::TuneRequest &request, runtime::EmulatorDevice &emulator) {
  const jit::TuneConfig &config = request.configs.front();
  std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(request.program, *request.kernel, config.options));
  std::vector<HostValue> values = TRY(request.arguments(*kernel));
  emulator.resetReport();
  TRY(kernel->launch(request.device, config.grid, values));
  TRY(emulator.synchronize());
  row.counts = emulator.report().total;
  row.sharedBytes = (*kernel->prepare(request.device, values))->image().sharedBytes;
  return {};
}

} // namespace

Result<Row> measure(const Case &subject, KernelFiles &files, const std::shared_ptr<runtime::Device> &device,
                    const MeasureOptions &options) {
  Row row;
  row.subject = subject;
  Arrays arrays(device);
  jit::TuneRequest request;
  request.device = device;
  const KernelInfo *kernel = TRY(files.kernel(subject.file, subject.entry));
  TRY(arrays.fill(subject));
  request.program = *files.program(subject.file);
  request.kernel = kernel;
  request.configs = subject.configs;
  request.tried.resize(subject.configs.size());
  std::iota(request.tried.begin(), request.tried.end(), 0);
  request.arguments = [&](const jit::JitKernel &) -> Result<std::vector<HostValue>> {
    return arrays.values();
  };
  request.problem = subject.label();
  request.milliseconds = options.milliseconds;
  request.warmupMilliseconds = options.milliseconds / 4;
  auto *emulator = dynamic_cast<runtime::EmulatorDevice *>(device.get());
  TRY(emulator ? count(row, request, *emulator) : time(row, request, options));
  return row;
}

} // namespace tegula::cli::bench
