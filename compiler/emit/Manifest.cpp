// What a launch must know of a kernel, from its IR; and the check that the PTX says the same.
#include "compiler/emit/Emit.h"
#include "compiler/lower/Symbols.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

/// Bytes of a parameter of this type in the parameter block, where it is aligned to its size.
uint32_t parameterBytes(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

/// Bytes of a parameter as PTX declares it: `.u64 .ptr .global .align 16 x`, `.align 2 .b8 y[2]`. 0 for
/// anything else.
uint32_t declaredBytes(StringRef declaration) {
  if (declaration.consume_front(".align "))
    declaration = declaration.ltrim("0123456789 ");
  uint32_t bits = 0, count = 1;
  StringRef type = declaration.take_until([](char c) { return c == ' '; });
  if (type.drop_front(std::min<size_t>(2, type.size())).getAsInteger(10, bits))
    return 0;
  if (size_t bracket = declaration.find('['); bracket != StringRef::npos)
    if (declaration.substr(bracket + 1).take_until([](char c) { return c == ']'; }).getAsInteger(10, count))
      return 0;
  return bits / 8 * count;
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

LogicalResult checkManifest(const KernelImage &image, llvm::function_ref<InFlightDiagnostic()> emitError) {
  StringRef text = image.ptx;
  size_t entry = text.find(".entry ");
  if (entry == StringRef::npos || text.find(".entry ", entry + 1) != StringRef::npos)
    return emitError() << "expected one `.entry`";
  StringRef rest = text.substr(entry + 7);
  StringRef name = rest.take_while([](char c) { return c != '(' && !isspace(c); });
  if (name != image.entry)
    return emitError() << "expected the entry `" << image.entry << "`, found `" << name << "`";
  SmallVector<std::pair<StringRef, uint32_t>> expected; // parameters by name, with their bytes
  for (const KernelParam &param : image.params)
    expected.emplace_back(param.name, param.size);
  for (const HiddenParam &param : image.hidden)
    expected.emplace_back(spellingOf(param.kind).value, param.size);

  StringRef head = rest.split('{').first;
  size_t index = 0;
  for (size_t at = head.find(".param "); at != StringRef::npos; at = head.find(".param ", at + 1), ++index) {
    StringRef declaration =
        head.substr(at + 7).take_until([](char c) { return c == ',' || c == '\n'; }).trim();
    if (index < expected.size() && declaredBytes(declaration) != expected[index].second)
      return emitError() << "expected " << expected[index].second << " bytes for parameter `"
                         << expected[index].first << "`, found `" << declaration << "`";
  }
  if (index != expected.size())
    return emitError() << "expected " << expected.size() << " parameters, found " << index;
  std::string threads = llvm::formatv(".reqntid {0}", 32 * image.numWarps);
  auto [before, after] = head.split(threads);
  if (before.size() == head.size() || (!after.empty() && isdigit(after.front())))
    return emitError() << "expected `" << threads << "`";
  return success();
}

} // namespace tegula
