// Every number of the hardware that the emulator acts upon. The runtime sees nothing of the compiler, so what
// stands in compiler/target as well stands here once more, and `HardwareTest` holds the two together.
#pragma once

#include <cstdint>
#include <string_view>

namespace tegula::runtime::ptx {

/// Lanes of a warp.
inline constexpr unsigned lanes = 32;
/// Named barriers of a block: PTX gives them the numbers 0 to 15.
inline constexpr uint32_t barriersPerBlock = 16;
inline constexpr uint32_t maxThreadsPerBlock = 1024;
/// Of 32 bits.
inline constexpr uint32_t registersPerMultiprocessor = 64 * 1024;
/// What global memory is moved in.
inline constexpr uint32_t sectorBytes = 32;
/// Banks of shared memory and the width of each. A pass over all of them moves `lanes` words.
inline constexpr uint32_t sharedBanks = 32, sharedBankBytes = 4;
/// The most that one thread accesses with one instruction (`.v8.b32`, from sm_100 on).
inline constexpr uint32_t maxAccessBytes = 32;
/// Bytes of parameters that an entry may have.
inline constexpr uint32_t maxParamBytes = 32764;

/// What one multiprocessor holds at once.
struct Multiprocessor {
  std::string_view target; ///< without the letter of an architecture's own features
  uint32_t maxSharedPerBlock, sharedBytes;
  uint32_t warps, blocks;

  /// Shared memory that the system keeps of each block.
  uint32_t reservedPerBlock() const { return sharedBytes - maxSharedPerBlock; }
};

/// The multiprocessor of `target`, the text of `.target`; the largest where it is not known.
const Multiprocessor &multiprocessorOf(std::string_view target);

/// Multiprocessors of an H100 or H200, which the emulator stands in for.
inline constexpr uint32_t multiprocessorsOfH100 = 132;

} // namespace tegula::runtime::ptx
