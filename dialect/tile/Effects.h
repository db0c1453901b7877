// The effects of an op, as the op itself tells: its accesses of global memory, its interaction with others,
// and asynchronous work. MLIR's memory effects have the rest.
#pragma once

#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/BitmaskEnum.h"

#include <optional>

#include "dialect/tile/TileEnums.h.inc"

namespace tegula::tile {

/// An access of global memory.
struct GlobalAccess {
  /// A pointer, a tensor of pointers or a view; where a tensor map tells of the array, the pointer to its
  /// first element. Null where nothing is accessed.
  mlir::Value address;
  mlir::Value mask; ///< null where all elements are accessed
  bool reads = false, writes = false;
  bool isVolatile = false;          ///< it happens where it is written, to see what others change
  std::optional<MemoryOrder> order; ///< of an atomic access
  std::optional<MemoryScope> scope; ///< of an atomic access
  bool isConditional =
      false; ///< it writes only where memory holds what is expected, as who takes a lock does

  explicit operator bool() const { return address != nullptr; }
  bool isAtomic() const { return order.has_value(); }
  bool onlyReads() const { return reads && !writes; }
  /// True where the order of the access is `part` or has it in it.
  bool includes(MemoryOrder part) const {
    return order && (*order == part || *order == MemoryOrder::AcquireRelease);
  }
};

LLVM_ENABLE_BITMASK_ENUMS_IN_NAMESPACE();

/// The ways in which an op interacts with other threads.
enum class Interaction : unsigned {
  None = 0,
  SyncsThreads = 1,    ///< the threads that execute it wait for each other
  PublishesWrites = 2, ///< after it threads may read what others of the program wrote to global memory
  TouchesMemory = 4,   ///< it may read and write global memory at unknown places
  AsksDevice = 8,      ///< it asks for things of the device itself, whose answers are not known here
  AwaitsPrograms = 16, ///< it may wait for other programs
  AwaitsLaunches = 32, ///< it waits for launches before this one, or lets those after it begin
  Prints = 64,
  Asserts = 128,
  /// Waits for threads to come to an op before: what they have done since is not ordered.
  MetBefore = 256,
  LLVM_MARK_AS_BITMASK_ENUM(MetBefore)
};

/// The kinds of asynchronous work, by how its end is known.
enum class AsyncKind { Copy, TmaLoad, TmaStore, Product };
inline constexpr size_t AsyncKinds = 4;

/// The part of an op in such work.
struct AsyncStep {
  enum Role {
    None,
    Starts,
    Groups, ///< says what is waited for together
    Awaits,
    Frees, ///< says that what was brought has been read
  };
  Role role = None;
  AsyncKind kind = AsyncKind::Copy;
  /// For a wait: how many of the last may still be in flight.
  unsigned pending = 0;
  /// True if a unit of its own accesses shared memory, which sees what threads wrote after a fence only
  /// (PTX's async proxy).
  bool isByUnit = false;
  /// The fences and barriers that the work needs are part of the op.
  bool ordersItself = false;

  bool starts() const { return role == Starts; }
  bool awaits(AsyncKind what) const { return role == Awaits && kind == what; }
  /// Returns whether a unit accesses memory that a fence must precede.
  bool needsFence() const { return starts() && isByUnit && !ordersItself; }
  /// Returns whether waits count the work; other work ends with a phase of a barrier, which shows it to all
  /// threads.
  bool isCounted() const { return kind != AsyncKind::TmaLoad; }
};

/// Returns what `op` accesses of global memory; nothing for an op that does not.
GlobalAccess globalAccessOf(mlir::Operation *op);

/// Returns what `op` has to do with others, the ops in its regions left out.
Interaction interactionsOf(mlir::Operation *op);
/// True where `op` does some of `what`.
inline bool does(mlir::Operation *op, Interaction what) {
  return (interactionsOf(op) & what) != Interaction::None;
}

/// Returns the part of `op` in asynchronous work.
AsyncStep asyncStepOf(mlir::Operation *op);

} // namespace tegula::tile

#include "dialect/tile/Effects.h.inc"
