#include "compiler/lower/code/CombineCode.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula {

/// `value` as `type`, where one of the two is the form that it has before it is lowered.
static Value as(RewriterBase &rewriter, Location loc, Type type, Value value) {
  if (value.getType() == type)
    return value;
  // Registers hold the byte of a float of 8 bits; ops that read it as one are lowered with the rest.
  if (isa<FloatType>(type) || isa<FloatType>(value.getType()))
    return arith::BitcastOp::create(rewriter, loc, type, value);
  return UnrealizedConversionCastOp::create(rewriter, loc, type, value).getResult(0);
}

SmallVector<Value> inlineScalars(RewriterBase &rewriter, Location loc, Region &region, ValueRange arguments,
                                 TypeRange types) {
  Block &block = region.front();
  IRMapping map;
  // The copies are in the unlowered form until the conversion gets to them.
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    map.map(argument, as(rewriter, loc, argument.getType(), value));
  for (Operation &inside : block.without_terminator())
    rewriter.clone(inside, map);
  SmallVector<Value> results;
  for (auto [yielded, type] : llvm::zip_equal(block.getTerminator()->getOperands(), types))
    results.push_back(as(rewriter, loc, type, map.lookupOrDefault(yielded)));
  return results;
}

SmallVector<Value> selectEach(OpBuilder &builder, Location loc, Value condition, ValueRange yes,
                              ValueRange no) {
  SmallVector<Value> result;
  for (auto [a, b] : llvm::zip_equal(yes, no))
    result.push_back(a == b ? a : Value(arith::SelectOp::create(builder, loc, condition, a, b)));
  return result;
}

SmallVector<SmallVector<Value>> transposed(ArrayRef<SmallVector<Value>> values) {
  SmallVector<SmallVector<Value>> result(values.front().size());
  for (const SmallVector<Value> &list : values)
    for (auto [other, value] : llvm::zip_equal(result, list))
      other.push_back(value);
  return result;
}

SmallVector<Value> inlineCombine(RewriterBase &rewriter, Location loc, Region &combine, ValueRange first,
                                 ValueRange second) {
  SmallVector<Value> sides(first);
  sides.append(second.begin(), second.end());
  return inlineScalars(rewriter, loc, combine, sides, TypeRange(first));
}

} // namespace tegula
