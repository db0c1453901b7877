// State shared by the patterns of one conversion: the kernel's size, a thread's place, what is known of each
// memory access, and shared memory.
#pragma once

#include "compiler/analysis/access/AccessWidths.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/lower/code/DeviceCalls.h"
#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/lower/patterns/AccessRemarks.h"
#include "compiler/lower/patterns/SignExpectations.h"
#include "compiler/plan/RoundTripPlan.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "llvm/ADT/DenseSet.h"

#include <array>

namespace tegula {

/// The scalar that an element of `type` (a tensor or scalar) becomes.
mlir::Type loweredElementType(mlir::Type type);

/// A tensor whose layout has N registers becomes N scalars, `!tile.ptr` becomes `!llvm.ptr<1>`, a float of 8
/// bits becomes an i8, a buffer its address in shared memory, sums in flight the registers that a unit adds
/// to, a pipeline state its slot and phase; every other type stays.
class TileTypeConverter : public mlir::TypeConverter {
public:
  TileTypeConverter();
};

struct LoweringState {
  /// Requires `allocate-shared` to have run on the kernel.
  LoweringState(mlir::ModuleOp module, mlir::func::FuncOp kernel, const SignTrust &trust);

  /// The address, in space 3, of the shared memory that `allocate-shared` gave `op`. Programs that share
  /// a block have one such place each.
  mlir::Value scratchOf(mlir::OpBuilder &builder, mlir::Operation *op);

  /// Returns the executor of `op`. Asked here and not of the op, which is in no kernel any more once that is
  /// lowered.
  Executor executorOf(mlir::Operation *op) const { return executors.of(op); }
  /// Returns the place of a thread among those that execute `op`.
  ThreadIndex &threadsOf(mlir::Operation *) { return threads; }

  /// Returns, for each register that a thread has of a tensor of one axis with `layout`, its place along
  /// that, for `op`.
  llvm::SmallVector<mlir::Value> placesOf(mlir::OpBuilder &builder, mlir::Operation *op,
                                          const LinearLayout &layout);

  /// Sends the registers of tensors through the shared memory of `op`, each to its place there and back.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  exchange(mlir::OpBuilder &builder, mlir::Operation *op,
           llvm::ArrayRef<llvm::SmallVector<mlir::Value>> tensors, llvm::ArrayRef<RoundTripPlan> plans,
           llvm::ArrayRef<uint32_t> places);

  /// Returns whether each program is run by a cluster.
  bool runsInClusters() const { return isSplit || isSpread; }
  bool mayBeInCluster() const { return runsInClusters() || hasPairs; }

  TileTypeConverter types;
  Executors executors;
  unsigned programs;   ///< of a block
  unsigned warps;      ///< of a block
  bool isSplit;        ///< programs are run by the blocks of a cluster each, whose number a launch chooses
  bool isSpread;       ///< likewise, and the kernel has chosen
  bool hasPairs;       ///< neighbouring blocks may be a cluster, and run a program each
  ThreadIndex threads; ///< of a program
  AccessWidths widths;
  EqualRegisters equal;
  SignExpectations signs;
  llvm::DenseMap<mlir::Operation *, mlir::Value> maps; ///< each `tgpu.tensor_map`, a kernel parameter
  mlir::Value firstProgram;                            ///< along x, of the launch; null where that is 0
  /// The programs along x, y and z of a persistent kernel, parameters of the kernel; else null.
  std::array<mlir::Value, 3> programCounts;
  Texts texts;
  AccessRemarks remarks;

private:
  mlir::LLVM::GlobalOp sharedArray; ///< null where no op needs shared memory
  uint32_t sharedBytes = 0;         ///< of one program
};

} // namespace tegula
