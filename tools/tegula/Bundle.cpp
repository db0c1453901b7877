// `tegula bundle`: kernels compiled ahead of time, as a file to load and as an object to link.
#include "compiler/target/Target.h"
#include "dialect/Counted.h"
#include "runtime/host/Files.h"
#include "runtime/jit/build/BundleBuilder.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "tools/tegula/CommandTables.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/arguments/BundleSpecs.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/export/CHeader.h"
#include "tools/tegula/export/DataObject.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/Sizes.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

#include <filesystem>

namespace tegula::cli {

using runtime::Result;

/// The architectures of a list with commas between.
static Result<std::vector<std::string>> targetsOf(const std::string &list) {
  std::vector<std::string> targets;
  for (size_t begin = 0; begin < list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    targets.push_back(list.substr(begin, end - begin));
    begin = end + 1;
    if (!lookupTarget(targets.back()))
      return unknownTarget(targets.back());
  }
  return targets;
}

/// Writes OUT.h and OUT.o.
static Result<void> writeC(const std::string &out, const std::string &bundle) {
  const std::string name = std::filesystem::path(out).filename().string();
  const std::string symbol = cSymbol(name);
  std::string header = TRY(cHeader(name, symbol, bundle));
  TRY(runtime::writeFile(out + ".h", header));
  return runtime::writeFile(out + ".o", dataObject(symbol, bundle));
}

static Result<int> build(const BundleCommand &command) {
  if (command.output.empty() && command.c.empty())
    return usageError("expected `-o OUT.tgb` or `--c=OUT`");
  jit::BundleOptions options{.machineCode = !command.ptx};
  options.targets = TRY(targetsOf(command.archs));
  if (!command.jobs.empty())
    options.threads = TRY(parseCount(command.jobs, "--jobs"));
  const BundleSpecs specs = TRY(
      readBundleSpecs(command.specs, options.targets.empty() ? jit::defaultTarget() : options.targets.front(),
                      bundleLineTable));
  if (specs.requests.empty())
    return usageError("expected a kernel to compile, found none in " + command.specs.front());
  const jit::BuiltBundle built = TRY(jit::buildBundle(specs.requests, specs.notes, options));
  say(built.messages);
  for (const std::string &warning : built.warnings)
    say(fmt::format("warning: {}\n", warning));
  if (!command.output.empty())
    TRY(runtime::writeFile(command.output, built.bytes));
  if (!command.c.empty())
    TRY(writeC(command.c, built.bytes));
  printOut("{}, {} with machine code, {}\n", counted(built.kernels, "kernel"), built.assembled,
           formatSize(built.bytes.size()));
  return int(Done);
}

int bundleCommand(const BundleCommand &command) { return statusOf(build(command)); }

} // namespace tegula::cli
