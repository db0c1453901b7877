#include "tools/tegula/debug/DebugLaunch.h"

#include "runtime/jit/program/InterpreterDevice.h"
#include "runtime/jit/program/OpenDevice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/Expectation.h"
#include "tools/tegula/debug/LaunchInput.h"
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
  /// Launches on the emulator, and takes what it makes of the arrays as what is expected.
  Result<void> runOnEmulator();
  Result<void> launch(const std::function<void(DebugSubject &)> &debug);

  const DebugCommand &command;
  std::function<void(std::string_view)> print;
  LaunchInput words;
  std::vector<debug::Expected> expected;
  std::string note;
};

Result<void> Preparation::runOnEmulator() {
  const std::shared_ptr<runtime::Device> device = TRY(jit::openDevice("emulator:3"));
  DeviceArguments made(device, words.arguments, words.seed);
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(words.choice.program, *words.choice.kernel, words.choice.options));
  const std::vector<HostValue> values = TRY(made.valuesOf(kernel->parameters()));
  Result<void> done = kernel->launch(device, words.grid, values);
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
  DeviceArguments made(device, words.arguments, words.seed);
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
    DebugSubject subject{*session, expected, words.input.path, words.choice.kernel->name, note};
    debug(subject);
    return std::nullopt;
  });
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(words.choice.program, *words.choice.kernel, words.choice.options));
  const std::vector<HostValue> values = TRY(made.valuesOf(kernel->parameters()));
  arrays = words.arraysOf(made);
  TRY(bindExpectations(command.expects, arrays, expected));
  TRY(kernel->prepare(device, values));
  say(render(words.choice.program->source().takeMessages()));
  TRY(kernel->launch(device, words.grid, values));
  return usage;
}

Result<void> Preparation::work(const std::function<void(DebugSubject &)> &debug) {
  TRY(words.read(command, /*takesCompiled=*/false));
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
