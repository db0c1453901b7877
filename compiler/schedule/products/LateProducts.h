// Products that are computed under the next iteration's arithmetic.
#pragma once

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// A loop of two products, of which the second multiplies by what threads compute from the first one's sums, and
/// adds to what the loop carries: attention. The second can come an iteration late.
struct LateProduct {
  tgpu::MmaOp early, late;
  tgpu::MmaWaitOp earlyWait, lateWait;
  /// What the late one waits for before, and says behind it: the slots that it reads.
  tgpu::BulkAwaitOp await;
  tgpu::BarrierArriveOp arrive;
  unsigned position = 0; ///< of its sums among what the loop carries
  /// What is made of the carried sums before it adds to them, and its operand: they are made behind the wait for
  /// the product of the iteration before, which has their registers until then.
  llvm::SetVector<mlir::Operation *> behind;
};

/// The late product of `loop`, whose loads others make; none where there is no such, or where it must keep its
/// place.
std::optional<LateProduct> findLateProduct(mlir::scf::ForOp loop);

/// Starts the late product of each iteration in the next one, behind that one's early product:
///
///     if there is any iteration
///       early 0, wait, arithmetic 0
///       for j from 1 on
///         early j, late j - 1, wait for early j, arithmetic j, wait for late j - 1
///       late of the last, wait
///
/// The unit multiplies while threads compute: attention of 128 queries and keys on 8 warps has 671 TFLOPS
/// where it had 558 (H200, heads of 128). To scale its sums behind the early product's start, not in front of it, is
/// worth nothing, and to make its operand there spills.
///
/// Gives what stands in the loop's place; its results are the loop's.
mlir::scf::IfOp delayProduct(mlir::RewriterBase &rewriter, mlir::scf::ForOp loop, const LateProduct &product);

} // namespace tegula
