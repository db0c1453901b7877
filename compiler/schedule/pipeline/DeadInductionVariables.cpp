#include "compiler/schedule/pipeline/DeadInductionVariables.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

namespace {

void eraseDead(RewriterBase &rewriter, scf::ForOp loop) {
  SmallVector<Operation *> ops(llvm::make_pointer_range(loop.getBody()->without_terminator()));
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      rewriter.eraseOp(op);
}

/// `loop` without what it carries only to go on counting.
scf::ForOp dropCounters(RewriterBase &rewriter, scf::ForOp loop) {
  llvm::DenseMap<unsigned, unsigned> kept; // positions of what is left, before and after
  SmallVector<Value> inits, arguments{Value()}, yielded;
  for (auto [position, argument] : llvm::enumerate(loop.getRegionIterArgs())) {
    Value init = loop.getInitArgs()[position], next = loop.getYieldedValues()[position];
    Operation *step = next.getDefiningOp();
    bool isDead = loop.getResult(unsigned(position)).use_empty() && argument.hasOneUse() && step &&
                  *argument.user_begin() == step && isMemoryEffectFree(step) && step->getNumRegions() == 0 &&
                  next.hasOneUse();
    if (!isDead) {
      kept[unsigned(position)] = unsigned(inits.size());
      inits.push_back(init);
      yielded.push_back(next);
    }
    arguments.push_back(isDead ? init : Value());
  }
  if (kept.size() == loop.getNumRegionIterArgs())
    return loop;
  rewriter.setInsertionPoint(loop);
  auto leaner = scf::ForOp::create(rewriter, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(),
                                   loop.getStep(), inits);
  leaner->setAttrs(loop->getAttrs());
  arguments.front() = leaner.getInductionVar();
  for (auto [from, to] : kept) {
    arguments[1 + from] = leaner.getRegionIterArg(to);
    rewriter.replaceAllUsesWith(loop.getResult(from), leaner.getResult(to));
  }
  loop.getBody()->getTerminator()->setOperands(yielded);
  if (!leaner.getBody()->empty())
    rewriter.eraseOp(leaner.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getBody(), leaner.getBody(), arguments);
  rewriter.eraseOp(loop);
  return leaner;
}

} // namespace

scf::ForOp dropDeadInductionVariables(RewriterBase &rewriter, scf::ForOp loop) {
  eraseDead(rewriter, loop);
  loop = dropCounters(rewriter, loop);
  eraseDead(rewriter, loop);
  return loop;
}

} // namespace tegula
