#include "compiler/plan/ButterflyPlan.h"

#include "dialect/layout/Places.h"

namespace tegula {

namespace {

/// Each thread's registers at places of its own, those of thread `own ^ from` where they are loaded.
SharedAccess ownPlaces(uint32_t registers, uint32_t flip, uint32_t from, unsigned threadBits,
                       unsigned elementBytes) {
  SharedAccess access;
  for (uint32_t reg = 0; reg < registers; ++reg) {
    access.vectors.push_back({reg});
    access.offsets.push_back((((reg ^ flip) << threadBits) ^ from) * elementBytes);
    access.original.push_back(reg);
  }
  for (unsigned bit = 0; bit < threadBits; ++bit)
    access.threadOffsets.push_back((uint32_t(1) << bit) * elementBytes);
  return access;
}

} // namespace

ConversionPlan planButterfly(const LinearLayout &layout, unsigned axis, uint32_t mask, unsigned threadBits,
                             unsigned elementBytes) {
  uint32_t registers = 0, lanes = 0, warps = 0;
  Coord step{tensorDim(axis), int32_t(mask)};
  for (const Coord &coord : layout.pseudoInvert()->apply({step})) {
    if (coord.dim == Dim::Register)
      registers = uint32_t(coord.value);
    else if (coord.dim == Dim::Lane)
      lanes = uint32_t(coord.value);
    else if (coord.dim == Dim::Warp)
      warps = uint32_t(coord.value);
  }
  const uint32_t count = uint32_t(layout.inSize(Dim::Register));
  ConversionPlan plan;
  for (uint32_t reg = 0; reg < count; ++reg)
    plan.registers.push_back(reg ^ registers);
  if (warps) {
    plan.kind = ConversionPlan::Shared;
    plan.shared.bytes = (count << threadBits) * elementBytes;
    plan.shared.store = ownPlaces(count, 0, 0, threadBits, elementBytes);
    plan.shared.load = ownPlaces(count, registers, lanes | warps << LaneBits, threadBits, elementBytes);
  } else if (lanes) {
    plan.kind = ConversionPlan::Shuffle;
    plan.shuffle.registers = plan.registers;
    plan.shuffle.lanes.assign(count, lanes);
    plan.shuffle.threadRegisters.assign(threadBits, 0);
    for (unsigned bit = 0; bit < threadBits; ++bit)
      plan.shuffle.threadLanes.push_back(bit < LaneBits ? uint32_t(1) << bit : 0);
    plan.shuffle.choices = {0};
    plan.shuffle.butterfly = true;
  }
  return plan;
}

} // namespace tegula
