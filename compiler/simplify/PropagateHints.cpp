// The pass `propagate-hints`: Passes.td says what it does and why it is where it is.
#include "compiler/simplify/Passes.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Dominance.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_PROPAGATEHINTSPASS
#include "compiler/simplify/Passes.h.inc"

namespace {

/// The value that a chain of hints is about.
Value valueOf(tile::HintOp hint) {
  Value value = hint.getSource();
  while (auto inner = value.getDefiningOp<tile::HintOp>())
    value = inner.getSource();
  return value;
}

class PropagateHints : public impl::PropagateHintsPassBase<PropagateHints> {
  void runOnOperation() override {
    SmallVector<tile::HintOp> unused;
    getOperation()->walk([&](tile::HintOp hint) {
      if (hint.getResult().use_empty())
        unused.push_back(hint);
    });
    if (unused.empty())
      return;
    DominanceInfo dominance(getOperation());
    for (tile::HintOp hint : unused)
      valueOf(hint).replaceUsesWithIf(hint.getResult(), [&](OpOperand &use) {
        return dominance.properlyDominates(hint.getOperation(), use.getOwner());
      });
  }
};

} // namespace
} // namespace tegula
