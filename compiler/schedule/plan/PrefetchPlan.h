// How the loads of a loop are prefetched: which, how far ahead, and where what they bring waits.
#pragma once

#include "compiler/analysis/MemoryAccess.h"
#include "compiler/schedule/plan/BulkCopies.h"
#include "compiler/schedule/plan/PrefetchCandidates.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/MapVector.h"

#include <memory>
#include <vector>

namespace tegula {

/// Bytes of shared memory for barriers, and for what is added between buffers to align them.
inline constexpr uint64_t OtherSharedBytes = 1024;

/// Where what a load brings waits for its iteration.
enum class Waiting {
  Registers, ///< where the load puts it
  Stored,    ///< the iteration before puts it from registers into a buffer
  Copied,    ///< in a buffer, without having been in registers
  Bulk,      ///< likewise, brought by the bulk copy engine
};

struct PlannedLoad {
  PrefetchableLoad ahead;
  Waiting waiting = Waiting::Registers;
  unsigned stage = 0;         ///< of the load and of what computes its address
  tgpu::LocalStoreOp store{}; ///< unless it waits in registers
  tgpu::AllocOp buffer{};     ///< likewise
  unsigned slots = 1;         ///< of the buffer
  unsigned group = 0;         ///< of copies: those of one group are waited for together, and are of one kind
  std::optional<BulkSource> source{}; ///< of a bulk copy
  std::string notBulk{};              ///< why it is none, where the kernel may have some

  /// A copy, of either kind.
  bool isCopied() const { return waiting == Waiting::Copied || waiting == Waiting::Bulk; }
};

struct PrefetchPlan {
  unsigned stages = 1;
  std::vector<PlannedLoad> loads;
  /// Ops that compute in an earlier stage than the last, and which: for a later iteration than the one that
  /// ends with a step. They are without effects or read buffers of `loads`, and what they need of the body is
  /// among them or among the loads. Beside addresses, which see to themselves.
  llvm::MapVector<mlir::Operation *, unsigned> early;
  /// Products that stay in flight until the next iteration's is started. The slots that they read are filled again
  /// behind the wait for them.
  llvm::SmallVector<tgpu::MmaOp> flights;
  /// What the coordinates of bulk copies are written in; null where there are none.
  std::shared_ptr<BoxAnalysis> boxes;
  /// Why the loop stays as it is; empty if it can be pipelined.
  std::string obstacle;
  /// Why some of the loads stay behind; empty if all run ahead.
  std::string remainder;
  /// Why there are fewer stages than asked for; empty if there are not.
  std::string limit;
  /// Registers of a thread that loads in flight take, and bytes of shared memory that the loop's buffers do.
  uint32_t registers = 0;
  uint64_t sharedBytes = 0;

  bool has(Waiting waiting) const;
  bool hasCopies() const { return has(Waiting::Copied) || has(Waiting::Bulk); }
};

/// What is known of the loads of a function that could be copied into buffers.
using CopyRuns = llvm::DenseMap<mlir::Operation *, CopyRun>;

/// What a plan is asked for.
struct PrefetchOptions {
  unsigned stages = 2; ///< at most; 2 or more
  /// Copies that are first read by different dots are waited for one after the other, not all at the start.
  bool separateGroups = false;
};

/// Plans `loop`.
///
/// Copies run all but one stage ahead, through a buffer with a slot for each stage; the bulk copy engine makes them
/// where it can, in groups by the product that reads them first: each is waited for by itself. What else goes into
/// buffers is loaded one iteration ahead, kept in registers while that one computes and then stored: a
/// double buffer. Beside these, other loads run one iteration ahead too; on their own as many as there are
/// stages for. `target` is needed where there are buffers only, and so are `runs`, of loads that are not
/// there nothing being known.
PrefetchPlan planPrefetches(mlir::scf::ForOp loop, const PrefetchOptions &options, const Target *target,
                            const CopyRuns &runs);

} // namespace tegula
