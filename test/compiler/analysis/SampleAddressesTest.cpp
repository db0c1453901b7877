// Addresses at sample places, compared with what the program says.
#include "compiler/analysis/access/SampleAddresses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tegula;

namespace {

class SampleAddresses : public ::testing::Test {
protected:
  /// The addresses that the last load of `lines` reads, for a parameter `%n` of `unknown`.
  std::optional<std::vector<int64_t>> sample(const std::string &lines, ArrayRef<Place> places,
                                             int64_t unknown = 4096) {
    context.loadDialect<tile::TileDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect>();
    module = parseSourceString<ModuleOp>("func.func @k(%x: !tile.ptr<f32>, %j: !tile.ptr<i32>, %n: i32) {\n" +
                                             lines + "return }",
                                         ParserConfig(&context));
    if (!module)
      return std::nullopt;
    std::optional<std::vector<int64_t>> addresses;
    module->walk([&](tile::LoadOp load) { addresses = sampleAddresses(load.getPointer(), places, unknown); });
    return addresses;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

constexpr const char *Load = R"(
  %s = tile.splat %x : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %p = tile.addptr %s, %o : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %v = tile.load %p : tensor<64x!tile.ptr<f32>>
)";

} // namespace

// A reduction of pairs has two operands, of more axes than its result.
TEST_F(SampleAddresses, EndAtReductionsOfPairs) {
  const std::string lines = R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %column = tile.expand_dims %i, 1 : tensor<64xi32> -> tensor<64x1xi32>
    %pair:2 = tile.reduce %column, %column axis 0 : tensor<64x1xi32>, tensor<64x1xi32> -> tensor<1xi32>, tensor<1xi32> {
    ^bb0(%a: i32, %b: i32, %c: i32, %d: i32):
      tile.yield %a, %b : i32, i32
    }
    %o = tile.broadcast %pair#1 : tensor<1xi32> -> tensor<64xi32>
  )";
  EXPECT_EQ(sample(lines + Load, {{0}, {1}}), std::nullopt);
  EXPECT_TRUE(module);
}

TEST_F(SampleAddresses, FollowTheArithmeticOfPositions) {
  const std::string lines = R"(
    %i = tile.arange 8 to 72 : tensor<64xi32>
    %half = arith.constant dense<4> : tensor<64xi32>
    %whole = arith.constant dense<8> : tensor<64xi32>
    %k = arith.remsi %i, %half : tensor<64xi32>
    %b = arith.divsi %i, %half : tensor<64xi32>
    %w = arith.muli %b, %whole : tensor<64xi32>
    %o = arith.addi %w, %k : tensor<64xi32>
  )";
  std::vector<Place> places;
  std::vector<int64_t> expected;
  for (int64_t i = 0; i < 64; ++i) {
    places.push_back({i});
    expected.push_back(4 * ((i + 8) / 4 * 8 + (i + 8) % 4));
  }
  std::optional<std::vector<int64_t>> addresses = sample(lines + Load, places);
  ASSERT_TRUE(addresses);
  EXPECT_EQ(*addresses, expected);
}

TEST_F(SampleAddresses, TakeScalarsOfARunToBeWhatIsAskedFor) {
  const std::string lines = R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %ns = tile.splat %n : i32 -> tensor<64xi32>
    %o = arith.muli %i, %ns : tensor<64xi32>
  )";
  for (int64_t unknown : {2, 4096})
    EXPECT_EQ(sample(lines + Load, {{0}, {1}, {63}}, unknown),
              (std::vector<int64_t>{0, 4 * unknown, 4 * 63 * unknown}));
}

TEST_F(SampleAddresses, GoThroughShapesAndLoops) {
  const std::string lines = R"(
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %r = tile.arange 0 to 16 : tensor<16xi32>
    %re = tile.expand_dims %r, 1 : tensor<16xi32> -> tensor<16x1xi32>
    %rb = tile.broadcast %re : tensor<16x1xi32> -> tensor<16x4xi32>
    %t = tile.trans %rb, [1, 0] : tensor<16x4xi32> -> tensor<4x16xi32>
    %s = tile.splat %x : !tile.ptr<f32> -> tensor<4x16x!tile.ptr<f32>>
    %p = tile.addptr %s, %t : tensor<4x16x!tile.ptr<f32>>, tensor<4x16xi32>
    %last = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> tensor<4x16x!tile.ptr<f32>> : i32 {
      %v = tile.load %q : tensor<4x16x!tile.ptr<f32>>
      %next = tile.addptr %q, %t : tensor<4x16x!tile.ptr<f32>>, tensor<4x16xi32>
      scf.yield %next : tensor<4x16x!tile.ptr<f32>>
    }
  )";
  EXPECT_EQ(sample(lines, {{0, 0}, {3, 5}, {1, 15}}), (std::vector<int64_t>{0, 20, 60}));
}

TEST_F(SampleAddresses, SayNothingOfWhatIsLoadedOrDividedByZero) {
  EXPECT_FALSE(sample(R"(
    %i = tile.arange 0 to 64 : tensor<64xi32>
    %ns = arith.constant dense<0> : tensor<64xi32>
    %o = arith.divsi %i, %ns : tensor<64xi32>
  )" + std::string(Load),
                      {{1}}));
  EXPECT_FALSE(sample(R"(
    %as = tile.splat %j : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
    %o = tile.load %as : tensor<64x!tile.ptr<i32>>
  )" + std::string(Load),
                      {{1}}));
}
