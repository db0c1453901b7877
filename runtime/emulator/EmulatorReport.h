// Counters that the emulator keeps per line of kernel source.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tegula::runtime {

/// Counts of one source line, or of everything. A *request* is one instruction of one warp. A
/// *sector* is the 32 bytes that a GPU's memory system moves at a time.
struct Counters {
  uint64_t warpInstructions = 0;
  uint64_t threadInstructions = 0; ///< lanes that were not masked off, summed
  uint64_t loadRequests = 0;       ///< global memory
  uint64_t loadSectors = 0;
  uint64_t loadSectorsIdeal = 0; ///< distinct bytes / 32, rounded up for each request
  uint64_t loadBytes = 0;        ///< bytes asked for by all lanes
  uint64_t storeRequests = 0;
  uint64_t storeSectors = 0;
  uint64_t storeSectorsIdeal = 0;
  uint64_t storeBytes = 0;
  uint64_t sharedRequests = 0;
  uint64_t sharedBytes = 0;
  /// Passes that a shared access needed beyond those for conflict-free lanes.
  uint64_t bankConflicts = 0;

  Counters &operator+=(const Counters &other);
  bool operator==(const Counters &) const = default;
};

/// Counts since the device was made or its report was reset.
struct EmulatorReport {
  struct Row {
    std::string file; ///< empty for instructions without a place
    uint32_t line = 0;
    Counters counters;
  };
  std::vector<Row> rows; ///< by file and line
  Counters total;
  uint64_t launches = 0, blocks = 0;
  bool isInOrder = false; ///< blocks and warps took turns in their natural order, and in no other
};

} // namespace tegula::runtime
