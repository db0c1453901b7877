#include "compiler/distribute/AccessCost.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/SampleAddresses.h"
#include "compiler/plan/AccessPlan.h"
#include "compiler/plan/ConversionPlan.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tegula {

namespace {

/// An instruction that accesses memory, with what computes its address and its predicate, in times of a
/// sector: the load and store unit takes one instruction where memory gives about one sector.
constexpr double InstructionCost = 1;
/// A sector that is in the first cache, which gives four where memory gives one.
constexpr double CachedCost = 0.25;

/// A stride that only a run knows is as likely one that packs elements close as one that is a row's length.
constexpr int64_t UnknownStrides[] = {2, 4096};

/// Two waits for the other warps, one before what is stored is read and one before the place is used again.
constexpr double BarriersCost = 64;

/// The number of instructions of a warp that are looked at; the rest of them are like these.
constexpr size_t MaxInstructions = 16;

/// Sectors that the warp touches: how many with each instruction by itself, and how many in all.
struct Sectors {
  int64_t touched = 0, distinct = 0;
};

std::optional<Sectors> countSectors(Value pointers, const LinearLayout &layout,
                                    ArrayRef<std::vector<uint32_t>> vectors, int64_t vectorBytes,
                                    int64_t sectorBytes, int64_t unknown) {
  constexpr unsigned Lanes = 1u << LaneBits;
  std::vector<uint64_t> threads = threadColumns(layout, LaneBits), registers = registerPositions(layout);
  SmallVector<Place> places;
  for (const std::vector<uint32_t> &vector : vectors)
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      uint64_t packed = registers[vector.front()];
      for (unsigned bit = 0; bit < LaneBits; ++bit)
        packed ^= lane >> bit & 1 ? threads[bit] : 0;
      Place place;
      for (unsigned axis = 0; axis < layout.outs().size(); ++axis)
        place.push_back(layout.unpackOut(packed, tensorDim(axis)));
      places.push_back(std::move(place));
    }
  std::optional<std::vector<int64_t>> addresses = sampleAddresses(pointers, places, unknown);
  if (!addresses)
    return std::nullopt;
  Sectors sectors;
  llvm::DenseSet<int64_t> all;
  for (size_t first = 0; first < addresses->size(); first += Lanes) {
    llvm::SmallDenseSet<int64_t, 64> own;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      int64_t begin = (*addresses)[first + lane], last = begin + vectorBytes - 1;
      for (int64_t sector = begin / sectorBytes; sector <= last / sectorBytes; ++sector)
        own.insert(sector);
    }
    sectors.touched += int64_t(own.size());
    all.insert(own.begin(), own.end());
  }
  sectors.distinct = int64_t(all.size());
  return sectors;
}

} // namespace

std::optional<double> accessCost(Operation *op, const MemoryAccess &facts, tile::LayoutAttr layout,
                                 unsigned threadBits) {
  AccessPlan plan = planAccess(layout.getLayout(), threadBits, facts.runs, facts.elementBytes * 8);
  const Target *target = targetOf(op);
  int64_t sectorBytes = target ? target->sectorBytes : Target().sectorBytes;
  size_t looked = std::min(plan.vectors.size(), MaxInstructions);
  double scale = double(plan.vectors.size()) / double(looked), cost = 0;
  for (int64_t unknown : UnknownStrides) {
    std::optional<Sectors> sectors = countSectors(
        tile::globalAccessOf(op).address, layout.getLayout(), ArrayRef(plan.vectors).take_front(looked),
        int64_t(plan.elements) * facts.elementBytes, sectorBytes, unknown);
    if (!sectors)
      return std::nullopt;
    double again = tile::globalAccessOf(op).onlyReads() ? CachedCost : 1;
    cost += double(sectors->distinct) + again * double(sectors->touched - sectors->distinct);
  }
  return scale * cost / double(std::size(UnknownStrides)) + InstructionCost * double(plan.vectors.size());
}

double conversionCost(tile::LayoutAttr from, tile::LayoutAttr to, unsigned elementBytes,
                      unsigned threadBits) {
  ConversionPlan plan = planConversion(from.getLayout(), to.getLayout(), threadBits, elementBytes);
  switch (plan.kind) {
  case ConversionPlan::Registers:
    return 0;
  case ConversionPlan::Shuffle:
    return double(plan.shuffle.registers.size());
  case ConversionPlan::Shared:
    break;
  }
  double cost = plan.shared.withinWarp ? 0 : BarriersCost;
  for (const SharedAccess *side : {&plan.shared.store, &plan.shared.load})
    cost += double(side->vectors.size()) * (InstructionCost + wavefrontsOf(*side, elementBytes));
  return cost;
}

} // namespace tegula
