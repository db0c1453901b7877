// program_id and num_programs.
//
// Where P programs share a block, along x, each is one warp of it:
//
//      block              0               1               2
//      warp           0  1  2  3      0  1  2  3      0  1  2  3
//      program        0  1  2  3      4  5  6  7      8  9  -  -       num_programs = 10
//
// The number of programs is then no longer that of blocks times P, so the launch passes it as one more
// parameter behind those of the source, and the warps beyond return at once (see KernelPattern.cpp).
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/lower/patterns/ProgramIndex.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

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

/// Op is the number that `numberOf` computes for its axis.
template <typename Op, auto numberOf> struct ProgramNumberPattern : StatefulPattern<Op> {
  using StatefulPattern<Op>::StatefulPattern;

  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, numberOf(rewriter, op.getLoc(), op.getAxis(), this->state));
    return success();
  }
};

} // namespace

Value programId(OpBuilder &builder, Location loc, tile::Axis axis, LoweringState &state) {
  Value block = readGrid<NVVM::BlockIdXOp, NVVM::BlockIdYOp, NVVM::BlockIdZOp>(builder, loc, axis, 0);
  if (state.programs == 1 || axis != tile::Axis::X)
    return block;
  // Those that go on are fewer than 2^31: nothing overflows.
  auto exact = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  Value each = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(state.programs)));
  Value first = arith::MulIOp::create(builder, loc, block, each, exact);
  return arith::AddIOp::create(builder, loc, first, state.threads.program(builder), exact);
}

Value numPrograms(OpBuilder &builder, Location loc, tile::Axis axis, const LoweringState &state) {
  if (state.programs == 1 || axis != tile::Axis::X)
    return readGrid<NVVM::GridDimXOp, NVVM::GridDimYOp, NVVM::GridDimZOp>(builder, loc, axis, 1);
  auto kernel = builder.getInsertionBlock()->getParent()->getParentOfType<LLVM::LLVMFuncOp>();
  return kernel.getBody().front().getArguments().back();
}

void populateProgramPatterns(const TypeConverter &types, RewritePatternSet &patterns, LoweringState &state) {
  patterns.add<ProgramNumberPattern<tile::ProgramIdOp, programId>,
               ProgramNumberPattern<tile::NumProgramsOp, numPrograms>>(types, patterns.getContext(), state);
}

} // namespace tegula
