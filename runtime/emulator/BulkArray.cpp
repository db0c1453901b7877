#include "runtime/emulator/BulkArray.h"

#include <cstring>
#include <type_traits>

namespace tegula::runtime::ptx {

/// Around the array in a tensor map of ours. Where memory is taken for one that is none, these are missing.
static constexpr uint64_t front = 0x70616d5475676554, back = 0x646e65547069726c;

static_assert(std::is_trivially_copyable_v<BulkArray> &&
              sizeof(BulkArray) + 2 * sizeof front <= tensorMapBytes);

BulkArray::BulkArray(const TensorMap &map, const TensorMapNumbers &numbers)
    : base(numbers.base), sizes(numbers.sizes), strides(numbers.strides), rank(uint8_t(map.axes.size())),
      elementBytes(uint8_t(map.elementBytes)), swizzle(uint8_t(map.swizzle)) {
  for (size_t axis = 0; axis < map.axes.size(); ++axis)
    box[axis] = uint16_t(map.axes[axis].box);
}

EncodedMap BulkArray::encoded() const {
  EncodedMap map;
  std::byte *place = map.bytes.data();
  std::memcpy(place, &front, sizeof front);
  std::memcpy(place + sizeof front, this, sizeof *this);
  std::memcpy(place + tensorMapBytes - sizeof back, &back, sizeof back);
  return map;
}

std::optional<BulkArray> BulkArray::decoded(std::span<const std::byte, tensorMapBytes> bytes) {
  if (std::memcmp(bytes.data(), &front, sizeof front) != 0 ||
      std::memcmp(bytes.data() + tensorMapBytes - sizeof back, &back, sizeof back) != 0)
    return std::nullopt;
  BulkArray array;
  std::memcpy(&array, bytes.data() + sizeof front, sizeof array);
  return array;
}

uint32_t BulkArray::boxBytes() const {
  uint32_t bytes = elementBytes;
  for (uint8_t axis = 0; axis < rank; ++axis)
    bytes *= box[axis];
  return bytes;
}

} // namespace tegula::runtime::ptx
