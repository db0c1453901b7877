#include "tools/tegula/arguments/ImageArguments.h"

#include "runtime/host/Pack.h"
#include "runtime/jit/launch/Specialize.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

KernelInfo describeImage(const KernelImage &image) {
  KernelInfo kernel;
  kernel.name = nameOf(image);
  for (const KernelParam &param : image.params) {
    ParameterInfo parameter;
    parameter.name = param.name;
    const std::variant<ArgSpec, std::string> type = parseArgType(param.type);
    if (const ArgSpec *spec = std::get_if<ArgSpec>(&type))
      if (const RuntimeArg *argument = std::get_if<RuntimeArg>(spec))
        parameter.type = *argument;
    kernel.parameters.push_back(std::move(parameter));
  }
  return kernel;
}

/// Returns true if the parameter takes a value of this kind and size.
static bool takes(const RuntimeArg &type, const HostValue &value) {
  if (type.pointerDepth)
    return value.kind == HostValue::Pointer && value.type == type.scalar;
  if (isFloatKind(type.scalar))
    return value.kind == HostValue::Float && (!value.type || value.type == type.scalar);
  return value.isInteger() && integerFits(value, type.scalar) && (!value.type || value.type == type.scalar);
}

static Result<void> checkArgument(const ParameterInfo &parameter, const KernelParam &param,
                                  const HostValue &value) {
  if (!parameter.type || !takes(*parameter.type, value))
    return usageError(fmt::format("parameter `{}` of the compiled kernel is {}, found {}", param.name, param.type,
                                  jit::describeValue(value)));
  if (value.bits % param.divisibility != 0)
    return usageError(fmt::format("the kernel was compiled for a multiple of {} as {} `{}`, found {}{}",
                                  param.divisibility, param.kind == ParamKind::Pointer ? "address" : "value",
                                  param.name, param.kind == ParamKind::Pointer ? "0x" : "",
                                  param.kind == ParamKind::Pointer ? fmt::format("{:x}", value.bits)
                                                                   : fmt::format("{}", int64_t(value.bits))));
  return {};
}

Result<std::vector<std::byte>> packArguments(const KernelImage &image, std::span<const HostValue> values) {
  const KernelInfo kernel = describeImage(image);
  std::vector<std::string> names;
  for (size_t i = 0; i < image.params.size(); ++i) {
    TRY(checkArgument(kernel.parameters[i], image.params[i], values[i]));
    names.push_back(image.params[i].name);
  }
  std::vector<runtime::PackStep> steps = TRY(runtime::planPacking(image, names));
  std::vector<std::byte> block(image.paramBytes);
  runtime::pack(steps, values, block);
  return block;
}

} // namespace tegula::cli
