// Shared memory that units of a block may still be reading: products and bulk copies in flight. No thread may
// write it before they are done.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tegula::runtime::ptx {

/// Bytes that a unit reads at a time.
inline constexpr uint32_t chunkBytes = 16;

class UnitReads {
public:
  using Number = uint64_t;
  /// A reading unit: "`wgmma`", and the PTX line of the instruction that started it.
  struct Reader {
    const char *unit;
    uint32_t line;
  };

  explicit UnitReads(uint32_t sharedBytes) : readers((sharedBytes + chunkBytes - 1) / chunkBytes) {}
  void beginBlock();

  /// `reader` begins to read the chunks at these addresses, multiples of 16 inside of the block's memory.
  Number begin(Reader reader, std::vector<uint32_t> chunks);
  /// It has read them: returns the addresses.
  std::vector<uint32_t> end(Number number);
  /// Returns a unit that may still read some of the bytes.
  std::optional<Reader> find(uint64_t address, uint32_t count) const {
    return underWay.empty() ? std::nullopt : findUnderWay(address, count);
  }

private:
  struct Reading {
    Reader reader;
    std::vector<uint32_t> chunks;
  };
  std::optional<Reader> findUnderWay(uint64_t address, uint32_t count) const;

  std::map<Number, Reading> underWay; ///< in the order in which they began
  std::vector<uint16_t> readers;      ///< of each chunk: how many
  Number next = 0;
};

} // namespace tegula::runtime::ptx
