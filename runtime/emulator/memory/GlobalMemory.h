// Device memory: allocations, who may touch them, and which bytes have been written.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tegula::runtime::ptx {

/// One piece of device memory. Fresh memory is uninitialised until the host or a kernel writes it.
struct Allocation {
  uint64_t base = 0, size = 0;
  std::unique_ptr<uint8_t, void (*)(void *)> data{nullptr, nullptr};
  /// One bit a byte, or null once every byte is initialised.
  std::unique_ptr<uint64_t, void (*)(void *)> initialised{nullptr, nullptr};
  bool freed = false;
  bool readOnly = false;
  bool adopted = false;     ///< memory of the host's own, at its own address; all of it stays initialised
  std::string name;         ///< a module variable's, or of memory that devices share; else empty
  int32_t owner = -1;       ///< on a fabric the rank whose memory it is; -1: all may touch it
  bool isSymmetric = false; ///< all ranks of a fabric have mapped it
  bool isPad = false;       ///< 32-bit words for signals between ranks

  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
  bool isInitialised(uint64_t offset, uint64_t bytes) const {
    if (!initialised)
      return true;
    const uint64_t mask = bytes >= 64 ? ~uint64_t(0) : (uint64_t(1) << bytes) - 1;
    // Accesses are aligned to their size and at most 32 bytes, so they stay in one word.
    return (initialised.get()[offset / 64] >> (offset % 64) & mask) == mask;
  }
  void markInitialised(uint64_t offset, uint64_t bytes) {
    if (initialised)
      initialised.get()[offset / 64] |= ((uint64_t(1) << bytes) - 1) << (offset % 64);
  }
};

/// All allocations of a device. Addresses are never used twice, so a stale one is recognised.
class GlobalMemory {
public:
  explicit GlobalMemory(uint64_t limit) : limit(limit) {}

  /// Memory aligned to 256 bytes with unmapped space on both sides; null when there is no room.
  Allocation *allocate(uint64_t bytes, uint64_t align = 256);
  /// Frees the allocation that starts at `address`; false if `allocate` made none there that is still live.
  bool free(uint64_t address);
  /// Takes memory of the host as an allocation at its own address, all of it initialised. False where it
  /// would overlap another allocation or a window.
  bool adopt(uint64_t address, uint64_t bytes, bool isReadOnly);
  /// Ends what `adopt` began at `address`.
  void release(uint64_t address);
  /// The allocation that contains `address` (one past the end counts for an empty one), dead or alive.
  Allocation *find(uint64_t address);
  /// The last allocation that starts at or before `address`, or null: to explain a bad address.
  Allocation *nearest(uint64_t address);
  void markRange(Allocation &allocation, uint64_t offset, uint64_t bytes);
  /// Copies the bits of initialisation along with bytes.
  void copyInitialised(Allocation &to, uint64_t toOffset, const Allocation &from, uint64_t fromOffset,
                       uint64_t bytes);

  /// The pads that are not freed.
  std::vector<const Allocation *> pads() const;

  uint64_t bytesInUse() const { return inUse; }

  /// The contents of all memory that a kernel may write, to run a launch more than once.
  struct Snapshot {
    struct Copy {
      Allocation *allocation;
      std::vector<uint8_t> bytes;
      std::vector<uint64_t> initialised; ///< empty where every byte was
    };
    std::vector<Copy> copies;
  };
  Snapshot save() const;
  /// Puts back what `save` took; no memory was allocated or freed in between.
  void restore(const Snapshot &snapshot);

private:
  uint64_t limit, inUse = 0;
  using Position = std::vector<std::unique_ptr<Allocation>>::iterator;
  /// Returns the place of the first allocation after `address`.
  Position after(uint64_t address);
  /// Addresses lie where the host has no memory of its own, so that adopted ones meet no others.
  static constexpr uint64_t firstAddress = 0x200000000000;
  uint64_t next = firstAddress;
  std::vector<std::unique_ptr<Allocation>> allocations; ///< by ascending base
};

/// Windows of the other spaces in the generic address space: 4 GiB each.
inline constexpr uint64_t sharedWindow = 0x1e0000000000;
inline constexpr uint64_t localWindow = 0x1d0000000000;
inline constexpr uint64_t paramWindow = 0x1c0000000000;
inline constexpr uint64_t windowBytes = uint64_t(1) << 32;

} // namespace tegula::runtime::ptx
