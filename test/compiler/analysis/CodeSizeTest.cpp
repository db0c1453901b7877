// Tests how many instructions a thread's part of an op counts as.
#include "compiler/analysis/resources/CodeSize.h"
#include "test/compiler/analysis/AnalysisFixture.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Returns what a dot of 32 by 16 and 16 by 8 numbers by one warp adds to the 8 registers of its result, with
/// `how` between operands and types.
uint64_t multiplicationsOf(const std::string &how) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect>();
  const std::string text = R"(
#a = #tile.layout<{register = [[8, 0], [0, 4], [0, 8], [16, 0]], lane = [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]], warp = []} : [32, 16]>
#b = #tile.layout<{register = [[4, 0], [8, 0]], lane = [[1, 0], [2, 0], [0, 1], [0, 2], [0, 4]], warp = []} : [16, 8]>
#c = #tile.layout<{register = [[0, 1], [8, 0], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [32, 8]>
func.func @f(%a: tensor<32x16xf32, #a>, %b: tensor<16x8xf32, #b>, %c: tensor<32x8xf32, #c>)
    attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %d = tile.dot %a, %b, %c )" +
                           how +
                           R"( : tensor<32x16xf32, #a>, tensor<16x8xf32, #b> -> tensor<32x8xf32, #c>
  return
})";
  const OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  return module ? valuesPerThread(*module) - 8 : 0;
}

/// Returns what `op`, of an element and giving one, counts as for 8 registers.
uint64_t sizeOf(const std::string &op) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  context.loadDialect<tile::TileDialect, arith::ArithDialect, math::MathDialect, func::FuncDialect>();
  const std::string text = R"(
#c = #tile.layout<{register = [[0, 1], [8, 0], [16, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []} : [32, 8]>
func.func @f(%x: tensor<32x8xf32, #c>) attributes {tile.kernel = #tile.kernel<warps = 1, stages = 1>} {
  %y = )" + op + R"( %x : tensor<32x8xf32, #c>
  return
})";
  const OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  return module ? valuesPerThread(*module) : 0;
}

} // namespace

TEST(CodeSize, CountsFunctionsByTheirLength) {
  EXPECT_EQ(sizeOf("arith.negf"), 8u * 1u);
  EXPECT_EQ(sizeOf("math.exp2"), 8u * 1u) << "the unit for it has one instruction";
  EXPECT_EQ(sizeOf("math.erf"), 8u * 16u) << "a polynomial";
  EXPECT_EQ(sizeOf("math.sin"), 8u * 64u);
}

TEST(CodeSize, CountsTheInstructionsThatMultiply) {
  EXPECT_EQ(multiplicationsOf("precision tf32 unit <mma_sync, m16n8k8>"), 4u);
  EXPECT_EQ(multiplicationsOf("precision tf32x3 unit <mma_sync, m16n8k8>"), 12u);
  EXPECT_EQ(multiplicationsOf("precision ieee"), 8u * 16u) << "each thread for itself";
}
