// Decides which stores of products' results become TMA stores, and how the tensors get to shared memory.
//
// A product leaves its sums to threads that hold few neighbours of a row. Instead of changing that by way of
// shared memory, for the threads to store rows, they are put there as TMA takes them, and TMA stores boxes:
//
//     tensor 128x256     a column of slots, each of 128x64, filled one after another, and used again
//                        when they are read; each group of warps has rows of its own, and boxes of these
#pragma once

#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/schedule/plan/TmaAccess.h"

#include "llvm/ADT/SetVector.h"

namespace tegula {

/// The plan of how a store's tensor goes to memory.
struct TmaStorePlan {
  TmaAccess target;            ///< the array, and boxes as each part of the warps stores them
  mlir::RankedTensorType part; ///< what goes by a slot at a time, as threads have it
  tgpu::BufferType buffer;     ///< at first with as many slots as are of use
  unsigned warpParts = 1;      ///< that do not wait for each other
  bool isRepeated = false;     ///< the store is in a loop

  void setSlots(unsigned slots);
};

/// The change of layout before `store` that a TMA store does without: of a product's result, by way of
/// shared memory. Null where there is none: then a TMA store does not pay.
tile::ConvertLayoutOp conversionBefore(tile::StoreOp store);

/// Returns how the engine stores what `store`, which has an `conversionBefore`, does:
/// - it has a box;
/// - the array's base and strides, and where rows of the box begin and the array's end, are known to be
///   multiples of 16 bytes;
/// - no program and no other launch can tell when it writes: nothing else in the kernel accesses the array by
///   its parameter, and behind it there are no atomic ops, barriers, waits and the like. Accesses of
///   threads after it through another parameter wait for it: that may be the same array. TMA loads after it
///   do not: it is not known which thread would make such loads, so programs have a barrier before them if
///   they read what was stored;
/// - the tensor consists of parts that threads hold.
///
/// Whether there is room for its slots in shared memory `PlannedMemory` decides. `effects` are the kernel's.
/// With `isPersistent` it is planned for a kernel whose ops are going to stand in a loop around programs.
Decision<TmaStorePlan> planTmaStore(tile::StoreOp store, const KernelEffects &effects, bool isPersistent);

/// Returns whether stores of `kernel` may be TMA stores at all.
bool mayStoreByTma(mlir::func::FuncOp kernel);

/// Returns the ops before which the writes of `store` must be complete, since threads may access them there
/// through another parameter: that may be the same array. A loop that does so waits once for all iterations.
/// Stores of elements of another type are taken to write to another array.
llvm::SetVector<mlir::Operation *> findFollowers(tile::StoreOp store);

} // namespace tegula
