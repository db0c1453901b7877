// Elementwise ops: one scalar op for each register; map: a copy of its region for each pack of registers.
#include "compiler/lower/code/CombineCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula {
namespace {

/// Makes the op of one register of a result out of the registers of its operands.
using MakeScalar = llvm::function_ref<Operation *(TypeRange types, ValueRange scalars)>;

/// Computes the results of `op` by one scalar op for each register, or one for all registers that must be
/// equal. A scalar operand next to tensors (the condition of a select) serves all registers.
FailureOr<SmallVector<Registers>> byRegister(Operation *op, ArrayRef<ValueRange> operands, Rewriter &rewriter,
                                             LoweringState &state, MakeScalar make) {
  SmallVector<Type> lowered;
  if (failed(state.types.convertType(op->getResultTypes().front(), lowered)))
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
  return results;
}

/// Any op of `arith` or `math`: the same op on scalars.
struct ElementwisePattern : ConversionPattern {
  ElementwisePattern(MLIRContext *context, LoweringState &state)
      : ConversionPattern(state.types, MatchAnyOpTypeTag(), /*benefit=*/1, context), state(state) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<ValueRange> operands,
                                Rewriter &rewriter) const override {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) || op->getNumRegions() ||
        !op->getNumResults() || isa<arith::ConstantOp>(op))
      return rewriter.notifyMatchFailure(op, "not elementwise");
    const auto make = [&](TypeRange types, ValueRange scalars) {
      Operation *scalar =
          Operation::create(op->getLoc(), op->getName(), types, scalars, op->getDiscardableAttrDictionary(),
                            op->getPropertiesStorage(), BlockRange(), /*numRegions=*/0);
      rewriter.insert(scalar);
      state.signs.note(op, scalar);
      return scalar;
    };
    return replaceBy(rewriter, op, byRegister(op, operands, rewriter, state, make));
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
FailureOr<SmallVector<Registers>> lowerRounded(tile::RoundedOp op, Adaptor<tile::RoundedOp> adaptor,
                                               Rewriter &rewriter, LoweringState &state) {
  StringAttr intrinsic = rewriter.getStringAttr(intrinsicOf(op));
  const auto call = [&](TypeRange types, ValueRange scalars) -> Operation * {
    return LLVM::CallIntrinsicOp::create(rewriter, op.getLoc(), types.front(), intrinsic, scalars);
  };
  return byRegister(op, adaptor.getOperands(), rewriter, state, call);
}

/// A tensor constant, all of one value: one scalar serves all registers.
FailureOr<Registers> lowerConstant(arith::ConstantOp op, Adaptor<arith::ConstantOp>, Rewriter &rewriter,
                                   LoweringState &) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  tile::LayoutAttr layout = tile::layoutOf(op.getType());
  if (!splat || !layout)
    return rewriter.notifyMatchFailure(op, "not one value for all elements");
  Value scalar = arith::ConstantOp::create(rewriter, op.getLoc(), splat.getSplatValue<TypedAttr>());
  return Registers(size_t(layout.getLayout().inSize(Dim::Register)), scalar);
}

/// A cast between pointers and integers by ops on scalars.
template <typename Op, typename Scalar>
Registers lowerCast(Op op, Adaptor<Op> adaptor, Rewriter &rewriter, LoweringState &) {
  Registers results;
  for (Value source : adaptor.getSource())
    results.push_back(Scalar::create(rewriter, op.getLoc(), loweredElementType(op.getType()), source));
  return results;
}

/// Ops that change what is known of a value, not the value.
template <typename Op> Registers lowerForward(Op, Adaptor<Op> adaptor, Rewriter &, LoweringState &) {
  return Registers(adaptor.getSource());
}

SmallVector<Registers> lowerMap(tile::MapOp op, Adaptor<tile::MapOp> adaptor, Rewriter &rewriter,
                                LoweringState &) {
  const size_t count = adaptor.getOperands().front().size(), pack = op.getPack();
  SmallVector<Type> types;
  for (Type type : op.getResultTypes())
    types.append(pack, loweredElementType(type));
  SmallVector<Registers> results(op.getNumResults());
  for (size_t first = 0; first < count; first += pack) {
    Registers arguments;
    for (ValueRange held : adaptor.getOperands())
      for (size_t at = first; at < first + pack; ++at)
        arguments.push_back(held[std::min(at, count - 1)]);
    Registers made = inlineScalars(rewriter, op.getLoc(), op.getBody(), arguments, types);
    for (auto [i, list] : llvm::enumerate(results))
      llvm::append_range(list, ArrayRef(made).slice(i * pack, std::min(pack, count - first)));
  }
  return results;
}

} // namespace

void populateElementwisePatterns(RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<ElementwisePattern>(patterns.getContext(), state);
  addLowerings<lowerRounded, lowerConstant, lowerCast<tile::IntToPtrOp, LLVM::IntToPtrOp>,
               lowerCast<tile::PtrToIntOp, LLVM::PtrToIntOp>, lowerForward<tile::BitcastOp>,
               lowerForward<tile::HintOp>, lowerMap>(patterns, state);
}

} // namespace tegula
