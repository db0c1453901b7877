// Plans of how warp groups multiply matrices (`wgmma`): which registers and which bytes of shared memory go
// into which instruction, read off the layouts. Pure data, no IR.
#pragma once

#include "dialect/layout/Fragments.h"
#include "dialect/layout/UnitMemory.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tegula {

/// One operand of a product.
struct GroupOperand {
  /// In shared memory, or for `a` alone registers, as `groupOperandA` lays them out.
  bool inMemory = true;
  /// In memory: the fields of the descriptor, and the bytes that each bit of a group's number means.
  UnitOperand unit;
  std::vector<uint32_t> groupOffsets;
};

/// One instruction of each group: sums += a * b.
struct GroupStep {
  uint32_t tile; ///< of the sums: registers from `tile * registersOfTile` on
  uint32_t a;    ///< bytes from the start of the buffer, or the first of `registersOfA` registers
  uint32_t b;    ///< bytes from the start of the buffer
};

struct GroupPlan {
  GroupGrid groups;
  unsigned registersOfTile = 0, registersOfA = 0; ///< elements of an instruction, for each thread
  GroupOperand a, b;
  /// In the order of execution, k outermost.
  std::vector<GroupStep> steps;
  /// Tiles of the sums.
  uint32_t tiles = 0;

  /// Leaves of `steps` only `count` along K from `begin` on, both in steps along K.
  void keepOnly(uint32_t begin, uint32_t count);
};

/// An operand as it is given: the map of a buffer or the layout of registers, and which axis K is.
struct GivenOperand {
  const LinearLayout &map;
  unsigned kAxis;
  bool inMemory;
  int32_t begin = 0; ///< the first of the columns of b that are multiplied, a multiple of an instruction's
};

/// The plan of a product of `warps` warps with instructions of `shape` on elements of `elementBytes`. Nothing
/// where the sums or `a` are not laid out for groups, or memory is none that a descriptor describes, or a
/// part that one instruction reads is not whole in it.
std::optional<GroupPlan> planGroupProduct(const LinearLayout &sums, const GivenOperand &a,
                                          const GivenOperand &b, const MatrixShape &shape, unsigned warps,
                                          unsigned elementBytes);

} // namespace tegula
