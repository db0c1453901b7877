// slice: registers get another name.
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/layout/Parts.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {
namespace {

struct SlicePattern : OpConversionPattern<tgpu::SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tgpu::SliceOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<std::vector<uint32_t>> registers =
        registersOfPart(tile::layoutOf(op.getSource().getType()).getLayout(),
                        tile::layoutOf(op.getType()).getLayout(), op.getOffsets());
    if (!registers)
      return rewriter.notifyMatchFailure(op, "the layouts of source and result do not agree");
    SmallVector<Value> result;
    for (uint32_t reg : *registers)
      result.push_back(adaptor.getSource()[reg]);
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{result});
    return success();
  }
};

} // namespace

void populateSlicePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<SlicePattern>(types, patterns.getContext());
}

} // namespace tegula
