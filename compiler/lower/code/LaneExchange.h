// Groups of neighbouring registers that a thread takes from other lanes, as a plan says.
#pragma once

#include "compiler/lower/code/LaneShuffle.h"
#include "compiler/lower/code/ThreadIndex.h"
#include "compiler/plan/ConversionPlan.h"

#include <map>
#include <utility>

namespace tegula {

/// A plan's result register r is register `registers[r] ^ f(t)` of lane `lanes[r] ^ g(t)` in thread t. Of a
/// register's number the upper bits say which group has it. Each group is fetched from a lane once.
class LaneExchange {
public:
  /// `groups` are values that `shuffle` can move, of `perGroup` registers each, a power of two.
  LaneExchange(LaneShuffle &shuffle, mlir::OpBuilder &builder, mlir::Location loc, const ShufflePlan &plan,
               ThreadIndex &threads, mlir::ValueRange groups, unsigned perGroup);

  /// Returns the group that this thread takes where the plan names group `index`, from the lane that is
  /// `step` away.
  mlir::Value take(uint32_t index, uint32_t step);

private:
  mlir::Value fetched(uint32_t index, uint32_t step);

  LaneShuffle &shuffle;
  mlir::OpBuilder &builder;
  mlir::Location loc;
  const ShufflePlan &plan;
  llvm::SmallVector<mlir::Value> groups;
  mlir::Value lanePart;                   ///< g, where it is not the identity
  llvm::SmallVector<uint32_t> choices;    ///< values of f, by groups
  llvm::SmallVector<mlir::Value> isTaken; ///< by choice but the first
  std::map<std::pair<uint32_t, uint32_t>, mlir::Value> fetches, takes;
};

} // namespace tegula
