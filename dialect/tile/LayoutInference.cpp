#include "dialect/tile/LayoutInference.h"

#include "dialect/layout/Layouts.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

/// True if `layout` can be the encoding of `type`, which is false for scalars and for no type.
bool encodes(LayoutAttr layout, Type type) {
  auto tensor = dyn_cast_if_present<RankedTensorType>(type);
  if (!tensor || !layout || layout.getLayout().outs().size() != size_t(tensor.getRank()))
    return false;
  for (auto [out, side] : llvm::zip_equal(layout.getLayout().outs(), tensor.getShape()))
    if (int64_t(out.size()) != side)
      return false;
  return true;
}

LayoutAttr wrap(LayoutAttr like, LinearLayout layout) {
  return LayoutAttr::get(like.getContext(), std::move(layout));
}

/// The type that stands for the op's results: that of an operand where there are none.
Type resultTypeOf(Operation *op, unsigned operandIndex) {
  for (Type type : op->getResultTypes())
    if (isa<RankedTensorType>(type))
      return type;
  return op->getNumResults() == 0 ? op->getOperand(operandIndex).getType() : Type();
}

/// `layout` without axis `axis`, which has size 1.
LinearLayout dropUnitAxis(LinearLayout layout, unsigned axis) {
  std::vector<Dim> ins, outs;
  for (const DimBits &in : layout.ins())
    ins.push_back(in.dim);
  unsigned rank = unsigned(layout.outs().size());
  for (unsigned i = 0; i < rank; ++i)
    if (i != axis)
      outs.push_back(tensorDim(i));
  layout = layout.sublayout(ins, outs);
  for (unsigned i = axis + 1; i < rank; ++i)
    layout = layout.renameOut(tensorDim(i), tensorDim(i - 1));
  return layout;
}

/// `layout` with the axes that `op` repeats cut to one position, and no registers that hold copies.
LinearLayout beforeBroadcast(BroadcastOp op, LinearLayout layout) {
  for (auto [i, side] : llvm::enumerate(op.getSource().getType().getShape()))
    if (side == 1)
      layout = layout.resizeOut(tensorDim(unsigned(i)), 1);
  return layout.removeZeroBases(Dim::Register);
}

LinearLayout afterBroadcast(BroadcastOp op, LinearLayout layout) {
  auto before = op.getSource().getType().getShape(), after = op.getType().getShape();
  for (unsigned i = unsigned(after.size()); i-- > 0;)
    if (before[i] != after[i])
      layout = layout * LinearLayout::identity1D(int32_t(after[i]), Dim::Register, tensorDim(i));
  return layout;
}

std::vector<int32_t> sidesOf(Value tensor) {
  auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
  return std::vector<int32_t>(shape.begin(), shape.end());
}

std::vector<unsigned> orderOf(TransOp op) {
  return std::vector<unsigned>(op.getOrder().begin(), op.getOrder().end());
}

std::vector<unsigned> inverted(const std::vector<unsigned> &permutation) {
  std::vector<unsigned> inverse(permutation.size());
  for (unsigned i = 0; i < permutation.size(); ++i)
    inverse[permutation[i]] = i;
  return inverse;
}

} // namespace

bool tile::isElementwise(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || op->hasTrait<SameShapeAndLayout>();
}

LayoutAttr tile::layoutWithoutAxis(LayoutAttr layout, unsigned axis) {
  return wrap(layout, slice(layout.getLayout(), axis));
}

std::optional<LayoutAttr> tile::inferOperandLayout(Operation *op, unsigned operandIndex, LayoutAttr result) {
  if (!isa<RankedTensorType>(op->getOperand(operandIndex).getType()) ||
      !encodes(result, resultTypeOf(op, operandIndex)))
    return std::nullopt;
  if (isElementwise(op))
    return result;
  const LinearLayout &layout = result.getLayout();
  if (auto expand = dyn_cast<ExpandDimsOp>(op))
    return wrap(result, dropUnitAxis(layout, expand.getAxis()));
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return wrap(result, beforeBroadcast(broadcast, layout));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return wrap(result, reshapeDims(layout, sidesOf(reshape.getSource())));
  if (auto trans = dyn_cast<TransOp>(op))
    return wrap(result, permuteDims(layout, inverted(orderOf(trans))));
  return std::nullopt;
}

std::optional<LayoutAttr> tile::inferResultLayout(Operation *op, unsigned operandIndex, LayoutAttr operand) {
  if (!encodes(operand, op->getOperand(operandIndex).getType()) || !resultTypeOf(op, operandIndex))
    return std::nullopt;
  if (isElementwise(op))
    return operand;
  const LinearLayout &layout = operand.getLayout();
  if (auto expand = dyn_cast<ExpandDimsOp>(op))
    return wrap(operand, expandDims(layout, expand.getAxis()));
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return wrap(operand, afterBroadcast(broadcast, layout));
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return wrap(operand, reshapeDims(layout, sidesOf(reshape.getResult())));
  if (auto trans = dyn_cast<TransOp>(op))
    return wrap(operand, permuteDims(layout, orderOf(trans)));
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return layoutWithoutAxis(operand, reduce.getAxis());
  return std::nullopt;
}

bool tile::layoutsAgree(Operation *op, unsigned operandIndex, LayoutAttr operand, LayoutAttr result) {
  if (isa<ReduceOp>(op))
    return inferResultLayout(op, operandIndex, operand) == result;
  std::optional<LayoutAttr> inferred = inferOperandLayout(op, operandIndex, result);
  if (!inferred)
    return false;
  if (isa<BroadcastOp>(op))
    return *inferred == wrap(operand, operand.getLayout().removeZeroBases(Dim::Register));
  return *inferred == operand;
}
