#include "compiler/schedule/pipeline/ModuloSchedule.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace tegula {

ScheduleProblem::ScheduleProblem(scf::ForOp loop) : loop(loop) {
  Block *body = loop.getBody();
  Operation *yield = body->getTerminator();
  for (Operation &op : body->without_terminator())
    op.walk([&](Operation *inside) {
      for (Value operand : inside->getOperands()) {
        if (auto argument = dyn_cast<BlockArgument>(operand);
            argument && argument.getOwner() == body && argument != loop.getInductionVar()) {
          Operation *from =
              yield->getOperand(argument.getArgNumber() - loop.getNumInductionVars()).getDefiningOp();
          if (from && from->getBlock() == body)
            add(from, &op, 1, "a carried value");
        } else if (Operation *from = operand.getDefiningOp(); from && from->getBlock() == body) {
          add(from, &op, 0, "a value");
        }
      }
    });
}

void ScheduleProblem::keepEffectsInOrder(llvm::function_ref<bool(Operation *)> isOrderedElsewhere) {
  Operation *first = nullptr, *last = nullptr;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (isMemoryEffectFree(&op) || isOrderedElsewhere(&op))
      continue;
    if (last)
      add(last, &op, 0, "effects keep their order");
    first = first ? first : &op;
    last = &op;
  }
  if (first != last)
    add(last, first, 1, "effects keep their order");
}

Decision<> checkSchedule(const ScheduleProblem &problem, const ModuloSchedule &schedule) {
  llvm::DenseMap<Operation *, std::pair<uint64_t, uint64_t>> times; // stage and order
  for (auto [order, entry] : llvm::enumerate(schedule))
    if (!times.try_emplace(entry.first, entry.second, order).second)
      return because("expected each op once, found a second `{0}`", entry.first->getName());
  scf::ForOp loop = problem.loop;
  for (Operation &op : loop.getBody()->without_terminator())
    if (!times.contains(&op))
      return because("expected each op, found none for `{0}`", op.getName());
  for (const Dependence &dependence : problem.dependences) {
    auto from = times.lookup(dependence.from), to = times.lookup(dependence.to);
    to.first += dependence.distance;
    if (from >= to)
      return because("expected `{0}` before `{1}` {2} iterations later, found stages {3} and {4}: {5}",
                     dependence.from->getName(), dependence.to->getName(), dependence.distance, from.first,
                     to.first - dependence.distance, dependence.reason);
  }
  return {};
}

} // namespace tegula
