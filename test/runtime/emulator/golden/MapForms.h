// Boxes of arrays that bulk copies move by tensor maps, recorded on a real GPU and replayed on the emulator.
// Where bytes lie in shared memory is written out here after the drawings of the PTX manual, apart from what
// the emulator copies by.
#pragma once

#include "runtime/device/Device.h"

#include <array>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

namespace tegula::golden {

/// One copy of a box, by one thread. Axes are innermost first.
struct MapForm {
  std::string element; ///< Triton's spelling
  std::vector<uint32_t>
      sizes; ///< of the array; each row has sixteen bytes or more behind it that are not its own
  std::vector<uint32_t> box;
  std::vector<int32_t> at; ///< coordinates
  uint32_t swizzle = 0;
  uint32_t shared = 0; ///< where in shared memory, from a multiple of 1024 on
  bool isStore = false;

  uint32_t elementBytes() const;
  uint32_t boxBytes() const;
  /// Bytes of the whole array, and from one to the next along an axis.
  uint32_t arrayBytes() const { return stride(uint32_t(sizes.size())); }
  uint32_t stride(uint32_t axis) const;
  std::string text() const;
  friend void PrintTo(const MapForm &form, std::ostream *out) { *out << form.text(); }
};

/// Every swizzle, ranks and sizes of elements, in bounds and out of them, both ways.
std::vector<MapForm> mapForms();

/// Words of what a copy changes, shared memory by a load and the array by a store.
runtime::Result<std::vector<uint64_t>> copyBox(runtime::Device &device, const MapForm &form);
/// Returns the expected words.
std::vector<uint64_t> expectedWords(const MapForm &form);

} // namespace tegula::golden
