#include "compiler/debug/Atomics.h"

#include "dialect/tile/Tile.h"

using namespace mlir;

namespace tegula::debug {

StoreKind storeKindOf(Operation *op) {
  if (isa<tile::AtomicCASOp>(op))
    return StoreKind::Swap;
  auto atomic = dyn_cast<tile::AtomicRMWOp>(op);
  if (!atomic)
    return StoreKind::Store;
  switch (atomic.getKind()) {
  case tile::AtomicKind::Add:
  case tile::AtomicKind::FAdd:
    return StoreKind::Add;
  case tile::AtomicKind::And:
    return StoreKind::And;
  case tile::AtomicKind::Or:
    return StoreKind::Or;
  case tile::AtomicKind::Xor:
    return StoreKind::Xor;
  case tile::AtomicKind::Max:
    return StoreKind::Max;
  case tile::AtomicKind::Min:
    return StoreKind::Min;
  case tile::AtomicKind::UMax:
    return StoreKind::UMax;
  case tile::AtomicKind::UMin:
    return StoreKind::UMin;
  case tile::AtomicKind::Exchange:
    return StoreKind::Store;
  }
  return StoreKind::Store;
}

void forOperands(const interp::Moment &moment,
                 llvm::function_ref<void(uint64_t address, uint32_t bytes, uint64_t operand)> body) {
  auto op = cast<tile::AtomicRMWOp>(moment.op());
  const interp::Tensor &pointer = moment.operand(0), &value = moment.operand(1);
  const interp::Tensor *mask = op.getMask() ? &moment.operand(2) : nullptr;
  const uint32_t bytes = interp::Element(value.type).bytes();
  for (size_t i = 0; i < value.size(); ++i)
    if (!mask || mask->bits[i])
      body(pointer.bits[i], bytes, value.bits[i]);
}

void forLoaded(const interp::Moment &moment, llvm::function_ref<void(uint64_t address)> body) {
  auto load = dyn_cast<tile::LoadOp>(moment.op());
  if (!load)
    return;
  const interp::Tensor &pointer = moment.operand(0);
  const interp::Tensor *mask = load.getMask() ? &moment.operand(1) : nullptr;
  for (size_t i = 0; i < pointer.size(); ++i)
    if (!pointer.isUndefined(i) && (!mask || mask->bits[i]))
      body(pointer.bits[i]);
}

bool isAtomic(Operation *op) { return isa<tile::AtomicRMWOp, tile::AtomicCASOp>(op); }

} // namespace tegula::debug
