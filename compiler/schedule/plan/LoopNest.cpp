#include "compiler/schedule/plan/LoopNest.h"

#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

bool isScalarOp(Operation *op) {
  auto isScalar = [](Type type) { return !isa<ShapedType, tgpu::InFlightType>(type); };
  return isMemoryEffectFree(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperandTypes(), isScalar) && llvm::all_of(op->getResultTypes(), isScalar);
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
  SmallVector<Value> values{value};
  llvm::DenseSet<Value> seen;
  while (!values.empty()) {
    Value next = values.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto outer = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!isa<func::FuncOp>(argument.getOwner()->getParentOp()) &&
          (!outer || outer.getInductionVar() != argument))
        return false;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (!isa<func::FuncOp, scf::ForOp>(op->getParentOp()) || !isScalarOp(op))
      return false;
    llvm::append_range(values, op->getOperands());
  }
  return true;
}

} // namespace tegula
