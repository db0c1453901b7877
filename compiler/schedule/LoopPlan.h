// How the loads of a loop run ahead of it: which, how far, and where what they bring waits.
#pragma once

#include "compiler/analysis/AxisInfoAnalysis.h"
#include "compiler/schedule/LoopLoads.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

namespace tegula {

/// Where what a load brings waits for its iteration.
enum class Waiting {
  Registers, ///< where the load puts it
  Stored,    ///< the iteration before puts it from registers into a buffer
  Copied,    ///< in a buffer, without having been in registers
};

struct PlannedLoad {
  AheadLoad ahead;
  Waiting waiting = Waiting::Registers;
  unsigned stage = 0;         ///< of the load and of what computes its address
  tgpu::LocalStoreOp store{}; ///< unless it waits in registers
  tgpu::AllocOp buffer{};     ///< likewise
};

struct LoopPlan {
  unsigned stages = 1;
  llvm::SmallVector<PlannedLoad> loads;
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
};

/// Plans `loop` for up to `asked` stages, at least 2.
///
/// Copies run all but one stage ahead, through a buffer with a slot for each stage. What else goes into
/// buffers is loaded one iteration ahead, kept in registers while that one computes and then stored: two
/// slots. Beside these, other loads run one iteration ahead too; on their own as many as there are stages
/// for. `target` and `facts` are needed where there are buffers only.
LoopPlan planLoop(mlir::scf::ForOp loop, unsigned asked, const Target *target, const AxisInfoAnalysis *facts);

} // namespace tegula
