// The kernel function itself.
#include "compiler/lower/Symbols.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/lower/patterns/ProgramIndex.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
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

/// func.func with `tile.kernel` -> llvm.func with `nvvm.kernel`.
struct KernelPattern : StatefulPattern<func::FuncOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(func::FuncOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto kernel = op->getAttrOfType<tile::KernelAttr>("tile.kernel");
    if (!kernel || op.isExternal())
      return rewriter.notifyMatchFailure(op, "not a kernel");
    TypeConverter::SignatureConversion signature(op.getNumArguments());
    if (failed(getTypeConverter()->convertSignatureArgs(op.getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(op, "a parameter has no lowered type");
    SmallVector<Type> parameters(signature.getConvertedTypes());
    auto persistent = op->getAttrOfType<IntegerAttr>("tile.persistent");
    const size_t counts = persistent                            ? state.programCounts.size()
                          : state.programs > 1 || state.isSplit ? 1
                                                                : 0;
    parameters.append(counts, rewriter.getI32Type());
    SmallVector<tgpu::TensorMapOp> maps(op.getOps<tgpu::TensorMapOp>());
    parameters.append(maps.size(), LLVM::LLVMPointerType::get(getContext()));
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(getContext()), parameters);
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
    if (counts && !state.isSplit) // the manifest says so
      lowered->setAttr("tile.kernel", kernel);
    if (persistent)
      lowered->setAttr("tile.persistent", persistent);
    for (unsigned i = 0; i < op.getNumArguments(); ++i)
      if (auto param = op.getArgAttrOfType<tile::ParamAttr>(i, "tile.param"))
        setParam(lowered, i, param, rewriter);
    if (Attribute splits = op->getAttr("tile.splits")) // likewise
      lowered->setAttr("tile.splits", splits);
    for (const char *name : {"tile.pairs", "tile.ordered"}) // likewise
      if (Attribute given = op->getAttr(name))
        lowered->setAttr(name, given);
    if (Attribute blocks = op->getAttr("tile.cluster")) { // likewise
      lowered->setAttr("tile.cluster", blocks);
      lowered->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                       rewriter.getDenseI32ArrayAttr({int32_t(cast<IntegerAttr>(blocks).getInt()), 1, 1}));
    }
    for (unsigned i = 0; i < op.getNumArguments(); ++i)
      if (Attribute finer = op.getArgAttr(i, "tile.finer")) // the manifest says so
        lowered.setArgAttr(i, "tile.finer", finer);
    for (auto [index, map] : llvm::enumerate(maps))
      setMap(lowered, unsigned(parameters.size() - maps.size() + index), map, rewriter);
    rewriter.inlineRegionBefore(op.getBody(), lowered.getBody(), lowered.getBody().end());
    rewriter.applySignatureConversion(&lowered.getBody().front(), signature, getTypeConverter());
    if (state.programs > 1)
      endSurplusWarps(lowered, rewriter);
    if (persistent)
      for (Value &count : state.programCounts)
        count = lowered.getBody().front().addArgument(rewriter.getI32Type(), op.getLoc());
    if (state.isSplit)
      state.firstProgram = lowered.getBody().front().addArgument(rewriter.getI32Type(), op.getLoc());
    for (tgpu::TensorMapOp map : maps)
      state.maps[map] = lowered.getBody().front().addArgument(parameters.back(), map.getLoc());
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Ends surplus warps: where programs share blocks the last block may have more warps than there are
  /// programs left. The kernel's last parameter is the number of programs.
  void endSurplusWarps(LLVM::LLVMFuncOp function, ConversionPatternRewriter &rewriter) const {
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
  static void setMap(LLVM::LLVMFuncOp function, unsigned index, tgpu::TensorMapOp map,
                     ConversionPatternRewriter &rewriter) {
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
    function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                        rewriter.getI64IntegerAttr(MapAlignment));
    function.setArgAttr(index, NVVM::NVVMDialect::getGridConstantAttrName(), rewriter.getUnitAttr());
  }

  /// Sets the facts of a parameter that LLVM can use. It is not told of distinct arrays: that is not proven.
  static void setParam(LLVM::LLVMFuncOp function, unsigned index, tile::ParamAttr param,
                       ConversionPatternRewriter &rewriter) {
    function.setArgAttr(index, "tile.param", param);
    if (isa<LLVM::LLVMPointerType>(function.getFunctionType().getParamType(index)) &&
        param.getDivisibility() > 1)
      function.setArgAttr(index, LLVM::LLVMDialect::getAlignAttrName(),
                          rewriter.getI64IntegerAttr(param.getDivisibility()));
  }
};

struct ReturnPattern : OpConversionPattern<func::ReturnOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(func::ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::ReturnOp>(op, ValueRange());
    return success();
  }
};

} // namespace

void populateKernelPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<KernelPattern>(types, patterns.getContext(), state);
  patterns.add<ReturnPattern>(types, patterns.getContext());
}

} // namespace tegula
