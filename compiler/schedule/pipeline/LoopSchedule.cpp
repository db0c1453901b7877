#include "compiler/schedule/pipeline/LoopSchedule.h"

#include "compiler/analysis/access/Box.h"

using namespace mlir;

namespace tegula {

namespace {

/// The load that `op` is, told by its `tgpu.fetch`.
FailureOr<ScheduledLoad> takeLoad(Operation *op, scf::ForOp loop, tgpu::FetchAttr fetch) {
  ScheduledLoad scheduled;
  scheduled.load = op;
  scheduled.by = fetch.getBy();
  scheduled.stage = fetch.getStage();
  scheduled.group = fetch.getGroup();
  auto load = dyn_cast<tile::LoadOp>(op);
  if (load && !addressesOf(load, loop))
    return op->emitOpError("expected an address that depends only on which iteration it is");
  if (scheduled.by == tgpu::FetchKind::Registers)
    return scheduled;
  if (load)
    scheduled.store =
        load->hasOneUse() ? dyn_cast<tgpu::LocalStoreOp>(*load->getUsers().begin()) : tgpu::LocalStoreOp();
  if (load && !scheduled.store)
    return op->emitOpError("expected a load that is stored into a buffer and not used otherwise");
  Value buffer = load ? scheduled.store.getBuffer() : cast<tgpu::TmaLoadOp>(op).getBuffer();
  scheduled.buffer = buffer.getDefiningOp<tgpu::AllocOp>();
  if (!scheduled.buffer)
    return op->emitOpError("expected a buffer of the kernel's own");
  return scheduled;
}

} // namespace

SmallVector<tgpu::BufferRead> ScheduledLoad::readsIn(scf::ForOp loop) const {
  SmallVector<tgpu::BufferRead> reads = tgpu::readsOf(tgpu::AllocOp(buffer));
  llvm::erase_if(reads, [&](const tgpu::BufferRead &read) { return !loop->isAncestor(read.op); });
  return reads;
}

bool LoopSchedule::has(tgpu::FetchKind by) const {
  return llvm::any_of(loads, [&](const ScheduledLoad &load) { return load.by == by; });
}

FailureOr<LoopSchedule> takeSchedule(scf::ForOp loop) {
  LoopSchedule schedule;
  schedule.stages = cast<tgpu::PipelineAttr>(loop->removeAttr(tgpu::PipelineAttr::AttrName)).getStages();
  for (Operation &op : *loop.getBody()) {
    if (auto overlap = op.getAttrOfType<tgpu::OverlapAttr>(tgpu::OverlapAttr::AttrName);
        overlap && overlap.getKind() == tgpu::OverlapKind::BackEdge) {
      op.removeAttr(tgpu::OverlapAttr::AttrName);
      schedule.inFlight.push_back(cast<tgpu::MmaOp>(op));
    }
    auto fetch = dyn_cast_or_null<tgpu::FetchAttr>(op.removeAttr(tgpu::FetchAttr::AttrName));
    if (!fetch)
      continue;
    if (fetch.getStage() >= schedule.stages)
      return op.emitOpError("expected a stage below the loop's ") << schedule.stages;
    FailureOr<ScheduledLoad> load = takeLoad(&op, loop, fetch);
    if (failed(load))
      return failure();
    schedule.loads.push_back(std::move(*load));
  }
  return schedule;
}

SmallVector<Operation *> coordinatesOf(tgpu::TmaLoadOp load) {
  llvm::SmallSetVector<Operation *, 8> ops;
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (Operation *op = value.getDefiningOp(); op && op->getBlock() == load->getBlock())
        ops.insert(op);
  };
  add(load.getStart());
  for (unsigned i = 0; i < ops.size(); ++i)
    add(ops[i]->getOperands());
  SmallVector<Operation *> ordered(ops.begin(), ops.end());
  llvm::sort(ordered, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ordered;
}

tgpu::TmaCopyOp createTmaCopy(OpBuilder &builder, tgpu::TmaLoadOp load, ValueRange start, Value slot,
                              Value barriers) {
  auto copy = tgpu::TmaCopyOp::create(builder, load.getLoc(), load.getMap(), start, /*condition=*/Value(),
                                      load.getBuffer(), slot, barriers, slot);
  if (Attribute inFront = load->getAttr(InFrontAttrName))
    copy->setAttr(InFrontAttrName, inFront);
  return copy;
}

} // namespace tegula
