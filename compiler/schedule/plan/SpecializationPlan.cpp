#include "compiler/schedule/plan/SpecializationPlan.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "dialect/layout/Fragments.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

/// With fewer, several blocks share a multiprocessor and hide the same from each other.
constexpr unsigned LeastWarps = 8;

/// The part of what `estimateRegisters` adds to its count that is for addresses of copies and counters, which
/// consumers no longer have. A 128 by 256 product of 8 warps with a producer takes 154 registers, 128 of them
/// sums.
constexpr uint32_t RegistersOfCopies = 16;

/// Registers of the rest that threads do not take either, where they have nearly all: the same product takes
/// 26 besides its sums, for which 40 are left of the estimate.
constexpr uint32_t SpareRegisters = 14;

/// The registers of a thread that only starts copies: the least possible.
constexpr uint32_t RegistersOfProducer = 24;
/// The most registers that are handed over: with more the assembler has been seen to refuse.
constexpr uint32_t MostRegisters = 240;
constexpr uint32_t RegisterStep = 8; ///< by which they are

/// The buffers of `plan` by the group that the loads into them are waited for in.
using BuffersByGroup = std::map<unsigned, SmallVector<tgpu::AllocOp, 2>>;

BuffersByGroup buffersOf(const PrefetchPlan &plan) {
  BuffersByGroup buffers;
  for (const PlannedLoad &planned : plan.loads)
    buffers[planned.group].push_back(planned.buffer);
  return buffers;
}

} // namespace

bool canPlaceAlone(const Box &box) {
  return llvm::all_of(box.axes,
                      [&](const BoxAxis &axis) { return llvm::all_of(box.valuesIn(axis), canComputeAlone); });
}

void PlannedRoles::add(scf::ForOp loop, const PrefetchPlan &plan) {
  round = *loopsAround(loop);
  for (scf::ForOp outer : round)
    around.insert(outer);
  if (isAny)
    return;
  isAny = true;
  slots = plan.stages;
  for (auto &[group, filled] : buffersOf(plan))
    buffers.push_back(filled);
}

namespace {

/// Returns whether the loads of `plan` fit into the slots of the earlier loops.
bool fits(const PrefetchPlan &plan, const PlannedRoles &before) {
  const BuffersByGroup groups = buffersOf(plan);
  if (groups.size() != before.buffers.size() || plan.stages != before.slots)
    return false;
  for (auto [group, buffers] : llvm::zip_equal(groups, before.buffers)) {
    if (group.second.size() != buffers.size())
      return false;
    for (auto [own, buffer] : llvm::zip_equal(group.second, buffers)) {
      tgpu::BufferType there = tgpu::AllocOp(buffer).getType(), here = tgpu::AllocOp(own).getType();
      if (here.getTensor() != there.getTensor() || here.getLayout() != there.getLayout())
        return false;
    }
  }
  return true;
}

/// Returns whether it is known after which op of the loop's body `product` has read.
bool endsInLoop(tgpu::MmaOp product, const PrefetchPlan &plan) {
  if (llvm::is_contained(plan.inFlight, product))
    return true;
  auto wait = dyn_cast<tgpu::MmaWaitOp>(*product->getUsers().begin());
  return wait && wait->getBlock() == product->getBlock() &&
         isa<RankedTensorType>(wait.getResult(0).getType());
}

/// Decides whether a warp can make the loads of `loop` by itself.
Decision<> canLoadAlone(scf::ForOp loop, const PrefetchPlan &plan) {
  for (const PlannedLoad &planned : plan.loads) {
    if (planned.by != tgpu::FetchKind::Tma)
      return because(tile::LoadOp(planned.load), "a load is not by TMA")
          .fixedBy("see what is said of that load");
    tgpu::AllocOp buffer = planned.buffer;
    for (const tgpu::BufferRead &read : tgpu::readsOf(buffer)) {
      auto product = dyn_cast<tgpu::MmaOp>(read.op);
      if (!product || !endsInLoop(product, plan))
        return because(read.op, "other ops than products that the loop waits for read what a load loads")
            .fixedBy("give that op a load of its own");
    }
    if (!canPlaceAlone(planned.source->box))
      return because(tile::LoadOp(planned.load),
                     "where a load reads depends on memory or on what threads compute together")
          .fixedBy("load tables of blocks and lengths before the loop, as scalars");
  }
  SmallVector<scf::ForOp> all = *loopsAround(loop);
  all.push_back(loop);
  for (scf::ForOp each : all)
    for (Value bound : {each.getLowerBound(), each.getUpperBound(), each.getStep()})
      if (!canComputeAlone(bound))
        return because("how often it runs depends on memory or on what threads compute together")
            .fixedBy("load tables of blocks and lengths before the loop, as scalars");
  return {};
}

/// Decides whether the loads of `loop` can be given away.
Decision<> canSpecialize(scf::ForOp loop, const PrefetchPlan &plan, const PlannedRoles &before) {
  if (!plan.has(tgpu::FetchKind::Tma))
    return because("no load is by TMA").fixedBy("see what is said of the loads of the loop");
  if (!mayUse(loop, Feature::Specialize))
    return because("the compilation is told to do without (`specialize`)")
        .fixedBy("drop `--without=specialize`");
  auto kernel = loop->getParentOfType<func::FuncOp>();
  std::optional<SmallVector<scf::ForOp>> round = loopsAround(loop);
  if (!round)
    return because("it stands in a branch, or in a loop that does not count")
        .fixedBy("turn the branch into a mask, or into bounds of the loop");
  TRY(KernelEffects(kernel).mayRunAhead(outermostOf(loop)));
  TRY(canLoadAlone(loop, plan));
  if (before.isAny && before.round != *round)
    return because("another loop of the kernel has the producer warps, and other loops around it")
        .nothingToDo();
  if (before.isAny && !fits(plan, before))
    return because("another loop of the kernel has the producer warps, and other buffers").nothingToDo();
  return {};
}

/// Decides whether there is shared memory for buffers that are in use from the kernel's start on.
Decision<SharedNeed> findRoom(scf::ForOp loop, const PrefetchPlan &plan, PlannedMemory &memory) {
  const SharedNeed need = memory.needWith(plan.memoryOf(loop, tgpu::PipelineBy::Producer, plan.stages));
  if (!need.hasRoom())
    return because("its buffers would be in use from the kernel's start on: {0} bytes of shared memory, "
                   "expected at most {1}",
                   need.wanted, need.available)
        .fixedBy("use fewer stages");
  return need;
}

} // namespace

Decision<Specialization> planSpecialization(scf::ForOp loop, const PrefetchPlan &plan, PlannedMemory &memory,
                                            const PlannedRoles &before, bool isAsked) {
  TRY(canSpecialize(loop, plan, before));
  const SharedNeed need = TRY(findRoom(loop, plan, memory));
  const Target &target = *targetOf(loop);
  const unsigned warps = kernelOf(loop).getWarps();
  const uint32_t estimate = estimateRegisters(loop), needed = estimate - RegistersOfCopies,
                 withLate = needed + registersOfLateness(loop);
  if (!isAsked && warps < LeastWarps)
    return because("with {0} warps, blocks that share a multiprocessor hide the same", warps).nothingToDo();
  // Who keeps it to themselves, with the registers that all have; and who shares it, with fewer.
  const uint32_t taken = estimateRegistersOfKernel(loop->getParentOfType<func::FuncOp>()) - Overestimated;
  const unsigned blocks = residentBlocks(warps, taken, need.bytes, target);
  Specialization how;
  how.blocks = blocks;
  const uint32_t shared = registersWithWarps(blocks * (warps + how.warps), target),
                 alone = registersWithWarps(warps + how.warps, target);
  if (needed > shared && blocks > 1 && !isAsked)
    return because("fewer than {0} blocks of {1} warps would share a multiprocessor", blocks,
                   warps + how.warps)
        .nothingToDo();
  // What a block begins with, as much for each warp, is all that there is to hand over.
  const unsigned all = warps + WarpsOfGroup;
  const uint32_t each = registersWithWarps(all, target) / RegisterStep * RegisterStep,
                 ofPart = each * (all / WarpsOfGroup),
                 left = (ofPart - RegistersOfProducer) / (warps / WarpsOfGroup) / RegisterStep * RegisterStep,
                 others = std::min(left, MostRegisters);
  const bool mayHand = others > each && !loop->getParentOfType<func::FuncOp>()->hasAttr("tile.registers");
  if (!isAsked && before.registersElsewhere > alone + Overestimated)
    return because("another loop of the kernel needs {0} registers a thread, and with {1} warps more there "
                   "are {2}",
                   before.registersElsewhere - Overestimated, how.warps, alone)
        .fixedBy("use smaller blocks for that loop, or a kernel of its own for each");
  // With an overlapped product as well, where that does not cost a block its place.
  const bool sharesOn = blocks > 1 && needed <= shared;
  const bool isHanded = mayHand && !sharesOn && (needed > alone || (withLate > alone && withLate <= others));
  how.mayBeLate = withLate <= (isHanded ? others : sharesOn ? shared : alone);
  if (!isHanded && needed <= alone)
    return how;
  if (!isAsked && (!mayHand || needed > others + SpareRegisters))
    return because("it needs {0} registers a thread, and with {1} warps more there are {2}", needed,
                   how.warps, alone)
        .fixedBy("use a smaller tile");
  if (mayHand) {
    how.warps = WarpsOfGroup;
    how.registers = {int32_t(RegistersOfProducer), int32_t(others)};
  }
  return how;
}

} // namespace tegula
