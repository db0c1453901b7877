#include "compiler/distribute/WarpGridChoice.h"

#include "dialect/tile/LayoutInference.h"

#include "llvm/ADT/SetVector.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

/// Calls `found` for each dot whose operand a is computed from the result of `dot` element by element.
static void forEachFedDot(tile::DotOp dot, llvm::function_ref<void(tile::DotOp)> found) {
  llvm::SmallSetVector<Value, 16> reached;
  reached.insert(dot.getResult());
  for (unsigned i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (auto next = dyn_cast<tile::DotOp>(user)) {
        if (use.getOperandNumber() == 0)
          found(next);
      } else if (isa<tile::ConvertLayoutOp>(user) ||
                 (tile::isElementwise(user) && !isa<tile::GlobalAccessOpInterface>(user))) {
        reached.insert_range(user->getResults());
      }
    }
}

DotChains::DotChains(ArrayRef<tile::DotOp> dots) {
  for (tile::DotOp dot : dots)
    forEachFedDot(dot, [&](tile::DotOp next) {
      shapes.insert(dot.getResultType().getShape());
      shapes.insert(next.getResultType().getShape());
    });
}

bool DotChains::contains(tile::DotOp dot) const { return shapes.contains(dot.getResultType().getShape()); }

WarpGrid chooseWarpGrid(ArrayRef<int64_t> shape, WarpUnit unit, unsigned warps, bool chained) {
  int64_t m = shape[shape.size() - 2], n = shape.back();
  WarpGrid best;
  if (shape.size() == 3)
    best.batch = int32_t(std::min<int64_t>(warps, shape[0]));
  int32_t rest = int32_t(warps) / best.batch;
  if (chained) {
    best.m = int32_t(std::clamp<int64_t>(m / unit.m, 1, rest));
    best.n = rest / best.m;
    return best;
  }
  int64_t leastWork = 0, leastReads = 0;
  for (int32_t alongM = 1; alongM <= rest; alongM *= 2) {
    int64_t rows = std::max(m / alongM, unit.m), columns = std::max(n / (rest / alongM), unit.n);
    int64_t work = rows * columns, reads = rows + columns;
    // The last of equal ones: long rows suit what follows.
    if (leastWork != 0 && std::pair(work, reads) > std::pair(leastWork, leastReads))
      continue;
    leastWork = work, leastReads = reads;
    best.m = alongM, best.n = rest / alongM;
  }
  return best;
}

} // namespace tegula
