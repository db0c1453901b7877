// program_id and num_programs; what blocks of clusters do together; barrier.
//
// If P programs share a block, along x, each is one warp of it:
//
//      block              0               1               2
//      warp           0  1  2  3      0  1  2  3      0  1  2  3
//      program        0  1  2  3      4  5  6  7      8  9  -  -       num_programs = 10
//
// The number of programs is then no longer that of blocks times P, so the launch passes it as one more
// parameter after those of the source, and the warps beyond return at once (see KernelPattern.cpp).
//
// Programs are clusters where their blocks share a loop (`tile.splits`), counted along x from a number on
// that the launch passes, or rows (`tile.cluster`).
//
// Blocks of a persistent kernel run programs by their numbers, counted with x fastest, and the launch passes
// how many there are along each axis.
#include "compiler/lower/code/ClusterCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/lower/patterns/ProgramIndex.h"

#include "dialect/tgpu/Tgpu.h"

using namespace mlir;

namespace tegula {
namespace {

/// A launch has at most so many blocks along x, and along y and z.
constexpr uint32_t MaxBlocksX = 0x7fffffffu, MaxBlocksOther = 0xffffu;

/// The register of the hardware that counts blocks along `axis`; its values are `first` and up.
template <typename X, typename Y, typename Z>
Value readGrid(OpBuilder &builder, Location loc, tile::Axis axis, uint32_t first) {
  Type type = builder.getI32Type();
  uint32_t limit = axis == tile::Axis::X ? MaxBlocksX : MaxBlocksOther;
  auto range = LLVM::ConstantRangeAttr::get(builder.getContext(), APInt(32, first), APInt(32, limit + first));
  switch (axis) {
  case tile::Axis::X:
    return X::create(builder, loc, type, range);
  case tile::Axis::Y:
    return Y::create(builder, loc, type, range);
  case tile::Axis::Z:
    return Z::create(builder, loc, type, range);
  }
  llvm_unreachable("an axis without a register");
}

Value blockId(OpBuilder &builder, Location loc, tile::Axis axis) {
  return readGrid<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(builder, loc, axis, 0);
}

Value numBlocks(OpBuilder &builder, Location loc, tile::Axis axis) {
  return readGrid<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(builder, loc, axis, 1);
}

/// Clusters are rows of blocks along x.
Value clusterId(OpBuilder &builder, Location loc, tile::Axis axis) {
  return readGrid<NVVM::ClusterIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(builder, loc, axis, 0);
}

Value numClusters(OpBuilder &builder, Location loc, tile::Axis axis) {
  return readGrid<NVVM::ClusterDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(builder, loc, axis, 1);
}

/// Computes the place of the program of this number along `axis`.
Value placeOf(Value number, OpBuilder &builder, Location loc, tile::Axis axis, const LoweringState &state) {
  auto [x, y, z] = state.programCounts;
  if (axis == tile::Axis::X)
    return arith::RemUIOp::create(builder, loc, number, x);
  Value row = arith::DivUIOp::create(builder, loc, number, x);
  return axis == tile::Axis::Y ? arith::RemUIOp::create(builder, loc, row, y).getResult()
                               : arith::DivUIOp::create(builder, loc, row, y).getResult();
}

Value lowerProgramId(tile::ProgramIdOp op, Adaptor<tile::ProgramIdOp> adaptor, Rewriter &rewriter,
                     LoweringState &state) {
  if (op.getNumber())
    return placeOf(adaptor.getNumber().front(), rewriter, op.getLoc(), op.getAxis(), state);
  return programId(rewriter, op.getLoc(), op.getAxis(), state);
}

Value lowerNumPrograms(tile::NumProgramsOp op, Adaptor<tile::NumProgramsOp>, Rewriter &rewriter,
                       LoweringState &state) {
  return numPrograms(rewriter, op.getLoc(), op.getAxis(), state);
}

/// All blocks of a persistent kernel are along x.
Value blockOfPersistent(OpBuilder &builder, Location loc) { return blockId(builder, loc, tile::Axis::X); }
Value blocksOfPersistent(OpBuilder &builder, Location loc) { return numBlocks(builder, loc, tile::Axis::X); }

Registers lowerClusterSum(tgpu::ClusterSumOp op, Adaptor<tgpu::ClusterSumOp> adaptor, Rewriter &rewriter,
                          LoweringState &state) {
  const SummingThreads threads{state.threadsOf(op).thread(rewriter), 1u << state.executorOf(op).threadBits()};
  return emitClusterSum(rewriter, op.getLoc(), adaptor.getSource(), state.scratchOf(rewriter, op), threads);
}

SmallVector<Registers> lowerClusterGather(tgpu::ClusterGatherOp op, Adaptor<tgpu::ClusterGatherOp> adaptor,
                                          Rewriter &rewriter, LoweringState &state) {
  const Location loc = op.getLoc();
  SmallVector<Value> sources;
  for (ValueRange source : adaptor.getSources())
    sources.push_back(source.front());
  const uint32_t blocks = uint32_t(cast<RankedTensorType>(op.getResultTypes().front()).getNumElements());
  const GatheredNumbers gathered(state.scratchOf(rewriter, op), blocks);
  gathered.give(rewriter, loc, sources, state.threadsOf(op).thread(rewriter));
  SmallVector<Registers> results;
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    const LinearLayout &layout = tile::layoutOf(result.getType()).getLayout();
    Registers &registers = results.emplace_back();
    for (Value element : state.placesOf(rewriter, op, layout))
      registers.push_back(gathered.take(rewriter, loc, sources[index].getType(), unsigned(index), element));
  }
  return results;
}

void lowerBarrier(tile::BarrierOp op, Adaptor<tile::BarrierOp>, Rewriter &rewriter, LoweringState &state) {
  emitBarrier(rewriter, op.getLoc(), state.executorOf(op));
}

} // namespace

Value programId(OpBuilder &builder, Location loc, tile::Axis axis, LoweringState &state) {
  Value block = state.runsInClusters() ? clusterId(builder, loc, axis) : blockId(builder, loc, axis);
  if (state.firstProgram && axis == tile::Axis::X)
    return arith::AddIOp::create(builder, loc, block, state.firstProgram,
                                 arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
  if (state.programs == 1 || axis != tile::Axis::X)
    return block;
  // Those that go on are fewer than 2^31: nothing overflows.
  auto exact = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Value first = arith::MulIOp::create(builder, loc, block, constant(builder, loc, state.programs), exact);
  return arith::AddIOp::create(builder, loc, first, state.threads.program(builder), exact);
}

Value numPrograms(OpBuilder &builder, Location loc, tile::Axis axis, const LoweringState &state) {
  if (Value count = state.programCounts[size_t(axis)])
    return count;
  if (state.runsInClusters())
    return numClusters(builder, loc, axis);
  if (state.programs == 1 || axis != tile::Axis::X)
    return numBlocks(builder, loc, axis);
  auto kernel = builder.getInsertionBlock()->getParent()->getParentOfType<LLVM::LLVMFuncOp>();
  return kernel.getBody().front().getArguments().back();
}

void populateProgramPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerProgramId, lowerNumPrograms, lowerClusterSum, lowerClusterGather, lowerBarrier,
               lowerTo<tgpu::BlockIdOp, blockOfPersistent>, lowerTo<tgpu::NumBlocksOp, blocksOfPersistent>,
               lowerTo<tgpu::ClusterRankOp, clusterRank>, lowerTo<tgpu::ClusterSizeOp, clusterSize>,
               lowerTo<tgpu::ClusterArriveOp, emitClusterArrive>,
               lowerTo<tgpu::ClusterWaitOp, emitClusterWait>,
               lowerTo<tgpu::ClusterBarrierOp, emitClusterBarrier>>(patterns, state);
}

} // namespace tegula
