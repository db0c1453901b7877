// An array in global memory as bulk copies see it: what a tensor map says of it, in the emulator's own 128
// bytes.
#pragma once

#include "runtime/device/TensorMapTable.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tegula::runtime::ptx {

/// A unit of a bulk copy: 16 bytes of shared memory and their place in global memory.
struct BulkChunk {
  uint32_t shared = 0;        ///< address, a multiple of 16
  uint8_t first = 0, end = 0; ///< of the 16 bytes those that are in bounds: from the one up to the other
  uint64_t global = 0;        ///< address of byte `first`
  uint8_t *memory = nullptr;  ///< the same in the host's memory; null where nothing is in bounds
  std::array<uint8_t, 16> bytes{};
};

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
  uint64_t boxBytes() const;
  /// Calls `body(chunk)` for each 16 bytes of the box at the coordinates `at` that lies from `shared` on, a
  /// multiple of 128. It lies densely, innermost axis first; where there is a swizzle, bits of an address
  /// from 7 on flip as many from 4 on.
  template <typename Body>
  void forChunks(const std::array<int32_t, maxTensorMapRank> &at, uint32_t shared, Body body) const {
    const uint32_t rowBytes = uint32_t(box[0]) * elementBytes;
    for (uint64_t done = 0; done < boxBytes(); done += rowBytes)
      for (uint32_t column = 0; column < rowBytes; column += 16)
        body(chunkAt(at, uint32_t(shared + done + column), done / rowBytes, column));
  }

private:
  bool isPossible() const;
  /// Byte `column` of the `row`th row of the box, which without swizzle would lie at `shared`.
  BulkChunk chunkAt(const std::array<int32_t, maxTensorMapRank> &at, uint32_t shared, uint64_t row,
                    uint32_t column) const;
};

} // namespace tegula::runtime::ptx
