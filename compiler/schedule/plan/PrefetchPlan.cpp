#include "compiler/schedule/plan/PrefetchPlan.h"

using namespace mlir;

namespace tegula {

bool PrefetchPlan::has(tgpu::FetchKind by) const {
  return llvm::any_of(loads, [&](const PlannedLoad &planned) { return planned.by == by; });
}

LoopMemory PrefetchPlan::memoryOf(scf::ForOp loop, tgpu::PipelineBy by, unsigned stages) const {
  LoopMemory memory{loop, by, stages};
  for (const PlannedLoad &planned : loads) {
    if (planned.buffer)
      memory.buffers.emplace_back(planned.buffer, hasOneSlot ? 1 : planned.isCopied() ? stages : 2);
    if (planned.by == tgpu::FetchKind::Tma)
      memory.tmaGroups = std::max(memory.tmaGroups, planned.group + 1);
  }
  // Copies of threads are the first group.
  if (has(tgpu::FetchKind::Async) && memory.tmaGroups)
    --memory.tmaGroups;
  return memory;
}

} // namespace tegula
