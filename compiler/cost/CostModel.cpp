#include "compiler/cost/CostModel.h"

#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/target/MatrixUnits.h"
#include "dialect/layout/Fragments.h"
#include "dialect/tile/LoopSharing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tegula::cost {

const Rates &ratesOf(const Target &target) {
  // unit flops, share of mma.sync, L2, DRAM, shared memory; multiprocessors and those of a part
  static constexpr Rates turing = {1024, 1, 24, 5, 64, 40, 8};
  static constexpr Rates ampere = {2048, 1, 32, 10, 128, 108, 16};
  static constexpr Rates ada = {1024, 1, 24, 4, 128, 128, 12};
  static constexpr Rates hopper = {4096, 0.62, 32, 18, 128, 132, 18};
  static constexpr Rates blackwell = {4096, 1, 40, 28, 128, 148, 20};
  if (target.warpgroupMma)
    return hopper;
  if (target.major == 7)
    return turing;
  if (target.major == 8)
    return target.minor == 0 ? ampere : ada;
  return target.major == 12 ? ada : blackwell;
}

const Coefficients &coefficients() {
  static constexpr Coefficients fitted;
  return fitted;
}

uint32_t clustersAtOnce(uint32_t blocks, uint32_t multiprocessors, uint32_t ofPart) {
  return multiprocessors / ofPart * (ofPart / blocks) + multiprocessors % ofPart / blocks;
}

namespace {

/// Issue slots of a multiprocessor in a cycle: a warp's instruction each.
constexpr double IssueSlots = 4, Lanes = Target::warpSize;

/// An operand that no copy brings into shared memory: threads load it and store it there.
bool goesThroughRegisters(const AccessTerms &access) {
  return access.feedsDot && access.vectorBytes < MinCopyBytes;
}

class Model {
public:
  Model(const KernelTerms &terms, const Target &target, uint32_t multiprocessors, const Coefficients &fitted)
      : terms(terms), target(target), rates(ratesOf(target)), fitted(fitted),
        multiprocessors(std::max(1u, multiprocessors)) {}

  Estimate run() {
    occupy();
    if (!found.fits()) {
      found.cycles = std::numeric_limits<double>::infinity();
      return found;
    }
    split();
    found.waves = blocks() / (double(multiprocessors) * found.resident);
    for (const Section &section : terms.sections) {
      const double all = double(terms.programs) * section.times;
      found.unitCycles += all / multiprocessors * unitCycles(section);
      found.cacheCycles += all / multiprocessors * cacheCycles(section);
      found.issueCycles += all / multiprocessors * issueCycles(section);
      found.memoryBytes += all * memoryBytes(section);
    }
    found.memoryCycles = found.memoryBytes / (rates.memoryBytes * multiprocessors);
    // None is done quicker than what the busiest part of the device takes, nor than one block after the
    // other.
    const double share = double(multiprocessors) / blocks();
    busy = share * std::max({found.unitCycles, found.cacheCycles, found.issueCycles, found.memoryCycles});
    alone = aloneCycles();
    found.cycles = fitted.launchLatency + wholeCycles();
    return found;
  }

private:
  double threads() const { return double(terms.warps) * Lanes; }
  double blocks() const { return double(terms.programs) * found.split; }

  /// A loop of products, which loads ahead of them, and which the blocks of a cluster may share.
  static bool isPipelined(const Section &section) { return section.depth && !section.products.empty(); }

  /// Executions of a section by the block of a cluster that has most to do: the first.
  double timesOfBlock(const Section &section) const {
    return found.split > 1 && isPipelined(section) ? std::ceil(section.times / found.split) : section.times;
  }

  bool isByGroups(const ProductTerms &product) const {
    return target.warpgroupMma && product.m >= RowsOfGroup && terms.warps >= unsigned(WarpsOfGroup);
  }

  /// Sums of a product that threads add up besides the unit, in f32, after each part of K.
  double addedUp(const ProductTerms &product) const {
    return product.isOfFloats8 && isByGroups(product)
               ? double(product.m * product.n) * std::ceil(double(product.k) / MaxImpreciseProducts)
               : 0;
  }

  /// Sums of a part that threads hold besides those that they are added to. With 64 rows for each group parts
  /// have as many columns as there are registers for (`choose-matrix-units`).
  double heldOfPart(const ProductTerms &product) const {
    const int64_t groups = terms.warps / WarpsOfGroup;
    return product.isOfFloats8 && isByGroups(product) && product.m != groups * RowsOfGroup
               ? double(product.m * product.n)
               : 0;
  }

  /// Finds how many programs a multiprocessor holds: by shared memory, registers and warps.
  void occupy() {
    double inRegisters = double(terms.sumBytes + terms.heldBytes) / 4;
    for (const Section &section : terms.sections) {
      for (const AccessTerms &access : section.accesses)
        if (goesThroughRegisters(access))
          inRegisters += access.bytes / double(access.elementBytes);
      for (const ProductTerms &product : section.products)
        inRegisters += heldOfPart(product);
    }
    const double wanted =
        (terms.sumBytes ? fitted.registersBeside : fitted.plainRegisters) + inRegisters / threads();
    const double most = registersWithWarps(terms.warps, target);
    spilled = std::max(0.0, wanted - most) * threads();
    found.registers = uint32_t(std::min(wanted, most));
    double staged = 0;
    for (const Section &section : terms.sections) {
      found.stages = std::max(found.stages, section.products.empty() ? 1 : section.stages);
      staged = std::max(staged, section.stagedBytes());
    }
    // The schedule takes fewer stages where so many do not fit.
    while (found.stages > 1 && staged * found.stages > target.maxSharedPerBlock)
      --found.stages;
    found.sharedBytes = uint64_t(staged * found.stages);
    if (found.sharedBytes > target.maxSharedPerBlock)
      return;
    double resident = double(target.sharedPerMultiprocessor) /
                      double(found.sharedBytes + target.reservedSharedPerBlock() + 1);
    resident = std::min(resident, double(Target::registersPerMultiprocessor) / (found.registers * threads()));
    resident = std::min(resident, double(target.maxWarpsPerMultiprocessor) / terms.warps);
    found.resident = uint32_t(std::clamp(resident, 1.0, double(target.maxBlocksPerMultiprocessor)));
  }

  /// Decides how many blocks of a cluster share the loop of each of few programs, as launches do
  /// (`runtime/device/SharedLoops`).
  void split() {
    const uint32_t each = tile::sharingBlocksPerMultiprocessor(copiesByTma(), terms.warps, found.sharedBytes);
    if (!target.clusters || !tile::areFew(terms.programs, uint64_t(multiprocessors) * each))
      return;
    const Section *loop = nullptr;
    for (const Section &section : terms.sections)
      if (isPipelined(section))
        loop = loop ? nullptr : &section;
    if (!loop || loop->products.size() != 1)
      return;
    const auto clusters = [&](uint32_t blocks) {
      return uint64_t(clustersAtOnce(blocks, multiprocessors, rates.ofPart)) * each;
    };
    found.split = tile::sharingBlocks(terms.programs, uint64_t(std::ceil(loop->times)), clusters);
  }

  /// Returns whether some operand is aligned as TMA needs it.
  bool copiesByTma() const {
    for (const Section &section : terms.sections)
      for (const AccessTerms &access : section.accesses)
        if (access.feedsDot && access.vectorBytes >= MaxCopyBytes)
          return true;
    return false;
  }

  /// Bytes from DRAM of one execution: each block once, or once a wave where L2 may have lost it.
  double memoryBytes(const Section &section) const {
    double bytes = 0;
    for (const AccessTerms &access : section.accesses) {
      const double once = access.bytes / access.copies, ofWaves = access.bytes / access.copiesOfWave;
      bytes += once + fitted.cacheLoss * std::max(0.0, ofWaves - once);
    }
    return bytes;
  }

  double unitCycles(const Section &section) const {
    double cycles = 0;
    for (const ProductTerms &product : section.products) {
      if (!product.byUnits) {
        cycles += product.flops() / (2 * IssueSlots * Lanes);
        continue;
      }
      double rate = rates.unitFlops * 16 / product.elementBits;
      if (target.warpgroupMma && !isByGroups(product))
        rate *= rates.syncShare;
      double own = product.flops() / rate;
      // Both operands come from shared memory: an instruction of 64 rows reads its own rows and all columns.
      const double groups = std::max(1.0, double(product.m) / double(RowsOfGroup));
      const double read =
          groups * double(RowsOfGroup + product.n) * double(product.k) * product.elementBits / 8;
      own = std::max(own, double(product.batches) * read / rates.sharedBytes);
      cycles += own;
    }
    return cycles;
  }

  double cacheCycles(const Section &section) const {
    return (section.loadedBytes() + section.storedBytes()) / rates.cacheBytes;
  }

  double issueCycles(const Section &section) const {
    double slots = (section.elements + section.reducedElements) * fitted.elementCycles +
                   section.specials * fitted.specialCycles;
    for (const ProductTerms &product : section.products)
      slots += addedUp(product) * fitted.elementCycles;
    for (const AccessTerms &access : section.accesses)
      if (!access.feedsDot || access.vectorBytes < MaxCopyBytes)
        slots += access.bytes / double(access.vectorBytes) *
                 (goesThroughRegisters(access) ? fitted.gatherCycles : fitted.accessCycles);
    if (section.depth || !terms.hasLoop())
      slots += fitted.spillCycles * spilled;
    return slots / (IssueSlots * Lanes);
  }

  /// Cycles in which the blocks of a cluster add up their sums: each reads as much as a tile from all of
  /// them, and the first one the whole sum.
  double splitCycles() const {
    return found.split > 1 ? fitted.splitLatency + 2 * double(terms.sumBytes) / fitted.splitBytes : 0;
  }

  /// Cycles of a program that has a multiprocessor for itself, from its beginning to its end.
  double aloneCycles() const {
    double cycles = fitted.programLatency;
    // Few warps do not fill the slots, as each waits for its own results.
    const double part = std::max(1.0, fitted.warpsToFill / terms.warps);
    const double groups = std::max(1.0, double(terms.warps) / WarpsOfGroup);
    for (const Section &section : terms.sections) {
      // One group of warps computes while another one's products are under way.
      const double units = unitCycles(section), issue = part * issueCycles(section);
      const double bytes = section.loadedBytes() + section.storedBytes();
      double own = std::max(units, issue) + std::min(units, issue) / groups +
                   section.reductions * fitted.reduction * (1 + std::log2(double(terms.warps)));
      if (isPipelined(section) &&
          std::none_of(section.accesses.begin(), section.accesses.end(), goesThroughRegisters)) {
        const double ahead = std::max(1u, std::min(found.stages, section.stages) - 1);
        own = std::max(own + fitted.stepLatency, (fitted.latency + bytes / fitted.programBytes) / ahead);
      } else if (!section.accesses.empty()) {
        own += fitted.latency + bytes / fitted.programBytes;
      }
      cycles += timesOfBlock(section) * own;
    }
    return cycles + splitCycles();
  }

  /// Cycles of `resident` blocks that share a multiprocessor.
  double roundCycles(double resident) const {
    const double all = resident * busy;
    return std::pow(std::pow(all, fitted.sharpness) + std::pow(alone, fitted.sharpness),
                    1 / fitted.sharpness);
  }

  double wholeCycles() const {
    const double places = double(multiprocessors) * found.resident;
    const double full = std::floor(blocks() / places);
    const double left = blocks() - full * places;
    double cycles = full * roundCycles(found.resident);
    if (left > 0)
      cycles += roundCycles(std::ceil(left / multiprocessors));
    return cycles;
  }

  const KernelTerms &terms;
  const Target &target;
  const Rates &rates;
  const Coefficients &fitted;
  const uint32_t multiprocessors;
  double spilled = 0; ///< values of a program that no register is left for
  double busy = 0;    ///< cycles of a block on the busiest part of the device
  double alone = 0;   ///< cycles of a block by itself
  Estimate found;
};

} // namespace

Estimate estimate(const KernelTerms &terms, const Target &target, uint32_t multiprocessors,
                  const Coefficients &fitted) {
  return Model(terms, target, multiprocessors, fitted).run();
}

} // namespace tegula::cost
