// What the hardware that copies boxes of arrays (TMA) takes: the CUDA driver's limits of a tensor map, and
// PTX's of a copy.
#pragma once

#include <cstdint>

namespace tegula::tma {

/// Axes of an array.
inline constexpr uint32_t MaxAxes = 5;
/// The longest side of a box, in elements.
inline constexpr uint32_t MaxBoxSide = 256;
/// What divides, in bytes, where an array begins, its strides and where a copy begins along the contiguous
/// axis; a row of a box is a multiple of it.
inline constexpr uint32_t AlignedBytes = 16;

} // namespace tegula::tma
