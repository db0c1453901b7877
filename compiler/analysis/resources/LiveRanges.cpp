#include "compiler/analysis/resources/LiveRanges.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

namespace {

/// Adds the dot that alone takes what `load` reads, or its transposition, and so may read it part by part.
void addDotOf(tgpu::LocalLoadOp load, SmallVectorImpl<Operation *> &users) {
  Operation *op = load;
  do {
    if (!op->hasOneUse())
      return;
    op = *op->user_begin();
  } while (isa<tile::TransOp>(op));
  if (isa<tile::DotOp>(op) && op->getBlock() == load->getBlock())
    users.push_back(op);
}

/// The uses that a buffer has; with `areDotsSplit` also by dots of what is loaded from it.
class PresentUses : public BufferUses {
public:
  PresentUses(tgpu::AllocOp alloc, const KernelOrder &order, bool areDotsSplit)
      : users(alloc->getUsers().begin(), alloc->getUsers().end()), order(order) {
    if (areDotsSplit)
      for (Operation *user : alloc->getUsers())
        if (auto load = dyn_cast<tgpu::LocalLoadOp>(user))
          addDotOf(load, users);
  }

  ArrayRef<Operation *> ops() const override { return users; }

  bool isStarted(Operation *op) const override {
    const tile::AsyncStep step = tile::asyncStepOf(op);
    return step.starts() && step.isCounted();
  }

  std::optional<unsigned> endOfFlight(Operation *op, Operation *started) const override {
    const tile::AsyncStep step = tile::asyncStepOf(op);
    return step.awaits(tile::asyncStepOf(started).kind) && step.pending == 0
               ? std::optional(order.placeOf(op))
               : std::nullopt;
  }

private:
  SmallVector<Operation *> users;
  const KernelOrder &order;
};

LoopLikeOpInterface loopAround(Operation *op) { return op->getParentOfType<LoopLikeOpInterface>(); }

/// The innermost loop around all `ops`; null where there is none.
LoopLikeOpInterface commonLoop(ArrayRef<Operation *> ops) {
  LoopLikeOpInterface loop = ops.empty() ? LoopLikeOpInterface() : loopAround(ops.front());
  for (Operation *op : ops)
    while (loop && !loop->isAncestor(op))
      loop = loopAround(loop);
  return loop;
}

/// Returns `op`, or the outermost loop in `block` that contains it.
Operation *outermostIn(Block *block, Operation *op) {
  Operation *outermost = op;
  for (Operation *around = op; around != block->getParentOp(); around = around->getParentOp())
    if (isa<LoopLikeOpInterface>(around))
      outermost = around;
  return outermost;
}

} // namespace

KernelOrder::KernelOrder(func::FuncOp kernel, bool isPlanned, bool isPersistent)
    : body(&kernel.getBody().front()), isPlanned(isPlanned), isPersistent(isPersistent) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    positions[op] = count;
    for (Operation *around = op; around; around = around->getParentOp())
      last[around] = count;
    ++count;
  });
}

LiveRange KernelOrder::liveRangeOf(const BufferUses &uses) const {
  LoopLikeOpInterface loop = commonLoop(uses.ops());
  if (auto counted = dyn_cast_if_present<scf::ForOp>(loop ? loop.getOperation() : nullptr))
    if (std::optional<LiveRange> live = liveRangeIn(uses, counted.getBody(), /*isLoop=*/true))
      return *live;
  if (isPersistent && loop)
    return whole();
  return liveRangeIn(uses, body, isPersistent).value_or(whole());
}

LiveRange KernelOrder::liveRangeOf(tgpu::AllocOp alloc) const {
  return liveRangeOf(PresentUses(alloc, *this, /*areDotsSplit=*/isPlanned));
}

LiveRange KernelOrder::aheadOf(Operation *loop) const {
  auto around = loopAround(loop);
  if (!around || isa<scf::ForOp>(around.getOperation()))
    return in(loop);
  return isPersistent ? whole() : in(outermostIn(body, loop));
}

LiveRange KernelOrder::untilAfter(Operation *loop) const {
  return isPersistent ? whole() : LiveRange{0, last.at(outermostIn(body, loop))};
}

/// Returns where a buffer lives in `block`, and in all of a loop there in which it is used; nothing where
/// what was started is not waited for in a block of a loop. The kernel's end is waited for.
std::optional<LiveRange> KernelOrder::liveRangeIn(const BufferUses &uses, Block *block, bool isLoop) const {
  LiveRange live{count, 0};
  for (Operation *user : uses.ops()) {
    const LiveRange top = in(outermostIn(block, user));
    live = {std::min(live.first, top.first), std::max(live.last, top.last)};
    if (!uses.isStarted(user))
      continue;
    std::optional<unsigned> wait = waitFor(uses, user, block);
    if (!wait && isLoop)
      return std::nullopt;
    live.last = std::max(live.last, wait.value_or(count));
  }
  return live;
}

/// The end of what `started` began, by the first op that surely waits for it, in its block or one around it
/// up to `block`; nothing if none does.
std::optional<unsigned> KernelOrder::waitFor(const BufferUses &uses, Operation *started, Block *block) const {
  for (Operation *around = started;; around = around->getParentOp()) {
    for (Operation *op = around->getNextNode(); op; op = op->getNextNode())
      if (std::optional<unsigned> end = uses.endOfFlight(op, started))
        return end;
    if (around->getBlock() == block)
      return std::nullopt;
  }
}

} // namespace tegula
