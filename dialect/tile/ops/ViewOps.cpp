// Effects and verifiers of the ops on views of memory.
#include "dialect/tile/Tile.h"

using namespace mlir;
using namespace tegula::tile;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

LogicalResult ViewOp::verify() {
  const size_t rank = getType().getRank();
  // (view_c1)
  if (getSizes().size() != rank || getStrides().size() != rank)
    return emitOpError() << "expected " << rank << " sizes and strides, found " << getSizes().size()
                         << " and " << getStrides().size();
  // (view_c2)
  if (Type pointee = cast<PtrType>(getBase().getType()).getPointee(); pointee != getType().getElement())
    return emitOpError() << "expected a pointer to " << getType().getElement() << ", found one to "
                         << pointee;
  return success();
}

LogicalResult ViewBaseOp::verify() {
  // (view_base_c1)
  if (Type element = cast<ViewType>(getView().getType()).getElement();
      cast<PtrType>(getResult().getType()).getPointee() != element)
    return emitOpError() << "expected a pointer to " << element << ", found " << getResult().getType();
  return success();
}

/// Checks what is the same of loads and stores: `block` is the tensor read or written.
template <typename Op> static LogicalResult verifyAccess(Op op, Type block, ArrayRef<CacheModifier> allowed) {
  auto view = cast<ViewType>(op.getView().getType());
  auto tensor = cast<RankedTensorType>(block);
  // (view_load_c1, view_store_c1)
  if (op.getStart().size() != view.getRank() || tensor.getRank() != int64_t(view.getRank()))
    return op.emitOpError() << "expected " << view.getRank() << " coordinates and a tensor of as many axes, "
                            << "found " << op.getStart().size() << " and " << tensor;
  // (view_load_c2, view_store_c2)
  if (tensor.getElementType() != view.getElement())
    return op.emitOpError() << "expected elements of type " << view.getElement() << ", found "
                            << tensor.getElementType();
  // (view_load_c3, view_store_c3)
  int32_t least = 0;
  for (int32_t axis : op.getChecked()) {
    if (axis < least || axis >= int32_t(view.getRank()))
      return op.emitOpError() << "expected axes from 0 to " << view.getRank() - 1
                              << " in order and each once, found [" << op.getChecked() << "]";
    least = axis + 1;
  }
  // (view_load_c5, view_store_c4)
  if (!llvm::is_contained(allowed, op.getCache()))
    return op.emitOpError() << "expected a cache modifier of this kind of access, found `"
                            << stringifyCacheModifier(op.getCache()) << "`";
  // (view_load_c6, view_store_c5)
  if (layoutOf(tensor))
    return op.emitOpError() << "expected a tensor without a layout, found " << tensor;
  return success();
}

LogicalResult ViewLoadOp::verify() {
  using enum CacheModifier;
  // (view_load_c4)
  if (getPadding() == Padding::NaN && !isa<FloatType>(getType().getElementType()))
    return emitOpError() << "expected floats where padding is `nan`, found " << getType().getElementType();
  return verifyAccess(*this, getType(), {None, CA, CG, CS, CV});
}

LogicalResult ViewStoreOp::verify() {
  using enum CacheModifier;
  return verifyAccess(*this, getValue().getType(), {None, WB, CG, CS, WT});
}

void ViewLoadOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getViewMutable(), SideEffects::DefaultResource::get());
  if (getIsVolatile()) // so that it is neither dropped nor merged with another
    effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable(), SideEffects::DefaultResource::get());
}

GlobalAccess ViewLoadOp::getGlobalAccess() {
  return {.address = getView(), .reads = true, .isVolatile = getIsVolatile()};
}
GlobalAccess ViewStoreOp::getGlobalAccess() { return {.address = getView(), .writes = true}; }

void ViewStoreOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getViewMutable(), SideEffects::DefaultResource::get());
}
