// TMA copies, and the barriers whose phases end with them.
#include "compiler/interp/machine/Access.h"
#include "compiler/interp/machine/Boxes.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::interp {
namespace {

/// A map is its base, its sizes and its strides: what the launch would be told.
LogicalResult makeMap(Machine &machine, const Step &step) {
  auto op = cast<tgpu::TensorMapOp>(step.op);
  Tensor result(
      RankedTensorType::get({int64_t(step.operands.size())}, IntegerType::get(op.getContext(), 64)));
  for (unsigned i = 0; i < step.operands.size(); ++i) {
    const Tensor &part = machine.operand(step, i);
    const bool isWord = part.type.isInteger(32);
    result.bits[i] = isWord ? uint64_t(signExtend(part.bits.front(), 32)) : part.bits.front();
  }
  machine.setResult(step, std::move(result));
  return success();
}

LogicalResult makeBarriers(Machine &machine, const Step &step) {
  auto op = cast<tgpu::BarriersOp>(step.op);
  machine.setResult(step,
                    Tensor::scalar(IntegerType::get(op.getContext(), 64), machine.shared.barriers.size()));
  machine.shared.barriers.emplace_back(op.getResult().getType().getSlots());
  return success();
}

std::vector<Phases> &barriersOf(Machine &machine, const Step &step, unsigned operand) {
  return machine.shared.barriers[machine.operand(step, operand).bits.front()];
}

LogicalResult begin(Machine &machine, const Step &step) {
  ++machine.changes;
  for (Phases &barrier : barriersOf(machine, step, 0)) {
    if (barrier.isLive)
      return machine.fail(step, "barriers begin that have not ended");
    barrier = Phases{.isLive = true};
  }
  return success();
}

LogicalResult end(Machine &machine, const Step &step) {
  ++machine.changes;
  for (Phases &barrier : barriersOf(machine, step, 0)) {
    if (!barrier.isLive || barrier.expected || !barrier.copies.empty())
      return machine.fail(step, "barriers end that copies were to arrive at");
    barrier.isLive = false;
  }
  return success();
}

/// The barrier that operands `first` and the next, barriers and a slot, name.
FailureOr<Phases *> barrierOf(Machine &machine, const Step &step, unsigned first) {
  std::vector<Phases> &barriers = barriersOf(machine, step, first);
  const Tensor &slot = machine.operand(step, first + 1);
  if (slot.isUndefined(0) || slot.bits.front() >= barriers.size())
    return machine.fail(step, llvm::formatv("expected a barrier from 0 to {0}", barriers.size() - 1));
  Phases &barrier = barriers[slot.bits.front()];
  if (!barrier.isLive)
    return machine.fail(step, "a barrier is used that has not begun");
  return &barrier;
}

/// Returns whether a condition holds.
FailureOr<bool> holds(Machine &machine, const Step &step, unsigned operand) {
  const Tensor &condition = machine.operand(step, operand);
  if (failed(machine.checkDefined(step, condition, "the condition of a copy")))
    return failure();
  return condition.bits.front() != 0;
}

/// The barrier that operands 0 and 1 name; null where there is a condition, operand 2, that does not hold.
FailureOr<Phases *> barrierIf(Machine &machine, const Step &step, bool isConditional) {
  const FailureOr<bool> condition = isConditional ? holds(machine, step, 2) : true;
  if (failed(condition))
    return failure();
  return *condition ? barrierOf(machine, step, 0) : static_cast<Phases *>(nullptr);
}

/// Reads what the copy is of, and leaves the buffer as it is.
LogicalResult copy(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::TmaCopyOp>(step.op);
  const size_t axes = op.getStart().size();
  unsigned next = unsigned(1 + axes);
  if (op.getCondition()) {
    const FailureOr<bool> condition = holds(machine, step, next++);
    if (failed(condition) || !*condition)
      return condition;
  }
  const size_t number = size_t(machine.operand(step, next).bits.front());
  const FailureOr<size_t> slot = freeSlot(machine, step, next + 1, machine.shared.buffers[number], "write");
  if (failed(slot))
    return failure();
  const FailureOr<Phases *> barrier = barrierOf(machine, step, next + 2);
  if (failed(barrier))
    return failure();
  const tgpu::BufferType type = op.getBuffer().getType();
  const Element element(type.getElementType());
  const BlockPlaces places = placesInBox(machine, step, 0, 1, axes, type);
  FailureOr<Copy> started =
      beginCopy(machine, step, places.addresses, &places.inside, number, *slot, element);
  if (failed(started))
    return failure();
  (*barrier)->bytes += uint64_t(places.addresses.size()) * element.bytes();
  (*barrier)->copies.push_back(std::move(*started));
  return success();
}

LogicalResult expect(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::BarrierExpectOp>(step.op);
  const FailureOr<Phases *> found = barrierIf(machine, step, bool(op.getCondition()));
  if (failed(found) || !*found)
    return found;
  Phases *barrier = *found;
  if (barrier->expected)
    return machine.fail(step, "a phase that no thread has awaited is expected again");
  barrier->expected = op.getBytes();
  return success();
}

/// Completes the phase of a barrier, whose bytes are all there.
LogicalResult completePhase(Machine &machine, Phases &barrier) {
  for (const Copy &copied : barrier.copies)
    if (failed(complete(machine, copied, cast<tgpu::TmaCopyOp>(copied.step->op).getBuffer().getType())))
      return failure();
  barrier = Phases{.isLive = true, .phase = barrier.phase + 1, .next = barrier.next};
  return success();
}

/// Awaits phases one after the other. Only the warps that fill slots may begin with the one before the first:
/// no warp has read then.
LogicalResult await(Machine &machine, const Step &step) {
  ++machine.changes;
  const FailureOr<Phases *> found = barrierOf(machine, step, 0);
  if (failed(found))
    return failure();
  Phases *barrier = *found;
  const int64_t parity = int64_t(machine.operand(step, 2).bits.front() & 1);
  const bool isOfProducer = machine.producer && machine.producer->isRunning();
  if (!barrier->next)
    barrier->next = isOfProducer && parity ? -1 : 0;
  if (parity != (*barrier->next & 1))
    return machine.fail(step, "a phase is awaited that was awaited before: its slot may be another's by now");
  while (*barrier->next == barrier->phase) {
    if (barrier->expected && *barrier->expected == barrier->bytes) {
      if (failed(completePhase(machine, *barrier)))
        return failure();
    } else if (!machine.producer) {
      return machine.fail(step, llvm::formatv("a phase of {0} bytes is awaited that expects {1}",
                                              barrier->bytes, barrier->expected.value_or(0)));
    } else if (failed(machine.letOthersRun(step))) {
      return failure();
    }
  }
  ++*barrier->next;
  return success();
}

/// The warps that compute are one to the interpreter: they arrive all at once.
LogicalResult arrive(Machine &machine, const Step &step) {
  ++machine.changes;
  auto op = cast<tgpu::BarrierArriveOp>(step.op);
  const FailureOr<Phases *> found = barrierIf(machine, step, bool(op.getCondition()));
  if (failed(found) || !*found)
    return found;
  Phases *barrier = *found;
  if (barrier->phase > barrier->next.value_or(-1))
    return machine.fail(step, "a slot is said to be read that was not filled since it was said before");
  ++barrier->phase;
  return machine.producer ? machine.producer->run() : success();
}

} // namespace

void addTmaOps(HandlerTable &table) {
  addHandler<tgpu::TensorMapOp>(table, makeMap);
  addHandler<tgpu::BarriersOp>(table, makeBarriers);
  addHandler<tgpu::BarriersInitOp>(table, begin);
  addHandler<tgpu::BarriersEndOp>(table, end);
  addHandler<tgpu::TmaCopyOp>(table, copy);
  addHandler<tgpu::BarrierExpectOp>(table, expect);
  addHandler<tgpu::BarrierWaitOp>(table, await);
  addHandler<tgpu::BarrierArriveOp>(table, arrive);
}

} // namespace tegula::interp
