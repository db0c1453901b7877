// The pass `make-persistent`: Passes.td says what it is for.
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/persist/PersistPrograms.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_MAKEPERSISTENTPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

struct MakePersistent : impl::MakePersistentPassBase<MakePersistent> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (auto grid = dyn_cast_or_null<tgpu::GridAttr>(kernel->removeAttr(tgpu::GridAttr::AttrName)))
        persistPrograms(kernel, grid.getBlocks());
  }
};

} // namespace

} // namespace tegula
