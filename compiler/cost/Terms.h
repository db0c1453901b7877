// The amounts of work in a launch of a kernel: what a model of its time is made of. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tegula::cost {

/// A launch as far as the model asks: how many programs, and the bits of each argument by its parameter's
/// name. Addresses are of no interest: two arrays are told apart by their parameters.
struct LaunchFacts {
  std::array<uint32_t, 3> grid = {1, 1, 1};
  std::vector<std::pair<std::string, int64_t>> numbers; ///< of parameters that are integers
  uint32_t multiprocessors = 1;                         ///< of the device

  uint64_t programs() const { return uint64_t(grid[0]) * grid[1] * grid[2]; }
};

/// A dot as a loop or a kernel executes it.
struct ProductTerms {
  int64_t m = 0, n = 0, k = 0, batches = 1;
  uint32_t elementBits = 16; ///< of the wider operand
  bool byUnits = true;       ///< matrix units take these elements
  bool isOfFloats8 = false;  ///< with sums in f32, of which units of warp groups keep few bits
  double flops() const { return 2.0 * double(m) * double(n) * double(k) * double(batches); }
};

/// An access to global memory, by whole blocks: what a mask leaves out counts.
struct AccessTerms {
  bool isStore = false;
  bool feedsDot = false; ///< the block is an operand of a dot of its loop
  double bytes = 0;      ///< of one execution
  uint64_t elementBytes = 0;
  uint32_t vectorBytes = 16; ///< that one instruction of a thread may access
  double copies = 1;         ///< programs of the whole grid that access the same block, on average
  double copiesOfWave = 1;   ///< the same among programs that follow each other
};

/// A part of a kernel that is done over and over: the body of a loop without that of loops inside, or what is
/// outside of loops.
struct Section {
  double times = 1;     ///< executions of it by one program, on average over the grid
  double mostTimes = 1; ///< by the program that executes it most often
  uint32_t stages = 1;  ///< iterations that are to be in flight
  uint32_t depth = 0;   ///< loops that it is in
  std::vector<ProductTerms> products;
  std::vector<AccessTerms> accesses;
  double elements = 0;     ///< results of simple arithmetic on floats
  double specials = 0;     ///< results of exponentials, roots, quotients and their like
  uint32_t reductions = 0; ///< reductions and scans, each of which waits for other threads
  double reducedElements = 0;

  double loadedBytes() const;
  double storedBytes() const;
  /// Bytes of one iteration that wait in shared memory for a dot.
  double stagedBytes() const;
};

/// The amounts of a launch.
struct KernelTerms {
  uint64_t programs = 1;
  uint32_t warps = 4;
  std::vector<Section> sections; ///< those that are executed at all
  uint64_t sumBytes = 0;         ///< of the largest result of a dot: the sums that threads hold
  uint64_t heldBytes = 0;        ///< of the largest tensor that is reduced, and used again after that

  bool hasLoop() const;
};

} // namespace tegula::cost
