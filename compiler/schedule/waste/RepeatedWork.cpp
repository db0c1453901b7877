#include "compiler/schedule/waste/RepeatedWork.h"

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/access/SameEachTime.h"
#include "dialect/tile/Effects.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

namespace {

/// The registers of a thread that a sum of whole tiles may take: with more, a reduction each time may be
/// right.
constexpr int32_t MostRegisters = 64;

/// Returns the op that combines two elements, where the region is made of it alone.
Operation *combinerOf(tile::ReduceOp op) {
  Block &body = op.getRegion().front();
  return llvm::hasNItems(body, 2) ? &body.front() : nullptr;
}

/// Returns whether lanes or warps have to meet for the reduction, of tiles that a thread has the registers to
/// keep.
bool isAcrossThreads(tile::ReduceOp op) {
  tile::LayoutAttr attr = tile::layoutOf(op->getOperand(0).getType());
  if (!attr)
    return false;
  const LinearLayout &layout = attr.getLayout();
  const Dim axis = tensorDim(op.getAxis());
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (unsigned bit = 0; bit < layout.inBits(dim); ++bit)
      if (layout.basis(dim, bit, axis))
        return layout.inSize(Dim::Register) <= MostRegisters;
  return false;
}

/// Returns whether nothing but the next iteration has a use for `result`: an op like `combiner` combines it
/// with what the loop carries, which is used for nothing else.
bool isOnlyCombined(Value result, Operation *combiner, scf::ForOp loop) {
  if (!result.hasOneUse())
    return false;
  Operation *user = *result.getUsers().begin();
  if (user->getName() != combiner->getName() || user->getNumOperands() != 2 || !user->hasOneUse())
    return false;
  auto carried = dyn_cast<BlockArgument>(user->getOperand(user->getOperand(0) == result));
  if (!carried || !carried.hasOneUse() || !llvm::is_contained(loop.getRegionIterArgs(), carried))
    return false;
  OpOperand &end = *user->use_begin();
  return end.getOwner() == loop.getBody()->getTerminator() &&
         loop.getRegionIterArgs()[end.getOperandNumber()] == carried;
}

/// Returns whether the loop computes with numbers alone, and waits for no other: each thread of the program
/// does the same.
bool isOfNumbers(scf::ForOp loop) {
  const auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  return !anyOp(loop, [&](Operation *op) {
    const tile::GlobalAccess access = tile::globalAccessOf(op);
    return llvm::any_of(op->getResultTypes(), isTensor) || llvm::any_of(op->getOperandTypes(), isTensor) ||
           access.isAtomic() || access.isVolatile;
  });
}

remark::detail::InFlightRemark missed(Operation *op, StringRef name) {
  return remark::missed(op->getLoc(), remarkOptions("plan-loops", name, op));
}

void reportSameLoad(tile::LoadOp load, scf::ForOp loop) {
  Operation *store = nullptr;
  loop.walk([&](Operation *op) {
    const tile::GlobalAccess access = tile::globalAccessOf(op);
    if (!store && access && !access.onlyReads())
      store = op;
  });
  Reason why = store ? because(store, "what is stored in the loop may be the same memory")
                     : because("its addresses do not follow the loop");
  missed(load, "load")
      << remark::add("the same elements are loaded each time round the loop")
      << std::move(why).fixedBy(
             "load them once before the loop; what the program itself stores there, keep in a variable");
}

/// Reports what one loop repeats.
void report(scf::ForOp loop) {
  for (auto op : loop.getBody()->getOps<tile::ReduceOp>())
    if (Operation *combiner = combinerOf(op);
        combiner && isAcrossThreads(op) && isOnlyCombined(op->getResult(0), combiner, loop))
      missed(op, "reduce") << remark::add("lanes combine their elements each time round the loop")
                           << because("the loop only combines the result with that of the iterations before")
                                  .fixedBy("combine whole tiles in the loop, and reduce once behind it");
  const bool isScalar = isOfNumbers(loop);
  for (auto load : loop.getBody()->getOps<tile::LoadOp>()) {
    const tile::GlobalAccess access = tile::globalAccessOf(load);
    if (access.isVolatile || access.isAtomic())
      continue;
    if (isSameEachTime(load.getPointer(), loop) && (!load.getMask() || isSameEachTime(load.getMask(), loop)))
      reportSameLoad(load, loop);
    else if (isScalar && followsCounter(load.getPointer(), loop))
      missed(load, "scalar") << remark::add(
                                    "a loop loads one element after the other, and each thread the same")
                             << because("the loop computes with numbers, and not with tensors")
                                    .fixedBy("load tiles by `tl.arange`, and reduce or scan them");
  }
}

} // namespace

void reportRepeatedWork(func::FuncOp kernel) {
  if (kernel.getContext()->getRemarkEngine())
    kernel.walk(report);
}

} // namespace tegula
