// The code of a `GroupPlan`: one product of warp groups, and the wait for it.
#pragma once

#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/plan/GroupPlan.h"
#include "compiler/target/MatrixUnits.h"

namespace tegula {

/// The operands of a product: in memory the address of the slot, for `a` in registers its elements.
struct GroupOperands {
  mlir::Value slotA, slotB;
  mlir::ValueRange registersA;
  bool inCluster = false; ///< whether addresses also say, in high bits, which block of a cluster they are of
};

/// The type of the registers that hold sums in flight: two halves to one, else the sum's own.
mlir::Type inFlightRegister(mlir::OpBuilder &builder, mlir::Type sum);

/// Starts a product with all of K as one group, and gives the registers of its sums in flight. They begin as
/// `sums`, or as nothing where that is empty.
llvm::SmallVector<mlir::Value> emitGroupProduct(mlir::OpBuilder &builder, mlir::Location loc,
                                                const GroupPlan &plan, const MatrixInstruction &instruction,
                                                const GroupOperands &operands, mlir::ValueRange sums,
                                                ThreadIndex &threads);

/// Waits for all products but the `pending` last. The registers `sums` may change until then: what comes out
/// are the same with their values. The registers `held` are computed before and not written until then.
llvm::SmallVector<mlir::Value> emitGroupWait(mlir::OpBuilder &builder, mlir::Location loc, unsigned pending,
                                             mlir::ValueRange sums, mlir::ValueRange held);

} // namespace tegula
