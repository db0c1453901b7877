// The cost of each instruction of a kernel, which `EmulatorOptions::profile` asks for.
#pragma once

#include "runtime/emulator/EmulatorReport.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tegula::runtime {

/// Addresses that the lanes of one request came to, relative to the lowest.
struct AccessPattern {
  uint64_t count = 0;                 ///< requests that had it
  uint32_t mask = 0;                  ///< lanes that took part, lane 0 in the lowest bit
  uint32_t alignment = 0;             ///< the lowest address modulo 128
  uint32_t laneBytes = 0;             ///< bytes of each lane
  std::array<uint32_t, 32> offsets{}; ///< bytes; 0 for lanes that took no part

  /// Returns whether two requests are alike, however often each was made.
  bool isLike(const AccessPattern &other) const {
    return mask == other.mask && alignment == other.alignment && laneBytes == other.laneBytes &&
           offsets == other.offsets;
  }
};

/// The most distinct patterns that are kept of one instruction in one memory: those that come first.
inline constexpr size_t maxPatterns = 8;

/// One instruction.
struct InstructionProfile {
  uint32_t line = 0; ///< of the PTX text
  Counters counters;
  bool isStore = false; ///< of its accesses of shared memory; an atomic counts as a store
  /// Passes over the banks that its requests of shared memory would take without a conflict.
  uint64_t sharedPassesLeast = 0;
  /// Sectors of loads of global memory that asked for the addresses of one of the four requests that the same
  /// warp had made here before. Loads that wait for others (volatile, with an order) are left out.
  uint64_t repeatedSectors = 0;
  /// Elements that an atomic changed, and how many different ones they were: both stay at what they are when
  /// `maxElements` different ones have been seen.
  uint64_t atomicChanges = 0, atomicElements = 0;
  std::vector<AccessPattern> global, shared;
};

/// The most different elements that are told apart of an atomic.
inline constexpr size_t maxElements = 1 << 18;

/// One step of the block that is followed.
struct BlockEvent {
  uint16_t warp = 0;
  uint16_t kind = 0; ///< number in `KernelProfile::eventKinds`
  uint32_t line = 0; ///< of the PTX text
  uint64_t step = 0; ///< instructions that the launch had executed
};

/// The most events that are kept of a block.
inline constexpr size_t maxEvents = 64 * 1024;

/// Counts since the device was made or its report was reset, of the kernel that was launched last.
struct KernelProfile {
  std::string kernel;
  std::string ptx;                              ///< the text that was executed, whose lines these are
  std::vector<InstructionProfile> instructions; ///< those that were executed, by their lines
  std::vector<std::string> eventKinds;
  std::array<uint32_t, 3> followed{}; ///< the block whose events are logged: the first to begin
  std::vector<BlockEvent> events;
  uint64_t eventsDropped = 0; ///< beyond `maxEvents`
};

} // namespace tegula::runtime
