#include "compiler/analysis/effects/KernelEffects.h"

#include "compiler/analysis/access/PointerRoot.h"
#include "compiler/analysis/effects/MemoryOrder.h"

using namespace mlir;

namespace tegula {

using tile::Interaction;

Value OpEffects::parameter() const { return access ? baseOfPointer(access.address) : Value(); }

bool OpEffects::mayAccess(Value base) const {
  if (!access)
    return false;
  Value accessed = parameter();
  return !accessed || accessed == base;
}

bool OpEffects::mayWrite(Value base) const {
  return does(Interaction::TouchesMemory) || (access.writes && mayAccess(base));
}

Value OpEffects::buffer() const {
  if (!shared.writes.empty())
    return shared.writes.front();
  return shared.reads.size() == 1 && !step.starts() ? shared.reads.front() : Value();
}

OpEffects effectsOf(Operation *op) {
  OpEffects effects{tile::globalAccessOf(op), tile::interactionsOf(op), tile::asyncStepOf(op),
                    tgpu::sharedUseOf(op)};
  if (isa<scf::WhileOp>(op)) // a `for` ends whatever others do
    effects.interactions |= Interaction::AwaitsPrograms;
  return effects;
}

bool seesOthers(Operation *op) {
  const OpEffects effects = effectsOf(op);
  return effects.access.isAtomic() || effects.access.isVolatile || effects.interactions != Interaction::None;
}

static bool hasAny(const OpEffects &effects) {
  return effects.access || effects.interactions != Interaction::None ||
         effects.step.role != tile::AsyncStep::None || effects.shared.allocates ||
         !effects.shared.reads.empty() || !effects.shared.writes.empty();
}

KernelEffects::KernelEffects(Operation *root) {
  root->walk([&](Operation *op) {
    if (OpEffects effects = effectsOf(op); hasAny(effects))
      known.insert({op, std::move(effects)});
  });
}

const OpEffects &KernelEffects::of(Operation *op) const {
  static const OpEffects none;
  auto found = known.find(op);
  return found == known.end() ? none : found->second;
}

bool KernelEffects::isWrittenBefore(Operation *load, Value base) const {
  return !isConstantData(base) && llvm::any_of(known, [&](const auto &entry) {
    return entry.second.mayWrite(base) && mayFollow(load, entry.first);
  });
}

bool KernelEffects::isAccessedExceptBy(Operation *store, Value base) const {
  return llvm::any_of(known, [&](const auto &entry) {
    return entry.first != store && entry.second.mayAccess(base) && !areExclusive(store, entry.first);
  });
}

bool KernelEffects::mayWait(Operation *op, const OpEffects &effects) const {
  // If no op reads the old value, no program waits for it to change.
  const bool mayAcquire = effects.access.includes(tile::MemoryOrder::Acquire) &&
                          (orders(op, tile::MemoryOrder::Acquire) || !op->use_empty());
  const bool mayGoRound =
      effects.access.reads && !effects.step.starts() && op->getParentOfType<scf::WhileOp>();
  return mayAcquire || mayGoRound || effects.does(Interaction::AwaitsLaunches);
}

Operation *KernelEffects::waitBefore(Operation *op) const {
  Operation *found = nullptr;
  for (const auto &[other, effects] : known)
    if (mayWait(other, effects) && mayFollow(op, other))
      found = other;
  return found;
}

Decision<> KernelEffects::mayReadByUnit(Operation *load) const {
  Decision<> decision;
  if (isConstantData(of(load).parameter()))
    return decision;
  for (const auto &[op, effects] : known) {
    if (!mayFollow(load, op))
      continue;
    // Each thread may have waited for something else.
    const bool mayDiffer = effects.access.includes(tile::MemoryOrder::Acquire) &&
                           !orders(op, tile::MemoryOrder::Acquire) && !op->use_empty();
    if (mayDiffer || effects.access.isVolatile)
      decision = because(op, "the kernel waits for what other programs write")
                     .fixedBy("wait by a scalar atomic op with `sem=\"acquire\"`, or annotate the parameter "
                              "`tl.const` where nothing writes the array");
    else if (effects.does(Interaction::PublishesWrites))
      decision =
          because(op, "a barrier precedes it, after which it may read what threads have written")
              .fixedBy(
                  "annotate the parameter `tl.const`, where nothing writes the array while the kernel runs");
  }
  return decision;
}

Decision<> KernelEffects::mayStoreLater(Operation *store) const {
  Decision<> decision;
  for (const auto &[op, effects] : known) {
    if (effects.does(Interaction::AwaitsLaunches))
      decision = because(op, "other launches may wait for what the kernel writes").nothingToDo();
    if (!mayFollow(op, store))
      continue;
    if (effects.access.isAtomic())
      decision =
          because(op, "the kernel has atomic ops, by which others may know what is written").nothingToDo();
    else if (effects.does(Interaction::PublishesWrites))
      decision =
          because(op, "the kernel has a barrier, behind which others may read what is written").nothingToDo();
    else if (effects.does(Interaction::TouchesMemory))
      decision =
          because(op, "the kernel has PTX by hand or a library's function, which may read what is written")
              .nothingToDo();
    else if (effects.does(Interaction::AwaitsPrograms) || effects.access.isVolatile)
      decision = because(op, "the kernel may wait for other programs").nothingToDo();
  }
  return decision;
}

Decision<> KernelEffects::areProgramsIndependent() const {
  Decision<> decision;
  for (const auto &[op, effects] : known) {
    if (effects.access.isAtomic())
      decision = because(op, "programs reach others by atomic ops").nothingToDo();
    else if (effects.does(Interaction::AwaitsPrograms))
      decision = because(op, "a `while` may wait for other programs").nothingToDo();
    else if (effects.does(Interaction::AsksDevice | Interaction::PublishesWrites))
      decision = because(op, "it asks for things of the device itself").nothingToDo();
    else if (effects.does(Interaction::Prints))
      decision = because(op, "what programs print would come in another order").nothingToDo();
  }
  return decision;
}

Decision<> KernelEffects::mayRunAhead(Operation *loop) const {
  Decision<> decision;
  for (const auto &[op, effects] : known)
    if (mayWait(op, effects) && loop->isAncestor(op))
      decision =
          because(op, "the program may wait for others within the loop").fixedBy("wait before the loop");
  return decision;
}

} // namespace tegula
