#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/Executor.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tegula {

/// `op` itself, or the module around it; null if there is none.
static ModuleOp moduleOf(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module ? module : op->getParentOfType<ModuleOp>();
}

const Target *targetOf(Operation *op) {
  ModuleOp module = moduleOf(op);
  auto name = module ? module->getAttrOfType<StringAttr>("tile.target") : StringAttr();
  return name ? lookupTarget(name.getValue()) : nullptr;
}

bool mayUse(Operation *op, Feature feature) {
  ModuleOp module = moduleOf(op);
  auto without = module ? module->getAttrOfType<ArrayAttr>("tile.without") : ArrayAttr();
  return !without || llvm::none_of(without.getAsRange<StringAttr>(), [&](StringAttr name) {
    return name.getValue() == StringRef(featureName(feature));
  });
}

const Target *requireTarget(ModuleOp module) {
  const Target *target = targetOf(module);
  if (!target)
    module.emitError("expected a known target as `tile.target`");
  return target;
}

bool mayUseTma(Operation *op) {
  const Target *target = targetOf(op);
  tile::KernelAttr kernel = kernelOf(op);
  return target && target->tmaCopies && mayUse(op, Feature::Tma) && kernel && kernel.getPrograms() == 1;
}

} // namespace tegula
