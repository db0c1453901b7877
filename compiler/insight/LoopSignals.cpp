#include "compiler/insight/LoopSignals.h"

#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula::insight {

LoopSignals::Progress LoopSignals::progressOf(mlir::Value slot) {
  Progress found;
  auto part = slot.getDefiningOp<tgpu::PipelineSlotOp>();
  if (!part)
    return found;
  // A loop adds as many slots to the state of who fills as to that of who reads: what it begins with tells
  // the two apart.
  found.root = part.getState();
  while (true) {
    if (auto next = found.root.getDefiningOp<tgpu::PipelineNextOp>()) {
      ++found.slots;
      found.root = next.getState();
    } else if (auto previous = found.root.getDefiningOp<tgpu::PipelinePreviousOp>()) {
      --found.slots;
      found.root = previous.getState();
    } else if (auto loop = found.root.getDefiningOp<scf::ForOp>()) {
      found.root = loop.getInits()[cast<OpResult>(found.root).getResultNumber()];
    } else if (auto argument = dyn_cast<BlockArgument>(found.root);
               argument && isa<scf::ForOp>(argument.getOwner()->getParentOp())) {
      found.root = cast<scf::ForOp>(argument.getOwner()->getParentOp()).getTiedLoopInit(argument)->get();
    } else {
      return found;
    }
  }
}

void LoopSignals::meet(Meeting::Kind kind, mlir::Value barriers, mlir::Value slot, uint32_t step,
                       uint32_t group) {
  meetings.push_back({kind, step, group, barriers, progressOf(slot)});
}

void LoopSignals::add(Operation *op, uint32_t step, uint32_t group) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tgpu::TmaCopyOp copy) {
        meet(Meeting::Fills, copy.getBarriers(), copy.getPhaseSlot(), step, group);
      })
      .Case([&](tgpu::BarrierExpectOp expect) {
        meet(Meeting::Fills, expect.getBarriers(), expect.getPhaseSlot(), step, group);
      })
      .Case([&](tgpu::BarrierArriveOp arrive) {
        meet(Meeting::Frees, arrive.getBarriers(), arrive.getPhaseSlot(), step, group);
      })
      .Case([&](tgpu::BarrierWaitOp wait) {
        meet(Meeting::Waits, wait.getBarriers(), wait.getPhaseSlot(), step, group);
      })
      .Case([&](tgpu::AsyncCopyOp) { copies.push_back({step, commits}); })
      .Case([&](tgpu::AsyncCommitOp) { ++commits; })
      .Case([&](tgpu::AsyncWaitOp wait) { waits.push_back({step, commits, wait.getPending()}); });
}

/// Counts from the slot that the group's iteration is about: the one furthest ahead that it waits for.
int64_t LoopSignals::slotsAhead(const Meeting &meeting) const {
  std::optional<int64_t> furthest;
  for (const Meeting &other : meetings)
    if (other.kind == Meeting::Waits && other.group == meeting.group &&
        other.progress.root == meeting.progress.root)
      furthest = std::max(furthest.value_or(other.progress.slots), other.progress.slots);
  return meeting.progress.root && furthest ? meeting.progress.slots - *furthest : 0;
}

void LoopSignals::findAtBarriers(std::vector<LoopSignal> &found) const {
  for (const Meeting &wait : meetings)
    for (const Meeting &arrival : meetings) {
      if (wait.kind != Meeting::Waits || arrival.kind == Meeting::Waits || wait.barriers != arrival.barriers)
        continue;
      const bool isFull = arrival.kind == Meeting::Fills;
      // A slot that has been read is filled again when all others have been.
      const int64_t slots = isFull ? 0 : cast<tgpu::BarriersType>(wait.barriers.getType()).getSlots();
      const int64_t later = slotsAhead(arrival) - slotsAhead(wait) + slots;
      found.push_back(
          {arrival.step, wait.step, isFull ? "full" : "empty", uint32_t(std::max<int64_t>(0, later))});
    }
}

void LoopSignals::findOfGroups(std::vector<LoopSignal> &found) const {
  if (!commits)
    return;
  for (const AsyncWait &wait : waits)
    for (const AsyncCopy &copy : copies) {
      // Group `commit + j * commits` is waited for once `pending` groups more were made, in iteration j +
      // later.
      const int64_t more = int64_t(copy.commit) + wait.pending + 1 - wait.commits;
      const int64_t later = more <= 0 ? 0 : (more + commits - 1) / commits;
      found.push_back({copy.step, wait.step, "full", uint32_t(later)});
    }
}

std::vector<LoopSignal> LoopSignals::find() const {
  std::vector<LoopSignal> found;
  findAtBarriers(found);
  findOfGroups(found);
  return found;
}

} // namespace tegula::insight
