#include "runtime/device/TensorMapTable.h"

#include "runtime/host/Pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace tegula::runtime {

Result<TensorMapNumbers> evaluate(const TensorMap &map, const KernelImage &image,
                                  std::span<const std::byte> block) {
  constexpr WideNumber maxSize = WideNumber(1) << 32, maxStride = WideNumber(1) << 40; // bytes
  constexpr uint64_t multiple = tma::AlignedBytes;
  const auto refused = [&](const char *what, size_t axis, WideNumber found) {
    return Error{ErrorKind::MapRefused,
                 fmt::format("no tensor map describes `{}`: expected {} along axis {}, found {}",
                             image.params[map.base].name, what, axis, int64_t(found))};
  };
  TensorMapNumbers numbers;
  numbers.base = uint64_t(valueOf(image.params[map.base], block));
  if (numbers.base % multiple)
    return Error{
        ErrorKind::MapRefused,
        fmt::format("no tensor map describes `{}`: expected an address that is a multiple of {}, found "
                    "{:#x}",
                    image.params[map.base].name, multiple, numbers.base)};
  for (size_t axis = 0; axis < map.axes.size(); ++axis) {
    const WideNumber size = valueOf(map.axes[axis].size, image, block);
    if (size < 1 || size > maxSize)
      return refused("1 to 2^32 elements", axis, size);
    numbers.sizes[axis] = uint64_t(size);
    WideNumber stride = valueOf(map.axes[axis].stride, image, block) * map.elementBytes;
    // No step is made along an axis of one element, and many libraries leave its stride open.
    if (axis && size == 1)
      stride = 0;
    if (axis && (stride < 0 || stride >= maxStride || stride % multiple))
      return refused("a stride that is a multiple of 16 bytes from 0 to 2^40", axis, stride);
    numbers.strides[axis] = uint64_t(stride);
  }
  return numbers;
}

static uint64_t hashOf(size_t index, const TensorMapNumbers &numbers) {
  constexpr uint64_t factor = 0xff51afd7ed558ccdull;
  uint64_t hash = (numbers.base ^ index) * factor;
  for (size_t axis = 0; axis < maxTensorMapRank; ++axis)
    hash = (std::rotl(hash, 29) ^ numbers.sizes[axis] ^ std::rotl(numbers.strides[axis], 32)) * factor;
  return hash >> 32;
}

/// Bytes of a line of L2.
static constexpr uint64_t lineBytes = 128;

static bool cutsLines(const TensorMapNumbers &numbers) {
  return numbers.base % lineBytes != 0 ||
         std::ranges::any_of(std::span(numbers.strides).subspan(1),
                             [](uint64_t stride) { return stride % lineBytes != 0; });
}

Result<bool> TensorMapTable::fill(const KernelImage &image, size_t index, std::span<const std::byte> block,
                                  const Encode &encode, std::byte *place) {
  const TensorMap &map = image.implicit[index].map;
  TensorMapNumbers numbers = TRY(evaluate(map, image, block));
  std::lock_guard lock(mutex);
  Set &set = sets[hashOf(index, numbers) % setCount];
  Entry *found = nullptr;
  for (Entry &entry : set.entries)
    if (entry.index == index && entry.numbers == numbers)
      found = &entry;
  if (!found) {
    found = &set.entries[set.next];
    set.next = (set.next + 1) % ways;
    found->index = none;
    Result<void> made = encode(map, numbers, found->map);
    if (!made && made.error().kind != ErrorKind::MapRefused)
      return made.error();
    found->index = index;
    found->numbers = numbers;
    found->refusal = made ? nullptr : std::make_unique<const Error>(std::move(made.error()));
  }
  if (found->refusal)
    return *found->refusal;
  std::memcpy(place, found->map.bytes.data(), tensorMapBytes);
  return cutsLines(numbers);
}

} // namespace tegula::runtime
