// What a launch must know of a kernel, from its IR.
#include "compiler/emit/Emit.h"
#include "compiler/lower/Symbols.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;

namespace tegula {
namespace {

/// Bytes of a parameter of this type in the parameter block, where it is aligned to its size.
uint32_t parameterBytes(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

LLVM::LLVMFuncOp kernelOf(ModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      return function;
  return {};
}

} // namespace

FailureOr<KernelImage> readManifest(ModuleOp module) {
  LLVM::LLVMFuncOp kernel = kernelOf(module);
  if (!kernel)
    return module.emitError("expected a function marked `nvvm.kernel`");
  KernelImage image;
  image.entry = image.kernel = kernel.getName().str();
  if (auto target = module->getAttrOfType<StringAttr>("tile.target"))
    image.target = target.str();
  auto threads = kernel->getAttrOfType<DenseI32ArrayAttr>(NVVM::NVVMDialect::getReqntidAttrName());
  if (!threads || threads.empty())
    return kernel.emitError("expected the number of threads as `nvvm.reqntid`");
  image.numWarps = uint32_t(threads[0]) / 32;
  if (auto shared = module.lookupSymbol<LLVM::GlobalOp>(SharedMemoryName))
    image.sharedBytes = uint32_t(cast<LLVM::LLVMArrayType>(shared.getGlobalType()).getNumElements());
  if (auto place = kernel.getLoc()->findInstanceOf<FileLineColLoc>())
    image.sourceFile = place.getFilename().str();

  if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
    image.programsPerBlock = attribute.getPrograms();
  SmallVector<HiddenKind> hidden;
  if (image.programsPerBlock > 1) {
    if (image.programsPerBlock != image.numWarps)
      return kernel.emitError("expected a warp for each of ")
             << image.programsPerBlock << " programs, found " << image.numWarps;
    // The launch's own parameter is no part of the source's.
    unsigned last = kernel.getNumArguments() - 1;
    if (kernel.getNumArguments() == 0 || !kernel.getFunctionType().getParamType(last).isInteger(32) ||
        kernel.getArgAttr(last, "tile.param"))
      return kernel.emitError("expected the number of programs as last parameter, an i32");
    hidden.push_back(HiddenKind::Programs);
  }
  unsigned count = kernel.getNumArguments() - unsigned(hidden.size());
  for (unsigned i = 0; i < count; ++i) {
    auto attribute = kernel.getArgAttrOfType<tile::ParamAttr>(i, "tile.param");
    if (!attribute)
      return kernel.emitError("expected `tile.param` on parameter ") << i;
    Type type = kernel.getFunctionType().getParamType(i);
    KernelParam param;
    param.name = attribute.getName().str();
    param.type = attribute.getSpelling().str();
    param.kind = isa<LLVM::LLVMPointerType>(type) ? ParamKind::Pointer
                 : isa<FloatType>(type)           ? ParamKind::Float
                                                  : ParamKind::Integer;
    param.size = parameterBytes(type);
    param.divisibility = attribute.getDivisibility();
    addParam(image, std::move(param));
  }
  for (HiddenKind kind : hidden)
    addHidden(image, kind);
  return image;
}

} // namespace tegula
