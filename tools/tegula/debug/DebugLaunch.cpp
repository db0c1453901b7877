#include "tools/tegula/debug/DebugLaunch.h"

#include "runtime/host/Files.h"
#include "runtime/jit/program/InterpreterDevice.h"
#include "runtime/jit/program/OpenDevice.h"
#include "tools/tegula/arguments/GridText.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/RunArguments.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/Expectation.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

namespace {

class Preparation {
public:
  Preparation(const DebugCommand &command, std::function<void(std::string_view)> print)
      : command(command), print(std::move(print)) {}

  Result<void> work(const std::function<void(DebugSubject &)> &debug);

private:
  Result<void> read();
  /// Launches on the emulator, and takes what it makes of the arrays as what is expected.
  Result<void> runOnEmulator();
  std::vector<debug::Array> arraysOf(const DeviceArguments &on) const;
  Result<void> launch(const std::function<void(DebugSubject &)> &debug);

  const DebugCommand &command;
  std::function<void(std::string_view)> print;
  Input input;
  KernelChoice choice;
  std::map<std::string, ParsedArgument> arguments;
  runtime::Grid grid;
  uint64_t seed = 0;
  std::vector<debug::Expected> expected;
  std::string note;
};

Result<void> Preparation::read() {
  if (command.grid.empty())
    return usageError("expected a grid: --grid=X[,Y[,Z]]");
  seed = TRY(parseSeed(command.seed));
  input = TRY(readInput(command));
  if (input.stage)
    return usageError("a debugger needs a file of kernels, whose lines it shows");
  choice = TRY(chooseKernel(command, TRY(parseKernels(command, input))));
  arguments = TRY(readArguments(command.arguments, choice));
  bindPassed(arguments, choice.options);
  TRY(bindHeuristics(arguments, choice));
  grid = TRY(gridOf(command.grid, choice, arguments));
  return {};
}

std::vector<debug::Array> Preparation::arraysOf(const DeviceArguments &on) const {
  std::vector<debug::Array> arrays;
  for (const auto &[name, array] : on.arrays()) {
    // The kernel may have been given the address of a later element.
    const uint64_t before = std::get<ArrayArgument>(arguments.at(name).value).offset;
    arrays.push_back(
        {name, array->argument().bits - before * scalarKindBytes(array->type), array->type, array->shape});
  }
  return arrays;
}

Result<void> Preparation::runOnEmulator() {
  const std::shared_ptr<runtime::Device> device = TRY(jit::openDevice("emulator:3"));
  DeviceArguments made(device, arguments, seed);
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(choice.program, *choice.kernel, choice.options));
  const std::vector<HostValue> values = TRY(made.valuesOf(kernel->parameters()));
  Result<void> done = kernel->launch(device, grid, values);
  if (done)
    done = device->synchronize();
  if (!done) {
    note = "on the emulator: " + done.error().text;
    return {};
  }
  note = "the emulator has run the launch";
  for (const auto &[name, array] : made.arrays()) {
    debug::Expected one{{name, 0, array->type, array->shape}, array->type, TRY(array->download())};
    setTolerance(one, std::nullopt, std::nullopt);
    expected.push_back(std::move(one));
  }
  return {};
}

Result<void> Preparation::launch(const std::function<void(DebugSubject &)> &debug) {
  const auto device = std::make_shared<jit::InterpreterDevice>();
  DeviceArguments made(device, arguments, seed);
  std::vector<debug::Array> arrays;
  Result<void> usage;
  device->setDebugger([&](TileKernel &kernel, std::array<uint32_t, 3> at, std::span<const uint64_t> bits,
                          interp::Memory &memory) -> std::optional<std::string> {
    const std::unique_ptr<debug::Session> session = kernel.debug(at, bits, memory, arrays, print);
    usage = applyStops(command.stops.empty() ? "all" : command.stops, session->settings);
    if (usage && !command.program.empty()) {
      if (Result<interp::Grid> chosen = programOf(command.program, at))
        session->settings.program = *chosen;
      else
        usage = chosen.error();
    }
    if (!usage)
      return std::nullopt;
    DebugSubject subject{*session, expected, input.path, choice.kernel->name, note};
    debug(subject);
    return std::nullopt;
  });
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(choice.program, *choice.kernel, choice.options));
  const std::vector<HostValue> values = TRY(made.valuesOf(kernel->parameters()));
  arrays = arraysOf(made);
  TRY(bindExpectations(command.expects, arrays, expected));
  TRY(kernel->prepare(device, values));
  say(render(choice.program->source().takeMessages()));
  TRY(kernel->launch(device, grid, values));
  return usage;
}

Result<void> Preparation::work(const std::function<void(DebugSubject &)> &debug) {
  TRY(read());
  if (command.against)
    TRY(runOnEmulator());
  return launch(debug);
}

} // namespace

Result<void> debugLaunch(const DebugCommand &command, std::function<void(std::string_view)> print,
                         const std::function<void(DebugSubject &)> &work) {
  return Preparation(command, std::move(print)).work(work);
}

void begin(DebugSubject &subject) {
  const debug::Settings &settings = subject.session.settings;
  if (!subject.expected.empty() && settings.breakpoints.empty() && settings.watches.empty())
    subject.session.findDifference(subject.expected);
  else
    subject.session.resume();
}

Result<void> applyStops(std::string_view text, debug::Settings &settings) {
  bool nan = false, overflow = false;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    const std::string word = part.trim().str();
    if (word != "nan" && word != "overflow" && word != "all" && word != "none")
      return usageError(fmt::format("expected nan, overflow, all or none to stop at, found `{}`{}", word,
                                    didYouMean(word, {"nan", "overflow", "all", "none"})));
    nan |= word == "nan" || word == "all";
    overflow |= word == "overflow" || word == "all";
  }
  settings.stopAtNotFinite = nan;
  settings.stopAtOverflow = overflow;
  return {};
}

Result<interp::Grid> programOf(std::string_view text, const interp::Grid &grid) {
  interp::Grid program{};
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(text).split(parts, ',');
  if (parts.size() > 3)
    return usageError(fmt::format("expected a program as X[,Y[,Z]], found `{}`", text));
  for (size_t axis = 0; axis < parts.size(); ++axis) {
    program[axis] = TRY(parseCount(parts[axis].trim(), "the number of a program"));
    if (program[axis] >= grid[axis])
      return usageError(
          fmt::format("the grid is {},{},{}: it has no program {}", grid[0], grid[1], grid[2], text));
  }
  return program;
}

} // namespace tegula::cli
