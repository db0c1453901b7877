#include "compiler/plan/GatherPlan.h"

#include "dialect/layout/Layouts.h"
#include "dialect/layout/Places.h"

namespace tegula {

GatherPlan planGather(const LinearLayout &source, const LinearLayout &result, unsigned axis,
                      unsigned threadBits, unsigned elementBytes) {
  std::vector<int32_t> shape;
  for (const DimBits &out : source.outs())
    shape.push_back(out.size());
  const int32_t elements = int32_t(1) << source.totalOutBits();
  LinearLayout memory = reshapeDims(LinearLayout::identity1D(elements, Dim::Offset, tensorDim(0)), shape);
  GatherPlan plan;
  plan.store = planSharedAccess(memory, source, {}, threadBits, elementBytes, SharedMove::Vectors);
  plan.bytes = uint32_t(elements) * elementBytes;
  std::vector<uint32_t> strides(shape.size(), elementBytes);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * uint32_t(shape[dim]);
  plan.stride = strides[axis];
  plan.side = uint32_t(shape[axis]);
  auto elsewhere = [&](uint64_t position) {
    uint32_t offset = 0;
    for (const Coord &coord : result.unpackOut(position))
      if (coord.dim != tensorDim(axis))
        offset += uint32_t(coord.value) * strides[size_t(coord.dim) - size_t(Dim::Dim0)];
    return offset;
  };
  for (uint64_t position : registerPositions(result))
    plan.offsets.push_back(elsewhere(position));
  for (uint64_t column : threadColumns(result, threadBits))
    plan.threadOffsets.push_back(elsewhere(column));
  return plan;
}

} // namespace tegula
