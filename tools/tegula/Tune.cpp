// `tegula tune`.
//
// Measuring happens in a child process: a config that faults costs a GPU's context, and the next child goes
// on with the configs behind it. The child says what it does in lines on a pipe. What was chosen is kept for
// the same question asked again.
#include "runtime/jit/program/OpenDevice.h"
#include "runtime/jit/tune/Tuner.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/GridText.h"
#include "tools/tegula/arguments/Input.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/RunArguments.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/ProgressLine.h"
#include "tools/tegula/output/Report.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/tune/TuneReport.h"
#include "tools/tegula/tune/TuneWire.h"
#include "tools/tegula/tune/TunedConfig.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sys/wait.h>
#include <unistd.h>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// A checked request.
struct Question {
  KernelChoice choice; ///< without a config
  std::vector<jit::TuneConfig> configs;
  std::map<std::string, ParsedArgument> arguments;
  uint64_t seed = 0;
  double milliseconds = 0;
};

Result<Question> readQuestion(const TuneCommand &command) {
  Question question;
  question.seed = TRY(parseSeed(command.seed));
  question.milliseconds = TRY(parseCount(command.milliseconds, "--time"));
  Input input = TRY(readInput(command));
  if (input.stage)
    return usageError("expected a file of kernels: the text of a stage has no configs to choose from");
  std::shared_ptr<jit::JitProgram> program = TRY(parseKernels(command, input));
  question.choice = TRY(chooseKernel(command, program));
  question.configs = TRY(tuneConfigs(question.choice));
  // Every config gives the same names; what none gives is asked for with the first.
  KernelChoice configured = question.choice;
  configured.options = question.configs.front().options;
  question.arguments = TRY(readArguments(command.arguments, configured));
  for (jit::TuneConfig &config : question.configs)
    bindPassed(question.arguments, config.options);
  return question;
}

/// The grid of a config.
Result<runtime::Grid> gridFor(const TuneCommand &command, const Question &question,
                              const jit::JitKernel::Options &options) {
  Names names = TRY(namesOf(*question.choice.kernel, options, question.arguments));
  return gridOf(command.grid, names);
}

/// Measures the configs `tried` and says on `wire` how that goes; or says what an earlier run chose, where
/// that may stand.
Result<void> measure(const TuneCommand &command, const Question &question, std::vector<size_t> tried,
                     int wire) {
  std::shared_ptr<runtime::Device> device = TRY(jit::openDevice(command.device));
  writeLine(wire, DeviceLine{device->properties().name});
  DeviceArguments arguments(device, question.arguments, question.seed);
  bool remembered = false;
  jit::TuneRequest request = tuneRequest(question.choice, question.configs, device, arguments);
  std::string key = TRY(jit::choiceKey(request));
  writeLine(wire, KeyLine{key});
  if (!command.again && tried.size() == question.configs.size())
    if (std::optional<jit::TunedChoice> choice = jit::ChoiceStore().find(key)) {
      writeLine(wire, *choice);
      return {};
    }
  request.tried = std::move(tried);
  request.milliseconds = question.milliseconds;
  request.warmupMilliseconds = question.milliseconds / 4;
  request.restore = [&]() -> Result<void> {
    for (const auto &[name, array] : arguments.arrays())
      TRY(remembered ? array->restore() : array->remember());
    remembered = true;
    return {};
  };
  TRY(jit::tune(
      request, [&](size_t config) { writeLine(wire, BeginLine{config}); },
      [&](const jit::Trial &trial) { writeLine(wire, trial); }));
  return {};
}

/// Results of one child.
struct Session {
  std::vector<jit::Trial> trials;
  std::optional<size_t> unfinished; ///< the config that it did not get through
  std::optional<Error> error;       ///< why
  std::string device, key;
  std::optional<jit::TunedChoice> earlier; ///< instead of trials
};

void takeLine(const std::string &line, Session &session) {
  WireLine read = readLine(line);
  if (auto *device = std::get_if<DeviceLine>(&read))
    session.device = std::move(device->name);
  else if (auto *key = std::get_if<KeyLine>(&read))
    session.key = std::move(key->key);
  else if (auto *choice = std::get_if<jit::TunedChoice>(&read))
    session.earlier = *choice;
  else if (auto *begin = std::get_if<BeginLine>(&read))
    session.unfinished = begin->config;
  else if (auto *failed = std::get_if<Error>(&read))
    session.error = std::move(*failed);
  else if (auto *trial = std::get_if<jit::Trial>(&read)) {
    session.unfinished.reset();
    // A finalist's second times are those that count.
    std::erase_if(session.trials, [&](const jit::Trial &earlier) { return earlier.config == trial->config; });
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
  StepLine progress;
  std::string held;
  char bytes[4096];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof(bytes))) > 0;) {
    held.append(bytes, size_t(count));
    for (size_t end; (end = held.find('\n')) != std::string::npos; held.erase(0, end + 1))
      takeLine(held.substr(0, end), session);
    if (session.unfinished)
      progress.show(fmt::format("config {} of {}", *session.unfinished + 1, all));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && !session.error)
    session.error = Error{ErrorKind::Fault,
                          fmt::format("the process that measured it ended by signal {}", WTERMSIG(status))};
  return session;
}

/// Measures in one process after the other, until each config has its trial.
Result<TuneResult> measureAll(const TuneCommand &command, const Question &question) {
  TuneResult result;
  result.kernel = question.choice.kernel->name;
  std::string key;
  std::vector<size_t> left(question.configs.size());
  std::iota(left.begin(), left.end(), 0);
  while (!left.empty()) {
    Session session = TRY(runChild(command, question, left, question.configs.size()));
    if (session.error && !session.unfinished)
      return *session.error;
    result.device = session.device;
    result.earlier = session.earlier;
    key = std::move(session.key);
    for (jit::Trial &trial : session.trials) {
      std::erase(left, trial.config);
      result.trials.push_back(std::move(trial));
    }
    if (!session.unfinished)
      break;
    jit::Trial faulted;
    faulted.config = *session.unfinished;
    faulted.skipped = session.error ? session.error->text : "the process that measured it ended";
    result.trials.push_back(std::move(faulted));
    std::erase(left, *session.unfinished);
  }
  std::sort(result.trials.begin(), result.trials.end(),
            [](const jit::Trial &a, const jit::Trial &b) { return a.config < b.config; });
  jit::ChoiceStore store;
  if (const jit::Trial *best = jit::fastest(result.trials))
    if (store.keep(key, fmt::format("{} tuned on {}: config {}", result.kernel, result.device, best->config),
                   {best->config, best->times->median}))
      result.keptIn = store.folder();
  return result;
}

Result<int> work(const TuneCommand &command) {
  Question question = TRY(readQuestion(command));
  // A mistake in the grid is said before anything is compiled.
  for (jit::TuneConfig &config : question.configs)
    config.grid = TRY(gridFor(command, question, config.options));
  TuneResult result = TRY(measureAll(command, question));
  // The configs have been read before.
  result.configs = *question.choice.configs();
  printOut("{}", command.json ? tuneJson(result) : formatTuning(result));
  if (!result.earlier && !jit::fastest(result.trials))
    return Error{ErrorKind::Fault, fmt::format("no config of kernel `{}` could be measured", result.kernel)};
  return int(Done);
}

} // namespace

int tuneCommand(const TuneCommand &command) {
  if (command.grid.empty())
    return failUsage("expected a grid: --grid=X[,Y[,Z]]", "tune");
  return statusOf(work(command), command.json ? "json" : "", writeOut);
}

} // namespace tegula::cli
