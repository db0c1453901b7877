#include "compiler/distribute/SpreadPlan.h"

#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/target/Target.h"
#include "dialect/tile/LoopSharing.h"
#include "dialect/tile/NameOps.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

namespace {

/// The longest row that one block has, and the elements that each of several has at most, where there are
/// blocks enough. Each gather takes a block half a microsecond, as two blocks a multiprocessor hardly hide.
/// On an H200 softmax had these shares of the rate of a copy, with the best number of warps:
///
///              one block     2        4        8 blocks
///     16384    bf16  0.98    0.85     0.76     0.50         fp32  0.98    0.97     0.92     0.76
///     32768          0.90    0.82     0.77     0.72               0.96    0.92     0.94     0.89
///     65536          0.76    0.75     0.79     0.75               0.69    0.78     0.89     0.91
///     131072         0.18    0.63     0.71     0.78               0.20    0.64     0.78     0.86
constexpr int64_t MostOfOne = 32768, MostOfEach = 16384;

/// Returns whether blocks can do `op` on parts of rows by themselves: each element by itself, or a tensor
/// that is the same in each part.
bool isByElement(Operation *op, const RowSpread &spread) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto reduce = dyn_cast<tile::ReduceOp>(op))
    return !spread.reducesRows(op) || reduce.getSourceShape().size() == 1;
  return op->hasTrait<OpTrait::Elementwise>() || tile::globalAccessOf(op) ||
         isa<tile::ArangeOp, tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::AddPtrOp,
             tile::HintOp, tile::OptBarrierOp, tile::BindOp, scf::ForOp, scf::IfOp, scf::YieldOp>(op);
}

/// Returns whether a row is more than one axis of `type`.
bool isSquare(Type type, const RowSpread &spread) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && llvm::count(tensor.getShape(), spread.elements) > 1;
}

/// Decides whether blocks can do `op`, each for its part of rows.
Decision<> mayDoInParts(Operation *op, const RowSpread &spread) {
  if (seesOthers(op))
    return because(op, "every block of the cluster would do it").nothingToDo();
  bool isOfRows = false;
  auto check = [&](TypeRange types) {
    isOfRows |= llvm::any_of(types, [&](Type type) { return spread.axisOf(type).has_value(); });
    return llvm::none_of(types, [&](Type type) { return isSquare(type, spread); });
  };
  if (!check(op->getOperandTypes()) || !check(op->getResultTypes()))
    return because(op, "it has two axes of {0} elements", spread.elements).nothingToDo();
  if (isOfRows && !isByElement(op, spread))
    return because(op, "it takes whole rows").nothingToDo();
  return {};
}

int64_t longestReduced(func::FuncOp kernel) {
  int64_t longest = 0;
  kernel.walk(
      [&](tile::ReduceOp reduce) { longest = std::max(longest, reduce.getSourceShape()[reduce.getAxis()]); });
  return longest;
}

} // namespace

std::optional<unsigned> RowSpread::axisOf(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return std::nullopt;
  auto axis = llvm::find(tensor.getShape(), elements);
  return axis == tensor.getShape().end() ? std::nullopt
                                         : std::optional(unsigned(axis - tensor.getShape().begin()));
}

Type RowSpread::partOf(Type type) const {
  const std::optional<unsigned> axis = axisOf(type);
  if (!axis)
    return type;
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape(tensor.getShape());
  shape[*axis] = perBlock();
  return tensor.clone(shape);
}

bool RowSpread::reducesRows(Operation *op) const {
  auto reduce = dyn_cast<tile::ReduceOp>(op);
  return reduce && reduce.getSourceShape()[reduce.getAxis()] == elements;
}

Decision<RowSpread> spreadOf(func::FuncOp kernel, unsigned asked) {
  if (kernelOf(kernel).getPrograms() > 1)
    return because("several of its programs share a block").nothingToDo();
  RowSpread spread{longestReduced(kernel), asked};
  if (spread.elements == 0)
    return because("it reduces nothing").nothingToDo();
  if (!asked) {
    spread.blocks = 1;
    if (spread.elements > MostOfOne)
      while (spread.perBlock() > MostOfEach && spread.blocks < tile::MaxSharingBlocks)
        spread.blocks *= 2;
  }
  const int64_t threads = int64_t(Target::warpSize) * kernelOf(kernel).getWarps();
  if (spread.blocks == 1 || spread.perBlock() < threads)
    return because("the rows that it reduces have {0} elements, which one block can hold", spread.elements)
        .nothingToDo();
  Decision<> decision;
  kernel.getBody().walk([&](Operation *op) {
    decision = mayDoInParts(op, spread);
    return decision ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!decision)
    return decision.error();
  return spread;
}

} // namespace tegula
