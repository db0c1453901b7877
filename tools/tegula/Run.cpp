// `tegula run`.
#include "compiler/cost/EstimateText.h"
#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/OpenDevice.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/ArrayText.h"
#include "tools/tegula/arguments/FabricArguments.h"
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

/// In the name of a file: the number of a rank.
constexpr std::string_view rankInPath = "{rank}";

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
  /// A device, and what its launch gets.
  struct Rank {
    std::shared_ptr<runtime::Device> device;
    std::unique_ptr<DeviceArguments> arguments;
    std::vector<HostValue> values = {}; ///< of the kernel's parameters
  };

  /// Everything that can be checked without a launch.
  Result<void> check();
  /// Loads, launches and waits.
  Result<void> launch();
  /// Prints and saves what was asked for.
  Result<void> finish();
  Result<void> checkOptions();
  Result<void> readKernel();
  Result<void> checkNames();
  Result<void> open();
  Result<void> takeTuned(std::vector<jit::TuneConfig> configs);
  Result<void> makeValues();
  Result<void> launchKernel(Rank &rank);
  Result<void> launchImage(Rank &rank);
  void showSource(runtime::Error &error) const;
  Result<void> finishRank(uint32_t rank);
  /// The elements of a rank's array.
  Result<NpyArray> contentsOn(uint32_t rank, const std::string &name);
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
  std::vector<std::shared_ptr<runtime::LoadedKernel>> loadedImages; ///< of `image`, by rank
  std::map<std::string, ParsedArgument> arguments;
  std::vector<std::pair<std::string, std::string>> saves; ///< array and path
  std::shared_ptr<runtime::Fabric> fabric;                ///< null where there is one rank
  std::unique_ptr<FabricArguments> shared;                ///< of the fabric
  std::vector<Rank> ranks;
  const runtime::LoadedKernel *loaded = nullptr;
  std::shared_ptr<jit::JitKernel> kernel;
};

Result<void> Run::checkOptions() {
  // One that is computed from the arguments comes after them.
  if (!isExpression(command.grid))
    grid = TRY(gridOf(command.grid, Names()));
  seed = TRY(parseSeed(command.seed));
  TRY(checkReport(command.report));
  if (command.device == "interpret" && !command.report.empty())
    return usageError("--report needs a device that counts: cuda or emulator, not interpret");
  if (!command.world.empty() && !command.report.empty())
    return usageError("--report counts what one device does: leave --world out");
  if (!command.world.empty() && command.config == tunedConfig)
    return usageError("--config=tuned is what one device is tuned for: leave --world out");
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
  if (command.world.empty())
    TRY(checkForOneRank(arguments));
  bindPassed(arguments, choice.options);
  for (jit::TuneConfig &config : configs)
    bindPassed(arguments, config.options);
  if (!configs.empty())
    TRY(takeTuned(std::move(configs)));
  TRY(bindHeuristics(arguments, choice));
  if (isExpression(command.grid))
    grid = TRY(gridOf(command.grid, choice, arguments));
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
    if (!command.world.empty() && save.second.find(rankInPath) == std::string::npos)
      return usageError(
          fmt::format("expected `{}` in the name of the file after `--save {}=`: each rank has an array",
                      rankInPath, save.first));
    saves.push_back(std::move(save));
  }
  return {};
}

Result<void> Run::open() {
  if (command.world.empty()) {
    const std::shared_ptr<runtime::Device> device = TRY(jit::openDevice(command.device));
    ranks.push_back({device, std::make_unique<DeviceArguments>(device, arguments, seed)});
    return {};
  }
  fabric = TRY(openFabric(command.world, command.device));
  shared = TRY(FabricArguments::create(fabric, arguments, seed));
  for (uint32_t rank = 0; rank < fabric->world(); ++rank) {
    const std::shared_ptr<runtime::Device> device(fabric, &fabric->device(rank));
    ranks.push_back({device, std::make_unique<DeviceArguments>(device, shared->ofRank(rank), seed)});
  }
  return {};
}

/// The values of the config that `tegula tune` chose, which depends on the device.
Result<void> Run::takeTuned(std::vector<jit::TuneConfig> configs) {
  TRY(open());
  choice.options =
      TRY(tunedOptions(tuneRequest(choice, std::move(configs), ranks[0].device, *ranks[0].arguments)));
  return {};
}

Result<void> Run::launch() {
  if (ranks.empty())
    TRY(open());
  Result<void> done;
  {
    std::optional<ProgressLine> line;
    if (!fabric)
      line.emplace(*ranks[0].device);
    // All arguments are made before the first launch: a copy to a device of a fabric runs what is launched.
    TRY(makeValues());
    for (auto rank = ranks.begin(); done && rank != ranks.end(); ++rank)
      done = image ? launchImage(*rank) : launchKernel(*rank);
    if (done)
      done = ranks[0].device->synchronize();
  }
  for (const Rank &rank : ranks)
    jit::showPrintedText(*rank.device); // also what was printed before a fault
  if (!done && (image || fabric))       // of other launches the compiler has shown it
    showSource(done.error());
  return done;
}

Result<void> Run::makeValues() {
  if (!image)
    kernel = TRY(jit::JitKernel::create(choice.program, *choice.kernel, choice.options));
  for (Rank &rank : ranks)
    rank.values = TRY(rank.arguments->valuesOf(image ? imageInfo.parameters : kernel->parameters()));
  return {};
}

Result<void> Run::launchKernel(Rank &rank) {
  // Loaded first and by itself: the report asks the kernel afterwards.
  const jit::Variant *prepared = TRY(kernel->prepare(rank.device, rank.values));
  say(render(choice.program->source().takeMessages()));
  loaded = prepared->kernel.get();
  return kernel->launch(rank.device, grid, rank.values);
}

Result<void> Run::launchImage(Rank &rank) {
  std::vector<std::byte> block = TRY(packArguments(*image, rank.values));
  loadedImages.push_back(TRY(rank.device->load(*image)));
  loaded = loadedImages.back().get();
  return rank.device->launch(*loadedImages.back(), grid, block);
}

/// Adds the line that a fault of compiled code names, where the file can still be read.
void Run::showSource(runtime::Error &error) const {
  if (!loaded || !error.place.line || error.place.file != loaded->image().sourceFile)
    return;
  const SourceFile source(error.place.file, sourceText());
  std::string shown = excerpt(source.lineText(error.place.line), error.place.column);
  if (shown.empty())
    return;
  shown.pop_back(); // the last newline
  error.text += "\n" + shown;
}

Result<NpyArray> Run::contentsOn(uint32_t rank, const std::string &name) {
  if (const ArrayArgument *array = shared ? shared->shared(name) : nullptr) {
    std::vector<std::byte> data = TRY(shared->download(name, rank));
    return NpyArray{*array->type, array->shape, std::move(data)};
  }
  const DeviceArray &array = *ranks[rank].arguments->arrays().at(name);
  std::vector<std::byte> data = TRY(array.download());
  return NpyArray{array.type, array.shape, std::move(data)};
}

Result<void> Run::finishRank(uint32_t rank) {
  std::map<std::string, NpyArray> contents;
  const auto contentsOf = [&](const std::string &name) -> Result<const NpyArray *> {
    auto found = contents.find(name);
    if (found == contents.end()) {
      NpyArray array = TRY(contentsOn(rank, name));
      found = contents.emplace(name, std::move(array)).first;
    }
    return &found->second;
  };
  for (const auto &[name, path] : saves) {
    const NpyArray *array = TRY(contentsOf(name));
    std::string file = path;
    if (fabric)
      for (size_t at; (at = file.find(rankInPath)) != std::string::npos;)
        file.replace(at, rankInPath.size(), std::to_string(rank));
    const std::string_view bytes(reinterpret_cast<const char *>(array->data.data()), array->data.size());
    TRY(runtime::writeFile(file, formatNpy(array->type, array->shape, bytes)));
  }
  for (const std::string &name : command.prints) {
    const NpyArray *array = TRY(contentsOf(name));
    printOut("{}{}: {}\n", fabric ? fmt::format("rank {}, ", rank) : "", name,
             formatArray(array->type, array->shape, array->data));
  }
  return {};
}

Result<void> Run::finish() {
  for (uint32_t rank = 0; rank < ranks.size(); ++rank)
    TRY(finishRank(rank));
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
  const jit::Estimation found = TRY(kernel->estimate(ranks[0].device, grid, ranks[0].values));
  return fmt::format("model: {}\n",
                     found.terms ? cost::text(found.estimate) : "does not know, as " + found.unknown);
}

Result<void> Run::report() {
  const bool json = asksForJson(command.report);
  std::string text;
  if (auto *emulator = dynamic_cast<runtime::EmulatorDevice *>(ranks[0].device.get())) {
    const runtime::EmulatorReport counted = emulator->report();
    text = json ? countersReport(counted).text()
                : formatCounters(counted, loaded->image().sourceFile, sourceText());
  } else {
    const std::string &name = ranks[0].device->properties().name;
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
  return statusOf(Run(command).work(), command.report, writeOut);
}

} // namespace tegula::cli
