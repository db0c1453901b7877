#include "compiler/schedule/plan/PrefetchPlanner.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/PointerRoot.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/schedule/plan/LoadRegisters.h"
#include "dialect/layout/SharedLayout.h"

#include <algorithm>
#include <map>

using namespace mlir;

namespace tegula {

namespace {

class Planner {
public:
  Planner(scf::ForOp loop, const PrefetchOptions &options, const Target *target, const CopyRuns &runs)
      : loop(loop), options(options), asked(options.stages), target(target), runs(runs),
        registers(loop, target, runs) {}

  Decision<PrefetchPlan> run() {
    PrefetchCandidates found = findPrefetchCandidates(loop);
    if (found.loads.empty())
      return *found.obstacle;
    TRY(canPipeline());
    plan.remainder = found.obstacle;
    for (tile::LoadOp load : found.loads)
      plan.loads.push_back(classified(load));
    findTmaLoads();
    if (plan.hasCopies() || plan.has(tgpu::FetchKind::Buffer) || registers.hasDots())
      TRY(planBuffers());
    else
      TRY(planRegisters());
    return std::move(plan);
  }

private:
  Decision<> canPipeline() {
    if (loop.getUnsignedCmp())
      return because("it counts more than 32 bits without sign").fixedBy("count with int32");
    Operation *yield = loop.getBody()->getTerminator();
    for (Value value : yield->getOperands())
      if (value.getParentBlock() != loop.getBody() || !value.getDefiningOp())
        return because("a carried value is handed on as it is")
            .fixedBy("drop the variable that only holds what another one was an iteration before");
    return {};
  }

  PlannedLoad classified(tile::LoadOp load) {
    PlannedLoad planned{load};
    auto store =
        load->hasOneUse() ? dyn_cast<tgpu::LocalStoreOp>(*load->getUsers().begin()) : tgpu::LocalStoreOp();
    auto alloc = store ? store.getBuffer().getDefiningOp<tgpu::AllocOp>() : tgpu::AllocOp();
    if (!alloc || alloc.getType().getSlots() != 1 || !isOwnBuffer(alloc, store))
      return planned;
    planned.store = store;
    planned.buffer = alloc;
    planned.by = canCopyInto(alloc.getType(), load) ? tgpu::FetchKind::Async : tgpu::FetchKind::Buffer;
    return planned;
  }

  /// Finds the loads into buffers that become TMA loads.
  void findTmaLoads() {
    if (!mayUseTma(loop))
      return;
    const KernelEffects effects(loop->getParentOfType<func::FuncOp>());
    const bool mayHaveWaited = effects.waitBefore(loop);
    for (PlannedLoad &planned : plan.loads) {
      if (!planned.buffer)
        continue;
      Decision<TmaAccess> source = tmaAccessOf(planned.load, planned.buffer, effects);
      if (!source) {
        planned.notTma = source.error();
        continue;
      }
      plan.isBehindWait |= mayHaveWaited && !isConstantData(source->box.base);
      planned.source = std::move(*source);
      planned.by = tgpu::FetchKind::Tma;
    }
  }

  /// True where copies of `load` are whole in the buffer, too: facts may tell more by now than when it was
  /// laid out.
  bool canCopyInto(tgpu::BufferType buffer, tile::LoadOp load) {
    CopyRun run = runs.lookup(load);
    unsigned elementBytes = buffer.getTensor().getElementTypeBitWidth() / 8;
    return run.bytes && copyBytesInto(buffer.getLayout().getLayout(),
                                      tile::layoutOf(load.getPointer().getType()).getLayout(), run.axis,
                                      elementBytes, run.bytes) >= MinCopyBytes;
  }

  /// Returns whether the loop's body alone uses the buffer: `store` fills it, and later ops read it.
  bool isOwnBuffer(tgpu::AllocOp alloc, tgpu::LocalStoreOp store) {
    return store->getBlock() == loop.getBody() && llvm::all_of(alloc->getUsers(), [&](Operation *user) {
             return user == store || (isa<tgpu::LocalLoadOp, tgpu::MmaOp>(user) &&
                                      user->getBlock() == loop.getBody() && store->isBeforeInBlock(user));
           });
  }

  std::optional<uint64_t> iterations() {
    std::optional<APInt> count = loop.getStaticTripCount();
    return count ? std::optional(count->getLimitedValue()) : std::nullopt;
  }

  /// Loads that wait in registers, as many stages as these allow.
  Decision<> planRegisters() {
    if (iterations() && *iterations() < asked)
      return because("it runs {0} times only", *iterations()).nothingToDo();
    return registers.planStages(plan, asked);
  }

  Decision<> planBuffers() {
    registers.keepWithin(plan);
    if (plan.loads.empty())
      return *plan.remainder;
    // Without copies nothing is more than one iteration ahead.
    plan.stages = plan.hasCopies() ? asked : 2;
    if (iterations() && *iterations() < plan.stages) {
      if (*iterations() < 2)
        return because("it runs {0} times only", *iterations()).nothingToDo();
      plan.stages = unsigned(*iterations());
    }
    plan.inFlight = findProductsInFlight();
    groupCopies();
    TRY(keepWithinShared());
    for (PlannedLoad &planned : plan.loads) {
      planned.stage = planned.isCopied() ? 0 : plan.stages - 2;
      planned.slots = plan.hasOneSlot ? 1 : planned.isCopied() ? plan.stages : 2;
    }
    return {};
  }

  /// The products of the body if all may stay in flight until the next iteration: of each the sums are only
  /// carried to the next, and what it reads is copied into slots or there for the whole loop.
  SmallVector<tgpu::MmaOp> findProductsInFlight() {
    SmallVector<tgpu::MmaOp> products;
    for (Operation &op : *loop.getBody()) {
      auto product = dyn_cast<tgpu::MmaOp>(op);
      if (!product)
        continue;
      if (!mayFly(product))
        return {};
      products.push_back(product);
    }
    return products;
  }

  bool mayFly(tgpu::MmaOp product) {
    BlockArgument sums = carriedSums(product, loop);
    if (!sums || !sums.hasOneUse() || !product.getBufferA())
      return false;
    auto wait = dyn_cast<tgpu::MmaWaitOp>(*product->getUsers().begin());
    if (!wait || wait->getNumResults() != 1 || !wait.getResult(0).hasOneUse() ||
        wait.getResult(0) != loop.getTiedLoopYieldedValue(sums)->get())
      return false;
    return llvm::all_of(ArrayRef<Value>{product.getA(), product.getB()}, [&](Value buffer) {
      bool isCopied = llvm::any_of(plan.loads, [&](const PlannedLoad &planned) {
        return planned.isCopied() && planned.buffer == buffer.getDefiningOp();
      });
      return isCopied || llvm::none_of(buffer.getUsers(), [&](Operation *user) {
               return isa<tgpu::LocalStoreOp, tgpu::AsyncCopyOp>(user) && loop->isAncestor(user);
             });
    });
  }

  /// The first dot of the body that takes what is read from a buffer, counted in the order of the body.
  unsigned firstDotOf(tgpu::AllocOp buffer) {
    unsigned dots = 0;
    for (Operation &op : *loop.getBody()) {
      if (llvm::any_of(tgpu::readsOf(buffer), [&](const tgpu::BufferRead &read) { return read.op == &op; }))
        return dots;
      dots += isa<tile::DotOp, tgpu::MmaOp>(op);
    }
    return dots;
  }

  /// Copies of threads first, all of them at once unless there is one slot; then TMA loads by the dot that
  /// reads them first. Returns how many groups there are.
  unsigned groupCopies() {
    std::map<std::pair<bool, unsigned>, SmallVector<PlannedLoad *>> byDot;
    for (PlannedLoad &planned : plan.loads)
      if (planned.isCopied()) {
        bool isTma = planned.by == tgpu::FetchKind::Tma;
        byDot[{isTma, isTma || plan.hasOneSlot ? firstDotOf(planned.buffer) : 0}].push_back(&planned);
      }
    unsigned group = 0;
    for (auto &[kind, members] : byDot) {
      for (PlannedLoad *planned : members)
        planned->group = group;
      ++group;
    }
    return group;
  }

  /// Plans one slot for each buffer, two stages being too many. Returns false where that will not do: threads
  /// must copy all that goes into buffers, and read it as they compute, for several dots; under one alone no
  /// copy would be in flight.
  /// Buffers that live throughout must not cost a block: on an H200, attention of 64 by 128 with heads of 256
  /// has 1.25 times its rate on 8 warps, of which one block has room in any case, and 0.88 on 4. Where dots
  /// take all registers, and some spill, it had 0.85 to 1.03. Masks of copies ahead take registers, too: for
  /// them a perceptron spilled 48 bytes.
  bool takeOneSlot(llvm::function_ref<SharedNeed(unsigned)> needOf) {
    const bool isByThreads = llvm::all_of(plan.loads, [](PlannedLoad &planned) {
      return !planned.buffer ||
             (planned.by == tgpu::FetchKind::Async && !planned.load.getMask() &&
              llvm::all_of(tgpu::readsOf(planned.buffer),
                           [](const tgpu::BufferRead &read) { return isa<tgpu::LocalLoadOp>(read.op); }));
    });
    const uint32_t taken = registers.ofDots(), most = registerLimit(loop, *target);
    if (!isByThreads || options.isRest || taken > most + LoadRegisters::Uncertain)
      return false;
    plan.stages = 2;
    plan.hasOneSlot = true;
    const SharedNeed need = needOf(plan.stages);
    auto blocksWith = [&](uint64_t bytes) {
      return residentBlocks(warpsOfBlock(loop), std::min(taken, most), bytes, *target);
    };
    return groupCopies() > 1 && need.fits() &&
           blocksWith(need.bytes) == blocksWith(options.memory.need().bytes);
  }

  /// Takes as many stages as there is shared memory for: rather fewer than none for stores in loops around.
  Decision<> keepWithinShared() {
    if (llvm::none_of(plan.loads, [](const PlannedLoad &planned) { return bool(planned.buffer); }))
      return {};
    const auto by = options.sharesSlots ? tgpu::PipelineBy::Producer : tgpu::PipelineBy::All;
    auto needOf = [&](unsigned stages) { return options.memory.needWith(plan.memoryOf(loop, by, stages)); };
    const SharedNeed wanted = needOf(plan.stages);
    if (!wanted.hasRoom())
      plan.limit = because("{0} stages take {1} bytes of shared memory, expected at most {2}", plan.stages,
                           wanted.wanted, wanted.available)
                       .fixedBy("use a smaller `BLOCK_K`, or fewer stages");
    const std::optional<unsigned> stages =
        wanted.hasRoom() ? plan.stages : mostStages(needOf, plan.stages - 1);
    if (stages)
      plan.stages = *stages;
    else if (!takeOneSlot(needOf))
      return *plan.limit;
    for (auto [buffer, slots] : plan.memoryOf(loop, tgpu::PipelineBy::All, plan.stages).buffers)
      plan.sharedBytes += uint64_t(buffer.getType().getSlotBytes()) * slots;
    return {};
  }

  /// Returns the most stages up to `most` that there is room for; nothing if not for two.
  static std::optional<unsigned> mostStages(llvm::function_ref<SharedNeed(unsigned)> needOf, unsigned most) {
    std::optional<unsigned> fitting;
    for (unsigned stages = most; stages > 1; --stages) {
      const SharedNeed need = needOf(stages);
      if (need.hasRoom())
        return stages;
      if (need.fits() && !fitting)
        fitting = stages;
    }
    return fitting;
  }

  scf::ForOp loop;
  const PrefetchOptions &options;
  unsigned asked;
  const Target *target;
  const CopyRuns &runs;
  const LoadRegisters registers;
  PrefetchPlan plan;
};

} // namespace

Decision<PrefetchPlan> planPrefetches(scf::ForOp loop, const PrefetchOptions &options, const Target *target,
                                      const CopyRuns &runs) {
  return Planner(loop, options, target, runs).run();
}

} // namespace tegula
