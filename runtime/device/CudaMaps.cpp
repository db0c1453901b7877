// Tensor maps made by the CUDA driver.
#include "runtime/device/CudaObjects.h"

#include <fmt/format.h>

#include <utility>

namespace tegula::runtime {

using namespace cuda;

/// Returns the type of an element by its spelling; 8-bit floats are bytes.
static TensorMapType typeOf(const std::string &element) {
  static constexpr std::pair<std::string_view, TensorMapType> types[] = {
      {"i16", MapUint16},   {"u16", MapUint16},  {"i32", MapInt32},    {"u32", MapUint32},
      {"i64", MapInt64},    {"u64", MapUint64},  {"fp16", MapFloat16}, {"bf16", MapBfloat16},
      {"fp32", MapFloat32}, {"fp64", MapFloat64}};
  for (auto [name, type] : types)
    if (element == name)
      return type;
  return MapUint8;
}

static TensorMapSwizzle swizzleOf(uint32_t bytes) {
  switch (bytes) {
  case 32:
    return Swizzle32;
  case 64:
    return Swizzle64;
  case 128:
    return Swizzle128;
  }
  return NoSwizzle;
}

/// Returns how much L2 fetches at a time. Rows that begin inside a sector of 32 bytes share sectors and lines
/// with their neighbours; then fetching more than a line takes bandwidth from what is needed (measured on an
/// H100: products of 4096 by 4096 by 4096 with rows of 4104 bf16 reach 428 TFLOPS with 256 bytes, 501 with
/// 128).
static TensorMapPromotion promotionOf(const TensorMap &map, const TensorMapNumbers &numbers) {
  constexpr uint64_t sector = 32;
  bool isAligned = numbers.base % sector == 0;
  for (size_t axis = 1; axis < map.axes.size(); ++axis)
    isAligned &= numbers.strides[axis] % sector == 0;
  return isAligned ? PromoteTo256Bytes : PromoteTo128Bytes;
}

Result<void> encodeCudaMap(const CudaContext &context, const TensorMap &map, const TensorMapNumbers &numbers,
                           EncodedMap &encoded) {
  const Driver &api = context.api();
  if (!api.cuTensorMapEncodeTiled)
    return Error{ErrorKind::MapRefused, "the CUDA driver is too old: it has no `cuTensorMapEncodeTiled`"};
  std::array<uint32_t, maxTensorMapRank> box{}, steps{};
  for (size_t axis = 0; axis < map.axes.size(); ++axis) {
    box[axis] = map.axes[axis].box;
    steps[axis] = 1;
  }
  const CurrentContext current(context);
  if (current.code != Success)
    return context.error(current.code, "cuCtxSetCurrent", "make a tensor map");
  const CUresult code = api.cuTensorMapEncodeTiled(
      encoded.bytes.data(), typeOf(map.element), unsigned(map.axes.size()),
      reinterpret_cast<void *>(numbers.base), numbers.sizes.data(), &numbers.strides[1], box.data(),
      steps.data(), NoInterleave, swizzleOf(map.swizzle), promotionOf(map, numbers), FillWithZeros);
  if (code == Success)
    return {};
  Error error = context.error(code, "cuTensorMapEncodeTiled", "make a tensor map");
  if (!isFault(code))
    error.kind = ErrorKind::MapRefused;
  return error;
}

} // namespace tegula::runtime
