#include "compiler/schedule/persist/PersistPrograms.h"

#include "compiler/schedule/plan/LoopNest.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {

namespace {

/// Returns whether `op` computes scalars that are no program's own.
bool isSameForAll(Operation *op, scf::ForOp programs) {
  return isScalarOp(op) && !isa<tile::ProgramIdOp>(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand.getParentRegion() != &programs.getRegion();
         });
}

} // namespace

void persistPrograms(func::FuncOp kernel, unsigned blocksPerMultiprocessor) {
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> ofProgram;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (isa<tgpu::AllocOp>(op)) {
      op.moveBefore(&body, body.begin());
    } else if (isa<tgpu::TensorMapOp>(op) || op.hasTrait<OpTrait::ConstantLike>()) {
      if (!ofProgram.empty())
        op.moveBefore(ofProgram.front());
    } else {
      ofProgram.push_back(&op);
    }
  if (!ofProgram.empty())
    builder.setInsertionPoint(ofProgram.front());
  Type i32 = builder.getI32Type();
  Value block = tgpu::BlockIdOp::create(builder, loc, i32),
        blocks = tgpu::NumBlocksOp::create(builder, loc, i32);
  Value count;
  for (tile::Axis axis : {tile::Axis::X, tile::Axis::Y, tile::Axis::Z}) {
    Value along = tile::NumProgramsOp::create(builder, loc, axis);
    // The launch sees to it that nothing overflows: `maxPersistentPrograms`.
    auto exact = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
    count = count ? arith::MulIOp::create(builder, loc, count, along, exact).getResult() : along;
  }
  auto programs = scf::ForOp::create(builder, loc, block, count, blocks);
  for (Operation *op : ofProgram)
    op->moveBefore(programs.getBody()->getTerminator());
  kernel->setAttr("tile.persistent", builder.getI32IntegerAttr(int32_t(blocksPerMultiprocessor)));
  programs.walk([&](tile::ProgramIdOp id) { id.getNumberMutable().assign(programs.getInductionVar()); });
  for (Operation &op : llvm::make_early_inc_range(programs.getBody()->without_terminator()))
    if (isSameForAll(&op, programs))
      op.moveBefore(programs);
}

} // namespace tegula
