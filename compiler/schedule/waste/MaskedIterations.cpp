#include "compiler/schedule/waste/MaskedIterations.h"

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/access/ProgramAxes.h"
#include "compiler/analysis/access/SameEachTime.h"
#include "dialect/tile/LayoutInference.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

#include <cstdint>
#include <optional>
#include <utility>

using namespace mlir;

namespace tegula {

namespace {

/// Returns a bit for each axis along which the elements of `value` may differ, by the ops that shape it.
/// `known` are those that have been asked.
uint64_t axesOf(Value value, DenseMap<Value, uint64_t> &known) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return 0;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  const uint64_t all = (uint64_t(1) << type.getRank()) - 1;
  Operation *op = value.getDefiningOp();
  uint64_t axes = all;
  if (DenseElementsAttr numbers; matchPattern(value, m_Constant(&numbers))) {
    axes = numbers.isSplat() ? 0 : all;
  } else if (isa_and_nonnull<tile::SplatOp>(op)) {
    axes = 0;
  } else if (isa_and_nonnull<tile::BroadcastOp, tile::ConvertLayoutOp>(op)) {
    axes = axesOf(op->getOperand(0), known);
  } else if (auto expand = dyn_cast_or_null<tile::ExpandDimsOp>(op)) {
    const uint64_t before = axesOf(expand.getSource(), known), below = (uint64_t(1) << expand.getAxis()) - 1;
    axes = (before & below) | ((before & ~below) << 1);
  } else if (op && tile::isElementwise(op)) {
    axes = 0;
    for (Value operand : op->getOperands())
      axes |= axesOf(operand, known);
  }
  return known[value] = axes;
}

/// A comparison that lets elements pass of which `counted` is not above `limit`, or not below it.
struct Diagonal {
  Value counted; ///< follows the loop's counter
  Value limit;   ///< is the same in each iteration
  bool isUpper = true;
};

std::optional<Diagonal> diagonalOf(arith::CmpIOp compare, bool keepsTrue, scf::ForOp loop) {
  using Predicate = arith::CmpIPredicate;
  const Predicate predicate = compare.getPredicate();
  const bool isLess =
      llvm::is_contained({Predicate::slt, Predicate::sle, Predicate::ult, Predicate::ule}, predicate);
  if (!isLess && llvm::is_contained({Predicate::eq, Predicate::ne}, predicate))
    return std::nullopt;
  Value left = compare.getLhs(), right = compare.getRhs();
  DenseMap<Value, uint64_t> known;
  const uint64_t leftAxes = axesOf(left, known), rightAxes = axesOf(right, known);
  if (!leftAxes || !rightAxes || (leftAxes & rightAxes))
    return std::nullopt;
  const bool countsLeft = !isSameEachTime(left, loop);
  Diagonal found{countsLeft ? left : right, countsLeft ? right : left, (isLess == keepsTrue) == countsLeft};
  if (!followsCounter(found.counted, loop) || !isSameEachTime(found.limit, loop))
    return std::nullopt;
  return found;
}

/// Adds the comparisons of which each has to hold for an element to be kept.
void addDiagonals(Value mask, bool keepsTrue, scf::ForOp loop, SmallVectorImpl<Diagonal> &found) {
  llvm::SetVector<std::pair<Value, unsigned>> masks; // with whether they keep what is true
  masks.insert({mask, keepsTrue ? 1u : 0u});
  for (unsigned i = 0; i < masks.size(); ++i) {
    const auto [value, keeps] = masks[i];
    Operation *op = value.getDefiningOp();
    if (auto compare = dyn_cast_or_null<arith::CmpIOp>(op)) {
      if (std::optional<Diagonal> one = diagonalOf(compare, keeps, loop))
        found.push_back(*one);
    } else if (isa_and_nonnull<tile::BroadcastOp, tile::ConvertLayoutOp, tile::ExpandDimsOp>(op)) {
      masks.insert({op->getOperand(0), keeps});
    } else if (keeps ? isa_and_nonnull<arith::AndIOp>(op) : isa_and_nonnull<arith::OrIOp>(op)) {
      for (Value operand : op->getOperands())
        masks.insert({operand, keeps});
    } else if (isa_and_nonnull<arith::XOrIOp>(op) && matchPattern(op->getOperand(1), m_One())) {
      masks.insert({op->getOperand(0), keeps ? 0u : 1u});
    }
  }
}

/// Returns the number that all elements of a constant are; nothing for others.
std::optional<double> constantOf(Value value) {
  APFloat number(0.0);
  if (Operation *op = value.getDefiningOp(); isa_and_nonnull<tile::SplatOp>(op))
    value = op->getOperand(0);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  bool isInexact = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &isInexact);
  return number.convertToDouble();
}

/// Adds the comparisons that `op` leaves elements out by: the mask of a load, or the choice of a constant for
/// what is masked; where both are constants, for what is added, of the lower one.
void addDiagonalsOf(Operation *op, scf::ForOp loop, SmallVectorImpl<Diagonal> &found) {
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (load.getMask())
      addDiagonals(load.getMask(), /*keepsTrue=*/true, loop, found);
    return;
  }
  auto select = dyn_cast<arith::SelectOp>(op);
  if (!select || !isa<RankedTensorType>(select.getCondition().getType()))
    return;
  const std::optional<double> ifTrue = constantOf(select.getTrueValue()),
                              ifFalse = constantOf(select.getFalseValue());
  if (!ifTrue && !ifFalse)
    return;
  addDiagonals(select.getCondition(), /*keepsTrue=*/!ifTrue || (ifFalse && *ifFalse < *ifTrue), loop, found);
}

/// Returns whether the limit differs between programs between which the loop's bound does not.
bool goesBeyond(const Diagonal &diagonal, scf::ForOp loop) {
  const ProgramAxes limit = programAxesOf(diagonal.limit);
  const ProgramAxes bound = programAxesOf(diagonal.isUpper ? loop.getUpperBound() : loop.getLowerBound());
  for (size_t axis = 0; axis < limit.axes.size(); ++axis)
    if (limit.follows(axis) && !bound.follows(axis))
      return true;
  return false;
}

void report(scf::ForOp loop) {
  for (Operation &op : *loop.getBody()) {
    SmallVector<Diagonal> diagonals;
    addDiagonalsOf(&op, loop, diagonals);
    const Diagonal *beyond =
        llvm::find_if(diagonals, [&](const Diagonal &one) { return goesBeyond(one, loop); });
    if (beyond == diagonals.end())
      continue;
    remark::missed(loop.getLoc(), remarkOptions("plan-loops", "iterations", loop))
        << remark::add("every program runs iterations of which a mask leaves out all elements")
        << because(&op, beyond->isUpper ? "the mask lets nothing pass above a limit of the program, and the "
                                          "loop goes on to the same end in all"
                                        : "the mask lets nothing pass below a limit of the program, and the "
                                          "loop begins at the same place in all")
               .fixedBy(beyond->isUpper ? "end the loop at the last column that the program's rows need"
                                        : "begin the loop at the first column that the program's rows need");
    return;
  }
}

} // namespace

void reportMaskedIterations(func::FuncOp kernel) {
  if (kernel.getContext()->getRemarkEngine())
    kernel.walk(report);
}

} // namespace tegula
