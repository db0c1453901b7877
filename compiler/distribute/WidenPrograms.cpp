// The pass `widen-programs`: Passes.td says which kernels get more warps and why.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/distribute/Passes.h"
#include "dialect/tile/Limits.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

namespace tegula {
#define GEN_PASS_DEF_WIDENPROGRAMSPASS
#include "compiler/distribute/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// The number of elements of a tensor from which on a thread cannot hold them: it has 255 registers, so that
/// most of them go by way of local memory whatever is done.
constexpr int64_t TooManyElements = 512;
/// The number of elements that a thread gets instead, if there are warps enough: with 16 warps its share of
/// all registers.
constexpr int64_t EnoughElements = 128;

/// The largest tensor whose elements may leave their threads: among more warps they move through shared
/// memory, of which there are 227 KiB.
constexpr int64_t MostMovedElements = 1 << 16;

/// Returns whether each thread computes its own elements of the results, or of what is reduced: more warps
/// then need no more shared memory.
bool keepsElements(Operation *op) {
  // All elements are reduced to one, as by `tl.sum` without an axis.
  if (auto reshape = dyn_cast<tile::ReshapeOp>(op))
    return reshape.getType().getRank() == 1 && llvm::all_of(op->getUsers(), llvm::IsaPred<tile::ReduceOp>);
  if (tile::GlobalAccess access = tile::globalAccessOf(op))
    return !access.isAtomic(); // of which the old value goes to all threads that have the element
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tile::ArangeOp, tile::SplatOp, tile::ExpandDimsOp, tile::BroadcastOp, tile::AddPtrOp,
             tile::ReduceOp, arith::ConstantOp>(op) ||
         (op->getNumRegions() != 0 && !isa<tile::ScanOp>(op));
}

/// Elements of the largest tensor that threads hold; 0 where the kernel asks for its warps, its author chose
/// them for matrix units, or elements of large tensors move between threads.
int64_t elementsToSpread(func::FuncOp function) {
  int64_t elements = 0, moved = 0;
  const WalkResult result = function.walk([&](Operation *op) {
    if (tile::does(op, tile::Interaction::AsksDevice) || isa<tile::DotOp>(op))
      return WalkResult::interrupt();
    int64_t most = 0;
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        most = std::max(most, tensor.getNumElements());
    if (!isa<arith::ConstantOp, tile::SplatOp>(op))
      elements = std::max(elements, most);
    if (!keepsElements(op))
      moved = std::max(moved, most);
    return WalkResult::advance();
  });
  return result.wasInterrupted() || moved > MostMovedElements ? 0 : elements;
}

class WidenPrograms : public impl::WidenProgramsPassBase<WidenPrograms> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        if (mayUse(function, Feature::Packing))
          widen(function, kernel);
  }

  void widen(func::FuncOp function, tile::KernelAttr kernel) {
    const int64_t elements = elementsToSpread(function);
    uint32_t warps = kernel.getWarps();
    if (elements < TooManyElements * Target::warpSize * warps)
      return;
    while (warps < tile::MaxWarps && elements > EnoughElements * Target::warpSize * warps)
      warps *= 2;
    if (warps == kernel.getWarps())
      return;
    function->setAttr("tile.kernel", tile::KernelAttr::get(&getContext(), warps, kernel.getStages()));
    remark::passed(function.getLoc(),
                   remark::RemarkOpts::name("widen").category("widen-programs").function(function.getName()))
        << remark::add(
               "{0} warps run one program instead of {1}, whose threads would hold {2} elements of a tensor",
               warps, kernel.getWarps(), elements / (Target::warpSize * kernel.getWarps()))
        << remark::metric("Warps", warps);
  }
};

} // namespace

} // namespace tegula
