// The recipe of a tensor map, which tells the hardware that copies boxes of arrays (TMA) what to copy: a
// kernel's image carries it, and `runtime::Device::launch` evaluates it.
//
// A tensor map describes an array of up to five axes in global memory, and the box of it that one copy moves:
//
//     a[m, k], bf16, row by row            axes, innermost first:   size     stride      box
//     in boxes of 128 x 64                                          K        1           64
//                                                                   M        stride_am   128
//
// Elements of a box that are outside the array are loaded as zero and not stored. In shared memory the box is
// dense, innermost axis first, its 16-byte chunks permuted where there is a swizzle.
#pragma once

#include "dialect/layout/TmaLimits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tegula {

/// A tensor map as the kernel gets it.
inline constexpr uint32_t tensorMapBytes = 128, tensorMapAlignment = 64;
inline constexpr uint32_t maxTensorMapRank = tma::MaxAxes;
/// The longest side of a box, in elements.
inline constexpr uint32_t maxBoxSide = tma::MaxBoxSide;

/// A number that a launch knows: `factor` times a parameter, or `factor` itself where there is none.
struct LaunchNumber {
  uint64_t factor = 1;
  std::optional<uint32_t> param; ///< place in `KernelImage::params`, of an integer
  bool operator==(const LaunchNumber &) const = default;
};

/// One axis of the array, all in elements.
struct TensorMapAxis {
  LaunchNumber size;
  LaunchNumber stride; ///< from one to the next; of the innermost axis the constant 1
  uint32_t box = 1;    ///< of these one copy moves so many
  bool operator==(const TensorMapAxis &) const = default;
};

/// The recipe of a tensor map from the parameters of a launch.
struct TensorMap {
  uint32_t base = 0;               ///< place in `KernelImage::params` of the pointer to the first element
  std::string element;             ///< Triton's spelling: "bf16", "fp8e5", "i32"
  uint32_t elementBytes = 0;       ///< of `element`
  std::vector<TensorMapAxis> axes; ///< 1 to 5 of them, innermost first
  /// Within so many bytes chunks of 16 are permuted, by the bits of the address from 128 on: 32, 64 or 128; 0
  /// where they are not.
  uint32_t swizzle = 0;
  bool operator==(const TensorMap &) const = default;
};

} // namespace tegula
