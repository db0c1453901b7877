#include "compiler/schedule/plan/LoopPlanner.h"

#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/schedule/plan/OverlapPlan.h"
#include "compiler/schedule/plan/PersistencePlan.h"
#include "compiler/schedule/plan/PrefetchPlanner.h"
#include "compiler/schedule/plan/SignedCounter.h"

using namespace mlir;

namespace tegula {

namespace {

/// Returns whether the author wants a producer warp for `loop`, an innermost one, or for one around it.
bool asksToSpecialize(scf::ForOp loop) {
  if (hasLoops(loop))
    return false;
  for (Operation *op = loop; op; op = op->getParentOp())
    if (auto hints = op->getAttrOfType<tile::LoopAttr>("tile.loop"); hints && hints.getSpecialize())
      return true;
  return false;
}

/// Warps of a multiprocessor that hide what one of them waits for. Attention of 64 by 64 with heads of 64
/// gains 2 to 9% by an overlapped product though four blocks of 4 warps share a multiprocessor then and not
/// five; of 128 by 64 with heads of 128 it loses 20% where one block of 8 does and not two (H200).
constexpr unsigned WarpsThatHide = 12;

/// Warps of a multiprocessor beyond which another block matters little. A product of warp groups cannot spill
/// its sums: told of three blocks of 16 warps, ptxas had 40 registers and took none of the kernel.
constexpr unsigned MostTold = 16;

/// Returns whether `store` alone fills `buffer`, and products in a producer's loops behind it alone read it.
bool isKeptForProducts(tgpu::LocalStoreOp store, tgpu::AllocOp buffer) {
  auto isReader = [&](Operation *op) {
    auto loop = dyn_cast_if_present<scf::ForOp>(op->getParentOp());
    return isa<tgpu::MmaOp>(op) && loop && loop->getBlock() == store->getBlock() && isByProducer(loop) &&
           store->isBeforeInBlock(loop);
  };
  return buffer && buffer.getType().getSlots() == 1 &&
         llvm::all_of(buffer->getUsers(), [&](Operation *op) { return op == store || isReader(op); });
}

/// Returns the loads of `program` in front of its loops whose operands it keeps for the products of these:
/// queries of attention. `program` is the body of `kernel`, a persistent one, or of the one loop around those
/// of a producer, which then makes these loads by TMA for the next program while this one ends. As many as
/// there is shared memory for; all loops are planned.
std::vector<PlannedLoad> planKeptLoads(func::FuncOp kernel, Block &program) {
  const KernelEffects effects(kernel);
  PlannedMemory memory(kernel);
  std::vector<PlannedLoad> loads;
  SmallVector<tgpu::AllocOp> buffers;
  for (auto store : program.getOps<tgpu::LocalStoreOp>()) {
    auto load = store.getSource().getDefiningOp<tile::LoadOp>();
    auto buffer = store.getBuffer().getDefiningOp<tgpu::AllocOp>();
    if (!load || !load->hasOneUse() || load->getBlock() != store->getBlock() ||
        !isKeptForProducts(store, buffer))
      continue;
    Decision<TmaAccess> source = tmaAccessOf(load, buffer, effects);
    if (!source || !canPlaceAlone(source->box))
      continue;
    buffers.push_back(buffer);
    if (!memory.needKeeping(buffers).hasRoom())
      break;
    loads.push_back(
        {.load = load, .by = tgpu::FetchKind::Tma, .store = store, .buffer = buffer, .source = *source});
  }
  return loads;
}

} // namespace

void LoopPlanner::reportIgnored(scf::ForOp loop) {
  auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
  if (!hints || !told.insert(loop.getLoc()).second)
    return;
  if (hints.getFlatten())
    flattened.emplace_back(loop, loop.getLoc());
  if (hints.getSingleAcc())
    remarks.notHonoured(
        loop.getLoc(), "disallow_acc_multi_buffer",
        because("there is nothing to disallow: an accumulator lies in registers, once").nothingToDo());
}

void LoopPlanner::reportWhile(scf::WhileOp loop) {
  bool loads = false, waits = false;
  loop->walk([&](Operation *op) {
    const tile::GlobalAccess access = tile::globalAccessOf(op);
    waits |= access.isAtomic() || access.isVolatile;
    loads |= access && access.onlyReads() && op->getParentOfType<LoopLikeOpInterface>() == loop &&
             llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
  });
  if (loads && !waits && told.insert(loop.getLoc()).second)
    remarks.oneStage(
        loop.getLoc(),
        because("it is a `while`, of which the next iteration is not known ahead")
            .fixedBy("count with `for ... in range(...)`, where the number of iterations is known"));
}

void LoopPlanner::plan(scf::ForOp loop, uint32_t asked) {
  if (roles.around.contains(loop))
    return;
  const Location loc = loop.getLoc();
  const bool isAsked = asksToSpecialize(loop);
  if (asked < 2)
    return reportOneStage(loop, isAsked);
  remarks.conditional(loop);
  if (canCountWithSign(loop) && !findPrefetchCandidates(loop).loads.empty())
    loop = countWithSign(loop);
  PlannedMemory memory(kernel);
  isRest = loop.getLowerBound() == end;
  end = loop.getUpperBound();
  if (goesOn(loop, memory, asked, isAsked))
    return;
  Decision<PrefetchPlan> plan =
      planPrefetches(loop, {asked, memory, /*sharesSlots=*/false, isRest}, target, runs);
  if (!plan) {
    remarks.refused(loc, asked, plan.error());
    return reportRefusal(loc, isAsked, plan.error());
  }
  remarks.slowCopies(*plan);
  PrefetchPlan ofProducer = productsTogether(loop).size() > 1 ? withoutRegisters(*plan) : *plan;
  Decision<Specialization> how =
      blocksOfSplit(kernel) > 1
          ? because(loop, "the blocks of a cluster share out a loop of the kernel").nothingToDo()
      : blocksOfCluster(kernel) > 1
          ? because(loop, "the blocks of a cluster share the rows of the kernel").nothingToDo()
          : planSpecialization(loop, ofProducer, memory, roles, isAsked);
  if (how)
    return specialize(loop, ofProducer, *how, asked);
  if (plan->has(tgpu::FetchKind::Tma) && !isAsked)
    remarks.notSpecialized(loc, how.error());
  reportRefusal(loc, isAsked, how.error());
  if (plan->hasCopies())
    plan = ofProducer;
  keepLateProduct(loop, *plan, memory);
  remarks.pipelined(loc, *plan, asked);
  writeDecisions(loop, *plan, tgpu::PipelineBy::All);
  if (!loop.getBody()->getOps<tgpu::MmaOp>().empty())
    roles.registersElsewhere = std::max(roles.registersElsewhere, estimateRegisters(loop));
}

void LoopPlanner::finish() {
  if (first)
    persist(first->first, first->second);
  if (kernel->hasAttr(tgpu::GridAttr::AttrName))
    keep(kernel.getBody().front());
  else if (roles.round.size() == 1)
    keep(*roles.round.front().getBody());
  if (!roles.isAny)
    tellOccupancy();
  reportFlattened();
}

bool LoopPlanner::goesOn(scf::ForOp loop, PlannedMemory &memory, uint32_t asked, bool isAsked) {
  if (!roles.isAny || roles.round.empty() || loopsAround(loop) != roles.round || asked < roles.slots)
    return false;
  Decision<PrefetchPlan> plan =
      planPrefetches(loop, {roles.slots, memory, /*sharesSlots=*/true}, target, runs);
  if (!plan)
    return false;
  Decision<Specialization> how = planSpecialization(loop, *plan, memory, roles, isAsked);
  if (how)
    specialize(loop, *plan, *how, asked);
  return bool(how);
}

PrefetchPlan LoopPlanner::withoutRegisters(PrefetchPlan plan) {
  llvm::erase_if(plan.loads,
                 [](const PlannedLoad &planned) { return planned.by == tgpu::FetchKind::Registers; });
  plan.registers = 0;
  return plan;
}

void LoopPlanner::reportOneStage(scf::ForOp loop, bool isAsked) {
  const Reason why =
      because("it has one stage").fixedBy("pass `num_stages=2` or more, for the kernel or in `tl.range`");
  auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
  const bool isChosen = (hints && hints.getStages()) || !loop.getBody()->getOps<tgpu::MmaOp>().empty();
  if (isChosen && !findPrefetchCandidates(loop).loads.empty())
    remarks.oneStage(loop.getLoc(), why);
  reportRefusal(loop.getLoc(), isAsked, why);
}

void LoopPlanner::reportRefusal(Location loc, bool isAsked, const Reason &why) {
  if (isAsked && refused.insert(loc).second) // one loop may have become several
    remarks.notHonoured(loc, "warp_specialize", why);
}

void LoopPlanner::specialize(scf::ForOp loop, PrefetchPlan &plan, const Specialization &how, uint32_t asked) {
  if (!roles.isAny && loopsAround(loop)->empty())
    first = {loop, how};
  remarks.specialized(loop.getLoc(), plan, asked);
  overlap(loop, plan, how);
  if (roles.isAny)
    shareBuffers(plan, roles);
  roles.add(loop, plan);
  writeRoles(kernel, how);
  writeDecisions(loop, plan, tgpu::PipelineBy::Producer);
}

void LoopPlanner::persist(scf::ForOp loop, const Specialization &how) {
  const Decision<> persists = mayPersist(loop, how);
  remarks.persistent(loop.getLoc(), how.blocks, persists);
  if (persists)
    kernel->setAttr(tgpu::GridAttr::AttrName, tgpu::GridAttr::get(kernel.getContext(), how.blocks));
}

void LoopPlanner::keep(Block &program) {
  std::vector<PlannedLoad> kept = planKeptLoads(kernel, program);
  remarks.kept(kept);
  writeKeptLoads(kept);
}

void LoopPlanner::reportFlattened() const {
  for (auto [loop, loc] : flattened)
    if (!roles.around.contains(loop))
      remarks.notHonoured(loc, "flatten",
                          because("a loop is not merged with the one inside it").nothingToDo());
}

void LoopPlanner::keepLateProduct(scf::ForOp loop, PrefetchPlan &plan, PlannedMemory &memory) {
  tgpu::MmaOp product = isRest ? tgpu::MmaOp() : productForNextWait(loop, plan);
  if (!product)
    return;
  const unsigned warps = kernelOf(loop).getWarps();
  const SharedNeed need = memory.needWith(plan.memoryOf(loop, tgpu::PipelineBy::All, plan.stages));
  auto blocksWith = [&](uint32_t registers) { return residentBlocks(warps, registers, need.bytes, *target); };
  const uint32_t registers = estimateRegistersOfKernel(kernel, Masks::Narrow) - Overestimated,
                 withLate = registers + registersOfLateness(loop);
  if (withLate > registerLimit(loop, *target))
    return;
  if (blocksWith(withLate) == blocksWith(registers) || blocksWith(withLate) * warps >= WarpsThatHide)
    plan.inFlight.push_back(product);
}

void LoopPlanner::tellOccupancy() {
  const RegisterRange registers = registersOfProducts(kernel);
  if (!registers.least || !target || kernel->hasAttr("tile.registers"))
    return;
  auto blocksWith = [&](uint32_t taken, uint64_t bytes) {
    return residentBlocks(warpsOfBlock(kernel), std::min(taken, registerLimit(kernel, *target)), bytes,
                          *target);
  };
  if (blocksWith(registers.least, 0) == blocksWith(registers.likely, 0))
    return; // whatever shared memory has room for
  const uint64_t bytes = PlannedMemory(kernel).need().bytes;
  const unsigned blocks = blocksWith(registers.least, bytes);
  if (blocks * warpsOfBlock(kernel) > MostTold || blocks == blocksWith(registers.likely, bytes))
    return;
  kernel->setAttr("tile.occupancy", tile::OccupancyAttr::get(kernel.getContext(), blocks));
  remarks.occupancy(blocks);
}

void LoopPlanner::overlap(scf::ForOp loop, const PrefetchPlan &plan, const Specialization &how) {
  tgpu::MmaOp product = isRest ? tgpu::MmaOp() : productForNextIteration(loop, plan);
  if (!product)
    return;
  remarks.overlapped(product.getLoc(), how.mayBeLate);
  if (how.mayBeLate)
    product->setAttr(tgpu::OverlapAttr::AttrName,
                     tgpu::OverlapAttr::get(loop.getContext(), tgpu::OverlapKind::NextIteration));
}

} // namespace tegula
