// The numbers that a kernel computes from where a program is in the grid, for a sample of its programs.
#pragma once

#include "compiler/cost/Terms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>
#include <unordered_map>

namespace tegula::cost {

/// Programs that are evaluated: one half from the whole grid, the other from programs that run at one time.
inline constexpr unsigned HalfLanes = 32, LaneCount = 2 * HalfLanes;

/// A number for each evaluated program.
using Lanes = std::array<int64_t, LaneCount>;

/// The evaluated programs of a launch, which has one or more, and their places in the grid.
struct ProgramSample {
  std::array<Lanes, 3> place{}, count{};
  bool isWhole = false; ///< every program is there, in the lanes from 0 on
  unsigned drawn = 0;   ///< lanes that stand for the whole grid
  double wave = 1;      ///< programs that the second half is drawn from

  explicit ProgramSample(const LaunchFacts &launch);
};

/// Numbers as far as they are known: of scalars, and of the first element of each tensor.
class ProgramValues {
public:
  /// Begins with the arguments of `kernel`: numbers as the launch passes them, and for each pointer an
  /// address of its own.
  ProgramValues(mlir::func::FuncOp kernel, const LaunchFacts &launch);

  const ProgramSample &sample() const { return programs; }
  /// Returns the numbers of `value`, which stay where they are; null where they are not known.
  const Lanes *of(mlir::Value value) const;
  /// Takes in the results of `op`, which has no regions.
  void evaluate(mlir::Operation &op);
  /// Gives `to` the numbers of `from`, or none where it has none.
  void copy(mlir::Value from, mlir::Value to);
  /// Gives `to` those of `yes` or `no`, where all are known.
  void select(const Lanes *condition, mlir::Value yes, mlir::Value no, mlir::Value to);

private:
  template <typename Compute> void binary(mlir::Operation &op, Compute compute);
  void set(mlir::Value value, const Lanes &lanes) { values[value.getAsOpaquePointer()] = lanes; }
  void fill(mlir::Value value, int64_t number);
  void evaluateConstant(mlir::arith::ConstantOp op);

  ProgramSample programs;
  std::unordered_map<const void *, Lanes> values; ///< by value; what is known keeps its place
};

} // namespace tegula::cost
