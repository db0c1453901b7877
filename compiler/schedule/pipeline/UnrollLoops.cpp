// The pass `unroll-loops`: what an author asks of a loop before its loads are placed.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/resources/CodeSize.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/SignedCounter.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_UNROLLLOOPSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

tile::LoopAttr hintsOf(Operation *loop) { return loop->getAttrOfType<tile::LoopAttr>("tile.loop"); }

class UnrollLoops : public impl::UnrollLoopsPassBase<UnrollLoops> {
  void runOnOperation() override {
    auto isAsked = [](scf::ForOp loop) {
      tile::LoopAttr hints = hintsOf(loop);
      return hints && hints.getUnroll() > 1;
    };
    for (scf::ForOp loop : opsOf<scf::ForOp>(getOperation(), isAsked))
      unroll(loop, hintsOf(loop));
  }

  void unroll(scf::ForOp loop, tile::LoopAttr hints) {
    auto options = remarkOptions("unroll-loops", "unroll", loop);
    Location loc = loop.getLoc();
    if (loop.getUnsignedCmp() && !canCountWithSign(loop)) {
      remark::missed(loc, options)
          << remark::add("the loop is not unrolled")
          << because("it counts more than 32 bits without sign").fixedBy("count with int32 from 0");
      return;
    }
    const uint64_t factor = factorFor(loop, hints.getUnroll());
    if (factor < hints.getUnroll())
      remark::missed(loc, options) << remark::add("{0} of {1} iterations as one", factor, hints.getUnroll())
                                   << because("together they may have {0} values of a thread",
                                              MaxUnrolledValues)
                                          .fixedBy("use a smaller factor");
    if (factor == 1)
      return;
    if (loop.getUnsignedCmp())
      loop = countWithSign(loop);
    boundFromBelow(loop);
    setHints(loop, hints, hints.getStages());
    FailureOr<UnrolledLoopInfo> unrolled = loopUnrollByFactor(loop, factor);
    if (failed(unrolled)) {
      remark::missed(loc, options)
          << remark::add("the loop is not unrolled")
          << because("its bounds do not allow it").fixedBy("count with int32 from 0");
      return;
    }
    // The remaining iterations run less often than it takes to fill stages.
    if (unrolled->epilogueLoopOp)
      setHints(*unrolled->epilogueLoopOp, hints, /*stages=*/1);
    remark::passed(loc, options) << remark::add("{0} iterations as one", factor);
  }

  /// Halves the `asked` number of iterations until they are no more code than may be.
  static uint64_t factorFor(scf::ForOp loop, uint64_t asked) {
    const uint64_t values = valuesPerThread(loop);
    while (asked > 1 && asked * values > MaxUnrolledValues)
      asked /= 2;
    return asked;
  }

  void setHints(scf::ForOp loop, tile::LoopAttr hints, uint32_t stages) {
    loop->setAttr("tile.loop",
                  tile::LoopAttr::get(&getContext(), stages, /*unroll=*/0, hints.getFlatten(),
                                      hints.getSingleAcc(), hints.getSpecialize(), hints.getNoLicm()));
  }

  /// Unrolling computes the number of iterations as if the upper bound were never below the lower one.
  static void boundFromBelow(scf::ForOp loop) {
    if (loop.getStaticTripCount())
      return;
    OpBuilder builder(loop);
    Value low = loop.getLowerBound(), high = loop.getUpperBound();
    loop.getUpperBoundMutable().assign(arith::MaxSIOp::create(builder, loop.getLoc(), high, low));
  }
};

} // namespace

} // namespace tegula
