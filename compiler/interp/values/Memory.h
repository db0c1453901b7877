// The memory that an interpreted program reads and writes: allocations with addresses of their own, and
// which of their bytes hold a value. No MLIR here: the runtime sees this header too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tegula::interp {

/// Frees what is ours and not the host's.
struct FreeBytes {
  bool owned = true;
  void operator()(uint8_t *bytes) const {
    if (owned)
      std::free(bytes);
  }
};

/// One piece of memory. A byte is undefined until the host or a program writes a value to it.
struct Allocation {
  uint64_t base = 0, size = 0;
  std::unique_ptr<uint8_t, FreeBytes> data; ///< of adopted memory the host's own
  /// For each byte 1 where it holds a value, else 0; null where all of them do and always will: adopted
  /// memory.
  std::unique_ptr<uint8_t, FreeBytes> defined;
  std::string name; ///< for messages; may be empty
  bool freed = false;
  bool isReadOnly = false; ///< to programs; adopted memory may be

  bool contains(uint64_t address, uint64_t bytes) const {
    return address >= base && bytes <= size && address - base <= size - bytes;
  }
};

/// All allocations of a run. Addresses are never used twice and lie apart, so that a stale address, or one
/// that left its array, hits no other array.
class Memory {
public:
  /// `bytes` of undefined memory, aligned to 256 bytes; null where the machine has no room for them.
  Allocation *allocate(uint64_t bytes, std::string name = {});
  /// False unless `address` is the start of a live allocation that `allocate` made.
  bool free(uint64_t address);
  /// Takes memory of the host as an allocation at its own address, all of it defined. False where it would
  /// overlap another allocation.
  bool adopt(uint64_t address, uint64_t bytes, bool isReadOnly);
  /// Ends what `adopt` began at `address`.
  void release(uint64_t address);
  /// The live allocation that holds all of these bytes, or null.
  Allocation *find(uint64_t address, uint64_t bytes);
  /// Copies in or out; false, and nothing is done, where the bytes are not all of one allocation. What is
  /// written is defined afterwards.
  bool write(uint64_t address, const void *from, uint64_t bytes);
  bool read(void *to, uint64_t address, uint64_t bytes);

  /// A copy of a live allocation.
  struct Saved {
    uint64_t base = 0;
    std::vector<uint8_t> data, defined; ///< the latter empty where everything is
  };
  using Snapshot = std::vector<Saved>;
  /// Copies what live allocations hold, `bytes()` of data and perhaps as much again.
  Snapshot save() const;
  /// Puts back what `save` has copied. Nothing may have been freed since.
  void restore(const Snapshot &saved);
  /// The bytes of all live allocations.
  uint64_t bytes() const;
  /// The address of a byte of an allocation's data; 0 where it is none.
  uint64_t addressOf(const uint8_t *data) const;
  /// Returns true if any of these bytes holds no value. They are all of one allocation.
  bool isUndefined(uint64_t address, uint64_t bytes);

  /// Explains what is wrong with an address that `find` does not find: "a null address", "outside any array,
  /// 8 bytes past the end of the 40 bytes at 0x200000000000".
  std::string explain(uint64_t address, uint64_t bytes) const;

private:
  Allocation *nearest(uint64_t address) const;
  using Position = std::vector<std::unique_ptr<Allocation>>::const_iterator;
  /// Returns the position of the first allocation after `address`.
  Position after(uint64_t address) const;

  /// The first address: no memory of the host is there, so that adopted addresses conflict with no others.
  static constexpr uint64_t firstAddress = 0x200000000000;
  uint64_t next = firstAddress;
  std::vector<std::unique_ptr<Allocation>> allocations; ///< by ascending base
  Allocation *last = nullptr;                           ///< neighbours are mostly read together
};

} // namespace tegula::interp
