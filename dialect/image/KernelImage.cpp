#include "dialect/image/KernelImage.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula {

using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

static uint64_t alignUp(uint64_t offset, uint64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

const std::string &nameOf(const KernelImage &image) {
  return image.kernel.empty() ? image.entry : image.kernel;
}

void addParam(KernelImage &image, KernelParam param) {
  param.offset = uint32_t(alignUp(image.paramBytes, param.size));
  image.paramBytes = param.offset + param.size;
  image.params.push_back(std::move(param));
}

static void addImplicit(KernelImage &image, ImplicitArgument param) {
  param.offset = uint32_t(alignUp(entryParamBytes(image), param.alignment));
  image.implicit.push_back(std::move(param));
}

void addImplicitPrograms(KernelImage &image, uint8_t axis) {
  addImplicit(image, {.kind = ImplicitKind::Programs, .size = 4, .alignment = 4, .axis = axis});
}

void addImplicitFirst(KernelImage &image) {
  addImplicit(image, {.kind = ImplicitKind::First, .size = 4, .alignment = 4});
}

void addImplicitMap(KernelImage &image, TensorMap map) {
  addImplicit(image, {.kind = ImplicitKind::Map,
                      .size = tensorMapBytes,
                      .alignment = tensorMapAlignment,
                      .map = std::move(map)});
}

std::optional<uint32_t> scalarBytes(std::string_view type) {
  static constexpr std::pair<std::string_view, uint32_t> sizes[] = {
      {"i1", 1},  {"i8", 1},  {"i16", 2}, {"i32", 4},  {"i64", 8},  {"u1", 1},   {"u8", 1},  {"u16", 2},
      {"u32", 4}, {"u64", 8}, {"fp8", 1}, {"fp16", 2}, {"bf16", 2}, {"fp32", 4}, {"fp64", 8}};
  const bool isByte = type.starts_with("fp8"); // fp8e4nv, fp8e5
  for (auto [name, size] : sizes)
    if (type == name || (isByte && name == "fp8"))
      return size;
  return std::nullopt;
}

Result<void> checkTensorMap(const KernelImage &image, const TensorMap &map) {
  const auto wrong = [](std::string text) { return Error{ErrorKind::InvalidArgument, std::move(text)}; };
  const auto isParam = [&](uint32_t place, ParamKind kind) {
    return place < image.params.size() && image.params[place].kind == kind;
  };
  if (!isParam(map.base, ParamKind::Pointer))
    return wrong("expected a pointer as the base of a tensor map");
  if (const std::optional<uint32_t> bytes = scalarBytes(map.element); !bytes || *bytes != map.elementBytes)
    return wrong(fmt::format("expected the type of an element of {} bytes, found `{}`", map.elementBytes,
                             map.element));
  if (map.axes.empty() || map.axes.size() > maxTensorMapRank)
    return wrong(
        fmt::format("expected 1 to {} axes of a tensor map, found {}", maxTensorMapRank, map.axes.size()));
  for (const TensorMapAxis &axis : map.axes) {
    for (const LaunchNumber &number : {axis.size, axis.stride})
      if (number.param && !isParam(*number.param, ParamKind::Integer))
        return wrong("expected an integer as size and stride of a tensor map");
    if (axis.box == 0 || axis.box > maxBoxSide)
      return wrong(fmt::format("expected sides of a box from 1 to {}, found {}", maxBoxSide, axis.box));
  }
  if (map.axes[0].stride != LaunchNumber{})
    return wrong("expected the stride 1 along the innermost axis of a tensor map");
  const uint32_t row = map.axes[0].box * map.elementBytes;
  if (row % 16)
    return wrong(fmt::format("expected rows of a box of a multiple of 16 bytes, found {}", row));
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 && map.swizzle != 128)
    return wrong(fmt::format("expected a swizzle of 0, 32, 64 or 128 bytes, found {}", map.swizzle));
  if (map.swizzle && row > map.swizzle)
    return wrong(fmt::format("expected rows of a box of at most the {} bytes of its swizzle, found {}",
                             map.swizzle, row));
  return {};
}

std::string partsThatMayBeRefused(const KernelImage &image) {
  const bool hasMaps = std::ranges::any_of(
      image.implicit, [](const ImplicitArgument &each) { return each.kind == ImplicitKind::Map; });
  const char *maps = hasMaps ? "tensor maps" : "", *clusters = image.clusterBlocks > 1 ? "clusters" : "";
  return fmt::format("{}{}{}", maps, *maps && *clusters ? " and " : "", clusters);
}

uint64_t entryParamBytes(const KernelImage &image) {
  uint64_t bytes = image.paramBytes;
  for (const ImplicitArgument &param : image.implicit)
    bytes = std::max(bytes, uint64_t(param.offset) + param.size);
  return bytes;
}

} // namespace tegula
