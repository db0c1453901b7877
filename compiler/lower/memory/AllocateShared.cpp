// The pass `allocate-shared`: see Passes.td.
#include "compiler/analysis/AuthorError.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/lower/Passes.h"
#include "compiler/lower/memory/PendingAccesses.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

#include <functional>
#include <limits>
#include <map>
#include <tuple>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "compiler/lower/Passes.h.inc"

namespace {

/// The alignment of what programs of a block have each: the widest access.
constexpr uint64_t ProgramAlignment = 16;

/// From one op to another, as they are counted through the kernel.
struct Interval {
  unsigned first = 0, last = 0;
  bool overlaps(const Interval &other) const { return first <= other.last && other.first <= last; }
};

/// In which order places are given.
enum class Rank { Buffer, Moment, Barriers };

struct Allocation {
  uint64_t bytes = 0;
  uint64_t alignment = 1;
  Rank rank = Rank::Moment; ///< what an op needs itself is needed for a moment
  Interval live;
  llvm::SmallSetVector<Operation *, 4> apartFrom; ///< ops that may run next to this one
  std::optional<uint64_t> offset;

  uint64_t end() const { return *offset + bytes; }
  bool overlaps(uint64_t begin, uint64_t size) const { return begin < end() && *offset < begin + size; }
};

/// The ops of a kernel counted in the order of their text.
class Order {
public:
  explicit Order(func::FuncOp kernel) {
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      positions[op] = count;
      for (Operation *around = op; around; around = around->getParentOp())
        last[around] = count;
      ++count;
    });
  }

  Interval at(Operation *op) const { return {positions.at(op), positions.at(op)}; }
  /// The kernel from end to end: what barriers count goes on between their uses.
  Interval whole() const { return {0, count}; }

  /// Returns the interval from the first use of a buffer to its last; copies into it are in flight until all
  /// are waited for, and so are products that read it and stores that go by it.
  ///
  /// A loop around all uses fills the buffer anew in each iteration: what lives longer is filled ahead,
  /// before the loop. There the buffer lives for a part of the body, unless something is in flight where that
  /// ends.
  Interval liveRangeOf(tgpu::AllocOp alloc) const {
    Block *around = commonLoopBody(alloc);
    std::optional<Interval> inLoop = around ? liveRangeIn(alloc, around) : std::nullopt;
    return inLoop ? *inLoop : *liveRangeIn(alloc, alloc->getBlock());
  }

private:
  /// The body of the innermost loop around all uses of `alloc`; null where there is none.
  static Block *commonLoopBody(tgpu::AllocOp alloc) {
    auto loopAround = [](Operation *op) { return op->getParentOfType<LoopLikeOpInterface>(); };
    LoopLikeOpInterface loop;
    for (Operation *user : alloc->getUsers()) {
      if (!loop)
        loop = loopAround(user);
      while (loop && !loop->isAncestor(user))
        loop = loopAround(loop);
      if (!loop)
        return nullptr;
    }
    auto counted = dyn_cast_if_present<scf::ForOp>(loop ? loop.getOperation() : nullptr);
    return counted ? counted.getBody() : nullptr;
  }

  /// Returns `op`, or the outermost loop in `block` that contains it.
  static Operation *outermostIn(Block *block, Operation *op) {
    Operation *outermost = op;
    for (Operation *around = op; around != block->getParentOp(); around = around->getParentOp())
      if (isa<LoopLikeOpInterface>(around))
        outermost = around;
    return outermost;
  }

  /// Returns where `alloc` lives in `block`, and in all of a loop there in which it is used; nothing where
  /// what was started is not waited for in a block of a loop. The kernel's end is waited for.
  std::optional<Interval> liveRangeIn(tgpu::AllocOp alloc, Block *block) const {
    const bool isLoop = isa<LoopLikeOpInterface>(block->getParentOp());
    Interval live{count, 0};
    for (Operation *user : alloc->getUsers()) {
      Operation *top = outermostIn(block, user);
      live = {std::min(live.first, positions.at(top)), std::max(live.last, last.at(top))};
      if (!isStarted(user))
        continue;
      Operation *wait = waitFor(user, block);
      if (!wait && isLoop)
        return std::nullopt;
      live.last = std::max(live.last, wait ? positions.at(wait) : count);
    }
    return live;
  }

  /// Returns whether waits say when what `op` starts is done. Barriers of other work live throughout the
  /// kernel.
  static bool isStarted(Operation *op) {
    const tile::AsyncStep step = tile::asyncStepOf(op);
    return step.starts() && step.isCounted();
  }

  /// Returns whether `op` waits for all that was started like `started`.
  static bool waitsFor(Operation *op, Operation *started) {
    const tile::AsyncStep step = tile::asyncStepOf(op);
    return step.awaits(tile::asyncStepOf(started).kind) && step.pending == 0;
  }

  /// The first op that surely waits for `started`, in its block or one around it up to `block`; null if none
  /// does.
  static Operation *waitFor(Operation *started, Block *block) {
    for (Operation *around = started;; around = around->getParentOp()) {
      for (Operation *op = around->getNextNode(); op; op = op->getNextNode())
        if (waitsFor(op, started))
          return op;
      if (around->getBlock() == block)
        return nullptr;
    }
  }

  llvm::DenseMap<Operation *, unsigned> positions;
  llvm::DenseMap<Operation *, unsigned> last; ///< position of the last op inside, the op itself included
  unsigned count = 0;
};

struct AllocateShared : impl::AllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        if (failed(allocate(kernel, attribute)))
          return signalPassFailure();
  }

private:
  using Allocations = llvm::MapVector<Operation *, Allocation>;

  LogicalResult allocate(func::FuncOp kernel, tile::KernelAttr attribute) {
    Allocations all = collect(kernel);
    if (all.empty())
      return success();
    // First fit leaves gaps, in one order here and in another there. What does not fit in any is told of the
    // first.
    for (Tie tie : {Tie::AsTheyCome, Tie::Earlier, Tie::Longer, Tie::AsTheyCome}) {
      place(all, tie, targetOf(kernel));
      if (bytesOf(all, attribute) <= mostBytes(kernel))
        break;
    }
    if (failed(fits(kernel, attribute, all)))
      return failure();
    for (auto &[op, allocation] : all)
      op->setAttr("tile.scratch", tile::ScratchAttr::get(&getContext(), uint32_t(*allocation.offset),
                                                         uint32_t(allocation.bytes)));
    return success();
  }

  /// The order in which two buffers get their places: of two of one size first the one that comes first in
  /// the text, or is used first; or, of any size, the one that lives longer.
  enum class Tie { AsTheyCome, Earlier, Longer };

  /// Buffers first, mostly the largest first: they are what lives long. Barriers, which are few bytes and
  /// live throughout, last: between two others they would part what several need one after the other.
  static void place(Allocations &all, Tie tie, const Target *target) {
    std::multimap<std::tuple<Rank, uint64_t, uint64_t>, Operation *>
        order; // which keeps equal ones as they come
    for (auto &[op, allocation] : all) {
      allocation.offset.reset();
      const Interval live = allocation.live;
      std::tuple<Rank, uint64_t, uint64_t> key{allocation.rank, 0, 0};
      if (allocation.rank == Rank::Buffer)
        key = {Rank::Buffer, tie == Tie::Longer ? ~uint64_t(live.last - live.first) : ~allocation.bytes,
               tie == Tie::AsTheyCome ? 0 : live.first};
      order.emplace(key, op);
    }
    uint64_t limit = bytesForPlacesApart(target);
    SmallVector<const Allocation *> placed;
    for (auto [key, op] : order) {
      Allocation &allocation = all.find(op)->second;
      allocation.offset = placeOf(allocation, all, placed, limit);
      placed.push_back(&allocation);
      limit = std::max(limit, allocation.rank == Rank::Buffer ? allocation.end() : allocation.bytes);
    }
  }

  /// Returns the bytes that all programs of a block take.
  static uint64_t bytesOf(const Allocations &all, tile::KernelAttr attribute) {
    uint64_t end = 0;
    for (auto &[op, allocation] : all)
      end = std::max(end, allocation.end());
    return attribute.getPrograms() * llvm::alignTo(end, ProgramAlignment);
  }

  /// Returns the bytes that a block has; the most that any target has where none is meant.
  static uint64_t mostBytes(func::FuncOp kernel) {
    if (const Target *target = targetOf(kernel))
      return target->maxSharedPerBlock;
    uint64_t most = 0;
    for (const Target &any : allTargets())
      most = std::max<uint64_t>(most, any.maxSharedPerBlock);
    return most;
  }

  /// Returns the shared memory that a block may use to save barriers; what every target has where none is
  /// meant.
  static uint64_t bytesForPlacesApart(const Target *target) {
    if (target)
      return target->sharedAtFullOccupancy();
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (const Target &any : allTargets())
      least = std::min<uint64_t>(least, any.sharedAtFullOccupancy());
    return least;
  }

  /// Collects the ops that need shared memory, and those from which each had better be apart.
  static Allocations collect(func::FuncOp kernel) {
    Allocations all;
    std::optional<Order> order;
    MemoryUses uses(kernel);
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
      op->removeAttr("tile.scratch");
      Scratch scratch = uses.scratches.of(op);
      if (!scratch.bytes)
        return;
      if (!order)
        order.emplace(kernel);
      Allocation &allocation = all[op];
      allocation.bytes = scratch.bytes;
      allocation.alignment = scratch.alignment;
      auto alloc = dyn_cast<tgpu::AllocOp>(op);
      allocation.rank = alloc ? Rank::Buffer : scratch.isBuffer ? Rank::Barriers : Rank::Moment;
      allocation.live = alloc ? order->liveRangeOf(alloc) : scratch.isBuffer ? order->whole() : order->at(op);
    });
    if (all.size() < 2)
      return all;
    followPending(kernel, uses, [&](Operation *op, Pending &pending) {
      auto found = all.find(op);
      if (found == all.end())
        return;
      for (Operation *reader : pending.readers)
        if (auto other = all.find(reader); reader != op && other != all.end()) {
          found->second.apartFrom.insert(reader);
          other->second.apartFrom.insert(op);
        }
    });
    return all;
  }

  /// The lowest place apart from all that live at the same time and, where that is below `limit`, from those
  /// whose reads may not be done. `placed` are those that have a place.
  static uint64_t placeOf(const Allocation &allocation, const Allocations &all,
                          ArrayRef<const Allocation *> placed, uint64_t limit) {
    SmallVector<const Allocation *> others;
    for (const Allocation *other : placed)
      if (allocation.live.overlaps(other->live))
        others.push_back(other);
    size_t besides = others.size();
    for (Operation *op : allocation.apartFrom)
      if (const Allocation &other = all.find(op)->second; other.offset)
        others.push_back(&other);
    uint64_t place = lowestApartFrom(others, allocation);
    others.truncate(besides);
    return place + allocation.bytes <= limit ? place : lowestApartFrom(others, allocation);
  }

  static uint64_t lowestApartFrom(SmallVector<const Allocation *> others, const Allocation &allocation) {
    llvm::sort(others, [](const Allocation *a, const Allocation *b) { return *a->offset < *b->offset; });
    uint64_t place = 0;
    for (const Allocation *other : others)
      if (other->overlaps(place, allocation.bytes))
        place = llvm::alignTo(other->end(), allocation.alignment);
    return place;
  }

  /// An error that names each allocation where they are too much for the target.
  LogicalResult fits(func::FuncOp kernel, tile::KernelAttr attribute, const Allocations &all) {
    const Target *target = targetOf(kernel);
    const uint64_t most = mostBytes(kernel), total = bytesOf(all, attribute);
    if (total <= most)
      return success();
    // An allocation that lives as long as the kernel, after all others, tells nothing of those that are too
    // much.
    const Allocation *telling = nullptr;
    for (auto &[op, allocation] : all)
      if (allocation.rank != Rank::Barriers && (!telling || allocation.end() > telling->end()))
        telling = &allocation;
    bool hasStages = llvm::any_of(all, [](auto &entry) {
      auto alloc = dyn_cast<tgpu::AllocOp>(entry.first);
      return alloc && alloc.getType().getSlots() > 1;
    });
    InFlightDiagnostic error =
        emitAuthorError(kernel.getLoc(), hasStages ? llvm::StringLiteral("use smaller tiles or fewer stages")
                                                   : llvm::StringLiteral("use smaller tiles"));
    error << "kernel `" << kernel.getName() << "` needs " << total << " bytes of shared memory, "
          << (target ? llvm::Twine("`") + llvm::StringRef(target->name) + "`" : llvm::Twine("no target"))
          << " has " << (target ? "" : "more than ") << most << " for a block";
    attachResource(error, "shared memory", total, most);
    if (attribute.getPrograms() > 1)
      error.attachNote() << attribute.getPrograms() << " programs share a block, each with what follows";
    std::multimap<uint64_t, Operation *, std::greater<>> together; // by size
    for (auto &[op, allocation] : all)
      if (!telling || allocation.live.overlaps(telling->live))
        together.emplace(allocation.bytes, op);
    for (auto [bytes, op] : together)
      describe(error.attachNote(op->getLoc()), op) << ": " << bytes << " bytes";
    return failure();
  }

  /// Sides and elements, `64x32xf16`: authors know no layouts.
  static std::string spelled(RankedTensorType type) {
    std::string text = "`";
    llvm::raw_string_ostream stream(text);
    for (int64_t side : type.getShape())
      stream << side << "x";
    stream << type.getElementType() << "`";
    return text;
  }

  static Diagnostic &describe(Diagnostic &note, Operation *op) {
    if (auto alloc = dyn_cast<tgpu::AllocOp>(op)) {
      note << "a buffer for ";
      if (alloc.getType().getSlots() > 1)
        note << alloc.getType().getSlots() << " times ";
      return note << spelled(alloc.getType().getTensor());
    }
    if (isa<tgpu::BarriersOp>(op))
      return note << "barriers of TMA copies";
    if (auto convert = dyn_cast<tile::ConvertLayoutOp>(op)) {
      return note << "threads exchange " << spelled(cast<RankedTensorType>(convert.getType()));
    }
    return note << "threads exchange what `" << op->getName() << "` needs";
  }
};

} // namespace
} // namespace tegula
