// Finds the loads that load nothing but operands of dots, and which of those are connected.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace tegula {

/// The *flows* of one kernel. Data are in one flow if they meet: in whatever they are computed into, carried
/// to or stored by, but not by being multiplied in a dot.
///
///     a = load ──→ dot ──→ cast ──→ store      three flows, since a dot takes a and b in layouts of its own
///     b = load ──↗
///
/// What is computed from positions and scalars alone, as addresses mostly are, joins no flows: it can be
/// computed in any layout.
class OperandFlows {
public:
  explicit OperandFlows(mlir::func::FuncOp function);

  using Id = const void *;

  /// Returns the flow of this access, if dots multiply what is in it and nothing of it is stored or added to
  /// their results; null otherwise.
  Id of(mlir::Operation *access) const;

  /// The flow of this access, whatever becomes of what is in it.
  Id whole(mlir::Operation *access) const;

  /// True if values only move in the flow: carried by loops, transposed, regrouped, never computed with.
  bool onlyMoves(Id flow) const { return traits.lookup(flow).onlyMoves; }

private:
  struct Traits {
    bool isMultiplied = false, leaves = false, onlyMoves = true;
  };

  void follow(mlir::Value value);
  void join(mlir::Value value, Id other) { flows.unionSets(value.getAsOpaquePointer(), other); }
  void reach(mlir::Value value, mlir::Value next);
  void followUse(mlir::OpOperand &use);

  llvm::EquivalenceClasses<Id> flows; ///< of values and accesses
  llvm::DenseMap<Id, Traits> traits; ///< by the flow's representative; of single members while they are found
  llvm::SmallVector<mlir::Value> pending; ///< values in flows whose uses were not looked at yet
};

} // namespace tegula
