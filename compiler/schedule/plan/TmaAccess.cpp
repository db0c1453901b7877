#include "compiler/schedule/plan/TmaAccess.h"

#include "compiler/analysis/access/FactCauses.h"
#include "compiler/analysis/access/MemoryAccess.h"
#include "dialect/layout/TmaLimits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <functional>
#include <limits>

using namespace mlir;

namespace tegula {

void TmaAccess::markAxesInFront(tgpu::TmaLoadOp load) const {
  SmallVector<int32_t> axes;
  for (auto [place, axis] : llvm::enumerate(order))
    if (box.axes[axis].isBoundedInFront)
      axes.push_back(int32_t(place));
  if (!axes.empty())
    load->setAttr(InFrontAttrName, DenseI32ArrayAttr::get(load.getContext(), axes));
}

static Reason whyNotAligned(const Box &box, const BoxAxis &contiguous, int64_t elements) {
  Reason why = because("a stride is not known to be a multiple of 16 bytes")
                   .fixedBy("pad rows to a multiple of 16 bytes");
  for (const BoxAxis &axis : box.axes)
    if (&axis != &contiguous && axis.stride.parameter && divisibilityOf(axis.stride) % elements != 0)
      why.causes.push_back(
          causeAt(axis.stride.parameter, "is not known to be a multiple of " + Twine(elements)));
  return why;
}

static Reason whyNotContiguous(const BoxAxis &rows) {
  Reason why = because("its rows are not known to be contiguous")
                   .fixedBy("pass 1 as the innermost stride, or make it a `tl.constexpr`");
  if (rows.stride.parameter)
    why.causes.push_back(causeAt(rows.stride.parameter, "is not known to be 1"));
  return why;
}

Decision<SmallVector<unsigned, 5>> mapOrderOf(const Box &box, const TmaBoxes &boxes, unsigned elementBytes) {
  if (divisibilityOf(LaunchValue{box.base}) % tma::AlignedBytes != 0)
    return because("its array is not known to begin at a multiple of 16 bytes")
        .fixedBy("pass an array that begins at a multiple of 16 bytes")
        .causedBy(causeAt(box.base, "is not known to begin at a multiple of 16 bytes"));
  const int64_t aligned = tma::AlignedBytes / elementBytes;
  SmallVector<unsigned, 5> order{boxes.contiguous, 1 - boxes.contiguous};
  for (unsigned axis = 2; axis < box.axes.size(); ++axis)
    order.push_back(axis);
  if (order.size() > tma::MaxAxes)
    return because("it has more than five axes").fixedBy("merge axes that are contiguous in memory");
  const BoxAxis &rows = box.axes[order[0]];
  const BoxAxis *inArray =
      rows.isContiguous() ? &rows : llvm::find_if(box.axes, std::mem_fn(&BoxAxis::isContiguous));
  // First what is so in the array: threads lay rows out otherwise where the engine could not bring them.
  if (inArray != box.axes.end() && !box.areStridesAligned(*inArray, aligned))
    return whyNotAligned(box, *inArray, aligned);
  if (inArray != &rows)
    return whyNotContiguous(rows);
  // The engine takes a row that begins anywhere else for an illegal instruction (H200).
  if (rows.multiple % aligned != 0)
    return because("where its rows begin is not known to be a multiple of 16 bytes")
        .fixedBy("begin tiles at multiples of 16 bytes: no other run-time offset in the pointer");
  return order;
}

Decision<TmaAccess> tmaAccessOf(tile::LoadOp load, tgpu::AllocOp buffer, const KernelEffects &effects) {
  tgpu::BufferType type = buffer.getType();
  std::optional<TmaBoxes> boxes = type.getShape().size() == 2
                                      ? asTmaBoxes(type.getLayout().getLayout(), type.getElementBytes())
                                      : std::nullopt;
  if (!boxes)
    return because("its buffer is laid out for threads to read").nothingToDo();
  if (!isCopyable(load))
    return because("it is volatile, or gives anything but zero where its mask does not hold")
        .fixedBy("use `other=0`, or no `other` at all");
  Box box = TRY(boxOf(load));
  SmallVector<unsigned, 5> order = TRY(mapOrderOf(box, *boxes, type.getElementBytes()));
  TRY(effects.mayReadByUnit(load));
  if (effects.isWrittenBefore(load, box.base))
    return because("the kernel writes to its array, or to an unknown one")
        .fixedBy("pass input and output as two parameters");
  return TmaAccess{std::move(box), std::move(order), std::move(*boxes)};
}

Value createTensorMap(OpBuilder &builder, Location loc, func::FuncOp kernel, const TmaAccess &source) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  auto valueOf = [&](const LaunchValue &number) -> Value {
    return number.parameter ? number.parameter
                            : arith::ConstantIntOp::create(builder, loc, number.constant, 64).getResult();
  };
  SmallVector<Value> sizes, strides;
  SmallVector<int32_t> box;
  for (auto [place, axis] : llvm::enumerate(source.order)) {
    const BoxAxis &from = source.box.axes[axis];
    // The author promises that elements which no mask bounds exist.
    sizes.push_back(valueOf(from.size.value_or(LaunchValue{{}, std::numeric_limits<int32_t>::max()})));
    if (place > 0)
      strides.push_back(valueOf(from.stride));
    box.push_back(place == 0 ? source.boxes.inner : place == 1 ? source.boxes.outer : 1);
  }
  return tgpu::TensorMapOp::create(builder, loc, tgpu::MapType::get(builder.getContext()), source.box.base,
                                   sizes, strides, builder.getDenseI32ArrayAttr(box),
                                   builder.getI32IntegerAttr(int32_t(source.boxes.span)));
}

} // namespace tegula
