// Remarks about the decisions on a kernel's loops.
#pragma once

#include "compiler/schedule/plan/PrefetchPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace tegula {

/// The remarks of `plan-loops` on one kernel.
class PlanRemarks {
public:
  explicit PlanRemarks(mlir::func::FuncOp kernel) : kernel(kernel) {}

  /// A wish of the author comes to nothing.
  void notHonoured(mlir::Location loc, llvm::StringRef wish, const Reason &why) const;
  /// Loads of a loop are not kept in flight, since its author asks for one stage.
  void oneStage(mlir::Location loc, const Reason &why) const;
  /// Loads of `asked` stages are not kept in flight.
  void refused(mlir::Location loc, uint32_t asked, const Reason &why) const;
  /// A load under a condition, which a product of the loop takes, is not kept in flight, if there is one.
  void conditional(mlir::scf::ForOp loop) const;
  void notSpecialized(mlir::Location loc, const Reason &why) const;
  /// Says of each load that might be a TMA load why it is not.
  void slowCopies(const PrefetchPlan &plan) const;
  void specialized(mlir::Location loc, const PrefetchPlan &plan, uint32_t asked) const;
  void pipelined(mlir::Location loc, const PrefetchPlan &plan, uint32_t asked) const;
  /// Blocks run several programs, or one.
  void persistent(mlir::Location loc, unsigned blocks, const Decision<> &persists) const;
  void kept(const std::vector<PlannedLoad> &loads) const;
  /// The assembler is told how many blocks are to share a multiprocessor.
  void occupancy(unsigned blocks) const;
  /// A product starts in the next iteration, or there are too few registers for that.
  void overlapped(mlir::Location loc, bool isOverlapped) const;

private:
  mlir::remark::RemarkOpts options(llvm::StringRef name = "pipeline") const;

  mutable mlir::func::FuncOp kernel;
};

} // namespace tegula
