#include "compiler/schedule/plan/SharedNeed.h"

#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/schedule/plan/LoopNest.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace tegula {

namespace {

/// The bytes of buffers but `own` that the ops which `counts` holds for use, and of the scratch that one of
/// them needs most of. `stores` go another way.
uint64_t bytesOf(func::FuncOp kernel, const OwnBuffers &own, const StoresAhead &stores,
                 llvm::function_ref<bool(Operation *)> counts) {
  uint64_t buffers = 0, scratch = 0;
  Scratches scratches(kernel);
  kernel.walk([&](Operation *op) {
    if (auto alloc = dyn_cast<tgpu::AllocOp>(op)) {
      if (!own.contains(op) && llvm::any_of(op->getUsers(), counts))
        buffers += alloc.getType().getBytes();
    } else if (counts(op) && !stores.conversions.contains(op)) {
      if (Scratch needed = scratches.of(op); !needed.isBuffer)
        scratch = std::max(scratch, needed.bytes);
    }
  });
  return buffers + scratch + stores.bytes;
}

} // namespace

uint64_t sharedBytesExcept(scf::ForOp loop, const OwnBuffers &own, bool isPersistent) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (isPersistent)
    return bytesOf(kernel, own, storesAhead(kernel, isPersistent),
                   [&](Operation *op) { return op != kernel; });
  Operation *outermost = loop;
  for (Operation *parent = loop->getParentOp(); parent != kernel; parent = parent->getParentOp())
    if (isa<LoopLikeOpInterface>(parent))
      outermost = parent;
  return bytesOf(kernel, own, storesAhead(outermost),
                 [&](Operation *op) { return outermost->isAncestor(op); }) +
         bytesOfStoresBefore(outermost);
}

uint64_t sharedBytesFromStart(scf::ForOp loop, const OwnBuffers &own) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  Operation *outermost = outermostOf(loop);
  return bytesOf(kernel, own, storesAhead(outermost),
                 [&](Operation *op) {
                   Operation *top =
                       op == kernel ? nullptr : kernel.getBody().front().findAncestorOpInBlock(*op);
                   return top && (top == outermost || top->isBeforeInBlock(outermost));
                 }) +
         bytesOfStoresBefore(outermost);
}

} // namespace tegula
