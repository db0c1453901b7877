// Verifiers and effects of producer warps.
#include "dialect/layout/Fragments.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;
using tile::AsyncKind, tile::AsyncStep;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// The numbers of registers that `setmaxnreg` takes.
static constexpr int32_t LeastRegisters = 24, MostRegisters = 256, RegisterStep = 8;

/// Returns whether `op` may be in the body of a `tgpu.producer`.
static bool isOfProducer(Operation *op) {
  if (isa<TmaCopyOp, BarrierExpectOp, BarrierWaitOp, GlobalFenceOp>(op))
    return true;
  bool isScalar = llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType, InFlightType>);
  return isScalar && (isa<scf::ForOp, scf::IfOp, scf::YieldOp>(op) || isMemoryEffectFree(op));
}

/// Returns whether all warps may execute `op`, those of the producer too.
static bool isOfAll(Operation *op) {
  if (isa<BarriersInitOp, BarriersOp, AllocOp, ClusterBarrierOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isMemoryEffectFree(op) &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType, InFlightType>);
}

LogicalResult ProducerOp::verify() {
  // (producer_c1)
  if (!isa<FunctionOpInterface>((*this)->getParentOp()))
    return emitOpError("expected to stand outside of loops and branches");
  for (Operation *op = (*this)->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<ProducerOp>(op))
      return emitOpError("expected one in a kernel, found a second");
    // (producer_c5)
    if (!isOfAll(op))
      return emitOpError() << "expected nothing in front of it that not all warps may execute, found `"
                           << op->getName() << "`";
  }
  // (producer_c2)
  if (getWarps() < 1 || getWarps() > uint32_t(WarpsOfGroup) ||
      (getRegisters() && getWarps() != uint32_t(WarpsOfGroup)))
    return emitOpError() << "expected 1 to " << WarpsOfGroup << " warps, and " << WarpsOfGroup
                         << " where registers are handed over, found " << getWarps();
  // (producer_c3)
  if (std::optional<ArrayRef<int32_t>> registers = getRegisters()) {
    auto isWrong = [](int32_t count) {
      return count < LeastRegisters || count > MostRegisters || count % RegisterStep != 0;
    };
    if (registers->size() != 2 || llvm::any_of(*registers, isWrong) || (*registers)[0] >= (*registers)[1])
      return emitOpError() << "expected two numbers of registers, multiples of " << RegisterStep << " from "
                           << LeastRegisters << " to " << MostRegisters << ", the first below the second";
  }
  // (producer_c4)
  Operation *wrong = nullptr;
  getBody().walk([&](Operation *op) {
    if (!isOfProducer(op))
      wrong = wrong ? wrong : op;
  });
  if (wrong)
    return emitOpError() << "expected scalars, loops, branches, TMA copies and waits in it, found `"
                         << wrong->getName() << "`";
  return success();
}

void BarrierArriveOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), CopyGroups::get());
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}

AsyncStep BarrierArriveOp::getAsyncStep() { return {AsyncStep::Frees, AsyncKind::TmaLoad}; }
