// alloc, local_store, local_load and local_atomic: buffers in shared memory.
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/AtomicCode.h"
#include "compiler/lower/code/BufferAddress.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <array>

using namespace mlir;

namespace tegula {

Value slotAddress(OpBuilder &builder, Location loc, Value buffer, Value slot, tgpu::BufferType type) {
  if (type.getSlots() == 1)
    return buffer;
  Value step =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(type.getSlotBytes())));
  auto small = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Value bytes = arith::MulIOp::create(builder, loc, slot, step, small);
  return LLVM::GEPOp::create(builder, loc, buffer.getType(), builder.getI8Type(), buffer,
                             ArrayRef<LLVM::GEPArg>{bytes});
}

namespace {

using Registers = SmallVector<Value>;

struct AllocPattern : StatefulPattern<tgpu::AllocOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::AllocOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op->use_empty())
      rewriter.eraseOp(op);
    else
      rewriter.replaceOp(op, state.scratchOf(rewriter, op));
    return success();
  }
};

struct LocalStorePattern : StatefulPattern<tgpu::LocalStoreOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::LocalStoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value buffer = slotAddress(rewriter, op.getLoc(), adaptor.getBuffer().front(), adaptor.getSlot().front(),
                               op.getBuffer().getType());
    storeToShared(rewriter, op.getLoc(), planOf(op, state.executorOf(op)), buffer, adaptor.getSource(),
                  state.threadsOf(op));
    rewriter.eraseOp(op);
    return success();
  }
};

struct LocalLoadPattern : StatefulPattern<tgpu::LocalLoadOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::LocalLoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value buffer = slotAddress(rewriter, op.getLoc(), adaptor.getBuffer().front(), adaptor.getSlot().front(),
                               op.getBuffer().getType());
    Value position = op.getPosition() ? adaptor.getPosition().front() : Value();
    Registers loaded = loadFromShared(rewriter, op.getLoc(), planOf(op, state.executorOf(op)), buffer,
                                      loweredElementType(op.getType()), state.threadsOf(op), position);
    rewriter.replaceOpWithMultiple(op, SmallVector<Registers>{loaded});
    return success();
  }
};

/// Each element is changed by one of the threads that hold it.
struct LocalAtomicPattern : StatefulPattern<tgpu::LocalAtomicOp> {
  using StatefulPattern::StatefulPattern;

  LogicalResult matchAndRewrite(tgpu::LocalAtomicOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = loweredElementType(op.getValue().getType());
    Value buffer = adaptor.getBuffer().front();
    Executor executor = state.executorOf(op);
    AccessPlan plan = planAccess(placesOf(op.getValue().getType(), executor), executor.threadBits(),
                                 std::array{1u}, elementBitsOf(element));
    Value owner = state.threadsOf(op).noneOf(rewriter, plan.copyBits);
    AtomicShape shape;
    shape.operation = operationOf(op.getKind(), element);
    shape.scope = tile::MemoryScope::Block;
    shape.addressSpace = SharedAddressSpace;
    shape.returns = false;
    for (const std::vector<uint32_t> &vector : plan.vectors) {
      uint32_t reg = vector.front();
      Value mask = op.getMask() ? adaptor.getMask()[reg] : Value();
      Value address = LLVM::GEPOp::create(rewriter, loc, buffer.getType(), element, buffer,
                                          ArrayRef<LLVM::GEPArg>{adaptor.getIndex()[reg]});
      emitAtomic(rewriter, loc, address, shape, bothHold(rewriter, loc, mask, owner),
                 adaptor.getValue()[reg]);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateBufferPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<AllocPattern, LocalStorePattern, LocalLoadPattern, LocalAtomicPattern>(
      types, patterns.getContext(), state);
}

} // namespace tegula
