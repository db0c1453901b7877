// The limits of the hardware that copies boxes of arrays (TMA): the CUDA driver's of a tensor map, and PTX's
// of a copy.
#pragma once

#include <cstdint>

namespace tegula::tma {

/// Axes of an array.
inline constexpr uint32_t MaxAxes = 5;
/// The longest side of a box, in elements.
inline constexpr uint32_t MaxBoxSide = 256;
/// The alignment in bytes of an array's base, of its strides and of where a copy begins along the contiguous
/// axis; a row of a box is a multiple of it.
inline constexpr uint32_t AlignedBytes = 16;

} // namespace tegula::tma
