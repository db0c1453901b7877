#include "compiler/distribute/ClusterBarriers.h"

#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/effects/MemoryOrder.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

bool isMeeting(Operation &op) { return isa<tgpu::ClusterGatherOp, tgpu::ClusterBarrierOp>(op); }

namespace {

bool anyMeeting(Block::iterator begin, Block::iterator end) { return std::any_of(begin, end, isMeeting); }

/// Returns the op of `block` that `op` is, or is in.
Operation *ancestorIn(Block *block, Operation *op) { return block->findAncestorOpInBlock(*op); }

/// Returns whether blocks surely meet between `op` and the end of `block`, which contains it.
bool meetAfter(Operation *op, Block *block) {
  for (;; op = op->getParentOp()) {
    if (anyMeeting(std::next(op->getIterator()), op->getBlock()->end()))
      return true;
    if (op->getBlock() == block)
      return false;
  }
}

bool meetBefore(Operation *op, Block *block) {
  for (;; op = op->getParentOp()) {
    if (anyMeeting(op->getBlock()->begin(), op->getIterator()))
      return true;
    if (op->getBlock() == block)
      return false;
  }
}

/// Returns whether `a` and `b` are computed in the same way from the same values.
bool areSamePointers(Value a, Value b) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second && isa<tile::AddPtrOp, tile::SplatOp>(first) &&
         first->getName() == second->getName() &&
         llvm::all_of(llvm::zip_equal(first->getOperands(), second->getOperands()),
                      [](auto pair) { return areSamePointers(std::get<0>(pair), std::get<1>(pair)); });
}

class BarrierPlacer {
public:
  BarrierPlacer(func::FuncOp kernel, const llvm::DenseSet<Operation *> &ofRows)
      : kernel(kernel), ofRows(ofRows) {
    const KernelEffects effects(kernel);
    for (const auto &[op, what] : effects.all())
      if (what.access)
        accesses.push_back({op, what.access.address, what.parameter(), what.access.writes});
  }

  void run() {
    for (const Access &later : accesses)
      for (const Access &earlier : accesses)
        if (earlier.writes != later.writes && mayBeOfOneArray(earlier, later))
          order(earlier, later);
    // A block may still read what the next gather overwrites.
    SmallVector<Block *> repeated;
    kernel.walk([&](tgpu::ClusterGatherOp gather) {
      if (gather->getParentOfType<LoopLikeOpInterface>() && !llvm::is_contained(repeated, gather->getBlock()))
        repeated.push_back(gather->getBlock());
    });
    for (Block *block : repeated)
      if (llvm::count_if(*block, isMeeting) == 1)
        meetBeforeOp(block->getTerminator());
  }

private:
  struct Access {
    Operation *op;
    Value address, parameter; ///< the latter null where it is not known
    bool writes;
  };

  static bool mayBeOfOneArray(const Access &a, const Access &b) {
    return !a.parameter || !b.parameter || a.parameter == b.parameter;
  }

  void order(const Access &earlier, const Access &later) {
    if (comesAfter(later.op, earlier.op) && !areOfSameElements(earlier, later)) {
      Block *block = later.op->getBlock();
      while (!ancestorIn(block, earlier.op))
        block = block->getParentOp()->getBlock();
      orderIn(block, earlier.op, later.op);
    }
    for (auto loop = later.op->getParentOfType<LoopLikeOpInterface>(); loop;
         loop = loop->getParentOfType<LoopLikeOpInterface>()) {
      if (!loop->isAncestor(earlier.op))
        continue;
      Block *body = &loop.getLoopRegions().front()->front();
      if (!meetAfter(earlier.op, body) && !meetBefore(later.op, body))
        meetBeforeOp(body->getTerminator());
    }
  }

  /// Returns whether a block accesses by `later` no elements but those that it has accessed by `earlier`.
  bool areOfSameElements(const Access &earlier, const Access &later) const {
    return ofRows.contains(earlier.op) && ofRows.contains(later.op) &&
           areSamePointers(earlier.address, later.address);
  }

  /// Orders two ops of which the one comes after the other in `block`.
  void orderIn(Block *block, Operation *earlier, Operation *later) {
    Operation *from = ancestorIn(block, earlier), *to = ancestorIn(block, later);
    const bool meet = anyMeeting(std::next(from->getIterator()), to->getIterator()) ||
                      (from != earlier && meetAfter(earlier, earlier->getBlock())) ||
                      (to != later && meetBefore(later, later->getBlock()));
    if (!meet)
      meetBeforeOp(to);
  }

  void meetBeforeOp(Operation *op) {
    OpBuilder builder(op);
    tgpu::ClusterBarrierOp::create(builder, op->getLoc());
  }

  func::FuncOp kernel;
  const llvm::DenseSet<Operation *> &ofRows;
  SmallVector<Access> accesses;
};

} // namespace

void addClusterBarriers(func::FuncOp kernel, const llvm::DenseSet<Operation *> &ofRows) {
  BarrierPlacer(kernel, ofRows).run();
}

} // namespace tegula
