// Warps that only load, and what passes between them and the others.
#include "compiler/interp/machine/Beside.h"
#include "compiler/interp/machine/Machine.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula::interp {

Beside::Beside(Machine &machine, const Code &code, std::vector<Tensor> values)
    : machine(machine), values(std::move(values)), thread([this, &code] { begin(code); }) {}

Beside::~Beside() {
  isAborted = true;
  mayRun.release();
  thread.join();
}

void Beside::begin(const Code &code) {
  mayRun.acquire();
  if (isAborted)
    return;
  result = machine.run(code);
  if (isAborted)
    return;
  ended = true;
  mayReturn.release();
}

void Beside::swapValues() { machine.swapValues(values); }

LogicalResult Beside::run() {
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

LogicalResult Beside::wait() {
  mayReturn.release();
  mayRun.acquire();
  return failure(isAborted);
}

LogicalResult Machine::letOthersRun(const Step &step) {
  if (beside && beside->isRunning())
    return beside->wait();
  const uint64_t before = changes;
  if (beside && failed(beside->run()))
    return failure();
  if (changes != before)
    return success();
  return fail(step, "a phase is awaited that never ends: nothing else can run");
}

LogicalResult Machine::endBeside(const Step &last) {
  if (!beside)
    return success();
  if (failed(beside->run()))
    return failure();
  return beside->hasEnded() ? success() : fail(last, "the program ends while the warps that load still wait");
}

namespace {

LogicalResult produce(Machine &machine, const Step &step) {
  ++machine.changes;
  machine.start(*step.bodies.front());
  return machine.beside->run();
}

} // namespace

void addProducerOps(HandlerTable &table) { addHandler<tgpu::ProducerOp>(table, produce); }

} // namespace tegula::interp
