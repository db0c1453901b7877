#include "tools/tegula/threads/ThreadLaunch.h"

#include "compiler/driver/names/KernelNames.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileError.h"
#include "tools/tegula/debug/DebugLaunch.h"
#include "tools/tegula/debug/EmulatedLaunch.h"
#include "tools/tegula/debug/LaunchInput.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"
#include "tools/tegula/threads/SourcePlaces.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

Result<bool> asksForThreads(const DebugCommand &command) {
  if (command.device.empty() || command.device == "interpret")
    return false;
  if (!command.device.starts_with("emulator"))
    return usageError(
        fmt::format("expected interpret, emulator or emulator:N as the device to debug on, found `{}`{}",
                    command.device, didYouMean(command.device, {"interpret", "emulator"})));
  for (auto [isGiven, option] :
       {std::pair(!command.stops.empty(), "--stop"), std::pair(!command.expects.empty(), "--expect"),
        std::pair(!command.against.empty(), "--against")})
    if (isGiven)
      return usageError(fmt::format("{} is of the tile level: leave --device out", option));
  return true;
}

namespace {

class Preparation {
public:
  Preparation(const DebugCommand &command, std::function<void(std::string_view)> print)
      : command(command), print(std::move(print)) {}

  Result<void> work(const std::function<void(ThreadSubject &)> &debug);

private:
  /// Compiles and loads, and finds what is known of the code.
  Result<void> load(const std::shared_ptr<runtime::Device> &device);
  /// Finds the places and the names of the source that the compiled kernel has.
  Result<void> readNames(const KernelSpec &spec);
  /// Reads the files that the code comes from, as far as they are there.
  void readSources(const std::string &main);

  const DebugCommand &command;
  std::function<void(std::string_view)> print;
  LaunchInput words;
  ThreadSession session; ///< the device tells it of instructions, and goes first
  std::unique_ptr<DeviceArguments> made;
  EmulatedLaunch launch;
  std::shared_ptr<const insight::Insight> known = std::make_shared<insight::Insight>();
  std::unique_ptr<debug::Statements> statements;
  std::unique_ptr<SourcePlaces> places;
  std::string mainFile;
  std::function<std::vector<runtime::SourcePlace>(const std::string &)> madeAt;
  HeldTable held;
};

Result<void> Preparation::load(const std::shared_ptr<runtime::Device> &device) {
  if (words.image) {
    launch = TRY(prepareImage(*words.image, words, device, *made));
    mainFile = words.image->sourceFile;
    return {};
  }
  launch = TRY(prepareKernel(words, device, *made));
  mainFile = words.input.path;
  return readNames(launch.variant->spec);
}

Result<void> Preparation::readNames(const KernelSpec &spec) {
  // The calls that operations were inlined from: what the front end makes of the kernel has them.
  CompileOptions options;
  options.insight = options.heldValues = true;
  options.entryName = launch.kernel->image().entry;
  CompileResult result =
      jit::sharedCompiler().compile(words.choice.program->source().parsedSource(), spec, options);
  if (jit::hasErrors(result.diagnostics))
    return jit::compileError(std::move(result.diagnostics));
  known = result.insight;
  // Notes of registers are of the code that runs, or of no use.
  std::vector<KernelName> names = tegula::namesOf(words.choice.program->source().parsedSource(), spec).names;
  if (result.image && result.image->ptx == launch.kernel->image().ptx)
    held = HeldTable(known, names);
  madeAt = [names = std::move(names)](const std::string &name) {
    std::vector<runtime::SourcePlace> places;
    for (const KernelName &each : names) {
      const NamePlace &made = each.made;
      const auto isThere = [&](const runtime::SourcePlace &one) {
        return one.file == made.file && one.line == made.line && one.column == made.column;
      };
      if (each.name == name && made.line && std::ranges::none_of(places, isThere))
        places.push_back({made.file, made.line, made.column});
    }
    return places;
  };
  say(render(words.choice.program->source().takeMessages()));
  return {};
}

void Preparation::readSources(const std::string &main) {
  std::vector<std::shared_ptr<const SourceFile>> files;
  std::vector<std::string> paths = known->files;
  if (std::ranges::find(paths, main) == paths.end())
    paths.push_back(main);
  for (const std::string &path : paths) {
    if (path == words.input.path && !words.image) {
      files.push_back(std::make_shared<SourceFile>(path, words.input.text));
      continue;
    }
    const Result<std::string> text = runtime::readFile(path, SourceFile::maxBytes);
    if (text)
      files.push_back(std::make_shared<SourceFile>(path, *text));
  }
  statements = std::make_unique<debug::Statements>(files);
  places = std::make_unique<SourcePlaces>(*statements, *known);
}

Result<void> Preparation::work(const std::function<void(ThreadSubject &)> &debug) {
  TRY(words.read(command, /*takesCompiled=*/true));
  const std::shared_ptr<runtime::Device> device = TRY(openObserved(command.device, session.observer()));
  made = std::make_unique<DeviceArguments>(device, words.arguments, words.seed);
  TRY(load(device));
  readSources(mainFile);
  if (!command.program.empty()) {
    const runtime::Grid &grid = words.grid;
    const interp::Grid chosen = TRY(programOf(command.program, {grid.x, grid.y, grid.z}));
    if (const std::string why = whyNoProgram(words.choice.kernel->name, {grid, launch.kernel->image()});
        !why.empty())
      return usageError(why + ": leave --program out");
    session.settings.program = {chosen[0], chosen[1], chosen[2]};
  }
  ThreadLaunch debugged{.run = launch.run,
                        .takePrinted = [device] { return device->takePrintedText(); },
                        .print = print,
                        .placesOf = [this](const runtime::SourcePlace &place) { return places->of(place); },
                        .madeAt = madeAt,
                        .arrays = words.arraysOf(*made),
                        .programs = {words.grid, launch.kernel->image()},
                        .held = std::move(held)};
  TRY(session.begin(std::move(debugged)));
  ThreadSubject subject{session, *statements, mainFile, words.choice.kernel->name};
  debug(subject);
  session.end();
  return {};
}

} // namespace

Result<void> threadLaunch(const DebugCommand &command, std::function<void(std::string_view)> print,
                          const std::function<void(ThreadSubject &)> &work) {
  return Preparation(command, std::move(print)).work(work);
}

} // namespace tegula::cli
