#include "runtime/jit/launch/Jit.h"

#include "compiler/driver/Compiler.h"
#include "compiler/spec/PassedTuple.h"
#include "dialect/tile/Limits.h"
#include "runtime/device/Freeze.h"
#include "runtime/jit/ahead/Bundles.h"
#include "runtime/jit/program/CompileDefaults.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::jit {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

std::shared_ptr<JitProgram> JitProgram::parse(const std::string &path, const std::string &text,
                                              const ImportSearch &imports) {
  return std::shared_ptr<JitProgram>(new JitProgram(CompiledSource::parse(path, text, imports)));
}

std::shared_ptr<JitProgram> JitProgram::parse(std::vector<SourceUnit> units, size_t entry) {
  return std::shared_ptr<JitProgram>(new JitProgram(CompiledSource::parse(std::move(units), entry)));
}

Result<std::shared_ptr<JitProgram>> JitProgram::load(const std::string &path, const ImportSearch &imports) {
  std::shared_ptr<CompiledSource> source = TRY(CompiledSource::load(path, imports));
  return std::shared_ptr<JitProgram>(new JitProgram(std::move(source)));
}

Result<std::shared_ptr<runtime::LoadedKernel>>
JitProgram::load(const std::shared_ptr<runtime::Device> &device,
                 const std::shared_ptr<const KernelImage> &image, const std::string &specialisation) {
  if (std::shared_ptr<runtime::LoadedKernel> kernel = loadedFromBundle(device.get(), image.get()))
    return kernel;
  std::lock_guard lock(mutex);
  OnDevice &place = loaded[{device.get(), image.get()}];
  if (place.kernel)
    return place.kernel;
  if (runtime::isFrozen())
    return runtime::notPrepared(nameOf(*image), "loaded", specialisation);
  std::unique_ptr<runtime::LoadedKernel> made = TRY(device->load(*image));
  place.device = device;
  place.kernel = std::move(made);
  return place.kernel;
}

JitKernel::JitKernel(std::shared_ptr<JitProgram> program, const KernelInfo &info, Options options)
    : owner(std::move(program)), kernelInfo(info), fixed(std::move(options)) {
  for (const std::string &name : kernelInfo.tuning.heuristics) {
    const bool given = name == "num_warps"    ? fixed.numWarps != 0
                       : name == "num_stages" ? fixed.numStages != 0
                                              : fixed.constexprs.contains(name);
    if (!given)
      computed.insert(name);
  }
  for (const ParameterInfo &parameter : kernelInfo.parameters) {
    const auto given = fixed.constexprs.find(parameter.name);
    if (given != fixed.constexprs.end()) {
      addParts(parameter, given->second);
    } else if (!computed.contains(parameter.name)) {
      open.push_back(parameter);
    }
  }
}

/// Adds the parameters that a launch passes for `whole`, a descriptor or a tuple.
void JitKernel::addParts(const ParameterInfo &whole, const BoundValue &value) {
  for (PassedParameter &part : passedParameters(whole.name, value)) {
    ParameterInfo info{.name = std::move(part.name)};
    info.doNotSpecialize = whole.doNotSpecialize;
    info.doNotSpecializeOnAlignment = whole.doNotSpecializeOnAlignment;
    if (part.type)
      info.type = RuntimeArg{part.type->scalar};
    open.push_back(std::move(info));
  }
}

Result<std::shared_ptr<JitKernel>> JitKernel::create(std::shared_ptr<JitProgram> program,
                                                     const KernelInfo &info, Options options) {
  for (const auto &[name, value] : options.constexprs)
    if (std::ranges::find(info.parameters, name, &ParameterInfo::name) == info.parameters.end())
      return Error{ErrorKind::InvalidArgument,
                   fmt::format("kernel `{}` has no parameter `{}`", info.name, name)};
  if (std::string wrong = tile::wrongCounts(options.warps(), options.stages(), options.maxRegisters);
      !wrong.empty())
    return Error{ErrorKind::InvalidArgument, std::move(wrong)};
  if (!options.without)
    options.without = TRY(withoutByDefault());
  options.numCtas = options.launch.clusterBlocks;
  options.tritonVersion = TRY(knownVersion(options.tritonVersion));
  for (const ExternLibrary &library : options.externLibs)
    if (library.name.empty() || library.path.empty())
      return Error{
          ErrorKind::InvalidArgument,
          fmt::format("expected a name and a path of each library of `extern_libs`, found `{}` and `{}`",
                      library.name, library.path)};
  identifyLibraries(options.externLibs);
  // Hosts initialise libraries in the module of a kernel that launches run, so there may be no second one:
  // for arguments that no tensor map describes, or with loops or rows shared by clusters.
  if (!options.externLibs.empty())
    options.without->insert({Feature::Tma, Feature::Stores, Feature::Split, Feature::Spread});
  std::shared_ptr<JitKernel> kernel(new JitKernel(std::move(program), info, std::move(options)));
  if (kernel->open.size() > runtime::maxArguments)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected at most {} arguments for `{}`, found {}", runtime::maxArguments,
                             info.name, kernel->open.size())};
  return kernel;
}

} // namespace tegula::jit
