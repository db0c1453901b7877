#include "compiler/lower/memory/GlobalHazards.h"

#include "compiler/plan/AccessPlan.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace tegula {

bool PastAccesses::join(const PastAccesses &other) {
  bool grew = false;
  for (const auto &[parameter, theirs] : other.byParameter) {
    OfParameter &ours = byParameter[parameter];
    for (PastAccess access : theirs.reads)
      grew |= ours.reads.insert(access);
    for (PastAccess access : theirs.writes)
      grew |= ours.writes.insert(access);
  }
  return grew;
}

GlobalHazards::Use GlobalHazards::of(Operation *op) {
  auto [place, isNew] = known.try_emplace(op);
  Use &use = place->second;
  if (!isNew)
    return use;
  const OpEffects &effect = effects.of(op);
  if (!effect.access)
    return use;
  const bool isUpdate = effect.access.isAtomic() && effect.access.reads && effect.access.writes;
  use.kind = isUpdate ? Kind::Update : effect.access.writes ? Kind::Write : Kind::Read;
  use.parameter = effect.parameter();
  use.pointer = effect.access.address;
  use.isShared = effect.step.starts();
  if (use.kind == Kind::Read && !use.isShared && !effect.access.isAtomic()) {
    // The lanes of one warp go together.
    tile::LayoutAttr layout = tile::layoutOf(use.pointer.getType());
    use.isShared =
        !layout || planAccess(layout.getLayout(), executors.of(op).threadBits(), {}, 8).copyBits >> LaneBits;
  }
  return use;
}

/// Ops that are compared at most to tell whether two tensors are one except the layout.
static constexpr unsigned MaxCompared = 128;

/// Returns whether both are computed alike, so that elements are the same in whatever threads.
static bool isSameButForLayout(Value a, Value b, unsigned &compared) {
  auto withoutLayout = [](Type type) {
    return isa<RankedTensorType>(type) ? Type(tile::withLayout(type, {})) : type;
  };
  auto withoutConversions = [](Value value) {
    while (auto conversion = value.getDefiningOp<tile::ConvertLayoutOp>())
      value = conversion.getSource();
    return value;
  };
  a = withoutConversions(a), b = withoutConversions(b);
  if (a == b)
    return true;
  Operation *one = a.getDefiningOp(), *other = b.getDefiningOp();
  if (!one || !other || ++compared > MaxCompared || one->getName() != other->getName() ||
      one->getNumRegions() != 0 || one->getNumResults() != 1 || other->getNumResults() != 1 ||
      !isMemoryEffectFree(one) || withoutLayout(a.getType()) != withoutLayout(b.getType()))
    return false;
  // The value of a constant has its layout in it.
  DenseElementsAttr constant, otherConstant;
  if (matchPattern(one, m_Constant(&constant)) && matchPattern(other, m_Constant(&otherConstant)))
    return constant.isSplat() && otherConstant.isSplat() &&
           constant.getSplatValue<Attribute>() == otherConstant.getSplatValue<Attribute>();
  return one->getAttrDictionary() == other->getAttrDictionary() &&
         one->getNumOperands() == other->getNumOperands() &&
         llvm::all_of(llvm::zip(one->getOperands(), other->getOperands()), [&](auto pair) {
           return isSameButForLayout(std::get<0>(pair), std::get<1>(pair), compared);
         });
}

bool GlobalHazards::conflict(const Use &use, PastAccess past) {
  Use before = of(past.getPointer());
  if (use.parameter && before.parameter && use.parameter != before.parameter)
    return false;
  if (use.kind == before.kind) {
    // The later of two stores to the same elements counts, whichever threads have them.
    unsigned compared = 0;
    return use.kind == Kind::Write && !use.isShared && !before.isShared && !past.getInt() &&
           tile::layoutOf(use.pointer.getType()) != tile::layoutOf(before.pointer.getType()) &&
           isSameButForLayout(use.pointer, before.pointer, compared);
  }
  bool isRead = use.kind == Kind::Read || before.kind == Kind::Read;
  // One thread stores a scalar, and the same one is atomic on it.
  const bool isByOne = !isRead || (!use.isShared && !before.isShared);
  if (isByOne && !isa<ShapedType>(use.pointer.getType()) && !isa<ShapedType>(before.pointer.getType()))
    return false;
  return use.pointer != before.pointer || past.getInt() || use.isShared || before.isShared;
}

bool GlobalHazards::hasHazard(Operation *op, const PastAccesses &past) {
  Use use = of(op);
  if (use.kind == Kind::None)
    return false;
  auto conflicts = [&](PastAccess access) { return conflict(use, access); };
  for (const auto &[parameter, accesses] : past.byParameter) {
    if (parameter && use.parameter && parameter != use.parameter)
      continue;
    if (llvm::any_of(accesses.writes, conflicts) ||
        (use.kind != Kind::Read && llvm::any_of(accesses.reads, conflicts)))
      return true;
  }
  return false;
}

bool GlobalHazards::hasHazard(Operation *op, Operation *copy) {
  Use use = of(op);
  return use.kind != Kind::None && conflict(use, PastAccess(copy, false));
}

void GlobalHazards::add(Operation *op, PastAccesses &past) {
  Use use = of(op);
  // It is not known when a copy has read; the op that waits for it makes it past.
  if (use.kind == Kind::None || (use.kind == Kind::Read && effects.of(op).step.starts()))
    return;
  PastAccesses::OfParameter &accesses = past.byParameter[use.parameter];
  (use.kind == Kind::Read ? accesses.reads : accesses.writes).insert(PastAccess(op, false));
}

PastAccesses GlobalHazards::acrossBackEdge(Operation *loop, const PastAccesses &past) {
  auto aged = [&](PastAccess access) {
    Operation *computedIn = of(access.getPointer()).pointer.getParentRegion()->getParentOp();
    return PastAccess(access.getPointer(), access.getInt() || loop->isAncestor(computedIn));
  };
  PastAccesses result;
  for (const auto &[parameter, accesses] : past.byParameter) {
    PastAccesses::OfParameter &later = result.byParameter[parameter];
    for (PastAccess access : accesses.reads)
      later.reads.insert(aged(access));
    for (PastAccess access : accesses.writes)
      later.writes.insert(aged(access));
  }
  return result;
}

} // namespace tegula
