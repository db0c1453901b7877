// random-programs [--kind=KIND] [--first=N] [--count=M] [--schedules=K] [--target=ARCH] [--gpu] [--stages]
//                 [--without=FEATURE,...] [--reduce] [--print] [--emit=STAGE] [--paths] [--save=FOLDER]
//
// Compares random kernels between the interpreter and the emulator. Prints each that differs and exits with
// status 1 if any did.
#include "test/random/Differential.h"
#include "test/random/Paths.h"
#include "test/random/SavedKernel.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>

using namespace tegula;

namespace {

struct Command {
  uint64_t first = 0, count = 1000;
  int mostReported = 10;
  random::Comparison how;
  std::vector<std::string> without;
  random::Kind kind = random::Kind::General;
  bool reduce = false, print = false, paths = false;
  std::optional<Stage> emit;
  std::string save;
};

random::Features featuresOf(const Command &command) {
  random::Features features;
  features.kind = command.kind;
  for (const std::string &name : command.without) {
    features.loops &= name != "loops";
    features.branches &= name != "branches";
    features.reductions &= name != "reductions";
    features.scans &= name != "scans";
    features.views &= name != "views";
    features.maps &= name != "maps";
    features.atomics &= name != "atomics";
    features.barriers &= name != "barriers";
    features.fp8 &= name != "fp8";
  }
  return features;
}

/// Compares the kernels and returns how many differ.
uint64_t run(const Command &command) {
  Compiler compiler;
  const random::Features features = featuresOf(command);
  const random::Comparer comparer = [&](const random::RandomKernel &kernel) {
    // A process that was forked cannot use a GPU that its parent opened, and opens it for each kernel anew.
    return command.how.onGpu && !command.reduce ? random::compare(compiler, kernel, command.how)
                                                : random::compareIsolated(compiler, kernel, command.how);
  };
  uint64_t differ = 0;
  std::vector<random::Path> paths = random::allPaths();
  for (uint64_t seed = command.first; seed < command.first + command.count; ++seed) {
    random::RandomKernel kernel = random::randomKernel(seed, features);
    if (command.print)
      fmt::print("{}", random::sourceOf(kernel));
    if (command.emit && !command.reduce)
      fmt::print("{}", random::textOfStage(compiler, kernel, *command.emit, command.how));
    if (!command.save.empty())
      if (const std::optional<random::Difference> problem =
              random::saveKernel(compiler, kernel, command.save))
        fmt::print("seed {} is not saved: {}\n", seed, problem->text);
    if (command.paths)
      random::countPaths(random::textOfStage(compiler, kernel, Stage::Ptx, command.how), paths);
    std::optional<random::Difference> difference = comparer(kernel);
    if (!difference)
      continue;
    if (++differ > uint64_t(command.mostReported)) {
      fmt::print("seed {}: {}\n", seed, difference->text.substr(0, difference->text.find('\n')));
      std::fflush(stdout);
      continue;
    }
    if (command.reduce) {
      kernel = random::reduceKernel(comparer, std::move(kernel), *difference);
      difference = comparer(kernel);
      if (command.emit)
        fmt::print("{}", random::textOfStage(compiler, kernel, *command.emit, command.how));
    }
    fmt::print("{}\n", random::describe(kernel, *difference));
    std::fflush(stdout);
  }
  if (command.paths)
    for (const random::Path &path : paths)
      fmt::print("{:>8} {}\n", path.kernels, path.name);
  return differ;
}

} // namespace

int main(int argc, char **argv) {
  Command command;
  CLI::App app("Compares random kernels between the reference interpreter and the emulator.");
  app.add_option("--first", command.first, "the first seed (0)");
  app.add_option("--count", command.count, "how many kernels (1000)");
  const std::map<std::string, random::Kind> kinds{
      {"general", random::Kind::General}, {"rare", random::Kind::Rare},
      {"dot", random::Kind::Dots},        {"tile", random::Kind::Tiles},
      {"array", random::Kind::Arrays},    {"normal-dot", random::Kind::NormalDots}};
  app.add_option("--kind", command.kind,
                 "what kernels are about: general, rare, dot, tile, array or normal-dot (general)")
      ->transform(CLI::CheckedTransformer(kinds));
  app.add_option("--schedules", command.how.schedules,
                 "interleavings of warps to run each kernel under, 0 to compile none (1)")
      ->check(CLI::Range(0, 1000));
  app.add_option("--target", command.how.target, "what to compile for (sm_90a)");
  app.add_flag("--gpu", command.how.onGpu, "run on the first GPU instead of the emulator");
  app.add_flag("--stages", command.how.stages, "interpret what each stage makes, too");
  app.add_flag("--assemble", command.how.assembles,
               "give the PTX to ptxas or nvJitLink, too, where there is one");
  app.add_option("--without", command.without,
                 "leave out loops, branches, reductions, scans, views, maps, atomics, barriers or fp8")
      ->delimiter(',')
      ->check(CLI::IsMember(
          {"loops", "branches", "reductions", "scans", "views", "maps", "atomics", "barriers", "fp8"}));
  app.add_option("--most", command.mostReported, "how many differences to print with their source (10)");
  app.add_flag("--reduce", command.reduce, "make kernels that differ smaller first");
  app.add_flag("--print", command.print, "print each kernel");
  app.add_flag("--paths", command.paths, "count the kernels that take each way through the compiler");
  app.add_option_function<std::string>(
         "--emit", [&](const std::string &name) { command.emit = parseStage(name); },
         "print what a stage makes of each kernel (with --reduce, of those that differ, made small)")
      ->check([](const std::string &name) { return parseStage(name) ? "" : "no stage: " + name; });
  app.add_option("--save", command.save,
                 "write each kernel, its launch and the interpreter's results as files")
      ->check(CLI::ExistingDirectory);
  CLI11_PARSE(app, argc, argv);

  const auto begin = std::chrono::steady_clock::now();
  const uint64_t differ = run(command);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  fmt::print("{} kernels, {} differ, {:.1f} s\n", command.count, differ, seconds.count());
  return differ ? 1 : 0;
}
