// mma_begin, mma, mma_wait and proxy_fence: products of warp groups.
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/BufferAddress.h"
#include "compiler/lower/code/GroupProductCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// Sums of tensors as registers in flight, and back: two halves share one.
Registers packedSums(OpBuilder &builder, Location loc, ValueRange sums) {
  return sums.front().getType().isF16() ? packWords(builder, loc, Registers(sums), 32) : Registers(sums);
}

Registers unpackedSums(OpBuilder &builder, Location loc, const Registers &words, Type element) {
  return element.isF16() ? unpackWords(builder, loc, words, element) : words;
}

struct MmaBeginPattern : OpConversionPattern<tgpu::MmaBeginOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tgpu::MmaBeginOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithMultiple(
        op, SmallVector<Registers>{packedSums(rewriter, op.getLoc(), adaptor.getSums())});
    return success();
  }
};

struct MmaPattern : StatefulPattern<tgpu::MmaOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::MmaOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    MatrixInstruction instruction = groupInstructionOf(op);
    auto mapOf = [&](unsigned index) -> const LinearLayout & {
      auto buffer = dyn_cast<tgpu::BufferType>(index == 0 ? op.getA().getType() : Type(op.getB().getType()));
      return buffer ? buffer.getLayout().getLayout() : tile::layoutOf(op.getA().getType()).getLayout();
    };
    bool inMemory = op.getBufferA() != nullptr;
    std::optional<GroupPlan> plan =
        planGroupProduct(tile::layoutOf(op.getSumsType()).getLayout(), {mapOf(0), op.getKAxis(0), inMemory},
                         {mapOf(1), op.getKAxis(1), true, op.getFirstColumn()}, instruction.shape,
                         state.executorOf(op).warps, bytesOf(instruction.a));
    if (!plan)
      return op.emitError() << "expected sums and operands as groups of four warps hold them for `"
                            << op.getUnit() << "`";
    plan->keepOnly(uint32_t(op.getBegin()) / uint32_t(instruction.shape.k),
                   uint32_t(op.getCount()) / uint32_t(instruction.shape.k));
    GroupOperands operands;
    operands.inCluster = state.mayBeInCluster();
    if (inMemory)
      operands.slotA = slotAddress(rewriter, loc, adaptor.getA().front(), adaptor.getSlotA().front(),
                                   op.getBufferA().getType());
    else
      operands.registersA = adaptor.getA();
    operands.slotB =
        slotAddress(rewriter, loc, adaptor.getB().front(), adaptor.getSlotB().front(), op.getB().getType());
    report(op, *plan, inMemory);
    Registers sums =
        emitGroupProduct(rewriter, loc, *plan, instruction, operands, adaptor.getSums(), state.threadsOf(op));
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{sums});
    return success();
  }

private:
  static void report(tgpu::MmaOp op, const GroupPlan &plan, bool inMemory) {
    remark::passed(op.getLoc(), remark::RemarkOpts::name("mma").category("convert-tile-to-llvm"))
        << remark::add("a product of {0} warp groups, `a` from {1}", plan.groups.m * plan.groups.n,
                       inMemory ? "shared memory" : "registers")
        << remark::metric("Instructions", plan.steps.size());
  }
};

/// A tensor's registers as a product has them that reads them.
Registers heldWords(OpBuilder &builder, Location loc, ValueRange tensor) {
  constexpr unsigned WordBits = 32;
  const bool isNarrow = tensor.front().getType().getIntOrFloatBitWidth() < WordBits;
  return isNarrow ? packWords(builder, loc, Registers(tensor), WordBits) : Registers(tensor);
}

struct MmaWaitPattern : OpConversionPattern<tgpu::MmaWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult matchAndRewrite(tgpu::MmaWaitOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Registers all;
    for (ValueRange sums : adaptor.getSums())
      all.append(sums.begin(), sums.end());
    Registers held;
    for (ValueRange tensor : adaptor.getHeld())
      held.append(heldWords(rewriter, op.getLoc(), tensor));
    Registers awaited = emitGroupWait(rewriter, op.getLoc(), op.getPending(), all, held);
    SmallVector<Registers> results;
    size_t next = 0;
    for (auto [sums, result] : llvm::zip_equal(adaptor.getSums(), op.getResultTypes())) {
      Registers part(ArrayRef(awaited).slice(next, sums.size()));
      next += sums.size();
      if (isa<RankedTensorType>(result))
        part = unpackedSums(rewriter, op.getLoc(), part, tile::elementTypeOf(result));
      results.push_back(std::move(part));
    }
    rewriter.replaceOpWithMultiple(op, std::move(results));
    return success();
  }
};

/// Lowers a fence of the proxies: `kind` says of which memory.
template <typename Op, NVVM::ProxyKind kind> struct FencePattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    MLIRContext *context = rewriter.getContext();
    rewriter.replaceOpWithNewOp<NVVM::FenceProxyOp>(
        op, NVVM::ProxyKindAttr::get(context, kind),
        kind == NVVM::ProxyKind::async_shared
            ? NVVM::SharedSpaceAttr::get(context, NVVM::SharedSpace::shared_cta)
            : NVVM::SharedSpaceAttr());
    return success();
  }
};
using ProxyFencePattern = FencePattern<tgpu::ProxyFenceOp, NVVM::ProxyKind::async_shared>;
using GlobalFencePattern = FencePattern<tgpu::GlobalFenceOp, NVVM::ProxyKind::async_global>;

} // namespace

void populateProductPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<MmaPattern>(types, patterns.getContext(), state);
  patterns.add<MmaBeginPattern, MmaWaitPattern, ProxyFencePattern, GlobalFencePattern>(types,
                                                                                       patterns.getContext());
}

} // namespace tegula
