#include "runtime/jit/build/BundleBuilder.h"

#include "compiler/driver/ImportRecord.h"
#include "compiler/driver/Stage.h"
#include "compiler/spec/PassedTuple.h"
#include "runtime/bundle/BundleWriter.h"
#include "runtime/device/assembler/Assembler.h"
#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/files/SpecText.h"
#include "runtime/jit/program/CompileError.h"
#include "runtime/jit/program/CompiledSource.h"
#include "runtime/jit/tune/Parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

namespace tegula::jit {

using bundle::BundledKernel;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

std::vector<RecordedParameter> launchParameters(const KernelInfo &kernel, const KernelSpec &spec) {
  std::vector<RecordedParameter> parameters;
  auto add = [&](const std::string &name, const ArgSpec &arg) {
    parameters.push_back({name, signatureText(arg)});
  };
  for (const ParameterInfo &parameter : kernel.parameters) {
    const auto found = spec.args.find(parameter.name);
    if (parameter.isConstexpr || found == spec.args.end())
      continue;
    const auto *value = std::get_if<BoundValue>(&found->second);
    if (!value) {
      add(parameter.name, found->second);
      continue;
    }
    for (const PassedParameter &part : passedParameters(parameter.name, *value)) {
      const auto given = spec.args.find(part.name);
      if (given != spec.args.end())
        add(part.name, given->second);
      else if (part.type)
        add(part.name, *part.type);
    }
    // 1 and None are what a launch may pass; any other value was fixed when compiling.
    const auto *number = std::get_if<int64_t>(&value->value);
    if (std::holds_alternative<std::monostate>(value->value) || (number && *number == 1))
      add(parameter.name, found->second);
  }
  return parameters;
}

namespace {

/// A compilation that is to be made.
struct Job {
  const BundleRequest *request;
  KernelSpec spec;
  bool withoutMaps = false;
};

/// The outcome of a job.
struct Done {
  std::string key;
  std::optional<BundledKernel> kernel;
};

/// The values that are no parameters of launches: "BLOCK_SIZE=1024 num_warps=4 num_stages=3".
std::string constantsOf(const KernelSpec &spec, const std::vector<RecordedParameter> &parameters) {
  std::string text;
  for (const auto &[name, arg] : spec.args)
    if (std::ranges::find(parameters, name, &RecordedParameter::name) == parameters.end())
      text += fmt::format("{}={} ", name, argText(arg));
  return text + fmt::format("num_warps={} num_stages={}", spec.warps(), spec.stages());
}

class Builder {
public:
  explicit Builder(const BundleOptions &options) : options(options) {}

  /// Makes `jobs` side by side; `results` has their places.
  void compile(const std::vector<Job> &jobs, std::vector<Done> &results) {
    results.resize(jobs.size());
    forEachIndex(jobs.size(), options.threads, [&](size_t i) {
      if (Result<void> made = make(jobs[i], results[i]); !made) {
        std::lock_guard lock(mutex);
        failures.insert(fmt::format("{}, for {}", made.error().text, describeSpec(jobs[i].spec)));
      }
    });
  }

  std::set<std::string> failures; ///< sorted, so that the first is the same whichever thread was faster
  std::set<std::string> warnings;
  std::set<std::string> said; ///< rendered diagnostics of compilations that succeeded
  size_t assembled = 0;

private:
  Result<void> make(const Job &job, Done &done);
  Result<KernelImage> compiled(const Job &job, std::string &key, std::string &imports);
  void assemble(KernelImage &image);

  const BundleOptions &options;
  std::mutex mutex; ///< guards what is public
};

std::shared_ptr<CompiledSource> sourceOf(const RecordedProgram &program) {
  if (!program.isFile())
    return CompiledSource::parse(program.units, program.entry);
  return CompiledSource::parse(program.path, program.text,
                               {program.searchesOwnFolder, program.folders, program.values});
}

Result<KernelImage> Builder::compiled(const Job &job, std::string &key, std::string &imports) {
  const RecordedKernel &kernel = job.request->kernel;
  std::shared_ptr<CompiledSource> source = sourceOf(*job.request->program);
  std::vector<std::string> paths;
  for (const SourceUnit &unit : job.request->program->units)
    paths.push_back(unit.path);
  key = bundleKey(job.spec, kernel.entryName, source->contentIdentity(), withoutPaths(kernel.tile, paths));
  if (kernel.tile.empty()) {
    std::shared_ptr<const KernelImage> image = TRY(source->compile(job.spec, kernel.entryName));
    imports = importRecord(source->parsedSource());
    const std::vector<Diagnostic> messages = source->takeMessages();
    std::lock_guard lock(mutex);
    for (const Diagnostic &message : messages)
      said.insert(render(message));
    return *image;
  }
  // What the host computed for it stands in the text.
  const std::string text = fmt::format("{}{}\n{}", stageMark, stageName(Stage::Tile), kernel.tile);
  CompileResult result =
      sharedCompiler().resume(kernel.spec.kernel, text, Stage::Tile, {.entryName = kernel.entryName});
  if (!result.image)
    return compileError(std::move(result.diagnostics));
  result.image->kernel = kernel.spec.kernel;
  return std::move(*result.image);
}

void Builder::assemble(KernelImage &image) {
  Result<runtime::MachineCode> code = runtime::assemble(image.ptx, {.arch = image.target});
  std::lock_guard lock(mutex);
  if (code) {
    image.machineCode = std::move(code->bytes);
    ++assembled;
  } else if (code.error().kind == ErrorKind::Unavailable) {
    warnings.insert("no assembler was found for some of the kernels, which are PTX alone: " +
                    code.error().text);
  } else {
    warnings.insert(fmt::format("kernel `{}` is PTX alone: {}", nameOf(image), code.error().text));
  }
}

Result<void> Builder::make(const Job &job, Done &done) {
  const BundleRequest &request = *job.request;
  BundledKernel kernel{
      .name = request.name,
      .launch = {request.kernel.cooperative, request.kernel.programmatic, request.kernel.spec.numCtas},
      .withoutMaps = job.withoutMaps};
  kernel.image = TRY(compiled(job, done.key, kernel.imports));
  // What a cache may have kept with it is of this machine.
  kernel.image.machineCode.clear();
  if (options.machineCode)
    assemble(kernel.image);
  for (const RecordedParameter &parameter : request.kernel.parameters)
    kernel.parameters.push_back({parameter.name, parameter.type});
  kernel.constants = constantsOf(job.spec, request.kernel.parameters);
  kernel.specialisation = specParts(job.spec);
  done.kernel = std::move(kernel);
  return {};
}

} // namespace

Result<BuiltBundle> buildBundle(const std::vector<BundleRequest> &requests,
                                const std::map<std::string, std::string> &notes,
                                const BundleOptions &options) {
  Builder builder(options);
  std::vector<Job> jobs;
  for (const BundleRequest &request : requests) {
    const KernelSpec &spec = request.kernel.spec;
    if (options.targets.empty() || !request.kernel.tile.empty()) {
      jobs.push_back({&request, spec});
      for (const std::string &target : options.targets)
        if (target != spec.target)
          builder.warnings.insert(
              fmt::format("kernel `{}` calls the host while it is compiled, and is there for {} alone: "
                          "that is where it was recorded",
                          spec.kernel, spec.target));
      continue;
    }
    for (const std::string &target : options.targets) {
      jobs.push_back({&request, spec});
      jobs.back().spec.target = target;
    }
  }
  std::vector<Done> results, plain, shared;
  builder.compile(jobs, results);
  std::vector<Job> withoutMaps;
  for (size_t i = 0; i < jobs.size(); ++i)
    if (results[i].kernel && !partsThatMayBeRefused(results[i].kernel->image).empty() &&
        jobs[i].request->kernel.tile.empty()) {
      withoutMaps.push_back({jobs[i].request, jobs[i].spec, true});
      withoutMaps.back().spec.without.insert({Feature::Tma, Feature::Spread});
    }
  builder.compile(withoutMaps, plain);
  if (!builder.failures.empty()) {
    std::string text;
    for (const std::string &failure : builder.failures)
      text += (text.empty() ? "" : "\n") + failure;
    return Error{ErrorKind::Compile, std::move(text)};
  }
  std::vector<Job> sharing;
  for (size_t i = 0; i < jobs.size(); ++i)
    if (const std::optional<SplitLoop> &loop = results[i].kernel->image.splits;
        loop && loop->blocks == 1 && jobs[i].request->kernel.tile.empty()) {
      sharing.push_back({jobs[i].request, jobs[i].spec});
      sharing.back().spec.splitK = true;
    }
  // Where one fails, its sums may not fit into shared memory, launches do without.
  builder.compile(sharing, shared);
  bundle::BundleWriter writer;
  for (const std::vector<Done> *list : {&results, &plain, &shared})
    for (const Done &done : *list)
      if (done.kernel)
        writer.add(done.key, *done.kernel);
  BuiltBundle built{.kernels = writer.size(), .assembled = builder.assembled};
  for (const auto &[name, text] : notes)
    writer.addNote(name, text);
  built.bytes = writer.bytes();
  built.warnings.assign(builder.warnings.begin(), builder.warnings.end());
  for (const std::string &text : builder.said)
    built.messages += text;
  return built;
}

} // namespace tegula::jit
