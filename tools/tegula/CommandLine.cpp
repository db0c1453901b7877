// The command line of `tegula`.
#include "tools/tegula/Commands.h"
#include "tools/tegula/Status.h"
#include "tools/tegula/Suggest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

const char *const compileUsage =
    "usage: tegula compile FILE [-k KERNEL] [--sig NAME=TYPE]... [-D NAME=VALUE]... [--arch=sm_90a]\n"
    "                      [--config=N] [--num-warps=4] [--num-stages=3] [--emit=STAGE] [--report] [-o "
    "OUT]\n";
const char *const runUsage =
    "usage: tegula run FILE [-k KERNEL] --grid=X[,Y[,Z]] --arg NAME=VALUE... [-D NAME=VALUE]...\n"
    "                  [--config=N] [--num-warps=4] [--num-stages=3] [--device=auto|cuda|emulator|interpret] "
    "[--seed=N]\n"
    "                  [--save NAME=OUT.npy]... [--print NAME]... [--report]\n";
static const char *const topUsage = "usage: tegula compile|run|env ...\n"
                                    "`tegula --help` says more\n";

/// An option that may be given many times and takes one value each time, so that it does not swallow
/// what follows.
static void addRepeated(CLI::App *app, const std::string &name, std::vector<std::string> &values,
                        const std::string &description) {
  app->add_option(name, values, description)->allow_extra_args(false);
}

static void addKernelOptions(CLI::App *app, KernelOptions &options) {
  app->add_option("file", options.file, "file of kernels")->required()->type_name("FILE");
  app->add_option("-k,--kernel", options.kernel, "kernel, where the file has several")->type_name("KERNEL");
  addRepeated(app, "-D", options.constexprs,
              "compile-time value: a number, true, false, None, a type, a string, a tuple");
  app->add_option("--config", options.config,
                  "take the values of the N-th `triton.Config` of the kernel, from 0")
      ->type_name("N");
  app->add_option("--num-warps", options.numWarps, "warps of 32 threads in a block (4)");
  app->add_option("--num-stages", options.numStages, "stages of pipelined loops (3)");
}

static CLI::App *addCompile(CLI::App &app, CompileCommand &command) {
  CLI::App *compile = app.add_subcommand("compile", "compile a kernel and print a stage of it");
  addKernelOptions(compile, command);
  addRepeated(compile, "--sig", command.signature, "type of a parameter: x=*fp32:16, n=i32");
  compile->add_option("--arch", command.arch, "architecture: sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a");
  compile->add_option("--emit", command.emit, "ast, tile, distributed, scheduled, llvm, llvmir or ptx (ptx)");
  compile->add_flag("--report", command.report, "print what was optimised and what was not");
  compile->add_option("-o", command.output, "file to write instead of standard output")->type_name("OUT");
  return compile;
}

static CLI::App *addRun(CLI::App &app, RunCommand &command) {
  CLI::App *run = app.add_subcommand("run", "compile a kernel and run it");
  addKernelOptions(run, command);
  run->add_option("--grid", command.grid, "blocks in x, y and z")->type_name("X[,Y[,Z]]");
  addRepeated(run, "--arg", command.arguments,
              "argument: n=1000, eps=1e-5, p=none, x=randn:fp32[1000], x=rand, randint(a,b), zeros, full(v), "
              "arange, empty, x=@in.npy");
  run->add_option("--device", command.device,
                  "auto, cuda, cuda:N, emulator, emulator:N (N random schedules) or interpret (auto)");
  run->add_option("--seed", command.seed, "seed of the random arrays (0)");
  addRepeated(run, "--save", command.saves, "write an array after the run: out=OUT.npy");
  addRepeated(run, "--print", command.prints, "print an array after the run");
  run->add_flag("--report", command.report, "print the emulator's counters for each source line");
  return run;
}

/// What is wrong with the command's name, if anything; the library would only say that one is missing.
static std::string commandProblem(int argc, char **argv) {
  if (argc < 2)
    return "expected a command: compile, run or env";
  const std::string name = argv[1];
  const std::vector<std::string> known{"compile", "run", "env"};
  if (name.starts_with("-") || std::find(known.begin(), known.end(), name) != known.end())
    return {};
  return fmt::format("expected a command: compile, run or env, found `{}`{}", name, didYouMean(name, known));
}

/// The library's message in our manner: it begins with a capital.
static std::string messageOf(const CLI::ParseError &error) {
  std::string text = error.what();
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && !(text[1] >= 'A' && text[1] <= 'Z'))
    text[0] = char(text[0] - 'A' + 'a');
  return text;
}

int tegulaMain(int argc, char **argv) {
  if (std::string problem = commandProblem(argc, argv); !problem.empty())
    return failUsage(problem, topUsage);
  CLI::App app("Tegula compiles kernels written in the Triton language to PTX and runs them.", "tegula");
  app.set_version_flag("--version", "tegula " TEGULA_VERSION);
  app.require_subcommand(1);
  CompileCommand compile;
  RunCommand run;
  CLI::App *compileApp = addCompile(app, compile);
  CLI::App *runApp = addRun(app, run);
  CLI::App *envApp =
      app.add_subcommand("env", "print what was found: driver, devices, toolkit, cache, versions");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == int(CLI::ExitCodes::Success)) // --help, --version
      return app.exit(error);
    return failUsage(messageOf(error), *compileApp ? compileUsage : *runApp ? runUsage : topUsage);
  }
  if (*compileApp)
    return compileCommand(compile);
  if (*runApp)
    return runCommand(run);
  return *envApp ? envCommand() : int(UsageWrong);
}

} // namespace tegula::cli
