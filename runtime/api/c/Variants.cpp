// Variants: kernels compiled for facts, their properties, stages and launches.
#include "runtime/api/c/Arguments.h"
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/Handles.h"

#include "runtime/device/assembler/Assembler.h"
#include "runtime/jit/program/CompileError.h"

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::c;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static void handOut(const tegula_kernel &kernel, const jit::Variant *prepared, tegula_variant **variant) {
  auto made = std::make_unique<tegula_variant>();
  made->kernel = kernel.kernel;
  made->variant = prepared;
  *variant = made.release();
}

tegula_error *tegula_kernel_prepare(tegula_kernel *kernel, tegula_device *device,
                                    const tegula_argument *arguments, size_t count,
                                    tegula_variant **variant) {
  return tegula_kernel_prepare_as(kernel, device, arguments, count, /*entry=*/nullptr, variant);
}

tegula_error *tegula_kernel_prepare_as(tegula_kernel *kernel, tegula_device *device,
                                       const tegula_argument *arguments, size_t count, const char *entry,
                                       tegula_variant **variant) {
  return guarded({{kernel, "kernel"}, {device, "device"}, {variant, "variant"}}, [&]() -> Result<void> {
    std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
    const jit::Variant *prepared = TRY(kernel->kernel->prepare(device->device, list, entry ? entry : ""));
    handOut(*kernel, prepared, variant);
    return {};
  });
}

tegula_error *tegula_kernel_prepare_typed(tegula_kernel *kernel, tegula_device *device,
                                          const char *const *types, size_t count, tegula_variant **variant) {
  return tegula_kernel_prepare_typed_as(kernel, device, types, count, /*entry=*/nullptr, variant);
}

tegula_error *tegula_kernel_prepare_typed_as(tegula_kernel *kernel, tegula_device *device,
                                             const char *const *types, size_t count, const char *entry,
                                             tegula_variant **variant) {
  return guarded({{kernel, "kernel"}, {variant, "variant"}}, [&]() -> Result<void> {
    if (count && !types)
      return Error{ErrorKind::InvalidArgument, "expected `types`, found null"};
    std::vector<std::string> texts;
    for (size_t i = 0; i < count; ++i) {
      if (!types[i])
        return Error{ErrorKind::InvalidArgument, fmt::format("expected type {}, found null", i)};
      texts.emplace_back(types[i]);
    }
    const jit::Variant *prepared =
        TRY(kernel->kernel->prepareTyped(device ? device->device : nullptr, texts, entry ? entry : ""));
    handOut(*kernel, prepared, variant);
    return {};
  });
}

tegula_error *tegula_variant_load(tegula_device *device, const char *ptx, size_t ptx_bytes, const char *code,
                                  size_t code_bytes, tegula_variant **variant) {
  return guarded({{device, "device"}, {ptx, "ptx"}, {variant, "variant"}}, [&]() -> Result<void> {
    std::unique_ptr<jit::Variant> loaded =
        TRY(jit::loadVariant(device->device, {ptx, ptx_bytes}, code ? std::string(code, code_bytes) : ""));
    auto made = std::make_unique<tegula_variant>();
    made->own = std::move(loaded);
    made->variant = made->own.get();
    *variant = made.release();
    return {};
  });
}

void tegula_variant_free(tegula_variant *variant) { delete variant; }

tegula_variant_properties tegula::c::propertiesOf(const tegula_variant &variant) {
  const jit::Variant &of = *variant.variant;
  const KernelImage &image = of.image();
  tegula_variant_properties filled{};
  filled.kernel = nameOf(image).c_str();
  filled.entry = image.entry.c_str();
  filled.arch = of.spec.target.c_str();
  filled.num_warps = of.spec.warps();
  filled.num_stages = of.spec.stages();
  filled.shared_bytes = image.sharedBytes;
  filled.programs_per_block = image.programsPerBlock;
  filled.implicit_arguments = uint32_t(image.implicit.size());
  filled.threads = 32 * image.numWarps;
  filled.blocks_per_multiprocessor = image.blocksPerMultiprocessor;
  if (of.kernel) {
    filled.registers = of.kernel->registers();
    filled.spill_bytes = of.kernel->spillBytes();
    filled.function = of.kernel->nativeHandle();
    filled.module = of.kernel->nativeModule();
  }
  return filled;
}

void tegula_variant_get_properties(const tegula_variant *variant, tegula_variant_properties *properties) {
  if (variant && properties)
    fill(*properties, propertiesOf(*variant));
}

tegula_error *tegula_variant_launch(tegula_variant *variant, const uint32_t grid[3],
                                    const tegula_argument *arguments, size_t count, void *stream) {
  return guarded({{variant, "variant"}, {grid, "grid"}}, [&]() -> Result<void> {
    if (isEmpty(grid))
      return {};
    std::span<const HostValue> list = TRY(argumentsOf(arguments, count));
    runtime::ForeignStream queue(stream);
    return jit::launchVariant(*variant->variant, {grid[0], grid[1], grid[2]}, list, &queue);
  });
}

static Result<std::string> makeStage(const tegula_variant &variant, const std::string &name);

/// Returns the machine code that the device runs, where it hands that out; else assembles it.
static Result<std::string> machineCodeOf(const tegula_variant &variant) {
  const jit::Variant &of = *variant.variant;
  if (!of.image().machineCode.empty())
    return of.image().machineCode;
  Result<std::string> ptx = makeStage(variant, "ptx");
  if (!ptx)
    return ptx;
  runtime::MachineCode code = TRY(runtime::assemble(*ptx, {.arch = of.spec.target}));
  return std::move(code.bytes);
}

/// The text of `stage`, compiled again as far as there: what a launch needs keeps none of the others.
static Result<std::string> makeStage(const tegula_variant &variant, const std::string &name) {
  if (name == "cubin")
    return machineCodeOf(variant);
  const std::optional<Stage> stage = parseStage(name);
  if (!stage)
    return Error{
        ErrorKind::InvalidArgument,
        fmt::format("expected the stage `ast`, `tile`, `distributed`, `scheduled`, `llvm`, `llvmir`, "
                    "`ptx` or `cubin`, found `{}`",
                    name)};
  if (stage == Stage::Ptx && variant.variant->compiled)
    return variant.variant->compiled->ptx;
  if (!variant.kernel)
    return Error{ErrorKind::Unavailable, fmt::format("a kernel loaded from PTX has no stage `{}`", name)};
  CompileOptions options;
  options.emit = {*stage};
  options.entryName = variant.variant->entryName;
  CompileResult result = jit::sharedCompiler().compile(variant.kernel->program()->source().parsedSource(),
                                                       variant.variant->spec, options);
  auto text = result.stageText.find(*stage);
  if (text == result.stageText.end())
    return jit::compileError(std::move(result.diagnostics));
  return std::move(text->second);
}

tegula_error *tegula_assemble(const char *ptx, size_t ptx_bytes, const char *arch, char **code,
                              size_t *bytes) {
  return guarded({{ptx, "ptx"}, {arch, "arch"}, {code, "code"}, {bytes, "bytes"}}, [&]() -> Result<void> {
    runtime::MachineCode made = TRY(runtime::assemble({ptx, ptx_bytes}, {.arch = arch}));
    *code = copyOf(made.bytes);
    *bytes = made.bytes.size();
    return {};
  });
}

Result<const std::string *> tegula::c::stageOf(tegula_variant &variant, const std::string &name) {
  std::lock_guard lock(variant.mutex);
  auto found = variant.stages.find(name);
  if (found == variant.stages.end()) {
    std::string made = TRY(makeStage(variant, name));
    found = variant.stages.emplace(name, std::move(made)).first;
  }
  return &found->second;
}

tegula_error *tegula_variant_stage(tegula_variant *variant, const char *stage, const char **text,
                                   size_t *bytes) {
  return guarded({{variant, "variant"}, {stage, "stage"}, {text, "text"}, {bytes, "bytes"}},
                 [&]() -> Result<void> {
                   const std::string *found = TRY(stageOf(*variant, stage));
                   *text = found->c_str();
                   *bytes = found->size();
                   return {};
                 });
}
