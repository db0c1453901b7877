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
#pragma once

#include "compiler/schedule/PrefetchPlan.h"

namespace tegula {

/// Why the loads of `loop` stay with the warps that compute; empty where a producer may make them and it
/// pays. `plan` is the loop's, without an obstacle. `isAsked`: the author wants it (`warp_specialize`),
/// whether it pays or not.
std::string whyNotSpecialized(mlir::scf::ForOp loop, const PrefetchPlan &plan, bool isAsked);

/// Gives the loads of `loop` to the kernel's producer. Requires `whyNotSpecialized` to have no reason against
/// it.
void specializeLoop(mlir::scf::ForOp loop, PrefetchPlan &plan);

} // namespace tegula
