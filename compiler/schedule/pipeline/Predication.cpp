#include "compiler/schedule/pipeline/Predication.h"

#include "compiler/schedule/plan/PrefetchCandidates.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace tegula {

namespace {

/// A read of a buffer for an iteration that there may not be: its slot need never have been written.
Operation *predicateRead(RewriterBase &rewriter, tgpu::LocalLoadOp read, Value condition) {
  Location loc = read.getLoc();
  auto test = scf::IfOp::create(rewriter, loc, read.getType(), condition, /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(test.elseBlock());
  Value nothing = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(read.getType()));
  scf::YieldOp::create(rewriter, loc, nothing);
  rewriter.moveOpBefore(read, test.thenBlock(), test.thenBlock()->begin());
  rewriter.setInsertionPointToEnd(test.thenBlock());
  scf::YieldOp::create(rewriter, loc, read.getResult());
  return test;
}

} // namespace

std::optional<MutableOperandRange> conditionOf(Operation *op) {
  if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op))
    return copy.getConditionMutable();
  if (auto copy = dyn_cast<tgpu::TmaCopyOp>(op))
    return copy.getConditionMutable();
  if (auto expect = dyn_cast<tgpu::BarrierExpectOp>(op))
    return expect.getConditionMutable();
  return std::nullopt;
}

Operation *predicate(RewriterBase &rewriter, Operation *op, Value condition) {
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  if (std::optional<MutableOperandRange> own = conditionOf(op)) {
    Value both = condition;
    if (!own->empty())
      both = arith::AndIOp::create(rewriter, op->getLoc(), (*own)[0].get(), condition);
    rewriter.modifyOpInPlace(op, [&] { own->assign(both); });
    return op;
  }
  if (isa<tgpu::BarrierWaitOp>(op)) {
    // A phase without a copy does not end.
    auto test = scf::IfOp::create(rewriter, op->getLoc(), condition, /*withElseRegion=*/false);
    rewriter.moveOpBefore(op, test.thenBlock()->getTerminator());
    return test;
  }
  // Products are of the last stage, whose iterations all are.
  if (isa<tgpu::AsyncCommitOp, tgpu::AsyncWaitOp, tgpu::LocalStoreOp, tgpu::MmaBeginOp>(op))
    return op;
  if (auto read = dyn_cast<tgpu::LocalLoadOp>(op))
    return predicateRead(rewriter, read, condition);
  auto load = dyn_cast<tile::LoadOp>(op);
  if (!load)
    return isMemoryEffectFree(op) ? op : nullptr;
  rewriter.modifyOpInPlace(load, [&] { maskLoad(rewriter, load, condition); });
  return load;
}

void foldScalars(Operation *before, scf::ForOp pipelined) {
  SmallVector<Operation *> scalars;
  auto add = [&](Operation *op) {
    const bool isScalar = isa<arith::ArithDialect>(op->getDialect())
                              ? !isa<arith::ConstantOp>(op)
                              : isa<tgpu::PipelineSlotOp, tgpu::PipelinePhaseOp>(op);
    if (isScalar && op->getNumResults() == 1 && op->getResult(0).getType().isInteger())
      scalars.push_back(op);
  };
  SmallVector<MutableOperandRange> conditions;
  for (Operation *op = before ? before->getNextNode() : &pipelined->getBlock()->front(); op != pipelined;
       op = op->getNextNode()) {
    add(op);
    if (std::optional<MutableOperandRange> condition = conditionOf(op))
      conditions.push_back(*condition);
  }
  for (Operation &op : *pipelined.getBody())
    add(&op);
  (void)applyOpPatternsGreedily(scalars, FrozenRewritePatternSet());
  for (MutableOperandRange condition : conditions)
    if (!condition.empty() && matchPattern(condition[0].get(), m_One()))
      condition.clear();
}

} // namespace tegula
