#include "compiler/schedule/pipeline/StageAssignment.h"

#include <map>
#include <queue>

using namespace mlir;

namespace tegula {

StageAssignment::Place StageAssignment::placeOf(Operation *op) const {
  auto found = places.find(op);
  return found == places.end() ? Place{StepPart::Own, last()} : found->second;
}

ModuloSchedule StageAssignment::schedule(const ScheduleProblem &problem) const {
  std::multimap<Place, Operation *> byPlace; // which keeps those of one place in the body's order
  scf::ForOp loop = problem.loop;
  for (Operation &op : loop.getBody()->without_terminator())
    byPlace.emplace(placeOf(&op), &op);
  SmallVector<Operation *> ops;
  llvm::DenseMap<Operation *, unsigned> ranks;
  for (auto [place, op] : byPlace) {
    ranks[op] = unsigned(ops.size());
    ops.push_back(op);
  }

  // Indexed by rank: the ops that must run later in the same step, and how many must run before.
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
  // Ops in a ring of dependences have no order.
  for (unsigned rank = 0; rank < ops.size(); ++rank)
    if (before[rank])
      schedule.emplace_back(ops[rank], of(ops[rank]));
  return schedule;
}

} // namespace tegula
