#include "compiler/lower/patterns/LoweringState.h"
#include "compiler/analysis/resources/ScratchBytes.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/target/Target.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <algorithm>

using namespace mlir;

namespace tegula {

LoweringState::LoweringState(ModuleOp module, func::FuncOp kernel, const SignTrust &trust)
    : executors(kernel), programs(kernelOf(kernel).getPrograms()), warps(warpsOfBlock(kernel)),
      isSplit(blocksOfSplit(kernel) > 1), isSpread(blocksOfCluster(kernel) > 1),
      hasPairs(kernel->hasAttr("tile.pairs")),
      threads(kernelOf(kernel).getWarps(), programs, Target::warpSize * warps), signs(module, trust) {
  uint32_t alignment = Scratch().alignment;
  module.walk([&](Operation *op) {
    auto scratch = op->getAttrOfType<tile::ScratchAttr>("tile.scratch");
    if (!scratch)
      return;
    sharedBytes = std::max(sharedBytes, scratch.getOffset() + scratch.getBytes());
    if (auto alloc = dyn_cast<tgpu::AllocOp>(op))
      alignment = std::max(alignment, alignmentOf(alloc));
  });
  if (!sharedBytes)
    return;
  // Each program's part starts aligned.
  uint32_t bytes = programs == 1 ? sharedBytes
                                 : programs * (sharedBytes = uint32_t(llvm::alignTo(sharedBytes, alignment)));
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
  sharedArray =
      LLVM::GlobalOp::create(builder, module.getLoc(), type, /*isConstant=*/false, LLVM::Linkage::External,
                             SharedMemoryName, Attribute(), alignment, SharedAddressSpace);
}

SmallVector<Value> LoweringState::placesOf(OpBuilder &builder, Operation *op, const LinearLayout &layout) {
  std::vector<uint64_t> wide = threadColumns(layout, executorOf(op).threadBits());
  SmallVector<uint32_t> columns(wide.begin(), wide.end());
  Value base = threadsOf(op).linear(builder, columns);
  SmallVector<Value> places;
  for (uint64_t position : registerPositions(layout))
    places.push_back(combine(builder, op->getLoc(), base, columns, uint32_t(position)));
  return places;
}

SmallVector<SmallVector<Value>> LoweringState::exchange(OpBuilder &builder, Operation *op,
                                                        ArrayRef<SmallVector<Value>> tensors,
                                                        ArrayRef<RoundTripPlan> plans,
                                                        ArrayRef<uint32_t> places) {
  Location loc = op->getLoc();
  Value scratch = scratchOf(builder, op);
  SmallVector<Value> buffers;
  for (auto [tensor, plan, place] : llvm::zip_equal(tensors, plans, places)) {
    buffers.push_back(addBytes(builder, loc, scratch, int32_t(place)));
    storeToShared(builder, loc, plan.store, buffers.back(), tensor, threadsOf(op));
  }
  emitBarrier(builder, loc, executorOf(op));
  SmallVector<SmallVector<Value>> loaded;
  for (auto [tensor, plan, buffer] : llvm::zip_equal(tensors, plans, buffers))
    loaded.push_back(
        loadFromShared(builder, loc, plan.load, buffer, tensor.front().getType(), threadsOf(op)));
  return loaded;
}

Value LoweringState::scratchOf(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value address = LLVM::AddressOfOp::create(builder, loc, sharedArray);
  if (programs > 1) {
    Value offset =
        arith::MulIOp::create(builder, loc, threads.program(builder), constant(builder, loc, sharedBytes));
    address = addBytes(builder, loc, address, offset);
  }
  const uint32_t offset = op->getAttrOfType<tile::ScratchAttr>("tile.scratch").getOffset();
  return addBytes(builder, loc, address, int32_t(offset));
}

} // namespace tegula
