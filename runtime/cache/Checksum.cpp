#include "runtime/cache/Checksum.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

namespace tegula::cache {

/// The finisher of MurmurHash3 (Appleby, public domain): every bit of the input reaches every bit of the
/// output.
static uint64_t spread(uint64_t word) {
  word = (word ^ word >> 33) * 0xff51afd7ed558ccdull;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ull;
  return word ^ word >> 33;
}

std::string checksum(std::string_view bytes) {
  uint64_t first = 0x9e3779b97f4a7c15ull ^ bytes.size();
  uint64_t second = 0xc2b2ae3d27d4eb4full + bytes.size();
  // Each step is one-to-one in the state for a given word, and in the word for a given state, so that two
  // texts that differ in one word end in different states.
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
    first = std::rotl(first ^ word, 27) * 0x9fb21c651e98df25ull;
    second = (std::rotl(second, 31) ^ word) * 0xd6e8feb86659fd93ull + first;
  }
  return fmt::format("{:016x}{:016x}", spread(first), spread(second));
}

} // namespace tegula::cache
