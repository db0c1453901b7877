// The facts that a launch must know of a kernel, from its IR.
#include "compiler/emit/Emit.h"
#include "compiler/lower/Symbols.h"
#include "dialect/image/KernelImageText.h"
#include "dialect/tile/Tile.h"

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

/// A parameter, by its number, or a constant.
LaunchNumber launchNumberOf(Attribute attribute) {
  auto number = cast<IntegerAttr>(attribute);
  if (number.getType().isInteger(32))
    return {1, uint32_t(number.getInt())};
  return {uint64_t(number.getInt()), std::nullopt};
}

/// The recipe that the lower stage wrote as `map`, whose parameters are those of `image`.
TensorMap recipeOf(DictionaryAttr map, const KernelImage &image) {
  TensorMap recipe;
  recipe.base = uint32_t(map.getAs<IntegerAttr>("base").getInt());
  recipe.element = image.params[recipe.base].type.substr(1); // after the `*` of a pointer
  recipe.elementBytes = scalarBytes(recipe.element).value_or(0);
  recipe.swizzle = uint32_t(map.getAs<IntegerAttr>("swizzle").getInt());
  auto sizes = map.getAs<ArrayAttr>("sizes"), strides = map.getAs<ArrayAttr>("strides");
  for (auto [axis, side] : llvm::enumerate(map.getAs<DenseI32ArrayAttr>("box").asArrayRef()))
    recipe.axes.push_back({launchNumberOf(sizes[axis]),
                           axis == 0 ? LaunchNumber{1, std::nullopt} : launchNumberOf(strides[axis - 1]),
                           uint32_t(side)});
  return recipe;
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
  if (auto place = kernel.getLoc()->findInstanceOf<FileLineColRange>())
    image.sourceFile = place.getFilename().str();

  if (auto attribute = kernel->getAttrOfType<tile::KernelAttr>("tile.kernel"))
    image.programsPerBlock = attribute.getPrograms();
  static_assert(MapBytes == tensorMapBytes && MapAlignment == tensorMapAlignment);
  unsigned count = kernel.getNumArguments();
  SmallVector<DictionaryAttr> maps;
  while (count > 0 && kernel.getArgAttr(count - 1, MapAttrName))
    maps.push_back(cast<DictionaryAttr>(kernel.getArgAttr(--count, MapAttrName)));
  if (auto attribute = kernel->getAttrOfType<IntegerAttr>("tile.persistent"))
    image.blocksPerMultiprocessor = uint32_t(attribute.getInt());
  image.hasPairs = kernel->hasAttr("tile.pairs");
  image.isOrdered = kernel->hasAttr("tile.ordered");
  if (auto blocks = kernel->getAttrOfType<IntegerAttr>("tile.cluster"))
    image.clusterBlocks = uint32_t(blocks.getInt());
  if (image.programsPerBlock > 1 && image.programsPerBlock != image.numWarps)
    return kernel.emitError("expected a warp for each of ")
           << image.programsPerBlock << " programs, found " << image.numWarps;
  // The launch's own parameters are no part of the source's.
  const uint8_t axes = implicitPrograms(image);
  auto splits = kernel->getAttrOfType<DictionaryAttr>("tile.splits");
  auto blocks = splits ? splits.getAs<IntegerAttr>("blocks") : IntegerAttr();
  const unsigned numbers = axes + (blocks ? 1 : 0);
  for (unsigned number = 0; number < numbers; ++number) {
    if (count == 0 || !kernel.getFunctionType().getParamType(count - 1).isInteger(32) ||
        kernel.getArgAttr(count - 1, "tile.param"))
      return kernel.emitError("expected the number of programs as last parameter, an i32");
    --count;
  }
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
    if (auto finer = kernel.getArgAttrOfType<IntegerAttr>(i, "tile.finer"))
      param.finer = uint32_t(finer.getInt());
    addParam(image, std::move(param));
  }
  if (splits)
    image.splits =
        SplitLoop{launchNumberOf(splits.get("size")), uint32_t(splits.getAs<IntegerAttr>("step").getInt()),
                  blocks ? uint32_t(blocks.getInt()) : 1, splits.contains("independent")};
  if (blocks)
    addImplicitFirst(image);
  for (uint8_t axis = 0; axis < axes; ++axis)
    addImplicitPrograms(image, axis);
  for (DictionaryAttr map : llvm::reverse(maps)) {
    TensorMap recipe = recipeOf(map, image);
    if (runtime::Result<void> checked = checkTensorMap(image, recipe); !checked)
      return kernel.emitError("expected a map that a launch can make: ") << checked.error().text;
    addImplicitMap(image, std::move(recipe));
  }
  return image;
}

} // namespace tegula
