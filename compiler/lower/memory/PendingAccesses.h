// The accesses that may still be pending in other warps when a thread gets to an op: the state between two
// barriers.
#pragma once

#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/effects/MemoryOrder.h"
#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/lower/memory/GlobalHazards.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

#include <array>

namespace tegula {

/// Since the last barrier of the program on some way to here.
struct Pending {
  using Ops = llvm::SmallSetVector<mlir::Operation *, 4>;
  /// Ops with shared memory, and loads of buffers, whose reads other warps may not have done.
  Ops readers;
  /// Stores to buffers that other warps may not have done.
  Ops writers;
  /// Copies into buffers that the thread has waited for, and another may not have.
  Ops landed;
  /// Work with buffers in flight, of the kinds that waits count: no barrier ends that. What is waited for
  /// joins `landed` where it writes buffers and `readers` where it reads them.
  std::array<Ops, tile::AsyncKinds> underWay;
  /// Stores to buffers, copies that were waited for and ops with shared memory of their own, with no fence
  /// after them that lets units see what they wrote. The barrier inside an op is none.
  Ops unfenced;
  /// Accesses of global memory that other threads may not have done: each by itself, and any; null if none.
  PastAccesses globals;
  mlir::Operation *access = nullptr;
  /// An atomic op with acquire order, which one thread makes for all: others do not know that it is done.
  mlir::Operation *acquire = nullptr;

  /// True when something was new.
  bool join(const Pending &other);
  /// Clears the state after a barrier that each thread comes to by a fence for what units are to see.
  void clear() {
    unfenced.clear();
    clearInside();
  }
  /// Clears the state after the barrier inside an op.
  void clearInside() {
    Pending after;
    after.underWay = std::move(underWay);
    after.unfenced = std::move(unfenced);
    *this = std::move(after);
  }
};

/// True where both are the same bytes in part. False for null ones.
bool overlap(tile::ScratchAttr a, tile::ScratchAttr b);

/// The facts about a kernel's ops, each asked about once.
struct MemoryUses {
  explicit MemoryUses(mlir::func::FuncOp kernel)
      : effects(kernel), scratches(kernel), globals(kernel, effects) {}

  /// The bytes of shared memory that `op` writes; null if none. Requires `allocate-shared`.
  tile::ScratchAttr placeWritten(mlir::Operation *op) const;
  /// True where `op` reads some of the bytes `place`, which may be null.
  bool reads(mlir::Operation *op, tile::ScratchAttr place) const;
  /// The buffer that `op` stores to or by way of, copies into or loads from; null for other ops, also for
  /// products, which may read two.
  mlir::Value bufferOf(mlir::Operation *op) const { return effects.of(op).buffer(); }

  const KernelEffects effects;
  Scratches scratches;
  GlobalHazards globals;
};

/// Follows the state through the kernel, around loops until it no longer grows. `visit` sees each op with the
/// state before it, may clear it (a barrier precedes the op then), and is called several times for ops in
/// loops: with more and more pending.
void followPending(mlir::func::FuncOp kernel, MemoryUses &uses,
                   llvm::function_ref<void(mlir::Operation *, Pending &)> visit);

} // namespace tegula
