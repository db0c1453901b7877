// Estimates how long a launch takes, by a model of a multiprocessor: for ranking the configs of a kernel, not
// for telling times.
#pragma once

#include "compiler/cost/Terms.h"
#include "compiler/target/Target.h"

namespace tegula::cost {

/// Rates of a multiprocessor of an architecture, per cycle of its clock.
struct Rates {
  double unitFlops;         ///< of the matrix units, of elements of 16 bits; half of it for 32, twice for 8
  double syncShare;         ///< of `unitFlops` that `mma.sync` reaches where there is another instruction
  double cacheBytes;        ///< from L2
  double memoryBytes;       ///< from DRAM, of the device divided by its multiprocessors
  double sharedBytes;       ///< from shared memory to the matrix units
  uint32_t multiprocessors; ///< of a usual device, for one that does not say
  uint32_t ofPart;          ///< multiprocessors in a part of the device (GPC): a cluster lies in one of them
};
const Rates &ratesOf(const Target &target);

/// The numbers that were fitted on measured launches (`tools/bench/model`). All are cycles but for those that
/// say otherwise.
struct Coefficients {
  double latency = 1350;    ///< from a load to its values
  double stepLatency = 182; ///< of an iteration with a dot, besides its work: barriers and the units' start
  double programLatency = 1910; ///< a program's beginning and end, besides its own loads and stores
  double launchLatency = 6000;  ///< of a launch
  double reduction = 66.3;      ///< a reduction over a warp; more where several warps exchange
  double specialCycles = 45.9;  ///< issue slots of an exponential, root or quotient
  double elementCycles = 2.58;  ///< issue slots of other arithmetic
  double accessCycles = 27.3;   ///< issue slots of an access of a thread
  double gatherCycles = 17.6;   ///< the same for an operand of a dot that threads put into shared memory
  double warpsToFill = 8.28;    ///< warps that fill the issue slots of a multiprocessor
  double spillCycles = 9.36;    ///< issue slots of a value that is spilled, in each iteration
  double cacheLoss = 0.497;     ///< share of what waves have in common that L2 loses from one to the next
  double programBytes = 38.2;   ///< from L2 in a cycle, for one program by itself
  double splitLatency = 8280;   ///< blocks of a cluster wait for each other
  double splitBytes = 7.36;     ///< of sums from other blocks of the cluster in a cycle
  double registersBeside = 101; ///< of a thread, besides its part of the tensors
  double plainRegisters = 10.7; ///< the same of a kernel without dots
  double sharpness = 1.16;      ///< of the larger of two bounds: the greater, the less they add up
};
const Coefficients &coefficients();

/// An estimate, with its terms for a reader.
struct Estimate {
  double cycles = 0;        ///< of the whole launch; infinite where no block fits
  uint32_t resident = 0;    ///< programs on a multiprocessor at once
  double waves = 0;         ///< blocks by those that run at once
  uint32_t stages = 1;      ///< that fit
  uint64_t sharedBytes = 0; ///< of a program
  uint32_t registers = 0;   ///< of a thread
  double memoryBytes = 0;   ///< through DRAM
  double unitCycles = 0, cacheCycles = 0, memoryCycles = 0, issueCycles = 0; ///< of the device, each alone
  uint32_t split = 1; ///< blocks that share a program's loop
  bool fits() const { return resident > 0; }
};

/// Returns how many clusters of `blocks` run at once on `multiprocessors`, one block on each: the device is
/// taken as whole parts of `ofPart` and a smaller one. With 132 these are 66 clusters of two, 29 of four and
/// 14 of eight. The driver of an H200 says 66, 30 and 15: which multiprocessors of which part are disabled
/// differs from chip to chip, and only a driver knows.
uint32_t clustersAtOnce(uint32_t blocks, uint32_t multiprocessors, uint32_t ofPart);

/// Returns the estimate for a launch on a device of `target` with `multiprocessors`.
Estimate estimate(const KernelTerms &terms, const Target &target, uint32_t multiprocessors,
                  const Coefficients &fitted = coefficients());

} // namespace tegula::cost
