// Verifiers of what is decided about loops.
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;

#include "dialect/tgpu/TgpuEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/tgpu/TgpuAttrs.cpp.inc"

void TgpuDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/tgpu/TgpuAttrs.cpp.inc"
      >();
}

LogicalResult FetchAttr::verify(function_ref<InFlightDiagnostic()> emitError, FetchKind, uint32_t stage,
                                uint32_t group) {
  // (fetch_c2)
  if (stage > MaxSlots || group > MaxSlots)
    return emitError() << "expected a stage and a group of at most " << MaxSlots << ", found "
                       << std::max(stage, group);
  return success();
}

LogicalResult PipelineAttr::verify(function_ref<InFlightDiagnostic()> emitError, uint32_t stages,
                                   PipelineBy) {
  // (pipeline_c2)
  if (stages < 2 || stages > MaxSlots)
    return emitError() << "expected 2 to " << MaxSlots << " stages, found " << stages;
  return success();
}

LogicalResult RolesAttr::verify(function_ref<InFlightDiagnostic()> emitError, uint32_t producers,
                                int32_t producerRegisters, int32_t consumerRegisters) {
  constexpr uint32_t MaxProducers = 4;
  // (roles_c2)
  if (producers < 1 || producers > MaxProducers)
    return emitError() << "expected 1 to " << MaxProducers << " producer warps, found " << producers;
  // (roles_c3)
  if ((producerRegisters == 0) != (consumerRegisters == 0))
    return emitError() << "expected registers of producers and of consumers, or none of them";
  return success();
}

LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError, uint32_t blocks) {
  constexpr uint32_t MaxBlocks = 32;
  // (grid_c2)
  if (blocks < 1 || blocks > MaxBlocks)
    return emitError() << "expected 1 to " << MaxBlocks << " blocks, found " << blocks;
  return success();
}

/// Returns whether `op` may have `value` as its `tgpu.fetch`.
static bool mayFetch(Operation *op, Attribute value) {
  auto fetch = dyn_cast<FetchAttr>(value);
  return fetch && isa<tile::LoadOp, TmaLoadOp>(op) && (fetch.getBy() == FetchKind::Tma) == isa<TmaLoadOp>(op);
}

LogicalResult TgpuDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  struct Rule {
    StringRef name, expected;
    bool holds;
  };
  Attribute value = attribute.getValue();
  const bool isKernel = op->hasAttr("tile.kernel");
  const Rule rules[] = {
      // (fetch_c1)
      {FetchAttr::AttrName, "`tgpu.fetch = #tgpu.fetch<...>` on a load, by `tma` on a `tgpu.tma_load` alone",
       mayFetch(op, value)},
      // (pipeline_c1)
      {PipelineAttr::AttrName, "`tgpu.pipeline = #tgpu.pipeline<...>` on an `scf.for`",
       isa<PipelineAttr>(value) && isa<scf::ForOp>(op)},
      // (overlap_c1)
      {OverlapAttr::AttrName, "`tgpu.overlap = #tgpu.overlap<...>` on a `tgpu.mma`",
       isa<OverlapAttr>(value) && isa<MmaOp>(op)},
      // (roles_c1)
      {RolesAttr::AttrName, "`tgpu.roles = #tgpu.roles<...>` on a kernel", isa<RolesAttr>(value) && isKernel},
      // (grid_c1)
      {GridAttr::AttrName, "`tgpu.grid = #tgpu.grid<...>` on a kernel", isa<GridAttr>(value) && isKernel},
  };
  for (const Rule &rule : rules)
    if (attribute.getName() == rule.name && !rule.holds)
      return op->emitError("expected ") << rule.expected;
  return success();
}

//===----------------------------------------------------------------------===//
// Loads that are yet to be pipelined
//===----------------------------------------------------------------------===//

TensorMapOp TmaLoadOp::getTensorMap() { return getMap().getDefiningOp<TensorMapOp>(); }

tile::GlobalAccess TmaLoadOp::getGlobalAccess() {
  return {.address = getTensorMap().getBase(), .reads = true};
}

void TmaLoadOp::getEffects(SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get(), &getBufferMutable(), SharedMemory::get());
}
