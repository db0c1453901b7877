// Loops whose loads are made by producer warps (`tgpu.producer`).
//
// The loop becomes two. The producer's waits until a slot has been read, says how many bytes the slot's next
// phase expects and starts the copies; the consumers' waits for that, computes, and says that it has read.
// Both count slots and phases by themselves. No thread waits for all others, the slots are all filled ahead,
// and there is neither a prologue nor a condition on what is ahead:
//
//     producer:  for k: await empty[s] | expect full[s] | copy a, b        s = 0, 1, .., S - 1, 0, ..
//     consumers: for k: await full[s]  | product | wait for the one before | arrive empty[s - 1]
//
// A fresh barrier is in phase 0, and a wait for the phase before it returns at once: so the producer begins
// with phase 1.
//
// Consecutive loops, as attention has them for keys with and without a mask, continue with the slots of the
// first: the producer is not held up between them. Loops nested in others, as where a program has several
// tiles, keep their slots from one of those iterations to the next: the producer has copies of the loops
// around, and loads for the next tile while the consumers store the last.
//
// The gain on an H200: products whose sums are added up outside of the unit (fp8) 1.14 to 1.19 of the loop
// without, tiles in the order of rows 1.09, attention of 8 warps 1.2 to 1.4 with an overlapped product
// (products/OverlapProducts.cpp). Products in flight on tiles in an order that the caches like wait for
// nothing either way, and have 0.99 of their rate, 1.00 where the loop is nested in one over tiles; neither
// fetching the tensor maps ahead nor an earlier start of the copies changes that.
#pragma once

#include "compiler/schedule/pipeline/LoopSchedule.h"
#include "compiler/schedule/specialize/Channels.h"

namespace tegula {

/// The producer warps of a kernel, and what its loops so far left.
struct SpecializedLoops {
  tgpu::ProducerOp producer{}; ///< null where there are none
  llvm::SmallVector<Channel, 2> channels;
  llvm::SmallVector<mlir::scf::ForOp>
      around;                      ///< the producer's copies of the loops around them, the outermost first
  mlir::Value filled, read;        ///< the pipeline states of producer and consumers after the last loop
  mlir::Operation *last = nullptr; ///< the op after which that has ended
  mlir::Value hasRun{};            ///< where its last slot is not given back yet: whether it has one
};

/// Gives the loads of `loop`, all of which are `tgpu.tma_load`, to the producer that the kernel's `roles`
/// ask for; `before` are the kernel's loops, now with this one.
void specializeLoop(mlir::scf::ForOp loop, LoopSchedule &schedule, tgpu::RolesAttr roles,
                    SpecializedLoops &before);

} // namespace tegula
