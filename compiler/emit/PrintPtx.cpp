// The pass `print-ptx`: see Passes.td.
#include "compiler/emit/Emit.h"
#include "compiler/emit/Passes.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PRINTPTXPASS
#include "compiler/emit/Passes.h.inc"

namespace {

struct PrintPtx : impl::PrintPtxPassBase<PrintPtx> {
  using PrintPtxPassBase::PrintPtxPassBase;

  void runOnOperation() override {
    if (failed(print()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult print() {
    ModuleOp module = getOperation();
    FailureOr<KernelImage> image = readManifest(module);
    if (failed(image))
      return failure();
    const Target *target = lookupTarget(image->target);
    if (!target)
      return module.emitError("expected a known target, found `") << image->target << "`";
    PtxEmitter emitter;
    llvm::LLVMContext context;
    OwningOpRef<ModuleOp> copy = module.clone();
    std::unique_ptr<llvm::Module> code = emitter.translate(*copy, *target, context);
    if (!code)
      return failure();
    if (form != "llvmir")
      emitter.optimize(*code, *target);
    if (form != "ptx") {
      code->print(llvm::outs(), nullptr);
      return success();
    }
    if (failed(emitter.generate(*code, *target, module.getLoc(), *image)))
      return failure();
    llvm::outs() << image->ptx;
    return success();
  }
};

} // namespace
} // namespace tegula
