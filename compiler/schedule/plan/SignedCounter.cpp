#include "compiler/schedule/plan/SignedCounter.h"

using namespace mlir;

namespace tegula {

bool canCountWithSign(scf::ForOp loop) {
  return loop.getUnsignedCmp() && loop.getInductionVar().getType().getIntOrFloatBitWidth() <= 32;
}

scf::ForOp countWithSign(scf::ForOp loop) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  Type narrow = loop.getInductionVar().getType(), wide = builder.getI64Type();
  auto widened = [&](Value bound) { return builder.createOrFold<arith::ExtUIOp>(loc, wide, bound); };
  Value low = widened(loop.getLowerBound()), high = widened(loop.getUpperBound()),
        step = widened(loop.getStep());
  auto counted = scf::ForOp::create(builder, loc, low, high, step, loop.getInitArgs());
  counted->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Block &body = *counted.getBody();
  body.clear();
  builder.setInsertionPointToStart(&body);
  Value index = arith::TruncIOp::create(builder, loc, narrow, counted.getInductionVar());
  loop.getInductionVar().replaceAllUsesWith(index);
  for (auto [before, after] : llvm::zip_equal(loop.getRegionIterArgs(), counted.getRegionIterArgs()))
    before.replaceAllUsesWith(after);
  body.getOperations().splice(body.end(), loop.getBody()->getOperations());
  loop.replaceAllUsesWith(counted.getResults());
  loop.erase();
  return counted;
}

} // namespace tegula
