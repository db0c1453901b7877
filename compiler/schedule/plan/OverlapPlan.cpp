#include "compiler/schedule/plan/OverlapPlan.h"

#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/effects/MemoryOrder.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <map>

using namespace mlir;

namespace tegula {

namespace {

bool isArithmetic(Operation *op) {
  return isa<tgpu::MmaBeginOp>(op) ||
         (!op->hasTrait<OpTrait::IsTerminator>() && op->getNumRegions() == 0 && isPure(op));
}

class Finder {
public:
  Finder(scf::ForOp loop, llvm::function_ref<bool(Operation *)> isGone) : loop(loop), isGone(isGone) {}

  std::optional<OverlappedProducts> find() {
    const bool isLate = findProducts() && findSums() && findFollowing() && maySwap();
    return isLate ? std::optional(found) : std::nullopt;
  }

private:
  bool findProducts() {
    const SmallVector<tgpu::MmaOp> products = opsOf<tgpu::MmaOp>(loop);
    if (products.size() != 2)
      return false;
    for (tgpu::MmaOp product : products)
      if (product->getBlock() != loop.getBody() || !waitOf(product))
        return false;
    found.early = products[0], found.late = products[1];
    found.earlyWait = waitOf(found.early), found.lateWait = waitOf(found.late);
    return found.earlyWait->isBeforeInBlock(found.late) && !found.late.getBufferA();
  }

  /// The late sums are carried, by way of `mma_begin` and back.
  bool findSums() {
    Value sums = found.lateWait.getResult(0);
    auto begin = found.late.getSums() ? found.late.getSums().getDefiningOp<tgpu::MmaBeginOp>() : nullptr;
    if (!begin || begin->getBlock() != loop.getBody() || !sums.hasOneUse() ||
        *sums.getUsers().begin() != loop.getBody()->getTerminator())
      return false;
    found.position = sums.getUses().begin()->getOperandNumber();
    return true;
  }

  /// Finds what follows from the carried sums: it must serve the overlapped product alone, and be arithmetic
  /// alone.
  bool findFollowing() {
    Operation *begin = found.late.getSums().getDefiningOp();
    SetVector<Operation *> reached;
    auto addUsers = [&](Value value) {
      for (Operation *user : value.getUsers())
        reached.insert(user);
    };
    addUsers(loop.getRegionIterArg(found.position));
    for (unsigned i = 0; i < reached.size(); ++i) {
      Operation *op = reached[i];
      if (op == begin)
        continue;
      if (op->getBlock() != loop.getBody() || !isArithmetic(op))
        return false;
      for (Value result : op->getResults())
        addUsers(result);
    }
    for (Operation *op : reached)
      if (op != begin)
        found.behind.insert(op);
    // The last step to the operand, which packs it: the unit reads the registers of the one before.
    Operation *operand = found.late.getA().getDefiningOp();
    if (!operand || operand->getBlock() != loop.getBody() || !isArithmetic(operand) ||
        !found.late.getA().hasOneUse())
      return false;
    found.behind.insert(operand);
    return true;
  }

  /// Returns whether nothing else in the loop depends on when the overlapped product is computed.
  bool maySwap() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (isa<tgpu::MmaBeginOp, tgpu::MmaOp, tgpu::MmaWaitOp>(op))
        continue;
      if (isMemoryEffectFree(&op) || isa<tile::LoadOp>(op) || isGone(&op))
        continue;
      return false;
    }
    return true;
  }

  scf::ForOp loop;
  llvm::function_ref<bool(Operation *)> isGone;
  OverlappedProducts found;
};

} // namespace

tgpu::MmaWaitOp waitOf(tgpu::MmaOp product) {
  auto wait = dyn_cast<tgpu::MmaWaitOp>(*product->getUsers().begin());
  const bool isPlain = wait && wait->getBlock() == product->getBlock() && wait.getPending() == 0 &&
                       wait.getSums().size() == 1 && wait.getHeld().empty() &&
                       isa<RankedTensorType>(wait.getResult(0).getType());
  return isPlain ? wait : tgpu::MmaWaitOp();
}

std::optional<OverlappedProducts> findOverlappedProducts(scf::ForOp loop,
                                                         llvm::function_ref<bool(Operation *)> isGone) {
  return Finder(loop, isGone).find();
}

bool isLateBehindEarly(const OverlappedProducts &products, scf::ForOp loop) {
  tgpu::MmaWaitOp early = products.earlyWait;
  return llvm::all_of(loop.getRegionIterArg(products.position).getUsers(),
                      [&](Operation *user) { return comesAfter(user, early); });
}

/// Finds the products of a loop whose loads are made by `plan`.
static std::optional<OverlappedProducts> findOverlapped(scf::ForOp loop, const PrefetchPlan &plan) {
  if (!plan.inFlight.empty())
    return std::nullopt;
  return findOverlappedProducts(loop, [&](Operation *op) {
    return llvm::any_of(plan.loads, [&](const PlannedLoad &planned) { return planned.store == op; });
  });
}

tgpu::MmaOp productForNextWait(scf::ForOp loop, const PrefetchPlan &plan) {
  std::optional<OverlappedProducts> found = findOverlapped(loop, plan);
  // Where the early product begins with other sums, a bias, their registers are written while the late one is
  // pending: ptxas waits for all products there.
  if (!found || !isLateBehindEarly(*found, loop) || found->early.getSums())
    return {};
  // Slots are filled again behind the wait. Threads that copy would wait for each other there, as they do
  // before they read: attention of 64 by 128 with heads of 64 has 0.88 of its rate then (H200).
  const bool isByTma = llvm::any_of(plan.loads, [&](const PlannedLoad &planned) {
    return planned.by == tgpu::FetchKind::Tma && planned.buffer == found->late.getB().getDefiningOp();
  });
  return isByTma ? found->late : tgpu::MmaOp();
}

tgpu::MmaOp productForNextIteration(scf::ForOp loop, const PrefetchPlan &plan) {
  std::optional<OverlappedProducts> found = findOverlapped(loop, plan);
  if (!found)
    return {};
  // Each is alone in reading what it waits for.
  std::map<unsigned, SmallVector<Operation *>> readers;
  for (const PlannedLoad &planned : plan.loads)
    for (const tgpu::BufferRead &read : tgpu::readsOf(tgpu::AllocOp(planned.buffer)))
      readers[planned.group].push_back(read.op);
  if (readers.size() != 2)
    return {};
  auto isAlone = [](ArrayRef<Operation *> ops, Operation *product) {
    return llvm::all_of(ops, [&](Operation *op) { return op == product; });
  };
  const bool isEach =
      llvm::any_of(readers, [&](auto &group) { return isAlone(group.second, found->early); }) &&
      llvm::any_of(readers, [&](auto &group) { return isAlone(group.second, found->late); });
  return isEach ? found->late : tgpu::MmaOp();
}

} // namespace tegula
