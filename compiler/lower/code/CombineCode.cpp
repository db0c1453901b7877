#include "compiler/lower/code/CombineCode.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula {

SmallVector<Value> inlineCombine(RewriterBase &rewriter, Location loc, Region &combine, ValueRange first,
                                 ValueRange second) {
  Block &block = combine.front();
  SmallVector<Value> sides(first);
  sides.append(second.begin(), second.end());
  IRMapping map;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), sides)) {
    // The copies are in the unlowered form until the conversion gets to them.
    if (argument.getType() != value.getType())
      value = UnrealizedConversionCastOp::create(rewriter, loc, argument.getType(), value).getResult(0);
    map.map(argument, value);
  }
  for (Operation &inside : block.without_terminator())
    rewriter.clone(inside, map);
  SmallVector<Value> results;
  for (auto [yielded, like] : llvm::zip(block.getTerminator()->getOperands(), first)) {
    Value value = map.lookupOrDefault(yielded);
    if (value.getType() != like.getType())
      value = UnrealizedConversionCastOp::create(rewriter, loc, like.getType(), value).getResult(0);
    results.push_back(value);
  }
  return results;
}

} // namespace tegula
