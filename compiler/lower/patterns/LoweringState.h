// What the patterns of one conversion share: the kernel's size, where a thread stands, what is known
// of each memory access, and shared memory.
#pragma once

#include "compiler/analysis/access/AccessWidths.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/lower/code/DeviceCalls.h"
#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/lower/patterns/AccessRemarks.h"
#include "compiler/lower/patterns/SignExpectations.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseSet.h"

#include <array>

namespace tegula {

struct LoweringState {
  /// Requires `allocate-shared` to have run on the kernel.
  LoweringState(mlir::ModuleOp module, mlir::func::FuncOp kernel, const SignTrust &trust);

  /// The address, in space 3, of the shared memory that `allocate-shared` gave `op`. Programs that share
  /// a block have one such place each.
  mlir::Value scratchOf(mlir::OpBuilder &builder, mlir::Operation *op);

  /// Who executes `op`. Asked here and not of the op, which stands in no kernel any more once that is
  /// lowered.
  Executor executorOf(mlir::Operation *op) const { return executors.of(op); }
  /// Where a thread stands among those that execute `op`.
  ThreadIndex &threadsOf(mlir::Operation *) { return threads; }

  Executors executors;
  unsigned programs;   ///< of a block
  unsigned warps;      ///< of a block
  ThreadIndex threads; ///< of a program
  AccessWidths widths;
  EqualRegisters equal;
  SignExpectations signs;
  llvm::DenseMap<mlir::Operation *, mlir::Value> maps; ///< each `tgpu.tensor_map` as a parameter of the kernel
  /// Of a persistent kernel: the programs along x, y and z, parameters of the kernel; else null.
  std::array<mlir::Value, 3> programCounts;
  Texts texts;
  AccessRemarks remarks;

private:
  mlir::LLVM::GlobalOp sharedArray; ///< null where no op needs shared memory
  uint32_t sharedBytes = 0;         ///< of one program
};

} // namespace tegula
