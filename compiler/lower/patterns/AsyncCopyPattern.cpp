// async_copy, async_commit and async_wait as `cp.async` and its groups.
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/InlinePtx.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

/// Copies past the caches of the multiprocessor where the hardware can, which is 16 bytes at a time: what
/// lands in shared memory need not lie in L1 as well. There is no form with a priority of L1.
StringRef cacheOf(unsigned bytes, tile::CacheModifier cache) {
  bool stays = bytes == 16 && cache != tile::CacheModifier::CA;
  return stays ? "cg" : "ca";
}

/// Emits one copy: `@predicate cp.async.cg.shared.global [to + bytes], [from], 16, size`. The instruction
/// reads `size` bytes and writes zeros after them.
void emitCopy(OpBuilder &builder, tgpu::AsyncCopyOp op, unsigned bytes, SharedAddress to, Value from,
              Value mask, Value predicate) {
  Location loc = op.getLoc();
  InlinePtx ptx(builder, loc);
  std::string place = ptx.operand(LLVM::PtrToIntOp::create(builder, loc, builder.getI32Type(), to.base));
  std::string text = llvm::formatv("cp.async.{0}.shared.global [{1}+{2}], [{3}], {4}",
                                   cacheOf(bytes, op.getCache()), place, to.bytes, ptx.operand(from), bytes);
  if (mask) {
    Value all = constant(builder, loc, bytes), none = constant(builder, loc, 0);
    text += ", " + ptx.operand(arith::SelectOp::create(builder, loc, mask, all, none));
  }
  ptx.onlyIf(predicate);
  ptx.emit(text + ";");
}

LogicalResult lowerAsyncCopy(tgpu::AsyncCopyOp op, Adaptor<tgpu::AsyncCopyOp> adaptor, Rewriter &rewriter,
                             LoweringState &state) {
  Location loc = op.getLoc();
  CopyPlan plan = planOf(op, state.widths.lookup(op), state.executorOf(op));
  if (plan.bytes < MinCopyBytes)
    return rewriter.notifyMatchFailure(op, "copies are too narrow");
  state.remarks.tell(op, plan.shared.elements, {});
  Value slot = slotAddress(rewriter, loc, adaptor.getBuffer().front(), adaptor.getSlot().front(),
                           op.getBuffer().getType());
  Value owner = state.threadsOf(op).noneOf(rewriter, plan.shared.copyBits);
  Value condition = op.getCondition() ? adaptor.getCondition().front() : Value();
  Value predicate = bothHold(rewriter, loc, condition, owner);
  for (auto [index, vector] : llvm::enumerate(plan.global.vectors)) {
    SharedAddress to = addressOf(rewriter, loc, slot, plan.shared, index, state.threadsOf(op));
    Value mask = op.getMask() ? adaptor.getMask()[vector.front()] : Value();
    state.signs.expect(rewriter, op, vector, adaptor.getPointers(), adaptor.getMask(), condition);
    emitCopy(rewriter, op, plan.bytes, to, adaptor.getPointers()[vector.front()], mask, predicate);
  }
  return success();
}

void lowerAsyncCommit(tgpu::AsyncCommitOp op, Adaptor<tgpu::AsyncCommitOp>, Rewriter &rewriter,
                      LoweringState &) {
  NVVM::CpAsyncCommitGroupOp::create(rewriter, op.getLoc());
}

void lowerAsyncWait(tgpu::AsyncWaitOp op, Adaptor<tgpu::AsyncWaitOp>, Rewriter &rewriter, LoweringState &) {
  NVVM::CpAsyncWaitGroupOp::create(rewriter, op.getLoc(), op.getPending());
}

} // namespace

LogicalResult verifyCopies(ModuleOp module, const AccessWidths &widths, const Executors &executors) {
  WalkResult walked = module.walk([&](tgpu::AsyncCopyOp op) {
    unsigned bytes = planOf(op, widths.lookup(op), executors.of(op)).bytes;
    if (bytes >= MinCopyBytes)
      return WalkResult::advance();
    op.emitOpError() << "expected at least " << MinCopyBytes
                     << " bytes side by side in both memories for each copy, found " << bytes
                     << ": such a tensor is loaded and stored";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

void populateAsyncCopyPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerAsyncCopy, lowerAsyncCommit, lowerAsyncWait>(patterns, state);
}

} // namespace tegula
