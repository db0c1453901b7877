#include "compiler/schedule/specialize/ProducerScalars.h"

using namespace mlir;

namespace tegula {

void ScalarSlice::add(scf::ForOp loop, scf::ForOp copy, Operation *end) {
  places[loop->getBlock()].second = copy;
  places[loop.getBody()] = {copy.getBody(), end};
  copies.map(loop.getInductionVar(), copy.getInductionVar());
}

Value ScalarSlice::get(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return copies.lookupOrDefault(value);
  SmallVector<Operation *> pending{op};
  while (!pending.empty()) {
    Operation *next = pending.back();
    const size_t before = pending.size();
    for (Value operand : next->getOperands())
      if (Operation *source = operand.getDefiningOp(); source && !copies.contains(operand))
        pending.push_back(source);
    if (pending.size() != before)
      continue;
    pending.pop_back();
    if (copies.contains(next->getResult(0)))
      continue;
    auto [block, end] = places.at(next->getBlock());
    OpBuilder builder = end ? OpBuilder(end) : OpBuilder::atBlockEnd(block);
    builder.clone(*next, copies);
  }
  return copies.lookup(value);
}

} // namespace tegula
