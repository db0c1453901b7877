#include "tools/tegula/bench/DryRun.h"

#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/tune/Parallel.h"

#include <fmt/format.h>

namespace tegula::cli::bench {

using runtime::Result;

namespace {

/// Memory on a GPU begins at multiples of this.
constexpr uint64_t anyAddress = 256;

/// A config on its way.
struct Job {
  const Case *subject = nullptr;
  const jit::TuneConfig *config = nullptr;
  std::shared_ptr<jit::JitProgram> program = {};
  const KernelInfo *kernel = nullptr;
  std::string line = {}, wrong = {};
  bool spills = false;
  std::vector<std::string> warnings = {};
};

Result<Job> jobOf(const Case &subject, const jit::TuneConfig &config, KernelFiles &files) {
  const KernelInfo *kernel = TRY(files.kernel(subject.file, subject.entry));
  return Job{
      .subject = &subject, .config = &config, .program = *files.program(subject.file), .kernel = kernel};
}

/// What a launch of `subject` would pass.
std::vector<HostValue> passedOf(const Case &subject) {
  std::vector<HostValue> values;
  for (const Argument &argument : subject.arguments) {
    const auto *tensor = std::get_if<Tensor>(&argument.value);
    values.push_back(tensor ? HostValue::pointer(anyAddress, tensor->type)
                            : std::get<HostValue>(argument.value));
  }
  return values;
}

/// The types, with facts, that such a launch has, as signatures spell them.
Result<std::vector<std::string>> typesOf(const jit::JitKernel &kernel, const Case &subject) {
  const std::vector<HostValue> values = passedOf(subject);
  std::vector<std::optional<ArgSpec>> specs = TRY(kernel.specialized(values));
  std::vector<std::string> types;
  for (const std::optional<ArgSpec> &spec : specs)
    types.push_back(jit::signatureText(*spec)); // no case keeps a default
  return types;
}

/// The kernel of `job`, compiled for `arch`.
Result<KernelImage> imageOf(const Job &job, const std::string &arch) {
  jit::JitKernel::Options options = job.config->options;
  options.arch = arch;
  std::shared_ptr<jit::JitKernel> kernel = TRY(jit::JitKernel::create(job.program, *job.kernel, options));
  std::vector<std::string> types = TRY(typesOf(*kernel, *job.subject));
  const jit::Variant *variant = TRY(kernel->prepareTyped(nullptr, types));
  return variant->image();
}

/// How it is launched and, where `isAssembled`, what it costs.
Result<std::string> launchOf(Job &job, const std::string &arch, bool isAssembled) {
  const KernelImage image = TRY(imageOf(job, arch));
  const runtime::Grid &grid = job.config->grid;
  std::string text =
      image.blocksPerMultiprocessor
          ? fmt::format(
                "{}x{} programs, walked by blocks of {} threads, {} a multiprocessor, {} bytes shared",
                grid.x, grid.y, image.numWarps * 32, image.blocksPerMultiprocessor, image.sharedBytes)
          : fmt::format("{}x{} blocks of {} threads, {} program{} each, {} bytes shared",
                        (grid.x + image.programsPerBlock - 1) / image.programsPerBlock, grid.y,
                        image.numWarps * 32, image.programsPerBlock, image.programsPerBlock == 1 ? "" : "s",
                        image.sharedBytes);
  if (!isAssembled)
    return text;
  runtime::MachineCode code = TRY(runtime::assemble(image.ptx, {.arch = image.target}));
  for (const runtime::EntryResources &entry : code.entries) {
    text += fmt::format(", {} registers, {} bytes spilled", entry.registers, entry.spillStoreBytes);
    job.spills |= entry.spillStoreBytes > 0;
  }
  job.warnings = std::move(code.warnings);
  for (const std::string &warning : job.warnings)
    text += fmt::format("; {}", warning);
  return text;
}

} // namespace

Result<DryRun> dryRun(const std::vector<Case> &cases, KernelFiles &files, const std::string &arch) {
  std::vector<Job> jobs;
  for (const Case &subject : cases)
    for (const jit::TuneConfig &config : subject.configs) {
      Job job = TRY(jobOf(subject, config, files));
      jobs.push_back(std::move(job));
    }
  const bool isAssembled = bool(runtime::findAssembler());
  jit::forEachIndex(jobs.size(), 0, [&](size_t i) {
    Result<std::string> launch = launchOf(jobs[i], arch, isAssembled);
    (launch ? jobs[i].line : jobs[i].wrong) = launch ? *launch : launch.error().text;
  });
  DryRun result;
  for (const Job &job : jobs) {
    const std::string name = fmt::format("{}: {}", job.subject->label(), configText(*job.config));
    ++(job.wrong.empty() ? result.compiled : result.failed);
    result.spilling += job.spills;
    result.warned += !job.warnings.empty();
    if (job.wrong.empty())
      result.text += fmt::format("{}: {}\n", name, job.line);
    else
      result.wrong += fmt::format("{}:\n{}\n", name, job.wrong);
  }
  return result;
}

Result<std::vector<std::string>> assemblerWarnings(const Case &subject, const jit::TuneConfig &config,
                                                   KernelFiles &files, const std::string &arch) {
  Job job = TRY(jobOf(subject, config, files));
  KernelImage image = TRY(imageOf(job, arch));
  runtime::MachineCode code = TRY(runtime::assemble(image.ptx, {.arch = image.target}));
  return std::move(code.warnings);
}

} // namespace tegula::cli::bench
