#include "compiler/schedule/products/ProductsInFlight.h"

#include "compiler/analysis/resources/RegisterPressure.h"

using namespace mlir;

namespace tegula {

namespace {

/// Lets what `loop` carries at `position` be sums in flight, of type `inFlight`. What it yields there is
/// another one's business.
BlockArgument carryInFlight(RewriterBase &rewriter, scf::ForOp loop, unsigned position, Type inFlight,
                            Location loc) {
  rewriter.setInsertionPoint(loop);
  OpOperand &init = loop.getInitArgsMutable()[position];
  init.set(tgpu::MmaBeginOp::create(rewriter, loc, inFlight, init.get()));
  BlockArgument carried = loop.getRegionIterArg(position);
  carried.setType(inFlight);
  return carried;
}

/// Has sums that `loop` yields at `positions`, in flight, be waited for behind it.
void awaitBehind(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<unsigned> positions, Location loc) {
  rewriter.setInsertionPointAfter(loop);
  SmallVector<Value> inFlight;
  SmallVector<Type> types;
  for (unsigned position : positions) {
    types.push_back(loop.getResult(position).getType());
    loop.getResult(position).setType(loop.getYieldedValues()[position].getType());
    inFlight.push_back(loop.getResult(position));
  }
  auto last = tgpu::MmaWaitOp::create(rewriter, loc, types, 0, inFlight);
  for (auto [position, result] : llvm::zip_equal(positions, last.getResults()))
    rewriter.replaceAllUsesExcept(loop.getResult(position), result, last);
}

void yieldAt(scf::ForOp loop, unsigned position, Value value) {
  loop.getYieldedValuesMutable()->slice(position, 1)[0].set(value);
}

} // namespace

tgpu::MmaWaitOp keepInFlight(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<tgpu::MmaOp> products) {
  Location loc = tgpu::MmaOp(products.front()).getLoc();
  SmallVector<unsigned> positions;
  SmallVector<Value> sums;
  for (tgpu::MmaOp product : products) {
    auto begin = product.getSums().getDefiningOp<tgpu::MmaBeginOp>();
    const unsigned position = carriedSums(product, loop).getArgNumber() - loop.getNumInductionVars();
    Operation *wait = *product->getUsers().begin();
    rewriter.replaceOp(begin, carryInFlight(rewriter, loop, position, product.getResult().getType(), loc));
    yieldAt(loop, position, product.getResult());
    rewriter.eraseOp(wait);
    positions.push_back(position);
    sums.push_back(product.getResult());
  }
  rewriter.setInsertionPoint(loop.getBody()->getTerminator());
  auto wait =
      tgpu::MmaWaitOp::create(rewriter, loc, ValueRange(sums).getTypes(), unsigned(sums.size()), sums);
  for (auto [position, result] : llvm::zip_equal(positions, wait.getResults()))
    yieldAt(loop, position, result);
  awaitBehind(rewriter, loop, positions, loc);
  return wait;
}

tgpu::MmaWaitOp keepLateInFlight(RewriterBase &rewriter, scf::ForOp loop,
                                 const OverlappedProducts &products) {
  tgpu::MmaOp early = products.early, late = products.late;
  tgpu::MmaWaitOp earlyWait = products.earlyWait, lateWait = products.lateWait;
  const Location loc = late.getLoc();
  BlockArgument carried = carryInFlight(rewriter, loop, products.position, late.getResult().getType(), loc);
  rewriter.setInsertionPoint(earlyWait);
  const Value sums[] = {early.getResult(), carried};
  const Type tensors[] = {earlyWait.getResult(0).getType(), lateWait.getResult(0).getType()};
  auto wait = tgpu::MmaWaitOp::create(rewriter, earlyWait.getLoc(), tensors, 0u, sums);
  rewriter.replaceAllUsesExcept(carried, wait.getResult(1), wait);
  rewriter.replaceOp(earlyWait, wait.getResult(0));
  yieldAt(loop, products.position, late.getResult());
  rewriter.eraseOp(lateWait);
  awaitBehind(rewriter, loop, products.position, loc);
  return wait;
}

} // namespace tegula
