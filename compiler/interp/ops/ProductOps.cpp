// Products that a matrix unit computes on its own, and waits for them.
#include "compiler/interp/ops/DotOps.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {
namespace {

/// The operand whose tensor lies in a slot as operand `index` of the product, its axes in the product's
/// order. The slot is noted as read by `product`.
FailureOr<Tensor> operandInSlot(Machine &machine, const Step &step, unsigned index, unsigned buffer,
                                Product &product) {
  auto op = cast<tgpu::MmaOp>(step.op);
  const size_t number = size_t(machine.operand(step, buffer).bits.front());
  const Buffer &from = machine.shared.buffers[number];
  const FailureOr<size_t> slot = freeSlot(machine, step, buffer + 1, from, "read");
  if (failed(slot))
    return failure();
  product.slots.emplace_back(number, *slot);
  const RankedTensorType type = op.getOperandTensor(index);
  const size_t rows = size_t(type.getDimSize(0)), columns = size_t(type.getDimSize(1));
  const bool transposed = op.getKAxis(index) == index;
  Tensor result(transposed ? RankedTensorType::get({int64_t(columns), int64_t(rows)}, type.getElementType())
                           : type);
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t element = transposed ? i % rows * columns + i / rows : i;
    const size_t place = from.place(*slot, element);
    if (from.states[place] == Buffer::NeverWritten)
      return machine.fail(step, llvm::formatv("read of a slot that was never written: slot {0}", *slot), type,
                          element);
    result.bits[i] = from.bits[place];
    if (from.states[place] == Buffer::Undefined)
      result.setUndefined(i);
  }
  return result;
}

/// `count` rows or columns of a matrix from `begin` on.
Tensor partOf(const Tensor &matrix, unsigned axis, size_t begin, size_t count) {
  SmallVector<int64_t> shape(shapeOf(matrix.type));
  const size_t columns = size_t(shape[1]);
  shape[axis] = int64_t(count);
  const size_t width = size_t(shape[1]);
  return rearranged(
      matrix, RankedTensorType::get(shape, cast<RankedTensorType>(matrix.type).getElementType()),
      [&](size_t i) { return axis == 0 ? begin * columns + i : i / width * columns + begin + i % width; });
}

LogicalResult multiply(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::MmaOp>(step.op);
  Product product{&step, {}};
  unsigned next = op.getBufferA() ? 2 : 1;
  FailureOr<Tensor> a = op.getBufferA() ? operandInSlot(machine, step, 0, 0, product)
                                        : FailureOr<Tensor>(machine.operand(step, 0));
  if (failed(a))
    return failure();
  FailureOr<Tensor> b = operandInSlot(machine, step, 1, next, product);
  if (failed(b))
    return failure();
  Tensor sums = op.getSums() ? machine.operand(step, next + 2) : Tensor(op.getSumsType());
  const Sides sides{1, size_t(op.getSumsType().getDimSize(0)), size_t(op.getSumsType().getDimSize(1)),
                    size_t(op.getCount())};
  if (op.getPart()) {
    a = partOf(*a, 1, size_t(op.getBegin()), sides.k);
    b = partOf(*b, 0, size_t(op.getBegin()), sides.k);
  }
  if (op.getColumns())
    b = partOf(*b, 1, size_t(op.getFirstColumn()), sides.n);
  if (failed(addProducts(machine, step, sides, *a, *b, /*toTf32=*/Element(a->type).kind == Element::Float32,
                         sums)))
    return failure();
  for (auto [buffer, slot] : product.slots)
    ++machine.shared.buffers[buffer].readers[slot];
  machine.shared.products.push_back(std::move(product));
  machine.setResult(step, std::move(sums));
  return success();
}

LogicalResult wait(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::MmaWaitOp>(step.op);
  SharedMemory &shared = machine.shared;
  for (; shared.products.size() > op.getPending(); shared.products.pop_front())
    for (auto [buffer, slot] : shared.products.front().slots)
      --shared.buffers[buffer].readers[slot];
  // The types of sums ensure that they are looked at after a wait only.
  for (unsigned i = 0; i < op.getSums().size(); ++i)
    machine.setResult(step, machine.operand(step, i), i);
  return success();
}

} // namespace

void addProductOps(HandlerTable &table) {
  addHandler<tgpu::MmaBeginOp>(table, passOn);
  addHandler<tgpu::MmaOp>(table, multiply);
  addHandler<tgpu::MmaWaitOp>(table, wait);
  addHandler<tgpu::ProxyFenceOp>(table, doNothing); // there is one way to memory
  addHandler<tgpu::GlobalFenceOp>(table, doNothing);
}

} // namespace tegula::interp
