// Loops as they are scheduled: their buffers, and what each group of warps does in an iteration.
#include "compiler/analysis/plans/Executor.h"
#include "compiler/insight/InsightReader.h"
#include "compiler/insight/LoopSignals.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace tegula::insight {

/// The kind of step that an op of a loop is; empty for arithmetic.
static llvm::StringRef stepOf(Operation *op) {
  return llvm::StringSwitch<llvm::StringRef>(op->getName().getStringRef())
      .Cases({"tgpu.async_copy", "tgpu.tma_copy"}, "copy")
      .Cases({"tgpu.async_wait", "tgpu.barrier_wait", "tgpu.mma_wait", "tgpu.tma_store_wait"}, "wait")
      .Cases({"tgpu.mma", "tile.dot"}, "product")
      .Cases({"tgpu.barrier_arrive", "tgpu.barrier_expect", "tgpu.async_commit", "tgpu.cluster_barrier"},
             "barrier")
      .Cases({"tile.load", "tgpu.local_load"}, "load")
      .Cases({"tile.store", "tgpu.local_store", "tgpu.tma_store", "tile.atomic"}, "store")
      .Default("");
}

/// The warps that execute `loop`.
static WarpGroup groupOf(Operation *loop) {
  const Executor executor = executorOf(loop);
  tgpu::ProducerOp producer = producerOf(loop->getParentOfType<func::FuncOp>());
  WarpGroup group{"all", executor.firstWarp, executor.warps};
  if (!producer)
    return group;
  const bool isProducer = producer->isAncestor(loop);
  group.role = isProducer ? "producer" : "consumers";
  if (const std::optional<ArrayRef<int32_t>> registers = producer.getRegisters())
    group.registers = uint32_t((*registers)[isProducer ? 0 : 1]);
  return group;
}

void InsightReader::readLoop(ArrayRef<LoopLikeOpInterface> parts, const Reading &reading) {
  LoopLikeOpInterface last = parts.back();
  Loop made{places.of(last.getLoc()), reading.stage, reading.lineOf(last), 1, {}, {}};
  llvm::SetVector<Operation *> buffers;
  LoopSignals signals;
  for (LoopLikeOpInterface part : parts) {
    const uint32_t group = uint32_t(made.groups.size());
    made.groups.push_back(groupOf(part));
    part->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getParentOfType<LoopLikeOpInterface>() != part)
        return;
      if (const llvm::StringRef kind = stepOf(op); !kind.empty()) {
        signals.add(op, uint32_t(made.steps.size()), group);
        made.steps.push_back({places.of(op->getLoc()), kind.str(), reading.lineOf(op), group,
                              op->getName().getStringRef().str()});
      }
      for (mlir::Value operand : op->getOperands())
        if (auto alloc = operand.getDefiningOp<tgpu::AllocOp>())
          buffers.insert(alloc);
    });
  }
  made.signals = signals.find();
  for (Operation *op : buffers) {
    auto alloc = cast<tgpu::AllocOp>(op);
    LoopBuffer buffer{places.of(op->getLoc()), "", alloc.getType().getSlots(), alloc.getType().getBytes()};
    llvm::raw_string_ostream stream(buffer.ssa);
    alloc.getResult().printAsOperand(stream, reading.state);
    made.stages = std::max(made.stages, buffer.slots);
    made.buffers.push_back(std::move(buffer));
  }
  insight.loops.push_back(std::move(made));
}

void InsightReader::readLoops(ModuleOp module, const Reading &reading) {
  module.walk([&](func::FuncOp function) {
    tgpu::ProducerOp producer = producerOf(function);
    SmallVector<LoopLikeOpInterface> own, ofProducer;
    function.walk<WalkOrder::PreOrder>([&](LoopLikeOpInterface loop) {
      (producer && producer->isAncestor(loop) ? ofProducer : own).push_back(loop);
    });
    // A producer's loop has the place of the loop that it loads for, and comes in the same order.
    for (LoopLikeOpInterface loop : own) {
      SmallVector<LoopLikeOpInterface, 2> parts;
      const auto *found = llvm::find_if(ofProducer, [&](LoopLikeOpInterface one) {
        return places.of(one.getLoc()) == places.of(loop.getLoc());
      });
      if (found != ofProducer.end()) {
        parts.push_back(*found);
        ofProducer.erase(found);
      }
      parts.push_back(loop);
      readLoop(parts, reading);
    }
    for (LoopLikeOpInterface loop : ofProducer)
      readLoop(loop, reading);
  });
}

} // namespace tegula::insight
