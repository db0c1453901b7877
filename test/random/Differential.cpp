#include "test/random/Differential.h"

#include "compiler/driver/TileKernel.h"
#include "runtime/device/CudaDevice.h"
#include "runtime/device/assembler/Assembler.h"
#include "runtime/emulator/EmulatorDevice.h"

#include "test/random/Numbers.h"
#include "test/random/StageRun.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace tegula::random {

std::vector<uint8_t> bytesOf(const Argument &argument) {
  const uint32_t size = scalarKindBytes(argument.type.scalar);
  std::vector<uint8_t> bytes(argument.elements.size() * size);
  for (size_t i = 0; i < argument.elements.size(); ++i)
    std::memcpy(&bytes[i * size], &argument.elements[i], size);
  return bytes;
}

namespace {

using Bytes = std::vector<uint8_t>;
/// The outputs by name, or why there are none.
struct Run {
  Outputs outputs;
  std::optional<Difference> problem;
  bool needsNoMaps = false; ///< the problem is that no tensor map describes an array
};

bool isArray(const Argument &argument) { return argument.type.pointerDepth > 0; }

/// True for an array that has memory of its own.
bool isOwnArray(const Argument &argument) { return isArray(argument) && argument.aliasOf.empty(); }

/// As the launcher would specialise it: the number 1 is part of the code.
bool isBound(const Argument &argument) {
  return !isArray(argument) && argument.type.scalar == ScalarKind::Int32 && argument.elements.front() == 1;
}

/// The name of the array that `argument` points to.
const std::string &arrayOf(const Argument &argument) {
  return argument.aliasOf.empty() ? argument.name : argument.aliasOf;
}

KernelSpec specOf(const RandomKernel &kernel, const Comparison &how) {
  KernelSpec spec;
  spec.target = how.target;
  spec.kernel = "kernel";
  spec.numWarps = kernel.numWarps;
  spec.numStages = kernel.numStages;
  spec.numCtas = kernel.numCtas;
  for (const Argument &argument : kernel.arguments)
    if (isBound(argument))
      spec.args[argument.name] = BoundValue{int64_t(1)};
    else
      spec.args[argument.name] = argument.type;
  return spec;
}

const Argument &find(const RandomKernel &kernel, const std::string &name) {
  for (const Argument &argument : kernel.arguments)
    if (argument.name == name)
      return argument;
  std::abort(); // the compiler named a parameter that the source does not have
}

/// The arrays of a launch in the interpreter's memory.
struct Arrays {
  explicit Arrays(const RandomKernel &kernel) : kernel(kernel) {
    for (const Argument &argument : kernel.arguments)
      if (isOwnArray(argument)) {
        const Bytes bytes = bytesOf(argument);
        const uint64_t base = bases[argument.name] = memory.allocate(bytes.size(), argument.name)->base;
        memory.write(base, bytes.data(), bytes.size());
      }
  }

  uint64_t bitsOf(const std::string &parameter) const {
    const Argument &argument = find(kernel, parameter);
    return isArray(argument)
               ? bases.at(arrayOf(argument)) + argument.skip * scalarKindBytes(argument.type.scalar)
               : argument.elements.front();
  }

  Outputs outputs() {
    Outputs found;
    for (const Argument &argument : kernel.arguments)
      if (argument.isOutput) {
        Bytes &bytes = found[argument.name] = bytesOf(argument);
        memory.read(bytes.data(), bases[argument.name], bytes.size());
      }
    return found;
  }

  const RandomKernel &kernel;
  interp::Memory memory;
  std::map<std::string, uint64_t> bases;
};

constexpr uint64_t stepLimit = uint64_t(1) << 28;

Run interpret(const RandomKernel &kernel, const ParsedSource &source, const Comparison &how) {
  Run run;
  TileKernel::Made made = TileKernel::create(source, specOf(kernel, how));
  if (!made.kernel) {
    run.problem = {Difference::Source, render(made.diagnostics)};
    return run;
  }
  Arrays arrays(kernel);
  std::vector<uint64_t> arguments;
  for (const KernelParam &param : made.kernel->params())
    arguments.push_back(arrays.bitsOf(param.name));
  TileKernel::Options options;
  options.stepLimit = stepLimit;
  if (const std::optional<std::string> fault =
          made.kernel->launch(kernel.grid, arguments, arrays.memory, options))
    run.problem = {Difference::Source, *fault};
  run.outputs = arrays.outputs();
  return run;
}

/// Runs a stage's text in the interpreter. A stage that fails is the compilation's failure.
Run interpretStage(Compiler &compiler, const RandomKernel &kernel, const ParsedSource &source, Stage stage,
                   const Comparison &how) {
  CompileOptions options;
  options.emit = {stage};
  const CompileResult compiled = compiler.compile(source, specOf(kernel, how), options);
  if (compiled.stageText.empty())
    return {{}, Difference{Difference::Compilation, render(compiled.diagnostics)}};
  Arrays arrays(kernel);
  const auto bitsOf = [&](const std::string &parameter) { return arrays.bitsOf(parameter); };
  const std::string fault =
      runStage(compiled.stageText.at(stage), kernel.grid, bitsOf, arrays.memory, stepLimit);
  if (!fault.empty())
    return {{}, Difference{Difference::Stage, fmt::format("{}: {}", stageName(stage), fault)}};
  return {arrays.outputs(), std::nullopt};
}

Run failed(const runtime::Error &error) {
  return {{}, Difference{Difference::Emulation, error.text}, error.kind == runtime::ErrorKind::MapRefused};
}

using OpenedDevice = runtime::Result<std::shared_ptr<runtime::Device>>;

/// An emulator, or the GPU, which the process opens once: that takes as long as a kernel does.
OpenedDevice open(const Comparison &how, uint64_t seed) {
  if (how.onGpu) {
    static const OpenedDevice gpu = [] {
      runtime::Result<std::unique_ptr<runtime::Device>> opened = runtime::openCudaDevice();
      return opened ? OpenedDevice(std::move(*opened)) : OpenedDevice(opened.error());
    }();
    return gpu;
  }
  runtime::EmulatorOptions options;
  options.seed = seed;
  options.instructionLimit = uint64_t(1) << 26;
  return OpenedDevice(std::make_shared<runtime::EmulatorDevice>(options));
}

/// The arrays of a launch in a device's memory.
struct DeviceArrays {
  explicit DeviceArrays(runtime::Device &device) : device(device) {}
  DeviceArrays(const DeviceArrays &) = delete;
  ~DeviceArrays() {
    for (const auto &[name, base] : bases)
      (void)device.free(base);
  }
  runtime::Device &device;
  std::map<std::string, uint64_t> bases;
};

Run runCompiled(const RandomKernel &kernel, const KernelImage &image, const Comparison &how, uint64_t seed) {
  OpenedDevice opened = open(how, seed);
  if (!opened)
    return failed(opened.error());
  runtime::Device &device = **opened;
  DeviceArrays arrays(device);
  std::map<std::string, uint64_t> &bases = arrays.bases;
  for (const Argument &argument : kernel.arguments)
    if (isOwnArray(argument)) {
      const Bytes bytes = bytesOf(argument);
      auto base = device.allocate(bytes.size());
      if (!base)
        return failed(base.error());
      bases[argument.name] = *base;
      if (auto copied = device.copyToDevice(*base, bytes.data(), bytes.size()); !copied)
        return failed(copied.error());
    }
  std::vector<std::byte> block(image.paramBytes);
  for (const KernelParam &param : image.params) {
    const Argument &argument = find(kernel, param.name);
    const uint64_t bits =
        isArray(argument) ? bases[arrayOf(argument)] + argument.skip * scalarKindBytes(argument.type.scalar)
                          : argument.elements.front();
    std::memcpy(&block[param.offset], &bits, param.size);
  }
  auto loaded = device.load(image);
  if (!loaded)
    return failed(loaded.error());
  if (auto done = device.launch(**loaded, {kernel.grid[0], kernel.grid[1], kernel.grid[2]}, block); !done)
    return failed(done.error());
  if (auto done = device.synchronize(); !done)
    return failed(done.error());
  Run run;
  for (const Argument &argument : kernel.arguments)
    if (argument.isOutput) {
      Bytes &bytes = run.outputs[argument.name] = bytesOf(argument);
      if (auto copied = device.copyToHost(bytes.data(), bases[argument.name], bytes.size()); !copied)
        return failed(copied.error());
    }
  return run;
}

bool agree(const Argument &argument, uint64_t expected, uint64_t found) {
  if (expected == found)
    return true;
  if (argument.type.scalar < ScalarKind::Float16)
    return false;
  const double a = real(argument.type.scalar, expected), b = real(argument.type.scalar, found);
  // Which zero comes of a sum depends on where it starts, which is the compiler's choice.
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return true;
  return std::fabs(a - b) <= argument.ulps * std::ldexp(std::fmax(std::fabs(a), 1e-30), -23) + argument.error;
}

std::string shown(ScalarKind type, uint64_t bits) {
  return type < ScalarKind::Float16 ? fmt::format("{:#x}", bits)
                                    : fmt::format("{} ({:#x})", real(type, bits), bits);
}

std::optional<Difference> difference(const RandomKernel &kernel, const Run &expected, const Run &found) {
  for (const Argument &argument : kernel.arguments) {
    if (!argument.isOutput)
      continue;
    const ScalarKind type = argument.type.scalar;
    const uint32_t size = scalarKindBytes(type);
    const Bytes &a = expected.outputs.at(argument.name), &b = found.outputs.at(argument.name);
    for (size_t i = 0; i < argument.elements.size(); ++i) {
      uint64_t x = 0, y = 0;
      std::memcpy(&x, &a[i * size], size);
      std::memcpy(&y, &b[i * size], size);
      if (!agree(argument, x, y))
        return Difference{Difference::Result, fmt::format("{}[{}]: expected {}, found {}", argument.name, i,
                                                          shown(type, x), shown(type, y))};
    }
  }
  return std::nullopt;
}

} // namespace

/// The first stage that means something else than the kernel.
static std::optional<Difference> compareStages(Compiler &compiler, const RandomKernel &kernel,
                                               const ParsedSource &source, const Run &expected,
                                               const Comparison &how) {
  for (tegula::Stage stage : {tegula::Stage::Tile, tegula::Stage::Distributed, tegula::Stage::Scheduled}) {
    const Run found = interpretStage(compiler, kernel, source, stage, how);
    if (found.problem)
      return found.problem;
    if (std::optional<Difference> differs = difference(kernel, expected, found))
      return Difference{Difference::Stage, fmt::format("{}: {}", stageName(stage), differs->text)};
  }
  return std::nullopt;
}

std::optional<Difference> interpretSource(Compiler &compiler, const RandomKernel &kernel, Outputs &outputs) {
  Run run = interpret(kernel, *compiler.parse("random.py", sourceOf(kernel)), {});
  outputs = std::move(run.outputs);
  return run.problem;
}

std::optional<Difference> compare(Compiler &compiler, const RandomKernel &kernel, const Comparison &how) {
  const std::shared_ptr<const ParsedSource> source = compiler.parse("random.py", sourceOf(kernel));
  const Run expected = interpret(kernel, *source, how);
  if (expected.problem)
    return expected.problem;
  if (how.stages) {
    // The interpreter knows programs, and no blocks that share one.
    RandomKernel alone = kernel;
    alone.numCtas = 1;
    if (std::optional<Difference> differs = compareStages(compiler, alone, *source, expected, how))
      return differs;
  }
  if (!how.schedules)
    return std::nullopt;
  KernelSpec spec = specOf(kernel, how);
  CompileResult compiled;
  auto compileIt = [&] {
    compiled = compiler.compile(*source, spec);
    if (compiled.image && how.plant)
      how.plant(compiled.image->ptx);
    return compiled.image.has_value();
  };
  if (!compileIt())
    return Difference{Difference::Compilation, render(compiled.diagnostics)};
  if (how.assembles)
    if (const auto code = runtime::assembleWithoutDevice(compiled.image->ptx, {.arch = how.target});
        !code && code.error().kind != runtime::ErrorKind::Unavailable)
      return Difference{Difference::Assembly, code.error().text};
  for (uint32_t schedule = 0; schedule < how.schedules; ++schedule) {
    // Seed 0 is the natural order; every other one shuffles.
    const uint64_t seed = kernel.seed * how.schedules + schedule;
    Run found = runCompiled(kernel, *compiled.image, how, seed);
    if (found.needsNoMaps) { // as a launch does, whose arguments no tensor map describes
      spec.without.insert(Feature::Tma);
      if (!compileIt())
        return Difference{Difference::Compilation, render(compiled.diagnostics)};
      found = runCompiled(kernel, *compiled.image, how, seed);
    }
    if (found.problem)
      return found.problem;
    if (std::optional<Difference> differs = difference(kernel, expected, found))
      return differs;
  }
  return std::nullopt;
}

std::string textOfStage(Compiler &compiler, const RandomKernel &kernel, tegula::Stage stage,
                        const Comparison &how) {
  CompileOptions options;
  options.emit = {stage};
  const CompileResult compiled =
      compiler.compile(*compiler.parse("random.py", sourceOf(kernel)), specOf(kernel, how), options);
  return compiled.stageText.empty() ? render(compiled.diagnostics) : compiled.stageText.at(stage);
}

std::string describe(const RandomKernel &kernel, const Difference &difference) {
  static const char *const kinds[] = {"the source is refused",    "the compilation fails",
                                      "the device finds a fault", "the results differ",
                                      "the process dies",         "a stage means something else",
                                      "the assembler refuses it"};
  std::string text =
      fmt::format("seed {}: {}: {}\n{}\ngrid ({}, {}, {}), {} warps, {} stages, {} blocks", kernel.seed,
                  kinds[difference.kind], difference.text, sourceOf(kernel), kernel.grid[0], kernel.grid[1],
                  kernel.grid[2], kernel.numWarps, kernel.numStages, kernel.numCtas);
  for (const Argument &argument : kernel.arguments)
    text += isArray(argument) ? fmt::format("\n{}: {}, {} elements{}", argument.name,
                                            formatArgType(argument.type), argument.elements.size(),
                                            argument.skip ? fmt::format(" from element {}", argument.skip)
                                            : !argument.aliasOf.empty() ? ", the same as " + argument.aliasOf
                                                                        : "")
                              : fmt::format("\n{}: {} = {:#x}", argument.name, formatArgType(argument.type),
                                            argument.elements.front());
  return text + "\n";
}

} // namespace tegula::random
