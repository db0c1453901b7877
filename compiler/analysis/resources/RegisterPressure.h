// The registers that a loop around matrix units takes at its fullest.
#pragma once

#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tegula {

/// Elements along K by which `dot` is computed at a time: that of its unit's instruction, or a few where
/// threads multiply by themselves; at most all of K.
int64_t stepOfDot(tile::DotOp dot);

/// Returns the floats that are computed before `dot`, by another dot or element by element, and used after it
/// in the same iteration: weights of attention's backward pass, which wait for the slopes.
llvm::SmallVector<mlir::Value> heldAcross(tile::DotOp dot);

/// Returns an operand of a dot before it is transposed, which moves nothing.
mlir::Value beforeTransposition(mlir::Value operand);

/// The sums that `loop` carries and `product` adds to; null where it adds to others or begins with none.
mlir::BlockArgument carriedSums(tgpu::MmaOp product, mlir::scf::ForOp loop);

/// The products of the body of `loop` that wait for no other one: they start together (`defer-waits`).
llvm::SmallVector<tgpu::MmaOp> productsTogether(mlir::scf::ForOp loop);

/// Registers of a thread that `loop` takes, estimated: tensors that it carries, and of the dots in its body
/// the one that needs most, or all that start together: its result, if that is not carried; what threads
/// compute before it for after it; an operand that is computed in the loop, whole; and of one in a buffer, as
/// `isInBuffer` tells, two steps along K. Operands of all dots that come from before the loop are there all
/// the time. Addresses and what else there is are a constant.
uint32_t estimateRegisters(mlir::scf::ForOp loop, llvm::function_ref<bool(mlir::Value)> isInBuffer);
/// The same of a loop that holds all operands of dots whole.
inline uint32_t estimateRegisters(mlir::scf::ForOp loop) {
  return estimateRegisters(loop, [](mlir::Value) { return false; });
}

/// The least number of registers by which the assembler stays below `estimateRegisters` (29 to 51 for
/// products, and attention with heads of 64). Attention of 128 by 128 with heads of 64, estimated at 156,
/// takes 127: two blocks share a multiprocessor, and one alone with a producer has 0.95 of their rate.
constexpr uint32_t Overestimated = 29;

/// Two ways in which the assembler treats the mask of a product's sums.
enum class Masks {
  Spread, ///< takes as many registers again, left alone
  Narrow, ///< takes none for them, told how many blocks are to share a multiprocessor
};

/// Registers that the loops of `kernel` with products that a unit computes on its own take at most,
/// estimated: attention of 128 by 128 with heads of 64 takes 127 without a mask, 156 where the last keys have
/// one, and 196 where it is causal.
uint32_t estimateRegistersOfKernel(mlir::func::FuncOp kernel, Masks masks = Masks::Spread);

/// Registers that the same loops take.
struct RegisterRange {
  uint32_t least = 0;  ///< if the assembler is told how many blocks are to share a multiprocessor
  uint32_t likely = 0; ///< if it is not
};

/// Estimates them closely: what a loop carries, sums that are in flight together, and the operand that is
/// made of sums. Products take 26 more, attention 22 and what it compares rows with columns for: 64 by 128
/// with heads of 64 takes 154, causal 184, or 168 if told.
RegisterRange registersOfProducts(mlir::func::FuncOp kernel);

/// Registers that `loop` takes beyond that to have the second of its two products in flight under the next
/// iteration's arithmetic (`OverlapPlan.h`): the operand that threads compute is there twice. 0 where the
/// form of the loop's products is another.
uint32_t registersOfLateness(mlir::scf::ForOp loop);

} // namespace tegula
