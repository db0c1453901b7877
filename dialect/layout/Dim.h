// The names of the axes that layouts map between.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tegula {

/// One named axis. The hardware axes come first, then the axes of a tensor.
enum class Dim : uint8_t {
  Register, ///< which of a thread's values
  Lane,     ///< which thread of a warp
  Warp,     ///< which warp of a block
  Block,    ///< which block of a cluster
  Offset,   ///< which element of a linear memory
  Dim0,     ///< the slowest axis of a row-major tensor
  Dim1,
  Dim2,
  Dim3,
  Dim4,
  Dim5, ///< and so on up to dim31, which code reaches by `tensorDim`
};

/// The largest tensor rank that has names for its axes: the 20 sides of 2 that the largest tensor may have,
/// and some of 1.
inline constexpr unsigned MaxTensorRank = 32;

/// Axis `index` of a tensor. Requires `index < MaxTensorRank`.
constexpr Dim tensorDim(unsigned index) { return Dim(unsigned(Dim::Dim0) + index); }

/// True for `Dim0` to `Dim31`.
constexpr bool isTensorDim(Dim dim) { return dim >= Dim::Dim0; }

/// The inverse of `tensorDim`. Requires `isTensorDim(dim)`.
constexpr unsigned tensorDimIndex(Dim dim) { return unsigned(dim) - unsigned(Dim::Dim0); }

/// `register`, `lane`, `warp`, `block`, `offset`, `dim0` ... `dim31`.
std::string_view dimName(Dim dim);

/// The inverse of `dimName`; nothing for any other text.
std::optional<Dim> parseDim(std::string_view name);

} // namespace tegula
