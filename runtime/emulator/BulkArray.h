// An array in global memory as bulk copies see it: what a tensor map says of it, in the emulator's own 128
// bytes.
#pragma once

#include "runtime/device/TensorMapTable.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tegula::runtime::ptx {

/// Axes are innermost first.
struct BulkArray {
  uint64_t base = 0;                                ///< address of the first element
  std::array<uint64_t, maxTensorMapRank> sizes{};   ///< elements
  std::array<uint64_t, maxTensorMapRank> strides{}; ///< bytes
  std::array<uint16_t, maxTensorMapRank> box{};     ///< elements that one copy moves
  uint8_t rank = 0, elementBytes = 0;
  uint8_t swizzle = 0; ///< bytes: 0, 32, 64 or 128

  BulkArray() = default;
  BulkArray(const TensorMap &map, const TensorMapNumbers &numbers);

  /// The tensor map of this array.
  EncodedMap encoded() const;
  /// The inverse; nothing for bytes that `encoded` has not made.
  static std::optional<BulkArray> decoded(std::span<const std::byte, tensorMapBytes> bytes);

  /// Bytes of a box, all of which a load writes and counts, also those of elements out of bounds.
  uint32_t boxBytes() const;
};

} // namespace tegula::runtime::ptx
