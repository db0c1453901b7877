#include "runtime/host/Pack.h"

#include <fmt/format.h>

#include <cstring>

namespace tegula::runtime {

Result<std::vector<PackStep>> planPacking(const KernelImage &image, std::span<const std::string> names) {
  std::vector<PackStep> steps;
  if (const uint64_t bytes = entryParamBytes(image); bytes > maxParamBytes)
    return Error{ErrorKind::OutOfResources,
                 fmt::format("expected at most {} bytes of parameters for `{}`, found {}", maxParamBytes,
                             nameOf(image), bytes)};
  for (const KernelParam &param : image.params) {
    size_t argument = 0;
    while (argument < names.size() && names[argument] != param.name)
      ++argument;
    const std::optional<ScalarKind> scalar =
        param.kind == ParamKind::Pointer ? ScalarKind::UInt64 : parseScalarKind(param.type);
    if (argument == names.size() || !scalar || param.size != scalarKindBytes(*scalar) ||
        uint64_t(param.offset) + param.size > image.paramBytes)
      return Error{ErrorKind::Driver, fmt::format("the manifest of `{}` does not fit its arguments at `{}`",
                                                  nameOf(image), param.name)};
    steps.push_back(
        {uint32_t(argument), param.offset, param.size, *scalar, param.kind == ParamKind::Pointer});
  }
  return steps;
}

void pack(std::span<const PackStep> steps, std::span<const HostValue> args, std::span<std::byte> block) {
  for (const PackStep &step : steps) {
    const HostValue &value = args[step.argument];
    std::byte *place = block.data() + step.offset;
    if (step.isPointer)
      std::memcpy(place, &value.bits, sizeof value.bits);
    else
      encodeScalar(step.scalar, value, place);
  }
}

WideNumber valueOf(const KernelParam &param, std::span<const std::byte> block) {
  uint64_t bits = 0;
  std::memcpy(&bits, block.data() + param.offset, param.size);
  const unsigned unused = 64 - 8 * param.size;
  const bool isSigned = param.type.starts_with('i') && param.type != "i1";
  return isSigned ? WideNumber(int64_t(bits << unused) >> unused) : WideNumber(bits);
}

WideNumber valueOf(const LaunchNumber &number, const KernelImage &image, std::span<const std::byte> block) {
  return number.param ? number.factor * valueOf(image.params[*number.param], block)
                      : WideNumber(number.factor);
}

} // namespace tegula::runtime
