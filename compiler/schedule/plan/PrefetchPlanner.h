// Plans how the loads of a loop are prefetched.
#pragma once

#include "compiler/schedule/plan/PrefetchPlan.h"

namespace tegula {

/// The options of a plan.
struct PrefetchOptions {
  unsigned stages;       ///< at most; 2 or more
  PlannedMemory &memory; ///< of the kernel, with what is decided about other loops
  /// The loop is to go on with the slots of a producer's earlier loop, of which there are `stages`.
  bool sharesSlots = false;
  /// The loop goes on where the one before it ended: it is to run once or twice.
  bool isRest = false;
};

/// Plans `loop`.
///
/// Copies run all but one stage ahead, through a buffer with a slot for each stage; TMA makes them where it
/// can, in groups by the product that reads them first: each is waited for by itself. So are copies of
/// threads where there is room for one slot alone, and several products to fill it under. What else goes into
/// buffers is loaded one iteration ahead, kept in registers while that one computes and then stored: a double
/// buffer. Next to these, other loads run one iteration ahead too; on their own as many as there are stages
/// for. `target` is needed where there are buffers only, and so are `runs`, of loads that are not there
/// nothing being known.
Decision<PrefetchPlan> planPrefetches(mlir::scf::ForOp loop, const PrefetchOptions &options,
                                      const Target *target, const CopyRuns &runs);

} // namespace tegula
