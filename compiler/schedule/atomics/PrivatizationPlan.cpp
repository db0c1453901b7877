#include "compiler/schedule/atomics/PrivatizationPlan.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/effects/MemoryOrder.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/analysis/resources/SharedMemory.h"
#include "compiler/schedule/plan/LoopNest.h"

#include "llvm/ADT/DenseSet.h"

#include <algorithm>
#include <limits>

using namespace mlir;

namespace tegula {

namespace {

/// The fewest elements of an op for which a block begins and ends a table.
constexpr int64_t FewestElements = 256;

/// Threads that are to share a multiprocessor: half of what most targets hold, so that a thread may have 64
/// registers and no block waits for another to end.
constexpr unsigned ThreadsPerMultiprocessor = 1024;

/// The shared memory of a kernel that is to have a table.
struct SharedWithTable {
  uint64_t bytes = 0;     ///< of a block
  uint64_t available = 0; ///< that a block has

  explicit SharedWithTable(func::FuncOp kernel) {
    Scratches scratches(kernel);
    SharedMemory memory(kernel, scratches, KernelOrder(kernel));
    // The table lives as long as the block, next to everything else.
    bytes = llvm::alignTo(memory.place(), Scratch().alignment) + uint64_t(TableElements) * 4;
    available = memory.available;
  }
};

/// Returns whether elements that are neighbours along some axis have neighbouring addresses.
bool areNeighboursApart(Value pointers, const AxisInfoAnalysis &facts) {
  const AxisInfo info = facts.of(pointers);
  for (unsigned axis = 0; axis < info.rank(); ++axis)
    if (info[axis].contiguity > 1)
      return true;
  return false;
}

/// Decides whether an op of the kernel other than its private atomics lets programs run one after the other,
/// in any order, and lets atomic ops be done at their end.
Decision<> mayStandNextTo(Operation *op, const OpEffects &effects) {
  using tile::Interaction;
  if (effects.access.isAtomic())
    return because(op, "another atomic op of the kernel may order memory")
        .fixedBy("use `sem=\"relaxed\"` where no order is meant");
  if (effects.access.isVolatile || effects.does(Interaction::AwaitsPrograms | Interaction::AwaitsLaunches))
    return because(op, "the kernel may wait for other programs").nothingToDo();
  if (effects.does(Interaction::SyncsThreads | Interaction::PublishesWrites))
    return because(op, "a barrier of the kernel orders memory").nothingToDo();
  if (effects.does(Interaction::TouchesMemory | Interaction::AsksDevice))
    return because(op, "it asks for things of the device itself").nothingToDo();
  if (effects.does(Interaction::Prints))
    return because(op, "what programs print would come in another order").nothingToDo();
  if (effects.shared.allocates || effects.step.role != tile::AsyncStep::None)
    return because(op, "it multiplies matrices").nothingToDo();
  return {};
}

/// Decides whether two atomic ops may change one table. A table stands for the same elements of memory to
/// both then, so that changes of one element come all at once or all in the order of the program.
Decision<> mayShareTable(PrivateAtomic a, PrivateAtomic b) {
  if (a.base != b.base)
    return because(b.op, "another atomic op counts elements from another pointer")
        .fixedBy("use one parameter plus offsets for all of them");
  if (a.op.getKind() != b.op.getKind() || a.op.getScope() != b.op.getScope())
    return because(b.op, "another atomic op may change the same memory in another way")
        .fixedBy("use one kind of atomic op for one array");
  if (a.op.getOrder() != tile::MemoryOrder::Relaxed || b.op.getOrder() != tile::MemoryOrder::Relaxed)
    return because(b.op, "another atomic op of the kernel may order memory")
        .fixedBy("use `sem=\"relaxed\"` where no order is meant");
  return {};
}

/// Decides whether a program accesses nothing that could tell whether `atomic` was done before.
Decision<> mayBeLast(PrivateAtomic atomic, const KernelEffects &effects,
                     const llvm::DenseSet<Operation *> &privates) {
  for (const auto &[op, what] : effects.all())
    if (what.access && !privates.contains(op) && mayFollow(op, atomic.op))
      return because(op, "an access follows it, which may be of the same memory")
          .fixedBy("load and store before the atomic op");
  return {};
}

} // namespace

Decision<PrivateAtomic> asPrivate(tile::AtomicRMWOp op, const AxisInfoAnalysis &facts) {
  auto type = cast<RankedTensorType>(op.getType());
  if (!op->use_empty())
    return because("its old values are used").nothingToDo();
  if (op.getKind() == tile::AtomicKind::FAdd)
    return because("sums of floats depend on how they are added up")
        .fixedBy("count in 32-bit integers, where that is enough");
  if (op.getKind() == tile::AtomicKind::Exchange || !type.getElementType().isInteger(32))
    return because("shared memory has no such operation on {0} bits", type.getElementTypeBitWidth())
        .fixedBy("count in 32-bit integers, where that is enough");
  if (op.getScope() == tile::MemoryScope::System)
    return because("the host may watch it").fixedBy("use `scope=\"gpu\"`");
  if (type.getNumElements() < FewestElements)
    return because("it has {0} elements, expected at least {1}", type.getNumElements(), FewestElements)
        .fixedBy("use a larger block");
  auto step = op.getPointer().getDefiningOp<tile::AddPtrOp>();
  auto whole = step ? step.getPointer().getDefiningOp<tile::SplatOp>() : tile::SplatOp();
  if (!whole || !isSameForAllPrograms(whole.getSource()))
    return because("its elements are counted from no pointer that all programs have in common")
        .fixedBy("use a parameter plus an offset, with what tells programs apart in the offset");
  if (areNeighboursApart(op.getPointer(), facts))
    return because("neighbours have addresses of their own").nothingToDo();
  return PrivateAtomic{op, whole.getSource(), step.getOffset()};
}

Decision<> mayPrivatize(func::FuncOp kernel, ArrayRef<PrivateAtomic> atomics) {
  if (!mayUse(kernel, Feature::Persist))
    return because("the compilation is told to do without (`persist`)").fixedBy("drop `--without=persist`");
  if (runsInClusters(kernel))
    return because("a cluster runs each of its programs").nothingToDo();
  if (kernelOf(kernel).getPrograms() > 1)
    return because("several of its programs share a block").nothingToDo();
  llvm::DenseSet<Operation *> privates;
  for (const PrivateAtomic &atomic : atomics)
    privates.insert(atomic.op);
  if (const SharedWithTable memory(kernel); memory.bytes > memory.available)
    return because("there is no room for a table next to what else is in shared memory")
        .fixedBy("use smaller tiles");
  const KernelEffects effects(kernel);
  for (const auto &[op, what] : effects.all())
    if (!privates.contains(op))
      TRY(mayStandNextTo(op, what));
  Operation *loop = nullptr;
  kernel.walk([&](LoopLikeOpInterface found) { loop = found; });
  if (loop)
    return because(loop, "a loop makes its programs long")
        .fixedBy("give each program one block of values, and no loop");
  for (const PrivateAtomic &atomic : atomics) {
    TRY(mayBeLast(atomic, effects, privates));
    if (&atomic != &atomics.front())
      TRY(mayShareTable(atomics.front(), atomic));
  }
  return {};
}

unsigned blocksWithTables(func::FuncOp kernel) {
  unsigned blocks = std::max(1u, ThreadsPerMultiprocessor / (Target::warpSize * warpsOfBlock(kernel)));
  if (const Target *target = targetOf(kernel)) {
    const uint64_t each = SharedWithTable(kernel).bytes + target->reservedSharedPerBlock();
    blocks = std::min(blocks, unsigned(target->sharedPerMultiprocessor / each));
    blocks = std::clamp(blocks, 1u, target->maxBlocksPerMultiprocessor);
  }
  return blocks;
}

uint32_t neutralElement(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
  case tile::AtomicKind::Or:
  case tile::AtomicKind::Xor:
  case tile::AtomicKind::UMax:
    return 0;
  case tile::AtomicKind::And:
  case tile::AtomicKind::UMin:
    return ~0u;
  case tile::AtomicKind::Max:
    return uint32_t(std::numeric_limits<int32_t>::min());
  case tile::AtomicKind::Min:
    return uint32_t(std::numeric_limits<int32_t>::max());
  case tile::AtomicKind::FAdd:
  case tile::AtomicKind::Exchange:
    break;
  }
  llvm_unreachable("an operation without a neutral element");
}

} // namespace tegula
