// The effects of a kernel's ops besides computing, found in one walk, and what passes conclude from them.
#pragma once

#include "compiler/analysis/Decision.h"
#include "dialect/tgpu/Tgpu.h"

#include "llvm/ADT/MapVector.h"

namespace tegula {

/// The effects of one op besides computing, as it tells by the interfaces of `dialect/tile/Effects.h` and by
/// its memory effects.
struct OpEffects {
  tile::GlobalAccess access;
  tile::Interaction interactions = tile::Interaction::None;
  tile::AsyncStep step;
  tgpu::SharedUse shared;

  bool does(tile::Interaction what) const { return (interactions & what) != tile::Interaction::None; }
  /// The parameter whose array is accessed; null where it is not known.
  mlir::Value parameter() const;
  /// True where the op may write what `base` points to, or writes to an unknown place.
  bool mayWrite(mlir::Value base) const;
  /// True where the op may access what `base` points to.
  bool mayAccess(mlir::Value base) const;
  /// The buffer that the op works with; null for none, and where it only reads two.
  mlir::Value buffer() const;
};

/// Asks the op; to be asked once for each op.
OpEffects effectsOf(mlir::Operation *op);

/// Returns whether `op` may see what other programs do, or has an effect that they see besides plain stores.
bool seesOthers(mlir::Operation *op);

/// The effects of the ops in `root`, a kernel or a part of one. Holds until an op is changed.
class KernelEffects {
public:
  explicit KernelEffects(mlir::Operation *root);

  /// Returns the effects of an op in the kernel; none for one that only computes.
  const OpEffects &of(mlir::Operation *op) const;
  /// The ops that have effects, in the order of a walk.
  const llvm::MapVector<mlir::Operation *, OpEffects> &all() const { return known; }

  /// True where the kernel may have written what `base` points to when it gets to `load`.
  bool isWrittenBefore(mlir::Operation *load, mlir::Value base) const;
  /// True where an op but `store` may access what `base` points to.
  bool isAccessedExceptBy(mlir::Operation *store, mlir::Value base) const;

  /// Decides whether a unit may read what `load` does by a way of its own, behind a `tgpu.global_fence` where
  /// the program has waited for others (`waitBefore`).
  Decision<> mayReadByUnit(mlir::Operation *load) const;
  /// Returns the last op found by which a program may wait for others and which it may reach before `op`;
  /// null where it waits for none.
  mlir::Operation *waitBefore(mlir::Operation *op) const;
  /// Decides whether `store` may be done later: whether others cannot observe when it is.
  Decision<> mayStoreLater(mlir::Operation *store) const;
  /// Decides whether programs depend on no others, given that nothing writes what they load.
  Decision<> areProgramsIndependent() const;
  /// Decides whether warps may run ahead of the others to the outermost loop `loop` and end before them, once
  /// they are told that the program has waited for others as often as it does before the loop.
  Decision<> mayRunAhead(mlir::Operation *loop) const;

private:
  /// Returns whether a program may wait for others by `op`.
  bool mayWait(mlir::Operation *op, const OpEffects &effects) const;

  llvm::MapVector<mlir::Operation *, OpEffects> known;
};

} // namespace tegula
