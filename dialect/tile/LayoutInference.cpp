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

/// Returns the type that represents the op's results: that of an operand where there are none.
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

/// `layout` with a last axis of two, told apart by the lowest bit of registers.
LinearLayout joined(const LinearLayout &layout) {
  unsigned rank = unsigned(layout.outs().size());
  return LinearLayout::identity1D(2, Dim::Register, tensorDim(rank)) * layout;
}

/// Returns the bit of registers that moves, and nothing else does, along the last axis of `layout`, of two.
std::optional<unsigned> bitOfLastAxis(const LinearLayout &layout) {
  Dim last = tensorDim(unsigned(layout.outs().size()) - 1);
  std::optional<unsigned> found;
  for (const DimBits &in : layout.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      if (layout.basis(in.dim, bit, last) == 0)
        continue;
      bool isAlone = true;
      for (const DimBits &out : layout.outs())
        isAlone = isAlone && (out.dim == last || layout.basis(in.dim, bit, out.dim) == 0);
      if (found || !isAlone || in.dim != Dim::Register)
        return std::nullopt;
      found = bit;
    }
  return found;
}

/// `layout` without its last axis, of two, and the bit of registers that moves along it.
std::optional<LinearLayout> halved(const LinearLayout &layout) {
  std::optional<unsigned> bit = bitOfLastAxis(layout);
  if (!bit)
    return std::nullopt;
  std::vector<DimBits> ins(layout.ins()), outs(layout.outs());
  outs.pop_back(); // its bit is the highest of packed positions
  std::vector<uint64_t> columns;
  for (DimBits &in : ins) {
    for (unsigned i = 0; i < in.bits; ++i)
      if (in.dim != Dim::Register || i != *bit)
        columns.push_back(layout.column(in.dim, i));
    in.bits -= in.dim == Dim::Register;
  }
  return LinearLayout::fromColumns(std::move(ins), std::move(outs), std::move(columns));
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

bool tile::isScannable(LayoutAttr attribute, unsigned axis) {
  const LinearLayout &layout = attribute.getLayout();
  int32_t seen = 0;
  for (const DimBits &in : layout.ins())
    for (unsigned bit = 0; bit < in.bits; ++bit) {
      int32_t step = layout.basis(in.dim, bit, tensorDim(axis));
      if (step == 0)
        continue;
      if (!llvm::isPowerOf2_32(uint32_t(step)) || (seen & step))
        return false;
      seen |= step;
      for (const DimBits &out : layout.outs())
        if (out.dim != tensorDim(axis) && layout.basis(in.dim, bit, out.dim) != 0)
          return false;
    }
  return true;
}

static std::optional<LayoutAttr> wrapped(LayoutAttr like, std::optional<LinearLayout> layout) {
  return layout ? std::optional(wrap(like, std::move(*layout))) : std::nullopt;
}

/// Returns the layout of an op that moves elements along an axis and keeps their layout, if the op takes it.
static std::optional<LayoutAttr> keptLayout(Operation *op, unsigned operandIndex, LayoutAttr layout) {
  if (auto scan = dyn_cast<ScanOp>(op))
    return isScannable(layout, scan.getAxis()) ? std::optional(layout) : std::nullopt;
  if (isa<ButterflyOp>(op) || (isa<GatherOp>(op) && operandIndex == 1))
    return layout;
  return std::nullopt;
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
  if (isa<JoinOp>(op))
    return wrapped(result, halved(layout));
  if (isa<SplitOp>(op))
    return wrap(result, joined(layout));
  return keptLayout(op, operandIndex, result);
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
  if (isa<JoinOp>(op))
    return wrap(operand, joined(layout));
  if (isa<SplitOp>(op))
    return wrapped(operand, halved(layout));
  return keptLayout(op, operandIndex, operand);
}

bool tile::layoutsAgree(Operation *op, unsigned operandIndex, LayoutAttr operand, LayoutAttr result) {
  if (isa<ReduceOp, SplitOp>(op))
    return inferResultLayout(op, operandIndex, operand) == result;
  std::optional<LayoutAttr> inferred = inferOperandLayout(op, operandIndex, result);
  if (!inferred)
    return false;
  if (isa<BroadcastOp>(op))
    return *inferred == wrap(operand, operand.getLayout().removeZeroBases(Dim::Register));
  return *inferred == operand;
}
