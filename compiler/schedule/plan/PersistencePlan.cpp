#include "compiler/schedule/plan/PersistencePlan.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"

using namespace mlir;

namespace tegula {

namespace {

bool hasProduct(scf::ForOp loop) {
  return loop.walk([](tgpu::MmaOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Returns whether a product of `loop` takes what threads compute, as attention's second does: compared to
/// such arithmetic the time between two programs is little, and warps come to it at different times.
bool hasChain(scf::ForOp loop) {
  return loop
      .walk([](tgpu::MmaOp product) {
        return isa<tgpu::BufferType>(product.getA().getType()) ? WalkResult::advance()
                                                               : WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool tellsProgramsApart(func::FuncOp kernel) {
  return kernel.walk([](tile::ProgramIdOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

} // namespace

Decision<> mayPersist(scf::ForOp loop, const PrefetchPlan &plan, PlannedMemory &memory,
                      const Specialization &how) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (!mayUse(loop, Feature::Persist))
    return because("the compilation is told to do without (`persist`)").fixedBy("drop `--without=persist`");
  if (loop->getParentOp() != kernel)
    return because("the loop stands in another").nothingToDo();
  if (!tellsProgramsApart(kernel))
    return because("its programs do not differ").nothingToDo();
  const KernelEffects effects(kernel);
  TRY(effects.areProgramsIndependent());
  if (Operation *wait = effects.waitBefore(loop))
    return because(wait, "each of its programs waits for others").nothingToDo();
  for (auto other : kernel.getOps<scf::ForOp>())
    if (other != loop && hasProduct(other))
      return because(other, "it has another loop of products").nothingToDo();
  if (hasChain(loop))
    return because("a product takes what threads compute, who are busy between programs").nothingToDo();
  if (how.blocks > 1)
    return because("{0} blocks that share a multiprocessor overlap by themselves", how.blocks).nothingToDo();
  const SharedNeed need =
      memory.needWith(plan.memoryOf(loop, tgpu::PipelineBy::Producer, plan.stages), /*persists=*/true);
  if (!need.hasRoom())
    return because("the loop's buffers would be in use while results are stored: {0} bytes of shared memory, "
                   "expected at most {1}",
                   need.wanted, need.available)
        .fixedBy("use fewer stages");
  return {};
}

} // namespace tegula
