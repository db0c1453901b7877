// Moments of a launch, in their order.
#pragma once

#include <compare>
#include <cstdint>

namespace tegula::debug {

/// A moment of a launch that a debugger can come back to: programs are deterministic.
struct Position {
  uint64_t program = 0; ///< in the order in which they run
  uint64_t op = 0;      ///< how many ops the program has begun
  uint32_t phase = 0;   ///< before the op, the statement of this call; `after`: behind the op

  static constexpr uint32_t after = ~uint32_t(0);
  auto operator<=>(const Position &) const = default;
};

} // namespace tegula::debug
