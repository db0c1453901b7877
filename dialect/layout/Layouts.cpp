#include "dialect/layout/Layouts.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tegula {

static unsigned log2Of(int32_t size) {
  assert(size > 0 && std::has_single_bit(uint32_t(size)) && "expected a power of two");
  return unsigned(std::countr_zero(uint32_t(size)));
}

static std::vector<Dim> tensorDims(size_t rank) {
  assert(rank <= MaxTensorRank);
  std::vector<Dim> dims;
  for (unsigned i = 0; i < rank; ++i)
    dims.push_back(tensorDim(i));
  return dims;
}

static std::vector<Dim> insOf(const LinearLayout &layout) {
  std::vector<Dim> dims;
  for (const DimBits &in : layout.ins())
    dims.push_back(in.dim);
  return dims;
}

/// Axis `in` counts through a box of the given sides, `order[0]` fastest.
static LinearLayout box(Dim in, std::span<const int32_t> sides, std::span<const unsigned> order) {
  LinearLayout result = LinearLayout::zeros1D(1, in, tensorDim(order[0]));
  for (unsigned axis : order)
    result = result * LinearLayout::identity1D(sides[axis], in, tensorDim(axis));
  return result;
}

LinearLayout blocked(std::span<const int32_t> shape, std::span<const int32_t> sizePerThread,
                     std::span<const int32_t> threadsPerWarp, std::span<const int32_t> warpsPerBlock,
                     std::span<const unsigned> order) {
  assert(shape.size() == order.size() && sizePerThread.size() == order.size() &&
         threadsPerWarp.size() == order.size() && warpsPerBlock.size() == order.size());
  LinearLayout layout = box(Dim::Register, sizePerThread, order) * box(Dim::Lane, threadsPerWarp, order) *
                        box(Dim::Warp, warpsPerBlock, order) *
                        LinearLayout::zeros1D(1, Dim::Block, tensorDim(order[0]));
  for (unsigned axis : order) {
    Dim dim = tensorDim(axis);
    if (layout.outSize(dim) > shape[axis])
      layout = layout.resizeOut(dim, shape[axis]);
    else
      layout = layout * LinearLayout::identity1D(shape[axis] / layout.outSize(dim), Dim::Register, dim);
  }
  return layout.transposeOuts(tensorDims(shape.size())).removeZeroBases(Dim::Register);
}

LinearLayout slice(const LinearLayout &parent, unsigned axis) {
  size_t rank = parent.outs().size();
  assert(axis < rank);
  std::vector<Dim> kept = tensorDims(rank);
  kept.erase(kept.begin() + axis);
  LinearLayout layout = parent.sublayout(insOf(parent), kept);
  for (unsigned later = axis + 1; later < rank; ++later)
    layout = layout.renameOut(tensorDim(later), tensorDim(later - 1));
  return layout.removeZeroBases(Dim::Register);
}

LinearLayout expandDims(const LinearLayout &layout, unsigned axis) {
  unsigned rank = unsigned(layout.outs().size());
  assert(axis <= rank && rank < MaxTensorRank);
  LinearLayout result = layout;
  for (unsigned later = rank; later > axis; --later)
    result = result.renameOut(tensorDim(later - 1), tensorDim(later));
  return result.resizeOut(tensorDim(axis), 1).transposeOuts(tensorDims(rank + 1));
}

LinearLayout permuteDims(const LinearLayout &layout, std::span<const unsigned> permutation) {
  std::vector<Dim> order;
  std::vector<DimBits> outs;
  for (unsigned i = 0; i < permutation.size(); ++i) {
    order.push_back(tensorDim(permutation[i]));
    outs.push_back({tensorDim(i), layout.outBits(order.back())});
  }
  return layout.transposeOuts(order).reshapeOuts(std::move(outs));
}

LinearLayout reshapeDims(const LinearLayout &layout, std::span<const int32_t> shape) {
  // Row-major order has the last axis fastest; the algebra has the first.
  std::vector<Dim> reversed = tensorDims(layout.outs().size());
  std::reverse(reversed.begin(), reversed.end());
  std::vector<DimBits> outs;
  for (unsigned i = unsigned(shape.size()); i-- > 0;)
    outs.push_back({tensorDim(i), log2Of(shape[i])});
  return layout.transposeOuts(reversed).reshapeOuts(std::move(outs)).transposeOuts(tensorDims(shape.size()));
}

} // namespace tegula
