// Constants, places in the grid, and tensors made from scalars and other tensors.
#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {
namespace {

std::optional<uint64_t> bitsOf(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getZExtValue();
  if (auto real = dyn_cast<FloatAttr>(attribute))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

LogicalResult constant(Machine &machine, const Step &step) {
  Attribute value = cast<arith::ConstantOp>(step.op).getValue();
  Tensor result(step.op->getResult(0).getType());
  if (std::optional<uint64_t> bits = bitsOf(value)) {
    result.bits[0] = *bits;
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (dense.isSplat())
      result.bits.assign(result.size(), *bitsOf(dense.getSplatValue<Attribute>()));
    else
      for (auto [index, element] : llvm::enumerate(dense.getValues<Attribute>()))
        result.bits[index] = *bitsOf(element);
  } else {
    return machine.fail(step, llvm::formatv("the interpreter does not know the constant `{0}`", value));
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult programId(Machine &machine, const Step &step) {
  const auto axis = size_t(cast<tile::ProgramIdOp>(step.op).getAxis());
  uint64_t place = machine.program[axis];
  if (!step.operands.empty()) { // the program of this number, of all
    place = machine.operand(step, 0).bits[0];
    for (size_t before = 0; before < axis; ++before)
      place /= machine.grid[before];
    place %= machine.grid[axis];
  }
  machine.setScalar(step, place);
  return success();
}

LogicalResult blockId(Machine &machine, const Step &step) {
  machine.setScalar(step, machine.program[0]);
  return success();
}

LogicalResult numBlocks(Machine &machine, const Step &step) {
  machine.setScalar(step, machine.blocks[0]);
  return success();
}

LogicalResult numPrograms(Machine &machine, const Step &step) {
  const auto axis = size_t(cast<tile::NumProgramsOp>(step.op).getAxis());
  machine.setScalar(step, machine.grid[axis]);
  return success();
}

LogicalResult arange(Machine &machine, const Step &step) {
  Tensor result(step.op->getResult(0).getType());
  const uint32_t start = uint32_t(cast<tile::ArangeOp>(step.op).getStart());
  for (size_t i = 0; i < result.size(); ++i)
    result.bits[i] = uint32_t(start + i);
  machine.setResult(step, std::move(result));
  return success();
}

/// A result whose element `i` is the source's element `from(i)`.
template <typename From> LogicalResult rearrange(Machine &machine, const Step &step, From from) {
  machine.setResult(step, rearranged(machine.operand(step, 0), step.op->getResult(0).getType(), from));
  return success();
}

LogicalResult splat(Machine &machine, const Step &step) {
  return rearrange(machine, step, [](size_t) { return size_t(0); });
}

/// reshape, expand_dims, convert_layout: elements keep their row-major order.
LogicalResult sameOrder(Machine &machine, const Step &step) {
  return rearrange(machine, step, [](size_t i) { return i; });
}

/// A result whose step along its dimension `d` is one of `strides[d]` elements of the source.
LogicalResult strided(Machine &machine, const Step &step, llvm::ArrayRef<size_t> strides) {
  llvm::ArrayRef<int64_t> shape = shapeOf(step.op->getResult(0).getType());
  return rearrange(machine, step, [&](size_t i) {
    size_t from = 0;
    for (size_t dim = shape.size(); dim-- > 0; i /= size_t(shape[dim]))
      from += i % size_t(shape[dim]) * strides[dim];
    return from;
  });
}

llvm::SmallVector<size_t> rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<size_t> strides;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    strides.push_back(strideOf(shape, dim));
  return strides;
}

LogicalResult broadcast(Machine &machine, const Step &step) {
  llvm::ArrayRef<int64_t> shape = shapeOf(machine.operand(step, 0).type);
  llvm::SmallVector<size_t> strides = rowMajorStrides(shape);
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (shape[dim] == 1)
      strides[dim] = 0;
  return strided(machine, step, strides);
}

LogicalResult transpose(Machine &machine, const Step &step) {
  const llvm::SmallVector<size_t> source = rowMajorStrides(shapeOf(machine.operand(step, 0).type));
  llvm::SmallVector<size_t> strides;
  for (int32_t dim : cast<tile::TransOp>(step.op).getOrder())
    strides.push_back(source[size_t(dim)]);
  return strided(machine, step, strides);
}

LogicalResult join(Machine &machine, const Step &step) {
  Tensor result(step.op->getResult(0).getType());
  for (size_t i = 0; i < result.size(); ++i)
    result.setElement(i, machine.operand(step, unsigned(i % 2)), i / 2);
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult split(Machine &machine, const Step &step) {
  const Tensor &source = machine.operand(step, 0);
  for (unsigned side : {0u, 1u})
    machine.setResult(
        step, rearranged(source, step.op->getResult(side).getType(), [&](size_t i) { return 2 * i + side; }),
        side);
  return success();
}

/// Elements whose places along an axis differ in some bits change places.
LogicalResult butterfly(Machine &machine, const Step &step) {
  auto op = cast<tile::ButterflyOp>(step.op);
  llvm::ArrayRef<int64_t> shape = op.getType().getShape();
  const size_t stride = strideOf(shape, op.getAxis()), side = size_t(shape[op.getAxis()]);
  return rearrange(machine, step, [&](size_t i) {
    const size_t place = i / stride % side;
    return i + ((place ^ size_t(op.getMask())) - place) * stride;
  });
}

LogicalResult gather(Machine &machine, const Step &step) {
  auto op = cast<tile::GatherOp>(step.op);
  const Tensor &source = machine.operand(step, 0), &indices = machine.operand(step, 1);
  const size_t axis = op.getAxis(), stride = strideOf(shapeOf(source.type), axis);
  const size_t side = size_t(shapeOf(source.type)[axis]), picked = size_t(shapeOf(indices.type)[axis]);
  Tensor result(op.getType());
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t before = i / (stride * picked) * stride * side + i % stride;
    const uint64_t index = indices.bits[i];
    if (indices.isUndefined(i) || index >= side) {
      result.setUndefined(i);
      continue;
    }
    result.setElement(i, source, before + index * stride);
  }
  machine.setResult(step, std::move(result));
  return success();
}

} // namespace

void addShapeOps(HandlerTable &table) {
  addHandler<arith::ConstantOp>(table, constant);
  addHandler<tile::ProgramIdOp>(table, programId);
  addHandler<tile::NumProgramsOp>(table, numPrograms);
  addHandler<tgpu::BlockIdOp>(table, blockId);
  addHandler<tgpu::NumBlocksOp>(table, numBlocks);
  addHandler<tile::ArangeOp>(table, arange);
  addHandler<tile::SplatOp>(table, splat);
  addHandler<tile::ExpandDimsOp>(table, sameOrder);
  addHandler<tile::ReshapeOp>(table, sameOrder);
  addHandler<tile::ConvertLayoutOp>(table, sameOrder);
  addHandler<tile::BroadcastOp>(table, broadcast);
  addHandler<tile::TransOp>(table, transpose);
  addHandler<tile::JoinOp>(table, join);
  addHandler<tile::SplitOp>(table, split);
  addHandler<tile::ButterflyOp>(table, butterfly);
  addHandler<tile::GatherOp>(table, gather);
}

} // namespace tegula::interp
