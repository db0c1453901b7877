// Decisions about a loop, written into the IR for the passes that carry them out.
#pragma once

#include "compiler/schedule/plan/SpecializationPlan.h"

namespace tegula {

/// Writes `plan` on `loop`, whose loads `by` says who makes: `tgpu.pipeline` on the loop, `tgpu.fetch` on its
/// loads, `tgpu.overlap` on products that stay in flight. TMA loads become `tgpu.tma_load`, and buffers get
/// their slots.
void writeDecisions(mlir::scf::ForOp loop, PrefetchPlan &plan, tgpu::PipelineBy by);

/// Returns whether it is decided that a producer makes the loads of `loop`.
bool isByProducer(mlir::scf::ForOp loop);

/// Makes `tgpu.tma_load`s of `loads`, which are in no loop.
void writeKeptLoads(std::vector<PlannedLoad> &loads);

/// Lets the loads of `plan` fill the buffers of the loops `before`, which they fit.
void shareBuffers(PrefetchPlan &plan, const PlannedRoles &before);

/// Writes `tgpu.roles`: what `how` asks of the kernel's warps in addition to what earlier loops asked for.
void writeRoles(mlir::func::FuncOp kernel, const Specialization &how);

} // namespace tegula
