// The bounds of what a launch and a loop may ask for, as plain numbers: code that reads options needs them,
// with MLIR or without.
#pragma once

#include <cstdint>
#include <string>

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

/// Returns the number of stages that the text of a program means by `num_stages`: 0 is the language's way to
/// say that nothing is to be pipelined, which is one stage. Options and specifications hold what this gives;
/// their 0 says nothing.
constexpr uint32_t stagesOf(uint32_t written) { return written == 0 ? 1 : written; }

/// Says what is wrong with a number of warps; empty where nothing is.
inline std::string wrongWarps(uint32_t warps) {
  if (warps && warps <= MaxWarps && (warps & (warps - 1)) == 0)
    return {};
  return "expected a power of two from 1 to " + std::to_string(MaxWarps) + " warps, found " +
         std::to_string(warps);
}
/// The same of the stages of a kernel.
inline std::string wrongStages(uint32_t stages) {
  if (stages && stages <= MaxStages)
    return {};
  return "expected 1 to " + std::to_string(MaxStages) + " stages, found " + std::to_string(stages);
}
/// The same of both, and of the registers of a thread, where 0 leaves the choice to the assembler.
inline std::string wrongCounts(uint32_t warps, uint32_t stages, uint32_t registers) {
  if (std::string wrong = wrongWarps(warps); !wrong.empty())
    return wrong;
  if (registers > MaxRegisters)
    return "expected at most " + std::to_string(MaxRegisters) + " registers of a thread, found " +
           std::to_string(registers);
  return wrongStages(stages);
}

} // namespace tegula::tile
