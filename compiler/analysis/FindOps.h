// Ops of some kind in another op.
#pragma once

#include "mlir/IR/Operation.h"

namespace tegula {

/// Returns whether `holds` for `root` or any op in it.
inline bool anyOp(mlir::Operation *root, llvm::function_ref<bool(mlir::Operation *)> holds) {
  auto visit = [&](mlir::Operation *op) {
    return holds(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  };
  return root->walk(visit).wasInterrupted();
}

/// Returns whether `root` or any op in it is one of `Ops`.
template <typename... Ops> bool hasOp(mlir::Operation *root) { return anyOp(root, llvm::IsaPred<Ops...>); }

/// Returns the ops `Op` in `root` that `holds` for, to be changed one after the other: inner ones first.
template <typename Op>
llvm::SmallVector<Op> opsOf(mlir::Operation *root, llvm::function_ref<bool(Op)> holds = nullptr) {
  llvm::SmallVector<Op> ops;
  root->walk([&](Op op) {
    if (!holds || holds(op))
      ops.push_back(op);
  });
  return ops;
}

} // namespace tegula
