// The pass `place-barriers`: see Passes.td.
#include "compiler/lower/Passes.h"
#include "compiler/lower/SharedUse.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PLACEBARRIERSPASS
#include "compiler/lower/Passes.h.inc"

namespace {

/// Why a barrier must stand in front of `op`; nothing if none must.
std::optional<StringRef> conflictOf(Operation *op, const Pending &pending, unsigned warps) {
  if (auto scratch = op->getAttrOfType<tile::ScratchAttr>("tile.scratch")) {
    bool withinWarp = scratchOf(op, warps).withinWarp;
    for (Operation *reader : pending.readers) {
      auto other = reader->getAttrOfType<tile::ScratchAttr>("tile.scratch");
      // A warp that keeps to itself does so each time round a loop.
      if (other && scratch.overlaps(other) && !(withinWarp && reader == op))
        return "shared memory is written that another warp may still read";
    }
  }
  if (pending.replicatedLoad && isa<tile::StoreOp, tile::AtomicRMWOp, tile::AtomicCASOp>(op))
    return "memory is written that another warp may still have to load";
  if (pending.access && orders(op, tile::MemoryOrder::Release))
    return "one thread releases what all have accessed";
  if (pending.acquire && accessesMemory(op))
    return "all threads access what one has acquired";
  return std::nullopt;
}

struct PlaceBarriers : impl::PlaceBarriersPassBase<PlaceBarriers> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        place(kernel, attribute.getWarps());
  }

private:
  void place(func::FuncOp kernel, unsigned warps) {
    llvm::MapVector<Operation *, StringRef> barriers; // by the op that each stands in front of
    followPending(kernel, warps, [&](Operation *op, Pending &pending) {
      if (!barriers.contains(op)) {
        std::optional<StringRef> conflict = conflictOf(op, pending, warps);
        if (!conflict)
          return;
        barriers[op] = *conflict;
      }
      pending.clear();
    });
    for (auto [op, why] : barriers) {
      OpBuilder builder(op);
      tile::BarrierOp::create(builder, op->getLoc());
      remark::analysis(
          op->getLoc(),
          remark::RemarkOpts::name("barrier").category("place-barriers").function(kernel.getName()))
          << remark::add("all threads wait here") << remark::reason("{0}", why);
    }
  }
};

} // namespace
} // namespace tegula
