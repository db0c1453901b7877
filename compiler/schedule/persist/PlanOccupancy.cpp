// The pass `plan-occupancy`: Passes.td says what it is for.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/RegisterCount.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/persist/LoadPressure.h"
#include "compiler/schedule/persist/Rematerialization.h"
#include "compiler/target/Target.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PLANOCCUPANCYPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// The registers that a thread needs for more than the live values: addresses, masks, what is being computed.
/// With 24 ptxas spilled in one of five variants of softmax and layernorm; with 32 only where four warps
/// share a long row, and two registers in softmax of 32,768 bf16 on 16 warps.
constexpr uint32_t OtherRegisters = 32;
/// Registers are given out in steps of so many a thread.
constexpr uint32_t RegisterStep = 8;
/// The threads of a multiprocessor that hide each other's waiting: on an H200, layernorm of 16,384 bf16 runs
/// at 0.98 of the copy rate with 1024 of them and at 0.65 with 512, and more gain nothing.
constexpr uint32_t EnoughThreads = 1024;

/// The number of blocks from which on one more or less matters little, and the assembler is left alone: what
/// it is denied may end in spills.
constexpr uint32_t ManyBlocks = 4;

/// Registers besides what is loaded and summed up in a loop, for as many threads as keep a multiprocessor
/// busy.
constexpr uint32_t OtherOfLoads = 16;

class OccupancyPlanner {
public:
  OccupancyPlanner(func::FuncOp function, const Target &target)
      : function(function), target(target), threads(target.warpSize * warpsOfBlock(function)) {
    // In a loop over rows the author has said how many programs there are, and their loads overlap already.
    for (auto reduce : function.getBody().front().getOps<tile::ReduceOp>())
      reductions.push_back(reduce);
  }

  void run() {
    if (!shareByReductions())
      shareByLoads();
  }

private:
  /// Lets blocks share a multiprocessor by what lives across reductions. False where the assembler is left
  /// alone.
  bool shareByReductions() {
    // An instruction of warp groups may need more registers than a share would leave it.
    if (reductions.empty() || hasOp<tgpu::MmaOp>(function))
      return false;
    uint32_t loaded = registersLoadedLast();
    uint32_t before = 0, after = 0;
    for (tile::ReduceOp reduce : reductions) {
      Rematerialization remat(reduce);
      before = std::max(before, remat.registersBefore());
      after = std::max(after, remat.registersAfter());
    }
    uint32_t blocks = blocksThatFit(before + loaded / 2);
    bool isRematerialized = false;
    if (uint32_t more = blocksThatFit(after + loaded / 2); more > blocks) {
      rematerialize();
      blocks = more;
      isRematerialized = true;
    }
    // One block always fits. And where registers are left over, a wish for few blocks makes the assembler
    // take them.
    if (blocks < 2 || blocks >= ManyBlocks ||
        !(isRematerialized ||
          before + loaded + OtherRegisters > target.registersPerMultiprocessor / (blocks * threads)))
      return false;
    share(blocks);
    return true;
  }

  /// Says how many blocks are enough where a thread loads several vectors and then computes. Left alone, the
  /// assembler loads one after the other, each when what came before it is used up, to have fewer registers
  /// and more blocks.
  void shareByLoads() {
    const LoadPressure loads = loadPressureOf(function);
    auto fits = [&](uint32_t together, uint32_t others) {
      return threads <= together && loads.registers + others <= target.registersPerMultiprocessor / together;
    };
    if (!loads.registers || (!loads.isInLoop && !reductions.empty()))
      return;
    if (fits(EnoughThreads, OtherOfLoads)) {
      // Without a loop, loads stand in a row and are waited for once.
      if (loads.isInLoop)
        shareAmong(EnoughThreads);
    } else if (!loads.reduces && fits(EnoughThreads / 2, OtherRegisters)) {
      shareAmong(EnoughThreads / 2);
    }
  }

  /// Lets as many blocks share a multiprocessor as have so many threads together.
  void shareAmong(uint32_t together) {
    share(std::min(together / threads, target.maxBlocksPerMultiprocessor));
  }

  void share(uint32_t blocks) {
    function->setAttr("tile.occupancy", tile::OccupancyAttr::get(function.getContext(), blocks));
    remark::passed(function.getLoc(), options("occupancy"))
        << remark::add("{0} blocks of {1} threads are to share a multiprocessor", blocks, threads)
        << remark::metric("Blocks", blocks);
  }

  /// Registers of a thread that loads after the last reduction fill. They come on top of what lived across
  /// it, but need not all be there at once: about half of them are.
  uint32_t registersLoadedLast() const {
    uint32_t registers = 0;
    for (Operation *op = reductions.back()->getNextNode(); op; op = op->getNextNode())
      if (auto load = dyn_cast<tile::LoadOp>(op))
        registers += registersOf(load.getResult());
    return registers;
  }

  /// Blocks that find room on a multiprocessor when `live` registers of a thread are taken, no more than it
  /// takes to be busy.
  uint32_t blocksThatFit(uint32_t live) const {
    uint32_t each = llvm::alignTo(live + OtherRegisters, RegisterStep);
    return std::min(target.registersPerMultiprocessor / (each * threads), EnoughThreads / threads);
  }

  /// Rematerialises for one after the other: what is computed anew after the first is what lives across the
  /// second.
  void rematerialize() {
    for (tile::ReduceOp reduce : reductions) {
      Rematerialization remat(reduce);
      if (!remat.isPossible())
        continue;
      remat.apply();
      remark::passed(reduce.getLoc(), options("rematerialize"))
          << remark::add("{0} registers a thread live across the reduction instead of {1}",
                         remat.registersAfter(), remat.registersBefore())
          << remark::metric("Registers", remat.registersAfter());
    }
  }

  remark::RemarkOpts options(StringRef name) { return remarkOptions("plan-occupancy", name, function); }

  func::FuncOp function;
  const Target &target;
  uint32_t threads; ///< of a block
  SmallVector<tile::ReduceOp> reductions;
};

class PlanOccupancy : public impl::PlanOccupancyPassBase<PlanOccupancy> {
  void runOnOperation() override {
    const Target *target = requireTarget(getOperation());
    if (!target)
      return signalPassFailure();
    for (func::FuncOp function : kernelsOf(getOperation()))
      if (!function->hasAttr("tile.occupancy"))
        OccupancyPlanner(function, *target).run();
  }
};

} // namespace

} // namespace tegula
