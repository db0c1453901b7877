#include "compiler/analysis/access/SameEachTime.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

/// Returns whether `value` is computed of nothing in the loop but, where `mayCount`, the number of the
/// iteration.
static bool isComputed(Value value, scf::ForOp loop, bool mayCount) {
  if (loop.isDefinedOutsideOfLoop(value) || (mayCount && value == loop.getInductionVar()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == loop.getBody() && isPure(op) && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isComputed(operand, loop, mayCount); });
}

bool isSameEachTime(Value value, scf::ForOp loop) { return isComputed(value, loop, /*mayCount=*/false); }

bool followsCounter(Value value, scf::ForOp loop) { return isComputed(value, loop, /*mayCount=*/true); }

} // namespace tegula
