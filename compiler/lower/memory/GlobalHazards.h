// Hazards (RAW, WAR, WAW) between accesses of global memory by different threads, which a barrier must
// separate.
#pragma once

#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {

/// An access that other threads may not have done yet. The mark says that a loop which computes the pointer
/// has begun another iteration since: the op's pointer of now is another.
using PastAccess = llvm::PointerIntPair<mlir::Operation *, 1, bool>;

/// Accesses by the parameter that they go through, null where that is not known.
struct PastAccesses {
  using Set = llvm::SmallSetVector<PastAccess, 4>;
  struct OfParameter {
    Set reads, writes; ///< atomic ops that change memory are writes
  };
  llvm::MapVector<mlir::Value, OfParameter> byParameter;

  /// True when something was new.
  bool join(const PastAccesses &other);
  void clear() { byParameter.clear(); }
};

/// Knows of each load, store, atomic op and copy of a kernel what it touches.
///
/// Two accesses through one parameter, one of them at least a write, may touch the same bytes in different
/// threads, unless each thread touches its own elements both times: the pointers are the same value, and so
/// the layout, and the threads that hold copies of an element are of one warp where copies matter. Of a
/// scalar all threads have copies; all load it and one stores it. Atomic loads and stores are loads and
/// stores that one thread carries out for those that have copies.
///
/// Two stores are left alone unless their pointers are computed alike and have other layouts: then the second
/// is to have the last word. And so are two atomic updates: what a kernel stores twice in the same place from
/// two threads in another way is rare, what it stores in many places of one array is every kernel, and no
/// proof tells them apart where strides are numbers of run time. The emulator reports the former.
class GlobalHazards {
public:
  /// `effects` are those of the kernel, and outlive this.
  GlobalHazards(mlir::func::FuncOp kernel, const KernelEffects &effects)
      : executors(kernel), effects(effects) {}

  /// True where another thread may still have to do one of `past` before `op` may be done.
  bool hasHazard(mlir::Operation *op, const PastAccesses &past);
  /// True where `copy`, which this thread has waited for and others may not have, must be done before `op`.
  bool hasHazard(mlir::Operation *op, mlir::Operation *copy);

  /// Adds `op` where it is an access.
  void add(mlir::Operation *op, PastAccesses &past);
  /// Returns the past accesses after the back edge of `loop`.
  PastAccesses acrossBackEdge(mlir::Operation *loop, const PastAccesses &past);

private:
  enum class Kind { None, Read, Write, Update };
  struct Use {
    Kind kind = Kind::None;
    mlir::Value parameter, pointer;
    /// Several warps read the same elements, or threads others than the layout says.
    bool isShared = false;
  };

  Use of(mlir::Operation *op);
  bool conflict(const Use &use, PastAccess past);

  const Executors executors;
  const KernelEffects &effects;
  llvm::DenseMap<mlir::Operation *, Use> known;
};

} // namespace tegula
