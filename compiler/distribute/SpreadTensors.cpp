// The pass `spread-tensors`: Passes.td says what it is for.
//
// Of a row of N elements, block r of a cluster of S blocks has the part from r * N / S on:
//
//     rank              0          1          2          3
//     arange            0 ...      N/4 ...    N/2 ...    3N/4 ...
//     reduce            a          b          c          d           of the block's part
//     gather            abcd       abcd       abcd       abcd
//     reduce            s          s          s          s           in the order of ranks
//
// Each block computes for itself what is not of rows; the block of rank 0 alone stores it.
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/distribute/ClusterBarriers.h"
#include "compiler/distribute/Passes.h"
#include "compiler/distribute/SpreadPlan.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_SPREADTENSORSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// Gives each block its part of the rows of a kernel.
class Spreader {
public:
  Spreader(func::FuncOp kernel, const RowSpread &spread)
      : kernel(kernel), spread(spread), builder(kernel.getContext()) {}

  void run() {
    SmallVector<Operation *> ops;
    llvm::DenseSet<Operation *> ofRows;
    kernel.getBody().walk([&](Operation *op) {
      ops.push_back(op);
      if (spread.reducesRows(op))
        reductions.push_back(cast<tile::ReduceOp>(op));
      const tile::GlobalAccess access = tile::globalAccessOf(op);
      if (access && spread.axisOf(access.address.getType()))
        ofRows.insert(op);
      else if (access.writes)
        others.push_back(op);
    });
    kernel->setAttr("tile.cluster", builder.getI32IntegerAttr(int32_t(spread.blocks)));
    builder.setInsertionPointToStart(&kernel.getBody().front());
    rank = tgpu::ClusterRankOp::create(builder, kernel.getLoc());
    for (Operation *op : ops)
      takePart(op);
    for (tile::ReduceOp reduction : reductions)
      combineParts(reduction);
    addClusterBarriers(kernel, ofRows);
    for (Operation *store : others)
      leaveToFirst(store);
    waitForBegin();
  }

private:
  Value number(Location loc, int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }

  void takePart(Operation *op) {
    if (auto range = dyn_cast<tile::ArangeOp>(op); range && spread.axisOf(range.getType()))
      return takePart(range);
    for (Region &region : op->getRegions())
      for (Value argument : region.getArguments())
        argument.setType(spread.partOf(argument.getType()));
    for (Value result : op->getResults())
      result.setType(spread.partOf(result.getType()));
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
        constant.setValueAttr(splat.resizeSplat(cast<ShapedType>(constant.getType())));
  }

  void takePart(tile::ArangeOp whole) {
    builder.setInsertionPointAfter(whole);
    const auto exact = arith::IntegerOverflowFlags::nsw;
    const Location loc = whole.getLoc();
    auto type = cast<RankedTensorType>(spread.partOf(whole.getType()));
    Value part = tile::ArangeOp::create(builder, loc, type, whole.getStart(),
                                        whole.getStart() + uint32_t(spread.perBlock()));
    Value first = arith::MulIOp::create(builder, loc, rank, number(loc, spread.perBlock()), exact);
    Value shift = tile::SplatOp::create(builder, loc, type, first);
    whole.replaceAllUsesWith(arith::AddIOp::create(builder, loc, part, shift, exact).getResult());
    whole.erase();
  }

  /// Reduces what the blocks have reduced.
  void combineParts(tile::ReduceOp ofPart) {
    builder.setInsertionPointAfter(ofPart);
    const Location loc = ofPart.getLoc();
    SmallVector<Type> types;
    for (Type type : ofPart.getResultTypes())
      types.push_back(RankedTensorType::get({int64_t(spread.blocks)}, type));
    auto gathered = tgpu::ClusterGatherOp::create(builder, loc, types, ofPart.getResults());
    auto whole = tile::ReduceOp::create(builder, loc, gathered.getResults(), /*axis=*/0);
    IRMapping mapping;
    ofPart.getCombine().cloneInto(&whole.getCombine(), mapping);
    for (auto [part, result] : llvm::zip_equal(ofPart.getResults(), whole.getResults()))
      part.replaceAllUsesExcept(result, gathered);
  }

  /// Has the block of rank 0 alone do what is the same in all.
  void leaveToFirst(Operation *store) {
    builder.setInsertionPoint(store);
    const Location loc = store->getLoc();
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rank, number(loc, 0));
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    store->moveBefore(branch.thenBlock()->getTerminator());
  }

  /// Has each block wait for the others to begin before it reaches into their memory: they are told at once,
  /// and waited for as late as can be.
  void waitForBegin() {
    builder.setInsertionPointAfterValue(rank);
    tgpu::ClusterArriveOp::create(builder, kernel.getLoc());
    for (Operation &op : kernel.getBody().front()) {
      if (!anyOp(&op, [](Operation *inside) { return isMeeting(*inside); }))
        continue;
      builder.setInsertionPoint(&op);
      tgpu::ClusterWaitOp::create(builder, kernel.getLoc());
      return;
    }
  }

  func::FuncOp kernel;
  const RowSpread &spread;
  OpBuilder builder;
  Value rank;
  SmallVector<tile::ReduceOp> reductions; ///< of rows
  SmallVector<Operation *> others;        ///< stores of what is not of rows
};

struct SpreadTensors : impl::SpreadTensorsPassBase<SpreadTensors> {
  void runOnOperation() override {
    const Target *target = targetOf(getOperation());
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      auto asked = dyn_cast_if_present<IntegerAttr>(kernel->removeAttr("tile.num_ctas"));
      if (kernel.isExternal() || !target || !target->clusters || !mayUse(kernel, Feature::Spread) ||
          !kernel->hasAttr("tile.kernel"))
        continue;
      Decision<RowSpread> spread = spreadOf(kernel, asked ? unsigned(asked.getInt()) : 0);
      auto options = remarkOptions("spread-tensors", "spread", kernel);
      if (!spread) {
        if (asked)
          remark::missed(kernel.getLoc(), options)
              << remark::add("the blocks of a cluster do not share rows") << spread.error();
        continue;
      }
      Spreader(kernel, *spread).run();
      remark::passed(kernel.getLoc(), options)
          << remark::add("{0} blocks of a cluster share each program's rows of {1} elements", spread->blocks,
                         spread->elements)
          << remark::metric("Blocks", spread->blocks);
    }
  }
};

} // namespace
} // namespace tegula
