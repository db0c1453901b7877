// Ops that make tensors or give them another shape. No data moves: each thread knows from the layouts
// which of its registers holds what.
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/plan/AccessPlan.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <unordered_map>

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;
using Coordinates = SmallVector<int32_t, 4>;

Coordinates coordinatesOf(const LinearLayout &layout, uint64_t position) {
  Coordinates result;
  for (const Coord &coord : layout.unpackOut(position))
    result.push_back(coord.value);
  return result;
}

uint64_t positionOf(const LinearLayout &layout, ArrayRef<int32_t> coordinates) {
  uint64_t position = 0;
  unsigned below = 0;
  for (auto [coordinate, out] : llvm::zip(coordinates, layout.outs())) {
    position |= uint64_t(coordinate) << below;
    below += out.bits;
  }
  return position;
}

/// Returns the registers of the result of a shape op, found among those of its source: `toSource` maps
/// coordinates of the result to those of the source. Lanes and warps agree, as the verifiers checked, so
/// thread 0 represents all. Empty if the source lacks one.
Registers renameRegisters(Type sourceType, Type resultType, ValueRange source,
                          function_ref<Coordinates(Coordinates)> toSource) {
  const LinearLayout &from = tile::layoutOf(sourceType).getLayout();
  const LinearLayout &to = tile::layoutOf(resultType).getLayout();
  std::unordered_map<uint64_t, uint32_t> holder;
  std::vector<uint64_t> positions = registerPositions(from);
  for (uint32_t reg = 0; reg < positions.size(); ++reg)
    holder.try_emplace(positions[reg], reg);
  Registers result;
  for (uint64_t position : registerPositions(to)) {
    auto found = holder.find(positionOf(from, toSource(coordinatesOf(to, position))));
    if (found == holder.end())
      return {};
    result.push_back(source[found->second]);
  }
  return result;
}

/// A shape op whose result's coordinates map to the source's by `coordinates(op, result coordinates)`.
template <typename Op, Coordinates (*toSource)(Op, Coordinates)>
struct RenamePattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  using Adaptor = typename OpConversionPattern<Op>::OneToNOpAdaptor;

  LogicalResult matchAndRewrite(Op op, Adaptor adaptor, ConversionPatternRewriter &rewriter) const override {
    Registers result =
        renameRegisters(op.getSource().getType(), op.getType(), adaptor.getSource(),
                        [&](Coordinates coordinates) { return toSource(op, std::move(coordinates)); });
    if (result.empty())
      return rewriter.notifyMatchFailure(op, "the layouts of source and result do not agree");
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{result});
    return success();
  }
};

Coordinates expandSource(tile::ExpandDimsOp op, Coordinates coordinates) {
  coordinates.erase(coordinates.begin() + op.getAxis());
  return coordinates;
}

Coordinates broadcastSource(tile::BroadcastOp op, Coordinates coordinates) {
  auto source = cast<RankedTensorType>(op.getSource().getType());
  for (auto [coordinate, side] : llvm::zip(coordinates, source.getShape()))
    if (side == 1)
      coordinate = 0;
  return coordinates;
}

Coordinates reshapeSource(tile::ReshapeOp op, Coordinates coordinates) {
  int64_t index = 0;
  for (auto [coordinate, side] : llvm::zip(coordinates, cast<RankedTensorType>(op.getType()).getShape()))
    index = index * side + coordinate;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(op.getSource().getType()).getShape();
  Coordinates source(shape.size());
  for (size_t axis = shape.size(); axis-- > 0; index /= shape[axis])
    source[axis] = int32_t(index % shape[axis]);
  return source;
}

Coordinates transSource(tile::TransOp op, Coordinates coordinates) {
  Coordinates source(coordinates.size());
  for (auto [axis, from] : llvm::enumerate(op.getOrder()))
    source[size_t(from)] = coordinates[axis];
  return source;
}

struct SplatPattern : OpConversionPattern<tile::SplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::SplatOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    size_t count = size_t(tile::layoutOf(op.getType()).getLayout().inSize(Dim::Register));
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{Registers(count, adaptor.getSource())});
    return success();
  }
};

/// The registers of both sides, each where its element is.
struct JoinPattern : OpConversionPattern<tile::JoinOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::JoinOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto half = [](Coordinates coordinates) {
      coordinates.pop_back();
      return coordinates;
    };
    Type type = op.getLhs().getType();
    Registers left = renameRegisters(type, op.getType(), adaptor.getLhs(), half),
              right = renameRegisters(type, op.getType(), adaptor.getRhs(), half);
    if (left.empty() || right.empty())
      return rewriter.notifyMatchFailure(op, "the layouts of operands and result do not agree");
    const LinearLayout &layout = tile::layoutOf(op.getType()).getLayout();
    Registers result;
    for (auto [position, a, b] : llvm::zip_equal(registerPositions(layout), left, right))
      result.push_back(coordinatesOf(layout, position).back() ? b : a);
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{result});
    return success();
  }
};

struct SplitPattern : OpConversionPattern<tile::SplitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tile::SplitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Registers> halves;
    for (int32_t side : {0, 1})
      halves.push_back(renameRegisters(op.getSource().getType(), op.getLhs().getType(), adaptor.getSource(),
                                       [side](Coordinates coordinates) {
                                         coordinates.push_back(side);
                                         return coordinates;
                                       }));
    if (halves.front().empty() || halves.back().empty())
      return rewriter.notifyMatchFailure(op, "the layouts of source and results do not agree");
    rewriter.replaceOpWithMultiple(op, halves);
    return success();
  }
};

/// arange: the thread's part of the coordinate once, and a constant for each register.
struct ArangePattern : StatefulPattern<tile::ArangeOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tile::ArangeOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    const LinearLayout &layout = tile::layoutOf(op.getType()).getLayout();
    Location loc = op.getLoc();
    Value start;
    if (op.getStart())
      start = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(op.getStart()));
    Registers result;
    for (Value value : state.placesOf(rewriter, op, layout)) {
      // All results lie between `start` and `end`, which are 32-bit: no sum overflows.
      if (start)
        value = arith::AddIOp::create(rewriter, loc, value, start, arith::IntegerOverflowFlags::nsw);
      result.push_back(value);
    }
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{result});
    return success();
  }
};

} // namespace

void populateShapePatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  MLIRContext *context = patterns.getContext();
  patterns
      .add<SplatPattern, RenamePattern<tile::ExpandDimsOp, expandSource>,
           RenamePattern<tile::BroadcastOp, broadcastSource>, RenamePattern<tile::ReshapeOp, reshapeSource>,
           RenamePattern<tile::TransOp, transSource>, JoinPattern, SplitPattern>(types, context);
  patterns.add<ArangePattern>(types, context, state);
}

} // namespace tegula
