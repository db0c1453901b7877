#include "tools/tegula/debug/DebugLaunch.h"

#include "runtime/jit/program/InterpreterDevice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/debug/EmulatorRun.h"
#include "tools/tegula/debug/Expectation.h"
#include "tools/tegula/debug/LaunchInput.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Suggest.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Result;

namespace {

class Preparation {
public:
  Preparation(const DebugCommand &command, std::function<void(std::string_view)> print)
      : command(command), print(std::move(print)) {}

  Result<void> work(const std::function<void(DebugSubject &)> &debug);

private:
  Result<void> launch(const std::function<void(DebugSubject &)> &debug);

  const DebugCommand &command;
  std::function<void(std::string_view)> print;
  LaunchInput words;
  EmulatorRun emulated; ///< empty without `--against`
};

Result<void> Preparation::launch(const std::function<void(DebugSubject &)> &debug) {
  const auto device = std::make_shared<jit::InterpreterDevice>();
  DeviceArguments made(device, words.arguments, words.seed);
  std::vector<debug::Array> arrays;
  Result<void> usage;
  device->setDebugger([&](TileKernel &kernel, std::array<uint32_t, 3> at, std::span<const uint64_t> bits,
                          interp::Memory &memory) -> std::optional<std::string> {
    const std::unique_ptr<debug::Session> session = kernel.debug(at, bits, memory, arrays, print);
    usage = applyStops(command.stops.empty() ? "nan,overflow" : command.stops, session->settings);
    if (usage && !command.program.empty()) {
      if (Result<interp::Grid> chosen = programOf(command.program, at))
        session->settings.program = *chosen;
      else
        usage = chosen.error();
    }
    if (usage)
      usage = bindExpectations(command.expects, arrays, session->launch().function, emulated.expected);
    if (!usage)
      return std::nullopt;
    session->expected = emulated.expected;
    DebugSubject subject{*session,         emulated.expected,         emulated.stores,
                         words.input.path, words.choice.kernel->name, emulated.note};
    debug(subject);
    return std::nullopt;
  });
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(words.choice.program, *words.choice.kernel, words.choice.options));
  const std::vector<HostValue> values = TRY(made.valuesOf(kernel->parameters()));
  arrays = words.arraysOf(made);
  TRY(kernel->prepare(device, values));
  say(render(words.choice.program->source().takeMessages()));
  TRY(kernel->launch(device, words.grid, values));
  return usage;
}

Result<void> Preparation::work(const std::function<void(DebugSubject &)> &debug) {
  TRY(words.read(command, /*takesCompiled=*/false));
  if (!command.against.empty())
    emulated =
        TRY(runOnEmulator(words, command.against == againstCompiled ? std::string() : command.against));
  return launch(debug);
}

} // namespace

Result<void> debugLaunch(const DebugCommand &command, std::function<void(std::string_view)> print,
                         const std::function<void(DebugSubject &)> &work) {
  return Preparation(command, std::move(print)).work(work);
}

/// Returns how far stores to each array may be off: as its elements may at the end.
static std::vector<debug::Tolerance> tolerancesOf(const DebugSubject &subject) {
  std::vector<debug::Tolerance> tolerances;
  for (const debug::Array &array : subject.session.launch().arrays) {
    const auto said = std::ranges::find_if(
        subject.expected, [&](const debug::Expected &one) { return one.array.name == array.name; });
    tolerances.push_back(said == subject.expected.end() ? roundingOf(array.type) : said->tolerance);
  }
  return tolerances;
}

void begin(DebugSubject &subject) {
  const debug::Settings &settings = subject.session.settings;
  if (subject.expected.empty() || !settings.breakpoints.empty() || !settings.watches.empty()) {
    subject.session.resume();
    return;
  }
  std::string compared;
  if (!subject.stores.arrays.empty()) {
    const debug::Stop stop = subject.session.findStoreDifference(subject.stores, tolerancesOf(subject));
    if (stop.kind != debug::Stop::End)
      return;
    compared = stop.text;
  }
  const char *races = "whether that is a race, `tegula run --device=emulator:3 ...` tells";
  subject.session.findDifference(subject.expected, compared, compared.empty() ? races : "");
}

Result<void> applyStops(std::string_view text, debug::Settings &settings) {
  bool nan = false, overflow = false, wrap = false;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    const std::string word = part.trim().str();
    const bool isAll = word == "all";
    if (!isAll && word != "nan" && word != "overflow" && word != "wrap" && word != "none")
      return usageError(fmt::format("expected nan, overflow, wrap, all or none to stop at, found `{}`{}",
                                    word, didYouMean(word, {"nan", "overflow", "wrap", "all", "none"})));
    nan |= word == "nan" || isAll;
    overflow |= word == "overflow" || isAll;
    wrap |= word == "wrap" || isAll;
  }
  settings.stopAtNotFinite = nan;
  settings.stopAtOverflow = overflow;
  settings.stopAtWrap = wrap;
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
