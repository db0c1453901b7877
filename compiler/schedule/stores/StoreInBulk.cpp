// The pass `store-in-bulk`: Passes.td says what it is for.
#include "compiler/schedule/stores/BulkStores.h"
#include "compiler/schedule/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

namespace tegula {
#define GEN_PASS_DEF_STOREINBULKPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

struct StoreInBulk : impl::StoreInBulkPassBase<StoreInBulk> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (!kernel.isExternal() && mayStoreInBulk(kernel))
        visit(kernel);
  }

private:
  static void visit(func::FuncOp kernel) {
    SmallVector<tile::StoreOp> stores;
    kernel.walk([&](tile::StoreOp store) {
      if (exchangeBefore(store))
        stores.push_back(store);
    });
    const bool loadsInBulk = !kernel.getBody().front().getOps<tgpu::TensorMapOp>().empty();
    auto options = remark::RemarkOpts::name("store").category("store-in-bulk").function(kernel.getName());
    bool isAny = false;
    for (tile::StoreOp store : stores) {
      Location loc = store.getLoc();
      std::string why;
      std::optional<BulkStorePlan> plan = planBulkStore(store, why);
      if (plan) {
        storeInBulk(store, *plan);
        isAny = true;
        remark::passed(loc, options) << remark::add("a product's result is stored by the bulk copy engine")
                                     << remark::metric("SharedBytes", plan->buffer.getBytes())
                                     << remark::metric("Slots", plan->buffer.getSlots());
      } else if (loadsInBulk) {
        remark::missed(loc, options)
            << remark::add("a product's result is stored by threads, not by the bulk copy engine")
            << remark::reason("{0}", why);
      }
    }
    if (!isAny)
      return;
    Operation *end = kernel.getBody().front().getTerminator();
    OpBuilder builder(end);
    tgpu::BulkStoreWaitOp::create(builder, kernel.getLoc(), /*pending=*/0, /*read=*/true, /*refill=*/false,
                                  /*parts=*/1);
  }
};

} // namespace

} // namespace tegula
