// Values whose registers a debugger asks for: a table of them, and the marks that lead to their registers.
#include "compiler/insight/InsightReader.h"
#include "compiler/insight/Tensors.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/NameOps.h"
#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula::insight {

/// Finds the location of the op that computes a value: loops and branches hand on what others made, and a
/// change of layout is made for who reads it.
class Maker {
public:
  /// Returns nothing where only the launch has made it.
  static std::optional<Location> of(mlir::Value value) { return Maker().find(value); }

private:
  std::optional<Location> find(mlir::Value value) {
    if (!seen.insert(value).second)
      return std::nullopt;
    for (mlir::Value source : sourcesOf(value))
      if (std::optional<Location> found = find(source))
        return found;
    Operation *op = value.getDefiningOp();
    if (!op || isa<RegionBranchOpInterface, tile::ConvertLayoutOp>(op))
      return std::nullopt;
    return op->getLoc();
  }

  /// The values that `value` may be, those of an iteration before those in front of the loop.
  static SmallVector<mlir::Value, 2> sourcesOf(mlir::Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument == loop.getInductionVar())
        return {};
      return {loop.getTiedLoopYieldedValue(argument)->get(), loop.getTiedLoopInit(argument)->get()};
    }
    Operation *op = value.getDefiningOp();
    const unsigned number = cast<OpResult>(value).getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return {loop.getYieldedValues()[number], loop.getInits()[number]};
    if (auto branch = dyn_cast<scf::IfOp>(op))
      return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
    if (auto change = dyn_cast<tile::ConvertLayoutOp>(op))
      return {change.getSource()};
    return {};
  }

  llvm::SmallDenseSet<mlir::Value, 8> seen;
};

/// The ops whose results expressions of the source are. A pass makes several ops for an expression that have
/// its place and may have its type, such as a splat of an operand; the last of a block computes it.
class LastMakers {
public:
  explicit LastMakers(ModuleOp module) {
    module.walk([&](Operation *op) {
      for (mlir::Value result : op->getResults())
        if (makes(op))
          last[keyOf(result)] = op;
    });
  }

  /// Returns whether `value` is what an expression makes: as an op computes it, in another layout, or handed
  /// on.
  bool hasMade(mlir::Value value) const {
    while (auto change = value.getDefiningOp<tile::ConvertLayoutOp>())
      value = change.getSource();
    Operation *op = value.getDefiningOp();
    return !op || !makes(op) || last.lookup(keyOf(value)) == op;
  }

private:
  using Key = std::tuple<Block *, const void *, const void *>;

  static bool makes(Operation *op) { return !isa<RegionBranchOpInterface, tile::ConvertLayoutOp>(op); }
  static Key keyOf(mlir::Value value) {
    const RankedTensorType tensor = tensorOf(value.getType());
    const Type plain =
        tensor ? Type(RankedTensorType::get(tensor.getShape(), tensor.getElementType())) : value.getType();
    return {value.getParentBlock(), value.getLoc().getAsOpaquePointer(), plain.getAsOpaquePointer()};
  }

  llvm::DenseMap<Key, Operation *> last;
};

void InsightReader::markValue(mlir::Value value, OpBuilder &builder) {
  // What nothing uses must not come to be used. Addresses are computed anew from numbers. Sums in flight of
  // fp16 share registers by twos.
  const RankedTensorType tensor = tensorOf(value.getType());
  const Type element = tensor ? tensor.getElementType() : value.getType();
  if (value.use_empty() || !isa<IntegerType, FloatType>(element) ||
      (isa<tgpu::InFlightType>(value.getType()) && element.isF16()))
    return;
  const tile::LayoutAttr layout = tensor ? tile::layoutOf(tensor) : tile::LayoutAttr();
  const std::optional<Location> maker = Maker::of(value);
  if (!maker || (tensor && !layout))
    return;
  HeldValue made{.place = places.of(*maker), .dtype = dtypeOf(element)};
  if (made.place == None)
    return;
  if (tensor) {
    made.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
    made.layout = layoutOf(layout.getLayout());
  }
  tile::DebugValueOp::create(builder, *maker, uint32_t(insight.held.size()), value);
  insight.held.push_back(std::move(made));
}

void InsightReader::markValues(ModuleOp module) {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) { ops.push_back(op); });
  const LastMakers makers(module);
  OpBuilder builder(module.getContext());
  for (Operation *op : ops) {
    builder.setInsertionPointAfter(op);
    for (mlir::Value result : op->getResults())
      if (makers.hasMade(result))
        markValue(result, builder);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        builder.setInsertionPointToStart(&block);
        for (BlockArgument argument : block.getArguments())
          markValue(argument, builder);
      }
  }
}

} // namespace tegula::insight
