#include "compiler/schedule/persist/LoadPressure.h"

#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/resources/RegisterCount.h"
#include "compiler/schedule/persist/Rematerialization.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace tegula {

namespace {

/// The registers of two vector accesses: of fewer there is nothing that could be waited for one after the
/// other.
constexpr uint32_t LeastLoaded = 8;

/// Returns the registers that loads of `block` fill and its ops take: what is loaded for the next iteration
/// is in flight meanwhile as it is.
uint32_t loadedIn(Block &block) {
  uint32_t loaded = 0;
  for (auto load : block.getOps<tile::LoadOp>())
    if (llvm::any_of(load->getUsers(),
                     [](Operation *user) { return !user->hasTrait<OpTrait::IsTerminator>(); }))
      loaded += registersOf(load.getResult());
  return loaded;
}

/// Returns the most registers that a reduction or scan of `block` takes besides what is loaded, which is
/// there as a whole; nothing where there is none.
std::optional<uint32_t> reducedIn(Block &block) {
  std::optional<uint32_t> most;
  for (Operation &op : block) {
    if (!isa<tile::ReduceOp, tile::ScanOp>(op))
      continue;
    uint32_t reduced = 0;
    for (Value operand : op.getOperands())
      reduced += operand.getDefiningOp<tile::LoadOp>() ? 0 : registersOf(operand);
    most = std::max(most.value_or(0), reduced);
  }
  return most;
}

uint32_t registersAround(scf::ForOp loop) {
  uint32_t registers = 0;
  llvm::SetVector<Value> before;
  getUsedValuesDefinedAbove(loop.getRegion(), before);
  for (Value value : before)
    if (!isIndexing(value))
      registers += registersOf(value);
  for (; loop; loop = loop->getParentOfType<scf::ForOp>())
    for (Value value : loop.getRegionIterArgs())
      registers += registersOf(value);
  return registers;
}

/// Returns whether `kernel` has ops that take registers of their own, which are not estimated here.
bool hasOthers(func::FuncOp kernel) {
  return anyOp(kernel, [](Operation *op) {
    return isa<tile::DotOp, tgpu::MmaOp>(op) || tile::globalAccessOf(op).isAtomic();
  });
}

} // namespace

LoadPressure loadPressureOf(func::FuncOp kernel) {
  LoadPressure pressure{0, hasLoops(kernel)};
  if (hasOthers(kernel))
    return pressure;
  if (!pressure.isInLoop) {
    const uint32_t loaded = loadedIn(kernel.getBody().front());
    pressure.registers = loaded < LeastLoaded ? 0 : loaded;
  }
  kernel.walk([&](scf::ForOp loop) {
    const uint32_t loaded = hasLoops(loop) ? 0 : loadedIn(*loop.getBody());
    if (loaded < LeastLoaded)
      return;
    const std::optional<uint32_t> reduced = reducedIn(*loop.getBody());
    pressure.registers = std::max(pressure.registers, loaded + reduced.value_or(0) + registersAround(loop));
    pressure.reduces |= reduced.has_value();
  });
  return pressure;
}

} // namespace tegula
