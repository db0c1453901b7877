// The code of a dot: carries out a `DotPlan` with matrix instructions, or with those of each thread.
#pragma once

#include "compiler/plan/DotPlan.h"
#include "compiler/target/MatrixUnits.h"

#include "mlir/IR/Builders.h"

namespace tegula {

/// The registers of the three tensors, elements as scalars of LLVM's types; f8 as bytes.
struct DotRegisters {
  mlir::ValueRange a, b, sum;
};

/// The form in which a matrix unit is given its operands.
enum class OperandForm : uint8_t {
  Whole, ///< of f32 what rounding to tf32 leaves
  /// Two numbers of tf32 for each of f32; what only the product of the two small ones would add is left out.
  /// Infinite operands give no number, as the difference of an infinity and its rounded value is none.
  InThreeParts,
  /// f16 for each float of 8 bits, which loses nothing: two products of half as many elements along K. They
  /// add to the sums that there are; an assembler that does this by itself begins at zero, and adds with
  /// instructions of threads.
  Widened,
};

/// The result's registers, by `instruction`.
llvm::SmallVector<mlir::Value> emitMatrixDot(mlir::OpBuilder &builder, mlir::Location loc,
                                             const DotPlan &plan, const MatrixInstruction &instruction,
                                             OperandForm form, const DotRegisters &registers);

/// The result's registers, by one multiplication and addition after the other, in the type of the sum.
llvm::SmallVector<mlir::Value> emitThreadDot(mlir::OpBuilder &builder, mlir::Location loc,
                                             const DotPlan &plan, const DotRegisters &registers);

} // namespace tegula
