// The stage of a pipelined loop in which each op of its body works, and the order in which a step runs them.
#pragma once

#include "compiler/schedule/pipeline/ModuloSchedule.h"

#include "llvm/ADT/DenseMap.h"

namespace tegula {

/// A part of a step. Within one, ops of earlier stages come first, and then the order is the body's.
enum class StepPart {
  Begin, ///< waits, and the point after them where all threads have done the step before
  Ahead, ///< what works for later iterations
  Own,   ///< what works for the iteration that ends with the step
  End,   ///< stores for later iterations of what was loaded in `Ahead`: they wait for the loads
};

/// The stages of a body's ops. What has not been given one is in the last stage.
class StageAssignment {
public:
  /// Begins with nothing assigned, for a loop of `stages` stages.
  explicit StageAssignment(unsigned stages) : stages(stages) {}

  unsigned last() const { return stages - 1; }

  /// Puts `op` into `stage`: in the part of a step that this implies, or another one.
  void set(mlir::Operation *op, unsigned stage) { set(op, stage, partOf(stage)); }
  void set(mlir::Operation *op, unsigned stage, StepPart part) { places[op] = {part, stage}; }
  /// `op` is about to be erased.
  void forget(mlir::Operation *op) { places.erase(op); }

  bool isSet(mlir::Operation *op) const { return places.contains(op); }
  unsigned of(mlir::Operation *op) const { return placeOf(op).second; }

  /// The ops of the problem's loop in an order that keeps its dependences within a step and, as far as those
  /// allow, goes by the parts. Where stages break a dependence, or ops of a step depend on each other in a
  /// ring, no order is right: `checkSchedule` tells.
  ModuloSchedule schedule(const ScheduleProblem &problem) const;

private:
  using Place = std::pair<StepPart, unsigned>; ///< part and stage

  StepPart partOf(unsigned stage) const { return stage < last() ? StepPart::Ahead : StepPart::Own; }
  Place placeOf(mlir::Operation *op) const;

  unsigned stages;
  llvm::DenseMap<mlir::Operation *, Place> places;
};

} // namespace tegula
