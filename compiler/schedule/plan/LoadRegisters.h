// The registers of a thread that loads in flight may take.
#pragma once

#include "compiler/schedule/plan/PrefetchPlan.h"

namespace tegula {

/// Decides which loads of a loop, and of how many iterations, there are registers for.
class LoadRegisters {
public:
  /// Registers by which the assembler may stay below an estimate.
  static constexpr uint32_t Uncertain = 16;

  LoadRegisters(mlir::scf::ForOp loop, const Target *target, const CopyRuns &runs)
      : loop(loop), target(target), runs(runs) {}

  bool hasDots() const;
  /// Returns what dots take, with operands that they read from buffers part after part.
  uint32_t ofDots() const;
  /// Plans loads that all wait in registers, for as many of `asked` stages as these allow.
  Decision<> planStages(PrefetchPlan &plan, unsigned asked) const;
  /// Takes loads through registers that there are no registers for out of `plan`. Operands of dots may have
  /// more than dots leave: to wait for them in each iteration costs more than to spill a little. By elements
  /// they take many, all that dots leave: products of odd sides in tiles of 128 by 128 on 4 warps spilled 2
  /// KiB a thread, and have twice the rate where they wait (H200).
  void keepWithin(PrefetchPlan &plan) const;

private:
  bool isByElements(PlannedLoad &planned) const;
  /// Returns what dots leave.
  uint32_t left() const;

  mutable mlir::scf::ForOp loop;
  const Target *target;
  const CopyRuns &runs;
};

} // namespace tegula
