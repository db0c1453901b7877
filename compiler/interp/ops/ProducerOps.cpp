// Producer warps, and what passes between them and the consumers.
#include "compiler/interp/machine/Coroutine.h"
#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula::interp {

Coroutine::Coroutine(Machine &machine, const Code &code, std::vector<Tensor> values)
    : machine(machine), values(std::move(values)), thread([this, &code] { begin(code); }) {}

Coroutine::~Coroutine() {
  isAborted = true;
  mayRun.release();
  thread.join();
}

void Coroutine::begin(const Code &code) {
  mayRun.acquire();
  if (isAborted)
    return;
  result = machine.run(code);
  if (isAborted)
    return;
  ended = true;
  mayReturn.release();
}

void Coroutine::swapValues() { machine.swapValues(values); }

LogicalResult Coroutine::run() {
  if (ended)
    return result;
  swapValues();
  running = true;
  mayRun.release();
  mayReturn.acquire();
  running = false;
  swapValues();
  return result;
}

LogicalResult Coroutine::wait() {
  mayReturn.release();
  mayRun.acquire();
  return failure(isAborted);
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
