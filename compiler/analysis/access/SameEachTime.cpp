#include "compiler/analysis/access/SameEachTime.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

/// Returns whether `value` is computed of nothing in the loop but, where `mayCount`, the number of the
/// iteration. Each value is asked once, however often others take it.
static bool isComputed(Value value, scf::ForOp loop, bool mayCount) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    if (loop.isDefinedOutsideOfLoop(values[i]) || (mayCount && values[i] == loop.getInductionVar()))
      continue;
    Operation *op = values[i].getDefiningOp();
    if (!op || op->getBlock() != loop.getBody() || !isPure(op) || op->getNumRegions() != 0)
      return false;
    values.insert_range(op->getOperands());
  }
  return true;
}

bool isSameEachTime(Value value, scf::ForOp loop) { return isComputed(value, loop, /*mayCount=*/false); }

bool followsCounter(Value value, scf::ForOp loop) { return isComputed(value, loop, /*mayCount=*/true); }

} // namespace tegula
