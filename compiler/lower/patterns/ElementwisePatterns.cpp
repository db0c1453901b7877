// Elementwise ops: one scalar op for each register.
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// Any op of `arith` or `math`: the same op on scalars, once a register, or once for all registers that must
/// be equal. A scalar operand beside tensors (the condition of a select) serves all registers.
struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(const TypeConverter &types, MLIRContext *context, LoweringState &state)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/1, context), state(state) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumRegions() ||
        !op->getNumResults() || isa<arith::ConstantOp>(op))
      return rewriter.notifyMatchFailure(op, "not elementwise");
    SmallVector<Type> lowered;
    if (failed(getTypeConverter()->convertType(op->getResultTypes().front(), lowered)))
      return rewriter.notifyMatchFailure(op, "a result has no layout");
    SmallVector<Type> types;
    for (Type type : op->getResultTypes())
      types.push_back(loweredElementType(type));
    size_t count = lowered.size();
    for (ValueRange operand : operands)
      if (operand.size() != count && operand.size() != 1)
        return rewriter.notifyMatchFailure(op, "operands of different layouts");

    SmallVector<Registers> results(op->getNumResults());
    uint32_t copies = state.equal.lookup(op);
    for (size_t reg = 0; reg < count; ++reg) {
      if (reg & copies) {
        for (Registers &list : results)
          list.push_back(list[reg & ~copies]);
        continue;
      }
      Registers scalars;
      for (ValueRange operand : operands)
        scalars.push_back(operand.size() == 1 ? operand.front() : operand[reg]);
      Operation *scalar =
          Operation::create(op->getLoc(), op->getName(), types, scalars, op->getDiscardableAttrDictionary(),
                            op->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
      rewriter.insert(scalar);
      state.signs.note(op, scalar);
      for (auto [list, value] : llvm::zip(results, scalar->getResults()))
        list.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }

private:
  LoweringState &state;
};

/// A tensor constant, all of one value: one scalar serves all registers.
struct ConstantPattern : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    tile::LayoutAttr layout = tile::layoutOf(op.getType());
    if (!splat || !layout)
      return rewriter.notifyMatchFailure(op, "not one value for all elements");
    Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
    rewriter.replaceOpWithMultiple(
        op, SmallVector<Registers>{Registers(size_t(layout.getLayout().inSize(Dim::Register)), scalar)});
    return success();
  }
};

/// A cast between pointers and integers: `make` turns one scalar into the other.
template <typename Op, typename Scalar> struct CastPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult matchAndRewrite(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Registers results;
    for (Value source : adaptor.getSource())
      results.push_back(Scalar::create(rewriter, op.getLoc(), loweredElementType(op.getType()), source));
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{results});
    return success();
  }
};

/// Ops that change what is known of a value, not the value.
template <typename Op> struct ForwardPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult matchAndRewrite(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{Registers(adaptor.getSource())});
    return success();
  }
};

} // namespace

void populateElementwisePatterns(const TypeConverter &types, RewritePatternSet &patterns,
                                 LoweringState &state) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ElementwisePattern>(types, context, state);
  patterns.add<ConstantPattern>(types, context);
  patterns
      .add<CastPattern<tile::IntToPtrOp, LLVM::IntToPtrOp>, CastPattern<tile::PtrToIntOp, LLVM::PtrToIntOp>>(
          types, context);
  patterns.add<ForwardPattern<tile::BitcastOp>, ForwardPattern<tile::HintOp>>(types, context);
}

} // namespace tegula
