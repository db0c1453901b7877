// The pass `split-dots`: Passes.td says what it is for.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/schedule/Passes.h"
#include "dialect/layout/Layouts.h"
#include "dialect/layout/Parts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_SPLITDOTSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// True if `op` may change what is in `buffer`.
bool writes(Operation *op, Value buffer) {
  return anyOp(op, [&](Operation *inside) {
    auto store = dyn_cast<tgpu::LocalStoreOp>(inside);
    auto copy = dyn_cast<tgpu::AsyncCopyOp>(inside);
    return (store && store.getBuffer() == buffer) || (copy && copy.getBuffer() == buffer);
  });
}

/// The part of a dot that is computed at a time: all, or one iteration of a loop.
struct Round {
  Value number;   ///< of the round, an i32 that counts from 0; null where there is no loop
  int64_t length; ///< elements along K
};

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
    if (!load || load.getPosition() || !canLoadLater())
      load = {};
    if (!load)
      transpositions.clear();
    findLayout();
  }

  /// True where parts come from a buffer.
  bool isLoaded() const { return load != nullptr; }
  /// True where each thread finds its parts without others.
  bool canBeCut() const { return layout.has_value(); }

  /// True where a loop can tell at run time which part it takes: registers have no numbers then.
  bool canBeMoved() { return isLoaded() && load.getOffsets()[sourceAxis] == 0; }

  /// The part that begins at `start` along K of what `round` takes.
  Value at(OpBuilder &builder, int64_t start, const Round &round) {
    auto type = cast<RankedTensorType>(source().getType());
    SmallVector<int32_t> offsets(size_t(type.getRank()), 0);
    offsets[sourceAxis] = int32_t(start);
    auto part = RankedTensorType::get(sides, type.getElementType(),
                                      tile::LayoutAttr::get(type.getContext(), *layout));
    if (!load)
      return tgpu::SliceOp::create(builder, dot.getLoc(), part, operand, offsets);
    for (auto [offset, begin] : llvm::zip_equal(offsets, load.getOffsets()))
      offset += begin;
    auto read =
        tgpu::LocalLoadOp::create(builder, load.getLoc(), part, load.getBuffer(), load.getSlot(), offsets);
    if (round.number) {
      read.getPositionMutable().assign(round.number);
      read.setStride(uint32_t(round.length));
      read.setAxis(sourceAxis);
    }
    Value value = read;
    for (tile::TransOp trans : llvm::reverse(transpositions))
      value = transposed(builder, trans, value);
    return value;
  }

  /// Erases the ops that made the whole operand, if nothing else needs it.
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

  /// Finds which axis of the source K is, and the layout of its parts.
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
public:
  using SplitDotsPassBase::SplitDotsPassBase;

private:
  void runOnOperation() override {
    auto hasUnit = [](tile::DotOp dot) { return dot.getUnitAttr() != nullptr; };
    for (tile::DotOp dot : opsOf<tile::DotOp>(getOperation(), hasUnit))
      split(dot, stepOfDot(dot));
  }

  void split(tile::DotOp dot, int64_t step) {
    if (step == dot.getK())
      return;
    OperandParts a(dot, 0, step), b(dot, 1, step);
    if (!a.isLoaded() && !b.isLoaded())
      return; // all is in registers: nothing would be waited for less
    auto options = remarkOptions("split-dots", "steps", dot);
    if (!a.canBeCut() || !b.canBeCut()) {
      remark::missed(dot.getLoc(), options) << remark::add("a dot is not cut along K")
                                            << because("elements would change threads").nothingToDo();
      return;
    }
    OpBuilder builder(dot);
    int64_t round = lengthOfRound(dot, step);
    if (!a.canBeMoved() || !b.canBeMoved())
      round = dot.getK();
    const int64_t rounds = dot.getK() / round;
    Value sum = rounds > 1 ? inRounds(builder, dot, a, b, step, round)
                           : inSteps(builder, dot, a, b, dot.getAccumulator(), step, {{}, round});
    std::string how = llvm::formatv("a dot in {0} steps along K, the next one's operands read before each",
                                    dot.getK() / step);
    if (rounds > 1)
      how += llvm::formatv(", as a loop of {0} rounds", rounds);
    remark::passed(dot.getLoc(), options)
        << remark::add("{0}", how) << remark::metric("Steps", dot.getK() / step)
        << remark::metric("Rounds", rounds);
    dot.getResult().replaceAllUsesWith(sum);
    dot.erase();
    a.eraseWhole();
    b.eraseWhole();
  }

  /// Elements along K that `dot` takes at a time: all, or those of a round where it is a loop.
  int64_t lengthOfRound(tile::DotOp dot, int64_t step) const {
    const int64_t sums = tile::layoutOf(dot.getType()).getLayout().inSize(Dim::Register);
    // A matrix unit does with few instructions what threads do with many.
    if (dot.getUnitAttr().getKind() != tile::MatrixUnitKind::FMA)
      return dot.getK();
    const int64_t atMost = int64_t(llvm::bit_floor(uint64_t(maxMultiplications))) / sums;
    return std::min(dot.getK(), std::max(step, atMost));
  }

  /// `sum` and the products of a round, in the order of K.
  static Value inSteps(OpBuilder &builder, tile::DotOp dot, OperandParts &a, OperandParts &b, Value sum,
                       int64_t step, const Round &round) {
    Value partA = a.at(builder, 0, round), partB = b.at(builder, 0, round);
    for (int64_t k = 0; k < round.length; k += step) {
      Value nextA, nextB;
      if (k + step < round.length) {
        nextA = a.at(builder, k + step, round);
        nextB = b.at(builder, k + step, round);
      }
      sum = tile::DotOp::create(builder, dot.getLoc(), dot.getType(), partA, partB, sum, dot.getPrecision(),
                                dot.getMaxImprecise(), dot.getPartsAttr(), dot.getUnitAttr());
      partA = nextA;
      partB = nextB;
    }
    return sum;
  }

  /// The same of all rounds, as a loop. What the next round reads first does not go round with it: that took
  /// up to 44 registers more of a thread, and where there are 128 sums ptxas spilled.
  static Value inRounds(OpBuilder &builder, tile::DotOp dot, OperandParts &a, OperandParts &b, int64_t step,
                        int64_t length) {
    Location loc = dot.getLoc();
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
    };
    Value begin = number(0), end = number(dot.getK() / length), one = number(1);
    auto loop = scf::ForOp::create(builder, loc, begin, end, one, dot.getAccumulator());
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value sum = inSteps(builder, dot, a, b, loop.getRegionIterArg(0), step, {loop.getInductionVar(), length});
    scf::YieldOp::create(builder, loc, sum);
    return loop.getResult(0);
  }
};

} // namespace

} // namespace tegula
