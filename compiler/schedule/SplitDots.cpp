// The pass `split-dots`: Passes.td says what it is for.
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/RegisterPressure.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/Parts.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace tegula {
#define GEN_PASS_DEF_SPLITDOTSPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// True if `op` may change what is in `buffer`.
bool writes(Operation *op, Value buffer) {
  return op
      ->walk([&](Operation *inside) {
        auto store = dyn_cast<tgpu::LocalStoreOp>(inside);
        auto copy = dyn_cast<tgpu::AsyncCopyOp>(inside);
        bool isWrite = (store && store.getBuffer() == buffer) || (copy && copy.getBuffer() == buffer);
        return isWrite ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// An operand of a dot, to be had in parts along K.
class OperandParts {
public:
  OperandParts(tile::DotOp dot, unsigned index, int64_t step)
      : dot(dot), operand(dot->getOperand(index)), step(step),
        axis(dot.getBatchAxes() + (index == 0 ? 1 : 0)) {
    Value value = operand;
    for (; auto trans = value.getDefiningOp<tile::TransOp>(); value = trans.getSource()) {
      if (!trans->hasOneUse())
        break;
      transpositions.push_back(trans);
    }
    load = value.getDefiningOp<tgpu::LocalLoadOp>();
    if (!load || !canLoadLater())
      load = {};
    if (!load)
      transpositions.clear();
    findLayout();
  }

  /// True where parts come from a buffer.
  bool isLoaded() const { return load != nullptr; }
  /// True where each thread finds its parts without others.
  bool canBeCut() const { return layout.has_value(); }

  /// The part that begins at `position` along K.
  Value at(OpBuilder &builder, int64_t position) {
    auto type = cast<RankedTensorType>(source().getType());
    SmallVector<int32_t> offsets(size_t(type.getRank()), 0);
    offsets[sourceAxis] = int32_t(position);
    auto part = RankedTensorType::get(sides, type.getElementType(),
                                      tile::LayoutAttr::get(type.getContext(), *layout));
    if (!load)
      return tgpu::SliceOp::create(builder, dot.getLoc(), part, operand, offsets);
    for (auto [offset, begin] : llvm::zip_equal(offsets, load.getOffsets()))
      offset += begin;
    Value value =
        tgpu::LocalLoadOp::create(builder, load.getLoc(), part, load.getBuffer(), load.getSlot(), offsets);
    for (tile::TransOp trans : llvm::reverse(transpositions))
      value = transposed(builder, trans, value);
    return value;
  }

  /// Erases what made the whole operand, if nobody else needs it.
  void eraseWhole() {
    if (!load)
      return;
    for (tile::TransOp trans : transpositions)
      if (trans->use_empty())
        trans.erase();
    if (load->use_empty())
      load.erase();
  }

private:
  Value source() { return load ? Value(load.getResult()) : operand; }

  /// True if the dot alone reads, and finds by itself what the load would have found.
  bool canLoadLater() {
    if (!load->hasOneUse() || load->getBlock() != dot->getBlock())
      return false;
    for (Operation *op = load->getNextNode(); op != dot; op = op->getNextNode())
      if (writes(op, load.getBuffer()))
        return false;
    return true;
  }

  /// Which axis of the source K is, and how parts of it lie.
  void findLayout() {
    sourceAxis = axis;
    for (tile::TransOp trans : transpositions)
      sourceAxis = unsigned(trans.getOrder()[sourceAxis]);
    auto type = cast<RankedTensorType>(source().getType());
    sides.assign(type.getShape().begin(), type.getShape().end());
    sides[sourceAxis] = step;
    SmallVector<int32_t> partSides(sides.begin(), sides.end());
    layout = partLayout(tile::layoutOf(type).getLayout(), partSides);
  }

  static Value transposed(OpBuilder &builder, tile::TransOp trans, Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape;
    SmallVector<unsigned> order;
    for (int32_t from : trans.getOrder()) {
      shape.push_back(type.getShape()[size_t(from)]);
      order.push_back(unsigned(from));
    }
    LinearLayout layout = permuteDims(tile::layoutOf(type).getLayout(), order);
    auto result = RankedTensorType::get(shape, type.getElementType(),
                                        tile::LayoutAttr::get(type.getContext(), std::move(layout)));
    return tile::TransOp::create(builder, trans.getLoc(), result, value, trans.getOrderAttr());
  }

  tile::DotOp dot;
  Value operand;
  int64_t step;
  unsigned axis;                             ///< of K in the operand
  unsigned sourceAxis = 0;                   ///< of K in what parts are taken of
  tgpu::LocalLoadOp load;                    ///< null where parts are registers of the operand
  SmallVector<tile::TransOp> transpositions; ///< between the load and the operand, the last first
  SmallVector<int64_t> sides;                ///< of a part of the source
  std::optional<LinearLayout> layout;        ///< likewise
};

class SplitDots : public impl::SplitDotsPassBase<SplitDots> {
  void runOnOperation() override {
    SmallVector<tile::DotOp> dots;
    getOperation().walk([&](tile::DotOp dot) {
      if (dot.getUnitAttr())
        dots.push_back(dot);
    });
    for (tile::DotOp dot : dots)
      split(dot, stepOfDot(dot));
  }

  void split(tile::DotOp dot, int64_t step) {
    if (step == dot.getK())
      return;
    OperandParts a(dot, 0, step), b(dot, 1, step);
    if (!a.isLoaded() && !b.isLoaded())
      return; // all is in registers: nothing would be waited for less
    auto options = remark::RemarkOpts::name("steps")
                       .category("split-dots")
                       .function(dot->getParentOfType<func::FuncOp>().getName());
    if (!a.canBeCut() || !b.canBeCut()) {
      remark::missed(dot.getLoc(), options)
          << remark::add("a dot is not cut along K") << remark::reason("elements would change threads");
      return;
    }
    OpBuilder builder(dot);
    Value sum = dot.getAccumulator();
    Value partA = a.at(builder, 0), partB = b.at(builder, 0);
    for (int64_t k = 0; k < dot.getK(); k += step) {
      Value nextA, nextB;
      if (k + step < dot.getK()) {
        nextA = a.at(builder, k + step);
        nextB = b.at(builder, k + step);
      }
      sum = tile::DotOp::create(builder, dot.getLoc(), dot.getType(), partA, partB, sum, dot.getPrecision(),
                                dot.getMaxImprecise(), dot.getUnitAttr());
      partA = nextA;
      partB = nextB;
    }
    remark::passed(dot.getLoc(), options)
        << remark::add("a dot in {0} steps along K, the next one's operands read before each",
                       dot.getK() / step)
        << remark::metric("Steps", dot.getK() / step);
    dot.getResult().replaceAllUsesWith(sum);
    dot.erase();
    a.eraseWhole();
    b.eraseWhole();
  }
};

} // namespace

} // namespace tegula
