#include "dialect/layout/Fragments.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <vector>

namespace tegula {
namespace {

unsigned log2Of(int32_t size) { return unsigned(std::bit_width(uint32_t(size)) - 1); }

/// A fragment being written down, one basis after another.
class FragmentBuilder {
public:
  /// K is the fast axis: the rows where `rowsAreFast`, else the columns.
  FragmentBuilder(int32_t rows, int32_t columns, bool rowsAreFast)
      : outs{{Dim::Dim0, log2Of(rows)}, {Dim::Dim1, log2Of(columns)}}, rowsAreFast(rowsAreFast) {}

  /// The next bit of `in` steps along the fast axis, or the slow one.
  void fast(std::vector<uint64_t> &in, int32_t step) { in.push_back(packed(step, rowsAreFast)); }
  void slow(std::vector<uint64_t> &in, int32_t step) { in.push_back(packed(step, !rowsAreFast)); }

  std::vector<uint64_t> registers, lanes;

  LinearLayout build() const {
    std::vector<uint64_t> columns(registers);
    columns.insert(columns.end(), lanes.begin(), lanes.end());
    return LinearLayout::fromColumns(
        {{Dim::Register, unsigned(registers.size())}, {Dim::Lane, unsigned(lanes.size())}}, outs, columns);
  }

private:
  uint64_t packed(int32_t step, bool isRow) const {
    return isRow ? uint64_t(step) : uint64_t(step) << outs[0].bits;
  }

  std::vector<DimBits> outs;
  bool rowsAreFast;
};

/// Operand a with its rows as the slow axis, or b with its columns as such: `width` of them, and K.
LinearLayout operandFragment(FragmentBuilder builder, int32_t width, int32_t k, unsigned elementBytes) {
  int32_t inWord = elementBytes < 4 ? int32_t(4 / elementBytes) : 1;
  for (int32_t step = 1; step < inWord; step *= 2)
    builder.fast(builder.registers, step);
  builder.fast(builder.lanes, inWord);
  builder.fast(builder.lanes, 2 * inWord);
  for (int32_t step = 1; step < 8; step *= 2)
    builder.slow(builder.lanes, step);
  for (int32_t step = 8; step < width; step *= 2)
    builder.slow(builder.registers, step);
  for (int32_t step = 4 * inWord; step < k; step *= 2)
    builder.fast(builder.registers, step);
  return builder.build();
}

/// `layout` on a tensor of other sides: positions beyond them wrap, so that places hold copies;
/// registers that only would are left out.
LinearLayout fitted(LinearLayout layout, std::span<const int32_t> shape) {
  for (unsigned axis = 0; axis < shape.size(); ++axis)
    layout = layout.resizeOut(tensorDim(axis), std::min(shape[axis], layout.outSize(tensorDim(axis))));
  return layout.removeZeroBases(Dim::Register);
}

/// `layout` repeated in further registers until axis `axis` is `size` long.
LinearLayout repeated(const LinearLayout &layout, unsigned axis, int32_t size) {
  int32_t times = size / layout.outSize(tensorDim(axis));
  return times > 1 ? layout * LinearLayout::identity1D(times, Dim::Register, tensorDim(axis)) : layout;
}

/// Matrices become the last two axes of a tensor with an axis of batches in front.
LinearLayout withBatches(const LinearLayout &matrix) {
  return LinearLayout::zeros1D(1, Dim::Register, Dim::Dim0) *
         matrix.renameOut(Dim::Dim1, Dim::Dim2).renameOut(Dim::Dim0, Dim::Dim1);
}

/// `warps` warps along `axis`, or copies where `axis` is not one of this tensor's.
LinearLayout acrossWarps(const LinearLayout &layout, int32_t warps, std::optional<unsigned> axis) {
  if (axis)
    return layout * LinearLayout::identity1D(warps, Dim::Warp, tensorDim(*axis));
  return layout * LinearLayout::zeros1D(warps, Dim::Warp, Dim::Dim0);
}

/// A tensor covered with fragments.
struct Cover {
  std::span<const int32_t> shape;
  LinearLayout fragment;
  /// The number of warps along n, m and batch in this order, and the axis they share, if any.
  std::vector<std::pair<int32_t, std::optional<unsigned>>> warps;
  /// Axes in the order in which registers repeat along them.
  std::vector<unsigned> registerAxes;

  LinearLayout build() const {
    LinearLayout layout = shape.size() == 3 ? withBatches(fragment) : fragment;
    std::vector<int32_t> box(shape.begin(), shape.end());
    for (auto [count, axis] : warps)
      if (axis)
        box[*axis] = std::max(box[*axis] / count, layout.outSize(tensorDim(*axis)));
    for (unsigned axis : registerAxes)
      layout = repeated(layout, axis, box[axis]);
    for (auto [count, axis] : warps)
      layout = acrossWarps(layout, count, axis);
    return fitted(layout, shape);
  }
};

} // namespace

LinearLayout fragmentA(const MatrixShape &shape, unsigned elementBytes) {
  assert((shape.m == 8 || shape.m == 16) && "rows that no instruction has");
  return operandFragment(FragmentBuilder(shape.m, shape.k, false), shape.m, shape.k, elementBytes);
}

LinearLayout fragmentB(const MatrixShape &shape, unsigned elementBytes) {
  assert(shape.n == 8 && "columns that no instruction has");
  return operandFragment(FragmentBuilder(shape.k, shape.n, true), shape.n, shape.k, elementBytes);
}

LinearLayout fragmentC(const MatrixShape &shape) {
  FragmentBuilder builder(shape.m, shape.n, false);
  builder.fast(builder.registers, 1);
  builder.fast(builder.lanes, 2);
  builder.fast(builder.lanes, 4);
  for (int32_t step = 1; step < 8; step *= 2)
    builder.slow(builder.lanes, step);
  for (int32_t step = 8; step < shape.m; step *= 2)
    builder.slow(builder.registers, step);
  return builder.build();
}

LinearLayout matrixResult(std::span<const int32_t> shape, const MatrixShape &instruction,
                          const WarpGrid &warps) {
  unsigned m = unsigned(shape.size()) - 2, n = m + 1;
  std::optional<unsigned> batch = m == 1 ? std::optional(0u) : std::nullopt;
  Cover cover{shape, fragmentC(instruction), {{warps.n, n}, {warps.m, m}, {warps.batch, batch}}, {n, m}};
  if (batch)
    cover.registerAxes.push_back(*batch);
  return cover.build();
}

LinearLayout matrixOperand(unsigned index, std::span<const int32_t> shape, const MatrixShape &instruction,
                           const WarpGrid &warps, unsigned elementBytes) {
  unsigned rows = unsigned(shape.size()) - 2, columns = rows + 1;
  std::optional<unsigned> batch = rows == 1 ? std::optional(0u) : std::nullopt;
  bool isA = index == 0;
  Cover cover{shape,
              isA ? fragmentA(instruction, elementBytes) : fragmentB(instruction, elementBytes),
              {{warps.n, isA ? std::nullopt : std::optional(columns)},
               {warps.m, isA ? std::optional(rows) : std::nullopt},
               {warps.batch, batch}},
              isA ? std::vector<unsigned>{columns, rows} : std::vector<unsigned>{rows, columns}};
  if (batch)
    cover.registerAxes.push_back(*batch);
  return cover.build();
}

LinearLayout groupResult(std::span<const int32_t> shape, int32_t columns, const GroupGrid &groups) {
  LinearLayout layout = repeated(fragmentC({16, 8, 0}), 1, columns);
  layout = acrossWarps(layout, WarpsOfGroup, 0);
  layout = repeated(layout, 1, shape[1] / groups.n);
  layout = repeated(layout, 0, shape[0] / groups.m);
  return acrossWarps(acrossWarps(layout, groups.n, 1), groups.m, 0);
}

LinearLayout groupOperandA(std::span<const int32_t> shape, int32_t k, const GroupGrid &groups,
                           unsigned elementBytes) {
  LinearLayout layout = repeated(fragmentA({16, 0, k}, elementBytes), 1, shape[1]);
  layout = repeated(acrossWarps(layout, WarpsOfGroup, 0), 0, shape[0] / groups.m);
  return acrossWarps(acrossWarps(layout, groups.n, std::nullopt), groups.m, 0);
}

} // namespace tegula
