// Products that are computed under the next iteration's arithmetic.
#pragma once

#include "compiler/schedule/plan/PrefetchPlan.h"

#include "llvm/ADT/SetVector.h"

namespace tegula {

/// A loop of two products, of which the second multiplies by what threads compute from the first one's sums,
/// and adds to what the loop carries: attention. The second can come an iteration late.
struct OverlappedProducts {
  tgpu::MmaOp early, late;
  tgpu::MmaWaitOp earlyWait, lateWait;
  unsigned position = 0; ///< of the late one's sums among what the loop carries
  /// The ops between the carried sums and the product that adds to them, and those of its operand: they run
  /// after the wait for the product of the previous iteration, which has their registers until then.
  llvm::SetVector<mlir::Operation *> behind;
};

/// Returns the wait after which the sums of `product` are a tensor, in its own block, with no other product
/// pending; null where it is waited for in another way.
tgpu::MmaWaitOp waitOf(tgpu::MmaOp product);

/// The products of `loop` where they are such and nothing else in it, but ops that `isGone` holds for,
/// depends on when the late one is computed.
std::optional<OverlappedProducts> findOverlappedProducts(mlir::scf::ForOp loop,
                                                         llvm::function_ref<bool(mlir::Operation *)> isGone);

/// The product of `loop`, whose loads others make by `plan`, that can start in the next iteration; null where
/// there is no such, or where it must keep its place.
tgpu::MmaOp productForNextIteration(mlir::scf::ForOp loop, const PrefetchPlan &plan);

/// Returns whether `loop` needs the late sums that it carries only after the wait for the early product.
bool isLateBehindEarly(const OverlappedProducts &products, mlir::scf::ForOp loop);

/// The product of `loop`, whose own threads start the copies of `plan`, that can be waited for with the next
/// iteration's first; null where there is no such.
tgpu::MmaOp productForNextWait(mlir::scf::ForOp loop, const PrefetchPlan &plan);

} // namespace tegula
