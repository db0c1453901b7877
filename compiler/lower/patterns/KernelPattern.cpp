// The kernel function itself.
#include "compiler/lower/Symbols.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/lower/patterns/ProgramIndex.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula {
namespace {

/// Names that NVIDIA's assembler does not take, `_` because it means no operand and the others because they
/// are its own (PTX's words, as `ret`, `reg` and `add`, it takes), and those that LLVM's backend does away
/// with.
constexpr StringLiteral refusedNames[] = {"_", "WARP_SZ", "A7", "__nvvm_reflect", "__nvvm_reflect_ocl"};

} // namespace

std::string entryName(StringRef name) {
  std::string symbol;
  for (char c : name)
    if (llvm::isAlpha(c) || c == '_' || (llvm::isDigit(c) && !symbol.empty()))
      symbol += c;
    else
      symbol += '$' + llvm::toHex(StringRef(&c, 1), /*LowerCase=*/true);
  if (name.starts_with("tegula_") || llvm::is_contained({PrintFunction, AssertFunction}, name) ||
      llvm::is_contained(refusedNames, name))
    symbol += '$';
  return symbol;
}

namespace {

/// Ends surplus warps: where programs share blocks the last block may have more warps than there are
/// programs left. The kernel's last parameter is the number of programs.
void endSurplusWarps(LLVM::LLVMFuncOp function, Rewriter &rewriter, LoweringState &state) {
  Location loc = function.getLoc();
  Region &region = function.getBody();
  Block *entry = &region.front();
  Value count = entry->addArgument(rewriter.getI32Type(), loc);
  Block *rest = rewriter.splitBlock(entry, entry->begin());
  Block *end = rewriter.createBlock(&region, region.end());
  LLVM::ReturnOp::create(rewriter, loc, ValueRange());
  rewriter.setInsertionPointToEnd(entry);
  Value mine = programId(rewriter, loc, tile::Axis::X, state);
  Value isSurplus = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::uge, mine, count);
  LLVM::CondBrOp::create(rewriter, loc, isSurplus, end, rest);
}

/// An implicit kernel argument that the launch fills: 128 bytes that LLVM leaves where they are. The
/// manifest says how, from `tegula.map`.
void setMap(LLVM::LLVMFuncOp function, unsigned index, tgpu::TensorMapOp map, Rewriter &rewriter) {
  auto numbers = [&](ValueRange values) {
    SmallVector<Attribute> found;
    for (Value value : values) {
      APInt constant;
      if (matchPattern(value, m_ConstantInt(&constant)))
        found.push_back(rewriter.getI64IntegerAttr(constant.getSExtValue()));
      else
        found.push_back(rewriter.getI32IntegerAttr(int32_t(cast<BlockArgument>(value).getArgNumber())));
    }
    return rewriter.getArrayAttr(found);
  };
  function.setArgAttr(
      index, MapAttrName,
      rewriter.getDictionaryAttr(
          {rewriter.getNamedAttr("base", rewriter.getI32IntegerAttr(
                                             int32_t(cast<BlockArgument>(map.getBase()).getArgNumber()))),
           rewriter.getNamedAttr("box", map.getBoxAttr()),
           rewriter.getNamedAttr("sizes", numbers(map.getSizes())),
           rewriter.getNamedAttr("strides", numbers(map.getStrides())),
           rewriter.getNamedAttr("swizzle", map.getSwizzleAttr())}));
  function.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                      TypeAttr::get(LLVM::LLVMArrayType::get(rewriter.getI8Type(), MapBytes)));
  function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(), rewriter.getI64IntegerAttr(MapAlignment));
  function.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(), rewriter.getUnitAttr());
}

/// Sets the facts of a parameter that LLVM can use. It is not told of distinct arrays: that is not proven.
void setParam(LLVM::LLVMFuncOp function, unsigned index, tile::ParamAttr param, Rewriter &rewriter) {
  function.setArgAttr(index, "tile.param", param);
  if (isa<LLVM::LLVMPointerType>(function.getFunctionType().getParamType(index)) &&
      param.getDivisibility() > 1)
    function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                        rewriter.getI64IntegerAttr(param.getDivisibility()));
}

/// func.func with `tile.kernel` -> llvm.func with `nvvm.kernel`.
LogicalResult lowerKernel(func::FuncOp op, Adaptor<func::FuncOp>, Rewriter &rewriter, LoweringState &state) {
  auto kernel = op->getAttrOfType<tile::KernelAttr>("tile.kernel");
  if (!kernel || op.isExternal())
    return rewriter.notifyMatchFailure(op, "not a kernel");
  TypeConverter::SignatureConversion signature(op.getNumArguments());
  if (failed(state.types.convertSignatureArgs(op.getArgumentTypes(), signature)))
    return rewriter.notifyMatchFailure(op, "a parameter has no lowered type");
  SmallVector<Type> parameters(signature.getConvertedTypes());
  auto persistent = op->getAttrOfType<IntegerAttr>("tile.persistent");
  const size_t counts = persistent ? state.programCounts.size() : state.programs > 1 || state.isSplit ? 1 : 0;
  parameters.append(counts, rewriter.getI32Type());
  SmallVector<tgpu::TensorMapOp> maps(op.getOps<tgpu::TensorMapOp>());
  parameters.append(maps.size(), LLVM::LLVMPointerType::get(op.getContext()));
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()), parameters);
  auto lowered = LLVM::LLVMFuncOp::create(rewriter, op.getLoc(), entryName(op.getName()), type);
  lowered->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(), rewriter.getUnitAttr());
  lowered->setAttr(NVVM::NVVMDialect::getReqntidAttrName(),
                   rewriter.getDenseI32ArrayAttr({int32_t(Target::warpSize * state.warps), 1, 1}));
  // PTX takes one of the two, and what the caller asks for comes first.
  if (auto registers = op->getAttrOfType<IntegerAttr>("tile.registers"))
    lowered->setAttr(NVVM::NVVMDialect::getMaxnregAttrName(), registers);
  else if (auto occupancy = op->getAttrOfType<tile::OccupancyAttr>("tile.occupancy"))
    lowered->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                     rewriter.getI32IntegerAttr(int32_t(occupancy.getBlocks())));
  if (auto blocks = op->getAttrOfType<IntegerAttr>("tile.cluster"))
    lowered->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                     rewriter.getDenseI32ArrayAttr({int32_t(blocks.getInt()), 1, 1}));
  // The manifest says the following.
  if (counts && !state.isSplit)
    lowered->setAttr("tile.kernel", kernel);
  for (StringRef name : {"tile.persistent", "tile.splits", "tile.pairs", "tile.ordered", "tile.cluster"})
    if (Attribute given = op->getAttr(name))
      lowered->setAttr(name, given);
  for (unsigned i = 0; i < op.getNumArguments(); ++i) {
    if (auto param = op.getArgAttrOfType<tile::ParamAttr>(i, "tile.param"))
      setParam(lowered, i, param, rewriter);
    if (Attribute finer = op.getArgAttr(i, "tile.finer"))
      lowered.setArgAttr(i, "tile.finer", finer);
  }
  for (auto [index, map] : llvm::enumerate(maps))
    setMap(lowered, unsigned(parameters.size() - maps.size() + index), map, rewriter);
  rewriter.inlineRegionBefore(op.getBody(), lowered.getBody(), lowered.getBody().end());
  rewriter.applySignatureConversion(&lowered.getBody().front(), signature, &state.types);
  if (state.programs > 1)
    endSurplusWarps(lowered, rewriter, state);
  if (persistent)
    for (Value &count : state.programCounts)
      count = lowered.getBody().front().addArgument(rewriter.getI32Type(), op.getLoc());
  if (state.isSplit)
    state.firstProgram = lowered.getBody().front().addArgument(rewriter.getI32Type(), op.getLoc());
  for (tgpu::TensorMapOp map : maps)
    state.maps[map] = lowered.getBody().front().addArgument(parameters.back(), map.getLoc());
  return success();
}

void lowerReturn(func::ReturnOp op, Adaptor<func::ReturnOp>, Rewriter &rewriter, LoweringState &) {
  LLVM::ReturnOp::create(rewriter, op.getLoc(), ValueRange());
}

} // namespace

void populateKernelPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerKernel, lowerReturn>(patterns, state);
}

} // namespace tegula
