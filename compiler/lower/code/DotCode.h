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

/// The result's registers, by `instruction`. Of f32, operands are rounded to tf32; with `inThreeParts` they
/// are cut into two such numbers and what only the product of the two small ones would add is left out. Then
/// infinite operands give no number, as the difference of an infinity and its rounded value is none.
llvm::SmallVector<mlir::Value> emitMatrixDot(mlir::OpBuilder &builder, mlir::Location loc,
                                             const DotPlan &plan, const MatrixInstruction &instruction,
                                             bool inThreeParts, const DotRegisters &registers);

/// The result's registers, by one multiplication and addition after the other, in the type of the sum.
llvm::SmallVector<mlir::Value> emitThreadDot(mlir::OpBuilder &builder, mlir::Location loc,
                                             const DotPlan &plan, const DotRegisters &registers);

} // namespace tegula
