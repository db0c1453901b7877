// The shared memory that estimates leave to others.
#pragma once

#include <cstdint>

namespace tegula {

/// Bytes of shared memory for barriers, and for what is added between buffers to align them.
inline constexpr uint64_t OtherSharedBytes = 1024;

} // namespace tegula
