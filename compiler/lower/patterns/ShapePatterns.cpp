// Ops that make tensors or give them another shape. No data moves: each thread knows from the layouts
// which of its registers holds what.
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/layout/Parts.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include <unordered_map>

using namespace mlir;

namespace tegula {
namespace {

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

/// A shape op whose result's coordinates map to the source's by `toSource(op, result coordinates)`.
template <typename Op, Coordinates (*toSource)(Op, Coordinates)>
FailureOr<Registers> lowerRename(Op op, Adaptor<Op> adaptor, Rewriter &rewriter, LoweringState &) {
  Registers result =
      renameRegisters(op.getSource().getType(), op.getType(), adaptor.getSource(),
                      [&](Coordinates coordinates) { return toSource(op, std::move(coordinates)); });
  if (result.empty())
    return rewriter.notifyMatchFailure(op, "the layouts of source and result do not agree");
  return result;
}

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

Registers lowerSplat(tile::SplatOp op, Adaptor<tile::SplatOp> adaptor, Rewriter &, LoweringState &) {
  return Registers(size_t(tile::layoutOf(op.getType()).getLayout().inSize(Dim::Register)),
                   adaptor.getSource().front());
}

/// The registers of both sides, each where its element is.
FailureOr<Registers> lowerJoin(tile::JoinOp op, Adaptor<tile::JoinOp> adaptor, Rewriter &rewriter,
                               LoweringState &) {
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
  return result;
}

FailureOr<SmallVector<Registers>> lowerSplit(tile::SplitOp op, Adaptor<tile::SplitOp> adaptor,
                                             Rewriter &rewriter, LoweringState &) {
  SmallVector<Registers> halves;
  for (int32_t side : {0, 1})
    halves.push_back(renameRegisters(op.getSource().getType(), op.getLhs().getType(), adaptor.getSource(),
                                     [side](Coordinates coordinates) {
                                       coordinates.push_back(side);
                                       return coordinates;
                                     }));
  if (halves.front().empty() || halves.back().empty())
    return rewriter.notifyMatchFailure(op, "the layouts of source and results do not agree");
  return halves;
}

/// arange: the thread's part of the coordinate once, and a constant for each register.
Registers lowerArange(tile::ArangeOp op, Adaptor<tile::ArangeOp>, Rewriter &rewriter, LoweringState &state) {
  Location loc = op.getLoc();
  Value start = op.getStart() ? constant(rewriter, loc, op.getStart()) : Value();
  Registers result = state.placesOf(rewriter, op, tile::layoutOf(op.getType()).getLayout());
  // All results lie between `start` and `end`, which are 32-bit: no sum overflows.
  if (start)
    for (Value &value : result)
      value = arith::AddIOp::create(rewriter, loc, value, start, arith::IntegerOverflowFlags::nsw);
  return result;
}

FailureOr<Registers> lowerSlice(tgpu::SliceOp op, Adaptor<tgpu::SliceOp> adaptor, Rewriter &rewriter,
                                LoweringState &) {
  std::optional<std::vector<uint32_t>> registers =
      registersOfPart(tile::layoutOf(op.getSource().getType()).getLayout(),
                      tile::layoutOf(op.getType()).getLayout(), op.getOffsets());
  if (!registers)
    return rewriter.notifyMatchFailure(op, "the layouts of source and result do not agree");
  return picked(adaptor.getSource(), *registers);
}

FailureOr<Registers> lowerInsert(tgpu::InsertOp op, Adaptor<tgpu::InsertOp> adaptor, Rewriter &rewriter,
                                 LoweringState &) {
  std::optional<std::vector<uint32_t>> registers =
      registersOfPart(tile::layoutOf(op.getType()).getLayout(),
                      tile::layoutOf(op.getPart().getType()).getLayout(), op.getOffsets());
  if (!registers)
    return rewriter.notifyMatchFailure(op, "the layouts of part and whole do not agree");
  Registers result(adaptor.getWhole());
  for (auto [reg, value] : llvm::zip_equal(*registers, adaptor.getPart()))
    result[reg] = value;
  return result;
}

} // namespace

void populateShapePatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerSplat, lowerRename<tile::ExpandDimsOp, expandSource>,
               lowerRename<tile::BroadcastOp, broadcastSource>, lowerRename<tile::ReshapeOp, reshapeSource>,
               lowerRename<tile::TransOp, transSource>, lowerJoin, lowerSplit, lowerArange, lowerSlice,
               lowerInsert>(patterns, state);
}

} // namespace tegula
