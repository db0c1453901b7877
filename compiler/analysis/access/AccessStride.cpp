#include "compiler/analysis/access/AccessStride.h"

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

namespace {

/// Enough for the address arithmetic of real kernels; the bound keeps shared sums from being walked
/// exponentially often.
constexpr unsigned MaxVisits = 64;

struct StrideWalk {
  const AxisInfoAnalysis &facts;
  unsigned visits = 0;

  std::optional<int64_t> of(Value value, unsigned axis) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || axis >= unsigned(type.getRank()) || ++visits > MaxVisits)
      return std::nullopt;
    AxisInfo info = facts.of(value);
    if (info[axis].constancy == type.getDimSize(axis))
      return 0;
    if (info[axis].contiguity == type.getDimSize(axis))
      return 1;
    Operation *op = value.getDefiningOp();
    return op ? through(op, axis) : std::nullopt;
  }

  std::optional<int64_t> through(Operation *op, unsigned axis) {
    if (isa<tile::AddPtrOp, arith::AddIOp>(op)) {
      std::optional<int64_t> a = of(op->getOperand(0), axis), b = of(op->getOperand(1), axis);
      int64_t sum;
      if (!a || !b || llvm::AddOverflow(*a, *b, sum))
        return std::nullopt;
      return sum;
    }
    if (isa<arith::MulIOp, arith::ShLIOp>(op)) {
      std::optional<int64_t> factor = facts.of(op->getOperand(1)).constant();
      unsigned scaled = 0;
      if (!factor && isa<arith::MulIOp>(op)) {
        factor = facts.of(op->getOperand(0)).constant();
        scaled = 1;
      }
      if (factor && isa<arith::ShLIOp>(op))
        factor = *factor >= 0 && *factor < 62 ? std::optional(int64_t(1) << *factor) : std::nullopt;
      std::optional<int64_t> stride = factor ? of(op->getOperand(scaled), axis) : std::nullopt;
      int64_t product;
      if (!stride || llvm::MulOverflow(*factor, *stride, product))
        return std::nullopt;
      return product;
    }
    if (isa<arith::ExtSIOp, arith::ExtUIOp, tile::ConvertLayoutOp, tile::HintOp, tile::BroadcastOp>(op))
      return of(op->getOperand(0), axis); // a repeated axis was seen to be constant before
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
      return of(expand.getSource(), axis > unsigned(expand.getAxis()) ? axis - 1 : axis);
    if (auto trans = dyn_cast<tile::TransOp>(op))
      return of(trans.getSource(), unsigned(trans.getOrder()[axis]));
    return std::nullopt;
  }
};

} // namespace

std::optional<int64_t> knownStride(Value value, unsigned axis, const AxisInfoAnalysis &facts) {
  return StrideWalk{facts}.of(value, axis);
}

} // namespace tegula
