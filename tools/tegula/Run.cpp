// `tegula run`.
#include "compiler/cost/EstimateText.h"
#include "compiler/frontend/syntax/text/Excerpt.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/OpenDevice.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/ArrayText.h"
#include "tools/tegula/arguments/GridText.h"
#include "tools/tegula/arguments/ImageArguments.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/Npy.h"
#include "tools/tegula/arguments/RunArguments.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/ProgressLine.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"
#include "tools/tegula/tune/TunedConfig.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

namespace {

/// One run, from checked options to printed results.
class Run {
public:
  explicit Run(const RunCommand &command) : command(command) {}

  Result<int> work() {
    TRY(check());
    TRY(launch());
    TRY(finish());
    return int(Done);
  }

private:
  /// Everything that can be checked without a launch.
  Result<void> check();
  /// Loads, launches and waits.
  Result<void> launch();
  /// Prints and saves what was asked for.
  Result<void> finish();
  Result<void> checkOptions();
  Result<void> readGrid(const Names &names);
  Result<void> readKernel();
  Result<void> checkNames();
  Result<void> open();
  Result<void> takeTuned(std::vector<jit::TuneConfig> configs);
  Result<void> launchKernel();
  Result<void> launchImage();
  void showSource(runtime::Error &error) const;
  Result<void> report();
  Result<std::string> modelText();
  std::string sourceText() const;

  const RunCommand &command;
  runtime::Grid grid;
  uint64_t seed = 0;
  Input input;
  KernelChoice choice;              ///< of a file of kernels
  std::optional<KernelImage> image; ///< of a file that is compiled already
  KernelInfo imageInfo;             ///< the kernel of `image`, which `choice` names then
  std::shared_ptr<runtime::LoadedKernel> loadedImage;
  std::map<std::string, ParsedArgument> arguments;
  std::vector<std::pair<std::string, std::string>> saves; ///< array and path
  std::shared_ptr<runtime::Device> device;
  std::optional<DeviceArguments> deviceArguments;
  const runtime::LoadedKernel *loaded = nullptr;
  std::shared_ptr<jit::JitKernel> kernel;
};

Result<void> Run::checkOptions() {
  // One that is computed from the arguments comes after them.
  if (!isExpression(command.grid))
    TRY(readGrid({}));
  seed = TRY(parseSeed(command.seed));
  TRY(checkReport(command.report));
  if (command.device == "interpret" && !command.report.empty())
    return usageError("--report needs a device that counts: cuda or emulator, not interpret");
  return {};
}

Result<void> Run::readGrid(const Names &names) {
  grid = TRY(gridOf(command.grid, names));
  return {};
}

/// The kernel that the file has and that was chosen, or the one that it is.
Result<void> Run::readKernel() {
  input = TRY(readInput(command));
  if (!input.stage) {
    std::shared_ptr<jit::JitProgram> program = TRY(parseKernels(command, input));
    choice = TRY(chooseKernel(command, program));
    return {};
  }
  TRY(cli::checkOptions(command, input));
  image = TRY(imageOf(input));
  imageInfo = describeImage(*image);
  choice.kernel = &imageInfo;
  return {};
}

Result<void> Run::check() {
  TRY(checkOptions());
  TRY(readKernel());
  std::vector<jit::TuneConfig> configs;
  if (!image && command.config == tunedConfig) {
    configs = TRY(tuneConfigs(choice));
    choice.options = configs.front().options; // every config gives the same names
  }
  arguments = TRY(readArguments(command.arguments, choice));
  bindPassed(arguments, choice.options);
  for (jit::TuneConfig &config : configs)
    bindPassed(arguments, config.options);
  if (!configs.empty())
    TRY(takeTuned(std::move(configs)));
  // What an argument gives is not computed.
  for (const std::string &name : choice.kernel->tuning.heuristics)
    if (auto found = arguments.find(name);
        found != arguments.end() && std::holds_alternative<HostValue>(found->second.value)) {
      BoundValue value = TRY(
          jit::constexprOf(*findParameter(*choice.kernel, name), std::get<HostValue>(found->second.value)));
      choice.options.constexprs.insert_or_assign(name, std::move(value));
    }
  if (isExpression(command.grid)) {
    Names names = TRY(namesOf(*choice.kernel, choice.options, arguments));
    TRY(readGrid(names));
  }
  return checkNames();
}

Result<void> Run::checkNames() {
  std::vector<std::string> known;
  for (const auto &[name, argument] : arguments)
    if (std::holds_alternative<ArrayArgument>(argument.value))
      known.push_back(name);
  auto checkArray = [&](const std::string &name, const char *option) -> Result<void> {
    if (std::find(known.begin(), known.end(), name) == known.end())
      return usageError(
          fmt::format("`{}` after `{}` is no array argument{}", name, option, didYouMean(name, known)));
    return {};
  };
  for (const std::string &name : command.prints)
    TRY(checkArray(name, "--print"));
  for (const std::string &text : command.saves) {
    std::pair<std::string, std::string> save = TRY(splitAssignment(text, "--save"));
    TRY(checkArray(save.first, "--save"));
    saves.push_back(std::move(save));
  }
  return {};
}

Result<void> Run::open() {
  device = TRY(jit::openDevice(command.device));
  deviceArguments.emplace(device, arguments, seed);
  return {};
}

/// The values of the config that `tegula tune` chose, which depends on the device.
Result<void> Run::takeTuned(std::vector<jit::TuneConfig> configs) {
  TRY(open());
  choice.options = TRY(tunedOptions(tuneRequest(choice, std::move(configs), device, *deviceArguments)));
  return {};
}

Result<void> Run::launch() {
  if (!device)
    TRY(open());
  Result<void> done;
  {
    const ProgressLine line(*device);
    done = image ? launchImage() : launchKernel();
    if (done)
      done = device->synchronize();
  }
  jit::showPrintedText(*device); // also what was printed before a fault
  return done;
}

Result<void> Run::launchKernel() {
  kernel = TRY(jit::JitKernel::create(choice.program, *choice.kernel, choice.options));
  std::vector<HostValue> values = TRY(deviceArguments->valuesOf(kernel->parameters()));
  // Loaded first and by itself: the report asks the kernel afterwards.
  const jit::Variant *prepared = TRY(kernel->prepare(device, values));
  say(render(choice.program->source().takeMessages()));
  loaded = prepared->kernel.get();
  return kernel->launch(device, grid, values);
}

Result<void> Run::launchImage() {
  std::vector<HostValue> values = TRY(deviceArguments->valuesOf(imageInfo.parameters));
  std::vector<std::byte> block = TRY(packArguments(*image, values));
  loadedImage = TRY(device->load(*image));
  loaded = loadedImage.get();
  Result<void> launched = device->launch(*loadedImage, grid, block);
  if (!launched)
    showSource(launched.error());
  return launched;
}

/// Adds the line that a fault of compiled code names, where the file can still be read.
void Run::showSource(runtime::Error &error) const {
  if (!error.place.line || error.place.file != loaded->image().sourceFile)
    return;
  const SourceFile source(error.place.file, sourceText());
  std::string shown = excerpt(source.lineText(error.place.line), error.place.column);
  if (shown.empty())
    return;
  shown.pop_back(); // the last newline
  error.text += "\n" + shown;
}

Result<void> Run::finish() {
  std::map<std::string, std::vector<std::byte>> contents;
  auto contentsOf = [&](const std::string &name) -> Result<std::span<const std::byte>> {
    auto found = contents.find(name);
    if (found == contents.end()) {
      std::vector<std::byte> data = TRY(deviceArguments->arrays().at(name)->download());
      found = contents.emplace(name, std::move(data)).first;
    }
    return std::span<const std::byte>(found->second);
  };
  for (const auto &[name, path] : saves) {
    std::span<const std::byte> data = TRY(contentsOf(name));
    const std::string_view bytes(reinterpret_cast<const char *>(data.data()), data.size());
    TRY(runtime::writeFile(path, formatNpy(deviceArguments->arrays().at(name)->type,
                                           deviceArguments->arrays().at(name)->shape, bytes)));
  }
  for (const std::string &name : command.prints) {
    std::span<const std::byte> data = TRY(contentsOf(name));
    printOut("{}: {}\n", name,
             formatArray(deviceArguments->arrays().at(name)->type, deviceArguments->arrays().at(name)->shape,
                         data));
  }
  return command.report.empty() ? Result<void>() : report();
}

/// The text that the lines of the kernel's code are numbered in, where it can still be read.
std::string Run::sourceText() const {
  const std::string &path = loaded->image().sourceFile;
  if (path == input.path)
    return input.text;
  Result<std::string> text = runtime::readFile(path, SourceFile::maxBytes);
  return text ? *text : "";
}

/// Says what the model that ranks configs makes of the launch.
Result<std::string> Run::modelText() {
  std::vector<HostValue> values = TRY(deviceArguments->valuesOf(kernel->parameters()));
  const jit::Estimation found = TRY(kernel->estimate(device, grid, values));
  return fmt::format("model: {}\n",
                     found.terms ? cost::text(found.estimate) : "does not know, as " + found.unknown);
}

Result<void> Run::report() {
  const bool json = asksForJson(command.report);
  std::string text;
  if (auto *emulator = dynamic_cast<runtime::EmulatorDevice *>(device.get())) {
    const runtime::EmulatorReport counted = emulator->report();
    text = json ? countersReport(counted).text()
                : formatCounters(counted, loaded->image().sourceFile, sourceText());
  } else {
    const std::string &name = device->properties().name;
    text = json ? resourcesReport(name, *loaded).text() : formatResources(name, *loaded);
  }
  if (kernel && !json)
    text += TRY(modelText());
  return deliverReport(command.report, text, writeOut);
}

} // namespace

int runCommand(const RunCommand &command) {
  if (command.grid.empty())
    return failUsage("expected a grid: --grid=X[,Y[,Z]]", "run");
  return statusOf(Run(command).work());
}

} // namespace tegula::cli
