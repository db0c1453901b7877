#include "compiler/analysis/access/DemandedElements.h"

#include "compiler/analysis/access/ForwardedValues.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/LayoutInference.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace tegula {

namespace {

class Follower {
public:
  Follower(const Polynomial &from, BoxAnalysis &analysis) : from(from), analysis(analysis) {}

  bool run(Value tensor, unsigned axis) {
    reach(tensor, axis);
    for (size_t next = 0; next < reached.size(); ++next) {
      auto [place, first] = reached.begin()[next];
      begin = first;
      for (OpOperand &use : place.first.getUses())
        if (!passes(use, place.second))
          return false;
    }
    return true;
  }

private:
  bool reach(Value value, unsigned axis) { return reach(value, axis, begin); }
  /// Returns false where a value begins with two elements: parts that move round a loop would have no end.
  bool reach(Value value, unsigned axis, int64_t first) {
    return reached.try_emplace({value, axis}, first).first->second == first;
  }

  bool reachResults(Operation *op, unsigned axis) {
    return llvm::all_of(op->getResults(), [&](Value result) { return reach(result, axis); });
  }

  /// Returns whether it is known where the elements go from `use`; that place is reached then.
  bool passes(OpOperand &use, unsigned axis) {
    Operation *op = use.getOwner();
    if (auto store = dyn_cast<tile::StoreOp>(op))
      return use.get() == store.getValue() && use.get() != store.getPointer() &&
             leavesOut(store.getMask(), axis);
    if (auto slice = dyn_cast<tgpu::SliceOp>(op))
      return reach(slice.getResult(), axis, begin + slice.getOffsets()[axis]);
    if (auto insert = dyn_cast<tgpu::InsertOp>(op))
      return reach(insert.getResult(), axis,
                   use.get() == insert.getWhole() ? begin : begin - insert.getOffsets()[axis]);
    if (isa<tgpu::ClusterSumOp>(op))
      return reachResults(op, axis);
    if (tile::isElementwise(op) || isa<tile::ConvertLayoutOp, tile::HintOp, tile::BroadcastOp>(op))
      return isMemoryEffectFree(op) && reachResults(op, axis);
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
      return reach(expand.getResult(), axis + (axis >= unsigned(expand.getAxis()) ? 1 : 0));
    if (auto trans = dyn_cast<tile::TransOp>(op))
      return reach(trans.getResult(),
                   unsigned(llvm::find(trans.getOrder(), int32_t(axis)) - trans.getOrder().begin()));
    if (auto reduce = dyn_cast<tile::ReduceOp>(op))
      return axis != unsigned(reduce.getAxis()) && isMemoryEffectFree(op) &&
             reachResults(op, axis - (axis > unsigned(reduce.getAxis()) ? 1 : 0));
    if (isa<tile::DotOp, tgpu::MmaOp, tgpu::MmaBeginOp, tgpu::MmaWaitOp, tgpu::LocalStoreOp,
            tgpu::LocalLoadOp>(op))
      return passesProduct(use, axis);
    return passesControl(use, axis);
  }

  bool passesProduct(OpOperand &use, unsigned axis) {
    Operation *op = use.getOwner();
    if (auto wait = dyn_cast<tgpu::MmaWaitOp>(op))
      return use.getOperandNumber() >= wait.getSums().size() || // held, and left as it is
             reach(wait.getResult(use.getOperandNumber()), axis);
    if (auto store = dyn_cast<tgpu::LocalStoreOp>(op))
      return reach(store.getBuffer(), axis);
    if (auto load = dyn_cast<tgpu::LocalLoadOp>(op)) {
      auto part = cast<RankedTensorType>(load.getResult().getType());
      return part.getDimSize(axis) == load.getBuffer().getType().getShape()[axis] &&
             reach(load.getResult(), axis);
    }
    if (auto dot = dyn_cast<tile::DotOp>(op)) {
      if (dot.getResultType().getRank() != 2)
        return false;
      bool isA = use.get() == dot.getA(), isB = use.get() == dot.getB();
      return !(isA && axis != 0) && !(isB && axis != 1) && reach(dot.getResult(), axis);
    }
    if (auto product = dyn_cast<tgpu::MmaOp>(op)) {
      // An operand that is in a buffer may be transposed.
      for (unsigned index : {0u, 1u})
        if (use.get() == (index == 0 ? Value(product.getA()) : Value(product.getB()))) {
          if (axis == product.getKAxis(index))
            return false;
          axis = index;
          if (index == 1)
            return reach(product.getResult(), axis, begin + product.getFirstColumn());
        }
    }
    return reach(op->getResult(0), axis);
  }

  /// Through what loops and branches hand on.
  bool passesControl(OpOperand &use, unsigned axis) {
    Operation *op = use.getOwner();
    if (!isa<scf::ForOp>(op) && !(isa<scf::YieldOp>(op) && isa<scf::ForOp, scf::IfOp>(op->getParentOp())))
      // Room for tensors does nothing with them; what else there is may do anything.
      return isa<tgpu::AllocOp>(op);
    return llvm::all_of(carriedTo(use), [&](Value next) { return reach(next, axis); });
  }

  bool leavesOut(Value mask, unsigned axis) {
    if (begin != 0)
      return false;
    std::optional<SmallVector<BoxAnalysis::Bound>> bounds = mask ? analysis.boundsOf(mask) : std::nullopt;
    return bounds && llvm::any_of(*bounds, [&](const BoxAnalysis::Bound &bound) {
             return bound.axis == axis && bound.below == from;
           });
  }

  const Polynomial &from;
  BoxAnalysis &analysis;
  /// Values and the axis in question: which element along it of the first tensor they begin with.
  llvm::MapVector<std::pair<Value, unsigned>, int64_t> reached;
  int64_t begin = 0; ///< of the value whose uses are looked at
};

} // namespace

bool areDeadFrom(Value tensor, unsigned axis, const Polynomial &from, BoxAnalysis &analysis) {
  return Follower(from, analysis).run(tensor, axis);
}

} // namespace tegula
