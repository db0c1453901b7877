#include "compiler/schedule/plan/LoopDecisions.h"

#include "compiler/schedule/plan/LoopNest.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

/// Puts a `tgpu.tma_load` in place of a load and its store, and returns it.
tgpu::TmaLoadOp formTmaLoad(PlannedLoad &planned) {
  Location loc = planned.load.getLoc();
  OpBuilder builder(planned.store);
  Value map = createTensorMap(builder, loc, planned.load->getParentOfType<func::FuncOp>(), *planned.source);
  SmallVector<Value> start;
  for (unsigned axis : planned.source->order)
    start.push_back(planned.source->box.startOf(planned.source->box.axes[axis], builder, loc));
  auto bulk = tgpu::TmaLoadOp::create(builder, loc, map, start, planned.buffer, planned.store.getSlot());
  planned.source->markAxesInFront(bulk);
  planned.store.erase();
  planned.load.erase();
  return bulk;
}

} // namespace

void writeDecisions(scf::ForOp loop, PrefetchPlan &plan, tgpu::PipelineBy by) {
  MLIRContext *context = loop.getContext();
  if (plan.isBehindWait) {
    OpBuilder builder(by == tgpu::PipelineBy::Producer ? outermostOf(loop) : loop);
    tgpu::GlobalFenceOp::create(builder, loop.getLoc());
  }
  loop->setAttr(tgpu::PipelineAttr::AttrName, tgpu::PipelineAttr::get(context, plan.stages, by));
  for (tgpu::MmaOp product : plan.inFlight)
    product->setAttr(tgpu::OverlapAttr::AttrName,
                     tgpu::OverlapAttr::get(context, tgpu::OverlapKind::BackEdge));
  for (PlannedLoad &planned : plan.loads) {
    if (planned.buffer) {
      tgpu::BufferType type = planned.buffer.getType();
      planned.buffer.getResult().setType(
          tgpu::BufferType::get(context, planned.slots, type.getTensor(), type.getLayout()));
    }
    auto fetch = tgpu::FetchAttr::get(context, planned.by, planned.stage, planned.group);
    Operation *load = planned.by == tgpu::FetchKind::Tma ? formTmaLoad(planned) : planned.load.getOperation();
    load->setAttr(tgpu::FetchAttr::AttrName, fetch);
  }
}

bool isByProducer(scf::ForOp loop) {
  auto pipeline = loop->getAttrOfType<tgpu::PipelineAttr>(tgpu::PipelineAttr::AttrName);
  return pipeline && pipeline.getBy() == tgpu::PipelineBy::Producer;
}

void writeKeptLoads(std::vector<PlannedLoad> &loads) {
  for (PlannedLoad &planned : loads)
    formTmaLoad(planned);
}

void shareBuffers(PrefetchPlan &plan, const PlannedRoles &before) {
  std::map<unsigned, unsigned> counts;
  for (PlannedLoad &planned : plan.loads) {
    tgpu::AllocOp own = planned.buffer, there = before.buffers[planned.group][counts[planned.group]++];
    if (own == there)
      continue;
    own.getResult().replaceAllUsesWith(there.getResult());
    own.erase();
    planned.buffer = there;
  }
}

void writeRoles(func::FuncOp kernel, const Specialization &how) {
  auto before = kernel->getAttrOfType<tgpu::RolesAttr>(tgpu::RolesAttr::AttrName);
  if (before && !how.registers)
    return;
  const auto [producer, consumer] = how.registers.value_or(std::pair(0, 0));
  kernel->setAttr(tgpu::RolesAttr::AttrName,
                  tgpu::RolesAttr::get(kernel.getContext(), how.warps, producer, consumer));
}

} // namespace tegula
