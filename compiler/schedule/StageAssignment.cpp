#include "compiler/schedule/StageAssignment.h"

#include <queue>

using namespace mlir;

namespace tegula {

StageAssignment::Place StageAssignment::placeOf(Operation *op) const {
  auto found = places.find(op);
  return found == places.end() ? Place{StepPart::Own, last()} : found->second;
}

ModuloSchedule StageAssignment::schedule(const ScheduleProblem &problem) const {
  SmallVector<Operation *> ops; // as their places ask for
  scf::ForOp loop = problem.loop;
  for (Operation &op : loop.getBody()->without_terminator())
    ops.push_back(&op);
  llvm::stable_sort(ops, [&](Operation *a, Operation *b) { return placeOf(a) < placeOf(b); });
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (auto [rank, op] : llvm::enumerate(ops))
    ranks[op] = unsigned(rank);

  // By rank: what must run later in the same step, and how many must run before.
  SmallVector<SmallVector<unsigned, 4>> later(ops.size());
  SmallVector<unsigned> before(ops.size(), 0);
  for (const Dependence &dependence : problem.dependences)
    if (dependence.from != dependence.to && of(dependence.from) == of(dependence.to) + dependence.distance) {
      later[ranks.at(dependence.from)].push_back(ranks.at(dependence.to));
      ++before[ranks.at(dependence.to)];
    }

  ModuloSchedule schedule;
  std::priority_queue<unsigned, std::vector<unsigned>, std::greater<>> ready;
  for (unsigned rank = 0; rank < ops.size(); ++rank)
    if (!before[rank])
      ready.push(rank);
  while (!ready.empty()) {
    unsigned rank = ready.top();
    ready.pop();
    schedule.emplace_back(ops[rank], of(ops[rank]));
    for (unsigned next : later[rank])
      if (--before[next] == 0)
        ready.push(next);
  }
  // What depends on itself in a ring has no order.
  for (unsigned rank = 0; rank < ops.size(); ++rank)
    if (before[rank])
      schedule.emplace_back(ops[rank], of(ops[rank]));
  return schedule;
}

} // namespace tegula
