#include "compiler/analysis/ModuleTarget.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tegula {

const Target *targetOf(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto name = module ? module->getAttrOfType<StringAttr>("tile.target") : StringAttr();
  return name ? lookupTarget(name.getValue()) : nullptr;
}

bool mayUse(Operation *op, Feature feature) {
  auto module = dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  auto with = module ? module->getAttrOfType<ArrayAttr>("tile.with") : ArrayAttr();
  return with && llvm::any_of(with.getAsRange<StringAttr>(), [&](StringAttr name) {
           return name.getValue() == StringRef(featureName(feature));
         });
}

const Target *requireTarget(ModuleOp module) {
  const Target *target = targetOf(module);
  if (!target)
    module.emitError("expected a known target as `tile.target`");
  return target;
}

} // namespace tegula
