#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/access/ForwardedValues.h"

#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

bool isScalarOp(Operation *op) {
  auto isScalar = [](Type type) { return !isa<ShapedType, tgpu::InFlightType>(type); };
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) && llvm::all_of(op->getResultTypes(), isScalar);
}

/// Adds what `op` and all that it contains hand on.
static void addOperands(Operation *op, SmallVectorImpl<Value> &sources) {
  llvm::append_range(sources, op->getOperands());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        llvm::append_range(sources, block.getTerminator()->getOperands());
}

/// Adds what `value` is computed from in one step.
static void addSources(Value value, SmallVectorImpl<Value> &sources) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument)
    return addOperands(value.getDefiningOp(), sources);
  Operation *around = argument.getOwner()->getParentOp();
  auto loop = dyn_cast<scf::ForOp>(around);
  if (loop && argument == loop.getInductionVar())
    sources.append({loop.getLowerBound(), loop.getStep()});
  else if (loop)
    addForwarded(argument, sources);
  else if (!isa<func::FuncOp>(around))
    addOperands(around, sources);
}

/// Calls `visit` once for `value` and all that it is computed from; what is computed behind a value that it
/// skips is left out. Returns whether it has interrupted the walk.
static bool walkSources(Value value, llvm::function_ref<WalkResult(Value)> visit) {
  SmallVector<Value> pending{value};
  llvm::SmallDenseSet<Value> seen;
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    const WalkResult result = visit(next);
    if (result.wasInterrupted())
      return true;
    if (!result.wasSkipped())
      addSources(next, pending);
  }
  return false;
}

bool dependsOn(Value value, llvm::function_ref<bool(Value)> isSource) {
  return walkSources(value, [&](Value source) {
    return isSource(source) ? WalkResult::interrupt() : WalkResult::advance();
  });
}

bool isSameForAllPrograms(Value value) {
  return !dependsOn(value, [](Value source) {
    Operation *op = source.getDefiningOp();
    if (!op)
      return !isa<func::FuncOp>(source.getParentBlock()->getParentOp());
    return !isScalarOp(op) || isa<tile::ProgramIdOp>(op) || !isa<func::FuncOp>(op->getParentOp());
  });
}

scf::ForOp programsOf(Block &block) {
  for (auto loop : block.getOps<scf::ForOp>())
    if (loop.getLowerBound().getDefiningOp<tgpu::BlockIdOp>())
      return loop;
  return {};
}

bool hasLoops(Operation *op) {
  return anyOp(op, [&](Operation *inside) { return inside != op && isa<LoopLikeOpInterface>(inside); });
}

std::optional<SmallVector<scf::ForOp>> loopsAround(scf::ForOp loop) {
  SmallVector<scf::ForOp> round;
  for (Operation *parent = loop->getParentOp(); !isa<func::FuncOp>(parent); parent = parent->getParentOp()) {
    auto outer = dyn_cast<scf::ForOp>(parent);
    if (!outer || outer.getUnsignedCmp())
      return std::nullopt;
    round.insert(round.begin(), outer);
  }
  return round;
}

Operation *outermostOf(scf::ForOp loop) {
  Operation *op = loop;
  while (!isa<func::FuncOp>(op->getParentOp()))
    op = op->getParentOp();
  return op;
}

bool canComputeAlone(Value value) {
  return !walkSources(value, [](Value source) {
    if (auto argument = dyn_cast<BlockArgument>(source)) {
      Operation *around = argument.getOwner()->getParentOp();
      auto loop = dyn_cast<scf::ForOp>(around);
      const bool isKnown = isa<func::FuncOp>(around) || (loop && loop.getInductionVar() == argument);
      return isKnown ? WalkResult::skip() : WalkResult::interrupt();
    }
    Operation *op = source.getDefiningOp();
    const bool isAlone = isa<func::FuncOp, scf::ForOp>(op->getParentOp()) && isScalarOp(op);
    return isAlone ? WalkResult::advance() : WalkResult::interrupt();
  });
}

} // namespace tegula
