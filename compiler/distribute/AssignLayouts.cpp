#include "compiler/analysis/plans/Executor.h"
#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/Passes.h"
#include "dialect/tile/LayoutInference.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <map>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// Along which axis tensors are reduced in a kernel that moves elements in no other way.
class ReducedAxes {
public:
  explicit ReducedAxes(func::FuncOp function) {
    const WalkResult result = function.walk([&](Operation *op) {
      if (auto reduce = dyn_cast<tile::ReduceOp>(op))
        axes.try_emplace(reduce.getSourceShape().vec(), reduce.getAxis());
      return isa<tile::ScanOp, tile::TransOp, tile::GatherOp>(op) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
    });
    if (result.wasInterrupted())
      axes.clear();
  }

  /// Returns the axis of a tensor of this shape; the last one if others alone are reduced, nothing if none
  /// is.
  std::optional<unsigned> of(ArrayRef<int64_t> shape) const {
    if (axes.empty() || shape.empty())
      return std::nullopt;
    auto found = axes.find(shape.vec());
    return found == axes.end() ? unsigned(shape.size() - 1) : found->second;
  }

private:
  std::map<std::vector<int64_t>, unsigned> axes;
};

/// Gives a value its default layout; one that has a layout, or is no tensor, stays as it is.
LogicalResult assign(Operation *op, Value value, unsigned warps, const ReducedAxes &reduced) {
  if (!isa<TensorType>(value.getType()) || tile::layoutOf(value.getType()))
    return success();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !tile::hasTileShape(type))
    return op->emitError() << "expected tensors with power-of-two sides and at most "
                           << tile::MaxTensorElements << " elements, found " << value.getType();
  value.setType(tile::withLayout(
      type, defaultLayout(type.getContext(), type.getShape(), warps, reduced.of(type.getShape()))));
  return success();
}

LogicalResult assignAll(Operation *op, unsigned warps, const ReducedAxes &reduced) {
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(assign(op, argument, warps, reduced)))
          return failure();
  for (Value result : op->getResults())
    if (failed(assign(op, result, warps, reduced)))
      return failure();
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant || !isa<TensorType>(constant.getType()))
    return success();
  if (!isa<DenseElementsAttr>(constant.getValue()))
    return op->emitOpError() << "expected a dense constant, found `" << constant.getValue() << "`";
  setResultLayouts(op, tile::layoutOf(constant.getType())); // the value's type follows
  return success();
}

/// Puts a conversion before an op whose operand's layout follows from its result's.
void convertToResult(Operation *op) {
  tile::LayoutAttr operand = tile::layoutOf(op->getOperand(0).getType());
  tile::LayoutAttr result = tile::layoutOf(op->getResult(0).getType());
  if (tile::layoutsAgree(op, 0, operand, result))
    return;
  OpBuilder builder(op);
  Type wanted = tile::withLayout(op->getOperand(0).getType(), *tile::inferOperandLayout(op, 0, result));
  op->setOperand(0, tile::ConvertLayoutOp::create(builder, op->getLoc(), wanted, op->getOperand(0)));
}

/// Brings all operands of an op to the first one's layout, and its results to what follows from it.
void convertToFirst(Operation *op) {
  tile::LayoutAttr layout = tile::layoutOf(op->getOperand(0).getType());
  for (OpOperand &operand : op->getOpOperands())
    convertOperand(operand, layout);
  if (std::optional<tile::LayoutAttr> result = tile::inferResultLayout(op, 0, layout)) // else scalars
    convertResults(op, *result);
}

class AssignLayouts : public impl::AssignLayoutsPassBase<AssignLayouts> {
  void runOnOperation() override {
    for (func::FuncOp function : kernelsOf(getOperation())) {
      Executors executors(function);
      const ReducedAxes reduced(function);
      WalkResult assigned = function.walk<WalkOrder::PreOrder>([&](Operation *op) {
        return failed(assignAll(op, executors.of(op).warps, reduced)) ? WalkResult::interrupt()
                                                                      : WalkResult::advance();
      });
      if (assigned.wasInterrupted())
        return signalPassFailure();
      function.walk([](Operation *op) {
        if (isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp, tile::SplitOp>(op))
          convertToResult(op);
        else if (isa<tile::ReduceOp, tile::JoinOp>(op))
          convertToFirst(op);
      });
    }
  }
};

} // namespace

} // namespace tegula
