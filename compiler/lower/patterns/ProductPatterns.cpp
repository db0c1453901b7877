// dot: by the unit that `choose-matrix-units` wrote on it; mma_begin, mma, mma_wait and proxy_fence: products
// of warp groups.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/DotCode.h"
#include "compiler/lower/code/GroupProductCode.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

std::string textOf(const MatrixInstruction &instruction) {
  const MatrixShape &shape = instruction.shape;
  return llvm::formatv("m{0}n{1}k{2} on {3} and {4}, sums in {5}", shape.m, shape.n, shape.k,
                       std::string(nameOf(instruction.a)), std::string(nameOf(instruction.b)),
                       std::string(nameOf(instruction.sum)));
}

/// Tells how it is done.
void remarkOn(tile::DotOp op, const DotPlan &plan, const std::string &how, StringRef metric) {
  remark::RemarkOpts options = remark::RemarkOpts::name("dot").category("convert-tile-to-llvm");
  remark::passed(op.getLoc(), options)
      << remark::add("{0}", how) << remark::metric(metric, plan.steps.size())
      << remark::metric("FragmentsOfA", plan.a.size()) << remark::metric("FragmentsOfB", plan.b.size())
      << remark::metric("FragmentsOfSum", plan.sum.size());
}

/// Returns the form in which the unit of `op` is given its operands.
OperandForm formOfOperands(tile::DotOp op, const MatrixInstruction &instruction) {
  const Target *target = targetOf(op);
  if (target && multipliesWidened(op, *target))
    return OperandForm::Widened;
  return instruction.a == MatrixElement::TF32 && op.getPrecision() == tile::InputPrecision::TF32x3
             ? OperandForm::InThreeParts
             : OperandForm::Whole;
}

FailureOr<Registers> lowerDot(tile::DotOp op, Adaptor<tile::DotOp> adaptor, Rewriter &rewriter,
                              LoweringState &state) {
  Location loc = op.getLoc();
  DotLayouts layouts{tile::layoutOf(op.getAType()).getLayout(), tile::layoutOf(op.getBType()).getLayout(),
                     tile::layoutOf(op.getResultType()).getLayout(), state.executorOf(op).threadBits()};
  DotRegisters operands{adaptor.getA(), adaptor.getB(), adaptor.getAccumulator()};
  if (!op.getUnitAttr())
    return op.emitError("expected a unit on a dot: `choose-matrix-units` writes it");
  if (std::optional<MatrixInstruction> instruction = instructionOf(op)) {
    std::optional<DotPlan> plan = planMatrixDot(layouts, instruction->shape, bytesOf(instruction->a));
    if (!plan)
      return op.emitError() << "expected operands in the fragments of " << textOf(*instruction);
    const OperandForm form = formOfOperands(op, *instruction);
    remarkOn(op, *plan, textOf(*instruction) + (form == OperandForm::Widened ? ", widened to f16" : ""),
             "Instructions");
    return emitMatrixDot(rewriter, loc, *plan, *instruction, form, operands);
  }
  std::optional<DotPlan> plan = planThreadDot(layouts);
  if (!plan)
    return op.emitError("expected whole rows of the first operand and columns of the second in each thread");
  remarkOn(op, *plan, "each thread by itself", "Multiplications");
  return emitThreadDot(rewriter, loc, *plan, operands);
}

/// Sums of tensors as registers in flight, and back: two halves share one.
Registers packedSums(OpBuilder &builder, Location loc, ValueRange sums) {
  return sums.front().getType().isF16() ? packWords(builder, loc, Registers(sums), 32) : Registers(sums);
}

Registers unpackedSums(OpBuilder &builder, Location loc, const Registers &words, Type element) {
  return element.isF16() ? unpackWords(builder, loc, words, element) : words;
}

Registers lowerMmaBegin(tgpu::MmaBeginOp op, Adaptor<tgpu::MmaBeginOp> adaptor, Rewriter &rewriter,
                        LoweringState &) {
  return packedSums(rewriter, op.getLoc(), adaptor.getSums());
}

void report(tgpu::MmaOp op, const GroupPlan &plan, bool inMemory) {
  remark::passed(op.getLoc(), remark::RemarkOpts::name("mma").category("convert-tile-to-llvm"))
      << remark::add("a product of {0} warp groups, `a` from {1}", plan.groups.m * plan.groups.n,
                     inMemory ? "shared memory" : "registers")
      << remark::metric("Instructions", plan.steps.size());
}

FailureOr<Registers> lowerMma(tgpu::MmaOp op, Adaptor<tgpu::MmaOp> adaptor, Rewriter &rewriter,
                              LoweringState &state) {
  Location loc = op.getLoc();
  MatrixInstruction instruction = groupInstructionOf(op);
  auto mapOf = [&](unsigned index) -> const LinearLayout & {
    auto buffer = dyn_cast<tgpu::BufferType>(index == 0 ? op.getA().getType() : Type(op.getB().getType()));
    return buffer ? buffer.getLayout().getLayout() : tile::layoutOf(op.getA().getType()).getLayout();
  };
  bool inMemory = op.getBufferA() != nullptr;
  std::optional<GroupPlan> plan =
      planGroupProduct(tile::layoutOf(op.getSumsType()).getLayout(), {mapOf(0), op.getKAxis(0), inMemory},
                       {mapOf(1), op.getKAxis(1), true, op.getFirstColumn()}, instruction.shape,
                       state.executorOf(op).warps, bytesOf(instruction.a));
  if (!plan)
    return op.emitError() << "expected sums and operands as groups of four warps hold them for `"
                          << op.getUnit() << "`";
  plan->keepOnly(uint32_t(op.getBegin()) / uint32_t(instruction.shape.k),
                 uint32_t(op.getCount()) / uint32_t(instruction.shape.k));
  GroupOperands operands;
  operands.inCluster = state.mayBeInCluster();
  if (inMemory)
    operands.slotA = slotAddress(rewriter, loc, adaptor.getA().front(), adaptor.getSlotA().front(),
                                 op.getBufferA().getType());
  else
    operands.registersA = adaptor.getA();
  operands.slotB =
      slotAddress(rewriter, loc, adaptor.getB().front(), adaptor.getSlotB().front(), op.getB().getType());
  report(op, *plan, inMemory);
  return emitGroupProduct(rewriter, loc, *plan, instruction, operands, adaptor.getSums(),
                          state.threadsOf(op));
}

/// A tensor's registers as a product has them that reads them.
Registers heldWords(OpBuilder &builder, Location loc, ValueRange tensor) {
  constexpr unsigned WordBits = 32;
  const bool isNarrow = tensor.front().getType().getIntOrFloatBitWidth() < WordBits;
  return isNarrow ? packWords(builder, loc, Registers(tensor), WordBits) : Registers(tensor);
}

SmallVector<Registers> lowerMmaWait(tgpu::MmaWaitOp op, Adaptor<tgpu::MmaWaitOp> adaptor, Rewriter &rewriter,
                                    LoweringState &) {
  Registers all;
  for (ValueRange sums : adaptor.getSums())
    all.append(sums.begin(), sums.end());
  Registers held;
  for (ValueRange tensor : adaptor.getHeld())
    held.append(heldWords(rewriter, op.getLoc(), tensor));
  Registers awaited = emitGroupWait(rewriter, op.getLoc(), op.getPending(), all, held);
  SmallVector<Registers> results;
  size_t next = 0;
  for (auto [sums, result] : llvm::zip_equal(adaptor.getSums(), op.getResultTypes())) {
    Registers part(ArrayRef(awaited).slice(next, sums.size()));
    next += sums.size();
    if (isa<RankedTensorType>(result))
      part = unpackedSums(rewriter, op.getLoc(), part, tile::elementTypeOf(result));
    results.push_back(std::move(part));
  }
  return results;
}

void emitGlobalFence(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(builder, loc, NVVM::ProxyKind::async_global, NVVM::SharedSpaceAttr());
}

} // namespace

void populateProductPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerDot, lowerMma, lowerMmaBegin, lowerMmaWait, lowerTo<tgpu::ProxyFenceOp, emitProxyFence>,
               lowerTo<tgpu::GlobalFenceOp, emitGlobalFence>>(patterns, state);
}

} // namespace tegula
