// `tegula tune`.
//
// Measuring happens in a child process: a config that faults costs a GPU's context, and the next child goes
// on with the configs behind it. The child says what it does in lines on a pipe.
#include "runtime/jit/Files.h"
#include "runtime/jit/OpenDevice.h"
#include "runtime/jit/Tuner.h"
#include "tools/tegula/Commands.h"
#include "tools/tegula/GridText.h"
#include "tools/tegula/Input.h"
#include "tools/tegula/KernelChoice.h"
#include "tools/tegula/Output.h"
#include "tools/tegula/RunArguments.h"
#include "tools/tegula/Status.h"
#include "tools/tegula/TuneReport.h"
#include "tools/tegula/TuneWire.h"
#include "tools/tegula/Values.h"

#include <fmt/format.h>

#include <algorithm>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// What is asked for, checked.
struct Question {
  KernelChoice choice; ///< without a config
  std::vector<KernelConfig> configs;
  std::map<std::string, ParsedArgument> arguments;
  uint64_t seed = 0;
  double milliseconds = 0;
};

Result<Question> readQuestion(const TuneCommand &command) {
  Question question;
  Result<jit::HostValue> seed = parseNumber(command.seed);
  if (!seed || !seed->isInteger() || command.seed.starts_with('-'))
    return usageError(fmt::format("expected a whole number from 0 for --seed, found `{}`", command.seed));
  question.seed = seed->bits;
  Result<uint32_t> milliseconds = parseCount(command.milliseconds, "--time");
  if (!milliseconds)
    return milliseconds.error();
  question.milliseconds = *milliseconds;
  Result<Input> input = readInput(command);
  if (!input)
    return input.error();
  if (input->stage)
    return usageError("expected a file of kernels: the text of a stage has no configs to choose from");
  Result<KernelChoice> choice = chooseKernel(command, jit::JitProgram::parse(input->path, input->text));
  if (!choice)
    return choice.error();
  question.choice = std::move(*choice);
  const KernelInfo &kernel = *question.choice.kernel;
  Result<std::vector<KernelConfig>> configs =
      question.choice.program->source().configs(kernel.name, KernelSpec().target);
  if (!configs)
    return configs.error();
  if (configs->empty())
    return usageError(
        fmt::format("kernel `{}` has no configs, as no `triton.autotune` gives any", kernel.name));
  question.configs = std::move(*configs);
  // Every config gives the same names; what none gives is asked for with the first.
  KernelChoice configured = question.choice;
  Result<jit::JitKernel::Options> options =
      jit::JitKernel::withConfig(*configured.program, kernel, configured.options, 0);
  if (!options)
    return options.error();
  configured.options = std::move(*options);
  Result<std::map<std::string, ParsedArgument>> arguments = readArguments(command.arguments, configured);
  if (!arguments)
    return arguments.error();
  question.arguments = std::move(*arguments);
  return question;
}

/// The grid of a config.
Result<runtime::Grid> gridFor(const TuneCommand &command, const Question &question,
                              const jit::JitKernel::Options &options) {
  Result<Names> names = namesOf(*question.choice.kernel, options, question.arguments);
  return names ? gridOf(command.grid, *names) : Result<runtime::Grid>(names.error());
}

/// Measures `configs` and says on `wire` how that goes.
Result<void> measure(const TuneCommand &command, const Question &question, std::vector<size_t> configs,
                     int wire) {
  Result<std::shared_ptr<runtime::Device>> device = jit::openDevice(command.device);
  if (!device)
    return device.error();
  writeLine(wire, DeviceLine{(*device)->properties().name});
  DeviceArguments arguments(*device, question.arguments, question.seed);
  bool remembered = false;
  jit::TuneRequest request;
  request.device = *device;
  request.program = question.choice.program;
  request.kernel = question.choice.kernel;
  request.options = question.choice.options;
  request.configs = std::move(configs);
  request.milliseconds = question.milliseconds;
  request.warmupMilliseconds = question.milliseconds / 4;
  request.grid = [&](const jit::JitKernel::Options &options) { return gridFor(command, question, options); };
  request.arguments = [&](const jit::JitKernel &kernel) { return arguments.valuesOf(kernel.parameters()); };
  request.restore = [&]() -> Result<void> {
    for (const auto &[name, array] : arguments.arrays())
      if (Result<void> done = remembered ? array->restore() : array->remember(); !done)
        return done;
    remembered = true;
    return {};
  };
  Result<std::vector<jit::Trial>> trials = jit::tune(
      request, [&](size_t config) { writeLine(wire, BeginLine{config}); },
      [&](const jit::Trial &trial) { writeLine(wire, trial); });
  return trials ? Result<void>() : Result<void>(trials.error());
}

/// What one child found out.
struct Session {
  std::vector<jit::Trial> trials;
  std::optional<size_t> unfinished; ///< the config that it did not get through
  std::optional<Error> error;       ///< why
  std::string device;
};

void takeLine(const std::string &line, Session &session) {
  WireLine read = readLine(line);
  if (auto *device = std::get_if<DeviceLine>(&read))
    session.device = std::move(device->name);
  else if (auto *begin = std::get_if<BeginLine>(&read))
    session.unfinished = begin->config;
  else if (auto *failed = std::get_if<Error>(&read))
    session.error = std::move(*failed);
  else if (auto *trial = std::get_if<jit::Trial>(&read)) {
    session.unfinished.reset();
    session.trials.push_back(std::move(*trial));
  }
}

Result<Session> runChild(const TuneCommand &command, const Question &question,
                         const std::vector<size_t> &configs, size_t all) {
  int ends[2];
  if (pipe(ends) != 0)
    return Error{ErrorKind::Io, "cannot make a pipe"};
  const pid_t child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return Error{ErrorKind::OutOfResources, "cannot start a process"};
  }
  if (child == 0) {
    close(ends[0]);
    if (Result<void> done = measure(command, question, configs, ends[1]); !done)
      writeLine(ends[1], done.error());
    // Whatever the parent holds back must not be written twice.
    _exit(0);
  }
  close(ends[1]);
  Session session;
  const TuneProgress progress(all);
  std::string held;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof(bytes))) > 0;) {
    held.append(bytes, size_t(count));
    for (size_t end; (end = held.find('\n')) != std::string::npos; held.erase(0, end + 1))
      takeLine(held.substr(0, end), session);
    if (session.unfinished)
      progress.show(*session.unfinished);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && !session.error)
    session.error = Error{ErrorKind::Fault,
                          fmt::format("the process that measured it ended by signal {}", WTERMSIG(status))};
  return session;
}

} // namespace

int tuneCommand(const TuneCommand &command) {
  if (command.grid.empty())
    return failUsage("expected a grid: --grid=X[,Y[,Z]]", "tune");
  Result<Question> question = readQuestion(command);
  if (!question)
    return fail(question.error());
  // A mistake in the grid is said before anything is compiled.
  for (size_t config = 0; config < question->configs.size(); ++config) {
    Result<jit::JitKernel::Options> options = jit::JitKernel::withConfig(
        *question->choice.program, *question->choice.kernel, question->choice.options, int64_t(config));
    Result<runtime::Grid> grid = options ? gridFor(command, *question, *options) : options.error();
    if (!grid)
      return fail(grid.error());
  }
  std::vector<jit::Trial> trials;
  std::string device;
  std::vector<size_t> left(question->configs.size());
  for (size_t config = 0; config < left.size(); ++config)
    left[config] = config;
  while (!left.empty()) {
    Result<Session> session = runChild(command, *question, left, question->configs.size());
    if (!session)
      return fail(session.error());
    if (session->error && !session->unfinished)
      return fail(*session->error);
    device = session->device;
    for (jit::Trial &trial : session->trials) {
      std::erase(left, trial.config);
      trials.push_back(std::move(trial));
    }
    if (!session->unfinished)
      break;
    jit::Trial faulted;
    faulted.config = *session->unfinished;
    faulted.skipped = session->error ? session->error->text : "the process that measured it ended";
    trials.push_back(std::move(faulted));
    std::erase(left, *session->unfinished);
  }
  std::sort(trials.begin(), trials.end(),
            [](const jit::Trial &a, const jit::Trial &b) { return a.config < b.config; });
  const TuneResult result{question->choice.kernel->name, device, question->configs, std::move(trials)};
  printOut("{}", command.json ? tuneJson(result) : formatTuning(result));
  if (!jit::fastest(result.trials))
    return fail(
        Error{ErrorKind::Fault, fmt::format("no config of kernel `{}` could be measured", result.kernel)});
  return Done;
}

} // namespace tegula::cli
