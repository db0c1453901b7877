// The pass `erase-unused`: Passes.td says what it does and why it is where it is.

#include "compiler/simplify/Passes.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_ERASEUNUSEDPASS
#include "compiler/simplify/Passes.h.inc"

namespace {

class EraseUnused : public impl::EraseUnusedPassBase<EraseUnused> {
  void runOnOperation() override {
    // Users come before what they use: blocks backwards, and an op's regions before the op.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (!op->getNumRegions() && isOpTriviallyDead(op))
        op->erase();
    });
  }
};

} // namespace
} // namespace tegula
