// Atomic accesses. Programs run one after the other, so every access is one step and ordered already.
#include "compiler/interp/machine/Access.h"
#include "compiler/interp/values/Floats.h"
#include "dialect/tile/Tile.h"

#include <algorithm>

using namespace mlir;

namespace tegula::interp {

uint64_t changedBy(tile::AtomicKind kind, Element element, uint64_t old, uint64_t value) {
  const int64_t signedOld = signExtend(old, element.bits), signedValue = signExtend(value, element.bits);
  switch (kind) {
  case tile::AtomicKind::Add:
    return (old + value) & element.mask();
  case tile::AtomicKind::FAdd:
    return encodeFloat(element.kind, decodeFloat(element.kind, old) + decodeFloat(element.kind, value));
  case tile::AtomicKind::And:
    return old & value;
  case tile::AtomicKind::Or:
    return old | value;
  case tile::AtomicKind::Xor:
    return old ^ value;
  case tile::AtomicKind::Max:
    return signedOld < signedValue ? value : old;
  case tile::AtomicKind::Min:
    return signedOld < signedValue ? old : value;
  case tile::AtomicKind::UMax:
    return std::max(old, value);
  case tile::AtomicKind::UMin:
    return std::min(old, value);
  case tile::AtomicKind::Exchange:
    return value;
  }
  return value;
}

namespace {

LogicalResult load(Machine &machine, const Step &step) {
  auto op = cast<tile::AtomicLoadOp>(step.op);
  return readActive(machine, step, machine.operand(step, 0),
                    op.getMask() ? &machine.operand(step, 1) : nullptr, nullptr, "atomic load");
}

LogicalResult store(Machine &machine, const Step &step) {
  auto op = cast<tile::AtomicStoreOp>(step.op);
  return writeActive(machine, step, machine.operand(step, 0), machine.operand(step, 1),
                     op.getMask() ? &machine.operand(step, 2) : nullptr, "atomic store");
}

LogicalResult readModifyWrite(Machine &machine, const Step &step) {
  auto op = cast<tile::AtomicRMWOp>(step.op);
  const Tensor &pointer = machine.operand(step, 0), &value = machine.operand(step, 1);
  const Tensor *mask = op.getMask() ? &machine.operand(step, 2) : nullptr;
  Tensor result(op.getType());
  const Element element(result.type);
  for (size_t i = 0; i < result.size(); ++i) {
    const FailureOr<bool> active = isActive(machine, step, mask, i);
    if (failed(active))
      return failure();
    if (!*active) {
      result.setUndefined(i);
      continue;
    }
    const FailureOr<Place> place = locate(machine, step, pointer, i, element, "atomic");
    if (failed(place) || failed(checkWritten(machine, step, value, i)))
      return failure();
    bool defined = false;
    const uint64_t old = result.bits[i] = readElement(*place, element, defined);
    if (!defined)
      result.setUndefined(i);
    const bool exchange = op.getKind() == tile::AtomicKind::Exchange;
    writeElement(machine, *place, element, changedBy(op.getKind(), element, old, value.bits[i]),
                 (defined || exchange) && !value.isUndefined(i));
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult compareAndSwap(Machine &machine, const Step &step) {
  const Tensor &pointer = machine.operand(step, 0), &compare = machine.operand(step, 1);
  const Tensor &value = machine.operand(step, 2);
  Tensor result(step.op->getResult(0).getType());
  const Element element(result.type);
  for (size_t i = 0; i < result.size(); ++i) {
    const FailureOr<Place> place = locate(machine, step, pointer, i, element, "atomic");
    if (failed(place) || failed(checkWritten(machine, step, value, i)))
      return failure();
    bool defined = false;
    result.bits[i] = readElement(*place, element, defined);
    if (!defined || compare.isUndefined(i))
      return machine.fail(step, std::string("what the atomic compares is undefined") + undefinedHint,
                          pointer.type, i);
    if (result.bits[i] == compare.bits[i])
      writeElement(machine, *place, element, value.bits[i], !value.isUndefined(i));
  }
  machine.setResult(step, std::move(result));
  return success();
}

} // namespace

void addAtomicOps(HandlerTable &table) {
  addHandler<tile::AtomicLoadOp>(table, load);
  addHandler<tile::AtomicStoreOp>(table, store);
  addHandler<tile::AtomicRMWOp>(table, readModifyWrite);
  addHandler<tile::AtomicCASOp>(table, compareAndSwap);
  addHandler<tile::BarrierOp>(table, doNothing); // every op is done before the next begins
}

} // namespace tegula::interp
