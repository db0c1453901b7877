// Shared memory that units of a block may still be reading: products and bulk copies under way. Nobody may
// write it before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tegula::runtime::ptx {

/// What units read at a time.
inline constexpr uint32_t chunkBytes = 16;

class UnitReads {
public:
  using Number = uint64_t;
  /// Who reads: "`wgmma`", and the PTX line of the instruction that told it to.
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
  /// Who may still read some of the bytes.
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
