// Values that move between the lanes of a warp: `shfl.sync` on elements of any type.
#pragma once

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tegula {

/// Reads values of other lanes by shuffles. All lanes of the warp must get here. Shuffles move 32 bits:
/// smaller values are widened, larger ones cut in two.
class LaneShuffle {
public:
  LaneShuffle(mlir::OpBuilder &builder, mlir::Location loc);

  /// `value` of lane `own ^ lanes`.
  mlir::Value butterfly(mlir::Value value, uint32_t lanes);
  mlir::Value butterfly(mlir::Value value, mlir::Value lanes);
  /// `value` of lane `lane`, an i32.
  mlir::Value from(mlir::Value value, mlir::Value lane);

private:
  mlir::Value shuffle(mlir::Value value, mlir::NVVM::ShflKind kind, mlir::Value lane);
  mlir::Value shuffleWord(mlir::Value word, mlir::NVVM::ShflKind kind, mlir::Value lane);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Value everyLane, clamp;
};

} // namespace tegula
