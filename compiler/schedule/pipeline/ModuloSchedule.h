// A modulo schedule: which iteration of a loop each op of its body works for. A problem, a solution, and a
// check of one by the other.
//
// A loop of S stages does in its step t what an op of stage s does for iteration t - s. So an op of stage 0
// is S - 1 iterations ahead of one of stage S - 1, and within a step ops run in the order of the schedule.
// What must come before what is a dependence: `from` of iteration i before `to` of iteration i + distance,
// for all i. That holds where, counted in steps and then in the order,
//
//     (stage(from), order(from))  <  (stage(to) + distance, order(to))
//
// Values are dependences of distance 0, carried values of distance 1. A buffer of n slots is read before it
// is written n iterations later: from the read to the write at distance n. All fit the one rule.
#pragma once

#include "compiler/analysis/Decision.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// `from` of each iteration runs before `to` of the iteration `distance` later.
struct Dependence {
  mlir::Operation *from, *to;
  unsigned distance;
  llvm::StringRef reason; ///< for the message of a check that fails
};

/// The dependences in the body of a loop: which op must come before which.
class ScheduleProblem {
public:
  /// The dependences of values, those that ops in regions use included.
  explicit ScheduleProblem(mlir::scf::ForOp loop);

  void add(mlir::Operation *from, mlir::Operation *to, unsigned distance, llvm::StringRef reason) {
    dependences.push_back({from, to, distance, reason});
  }

  /// Ops with effects keep their order, around the loop too, except those that `isOrderedElsewhere`.
  void keepEffectsInOrder(llvm::function_ref<bool(mlir::Operation *)> isOrderedElsewhere);

  mlir::scf::ForOp loop;
  llvm::SmallVector<Dependence> dependences;
};

/// Ops of a loop's body in the order in which a step runs them, with their stages.
using ModuloSchedule = std::vector<std::pair<mlir::Operation *, unsigned>>;

/// Checks that `schedule` names each op of the body once and keeps all dependences.
Decision<> checkSchedule(const ScheduleProblem &problem, const ModuloSchedule &schedule);

} // namespace tegula
