#include "runtime/emulator/async/BulkArray.h"

#include <algorithm>
#include <bit>
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

/// Returns true if a launch may have made this map: the bytes may have been read from any address.
bool BulkArray::isPossible() const {
  bool isGood = rank >= 1 && rank <= maxTensorMapRank && std::has_single_bit(elementBytes) &&
                elementBytes <= 8 && box[0] * elementBytes % 16 == 0 &&
                (swizzle == 0 || swizzle == 32 || swizzle == 64 || swizzle == 128);
  for (uint8_t axis = 0; isGood && axis < rank; ++axis)
    isGood = box[axis] >= 1 && box[axis] <= maxBoxSide;
  return isGood;
}

std::optional<BulkArray> BulkArray::decoded(std::span<const std::byte, tensorMapBytes> bytes) {
  if (std::memcmp(bytes.data(), &front, sizeof front) != 0 ||
      std::memcmp(bytes.data() + tensorMapBytes - sizeof back, &back, sizeof back) != 0)
    return std::nullopt;
  BulkArray array;
  std::memcpy(&array, bytes.data() + sizeof front, sizeof array);
  return array.isPossible() ? std::optional(array) : std::nullopt;
}

uint64_t BulkArray::boxBytes() const {
  uint64_t bytes = elementBytes;
  for (uint8_t axis = 0; axis < rank; ++axis)
    bytes *= box[axis];
  return bytes;
}

BulkChunk BulkArray::chunkAt(const std::array<int32_t, maxTensorMapRank> &at, uint32_t shared, uint64_t row,
                             uint32_t column) const {
  BulkChunk chunk;
  const uint32_t flipped = swizzle ? swizzle / 16 - 1 : 0;
  chunk.shared = shared ^ (shared >> 7 & flipped) << 4;
  bool isInside = true;
  uint64_t place = base;
  for (uint8_t axis = 1; axis < rank; ++axis) {
    const int64_t coordinate = int64_t(at[axis]) + int64_t(row % box[axis]);
    row /= box[axis];
    isInside = isInside && coordinate >= 0 && uint64_t(coordinate) < sizes[axis];
    place += uint64_t(coordinate) * strides[axis];
  }
  // In bytes along the innermost axis.
  const int64_t begin = int64_t(at[0]) * elementBytes + column, size = int64_t(sizes[0]) * elementBytes;
  const int64_t first = std::clamp<int64_t>(-begin, 0, 16), end = std::clamp<int64_t>(size - begin, 0, 16);
  if (!isInside || first >= end)
    return chunk;
  chunk.first = uint8_t(first);
  chunk.end = uint8_t(end);
  chunk.global = place + uint64_t(begin + first);
  return chunk;
}

} // namespace tegula::runtime::ptx
