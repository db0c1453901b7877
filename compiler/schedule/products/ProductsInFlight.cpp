#include "compiler/schedule/products/ProductsInFlight.h"

#include "compiler/schedule/plan/RegisterPressure.h"

using namespace mlir;

namespace tegula {

tgpu::MmaWaitOp keepInFlight(RewriterBase &rewriter, scf::ForOp loop, ArrayRef<tgpu::MmaOp> products) {
  Location loc = tgpu::MmaOp(products.front()).getLoc();
  SmallVector<unsigned> positions;
  SmallVector<Value> sums;
  for (tgpu::MmaOp product : products) {
    auto begin = product.getSums().getDefiningOp<tgpu::MmaBeginOp>();
    BlockArgument carried = carriedSums(product, loop);
    unsigned position = carried.getArgNumber() - loop.getNumInductionVars();
    rewriter.setInsertionPoint(loop);
    Value start =
        tgpu::MmaBeginOp::create(rewriter, loc, product.getResult().getType(), loop.getInitArgs()[position]);
    loop.getInitArgsMutable()[position].set(start);
    carried.setType(start.getType());
    rewriter.replaceOp(begin, carried);
    Operation *wait = *product->getUsers().begin();
    loop.getYieldedValuesMutable()->slice(position, 1)[0].set(product.getResult());
    rewriter.eraseOp(wait);
    positions.push_back(position);
    sums.push_back(product.getResult());
  }
  rewriter.setInsertionPoint(loop.getBody()->getTerminator());
  auto wait =
      tgpu::MmaWaitOp::create(rewriter, loc, ValueRange(sums).getTypes(), unsigned(sums.size()), sums);
  rewriter.setInsertionPointAfter(loop);
  SmallVector<Value> inFlight;
  SmallVector<Type> types;
  for (auto [position, result] : llvm::zip_equal(positions, wait.getResults())) {
    loop.getYieldedValuesMutable()->slice(position, 1)[0].set(result);
    types.push_back(loop.getResult(position).getType());
    loop.getResult(position).setType(result.getType());
    inFlight.push_back(loop.getResult(position));
  }
  auto last = tgpu::MmaWaitOp::create(rewriter, loc, types, 0, inFlight);
  for (auto [position, result] : llvm::zip_equal(positions, last.getResults()))
    rewriter.replaceAllUsesExcept(loop.getResult(position), result, last);
  return wait;
}

} // namespace tegula
