#include "compiler/schedule/atomics/RepeatedAtomics.h"

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/access/SameEachTime.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

void reportRepeatedAtomics(func::FuncOp kernel) {
  if (!kernel.getContext()->getRemarkEngine())
    return;
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
