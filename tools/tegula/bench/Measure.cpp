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
  Result<std::shared_ptr<jit::JitProgram>> loaded = program(file);
  if (!loaded)
    return loaded.error();
  return (*loaded)->source().configs(kernel, KernelSpec().target);
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
  Result<std::string> key = jit::choiceKey(request);
  if (!key)
    return key.error();
  if (!options.isAgain && !options.isSweep)
    if (const std::optional<jit::TunedChoice> choice = store.find(*key);
        choice && choice->config < request.configs.size()) {
      request.tried = {choice->config};
      row.isChosenEarlier = true;
    }
  Result<std::vector<jit::Trial>> trials = jit::tune(request);
  if (!trials)
    return trials.error();
  if (options.isSweep)
    row.trials = *trials;
  const jit::Trial *best = jit::fastest(*trials);
  if (best && request.tried.size() > 1)
    store.keep(*key,
               fmt::format("{} benched on {}: config {}", row.subject.label(),
                           request.device->properties().name, best->config),
               {best->config, best->times->median});
  return takeBest(row, *trials);
}

Result<void> count(Row &row, const jit::TuneRequest &request, runtime::EmulatorDevice &emulator) {
  const jit::TuneConfig &config = request.configs.front();
  Result<std::shared_ptr<jit::JitKernel>> kernel =
      jit::JitKernel::create(request.program, *request.kernel, config.options);
  if (!kernel)
    return kernel.error();
  Result<std::vector<HostValue>> values = request.arguments(**kernel);
  if (!values)
    return values.error();
  emulator.resetReport();
  if (Result<void> launched = (*kernel)->launch(request.device, config.grid, *values); !launched)
    return launched;
  if (Result<void> done = emulator.synchronize(); !done)
    return done;
  row.counts = emulator.report().total;
  row.sharedBytes = (*(*kernel)->prepare(request.device, *values))->image().sharedBytes;
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
  Result<const KernelInfo *> kernel = files.kernel(subject.file, subject.entry);
  if (!kernel)
    return kernel.error();
  if (Result<void> filled = arrays.fill(subject); !filled)
    return filled.error();
  request.program = *files.program(subject.file);
  request.kernel = *kernel;
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
  Result<void> done = emulator ? count(row, request, *emulator) : time(row, request, options);
  if (!done)
    return done.error();
  return row;
}

} // namespace tegula::cli::bench
