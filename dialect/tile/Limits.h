// The bounds of what a launch and a loop may ask for, as plain numbers: whoever reads options needs them,
// with MLIR or without.
#pragma once

#include <cstdint>

namespace tegula::tile {

/// A block has at most 1024 threads, which is 32 warps.
inline constexpr uint32_t MaxWarps = 32;

/// The language has no bound but memory. No loop gains from more: each stage is a copy of its tiles in shared
/// memory.
inline constexpr uint32_t MaxStages = 32;

/// More registers than this no thread of any architecture can have.
inline constexpr uint32_t MaxRegisters = 255;

/// More copies of a body than this only cost time and code.
inline constexpr uint32_t MaxUnroll = 32;

/// What a launch, a config or `tl.range` means by `stages`: none at all is the language's way to say that
/// nothing is to be pipelined, which is one.
constexpr uint32_t stagesOf(uint32_t stages) { return stages == 0 ? 1 : stages; }

} // namespace tegula::tile
