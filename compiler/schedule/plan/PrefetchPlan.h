// The loads of a loop that are prefetched: which, how far ahead, and where what they load waits.
#pragma once

#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/schedule/plan/PlannedMemory.h"
#include "compiler/schedule/plan/PrefetchCandidates.h"
#include "compiler/schedule/plan/TmaAccess.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include <vector>

namespace tegula {

/// A load that is to run ahead. It goes into a buffer unless it waits in registers.
struct PlannedLoad {
  tile::LoadOp load;
  tgpu::FetchKind by = tgpu::FetchKind::Registers;
  unsigned stage = 0;         ///< of the load and of what computes its address
  tgpu::LocalStoreOp store{}; ///< unless it waits in registers
  tgpu::AllocOp buffer{};     ///< likewise
  unsigned slots = 1;         ///< of the buffer
  unsigned group = 0;         ///< of copies: those of one group are waited for together, and are of one kind
  std::optional<TmaAccess> source{}; ///< of a TMA load
  std::optional<Reason> notTma{};    ///< why it is none, where the kernel may have some

  /// A copy, of either kind.
  bool isCopied() const { return by == tgpu::FetchKind::Async || by == tgpu::FetchKind::Tma; }
};

struct PrefetchPlan {
  unsigned stages = 1;
  std::vector<PlannedLoad> loads;
  /// Products that stay in flight until the next iteration's is started, or a product of what threads compute
  /// that does until the next iteration's first is over (`OverlapPlan.h`). The slots that they read are
  /// filled again behind the wait for them.
  llvm::SmallVector<tgpu::MmaOp> inFlight;
  /// Why some of the loads stay behind; nothing if all run ahead.
  std::optional<Reason> remainder;
  /// Why there are fewer stages than asked for; nothing if there are not.
  std::optional<Reason> limit;
  /// Each buffer has one slot, though copies run an iteration ahead: one starts when the product that reads
  /// the slot is computed, and is in flight under the iteration's other products.
  bool hasOneSlot = false;
  /// TMA brings what the program may have waited for before the loop.
  bool isBehindWait = false;
  uint32_t registers = 0;   ///< of a thread, for loads in flight
  uint64_t sharedBytes = 0; ///< of the loop's buffers

  bool has(tgpu::FetchKind by) const;
  bool hasCopies() const { return has(tgpu::FetchKind::Async) || has(tgpu::FetchKind::Tma); }
  /// Returns the shared memory of `loop`, which is planned so, with this many stages.
  LoopMemory memoryOf(mlir::scf::ForOp loop, tgpu::PipelineBy by, unsigned stages) const;
};

/// Facts about the loads of a function that could be copied into buffers.
using CopyRuns = llvm::DenseMap<mlir::Operation *, CopyRun>;

} // namespace tegula
