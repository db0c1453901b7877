// alloc, local_store, local_load and local_atomic: buffers in shared memory.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/AtomicCode.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include <array>

using namespace mlir;

namespace tegula {

namespace {

Registers lowerAlloc(tgpu::AllocOp op, Adaptor<tgpu::AllocOp>, Rewriter &rewriter, LoweringState &state) {
  return op->use_empty() ? Registers() : Registers{state.scratchOf(rewriter, op)};
}

void lowerLocalStore(tgpu::LocalStoreOp op, Adaptor<tgpu::LocalStoreOp> adaptor, Rewriter &rewriter,
                     LoweringState &state) {
  Value buffer = slotAddress(rewriter, op.getLoc(), adaptor.getBuffer().front(), adaptor.getSlot().front(),
                             op.getBuffer().getType());
  storeToShared(rewriter, op.getLoc(), planOf(op, state.executorOf(op)), buffer, adaptor.getSource(),
                state.threadsOf(op));
}

Registers lowerLocalLoad(tgpu::LocalLoadOp op, Adaptor<tgpu::LocalLoadOp> adaptor, Rewriter &rewriter,
                         LoweringState &state) {
  Value buffer = slotAddress(rewriter, op.getLoc(), adaptor.getBuffer().front(), adaptor.getSlot().front(),
                             op.getBuffer().getType());
  Value position = op.getPosition() ? adaptor.getPosition().front() : Value();
  return loadFromShared(rewriter, op.getLoc(), planOf(op, state.executorOf(op)), buffer,
                        loweredElementType(op.getType()), state.threadsOf(op), position);
}

/// Each element is changed by one of the threads that hold it.
void lowerLocalAtomic(tgpu::LocalAtomicOp op, Adaptor<tgpu::LocalAtomicOp> adaptor, Rewriter &rewriter,
                      LoweringState &state) {
  Location loc = op.getLoc();
  Type element = loweredElementType(op.getValue().getType());
  Value buffer = adaptor.getBuffer().front();
  Executor executor = state.executorOf(op);
  AccessPlan plan = planAccess(placesOf(op.getValue().getType(), executor), executor.threadBits(),
                               std::array{1u}, elementBitsOf(element));
  Value owner = state.threadsOf(op).noneOf(rewriter, plan.copyBits);
  const AtomicShape shape = sharedAtomic(op.getKind(), element);
  for (const std::vector<uint32_t> &vector : plan.vectors) {
    uint32_t reg = vector.front();
    Value mask = op.getMask() ? adaptor.getMask()[reg] : Value();
    Value address = LLVM::GEPOp::create(rewriter, loc, buffer.getType(), element, buffer,
                                        ArrayRef<LLVM::GEPArg>{adaptor.getIndex()[reg]});
    emitAtomic(rewriter, loc, address, shape, bothHold(rewriter, loc, mask, owner), adaptor.getValue()[reg]);
  }
}

} // namespace

void populateBufferPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerAlloc, lowerLocalStore, lowerLocalLoad, lowerLocalAtomic>(patterns, state);
}

} // namespace tegula
