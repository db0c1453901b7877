// slice and insert: registers get another name.
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

struct InsertPattern : OpConversionPattern<tgpu::InsertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tgpu::InsertOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::optional<std::vector<uint32_t>> registers =
        registersOfPart(tile::layoutOf(op.getType()).getLayout(),
                        tile::layoutOf(op.getPart().getType()).getLayout(), op.getOffsets());
    if (!registers)
      return rewriter.notifyMatchFailure(op, "the layouts of part and whole do not agree");
    SmallVector<Value> result(adaptor.getWhole());
    for (auto [reg, value] : llvm::zip_equal(*registers, adaptor.getPart()))
      result[reg] = value;
    rewriter.replaceOpWithMultiple(op, SmallVector<SmallVector<Value>>{result});
    return success();
  }
};

} // namespace

void populateSlicePatterns(const TypeConverter &types, RewritePatternSet &patterns) {
  patterns.add<SlicePattern, InsertPattern>(types, patterns.getContext());
}

} // namespace tegula
