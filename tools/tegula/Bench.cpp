// `tegula bench`: what to measure, who measures it, and where the results go.
#include "runtime/emulator/Hardware.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/OpenDevice.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/bench/DryRun.h"
#include "tools/tegula/bench/Installed.h"
#include "tools/tegula/bench/Plot.h"
#include "tools/tegula/bench/Request.h"
#include "tools/tegula/bench/Tables.h"
#include "tools/tegula/output/Output.h"
#include "tools/tegula/output/ProgressLine.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace tegula::cli {

using namespace bench;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// One run, from checked options to written results.
class Bench {
public:
  Bench(const BenchCommand &command, Request asked)
      : command(command), asked(std::move(asked)), files(shareFolder("kernels", TEGULA_KERNEL_SOURCES)) {}

  Result<int> run();

private:
  Result<void> openDevice();
  Result<void> makeCases();
  Result<void> addCases(const Entry &entry, const std::string &dtype);
  Result<int> dryRun();
  Result<int> measureErrors();
  Result<void> measureAlone();
  Result<int> finish();
  std::string warningsOf(const Row &row);
  Result<int> check();
  template <typename R> Result<void> write(const R &found);
  Result<void> writeMarkdown(const std::vector<Section> &sections);

  const BenchCommand &command;
  Request asked;
  KernelFiles files;
  Setting setting;
  std::shared_ptr<runtime::Device> device;
  std::vector<Case> cases;
  Results results;
};

//===----------------------------------------------------------------------===//
// The cases
//===----------------------------------------------------------------------===//

Result<void> Bench::openDevice() {
  if (command.dryRun) {
    // As on the hardware whose tables we have, whatever this machine is.
    setting.multiprocessors = runtime::ptx::multiprocessorsOfH100;
    return {};
  }
  device = TRY(jit::openDevice(command.device));
  const runtime::DeviceProperties &properties = device->properties();
  const bool isGpu = properties.kind == "cuda", hasPeers = !asked.peers.peers.empty() || command.errors;
  if (properties.kind == "interpret")
    return usageError("there is nothing to measure on the interpreter: expected --device=cuda or emulator");
  for (const auto &[isAsked, option] :
       {std::pair(hasPeers, command.errors ? "--errors" : "--beside"), {command.sweep, "--sweep"}})
    if (isAsked && !isGpu)
      return Error{
          ErrorKind::Unavailable,
          fmt::format("`{}` needs a GPU: no CUDA driver with a device was found or asked for", option)};
  setting.isSmall = !isGpu;
  setting.multiprocessors = properties.multiprocessors;
  asked.peers.ordinal = properties.ordinal;
  asked.peers.kernels = files.folder();
  if (hasPeers)
    device.reset(); // the memory that its context takes is the helper's to use
  return {};
}

Result<void> Bench::addCases(const Entry &entry, const std::string &dtype) {
  std::vector<Shape> chosen = asked.shapes;
  for (const int64_t n : asked.sizes)
    chosen.push_back(entry.ofSize(n, setting.isSmall));
  if (chosen.empty() && setting.isSmall)
    chosen.push_back(entry.small);
  else if (chosen.empty())
    for (const DefaultShape &each : entry.shapes)
      if (each.dtype.empty() || each.dtype == dtype)
        chosen.push_back(each.sides);
  for (Shape &shape : chosen) {
    Case made = TRY(makeCase(entry, dtype, std::move(shape), setting));
    cases.push_back(std::move(made));
  }
  return {};
}

Result<void> Bench::makeCases() {
  setting.isSweep = command.sweep;
  setting.swept = asked.swept;
  setting.configsOf = [&](const std::string &file, const std::string &kernel) {
    return files.configs(file, kernel);
  };
  for (const Entry *entry : asked.entries) {
    std::vector<std::string> dtypes = entry->dtypes;
    if (!command.dtypes.empty()) {
      std::vector<std::string> all = entry->dtypes;
      all.insert(all.end(), entry->otherDtypes.begin(), entry->otherDtypes.end());
      dtypes.clear();
      for (const std::string &dtype : all)
        if (std::find(command.dtypes.begin(), command.dtypes.end(), dtype) != command.dtypes.end())
          dtypes.push_back(dtype);
    }
    for (const std::string &dtype : dtypes)
      TRY(addCases(*entry, dtype));
  }
  return {};
}

std::string listText() {
  std::string text;
  for (const Entry &entry : catalogue()) {
    text += fmt::format("{}  {}, {}, {}", entry.name, entry.sides, unitName(entry.unit),
                        fmt::join(entry.dtypes, " "));
    if (!entry.otherDtypes.empty())
      text += fmt::format(" ({})", fmt::join(entry.otherDtypes, " "));
    text += '\n';
    for (const DefaultShape &shape : entry.shapes)
      text += fmt::format("    {}{}\n", shapeText(shape.sides),
                          shape.dtype.empty() ? "" : fmt::format("  {}", shape.dtype));
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

Result<int> Bench::dryRun() {
  DryRun found = TRY(bench::dryRun(cases, files, jit::defaultTarget()));
  writeOut(found.text);
  say(found.wrong);
  printOut("{} case{}, {} configs compiled, {} failed, {} spill, {} warned of\n", cases.size(),
           cases.size() == 1 ? "" : "s", found.compiled, found.failed, found.spilling, found.warned);
  return found.failed || (!command.check.empty() && (found.spilling || found.warned)) ? InputWrong : Done;
}

Result<int> Bench::measureErrors() {
  std::vector<std::string> names;
  for (const Entry *entry : asked.entries)
    names.push_back(entry->name);
  ErrorResults found = TRY(bench::measureErrors(names, command.dtypes, asked.peers));
  TRY(write(found));
  return found.isGood() ? Done : InputWrong;
}

Result<void> Bench::measureAlone() {
  results.device = device->properties().name;
  StepLine progress;
  for (const Case &subject : cases) {
    progress.show(
        fmt::format("case {} of {}: {}", &subject - cases.data() + 1, cases.size(), subject.label()));
    Result<Row> row = measure(subject, files, device, asked.measuring);
    if (!row && row.error().kind != ErrorKind::Compile && row.error().kind != ErrorKind::OutOfResources)
      return row.error();
    if (row) {
      results.rows.push_back(std::move(*row));
      continue;
    }
    progress.clear();
    say(row.error().diagnostics ? row.error().text
                                : fmt::format("error: {}: {}\n", subject.label(), row.error().text));
    results.failed.push_back(subject.label());
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Result<void> writeTo(const std::string &path, const std::string &text) {
  if (path.empty())
    return {};
  if (path != "-")
    return runtime::writeFile(path, text);
  writeOut(text);
  return {};
}

Result<void> Bench::writeMarkdown(const std::vector<Section> &sections) {
  std::error_code ignored;
  if (command.markdown.empty() || command.markdown == "-" ||
      !std::filesystem::exists(command.markdown, ignored))
    return writeTo(command.markdown, sectionText(sections));
  constexpr size_t mostBytes = 16 << 20;
  std::string document = TRY(runtime::readFile(command.markdown, mostBytes));
  Result<std::string> changed = withSections(std::move(document), sections);
  if (!changed)
    return Error{changed.error().kind, fmt::format("`{}`: {}", command.markdown, changed.error().text)};
  return runtime::writeFile(command.markdown, *changed);
}

/// The table, unless something else is to be on standard output, and the files.
template <typename R> Result<void> Bench::write(const R &found) {
  const bool isTaken =
      command.csv == "-" || command.json == "-" || command.svg == "-" || command.markdown == "-";
  if (!isTaken)
    writeOut(textOf(found));
  TRY(writeTo(command.csv, csvOf(found)));
  TRY(writeTo(command.json, jsonOf(found)));
  return writeMarkdown(markdownOf(found));
}

/// A line for each thing that the assembler warns of in the config that was measured.
std::string Bench::warningsOf(const Row &row) {
  std::string lines;
  for (const jit::TuneConfig &config : row.subject.configs)
    if (!row.sides.empty() && configText(config) == row.sides.front().config) {
      Result<std::vector<std::string>> warnings =
          assemblerWarnings(row.subject, config, files, jit::defaultTarget());
      // The driver that measured it needs no assembler of its own.
      for (size_t i = 0; warnings && i < warnings->size(); ++i)
        lines += fmt::format("error: {}: {}\n", row.subject.label(), (*warnings)[i]);
    }
  return lines;
}

/// 1, after a line for each thing that is wrong, where `--check` asks and something is.
Result<int> Bench::check() {
  if (command.check.empty())
    return results.failed.empty() ? Done : InputWrong;
  std::string wrong;
  for (const Row &row : results.rows) {
    if (row.spillBytes)
      wrong += fmt::format("error: {} spills {} bytes\n", row.subject.label(), row.spillBytes);
    wrong += warningsOf(row);
    for (const Side &side : row.sides)
      if (side.ratio && *side.ratio < asked.leastRatio)
        wrong += fmt::format("error: {} has {:.3f} of {}, expected at least {}\n", row.subject.label(),
                             *side.ratio, side.name, asked.leastRatio);
  }
  for (const std::vector<std::string> *list : {&results.failed, &results.left})
    for (const std::string &label : *list)
      wrong += fmt::format("error: {} was not measured\n", label);
  say(wrong);
  return wrong.empty() ? Done : InputWrong;
}

Result<int> Bench::finish() {
  if (command.sweep)
    writeOut(sweepText(results));
  TRY(write(results));
  if (!command.svg.empty())
    TRY(writeTo(command.svg, svgOf("tegula bench, " + results.device, panelsOf(results))));
  return check();
}

Result<int> Bench::run() {
  TRY(openDevice());
  if (command.errors)
    return measureErrors();
  TRY(makeCases());
  if (command.dryRun)
    return dryRun();
  if (!asked.peers.peers.empty()) {
    std::optional<Results> found = TRY(measureBeside(cases, asked.peers));
    if found {
      results = std::move(*found);
      return finish();
    }
    // Without PyTorch our side is measured alone.
    asked.peers.peers.clear();
    TRY(openDevice());
  }
  TRY(measureAlone());
  return finish();
}

} // namespace

int benchCommand(const BenchCommand &command) {
  Result<Request> asked = readRequest(command);
  if (!asked)
    return fail(asked.error());
  if (command.list) {
    writeOut(listText());
    return Done;
  }
  Result<int> status = Bench(command, std::move(*asked)).run();
  return status ? *status : fail(status.error());
}

} // namespace tegula::cli
