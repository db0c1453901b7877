#include "compiler/schedule/plan/PersistencePlan.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/schedule/plan/LoopNest.h"

using namespace mlir;

namespace tegula {

namespace {

bool hasProduct(scf::ForOp loop) {
  return loop.walk([](tgpu::MmaOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Returns whether a product of `loop` takes what threads compute, as attention's second does.
bool hasChain(scf::ForOp loop) {
  return loop
      .walk([](tgpu::MmaOp product) {
        return isa<tgpu::BufferType>(product.getA().getType()) ? WalkResult::advance()
                                                               : WalkResult::interrupt();
      })
      .wasInterrupted();
}

/// Returns whether `loop` runs equally often in all programs.
bool isEven(scf::ForOp loop) {
  return llvm::all_of(ValueRange{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()},
                      isSameForAllPrograms);
}

/// Returns whether the loads of `loop` have been given to producer warps.
bool isOfProducer(scf::ForOp loop) {
  auto pipeline = loop->getAttrOfType<tgpu::PipelineAttr>(tgpu::PipelineAttr::AttrName);
  return pipeline && pipeline.getBy() == tgpu::PipelineBy::Producer;
}

/// Returns whether a thread alone can compute where `box` begins.
bool canPlaceAlone(const Box &box) {
  return llvm::all_of(box.axes,
                      [&](const BoxAxis &axis) { return llvm::all_of(box.valuesIn(axis), canComputeAlone); });
}

/// Returns whether `store` alone fills `buffer`, and products in a producer's loops behind it alone read it.
bool isKeptForProducts(tgpu::LocalStoreOp store, tgpu::AllocOp buffer) {
  auto isReader = [&](Operation *op) {
    auto loop = dyn_cast_if_present<scf::ForOp>(op->getParentOp());
    return isa<tgpu::MmaOp>(op) && loop && loop->getBlock() == store->getBlock() && isOfProducer(loop) &&
           store->isBeforeInBlock(loop);
  };
  return buffer && buffer.getType().getSlots() == 1 &&
         llvm::all_of(buffer->getUsers(), [&](Operation *op) { return op == store || isReader(op); });
}

bool tellsProgramsApart(func::FuncOp kernel) {
  return kernel.walk([](tile::ProgramIdOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

} // namespace

Decision<> mayPersist(scf::ForOp loop, const Specialization &how) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (!mayUse(loop, Feature::Persist))
    return because("the compilation is told to do without (`persist`)").fixedBy("drop `--without=persist`");
  if (!tellsProgramsApart(kernel))
    return because("its programs do not differ").nothingToDo();
  const KernelEffects effects(kernel);
  TRY(effects.areProgramsIndependent());
  if (Operation *wait = effects.waitBefore(loop))
    return because(wait, "each of its programs waits for others").nothingToDo();
  for (auto each : kernel.getOps<scf::ForOp>()) {
    if (!hasProduct(each))
      continue;
    if (!isOfProducer(each))
      return because(each, "it has another loop of products, whose loads its threads make").nothingToDo();
    // The time between two programs is little compared to such arithmetic. On an H200 attention with heads of
    // 128 gains 9% at 512 keys, 4% at 2048 and nothing at 16384; causal, where blocks had unequal shares, it
    // loses 3 to 36%.
    if (hasChain(each) && !isEven(each))
      return because(each, "a product takes what threads compute, and programs run the loop unequally often")
          .nothingToDo();
  }
  if (how.blocks > 1)
    return because("{0} blocks that share a multiprocessor overlap by themselves", how.blocks).nothingToDo();
  const SharedNeed need = PlannedMemory(kernel).need(/*persists=*/true);
  if (!need.hasRoom())
    return because("the loop's buffers would be in use while results are stored: {0} bytes of shared memory, "
                   "expected at most {1}",
                   need.wanted, need.available)
        .fixedBy("use fewer stages");
  return {};
}

std::vector<PlannedLoad> planKeptLoads(Block &program) {
  auto kernel = dyn_cast<func::FuncOp>(program.getParentOp());
  if (!kernel)
    kernel = program.getParentOp()->getParentOfType<func::FuncOp>();
  const KernelEffects effects(kernel);
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
    if (!PlannedMemory(kernel).needKeeping(buffers).hasRoom())
      break;
    loads.push_back(
        {.load = load, .by = tgpu::FetchKind::Tma, .store = store, .buffer = buffer, .source = *source});
  }
  return loads;
}

} // namespace tegula
