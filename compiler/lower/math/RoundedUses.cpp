#include "compiler/lower/math/RoundedUses.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tegula {
namespace {

/// Arithmetic whose result is off by about as many units as its operands.
bool keepsPrecision(Operation *op) {
  return isa<arith::AddFOp, arith::MulFOp, arith::DivFOp, arith::MaxNumFOp, arith::MinNumFOp,
             arith::MaximumFOp, arith::MinimumFOp, math::AbsFOp>(op);
}

/// Ops whose results are elements of their first operand.
bool movesElements(Operation *op) {
  return isa<tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp,
             tile::SplitOp, tile::ConvertLayoutOp, tile::OptBarrierOp>(op);
}

/// Values whose uses are to be looked at, each once.
class Walk {
public:
  void add(Value value) {
    if (seen.insert(value.getAsOpaquePointer()).second)
      waiting.push_back(value);
  }

  /// Returns whether all that was added is rounded.
  bool run() {
    while (!waiting.empty())
      for (OpOperand &use : waiting.pop_back_val().getUses())
        if (!follow(use))
          return false;
    return true;
  }

private:
  /// Adds what is computed by the use; false where it could show the last bits.
  bool follow(OpOperand &use) {
    Operation *op = use.getOwner();
    const unsigned number = use.getOperandNumber();
    if (auto narrow = dyn_cast<arith::TruncFOp>(op))
      return getElementTypeOrSelf(narrow.getType()).getIntOrFloatBitWidth() <= 16;
    if (auto barrier = dyn_cast<tile::OptBarrierOp>(op); barrier && number != 0)
      return true; // only waited for
    if (isa<arith::SelectOp>(op) && number == 0)
      return false;
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      for (Operation &inner : reduce.getCombine().front().without_terminator())
        if (!keepsPrecision(&inner))
          return false;
      return addAll(op->getResults());
    }
    if (keepsPrecision(op) || movesElements(op) || isa<arith::SelectOp>(op))
      return addAll(op->getResults());
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (number < loop.getNumControlOperands())
        return false;
      add(loop.getTiedLoopRegionIterArg(&use));
      add(loop.getTiedLoopResult(&use));
      return true;
    }
    if (isa<scf::YieldOp>(op)) {
      if (auto branch = dyn_cast<scf::IfOp>(op->getParentOp())) {
        add(branch.getResult(number));
        return true;
      }
      if (auto loop = dyn_cast<scf::ForOp>(op->getParentOp())) {
        add(loop.getRegionIterArg(number));
        add(loop.getResult(number));
        return true;
      }
    }
    return false;
  }

  bool addAll(ValueRange values) {
    for (Value value : values)
      add(value);
    return true;
  }

  SmallVector<Value> waiting;
  llvm::SmallPtrSet<void *, 16> seen;
};

} // namespace

bool areUsesRounded(Value value) {
  Walk walk;
  walk.add(value);
  return walk.run();
}

} // namespace tegula
