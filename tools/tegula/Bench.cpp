// `tegula bench`: the options are read here, everything else is done in Python (tools/bench/kernels), which
// takes this process's place.
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/output/Json.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace tegula::cli {

namespace fs = std::filesystem;

/// This executable, without links, whatever it was called by.
static fs::path ownPath() {
  std::error_code ignored;
  return fs::canonical("/proc/self/exe", ignored);
}

/// `share/tegula/NAME` of an installed Tegula, else `source`, the same folder of the tree that it was built
/// from.
static std::string shareFolder(const std::string &name, const std::string &source) {
  std::error_code ignored;
  const fs::path installed = ownPath().parent_path() / "../share/tegula" / name;
  return fs::exists(installed, ignored) ? installed.lexically_normal().string() : source;
}

/// Returns the folder that holds the Python package `tegula` of this executable, from its wheel or the build;
/// empty where there is none.
static std::string packageFolder() {
  std::error_code ignored;
  for (const char *place : {"../..", "../python"})
    if (const fs::path folder = ownPath().parent_path() / place;
        fs::exists(folder / "tegula/__init__.py", ignored))
      return folder.lexically_normal().string();
  return {};
}

/// Returns the request as request.py reads it.
static std::string requestText(const BenchCommand &command) {
  return Json(Json::Object{{"kernels", command.kernels},
                           {"list", command.list},
                           {"dtypes", command.dtypes},
                           {"sizes", command.sizes},
                           {"shapes", command.shapes},
                           {"random", command.random},
                           {"seed", command.seed},
                           {"device", command.device},
                           {"milliseconds", command.milliseconds},
                           {"again", command.again},
                           {"sweep", command.sweep},
                           {"swept", command.swept},
                           {"dry_run", command.dryRun},
                           {"beside", command.beside},
                           {"errors", command.errors},
                           {"rounds", command.rounds},
                           {"budget", command.budget},
                           {"check", command.check},
                           {"csv", command.csv},
                           {"json", command.json},
                           {"svg", command.svg},
                           {"markdown", command.markdown},
                           {"colour", isColourOn()},
                           {"folder", shareFolder("kernels", TEGULA_KERNEL_SOURCES)},
                           {"command", ownPath().string()},
                           {"package", packageFolder()}})
      .text();
}

int benchCommand(const BenchCommand &command) {
  std::string python = command.python, request = requestText(command),
              script = shareFolder("bench", TEGULA_BENCH_SCRIPTS) + "/kernels/bench.py";
  char *words[] = {python.data(), script.data(), request.data(), nullptr};
  execvp(words[0], words);
  return fail(
      {runtime::ErrorKind::Unavailable,
       fmt::format(
           "cannot run `{}`: {}; kernels are measured in Python, `--python=PROGRAM` names another one",
           python, std::strerror(errno))});
}

} // namespace tegula::cli
