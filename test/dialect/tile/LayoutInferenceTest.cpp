// Checks the promise of layout inference over random layouts: for each op the inferred operand holds, in
// each thread, the elements from which the thread computes its part of the result.
#include "dialect/tile/LayoutInference.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace tegula;
using namespace tegula::tile;

namespace {

using Place = std::vector<int32_t>;

class LayoutInferenceTest : public testing::Test {
protected:
  LayoutInferenceTest() {
    context.loadDialect<TileDialect, math::MathDialect>();
    module = ModuleOp::create(UnknownLoc::get(&context));
    b.setInsertionPointToStart(module->getBody());
  }

  /// A layout of `shape` that is onto: each tensor bit goes to a random input bit, mixed with others, and
  /// what remains of lanes, warps and, if wanted, registers holds copies or sums of others.
  LinearLayout randomLayout(ArrayRef<int64_t> shape, bool registerCopies = false) {
    std::vector<DimBits> outs;
    unsigned bits = 0;
    for (auto [i, side] : llvm::enumerate(shape)) {
      outs.push_back({tensorDim(unsigned(i)), llvm::Log2_64(uint64_t(side))});
      bits += outs.back().bits;
    }
    constexpr unsigned WarpBits = 2;
    std::vector<uint64_t> basis;
    for (unsigned i = 0; i < bits; ++i)
      basis.push_back((uint64_t(1) << i) ^ (rng() & ((uint64_t(1) << i) - 1)));
    std::shuffle(basis.begin(), basis.end(), rng);
    while (basis.size() < LaneBits + WarpBits)
      basis.push_back(rng() % 2 ? 0 : rng() & ((uint64_t(1) << bits) - 1));
    std::shuffle(basis.begin(), basis.end(), rng);
    if (registerCopies)
      basis.insert(basis.begin(), 0);
    unsigned registers = unsigned(basis.size()) - LaneBits - WarpBits;
    return LinearLayout::fromColumns(
        {{Dim::Register, registers}, {Dim::Lane, LaneBits}, {Dim::Warp, WarpBits}, {Dim::Block, 0}}, outs,
        basis);
  }

  LayoutAttr randomAttr(ArrayRef<int64_t> shape, bool registerCopies = false) {
    LinearLayout layout = randomLayout(shape, registerCopies);
    // A register whose basis happens to be zero is a copy that was not asked for.
    return LayoutAttr::get(&context, registerCopies ? layout : layout.removeZeroBases(Dim::Register));
  }

  Value tensor(ArrayRef<int64_t> shape) {
    auto type = RankedTensorType::get(shape, b.getI32Type());
    return UnrealizedConversionCastOp::create(b, module->getLoc(), type, ValueRange()).getResult(0);
  }

  /// The elements that each thread (lane + 32 warp) holds in its registers.
  static std::map<int32_t, std::vector<Place>> elementsOf(LayoutAttr attr) {
    const LinearLayout &layout = attr.getLayout();
    std::map<int32_t, std::vector<Place>> held;
    for (int32_t warp = 0; warp < layout.inSize(Dim::Warp); ++warp)
      for (int32_t lane = 0; lane < layout.inSize(Dim::Lane); ++lane)
        for (int32_t r = 0; r < layout.inSize(Dim::Register); ++r) {
          Place place;
          for (Coord c : layout.apply({{Dim::Register, r}, {Dim::Lane, lane}, {Dim::Warp, warp}}))
            place.push_back(c.value);
          held[lane + 32 * warp].push_back(place);
        }
    return held;
  }

  /// Checks that each thread finds, for each element it has of the result, `sourceOf(element)` among
  /// those it has of the operand: in the same register where `sameRegister`.
  template <typename F>
  void expectLocal(LayoutAttr operand, LayoutAttr result, bool sameRegister, F sourceOf) {
    auto have = elementsOf(operand), want = elementsOf(result);
    for (auto &[thread, elements] : want)
      for (size_t r = 0; r < elements.size(); ++r) {
        Place source = sourceOf(elements[r]);
        if (sameRegister)
          ASSERT_EQ(have[thread][r], source);
        else
          ASSERT_TRUE(llvm::is_contained(have[thread], source));
      }
  }

  /// Checks the laws of both directions for `op`, from a random layout of its result and its operand.
  void expectRoundTrips(Operation *op) {
    auto source = cast<RankedTensorType>(op->getOperand(0).getType());
    LayoutAttr layout = randomAttr(source.getShape());
    std::optional<LayoutAttr> forward = inferResultLayout(op, 0, layout);
    ASSERT_TRUE(forward);
    EXPECT_EQ(inferOperandLayout(op, 0, *forward), layout);
    EXPECT_TRUE(layoutsAgree(op, 0, layout, *forward));
    // What was inferred is an encoding, and the op with it verifies.
    op->getOperand(0).setType(RankedTensorType::get(source.getShape(), source.getElementType(), layout));
    Value result = op->getResult(0);
    auto type = cast<RankedTensorType>(result.getType());
    result.setType(RankedTensorType::get(type.getShape(), type.getElementType(), *forward));
    EXPECT_TRUE(succeeded(verify(op)));
    result.setType(type);
    op->getOperand(0).setType(source);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder b{&context};
  std::mt19937_64 rng{20250523};
  static constexpr int Rounds = 50;
};

RankedTensorType typed(ArrayRef<int64_t> shape, Value like) {
  return cast<RankedTensorType>(like.getType()).clone(shape);
}

TEST_F(LayoutInferenceTest, ElementwiseOpsHaveOneLayout) {
  Value x = tensor({64});
  Operation *add = arith::AddIOp::create(b, module->getLoc(), x, x);
  LayoutAttr layout = randomAttr({64});
  EXPECT_EQ(inferOperandLayout(add, 1, layout), layout);
  EXPECT_EQ(inferResultLayout(add, 0, layout), layout);
  EXPECT_TRUE(isElementwise(add));
}

TEST_F(LayoutInferenceTest, AStoreHasOneLayoutThoughNoResult) {
  Value x = tensor({64});
  auto pointers = RankedTensorType::get({64}, PtrType::get(b.getI32Type()));
  Value p = UnrealizedConversionCastOp::create(b, module->getLoc(), pointers, ValueRange()).getResult(0);
  Operation *store =
      StoreOp::create(b, module->getLoc(), p, x, Value(), CacheModifier::None, EvictionPolicy::Normal);
  LayoutAttr layout = randomAttr({64});
  EXPECT_EQ(inferOperandLayout(store, 1, layout), layout);
}

TEST_F(LayoutInferenceTest, ScalarsAndConversionsAreNotTied) {
  Value x = tensor({64});
  Value flag = arith::ConstantOp::create(b, module->getLoc(), b.getBoolAttr(true));
  Operation *select = arith::SelectOp::create(b, module->getLoc(), flag, x, x);
  LayoutAttr layout = randomAttr({64});
  EXPECT_EQ(inferOperandLayout(select, 0, layout), std::nullopt);
  EXPECT_EQ(inferResultLayout(select, 0, layout), std::nullopt);
  EXPECT_EQ(inferOperandLayout(select, 1, layout), layout);
  Operation *convert = ConvertLayoutOp::create(b, module->getLoc(), x.getType(), x);
  EXPECT_EQ(inferOperandLayout(convert, 0, layout), std::nullopt);
  EXPECT_EQ(inferResultLayout(convert, 0, layout), std::nullopt);
}

TEST_F(LayoutInferenceTest, ALayoutOfAnotherShapeInfersNothing) {
  Value x = tensor({64});
  Operation *expand = ExpandDimsOp::create(b, module->getLoc(), typed({1, 64}, x), x, b.getI32IntegerAttr(0));
  EXPECT_EQ(inferOperandLayout(expand, 0, randomAttr({64})), std::nullopt);
  EXPECT_EQ(inferOperandLayout(expand, 0, randomAttr({1, 32})), std::nullopt);
  EXPECT_EQ(inferResultLayout(expand, 0, randomAttr({32})), std::nullopt);
}

TEST_F(LayoutInferenceTest, ExpandDims) {
  Value x = tensor({8, 32});
  for (int32_t axis = 0; axis < 3; ++axis) {
    SmallVector<int64_t> shape = {8, 32};
    shape.insert(shape.begin() + axis, 1);
    Operation *op = ExpandDimsOp::create(b, module->getLoc(), typed(shape, x), x, b.getI32IntegerAttr(axis));
    for (int i = 0; i < Rounds; ++i) {
      LayoutAttr result = randomAttr(shape, i % 2);
      expectLocal(*inferOperandLayout(op, 0, result), result, true, [&](Place place) {
        place.erase(place.begin() + axis);
        return place;
      });
      expectRoundTrips(op);
    }
  }
}

TEST_F(LayoutInferenceTest, Broadcast) {
  for (SmallVector<int64_t> shape : {SmallVector<int64_t>{1, 32, 4}, {8, 1, 4}, {1, 1, 1}, {8, 32, 1}}) {
    Value x = tensor(shape);
    Operation *op = BroadcastOp::create(b, module->getLoc(), typed({8, 32, 4}, x), x);
    for (int i = 0; i < Rounds; ++i) {
      LayoutAttr result = randomAttr({8, 32, 4}, i % 2);
      LayoutAttr operand = *inferOperandLayout(op, 0, result);
      expectLocal(operand, result, false, [&](Place place) {
        for (size_t d = 0; d < place.size(); ++d)
          place[d] = shape[d] == 1 ? 0 : place[d];
        return place;
      });
      for (unsigned r = 0; r < operand.getLayout().inBits(Dim::Register); ++r)
        EXPECT_NE(operand.getLayout().column(Dim::Register, r), 0u);
      expectRoundTrips(op);
    }
  }
}

TEST_F(LayoutInferenceTest, ABroadcastAcceptsCopiesInRegisters) {
  Value x = tensor({1, 32});
  Operation *op = BroadcastOp::create(b, module->getLoc(), typed({8, 32}, x), x);
  LayoutAttr result = randomAttr({8, 32});
  LayoutAttr operand = *inferOperandLayout(op, 0, result);
  int32_t registers = operand.getLayout().inSize(Dim::Register);
  LayoutAttr copies = LayoutAttr::get(&context, operand.getLayout().resizeIn(Dim::Register, 4 * registers));
  EXPECT_NE(copies, operand);
  EXPECT_TRUE(layoutsAgree(op, 0, copies, result));
}

TEST_F(LayoutInferenceTest, Reshape) {
  Value x = tensor({4, 2, 32});
  Operation *op = ReshapeOp::create(b, module->getLoc(), typed({16, 16}, x), x);
  for (int i = 0; i < Rounds; ++i) {
    LayoutAttr result = randomAttr({16, 16}, i % 2);
    expectLocal(*inferOperandLayout(op, 0, result), result, true, [&](Place place) {
      int32_t index = place[0] * 16 + place[1];
      return Place{index / 64, index / 32 % 2, index % 32};
    });
    expectRoundTrips(op);
  }
}

TEST_F(LayoutInferenceTest, Trans) {
  Value x = tensor({4, 2, 32});
  Operation *op =
      TransOp::create(b, module->getLoc(), typed({2, 32, 4}, x), x, b.getDenseI32ArrayAttr({1, 2, 0}));
  for (int i = 0; i < Rounds; ++i) {
    LayoutAttr result = randomAttr({2, 32, 4}, i % 2);
    expectLocal(*inferOperandLayout(op, 0, result), result, true,
                [&](Place place) { return Place{place[2], place[0], place[1]}; });
    expectRoundTrips(op);
  }
}

/// A sum along `axis`; its results' layout, if any, follows the operand's.
ReduceOp sumAlong(OpBuilder &b, Location loc, Value x, unsigned axis) {
  auto op = ReduceOp::create(b, loc, ValueRange(x), axis);
  OpBuilder::InsertionGuard guard(b);
  Type element = elementTypeOf(x.getType());
  Block *block = b.createBlock(&op.getCombine(), {}, {element, element}, {loc, loc});
  Value sum = arith::AddIOp::create(b, loc, block->getArgument(0), block->getArgument(1));
  YieldOp::create(b, loc, sum);
  return op;
}

TEST_F(LayoutInferenceTest, AReductionLeavesEachThreadTheRestOfItsPlaces) {
  for (int32_t axis = 0; axis < 3; ++axis) {
    Value x = tensor({4, 2, 32});
    Operation *op = sumAlong(b, module->getLoc(), x, unsigned(axis));
    for (int i = 0; i < Rounds; ++i) {
      LayoutAttr operand = randomAttr({4, 2, 32}, i % 2);
      LayoutAttr result = *inferResultLayout(op, 0, operand);
      EXPECT_EQ(result, layoutWithoutAxis(operand, unsigned(axis)));
      EXPECT_TRUE(layoutsAgree(op, 0, operand, result));
      // As many layouts fit, none is inferred the other way.
      EXPECT_EQ(inferOperandLayout(op, 0, result), std::nullopt);
      auto have = elementsOf(operand), want = elementsOf(result);
      for (auto &[thread, elements] : want) {
        std::set<Place> left, found(elements.begin(), elements.end());
        for (Place place : have[thread]) {
          place.erase(place.begin() + axis);
          left.insert(place);
        }
        ASSERT_EQ(left, found);
        // No register is a copy, whatever the registers of the operand were.
        ASSERT_EQ(found.size(), elements.size());
      }
    }
  }
}

TEST_F(LayoutInferenceTest, AReductionWithLayoutsVerifies) {
  Value x = tensor({8, 32});
  for (int i = 0; i < Rounds; ++i) {
    auto type = cast<RankedTensorType>(x.getType());
    x.setType(RankedTensorType::get(type.getShape(), type.getElementType(), randomAttr({8, 32}, i % 2)));
    ReduceOp op = sumAlong(b, module->getLoc(), x, 1);
    EXPECT_TRUE(layoutOf(op.getResult(0).getType()));
    EXPECT_TRUE(succeeded(verify(op)));
    op.erase();
  }
}

TEST_F(LayoutInferenceTest, AReductionToAScalarHasNoLayout) {
  Value x = tensor({64});
  ReduceOp op = sumAlong(b, module->getLoc(), x, 0);
  EXPECT_EQ(op.getResult(0).getType(), b.getI32Type());
  LayoutAttr operand = randomAttr({64});
  EXPECT_EQ(inferResultLayout(op, 0, operand), std::nullopt);
  EXPECT_EQ(inferOperandLayout(op, 0, operand), std::nullopt);
  EXPECT_FALSE(isElementwise(op));
}

TEST_F(LayoutInferenceTest, AJoinPutsBothSidesIntoOneThread) {
  Value x = tensor({8, 32});
  Operation *op = JoinOp::create(b, module->getLoc(), typed({8, 32, 2}, x), x, x);
  for (int i = 0; i < Rounds; ++i) {
    LayoutAttr operand = randomAttr({8, 32}, i % 2);
    LayoutAttr result = *inferResultLayout(op, 0, operand);
    EXPECT_EQ(inferOperandLayout(op, 0, result), operand);
    EXPECT_TRUE(layoutsAgree(op, 1, operand, result));
    expectLocal(operand, result, false, [](Place place) { return Place{place[0], place[1]}; });
  }
}

TEST_F(LayoutInferenceTest, ASplitTakesBothSidesFromOneThread) {
  Value x = tensor({8, 32, 2});
  Type half = typed({8, 32}, x);
  Operation *op = SplitOp::create(b, module->getLoc(), half, half, x);
  for (int i = 0; i < Rounds; ++i) {
    LayoutAttr result = randomAttr({8, 32}, i % 2);
    LayoutAttr operand = *inferOperandLayout(op, 0, result);
    EXPECT_EQ(inferResultLayout(op, 0, operand), result);
    EXPECT_TRUE(layoutsAgree(op, 0, operand, result));
    for (int32_t side : {0, 1})
      expectLocal(operand, result, false, [&](Place place) { return Place{place[0], place[1], side}; });
  }
  // Where other threads have the other side, the halves are in no thread's reach.
  LayoutAttr apart = LayoutAttr::get(&context, LinearLayout::identity1D(8, Dim::Register, Dim::Dim0) *
                                                   LinearLayout::identity1D(32, Dim::Lane, Dim::Dim1) *
                                                   LinearLayout::identity1D(2, Dim::Warp, Dim::Dim2));
  EXPECT_EQ(inferResultLayout(op, 0, apart), std::nullopt);
}

TEST_F(LayoutInferenceTest, AScanKeepsALayoutWhoseBitsAreOfOneAxisEach) {
  LayoutAttr plain = LayoutAttr::get(&context, LinearLayout::identity1D(8, Dim::Register, Dim::Dim0) *
                                                   LinearLayout::identity1D(32, Dim::Lane, Dim::Dim1));
  EXPECT_TRUE(isScannable(plain, 0));
  EXPECT_TRUE(isScannable(plain, 1));
  // Registers go diagonally: along rows there is no order in a thread, down a column there is.
  LayoutAttr skewed = LayoutAttr::get(
      &context,
      LinearLayout::fromColumns({{Dim::Register, 3}, {Dim::Lane, 5}}, {{Dim::Dim0, 3}, {Dim::Dim1, 5}},
                                {1 | 1 << 3, 2, 4, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7}));
  EXPECT_FALSE(isScannable(skewed, 0));
  EXPECT_FALSE(isScannable(skewed, 1));
}

TEST_F(LayoutInferenceTest, AtomicOpsHaveOneLayout) {
  auto pointers = RankedTensorType::get({64}, PtrType::get(b.getI32Type()));
  Value p = UnrealizedConversionCastOp::create(b, module->getLoc(), pointers, ValueRange()).getResult(0);
  Value x = tensor({64});
  Operation *op = AtomicRMWOp::create(b, module->getLoc(), AtomicKind::Add, MemoryOrder::Relaxed,
                                      MemoryScope::Device, p, x);
  LayoutAttr layout = randomAttr({64});
  EXPECT_EQ(inferOperandLayout(op, 1, layout), layout);
  EXPECT_EQ(inferResultLayout(op, 0, layout), layout);
}

} // namespace
