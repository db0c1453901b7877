// Dots of a unit that reads operands from shared memory by itself: they become `tgpu.mma`.
#pragma once

#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tegula {

/// The products of one kernel.
class UnitProducts {
public:
  UnitProducts(mlir::func::FuncOp function, const AxisInfoAnalysis &facts)
      : function(function), facts(facts) {}

  /// Makes a `tgpu.mma` of `dot`, whose unit is one of warp groups, and waits for it. `b` goes into a buffer,
  /// and so does an `a` that is a conversion which `needsBuffer`; another comes from registers. Conversions
  /// lose their use by the dot and may be left without any.
  void startFrom(tile::DotOp dot, llvm::function_ref<bool(tile::ConvertLayoutOp)> needsBuffer);

private:
  /// An operand in a buffer: the tensor lies there as before transpositions.
  struct Buffered {
    tgpu::AllocOp alloc;
    mlir::Value slot;
    bool isTransposed;
  };
  Buffered buffer(tile::DotOp dot, unsigned index);
  tgpu::LocalStoreOp storeFor(mlir::Value source, mlir::Operation *before, unsigned kAxis, unsigned columns);
  LinearLayout memoryFor(mlir::Value source, unsigned kAxis);

  mlir::func::FuncOp function;
  const AxisInfoAnalysis &facts;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<tgpu::LocalStoreOp, 1>> stores; ///< by what they store
};

} // namespace tegula
