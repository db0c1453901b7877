// The barriers by which a producer and the consumers tell each other of slots, and the states that loops
// carry.
#pragma once

#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace tegula {

/// The barriers of what is filled and read together, one a slot.
struct Channel {
  mlir::Value full, empty;
};

/// Returns the number of groups of warps of `kernel` that compute, each of which arrives once.
unsigned consumersOf(mlir::func::FuncOp kernel);

/// Makes the barriers of `slots` slots, each of whose phases has so many `arrivals`, where `builder` stands.
mlir::Value makeBarriers(mlir::OpBuilder &builder, mlir::Location loc, unsigned slots, unsigned arrivals);

/// Makes the barriers of `slots` slots at the start of `kernel`.
Channel makeChannel(mlir::OpBuilder &builder, mlir::Location loc, mlir::func::FuncOp kernel, unsigned slots);

/// Lets `loop` carry a state that begins as `begin` and goes on by one slot each time. Returns the one in its
/// body.
mlir::Value carryState(mlir::RewriterBase &rewriter, mlir::scf::ForOp &loop, mlir::Value begin);

/// Lets the loops of `round`, each in the one before, carry a state that begins as `begin`. Returns the one
/// in the innermost one's body.
mlir::Value carryThrough(mlir::RewriterBase &rewriter, llvm::MutableArrayRef<mlir::scf::ForOp> round,
                         mlir::Value begin);

/// Lets the innermost loop of `round` yield `left`, and each other the result of the one inside, in place of
/// what it began with.
void handOn(llvm::MutableArrayRef<mlir::scf::ForOp> round, mlir::Value left);

} // namespace tegula
