// Decides about the loops of one kernel.
#pragma once

#include "compiler/schedule/plan/LoopDecisions.h"
#include "compiler/schedule/plan/PlanRemarks.h"
#include "compiler/schedule/plan/SpecializationPlan.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace tegula {

/// Plans the loops of one kernel, one after the other: each has what those before it left.
class LoopPlanner {
public:
  LoopPlanner(mlir::func::FuncOp kernel, const Target *target, const CopyRuns &runs)
      : kernel(kernel), target(target), runs(runs), remarks(kernel) {}

  /// Says which wishes of the author come to nothing: tuning by them would measure noise. Whether `flatten`
  /// does is not known yet.
  void reportIgnored(mlir::scf::ForOp loop);
  /// Says that loads of `loop` wait for each other, where it loads tensors and is no wait for other programs.
  void reportWhile(mlir::scf::WhileOp loop);
  /// Decides about `loop`, of which `asked` iterations are to be in flight at a time.
  void plan(mlir::scf::ForOp loop, uint32_t asked);
  /// Decides what goes on from one program to the next, when all loops are planned.
  void finish();

private:
  /// Lets `loop` go on with the slots of the producer's earlier loop that stands in the same loop around it:
  /// there these are in use throughout, and slots of its own may not fit next to them. Returns false where it
  /// does not.
  bool goesOn(mlir::scf::ForOp loop, PlannedMemory &memory, uint32_t asked, bool isAsked);
  /// Returns `plan` without the loads that wait in registers. Under products that start together there is
  /// time for threads to make these when they need them.
  static PrefetchPlan withoutRegisters(PrefetchPlan plan);
  /// Reports that a loop has one stage, where its author chose so: a loop without products has one by
  /// default.
  void reportOneStage(mlir::scf::ForOp loop, bool isAsked);
  void reportRefusal(mlir::Location loc, bool isAsked, const Reason &why);
  void specialize(mlir::scf::ForOp loop, PrefetchPlan &plan, const Specialization &how, uint32_t asked);
  /// Lets blocks run several programs, where that can be.
  void persist(mlir::scf::ForOp loop, const Specialization &how);
  /// Lets the producer make the loads of the next `program` whose operands are kept in it.
  void keep(mlir::Block &program);
  /// A producer that goes on from one loop to the next is what `flatten` is for.
  void reportFlattened() const;
  /// Lets the second of two products stay in flight until the next iteration's first is waited for, where
  /// that takes no registers that another block would need to hide what is left.
  void keepLateProduct(mlir::scf::ForOp loop, PrefetchPlan &plan, PlannedMemory &memory);
  /// Tells the assembler how many blocks are to share a multiprocessor, where it would by itself take a few
  /// registers too many for the last of them.
  void tellOccupancy();
  /// Lets a product start in the next iteration, where it can and there are registers for that.
  void overlap(mlir::scf::ForOp loop, const PrefetchPlan &plan, const Specialization &how);

  mlir::func::FuncOp kernel;
  const Target *target;
  const CopyRuns &runs;
  const PlanRemarks remarks;
  PlannedRoles roles;
  std::optional<std::pair<mlir::scf::ForOp, Specialization>>
      first;       ///< of the kernel's own that a producer loads for
  mlir::Value end; ///< of the last loop of which loads run ahead: where it counts to
  /// The loop at hand goes on where that one ended. What is left there, keys under a mask, are one or two
  /// iterations, with nothing that a product could be computed under: on an H200 causal attention is 1 to 25%
  /// quicker where none is late.
  bool isRest = false;
  llvm::DenseSet<mlir::Location> told, refused; ///< loops of the source, of which one may have become several
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Location>>
      flattened; ///< which the author wants to be one with the one inside
};

} // namespace tegula
