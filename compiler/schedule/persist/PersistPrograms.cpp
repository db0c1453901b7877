#include "compiler/schedule/persist/PersistPrograms.h"

#include "compiler/analysis/Executor.h"
#include "compiler/analysis/KernelEffects.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/schedule/specialize/ProducerScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {

namespace {

bool hasProduct(scf::ForOp loop) {
  return loop.walk([](tgpu::MmaOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether a product of `loop` takes what threads compute, as attention's second does: beside such arithmetic what is
/// between two programs is little, and warps come to it at different times.
bool hasChain(scf::ForOp loop) {
  return loop.walk([](tgpu::MmaOp product) {
    return isa<tgpu::BufferType>(product.getA().getType()) ? WalkResult::advance() : WalkResult::interrupt();
  }).wasInterrupted();
}

bool tellsProgramsApart(func::FuncOp kernel) {
  return kernel.walk([](tile::ProgramIdOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether `op` computes scalars that are no program's own.
bool isSameForAll(Operation *op, scf::ForOp programs) {
  return isScalarOp(op) && !isa<tile::ProgramIdOp>(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
           return operand.getParentRegion() != &programs.getRegion();
         });
}

} // namespace

std::string whyNotPersistent(scf::ForOp loop, const PrefetchPlan &plan, const Specialization &how) {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (!mayUse(loop, Feature::Persist))
    return "the compilation is told to do without (`persist`)";
  if (loop->getParentOp() != kernel)
    return "the loop stands in another";
  if (!tellsProgramsApart(kernel))
    return "its programs do not differ";
  if (StringRef why = KernelEffects(kernel).whyDependent(); !why.empty())
    return why.str();
  for (auto other : kernel.getOps<scf::ForOp>())
    if (other != loop && hasProduct(other))
      return "it has another loop of products";
  if (hasChain(loop))
    return "a product takes what threads compute, who are busy between programs";
  if (how.blocks > 1)
    return llvm::formatv("{0} blocks that share a multiprocessor overlap by themselves", how.blocks);
  const uint64_t bytes = sharedBytesIfPersistent(loop, plan),
                 most = targetOf(loop)->maxSharedPerBlock;
  if (bytes > most)
    return llvm::formatv("the loop's buffers would be in use while results are stored: {0} bytes of shared memory, "
                         "expected at most {1}",
                         bytes, most);
  return {};
}

void persistPrograms(func::FuncOp kernel, unsigned blocksPerMultiprocessor) {
  Location loc = kernel.getLoc();
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> ofProgram;
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (isa<tgpu::AllocOp>(op) || op.hasTrait<OpTrait::ConstantLike>()) {
      op.moveBefore(&body, builder.getInsertionPoint());
    } else {
      if (ofProgram.empty())
        builder.setInsertionPoint(&op);
      ofProgram.push_back(&op);
    }
  Type i32 = builder.getI32Type();
  Value block = tgpu::BlockIdOp::create(builder, loc, i32), blocks = tgpu::NumBlocksOp::create(builder, loc, i32);
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
