// Finds which programs of a launch compute the same value.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

#include <array>

namespace tegula {

/// The way in which a value follows from the program's number along one axis of the grid.
struct ProgramAxis {
  enum Kind : uint8_t {
    Same,      ///< not at all: programs along the axis compute the same
    Quotient,  ///< by its quotient alone: `divisor` programs in a row compute the same
    Remainder, ///< by its remainder alone: every `divisor`-th program computes the same
    Each       ///< by all of it, or nothing is known
  };
  Kind kind = Same;
  int64_t divisor = 1;

  bool operator==(const ProgramAxis &) const = default;
};

/// The ways in which one value follows from the numbers of its program, and the loads that it is computed from. Memory is
/// taken to be the same for all programs.
struct ProgramAxes {
  std::array<ProgramAxis, 3> axes;
  llvm::SmallVector<tile::LoadOp> loads; ///< in no order

  /// Returns whether programs that differ along `axis` may compute different values.
  bool follows(size_t axis) const { return axes[axis].kind != ProgramAxis::Same; }
};

ProgramAxes programAxesOf(mlir::Value value);

} // namespace tegula
