// Which stores of products' results the bulk copy engine may make, and how they get to it.
//
// A product leaves its sums to threads that hold few neighbours of a row. Instead of changing that by way of
// shared memory, for the threads to store rows, it lies there as the engine takes it, and the engine stores
// boxes:
//
//     tensor 128x256     a column of slots, each of 128x64, filled one after another, and used again
//                        when they are read; each group of warps has rows of its own, and boxes of these
#pragma once

#include "compiler/schedule/plan/BulkCopies.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace tegula {

/// How a store's tensor goes to memory.
struct BulkStorePlan {
  BulkSource target;           ///< the array, and boxes as each part of the warps stores them
  mlir::RankedTensorType part; ///< what goes by a slot at a time, as threads have it
  tgpu::BufferType buffer;
  unsigned warpParts = 1;  ///< that do not wait for each other
  bool isRepeated = false; ///< the store stands in a loop
};

/// The change of layout in front of `store` that a bulk store does without: of a product's result, by way of
/// shared memory. Null where there is none: then a bulk store does not pay.
tile::ConvertLayoutOp exchangeBefore(tile::StoreOp store);

/// Returns how the engine stores what `store`, which has an `exchangeBefore`, does:
/// - it has a box;
/// - the array's base and strides, and where rows of the box begin and the array's end, are known to be
///   multiples of 16 bytes;
/// - nobody in or outside of the kernel knows when it writes: nothing else in the kernel accesses the
///   array by its parameter, and there are no atomic ops, barriers, waits for other launches and the like.
///   What threads access behind it through another parameter waits for it: that may be the same array. What
///   the engine loads behind it does not: of such loads nobody knows which thread would make them, so
///   programs have a barrier in front of them if they read what was stored;
/// - the tensor consists of parts that threads hold, and for which there is room in shared memory: no more
///   is taken than by the exchange, but for buffers that are free by then.
///
/// With `isPersistent` it is planned for a kernel whose ops are going to stand in a loop round programs.
Decision<BulkStorePlan> planBulkStore(tile::StoreOp store, bool isPersistent = false);

/// Whether stores of `kernel` may go by the engine at all.
bool mayStoreInBulk(mlir::func::FuncOp kernel);

/// What the engine will store, as far as the need of shared memory goes.
struct StoresAhead {
  llvm::SmallPtrSet<mlir::Operation *, 4> exchanges; ///< that go with their stores
  uint64_t bytes = 0;                                ///< of the buffers in their place
};

/// Plans the stores in `op`, all of which stand in a loop or, with `isPersistent`, are going to.
StoresAhead storesAhead(mlir::Operation *op, bool isPersistent = false);

/// Bytes of the buffers of stores in loops in front of `outermost`, an op of the kernel's body: the engine
/// may read them until the kernel ends.
uint64_t bytesOfStoresBefore(mlir::Operation *outermost);

/// The ops in front of which what `store` writes must be there, since threads may access it behind them
/// through another parameter: that may be the same array. Of a loop that does so all iterations are behind
/// one wait. Stores of elements of another type are taken to write to another array.
llvm::SetVector<mlir::Operation *> findFollowers(tile::StoreOp store);

} // namespace tegula
