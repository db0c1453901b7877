// The pass `hoist-invariants`: Passes.td says what leaves a loop.
#include "compiler/analysis/Decision.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/PrefetchCandidates.h"
#include "compiler/analysis/resources/RegisterCount.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_HOISTINVARIANTSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// The registers of a thread that loads hoisted from one loop may take all the time: with more, the caches
/// had better keep what they load.
constexpr uint32_t MaxRegistersHoisted = 16;

/// True for a load that all but feeds a dot: what comes of it finds a place of its own.
bool feedsDot(Value value) {
  while (value.hasOneUse()) {
    Operation *user = *value.getUsers().begin();
    if (!isa<tile::ConvertLayoutOp, tile::TransOp>(user))
      return isa<tile::DotOp>(user);
    value = user->getResult(0);
  }
  return false;
}

void reportKept(tile::LoadOp load, uint32_t registers) {
  remark::missed(load.getLoc(), remarkOptions("hoist-invariants", "hoist", load))
      << remark::add("a load that is the same in each iteration stays in the loop")
      << because("such loads would take {0} registers a thread all the time, expected at most {1}", registers,
                 MaxRegistersHoisted)
             .fixedBy("use a smaller block, or move the load out of the loop by hand");
}

/// Moves loads out of `loop` that read the same in each iteration, under the condition that there is one.
/// Returns whether there were any.
bool hoistLoads(scf::ForOp loop) {
  bool isHoisted = false;
  uint32_t registers = 0;
  for (tile::LoadOp load : findFixedLoads(loop)) {
    uint32_t needed = feedsDot(load.getResult()) ? 0 : registersOf(load.getResult());
    if (registers + needed > MaxRegistersHoisted) {
      reportKept(load, registers + needed);
      continue;
    }
    registers += needed;
    load->moveBefore(loop);
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips || trips->isZero()) {
      OpBuilder builder(load);
      auto less = loop.getUnsignedCmp() ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt;
      maskLoad(
          builder, load,
          arith::CmpIOp::create(builder, load.getLoc(), less, loop.getLowerBound(), loop.getUpperBound()));
    }
    isHoisted = true;
  }
  return isHoisted;
}

class HoistInvariants : public impl::HoistInvariantsPassBase<HoistInvariants> {
  void runOnOperation() override {
    // Inner loops first, so that what leaves one may leave the next too.
    getOperation().walk([](LoopLikeOpInterface loop) {
      auto hints = loop->getAttrOfType<tile::LoopAttr>("tile.loop");
      if (hints && hints.getNoLicm())
        return;
      moveLoopInvariantCode(loop);
      if (auto counted = dyn_cast<scf::ForOp>(loop.getOperation()); counted && hoistLoads(counted))
        moveLoopInvariantCode(loop);
    });
  }
};

} // namespace

} // namespace tegula
