// Pointers, loads and stores, and the boxes that accesses are said to have.
#include "compiler/interp/machine/Access.h"
#include "dialect/tile/Tile.h"

#include "llvm/Support/FormatVariadic.h"

#include <limits>

using namespace mlir;

namespace tegula::interp {
namespace {

constexpr uint64_t Unbounded = std::numeric_limits<int64_t>::max(); ///< the size of an axis that has none

/// Parts of a box that follow its base.
enum Part : unsigned { Start, Stride, Size, Parts };

int64_t evaluate(AffineExpr expr, int64_t trip, llvm::ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto both = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!both)
    return trip;
  const uint64_t a = uint64_t(evaluate(both.getLHS(), trip, symbols)),
                 b = uint64_t(evaluate(both.getRHS(), trip, symbols));
  return int64_t(both.getKind() == AffineExprKind::Add ? a + b : a * b);
}

/// The integer that operand `index` is.
int64_t numberOf(const Machine &machine, const Step &step, unsigned index) {
  const Tensor &value = machine.operand(step, index);
  return signExtend(value.bits.front(), Element(value.type).bits);
}

/// Computes a `tile.box`: the base, and of each axis where the box begins, the stride and the size.
LogicalResult makeBox(Machine &machine, const Step &step) {
  auto op = cast<tile::BoxOp>(step.op);
  for (unsigned index = 0; index < step.operands.size(); ++index)
    if (failed(machine.checkDefined(step, machine.operand(step, index), "a number of a box")))
      return failure();
  unsigned next = 1;
  auto read = [&](llvm::ArrayRef<int64_t> constants) {
    llvm::SmallVector<int64_t> numbers;
    for (int64_t constant : constants)
      numbers.push_back(ShapedType::isDynamic(constant) ? numberOf(machine, step, next++) : constant);
    return numbers;
  };
  const llvm::SmallVector<int64_t> sizes = read(op.getStaticSizes()), strides = read(op.getStaticStrides());
  int64_t trip = 0;
  if (!op.getRound().empty()) {
    const int64_t counter = numberOf(machine, step, next), first = numberOf(machine, step, next + 1),
                  each = numberOf(machine, step, next + 2);
    trip = each ? (counter - first) / each : 0;
    next += 3;
  }
  llvm::SmallVector<int64_t> symbols;
  while (next < step.operands.size())
    symbols.push_back(numberOf(machine, step, next++));
  Tensor box(op.getType());
  box.bits = {machine.operand(step, 0).bits.front()};
  for (auto [axis, start] : llvm::enumerate(op.getStarts().getResults())) {
    box.bits.push_back(uint64_t(evaluate(start, trip, symbols)));
    box.bits.push_back(uint64_t(strides[axis]));
    box.bits.push_back(sizes[axis] < 0 && !ShapedType::isDynamic(op.getStaticSizes()[axis])
                           ? Unbounded
                           : uint64_t(sizes[axis]));
  }
  machine.setResult(step, std::move(box));
  return success();
}

/// Checks the elements of a load or store against its box, the last operand: those whose mask holds are those
/// within the array, at the box's addresses. What a load reads behind the array the box may have zeros for:
/// compiled code knows that these make no difference.
LogicalResult checkBox(Machine &machine, const Step &step, const Tensor &pointer, const Tensor *mask,
                       bool isStore) {
  const Tensor &array = machine.operand(step, unsigned(step.operands.size()) - 1);
  auto part = [&](size_t axis, Part which) { return int64_t(array.bits[1 + axis * Parts + which]); };
  const size_t axes = (array.size() - 1) / Parts;
  const llvm::ArrayRef<int64_t> shape = shapeOf(pointer.type);
  const uint64_t bytes = cast<tile::PtrType>(tile::elementTypeOf(pointer.type)).getPointeeBytes();
  for (size_t i = 0; i < pointer.size(); ++i) {
    if (pointer.isUndefined(i) || (mask && mask->isUndefined(i)))
      continue; // the access itself says what is wrong with that
    uint64_t address = array.bits[0];
    bool isInside = true;
    for (size_t axis = 0; axis < axes; ++axis) {
      const int64_t place = axis < shape.size() ? int64_t(i / strideOf(shape, axis)) % shape[axis] : 0,
                    at = part(axis, Start) + place;
      isInside &= at >= 0 && at < part(axis, Size);
      address += uint64_t(at) * uint64_t(part(axis, Stride)) * bytes;
    }
    const bool isActive = !mask || mask->bits[i] != 0, isBehind = isActive && !isInside && !isStore;
    if (!isBehind && (isActive != isInside || (isActive && address != pointer.bits[i])))
      return machine.fail(step,
                          llvm::formatv("its box, which is trusted to be what its pointers say, {0}",
                                        isActive == isInside ? "has this element elsewhere"
                                        : isActive           ? "does not have this element"
                                                   : "has this element, and the mask does not hold"),
                          pointer.type, i);
  }
  return success();
}

LogicalResult addPointer(Machine &machine, const Step &step) {
  const Tensor &pointer = machine.operand(step, 0), &offset = machine.operand(step, 1);
  const unsigned bits = Element(offset.type).bits;
  const uint64_t size = Element(tile::pointeeOf(pointer.type)).bytes();
  return computeElements(machine, step, [&](size_t i) {
    return pointer.bits[i] + uint64_t(signExtend(offset.bits[i], bits)) * size;
  });
}

LogicalResult load(Machine &machine, const Step &step) {
  auto op = cast<tile::LoadOp>(step.op);
  const Tensor &pointer = machine.operand(step, 0);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 1) : nullptr;
  const Tensor *other = op.getOther() ? &machine.operand(step, 2) : nullptr;
  if (op.getBox() && failed(checkBox(machine, step, pointer, mask, /*isStore=*/false)))
    return failure();
  return readActive(machine, step, pointer, mask, other, "load");
}

LogicalResult store(Machine &machine, const Step &step) {
  const Tensor &pointer = machine.operand(step, 0), &value = machine.operand(step, 1);
  auto op = cast<tile::StoreOp>(step.op);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 2) : nullptr;
  if (op.getBox() && failed(checkBox(machine, step, pointer, mask, /*isStore=*/true)))
    return failure();
  return writeActive(machine, step, pointer, value, mask, "store");
}

} // namespace

void addMemoryOps(HandlerTable &table) {
  addHandler<tile::AddPtrOp>(table, addPointer);
  addHandler<tile::BoxOp>(table, makeBox);
  addHandler<tile::LoadOp>(table, load);
  addHandler<tile::StoreOp>(table, store);
}

} // namespace tegula::interp
