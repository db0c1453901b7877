// Producer warps, and what passes between them and the consumers.
#include "compiler/interp/machine/Coroutine.h"
#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula::interp {

LogicalResult Coroutine::run() {
  if (ended)
    return result;
  machine.swapValues(values);
  running = true;
  if (thread.isStarted())
    thread.goOn();
  else
    thread.start([this] {
      result = machine.run(code);
      ended = !thread.isCancelled();
    });
  running = false;
  machine.swapValues(values);
  return result;
}

LogicalResult Machine::letOthersRun(const Step &step) {
  if (producer && producer->isRunning())
    return producer->wait();
  const uint64_t before = changes;
  if (producer && failed(producer->run()))
    return failure();
  if (changes != before)
    return success();
  return fail(step, "a phase is awaited that never ends: nothing else can run");
}

LogicalResult Machine::endCoroutine(const Step &last) {
  if (!producer)
    return success();
  if (failed(producer->run()))
    return failure();
  return producer->hasEnded() ? success()
                              : fail(last, "the program ends while the warps that load still wait");
}

namespace {

LogicalResult produce(Machine &machine, const Step &step) {
  ++machine.changes;
  machine.start(*step.bodies.front());
  return machine.producer->run();
}

} // namespace

void addProducerOps(HandlerTable &table) { addHandler<tgpu::ProducerOp>(table, produce); }

} // namespace tegula::interp
