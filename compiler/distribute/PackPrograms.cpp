// The pass `pack-programs`: Passes.td says which kernels it packs and why.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PACKPROGRAMSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// The best number of warps and programs by the bytes that a program moves: on an H200 softmax and layernorm
/// of 256 and 1024 columns reached these shares of the copy rate.
///
///      moved   kernel           4 warps   2 warps   1 warp and 1, 2, 4 programs a block
///      1 KiB   softmax, bf16                        0.47   0.85   1.00
///      4 KiB   softmax, bf16    0.97      0.99      0.99   1.00   0.98
///      8 KiB   softmax, fp32    0.99      1.01      1.00   0.99   0.99
///      8 KiB   layernorm, bf16  0.97      0.99      0.98          0.97
///      16 KiB  layernorm, fp32  1.00      0.99      0.99          0.98
///
/// Short programs need company, or blocks do not start fast enough; longer ones need none, and small blocks
/// end and make room one by one.
struct Spread {
  int64_t bytes; ///< moved by a program at most
  uint32_t warps, programs;
};
constexpr Spread Spreads[] = {{2048, 1, 4}, {4096, 1, 2}, {8192, 2, 1}};

/// The most elements of the largest tensor that one thread may hold. A few such tensors live at once, each
/// element in a register of its own once it is computed with.
constexpr int64_t MaxElementsPerThread = 32;

/// The contents of a kernel, as far as packing goes.
struct Contents {
  int64_t elements = 0;   ///< of the largest tensor
  int64_t movedBytes = 0; ///< of all accesses together
  bool crossesWarps = false;
  bool tellsProgramsApart = false;
  std::optional<Reason> obstacle; ///< why the programs cannot be packed, if something in them forbids it
};

/// Decides whether programs with `op` may share a block.
Decision<> mayPack(Operation *op) {
  if (isa<scf::WhileOp>(op))
    return because(op, "a `while` loop may wait for other programs")
        .fixedBy("use `for` where the number of iterations is known");
  if (tile::does(op, tile::Interaction::SyncsThreads))
    return because(op, "its threads wait for each other").nothingToDo();
  if (tile::does(op, tile::Interaction::AsksDevice))
    return because(op, "it asks for things of the device itself").nothingToDo();
  if (isa<tile::DotOp>(op))
    return because(op, "it multiplies matrices, and its author chose warps for them").nothingToDo();
  const tile::GlobalAccess access = tile::globalAccessOf(op);
  if (access.isConditional)
    return because(op, "an atomic op may be a lock").fixedBy("use `sem=\"relaxed\"` where no order is meant");
  if (access.isAtomic() && access.order != tile::MemoryOrder::Relaxed)
    return because(op, "an atomic op orders memory").fixedBy("use `sem=\"relaxed\"` where no order is meant");
  if (auto count = dyn_cast<tile::NumProgramsOp>(op); count && count.getAxis() == tile::Axis::X)
    return because(op, "it asks how many programs there are, so its author chose the number").nothingToDo();
  if (access.onlyReads() && op->getParentOfType<scf::ForOp>())
    return because(op, "it loads in a loop, so its programs are long").nothingToDo();
  return {};
}

Contents lookThrough(func::FuncOp function, uint32_t warps) {
  Contents found;
  function.walk([&](Operation *op) {
    if (Decision<> may = mayPack(op); !may && !found.obstacle)
      found.obstacle = may.error();
    if (auto id = dyn_cast<tile::ProgramIdOp>(op); id && id.getAxis() == tile::Axis::X)
      found.tellsProgramsApart = true;
    for (Value value : op->getResults())
      if (auto tensor = dyn_cast<RankedTensorType>(value.getType()); tensor && tensor.hasStaticShape())
        found.elements = std::max(found.elements, tensor.getNumElements());
    if (tile::GlobalAccess access = tile::globalAccessOf(op))
      if (auto pointers = dyn_cast<RankedTensorType>(access.address.getType())) {
        int64_t bytes = cast<tile::PtrType>(pointers.getElementType()).getPointeeBytes();
        found.movedBytes += pointers.getNumElements() * bytes;
      }
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      int64_t results = 1;
      for (auto [axis, side] : llvm::enumerate(reduce.getSourceShape()))
        results *= axis == reduce.getAxis() ? 1 : side;
      // With fewer results than warps, several warps work on one.
      found.crossesWarps |= results < int64_t(warps);
    }
  });
  return found;
}

class PackPrograms : public impl::PackProgramsPassBase<PackPrograms> {
public:
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        if (kernel.getPrograms() == 1 && !runsInClusters(function) && mayUse(function, Feature::Packing))
          pack(function, kernel);
  }

private:
  void pack(func::FuncOp function, tile::KernelAttr kernel) {
    Contents found = lookThrough(function, kernel.getWarps());
    bool idle = found.elements < kernel.getWarps() * Target::warpSize;
    if (found.elements == 0 || !(found.crossesWarps || idle))
      return;
    const Spread *spread = spreadOf(found, kernel.getWarps());
    if (!found.obstacle && !found.tellsProgramsApart)
      found.obstacle = because("its programs do not differ along the grid's first axis")
                           .fixedBy("use `tl.program_id(0)` to tell programs apart");
    if (!found.obstacle && !spread)
      found.obstacle = because("its largest tensor keeps the warps busy").nothingToDo();
    auto options = remarkOptions("pack-programs", "pack", function);
    if (found.obstacle) {
      remark::missed(function.getLoc(), options)
          << remark::add("{0} warps run one program", kernel.getWarps()) << *found.obstacle;
      return;
    }
    function->setAttr("tile.kernel", tile::KernelAttr::get(&getContext(), spread->warps, kernel.getStages(),
                                                           spread->programs));
    if (spread->programs > 1)
      remark::passed(function.getLoc(), options)
          << remark::add("{0} programs of one warp share a block", spread->programs)
          << remark::metric("Programs", spread->programs);
    else
      remark::passed(function.getLoc(), options)
          << remark::add("{0} warps run one program instead of {1}", spread->warps, kernel.getWarps())
          << remark::metric("Warps", spread->warps);
  }

  /// The way to spread what a kernel consists of; null where its own `warps` are better.
  static const Spread *spreadOf(const Contents &found, uint32_t warps) {
    for (const Spread &spread : Spreads)
      if (found.movedBytes <= spread.bytes &&
          found.elements <= MaxElementsPerThread * Target::warpSize * spread.warps)
        return spread.warps < warps || spread.programs > 1 ? &spread : nullptr;
    return nullptr;
  }
};

} // namespace

} // namespace tegula
