// The pass `store-by-tma`: Passes.td says what it is for.
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/PlannedMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_STOREBYTMAPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// Carries `plan` out: `store` is gone then, and what may access the same array waits for it. The kernel must
/// wait for what is stored to be read before it ends.
void storeByTma(tile::StoreOp store, const TmaStorePlan &plan) {
  auto kernel = store->getParentOfType<func::FuncOp>();
  tile::ConvertLayoutOp conversion = conversionBefore(store);
  auto whole = cast<RankedTensorType>(conversion.getSource().getType());
  OpBuilder builder(store);
  Location loc = store.getLoc();
  Value map = createTensorMap(builder, loc, kernel, plan.target);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value buffer = tgpu::AllocOp::create(builder, loc, plan.buffer);
  builder.setInsertionPoint(store);
  SmallVector<Value> start;
  for (unsigned axis : plan.target.order)
    start.push_back(plan.target.box.startOf(plan.target.box.axes[axis], builder, loc));
  const unsigned contiguous = plan.target.boxes.contiguous, slots = plan.buffer.getSlots();
  unsigned number = 0;
  auto wait = [&](unsigned pending, bool read) {
    tgpu::TmaStoreWaitOp::create(builder, loc, pending, read, /*refill=*/true, plan.warpParts);
  };
  for (int64_t row = 0; row < whole.getDimSize(0); row += plan.part.getDimSize(0))
    for (int64_t column = 0; column < whole.getDimSize(1); column += plan.part.getDimSize(1), ++number) {
      // The store of the previous iteration comes first where both write to one place.
      if (number == 0 && plan.isRepeated)
        wait(0, /*read=*/false);
      else if (number >= slots)
        wait(slots - 1, /*read=*/true);
      const int32_t offsets[] = {int32_t(row), int32_t(column)};
      Value part = tgpu::SliceOp::create(builder, loc, plan.part, conversion.getSource(), offsets);
      SmallVector<Value> corner(start);
      for (unsigned place : {0u, 1u})
        if (int32_t by = offsets[place == 0 ? contiguous : 1 - contiguous])
          corner[place] = arith::AddIOp::create(builder, loc, corner[place],
                                                arith::ConstantIntOp::create(builder, loc, by, 32));
      Value slot = arith::ConstantIntOp::create(builder, loc, number % slots, 32);
      tgpu::TmaStoreOp::create(builder, loc, part, buffer, slot, map, corner, plan.warpParts);
    }
  for (Operation *follower : findFollowers(store)) {
    builder.setInsertionPoint(follower);
    tgpu::TmaStoreWaitOp::create(builder, loc, /*pending=*/0, /*read=*/false, /*refill=*/true, /*parts=*/1);
  }
  store.erase();
  conversion.erase();
}

struct StoreByTma : impl::StoreByTmaPassBase<StoreByTma> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel.isExternal() && mayStoreByTma(kernel))
        visit(kernel);
      kernel.walk([](tile::StoreOp store) { dropBox(store); });
      eraseUnusedBoxes(kernel);
    }
  }

private:
  static void visit(func::FuncOp kernel) {
    const bool loadsByTma = !kernel.getBody().front().getOps<tgpu::TensorMapOp>().empty();
    auto options = remarkOptions("store-by-tma", "store", kernel);
    bool isAny = false;
    for (const PlannedStore &planned : PlannedMemory(kernel).planStores()) {
      const Decision<TmaStorePlan> &plan = planned.plan;
      Location loc = tile::StoreOp(planned.store).getLoc();
      if (plan) {
        storeByTma(planned.store, *plan);
        isAny = true;
        remark::passed(loc, options) << remark::add("a product's result is stored by TMA")
                                     << remark::metric("SharedBytes", plan->buffer.getBytes())
                                     << remark::metric("Slots", plan->buffer.getSlots());
      } else if (loadsByTma) {
        remark::missed(loc, options) << remark::add("a product's result is stored by threads, not by TMA")
                                     << plan.error();
      }
    }
    if (!isAny)
      return;
    Operation *end = kernel.getBody().front().getTerminator();
    OpBuilder builder(end);
    tgpu::TmaStoreWaitOp::create(builder, kernel.getLoc(), /*pending=*/0, /*read=*/true, /*refill=*/false,
                                 /*parts=*/1);
  }
};

} // namespace

} // namespace tegula
