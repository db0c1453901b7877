#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/plan/BroadcastPlan.h"
#include "dialect/layout/UnitMemory.h"

#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

uint32_t alignmentOf(tgpu::AllocOp alloc) {
  uint32_t alignment = Scratch().alignment;
  tgpu::BufferType type = alloc.getType();
  for (const tgpu::BufferRead &read : tgpu::readsOf(alloc)) {
    auto product = dyn_cast<tgpu::MmaOp>(read.op);
    if (!product)
      continue;
    unsigned index = read.slot == &product.getSlotBMutable() ? 1 : 0;
    alignment = std::max(alignment, asUnitOperand(type.getLayout().getLayout(), product.getKAxis(index),
                                                  type.getElementBytes())
                                        ->alignment());
  }
  // A swizzle goes by bits of addresses: those of a box begin where its atoms do.
  for (Operation *user : alloc->getUsers())
    if (auto store = dyn_cast<tgpu::TmaStoreOp>(user))
      alignment = std::max(alignment, UnitOperand{{true, store.getBoxes().span}}.alignment());
  return alignment;
}

/// Returns the shared memory that a round trip by a plan of this kind takes.
static Scratch scratchOf(const ConversionPlan &plan) {
  return plan.kind == ConversionPlan::Shared ? Scratch{plan.shared.bytes, plan.shared.withinWarp} : Scratch();
}

Scratch scratchOf(Operation *op, const Executor &executor) {
  if (tile::globalAccessOf(op).isAtomic()) {
    BroadcastPlan plan = broadcastPlanOf(op, executor);
    return plan.kind == BroadcastPlan::Shared ? Scratch{plan.shared.bytes} : Scratch();
  }
  return llvm::TypeSwitch<Operation *, Scratch>(op)
      .Case([&](tile::ConvertLayoutOp convert) {
        Scratch scratch = scratchOf(planOf(convert, executor));
        scratch.withinWarp &= !executor.isOneWarp();
        return scratch;
      })
      .Case([&](tile::ButterflyOp butterfly) {
        Scratch scratch = scratchOf(planOf(butterfly, executor));
        scratch.withinWarp = false;
        return scratch;
      })
      .Case<tile::ReduceOp, tile::ScanOp, tile::GatherOp, tile::HistogramOp>(
          [&](auto op) { return Scratch{planOf(op, executor).bytes}; })
      .Case([&](tgpu::ClusterSumOp sum) {
        // Each thread has what it holds by itself, in whole accesses.
        const Type tensor = sum.getSource().getType();
        const uint64_t registers = uint64_t(1) << tile::layoutOf(tensor).getLayout().inBits(Dim::Register);
        const uint64_t bytes = registers * tile::elementTypeOf(tensor).getIntOrFloatBitWidth() / 8;
        return Scratch{llvm::alignTo(bytes, Scratch().alignment) << executor.threadBits()};
      })
      .Case([](tgpu::ClusterGatherOp gather) {
        // Others write it at any time between two of this block's own uses.
        const auto type = cast<RankedTensorType>(gather.getResultTypes().front());
        return Scratch{GatheredBytes * gather.getNumResults() * uint64_t(type.getNumElements()), false,
                       /*isBuffer=*/true};
      })
      .Case([](tgpu::AllocOp alloc) {
        return alloc->use_empty() ? Scratch()
                                  : Scratch{alloc.getType().getBytes(), false, true, alignmentOf(alloc)};
      })
      .Case([](tgpu::BarriersOp barriers) {
        return Scratch{uint64_t(BarrierBytes) * barriers.getResult().getType().getSlots(), false, true};
      })
      .Default(Scratch());
}

} // namespace tegula
