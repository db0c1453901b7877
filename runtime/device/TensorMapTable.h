// The tensor maps that launches of a kernel have needed: recipes evaluated, and what the device made of them.
#pragma once

#include "dialect/image/KernelImage.h"
#include "dialect/image/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

namespace tegula::runtime {

/// The numbers of a tensor map, innermost axis first.
struct TensorMapNumbers {
  uint64_t base = 0;                              ///< address of the first element
  std::array<uint64_t, maxTensorMapRank> sizes{}; ///< elements: 1 to 2^32; 0 beyond the last axis
  /// Bytes: of the innermost axis those of an element, of the others multiples of 16 below 2^40.
  std::array<uint64_t, maxTensorMapRank> strides{};
  bool operator==(const TensorMapNumbers &) const = default;
};

/// A tensor map, as the hardware reads it.
struct alignas(tensorMapAlignment) EncodedMap {
  std::array<std::byte, tensorMapBytes> bytes{};
};

/// Evaluates `map` for the parameters in `block`. Errors: MapRefused where the hardware has no such map: for
/// addresses and strides that are no multiples of 16 bytes, and for sizes and strides out of range. An array
/// without elements has no map either: every read of it would lie outside.
Result<TensorMapNumbers> evaluate(const TensorMap &map, const KernelImage &image,
                                  std::span<const std::byte> block);

/// Encoded maps of one loaded kernel, so that equal launches do not encode again. Never grows: a map that was
/// replaced by many others is encoded anew. Thread safe.
class TensorMapTable {
public:
  using Encode = std::function<Result<void>(const TensorMap &, const TensorMapNumbers &, EncodedMap &)>;

  /// Writes the `index`-th implicit argument of `image`, a map, for the parameters in `block`, to `place` of
  /// 128 bytes. Returns whether rows of its array begin inside lines of L2 (128 bytes): a box of 128 bytes a
  /// row then takes two requests for each. Calls `encode` for maps that are not in the table. Errors: of
  /// `evaluate` and of `encode`, whose refusals are kept as well.
  Result<bool> fill(const KernelImage &image, size_t index, std::span<const std::byte> block,
                    const Encode &encode, std::byte *place);

private:
  /// A launch that repeats after some hundred others (the layers of a network) finds its own maps again.
  static constexpr size_t setCount = 64, ways = 4;
  static constexpr size_t none = ~size_t(0);
  struct Entry {
    TensorMapNumbers numbers;
    size_t index = none; ///< of the implicit argument
    EncodedMap map;
    std::unique_ptr<const Error> refusal; ///< why there is no map
  };
  struct Set {
    std::array<Entry, ways> entries;
    size_t next = 0; ///< the entry that is given up next
  };
  std::mutex mutex;
  std::array<Set, setCount> sets;
};

} // namespace tegula::runtime
