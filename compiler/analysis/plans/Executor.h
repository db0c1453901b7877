// The executor of an op: which warps of a block come to it together, and where they wait for each other.
#pragma once

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace tegula {

/// The barriers of a block that the hardware numbers (`bar.sync`), all in one place so that no two uses share
/// one. There are `Target::barriersPerBlock`.
enum NamedBarrier : unsigned {
  BlockBarrier = 0,     ///< of all threads
  ComputeBarrier = 1,   ///< of the warps that compute, where others load
  FirstPartBarrier = 2, ///< of one of the equal parts of these, and the next ones of the others
};

/// A group of neighbouring warps that runs an op as one: its layouts spread tensors over these warps, its
/// shared memory is theirs, and its barriers wait for them alone.
///
/// Warps are counted within a program. Bit i of a thread's number within its executor is bit i of the lane,
/// and from `LaneBits` on of the warp.
struct Executor {
  unsigned firstWarp = 0;
  unsigned warps = 1; ///< a power of two, except all warps of a block with a producer, which hold no tensors
  unsigned barrier = BlockBarrier; ///< where the warps wait for each other: a NamedBarrier
  bool isOneThread = false;        ///< true where one thread of the first warp does it all: a producer's body

  unsigned warpBits() const;
  /// Bits of a thread's number within the executor.
  unsigned threadBits() const { return LaneBits + warpBits(); }
  /// True where waiting for the warp is waiting for all.
  bool isOneWarp() const { return warps == 1; }

  bool operator==(const Executor &) const = default;
};

/// The executors of the ops of a kernel, for passes that ask about many ops. In a function that is no kernel
/// one warp executes everything. All warps of a program execute each op, unless there is a `tgpu.producer`:
/// that has warps of its own, numbered after the consumers; all warps execute what precedes it, and the
/// consumers alone the rest.
class Executors {
public:
  explicit Executors(mlir::func::FuncOp function);

  /// Ops are known by their address, as they were when this was made: a conversion takes them out of the
  /// producer.
  Executor of(mlir::Operation *op) const;

private:
  Executor computing; ///< the warps that tensors are spread over
  Executor whole;     ///< all warps of a program
  Executor loading;
  llvm::DenseSet<mlir::Operation *> ofAll, ofProducer;
};

/// Returns the function that `op` is or is in; null where there is none.
mlir::func::FuncOp functionOf(mlir::Operation *op);

/// Returns the executor of one op, which is in a function or is one.
Executor executorOf(mlir::Operation *op);

/// Returns the attribute that makes the function a kernel that `op` is or is in; null where that is none.
tile::KernelAttr kernelOf(mlir::Operation *op);

/// Returns the functions of `module` that are kernels.
inline auto kernelsOf(mlir::ModuleOp module) {
  return llvm::make_filter_range(module.getOps<mlir::func::FuncOp>(),
                                 [](mlir::func::FuncOp function) { return bool(kernelOf(function)); });
}

/// The kernel's producer; null where it has none.
tgpu::ProducerOp producerOf(mlir::func::FuncOp kernel);

/// Returns how many blocks of a cluster at most run a program of `kernel` together; 1 where a block does by
/// itself.
unsigned blocksOfSplit(mlir::func::FuncOp kernel);
/// Returns how many blocks of a cluster run each program of `kernel` together, because its rows are spread
/// over them; else 1.
unsigned blocksOfCluster(mlir::func::FuncOp kernel);
/// Returns whether a cluster runs each program of `kernel`, for one reason or the other.
bool runsInClusters(mlir::func::FuncOp kernel);

/// Warps of a block, those of a producer and those of all programs that share it: registers are divided among
/// them.
unsigned warpsOfBlock(mlir::Operation *op);

} // namespace tegula
