#include "compiler/distribute/DotLayoutChoice.h"

#include "dialect/layout/Layouts.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace tegula {
namespace {

std::vector<int32_t> sidesOf(RankedTensorType type) {
  return std::vector<int32_t>(type.getShape().begin(), type.getShape().end());
}

DotLayoutChoice choiceOf(tile::DotOp dot, const WarpGrid &grid, WarpUnit unit) {
  DotLayoutChoice choice;
  choice.grid = grid;
  choice.rows = std::max(dot.getM() / grid.m, std::min(unit.m, dot.getM()));
  choice.columns = std::max(dot.getN() / grid.n, std::min(unit.n, dot.getN()));
  return choice;
}

/// Boxes of one thread and of the lanes of a warp, along rows and columns.
struct ThreadBoxes {
  int64_t m = 1, n = 1, lanesM = 1, lanesN = 1;
};

/// Nearly square boxes, as wide as loads of four elements and no larger than what keeps all threads busy.
ThreadBoxes boxesFor(tile::DotOp dot, unsigned warps) {
  constexpr int64_t MaxSide = 4, LanesAlongRow = 8, Lanes = int64_t(1) << LaneBits;
  int64_t m = dot.getM(), n = dot.getN();
  int64_t elements = dot.getResultType().getNumElements() / (Lanes * int64_t(warps));
  ThreadBoxes boxes;
  while (boxes.m * boxes.n < elements) {
    if (boxes.n <= boxes.m && boxes.n < std::min(n, MaxSide))
      boxes.n *= 2;
    else if (boxes.m < std::min(m, MaxSide))
      boxes.m *= 2;
    else if (boxes.n < std::min(n, MaxSide))
      boxes.n *= 2;
    else
      break;
  }
  boxes.lanesN = std::min(LanesAlongRow, n / boxes.n);
  boxes.lanesM = std::min(Lanes / boxes.lanesN, m / boxes.m);
  boxes.lanesN = Lanes / boxes.lanesM; // beyond the end lanes hold copies
  return boxes;
}

/// Returns where a thread must hold operand `index` to have all of `k` for each element that it has of
/// `result`.
LinearLayout wholeK(const LinearLayout &result, unsigned index, int32_t k) {
  unsigned axis = unsigned(result.outs().size()) - (index == 0 ? 1 : 2);
  return expandDims(slice(result, axis), axis) * LinearLayout::identity1D(k, Dim::Register, tensorDim(axis));
}

} // namespace

DotLayoutChoice layoutsForUnit(tile::DotOp dot, const MatrixInstruction &instruction, unsigned warps,
                               bool chained) {
  const MatrixShape &shape = instruction.shape;
  WarpUnit unit = {shape.m, shape.n};
  WarpGrid grid = chooseWarpGrid(dot.getResultType().getShape(), unit, warps, chained);
  DotLayoutChoice choice = choiceOf(dot, grid, unit);
  MLIRContext *context = dot.getContext();
  unsigned bytes = bytesOf(instruction.a);
  choice.a = tile::LayoutAttr::get(context, matrixOperand(0, sidesOf(dot.getAType()), shape, grid, bytes));
  choice.b = tile::LayoutAttr::get(context, matrixOperand(1, sidesOf(dot.getBType()), shape, grid, bytes));
  choice.result = tile::LayoutAttr::get(context, matrixResult(sidesOf(dot.getResultType()), shape, grid));
  return choice;
}

std::optional<GroupGrid> chooseGroupGrid(int64_t m, int64_t n, unsigned warps) {
  constexpr int64_t LeastColumns = 16;
  int64_t groups = int64_t(warps) / WarpsOfGroup;
  if (groups == 0 || m < RowsOfGroup)
    return std::nullopt;
  int64_t alongM = std::min(groups, m / RowsOfGroup), alongN = groups / alongM;
  if (n / alongN < LeastColumns)
    return std::nullopt;
  return GroupGrid{int32_t(alongM), int32_t(alongN)};
}

DotLayoutChoice layoutsForGroups(tile::DotOp dot, const MatrixInstruction &instruction,
                                 const GroupGrid &groups) {
  DotLayoutChoice choice;
  choice.grid = {1, WarpsOfGroup * groups.m, groups.n};
  choice.rows = dot.getM() / groups.m;
  choice.columns = dot.getN() / groups.n;
  MLIRContext *context = dot.getContext();
  const MatrixShape &shape = instruction.shape;
  unsigned bytes = bytesOf(instruction.a);
  choice.a = tile::LayoutAttr::get(context, groupOperandA(sidesOf(dot.getAType()), shape.k, groups, bytes));
  choice.b = tile::LayoutAttr::get(
      context, matrixOperand(1, sidesOf(dot.getBType()), {16, 8, shape.k}, choice.grid, bytes));
  choice.result = tile::LayoutAttr::get(context, groupResult(sidesOf(dot.getResultType()), shape.n, groups));
  return choice;
}

DotLayoutChoice layoutsForThreads(tile::DotOp dot, unsigned warps, bool chained) {
  ThreadBoxes boxes = boxesFor(dot, warps);
  WarpUnit unit = {boxes.m * boxes.lanesM, boxes.n * boxes.lanesN};
  ArrayRef<int64_t> shape = dot.getResultType().getShape();
  WarpGrid grid = chooseWarpGrid(shape, unit, warps, chained);
  DotLayoutChoice choice = choiceOf(dot, grid, unit);

  std::vector<int32_t> registers, lanes, warpSides;
  if (shape.size() == 3)
    registers = {1}, lanes = {1}, warpSides = {grid.batch};
  for (auto [list, m, n] : {std::tuple(&registers, boxes.m, boxes.n),
                            {&lanes, boxes.lanesM, boxes.lanesN},
                            {&warpSides, int64_t(grid.m), int64_t(grid.n)}}) {
    list->push_back(int32_t(m));
    list->push_back(int32_t(n));
  }
  std::vector<unsigned> order(shape.size());
  std::iota(order.rbegin(), order.rend(), 0u);
  LinearLayout result = blocked(sidesOf(dot.getResultType()), registers, lanes, warpSides, order);
  MLIRContext *context = dot.getContext();
  choice.a = tile::LayoutAttr::get(context, wholeK(result, 0, int32_t(dot.getK())));
  choice.b = tile::LayoutAttr::get(context, wholeK(result, 1, int32_t(dot.getK())));
  choice.result = tile::LayoutAttr::get(context, std::move(result));
  return choice;
}

} // namespace tegula
