#include "compiler/schedule/atomics/RepeatedAtomics.h"

#include "compiler/analysis/Decision.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

/// Returns whether `value` is the same in each iteration of `loop`: nothing that it is computed from is
/// carried or loaded there.
static bool isSameEachTime(Value value, scf::ForOp loop) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    if (loop.isDefinedOutsideOfLoop(values[i]))
      continue;
    Operation *op = values[i].getDefiningOp();
    if (!op || op->getNumRegions() || !isPure(op))
      return false;
    values.insert(op->operand_begin(), op->operand_end());
  }
  return true;
}

void reportRepeatedAtomics(func::FuncOp kernel) {
  kernel.walk([&](tile::AtomicRMWOp op) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!loop || !op->use_empty() || op.getKind() == tile::AtomicKind::Exchange ||
        !isSameEachTime(op.getPointer(), loop) || (op.getMask() && !isSameEachTime(op.getMask(), loop)))
      return;
    remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("atomic").category("privatize-atomics").function(kernel.getName()))
        << remark::add("the same elements are changed each time round the loop")
        << because("its addresses do not follow the loop")
               .fixedBy("combine the values in a variable, and change memory once behind the loop");
  });
}

} // namespace tegula
