#include "tools/tegula/explain/Explanation.h"

#include "compiler/driver/Compiler.h"
#include "runtime/emulator/EmulatorDevice.h"
#include "runtime/host/Files.h"
#include "runtime/jit/program/CompileDefaults.h"
#include "runtime/jit/program/CompileError.h"
#include "runtime/jit/program/OpenDevice.h"
#include "runtime/jit/tune/Measurement.h"
#include "tools/insight/Peaks.h"
#include "tools/insight/findings/Findings.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/GridText.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/RunArguments.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/explain/CompiledKernel.h"
#include "tools/tegula/explain/DeviceCounters.h"
#include "tools/tegula/output/ConfigText.h"
#include "tools/tegula/output/ProgressLine.h"
#include "tools/tegula/output/Status.h"
#include "tools/tegula/output/Toolkit.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// The work on one subject.
class Explanation {
public:
  explicit Explanation(const Subject &subject) : subject(subject), command(subject.command) {}
  Result<explain::Document> work();

private:
  Result<void> choose();
  Result<void> launch();
  Result<void> compile();
  Result<void> assemble();
  Result<void> addConfigs();
  Result<void> measure();
  Result<explain::Resources> resourcesWith(size_t config) const;
  std::optional<std::string> sourceOf(const std::string &path) const;

  const Subject &subject;
  const ExplainCommand &command;
  std::string arch;
  std::shared_ptr<jit::JitProgram> program;
  KernelChoice choice;
  std::map<std::string, ParsedArgument> arguments;
  runtime::Grid grid;
  std::shared_ptr<runtime::EmulatorDevice> device; ///< null where nothing is run
  std::unique_ptr<DeviceArguments> made;
  CompileResult result;
  explain::Document document;
};

/// Returns whether `--config=all` asks for all configs: the report itself is about the first, with the values
/// that -D gives.
bool asksForAll(const ExplainCommand &command) { return command.config == "all"; }

KernelOptions withoutAll(const ExplainCommand &command) {
  KernelOptions options = command;
  if (asksForAll(command))
    options.config = "0";
  return options;
}

Result<void> Explanation::choose() {
  arch = command.arch.empty() ? jit::defaultTarget() : command.arch;
  if (!lookupTarget(arch))
    return unknownTarget(arch);
  program = TRY(parseKernels(command, subject.input));
  choice = TRY(chooseKernel(withoutAll(command), program, arch));
  choice.options.arch = arch;
  return {};
}

Result<void> Explanation::launch() {
  arguments = TRY(readArguments(command.arguments, choice));
  for (const auto &[name, argument] : arguments)
    if (const auto *rank = std::get_if<RankArgument>(&argument.value); rank)
      return usageError(fmt::format("`{}` is for ranks: a kernel is explained on one device", name));
  bindPassed(arguments, choice.options);
  TRY(bindHeuristics(arguments, choice));
  grid = TRY(gridOf(command.grid, choice, arguments));
  document.grid = std::array<uint32_t, 3>{grid.x, grid.y, grid.z};
  runtime::EmulatorOptions options;
  options.arch = arch;
  options.profile = true;
  device = std::make_shared<runtime::EmulatorDevice>(options);
  made = std::make_unique<DeviceArguments>(device, arguments, TRY(parseSeed(command.seed)));
  const std::shared_ptr<jit::JitKernel> kernel =
      TRY(jit::JitKernel::create(choice.program, *choice.kernel, choice.options));
  const std::vector<HostValue> values = TRY(made->valuesOf(kernel->parameters()));
  for (const auto &[name, argument] : arguments)
    if (const auto *number = std::get_if<HostValue>(&argument.value))
      if (number->kind == HostValue::Int)
        document.numbers.emplace(name, int64_t(number->bits));
  const jit::Variant *variant = TRY(kernel->prepare(device, values));
  document.spec = variant->spec;
  const ProgressLine line(*device);
  const Result<void> done = kernel->launch(device, grid, values);
  jit::showPrintedText(*device);
  return done;
}

/// The specifications whose code a launch of `spec` may have run: a loop may be shared out over clusters, and
/// arrays may be none that tensor maps describe.
static std::vector<KernelSpec> candidatesOf(const KernelSpec &spec) {
  std::vector<KernelSpec> specs{spec};
  specs.push_back(spec);
  specs.back().splitK = true;
  for (size_t i = 0; i < 2; ++i) {
    specs.push_back(specs[i]);
    specs.back().without.insert({Feature::Tma, Feature::Spread});
  }
  return specs;
}

Result<void> Explanation::compile() {
  const ParsedSource &source = program->source().parsedSource();
  const std::string ran = device ? device->profile().ptx : "";
  CompileOptions options;
  options.insight = options.remarks = true;
  for (const KernelSpec &spec : device ? candidatesOf(document.spec) : std::vector{document.spec}) {
    result = jit::sharedCompiler().compile(source, spec, options);
    if (jit::hasErrors(result.diagnostics))
      return jit::compileError(std::move(result.diagnostics));
    document.spec = spec;
    if (!device || result.image->ptx == ran)
      break;
  }
  if (device && result.image->ptx != ran)
    return Error{ErrorKind::Driver, "internal error: the code that ran is none that the kernel compiles to"};
  addCompiled(document, source, *choice.kernel, result,
              [&](const std::string &path) { return sourceOf(path); });
  if (device)
    explain::addRun(document, device->report(), device->profile());
  return {};
}

std::optional<std::string> Explanation::sourceOf(const std::string &path) const {
  if (path == subject.input.path)
    return subject.input.text;
  Result<std::string> text = runtime::readFile(path, SourceFile::maxBytes);
  return text ? std::optional(std::move(*text)) : std::nullopt;
}

Result<void> Explanation::assemble() {
  const std::optional<runtime::MachineCode> code = TRY(machineCodeOf(*result.image));
  if (!code)
    return {};
  addAssembled(document, *result.image, *code);
  if (document.sass)
    if (Result<std::string> text = disassemble(code->bytes))
      document.sass->text = std::move(*text);
  return {};
}

/// The first line of an error, without the place: what a table has room for.
static std::string shortText(const Error &error) {
  if (error.diagnostics)
    for (const Diagnostic &diagnostic : *error.diagnostics)
      if (jit::isError(diagnostic))
        return diagnostic.message;
  return error.text.substr(0, error.text.find('\n'));
}

Result<explain::Resources> Explanation::resourcesWith(size_t config) const {
  KernelChoice configured = choice;
  configured.options =
      TRY(jit::JitKernel::withConfig(*choice.program, *choice.kernel, configured.options, int64_t(config)));
  std::shared_ptr<const KernelImage> image;
  if (device) {
    bindPassed(arguments, configured.options);
    const auto kernel = TRY(jit::JitKernel::create(choice.program, *choice.kernel, configured.options));
    const std::vector<HostValue> values = TRY(made->valuesOf(kernel->parameters()));
    image = std::make_shared<KernelImage>(TRY(kernel->prepare(device, values))->image());
  } else {
    const KernelSpec spec = TRY(specOf(command, configured, arch));
    image = TRY(program->source().compile(spec, {}, jit::Messages::Dropped));
  }
  const std::optional<runtime::MachineCode> code = TRY(machineCodeOf(*image));
  return explain::resourcesOf(*image, code ? &*code : nullptr);
}

Result<void> Explanation::addConfigs() {
  const std::vector<KernelConfig> configs =
      TRY(program->source().configs(choice.kernel->name, arch, choice.options.tritonVersion));
  if (configs.empty())
    return jit::noConfigs(*choice.kernel);
  // Each config sets its own values, whatever the report is about.
  for (const KernelConfig &config : configs)
    for (const auto &[name, value] : config.values)
      choice.options.constexprs.erase(name);
  for (size_t number = 0; number < configs.size(); ++number) {
    explain::ConfigReport report{uint32_t(number), configText(configs[number]), "", {}};
    if (Result<explain::Resources> resources = resourcesWith(number))
      report.resources = std::move(*resources);
    else
      report.error = shortText(resources.error());
    document.configs.push_back(std::move(report));
  }
  return {};
}

/// Launches on the first GPU, with cold caches. What the arrays hold after that is of no interest.
Result<void> Explanation::measure() {
  constexpr size_t warmups = 3, launches = 30;
  const std::shared_ptr<runtime::Device> gpu = TRY(jit::openDevice("cuda"));
  DeviceArguments onGpu(gpu, arguments, TRY(parseSeed(command.seed)));
  jit::Candidate candidate;
  KernelChoice chosen = choice;
  chosen.options.arch = command.arch; // else what the device runs best
  candidate.kernel = TRY(jit::JitKernel::create(chosen.program, *chosen.kernel, chosen.options));
  candidate.grid = grid;
  candidate.arguments = TRY(onGpu.valuesOf(candidate.kernel->parameters()));
  const std::unique_ptr<jit::Stopwatch> stopwatch = TRY(jit::Stopwatch::create(gpu));
  std::vector<double> times;
  for (size_t i = 0; i < warmups + launches; ++i) {
    const double milliseconds = TRY(stopwatch->measure(candidate));
    if (i >= warmups)
      times.push_back(milliseconds * 1e6);
  }
  std::ranges::sort(times);
  explain::Measured &measured = document.measured.emplace();
  measured.device = gpu->properties().name;
  measured.launches = launches;
  if (std::optional<explain::Peaks> peaks = explain::peaksOfDevice(gpu->properties()))
    document.roofline->peaks = std::move(peaks);
  for (size_t i = 0; i < measured.nsQuantiles.size(); ++i)
    measured.nsQuantiles[i] = times[i * (launches - 1) / (measured.nsQuantiles.size() - 1)];
  Result<explain::DeviceCounts> counts = countOnDevice(subject, result.image->entry, gpu->properties());
  if (counts)
    measured.counts = std::move(*counts);
  else
    measured.whyNoCounts = counts.error().text;
  return {};
}

Result<explain::Document> Explanation::work() {
  if (command.measure && !subject.isRun())
    return usageError("`--measure` launches the kernel: it needs `--arg` and `--grid`");

  document.specFrom = subject.specFrom;
  document.guessed = subject.guessed;
  TRY(choose());
  if (subject.isRun())
    TRY(launch());
  else
    document.spec = TRY(specOf(command, choice, arch));
  TRY(compile());
  TRY(assemble());
  explain::addFindings(document);
  if (asksForAll(command))
    TRY(addConfigs());
  if (command.measure)
    TRY(measure());
  return std::move(document);
}

} // namespace

Result<explain::Document> explainSubject(const Subject &subject) { return Explanation(subject).work(); }

} // namespace tegula::cli
