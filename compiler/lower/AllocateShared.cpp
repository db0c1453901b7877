// The pass `allocate-shared`: see Passes.td.
#include "compiler/lower/Passes.h"
#include "compiler/lower/SharedUse.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "compiler/lower/Passes.h.inc"

namespace {

/// Shared memory that a block may use to save barriers: little enough that as many blocks fit on a
/// multiprocessor as without (228 KiB for at most 32 blocks).
constexpr uint32_t BytesForPlacesApart = 4096;

/// The widest access.
constexpr uint32_t Alignment = 16;

struct Buffer {
  uint32_t bytes = 0;
  llvm::SmallSetVector<Operation *, 4> apartFrom; ///< ops that may run next to this one
  tile::ScratchAttr place;
};

struct AllocateShared : impl::AllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        allocate(kernel, attribute.getWarps());
  }

private:
  using Buffers = llvm::MapVector<Operation *, Buffer>;

  void allocate(func::FuncOp kernel, unsigned warps) {
    Buffers buffers;
    uint32_t limit = BytesForPlacesApart;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      op->removeAttr("tile.scratch");
      if (uint32_t bytes = scratchBytes(op, warps)) {
        buffers[op].bytes = bytes;
        limit = std::max(limit, bytes);
      }
    });
    if (buffers.empty())
      return;
    followPending(kernel, warps, [&](Operation *op, Pending &pending) {
      auto found = buffers.find(op);
      if (found == buffers.end())
        return;
      for (Operation *reader : pending.readers)
        if (reader != op) {
          found->second.apartFrom.insert(reader);
          buffers[reader].apartFrom.insert(op);
        }
    });
    for (auto &[op, buffer] : buffers) {
      buffer.place = placeOf(buffer, buffers, limit);
      op->setAttr("tile.scratch", buffer.place);
    }
  }

  /// The lowest place apart from those that matter, as far as they have one.
  tile::ScratchAttr placeOf(const Buffer &buffer, Buffers &buffers, uint32_t limit) {
    auto at = [&](uint32_t offset) { return tile::ScratchAttr::get(&getContext(), offset, buffer.bytes); };
    SmallVector<tile::ScratchAttr> others;
    for (Operation *op : buffer.apartFrom)
      if (tile::ScratchAttr place = buffers[op].place)
        others.push_back(place);
    llvm::sort(others,
               [](tile::ScratchAttr a, tile::ScratchAttr b) { return a.getOffset() < b.getOffset(); });
    tile::ScratchAttr place = at(0);
    for (tile::ScratchAttr other : others)
      if (place.overlaps(other))
        place = at(uint32_t(llvm::alignTo(other.getOffset() + other.getBytes(), Alignment)));
    return place.getOffset() + place.getBytes() <= limit ? place : at(0);
  }
};

} // namespace
} // namespace tegula
