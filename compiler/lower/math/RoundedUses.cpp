#include "compiler/lower/math/RoundedUses.h"

#include "compiler/analysis/access/ForwardedValues.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/SetVector.h"

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
  /// Returns whether all that is computed from `value` is rounded.
  bool run(Value value) {
    values.insert(value);
    for (unsigned i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
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
      auto combine = reduce.getCombine().front().without_terminator();
      return llvm::all_of(combine, [](Operation &inner) { return keepsPrecision(&inner); }) &&
             add(op->getResults());
    }
    if (keepsPrecision(op) || movesElements(op) || isa<arith::SelectOp>(op))
      return add(op->getResults());
    // A loop that runs as long as something holds compares.
    const bool isCarried =
        isa<scf::ForOp>(op) || (isa<scf::YieldOp>(op) && isa<scf::IfOp, scf::ForOp>(op->getParentOp()));
    return isCarried && add(carriedTo(use));
  }

  bool add(ValueRange more) {
    values.insert_range(more);
    return true;
  }

  llvm::SetVector<Value> values;
};

} // namespace

bool areUsesRounded(Value value) { return Walk().run(value); }

} // namespace tegula
