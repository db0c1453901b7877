// Laws of the layouts that dots get: legal encodings for which the lowering finds a plan, and chained dots
// that hand on results within each thread.
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/distribute/DotLayoutChoice.h"
#include "compiler/plan/DotPlan.h"
#include "dialect/layout/Layouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tegula;

namespace {

class DotLayoutLaws : public ::testing::Test {
protected:
  DotLayoutLaws() : context(MLIRContext::Threading::DISABLED), builder(&context) {
    context.loadDialect<tile::TileDialect, arith::ArithDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  Value zeros(ArrayRef<int64_t> shape, Type element) {
    auto type = RankedTensorType::get(shape, element);
    auto zero = isa<FloatType>(element) ? Attribute(builder.getFloatAttr(element, 0.0))
                                        : Attribute(builder.getIntegerAttr(element, 0));
    return arith::ConstantOp::create(builder, builder.getUnknownLoc(), DenseElementsAttr::get(type, zero));
  }

  /// `batch` 0 for two axes.
  tile::DotOp dot(int64_t batch, int64_t m, int64_t n, int64_t k, Type element, Type sum,
                  tile::InputPrecision precision = tile::InputPrecision::TF32) {
    auto shape = [&](int64_t rows, int64_t columns) {
      return batch ? SmallVector<int64_t>{batch, rows, columns} : SmallVector<int64_t>{rows, columns};
    };
    Value a = zeros(shape(m, k), element), b = zeros(shape(k, n), element), c = zeros(shape(m, n), sum);
    return tile::DotOp::create(builder, builder.getUnknownLoc(), a, b, c, precision);
  }

  bool isLegal(tile::LayoutAttr layout, Type type, unsigned warps) {
    auto tensor = cast<RankedTensorType>(type);
    return layout.getLayout().inSize(Dim::Warp) == int32_t(warps) &&
           succeeded(layout.verifyEncoding(tensor.getShape(), tensor.getElementType(),
                                           [&] { return emitError(builder.getUnknownLoc()); }));
  }

  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(DotLayoutLaws, LayoutsAreLegalAndTheLoweringHasAPlanForThem) {
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type(), f64 = builder.getF64Type(),
       i8 = builder.getI8Type(), e4m3 = Float8E4M3FNType::get(&context);
  std::pair<Type, Type> kinds[] = {{f16, f32}, {f16, f16}, {builder.getBF16Type(), f32},
                                   {f32, f32}, {f64, f64}, {i8, builder.getI32Type()},
                                   {e4m3, f32}};
  const Target &target = *lookupTarget("sm_90a");
  std::mt19937_64 random(80);
  unsigned units = 0, threads = 0;
  for (unsigned round = 0; round < 400; ++round) {
    auto [element, sum] = kinds[random() % std::size(kinds)];
    auto side = [&](unsigned least) { return int64_t(1) << (least + random() % 4); };
    int64_t batch = random() % 3 == 0 ? int64_t(1) << random() % 4 : 0;
    tile::DotOp op = dot(batch, side(3), side(3), side(2), element, sum,
                         random() % 3 ? tile::InputPrecision::TF32 : tile::InputPrecision::IEEE);
    unsigned warpBits = unsigned(random() % 5), warps = 1u << warpBits;
    bool chained = random() % 2;
    std::optional<MatrixInstruction> unit = findInstruction(op, target);
    DotLayoutChoice choice =
        unit ? layoutsForUnit(op, *unit, warps, chained) : layoutsForThreads(op, warps, chained);
    ASSERT_TRUE(isLegal(choice.a, op.getAType(), warps));
    ASSERT_TRUE(isLegal(choice.b, op.getBType(), warps));
    ASSERT_TRUE(isLegal(choice.result, op.getType(), warps));
    DotLayouts layouts = {choice.a.getLayout(), choice.b.getLayout(), choice.result.getLayout(),
                          5 + warpBits};
    std::optional<DotPlan> plan =
        unit ? planMatrixDot(layouts, unit->shape, bytesOf(unit->a)) : planThreadDot(layouts);
    EXPECT_TRUE(plan) << "round " << round << ": " << choice.a.getLayout().toString() << " "
                      << choice.b.getLayout().toString() << " " << choice.result.getLayout().toString();
    ++(unit ? units : threads);
  }
  EXPECT_GT(units, 100u);
  EXPECT_GT(threads, 50u);
}

// What FlashAttention rests on: the first product, cast to two bytes, is the second one's operand a by other
// names of registers, and both have the same rows in the same lanes.
TEST_F(DotLayoutLaws, ChainedResultsAreOperandsWithinAThread) {
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  const Target &target = *lookupTarget("sm_90a");
  for (int64_t batch : {0, 4})
    for (int64_t m : {16, 64, 128, 256})
      for (int64_t n : {16, 32, 64, 128})
        for (int64_t d : {16, 64, 256})
          for (unsigned warps : {1, 2, 4, 8}) {
            tile::DotOp first = dot(batch, m, n, d, f16, f32), second = dot(batch, m, d, n, f16, f32);
            DotLayoutChoice scores = layoutsForUnit(first, *findInstruction(first, target), warps, true);
            DotLayoutChoice values = layoutsForUnit(second, *findInstruction(second, target), warps, true);
            unsigned rows = batch ? 2 : 1;
            EXPECT_EQ(slice(scores.result.getLayout(), rows), slice(values.result.getLayout(), rows));
            if (scores.grid.n > 1)
              continue; // too few rows for all warps
            std::optional<LinearLayout> moved =
                invertAndCompose(values.a.getLayout(), scores.result.getLayout());
            ASSERT_TRUE(moved);
            for (Dim dim : {Dim::Lane, Dim::Warp})
              for (unsigned bit = 0; bit < moved->inBits(dim); ++bit)
                EXPECT_EQ(moved->basis(dim, bit, dim), 1 << bit) << m << " " << n << " " << d << " " << warps;
            for (unsigned bit = 0; bit < moved->inBits(Dim::Register); ++bit)
              EXPECT_EQ(moved->basis(Dim::Register, bit, Dim::Lane) |
                            moved->basis(Dim::Register, bit, Dim::Warp),
                        0);
          }
}

// Lanes read four results' columns at once, and none is idle as long as there are enough results.
TEST_F(DotLayoutLaws, ThreadsShareOutResults) {
  Type f32 = builder.getF32Type();
  for (auto [m, n, warps, registers] :
       {std::tuple(64, 64, 4u, 32), {16, 16, 4u, 2}, {128, 128, 8u, 64}, {16, 64, 1u, 32}}) {
    DotLayoutChoice choice =
        layoutsForThreads(dot(0, m, n, 16, f32, f32, tile::InputPrecision::IEEE), warps, false);
    EXPECT_EQ(choice.result.getLayout().inSize(Dim::Register), registers);
    EXPECT_TRUE(choice.result.getLayout().isInjective());
  }
}
