// Loops whose loads are made by warps of their own (`tgpu.producer`).
//
// The loop becomes two. The producer's waits until a slot has been read, says what the slot's next phase
// brings and starts the copies; the other waits for that, computes, and says that it has read. Both count
// slots and phases by themselves. No thread waits for all others, the slots are all filled ahead, and there
// is neither a prologue nor a condition on what is ahead:
//
//     producer:  for k: await empty[s] | expect full[s] | copy a, b        s = 0, 1, .., S - 1, 0, ..
//     others:    for k: await full[s]  | product | wait for the one before | arrive empty[s - 1]
//
// A fresh barrier is in phase 0, and whoever awaits the phase before goes on: so the producer begins with
// parity 1.
//
// Loops behind one another, as attention has them for keys with and without a mask, go on with the slots of
// the first: the producer is not held up between them. A loop in others, as where a program has several
// tiles, does so as they come round: the producer has copies of them, and loads for the next tile while the
// others store the last.
//
// What it is worth, on an H200: products whose sums are added up outside of the unit (fp8) 1.14 to 1.19 of
// the loop without, tiles in the order of rows 1.09, attention of 8 warps 1.2 to 1.4 with a late product
// (products/OverlapProducts.cpp). Products in flight on tiles in an order that the caches like wait for
// nothing either way, and have 0.99 of their rate, 1.00 where the loop stands in one over tiles; neither
// fetching the tensor maps ahead nor an earlier start of the copies changes that.
#pragma once

#include "compiler/schedule/pipeline/LoopSchedule.h"

namespace tegula {

/// The slot that an iteration has, and the parity of the phase that it waits for.
struct Turn {
  mlir::Value slot, parity;
};

/// The barriers of what is filled and read together, one a slot.
struct Channel {
  mlir::Value full, empty;
};

/// The warps of a kernel that only load, and what its loops so far left.
struct SpecializedLoops {
  tgpu::ProducerOp producer{}; ///< null where there are none
  llvm::SmallVector<Channel, 2> channels;
  Turn filled, read;               ///< behind the last loop
  mlir::Operation *last = nullptr; ///< behind which that has ended
  mlir::Value hasRun{};            ///< where its last slot is not given back yet: whether it has one
};

/// Gives the loads of `loop`, all of which are `tgpu.bulk_load`, to the producer that the kernel's `roles`
/// ask for; `before` are the kernel's loops, now with this one.
void specializeLoop(mlir::scf::ForOp loop, LoopSchedule &schedule, tgpu::RolesAttr roles,
                    SpecializedLoops &before);

} // namespace tegula
