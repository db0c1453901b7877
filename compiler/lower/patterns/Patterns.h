// The patterns of `convert-tile-to-llvm`, a function for each group of ops. Each pattern looks at its
// own op, its converted operands and the shared state only.
#pragma once

#include "compiler/lower/patterns/LoweringState.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// The registers of one thread that hold a tensor, or a scalar.
using Registers = llvm::SmallVector<mlir::Value>;

using Rewriter = mlir::ConversionPatternRewriter;

/// The operands of an op, each as the registers that it became.
template <typename Op> using Adaptor = typename Op::template GenericAdaptor<llvm::ArrayRef<mlir::ValueRange>>;

/// Replaces `op` by what its lowering returns: its result, the registers of its result or of each of its
/// results; nothing, for an op without results that is lowered successfully; or the failure to lower it.
inline mlir::LogicalResult replaceBy(Rewriter &rewriter, mlir::Operation *op, mlir::Value result) {
  rewriter.replaceOp(op, result);
  return mlir::success();
}
inline mlir::LogicalResult replaceBy(Rewriter &rewriter, mlir::Operation *op, Registers result) {
  rewriter.replaceOpWithMultiple(op, {std::move(result)});
  return mlir::success();
}
inline mlir::LogicalResult replaceBy(Rewriter &rewriter, mlir::Operation *op,
                                     llvm::SmallVector<Registers> results) {
  rewriter.replaceOpWithMultiple(op, std::move(results));
  return mlir::success();
}
inline mlir::LogicalResult replaceBy(Rewriter &rewriter, mlir::Operation *op, mlir::LogicalResult lowered) {
  if (succeeded(lowered))
    rewriter.eraseOp(op);
  return lowered;
}
template <typename T>
mlir::LogicalResult replaceBy(Rewriter &rewriter, mlir::Operation *op, mlir::FailureOr<T> lowered) {
  return failed(lowered) ? mlir::failure() : replaceBy(rewriter, op, std::move(*lowered));
}

/// The pattern that lowers an op by `lower(op, adaptor, rewriter, state)`, which builds what the op becomes
/// and returns what `replaceBy` takes, or void for an op without results.
template <auto lower> struct LoweringPattern;

template <typename Result, typename Op, Result (*lower)(Op, Adaptor<Op>, Rewriter &, LoweringState &)>
struct LoweringPattern<lower> : mlir::OpConversionPattern<Op> {
  LoweringPattern(LoweringState &state, mlir::MLIRContext *context, mlir::PatternBenefit benefit)
      : mlir::OpConversionPattern<Op>(state.types, context, benefit), state(state) {}

  mlir::LogicalResult matchAndRewrite(Op op, Adaptor<Op> adaptor, Rewriter &rewriter) const override {
    if constexpr (std::is_void_v<Result>) {
      lower(op, adaptor, rewriter, state);
      return replaceBy(rewriter, op, mlir::success());
    } else {
      return replaceBy(rewriter, op, lower(op, adaptor, rewriter, state));
    }
  }

private:
  LoweringState &state;
};

/// Lowers an op without operands to what `emit` emits: its result, or an effect.
template <typename Op, auto emit> auto lowerTo(Op op, Adaptor<Op>, Rewriter &rewriter, LoweringState &) {
  return emit(rewriter, op.getLoc());
}

/// Adds the pattern of each function of `lower`.
template <auto... lower>
void addLowerings(mlir::RewritePatternSet &patterns, LoweringState &state, mlir::PatternBenefit benefit = 1) {
  patterns.add<LoweringPattern<lower>...>(state, patterns.getContext(), benefit);
}

/// Returns a kernel's name as a symbol of PTX: letters, digits, `_` and `$`, and no digit first. What else
/// Python, or who names the entry, puts in a name is written `$` and two hexadecimal digits a byte. A name
/// that the module needs itself or that is refused ends in `$`. The manifest keeps the source's.
std::string entryName(llvm::StringRef name);
/// The kernel function: becomes an `llvm.func` with `warps` warps of threads.
void populateKernelPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// Elementwise `arith` and `math`, `rounded`, constants, casts of pointers, map.
void populateElementwisePatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// Conversions, reinterpretations and constants of floats of 8 bits, before the elementwise patterns.
void populateFp8Patterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// program_id and num_programs, cluster_rank, cluster_size and cluster_sum, barrier.
void populateProgramPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// arange, splat, expand_dims, broadcast, reshape, trans, join, split, slice, insert.
void populateShapePatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// atomic_rmw and atomic_cas.
void populateAtomicPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// addptr, load, store.
void populateMemoryPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// convert_layout, butterfly.
void populateConvertLayoutPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// alloc, local_store, local_load.
void populateBufferPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// Copies that no instruction makes are errors, to be found before anything is converted.
mlir::LogicalResult verifyCopies(mlir::ModuleOp module, const AccessWidths &widths,
                                 const Executors &executors);
/// async_copy, async_commit, async_wait.
void populateAsyncCopyPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// Calls of libraries' functions by names of the kernel's own, or with different types, are the author's
/// errors.
mlir::LogicalResult verifyExternCalls(mlir::func::FuncOp kernel);
/// inline_asm, extern_call, read_special, grid_dependency.
void populateDevicePatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// opt_barrier.
void populateOptBarrierPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// reduce.
void populateReducePatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// scan.
void populateScanPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// gather, histogram.
void populateGatherPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// dot, mma_begin, mma, mma_wait, proxy_fence.
void populateProductPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// tensor_map, barriers, tma_copy, barrier_expect, barrier_wait.
void populateTmaPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// Returns the first element of the box at `place`, along the two fastest axes, of those that begin at
/// `start`.
llvm::SmallVector<mlir::Value> cornerOf(mlir::OpBuilder &builder, mlir::Location loc,
                                        llvm::ArrayRef<mlir::Value> start, std::pair<int32_t, int32_t> place);
/// pipeline_begin, pipeline_next, pipeline_previous, pipeline_slot, pipeline_phase.
void populatePipelinePatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// tma_store and tma_store_wait.
void populateTmaStorePatterns(mlir::RewritePatternSet &patterns, LoweringState &state);
/// assume, hint, print, assert.
void populateHintPatterns(mlir::RewritePatternSet &patterns, LoweringState &state);

} // namespace tegula
