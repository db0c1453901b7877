// The pass `form-boxes`: Passes.td says what it is for.
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/BoxAccess.h"
#include "compiler/distribute/Passes.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Dominance.h"

#include <map>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_FORMBOXESPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// Forms the boxes of one kernel.
class BoxFormer {
public:
  explicit BoxFormer(func::FuncOp kernel) : ranges(kernel) {
    kernel.walk([&](Operation *op) {
      if (auto load = dyn_cast<tile::LoadOp>(op); load && isMatrix(load.getType()))
        visit(load, dyn_cast<scf::ForOp>(load->getParentOp()));
      else if (auto store = dyn_cast<tile::StoreOp>(op); store && isMatrix(store.getValue().getType()))
        visit(store, store->getParentOfType<scf::ForOp>());
    });
  }

private:
  static bool isMatrix(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 2;
  }

  template <typename Access> void visit(Access access, scf::ForOp loop) {
    if (access.getBox() || (isa<tile::LoadOp>(*access) && !loop && !isa<func::FuncOp>(access->getParentOp())))
      return;
    BoxAnalysis &analysis = analyses.try_emplace(loop.getAsOpaquePointer(), loop, ranges).first->second;
    Decision<Box> box = analysis.boxOf(access);
    if (box && !isKnownAt(*box, access, loop))
      box = because("a coordinate is computed behind it").fixedBy("compute the coordinate before the access");
    if (!box)
      return sayNoBox(access, box.error());
    OpBuilder builder(access);
    access.getBoxMutable().assign(box->write(builder, access.getLoc()));
  }

  /// Makes what is the same in every iteration of `loop` known where a load stands, by moving it in front of
  /// the loop. False where that does not do.
  bool isKnownAt(const Box &box, Operation *access, scf::ForOp loop) {
    for (const BoxAxis &axis : box.axes)
      for (Value value : box.valuesIn(axis))
        if (!dominance.properlyDominates(value, access)) {
          if (!isa<tile::LoadOp>(access) || !loop)
            return false;
          moveOut(value, loop);
        }
    return true;
  }

  static void moveOut(Value value, scf::ForOp loop) {
    if (loop.isDefinedOutsideOfLoop(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      moveOut(operand, loop);
    op->moveBefore(loop);
  }

  RangeFacts ranges;
  DominanceInfo dominance;
  std::map<const void *, BoxAnalysis> analyses; ///< by loop
};

struct FormBoxes : impl::FormBoxesPassBase<FormBoxes> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      // Only operands of products, and their results, go by TMA.
      if (!kernel.isExternal() && mayUseTma(kernel) &&
          hasOp<tile::DotOp, tgpu::MmaOp, tgpu::MmaWaitOp, tgpu::AllocOp>(kernel))
        BoxFormer{kernel};
  }
};

} // namespace

} // namespace tegula
