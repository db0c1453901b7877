// The patterns of `convert-tile-to-llvm`, a function for each group of ops. Each pattern looks at its
// own op, its converted operands and the shared state only.
#pragma once

#include "compiler/lower/patterns/LoweringState.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tegula {

/// A tensor whose layout has N registers becomes N scalars, `!tile.ptr` becomes `!llvm.ptr<1>`, a float of 8
/// bits becomes an i8, a buffer its address in shared memory, sums in flight the registers that a unit adds
/// to, a pipeline state its slot and phase; every other type stays.
class TileTypeConverter : public mlir::TypeConverter {
public:
  TileTypeConverter();
};

/// The scalar that an element of `type` (a tensor or scalar) becomes.
mlir::Type loweredElementType(mlir::Type type);

/// A pattern that knows the state of its conversion: what is not of its op alone.
template <typename Op> struct StatefulPattern : mlir::OpConversionPattern<Op> {
  StatefulPattern(const mlir::TypeConverter &types, mlir::MLIRContext *context, LoweringState &state)
      : mlir::OpConversionPattern<Op>(types, context), state(state) {}

protected:
  LoweringState &state;
};

/// Returns a kernel's name as a symbol of PTX: letters, digits, `_` and `$`, and no digit first. What else
/// Python, or who names the entry, puts in a name is written `$` and two hexadecimal digits a byte. A name
/// that the module needs itself or that is refused ends in `$`. The manifest keeps the source's.
std::string entryName(llvm::StringRef name);
/// The kernel function: becomes an `llvm.func` with `warps` warps of threads.
void populateKernelPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                            LoweringState &state);
/// Elementwise `arith` and `math`, `rounded`, constants, casts of pointers.
void populateElementwisePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                                 LoweringState &state);
/// Conversions, reinterpretations and constants of floats of 8 bits, before the elementwise patterns.
void populateFp8Patterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
/// program_id and num_programs, cluster_rank, cluster_size and cluster_sum.
void populateProgramPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                             LoweringState &state);
/// arange, splat, expand_dims, broadcast, reshape, trans, join, split.
void populateShapePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                           LoweringState &state);
/// atomic_rmw and atomic_cas.
void populateAtomicPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                            LoweringState &state);
/// addptr, load, store.
void populateMemoryPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                            LoweringState &state);
/// convert_layout, butterfly.
void populateConvertLayoutPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                                   LoweringState &state);
/// slice.
void populateSlicePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
/// alloc, local_store, local_load.
void populateBufferPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                            LoweringState &state);
/// Copies that no instruction makes are errors, to be found before anything is converted.
mlir::LogicalResult verifyCopies(mlir::ModuleOp module, const AccessWidths &widths,
                                 const Executors &executors);
/// async_copy, async_commit, async_wait.
void populateAsyncCopyPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                               LoweringState &state);
/// Calls of libraries' functions by names of the kernel's own, or with different types, are the author's
/// errors.
mlir::LogicalResult verifyExternCalls(mlir::func::FuncOp kernel);
/// inline_asm, extern_call, read_special, grid_dependency.
void populateDevicePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
/// opt_barrier.
void populateOptBarrierPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
/// map.
void populateMapPattern(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
/// reduce.
void populateReducePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                            LoweringState &state);
/// scan.
void populateScanPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                          LoweringState &state);
/// gather.
void populateGatherPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                            LoweringState &state);
/// histogram.
void populateHistogramPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                               LoweringState &state);
/// dot.
void populateDotPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                         LoweringState &state);
/// mma_begin, mma, mma_wait, proxy_fence.
void populateProductPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                             LoweringState &state);
/// tensor_map, barriers, tma_copy, barrier_expect, barrier_wait.
void populateTmaPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                         LoweringState &state);
/// pipeline_begin, pipeline_next, pipeline_previous, pipeline_slot, pipeline_phase.
void populatePipelinePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns);
/// tma_store and tma_store_wait.
void populateTmaStorePatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                              LoweringState &state);
/// barrier.
void populateBarrierPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                             LoweringState &state);
/// assume, hint, print, assert.
void populateHintPatterns(const mlir::TypeConverter &types, mlir::RewritePatternSet &patterns,
                          LoweringState &state);

} // namespace tegula
