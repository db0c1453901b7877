#include "compiler/analysis/VerifyStage.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/Passes.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/target/Target.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/LayoutInference.h"
#include "dialect/tile/NameOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tegula;

namespace tegula {
#define GEN_PASS_DEF_VERIFYSTAGEPASS
#include "compiler/analysis/Passes.h.inc"
} // namespace tegula

namespace {

/// A broken pass usually breaks a promise everywhere; a few places are enough to see it.
constexpr unsigned MaxErrors = 8;

StringRef nameOf(VerifiedStage stage) {
  constexpr llvm::StringLiteral names[] = {"tile", "distributed", "scheduled", "llvm"};
  return names[unsigned(stage)];
}

/// One check of one module.
class Verifier {
public:
  Verifier(ModuleOp module, VerifiedStage stage) : module(module), stage(stage) {}

  LogicalResult run();

private:
  void verifyTarget();
  void verifyTileKernel();
  void verifyLlvmKernel();
  void verifyShared();
  void verifyTileOp(Operation *op);
  void verifyType(Operation *op, Type type, const Executor &executor);
  void verifyLayout(Operation *op, RankedTensorType type, const Executor &executor);
  void verifyOneLayout(Operation *op);
  void verifyAttributes(Operation *op);
  void verifyUnit(tile::DotOp dot);
  void verifyCopy(tgpu::AsyncCopyOp copy);
  void verifyRead(Operation *read, Value buffer);
  void verifyProduct(tgpu::MmaOp product);
  void verifyInFlight(Operation *op, Value sums);

  InFlightDiagnostic error(Operation *op) {
    ++errors;
    return op->emitOpError();
  }

  ModuleOp module;
  VerifiedStage stage;
  unsigned errors = 0;
  std::optional<Executors> executors; ///< of the kernel's ops
  /// Types that were verified before, with the warps that they were found right for.
  llvm::SmallDenseSet<std::pair<Type, unsigned>, 32> good;
};

//===----------------------------------------------------------------------===//
// The stages of tensors
//===----------------------------------------------------------------------===//

bool isTileScalar(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned bits = integer.getWidth();
    return integer.isSignless() && (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64);
  }
  return isa<Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type, Float32Type, Float64Type,
             tile::PtrType>(type);
}

bool belongsTo(Operation *op, VerifiedStage stage) {
  if (isa<func::FuncOp, func::ReturnOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp, scf::YieldOp>(
          op))
    return true;
  if (isa<tile::ConvertLayoutOp, tgpu::ClusterRankOp, tgpu::ClusterSizeOp, tgpu::ClusterSumOp,
          tgpu::ClusterGatherOp, tgpu::ClusterArriveOp, tgpu::ClusterWaitOp, tgpu::ClusterBarrierOp>(op))
    return stage != VerifiedStage::Tile;
  return llvm::StringSwitch<bool>(op->getName().getDialectNamespace())
      .Cases({"tile", "arith", "math"}, true)
      .Case("tgpu", stage == VerifiedStage::Scheduled)
      .Default(false);
}

void Verifier::verifyTarget() {
  auto name = module->getAttrOfType<StringAttr>("tile.target");
  if (!name) {
    error(module) << "expected a `tile.target`";
    return;
  }
  if (lookupTarget(name.getValue()))
    return;
  InFlightDiagnostic diagnostic = error(module);
  diagnostic << "expected a known target, found `" << name.getValue() << "`";
  if (const Target *nearest = nearestTarget(name.getValue()))
    diagnostic << ", did you mean `" << StringRef(nearest->name) << "`?";
}

void Verifier::verifyTileKernel() {
  unsigned functions = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel");
    if (!kernel) {
      error(function) << "expected `tile.kernel`: helpers are inlined";
      continue;
    }
    if (++functions > 1)
      error(function) << "expected one kernel in a module, found a second";
    if (!function.isPublic())
      error(function) << "expected a public kernel";
    if (!function.getBody().hasOneBlock())
      error(function) << "expected one block, found " << function.getBody().getBlocks().size();
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (!function.getArgAttrOfType<tile::ParamAttr>(i, "tile.param"))
        error(function) << "expected `tile.param` on argument " << i;
    executors.emplace(function);
  }
  if (functions == 0 && errors == 0)
    error(module) << "expected a kernel";
}

void Verifier::verifyType(Operation *op, Type type, const Executor &executor) {
  if (good.contains({type, executor.warps}) ||
      isa<tgpu::BufferType, tgpu::BarriersType, tgpu::MapType, tgpu::PipelineStateType>(type))
    return;
  if (stage == VerifiedStage::Tile && isa<tile::ViewType>(type))
    return;
  if (stage != VerifiedStage::Scheduled && isa<tile::BoxType>(type))
    return;
  unsigned before = errors;
  if (auto inFlight = dyn_cast<tgpu::InFlightType>(type))
    type = inFlight.getTensor();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!isTileScalar(tensor ? tensor.getElementType() : type))
    error(op) << "expected values of integer, float or pointer type or tensors of them, found " << type;
  else if (tensor && !tile::hasTileShape(tensor))
    error(op) << "expected static power-of-two sides and at most " << tile::MaxTensorElements
              << " elements, found " << type;
  else if (tensor)
    verifyLayout(op, tensor, executor);
  if (errors == before)
    good.insert({type, executor.warps});
}

void Verifier::verifyLayout(Operation *op, RankedTensorType type, const Executor &executor) {
  if (stage == VerifiedStage::Tile) {
    if (type.getEncoding())
      error(op) << "expected no layout before the distribute stage, found " << type;
    return;
  }
  tile::LayoutAttr layout = tile::layoutOf(type);
  if (!layout)
    error(op) << "expected a layout on each tensor, found " << type;
  else if (layout.getLayout().inBits(Dim::Warp) != executor.warpBits())
    error(op) << "expected layouts of " << executor.warps << " warps, found "
              << layout.getLayout().inSize(Dim::Warp) << " in " << type;
  else if (layout.getLayout().inBits(Dim::Block) != 0)
    error(op) << "expected layouts of one block, found " << layout.getLayout().inSize(Dim::Block) << " in "
              << type;
  else // passes build types that are not verified yet
    (void)layout.verifyEncoding(type.getShape(), type.getElementType(), [&] { return error(op); });
}

void Verifier::verifyOneLayout(Operation *op) {
  Attribute first;
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      tile::LayoutAttr layout = tile::layoutOf(type);
      if (!layout)
        continue;
      if (first && first != layout) {
        error(op) << "expected one layout on all operands and results, found `" << first << "` and `"
                  << layout << "`";
        return;
      }
      first = layout;
    }
}

void Verifier::verifyAttributes(Operation *op) {
  for (NamedAttribute attribute : op->getDiscardableAttrs())
    if (!attribute.getName().strref().starts_with("tile."))
      error(op) << "expected no attribute left by a pass, found `" << attribute.getName().getValue() << "`";
    else if (attribute.getName() == "tile.loop")
      error(op) << "expected what `tile.loop` asks for to be done by now";
}

/// Verifies the unit that passes after `choose-matrix-units` read.
void Verifier::verifyUnit(tile::DotOp dot) {
  if (!dot.getUnitAttr()) {
    error(dot) << "expected a unit on each dot";
    return;
  }
  const Target *target = targetOf(module);
  std::optional<MatrixInstruction> instruction = groupInstructionOf(dot);
  if (!instruction)
    instruction = instructionOf(dot);
  else if (stage == VerifiedStage::Scheduled)
    error(dot) << "expected `tgpu.mma` in place of a dot of `" << dot.getUnitAttr() << "`";
  if (target && instruction && !isInstructionOf(*instruction, *target))
    error(dot) << "expected an instruction of " << StringRef(target->name) << ", found `" << dot.getUnitAttr()
               << "` on " << dot.getAType().getElementType() << " and " << dot.getBType().getElementType();
}

/// A copy that is in no group when the thread waits is not waited for.
void Verifier::verifyCopy(tgpu::AsyncCopyOp copy) {
  if (const Target *target = targetOf(module); target && !target->asyncCopies)
    error(copy) << "expected loads through registers: " << StringRef(target->name) << " has no `cp.async`";
  for (Operation *op = copy->getNextNode(); op; op = op->getNextNode()) {
    const tile::AsyncStep step = tile::asyncStepOf(op);
    if (step.role == tile::AsyncStep::Groups && step.kind == tile::AsyncKind::Copy)
      return;
    if (step.awaits(tile::AsyncKind::Copy))
      break;
  }
  error(copy) << "expected a `tgpu.async_commit` behind it, before any wait";
}

/// Verifies that copied elements are read after a wait only.
void Verifier::verifyRead(Operation *read, Value buffer) {
  auto isFilledBy = [&](tile::AsyncKind kind) {
    return llvm::any_of(buffer.getUsers(), [&](Operation *user) {
      const tile::AsyncStep step = tile::asyncStepOf(user);
      return step.starts() && step.kind == kind;
    });
  };
  bool isCopied = isFilledBy(tile::AsyncKind::Copy), isTma = isFilledBy(tile::AsyncKind::TmaLoad);
  if (!isCopied && !isTma)
    return;
  for (Operation *op = read; op && op != module; op = op->getParentOp())
    for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
      const tile::AsyncStep step = tile::asyncStepOf(before);
      isCopied &= !step.awaits(tile::AsyncKind::Copy);
      isTma &= !step.awaits(tile::AsyncKind::TmaLoad);
      if (!isCopied && !isTma)
        return;
    }
  error(read) << "expected a `tgpu." << (isCopied ? "async_wait" : "barrier_wait")
              << "` before it, since copies write the buffer";
}

void Verifier::verifyProduct(tgpu::MmaOp product) {
  if (product.getBufferA())
    verifyRead(product, product.getA());
  verifyRead(product, product.getB());
  const Target *target = targetOf(module);
  if (target && !isInstructionOf(groupInstructionOf(product), *target))
    error(product) << "expected an instruction of " << StringRef(target->name) << ", found `"
                   << product.getUnit() << "`";
}

/// Sums that may still change have one use, which knows what they are.
void Verifier::verifyInFlight(Operation *op, Value sums) {
  if (!isa<tgpu::InFlightType>(sums.getType()))
    return;
  bool isKnown = sums.hasOneUse() &&
                 isa<tgpu::MmaOp, tgpu::MmaWaitOp, scf::ForOp, scf::YieldOp>(*sums.getUsers().begin());
  if (!isKnown || isa<scf::IfOp, scf::WhileOp>(op))
    error(op) << "expected sums in flight to be used once, by a product, a wait or a `for` that carries them";
}

void Verifier::verifyTileOp(Operation *op) {
  if (op == module)
    return;
  if (!belongsTo(op, stage)) {
    error(op) << "is no part of stage `" << nameOf(stage) << "`";
    return;
  }
  Executor executor = executors ? executors->of(op) : Executor();
  SmallVector<Value> values(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(values, block.getArguments());
  for (Value value : values)
    verifyType(op, value.getType(), executor);
  if (stage != VerifiedStage::Tile && tile::isElementwise(op))
    verifyOneLayout(op);
  if (auto dot = dyn_cast<tile::DotOp>(op); dot && stage != VerifiedStage::Tile)
    verifyUnit(dot);
  if (stage != VerifiedStage::Scheduled)
    return;
  verifyAttributes(op);
  if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op))
    verifyCopy(copy);
  else if (auto read = dyn_cast<tgpu::LocalLoadOp>(op))
    verifyRead(read, read.getBuffer());
  else if (auto product = dyn_cast<tgpu::MmaOp>(op))
    verifyProduct(product);
  else if (isa<tgpu::TmaLoadOp>(op))
    error(op) << "expected `tgpu.tma_copy` and what waits for it in its place by now";
  for (Value value : values)
    verifyInFlight(op, value);
}

//===----------------------------------------------------------------------===//
// The stage of instructions
//===----------------------------------------------------------------------===//

void Verifier::verifyLlvmKernel() {
  unsigned kernels = 0;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (function.isExternal())
      continue;
    if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      error(function) << "expected `nvvm.kernel`: helpers are inlined";
    else if (++kernels > 1)
      error(function) << "expected one kernel in a module, found a second";
  }
  if (kernels == 0 && errors == 0)
    error(module) << "expected a kernel";
}

void Verifier::verifyShared() {
  constexpr unsigned SharedSpace = 3;
  unsigned allocations = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() != SharedSpace)
      continue;
    if (++allocations > 1)
      error(global) << "expected one shared allocation in a module, found a second";
    // The manifest tells the launcher how many bytes to ask for.
    auto array = dyn_cast<LLVM::LLVMArrayType>(global.getGlobalType());
    if (!array || array.getNumElements() == 0)
      error(global) << "expected a shared allocation of known size, found " << global.getGlobalType();
  }
}

LogicalResult Verifier::run() {
  if (stage == VerifiedStage::Llvm) {
    verifyLlvmKernel();
    verifyShared();
  } else {
    verifyTarget();
    verifyTileKernel();
  }
  module->walk([&](Operation *op) {
    if (stage != VerifiedStage::Llvm)
      verifyTileOp(op);
    else if (op != module && !isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()) &&
             !isa<tile::DebugValueOp>(op)) // which the translation takes out
      error(op) << "is no part of stage `" << nameOf(stage) << "`";
    return errors < MaxErrors ? WalkResult::advance() : WalkResult::interrupt();
  });
  return success(errors == 0);
}

struct VerifyStagePass : tegula::impl::VerifyStagePassBase<VerifyStagePass> {
  using VerifyStagePassBase::VerifyStagePassBase;
  void runOnOperation() override {
    if (failed(verifyStage(getOperation(), stage)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace

LogicalResult tegula::verifyStage(ModuleOp module, VerifiedStage stage) {
  return Verifier(module, stage).run();
}
