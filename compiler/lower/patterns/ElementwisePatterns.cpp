// Elementwise ops: one scalar op for each register.
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// Makes the op of one register of a result out of the registers of its operands.
using MakeScalar = llvm::function_ref<Operation *(TypeRange types, ValueRange scalars)>;

/// Replaces `op` by one scalar op for each register, or one for all registers that must be equal. A scalar
/// operand next to tensors (the condition of a select) serves all registers.
LogicalResult replaceByRegister(Operation *op, ArrayRef<ValueRange> operands, const TypeConverter &types,
                                ConversionPatternRewriter &rewriter, LoweringState &state, MakeScalar make) {
  SmallVector<Type> lowered;
  if (failed(types.convertType(op->getResultTypes().front(), lowered)))
    return rewriter.notifyMatchFailure(op, "a result has no layout");
  SmallVector<Type> elements;
  for (Type type : op->getResultTypes())
    elements.push_back(loweredElementType(type));
  const size_t count = lowered.size();
  for (ValueRange operand : operands)
    if (operand.size() != count && operand.size() != 1)
      return rewriter.notifyMatchFailure(op, "operands of different layouts");

  SmallVector<Registers> results(op->getNumResults());
  const uint32_t copies = state.equal.lookup(op);
  for (size_t reg = 0; reg < count; ++reg) {
    if (reg & copies) {
      for (Registers &list : results)
        list.push_back(list[reg & ~copies]);
      continue;
    }
    Registers scalars;
    for (ValueRange operand : operands)
      scalars.push_back(operand.size() == 1 ? operand.front() : operand[reg]);
    Operation *scalar = make(elements, scalars);
    for (auto [list, value] : llvm::zip(results, scalar->getResults()))
      list.push_back(value);
  }
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return success();
}

/// Any op of `arith` or `math`: the same op on scalars.
struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(const TypeConverter &types, MLIRContext *context, LoweringState &state)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/1, context), state(state) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumRegions() ||
        !op->getNumResults() || isa<arith::ConstantOp>(op))
      return rewriter.notifyMatchFailure(op, "not elementwise");
    return replaceByRegister(
        op, operands, *getTypeConverter(), rewriter, state, [&](TypeRange types, ValueRange scalars) {
          Operation *scalar = Operation::create(op->getLoc(), op->getName(), types, scalars,
                                                op->getDiscardableAttrDictionary(),
                                                op->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
          rewriter.insert(scalar);
          state.signs.note(op, scalar);
          return scalar;
        });
  }

private:
  LoweringState &state;
};

/// "f", "d", "i", "ui", "ll" or "ull": how the names of LLVM's intrinsics call a type.
std::string shortName(Type type, bool isUnsigned) {
  if (type.isF32() || type.isF64())
    return type.isF32() ? "f" : "d";
  return std::string(isUnsigned ? "u" : "") + (type.isInteger(64) ? "ll" : "i");
}

/// The intrinsic of the one instruction that rounds so.
std::string intrinsicOf(tile::RoundedOp op) {
  const std::string mode = stringifyRoundingMode(op.getMode()).str();
  const bool isUnsigned = op.getKind() == tile::RoundedKind::CastUnsigned;
  const std::string result = shortName(loweredElementType(op.getType()), isUnsigned);
  if (op.getKind() == tile::RoundedKind::Cast || isUnsigned) {
    Type source = loweredElementType(op.getOperands().front().getType());
    return "llvm.nvvm." + shortName(source, isUnsigned) + "2" + result + "." + mode;
  }
  return "llvm.nvvm." + stringifyRoundedKind(op.getKind()).str() + "." + mode + "." + result;
}

/// Arithmetic that says how it rounds: an intrinsic a register, which nothing fuses with another op.
struct RoundedPattern : StatefulPattern<tile::RoundedOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::RoundedOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringAttr intrinsic = rewriter.getStringAttr(intrinsicOf(op));
    const auto call = [&](TypeRange types, ValueRange scalars) -> Operation * {
      return LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), types.front(), intrinsic, scalars);
    };
    return replaceByRegister(op, adaptor.getOperands(), *getTypeConverter(), rewriter, state, call);
  }
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
  patterns.add<ElementwisePattern, RoundedPattern>(types, context, state);
  patterns.add<ConstantPattern>(types, context);
  patterns
      .add<CastPattern<tile::IntToPtrOp, LLVM::IntToPtrOp>, CastPattern<tile::PtrToIntOp, LLVM::PtrToIntOp>>(
          types, context);
  patterns.add<ForwardPattern<tile::BitcastOp>, ForwardPattern<tile::HintOp>>(types, context);
}

} // namespace tegula
