// map: a copy of its region for each pack of registers.
#include "compiler/lower/code/CombineCode.h"
#include "compiler/lower/patterns/Patterns.h"

using namespace mlir;

namespace tegula {
namespace {

struct MapPattern : OpConversionPattern<tile::MapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::MapOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const size_t count = adaptor.getOperands().front().size(), pack = op.getPack();
    SmallVector<Type> types;
    for (Type type : op.getResultTypes())
      types.append(pack, loweredElementType(type));
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (size_t first = 0; first < count; first += pack) {
      SmallVector<Value> arguments;
      for (ValueRange held : adaptor.getOperands())
        for (size_t at = first; at < first + pack; ++at)
          arguments.push_back(held[std::min(at, count - 1)]);
      SmallVector<Value> made = inlineScalars(rewriter, op.getLoc(), op.getBody(), arguments, types);
      for (auto [i, list] : llvm::enumerate(results))
        llvm::append_range(list, ArrayRef(made).slice(i * pack, std::min(pack, count - first)));
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

} // namespace

void populateMapPattern(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<MapPattern>(types, patterns.getContext());
}

} // namespace tegula
