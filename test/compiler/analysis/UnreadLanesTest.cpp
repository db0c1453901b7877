// Whether somebody reads what a masked load gives where its mask is false.
#include "compiler/analysis/UnreadLanes.h"
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace mlir;
using namespace tegula::testing;

namespace {

/// Beside the first load, `%v` of 32x16 elements under `%rows` & `%columns`: what a case makes of it.
struct Case {
  const char *name;
  std::string body;
  bool isUnread;
};

void PrintTo(const Case &what, std::ostream *os) { *os << what.name; }

const std::string before = R"(
    %i = tile.arange 0 to 32 : tensor<32xi32>
    %j = tile.arange 0 to 16 : tensor<16xi32>
    %i1 = tile.expand_dims %i, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %j1 = tile.expand_dims %j, 0 : tensor<16xi32> -> tensor<1x16xi32>
    %n1 = tile.splat %n : i32 -> tensor<32x1xi32>
    %m1 = tile.splat %m : i32 -> tensor<1x16xi32>
    %rows1 = arith.cmpi slt, %i1, %n1 : tensor<32x1xi32>
    %columns1 = arith.cmpi slt, %j1, %m1 : tensor<1x16xi32>
    %rows = tile.broadcast %rows1 : tensor<32x1xi1> -> tensor<32x16xi1>
    %columns = tile.broadcast %columns1 : tensor<1x16xi1> -> tensor<32x16xi1>
    %mask = arith.andi %rows, %columns : tensor<32x16xi1>
    %j2 = tile.broadcast %j1 : tensor<1x16xi32> -> tensor<32x16xi32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<32x16x!tile.ptr<f32>>
    %p = tile.addptr %base, %j2 : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
    %zero = arith.constant dense<0.0> : tensor<32x16xf32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %v = tile.load %p, %mask : tensor<32x16x!tile.ptr<f32>>
)";

bool isUnread(const std::string &body) {
  AnalysedKernel kernel(before + body);
  std::optional<bool> found;
  kernel.module->walk([&](tegula::tile::LoadOp load) {
    if (!found)
      found = tegula::isUnreadOutsideMask(load);
  });
  EXPECT_TRUE(found);
  return found.value_or(false);
}

/// Sums of the rows of `tensor`, stored in each of their elements under `mask`.
std::string storedRowSums(const std::string &tensor, const std::string &mask) {
  return R"(
      %sum = tile.reduce %)" +
         tensor + R"( axis 1 : tensor<32x16xf32> -> tensor<32xf32> {
      ^bb0(%a: f32, %b: f32):
        %s = arith.addf %a, %b : f32
        tile.yield %s : f32
      }
      %sum1 = tile.expand_dims %sum, 1 : tensor<32xf32> -> tensor<32x1xf32>
      %sums = tile.broadcast %sum1 : tensor<32x1xf32> -> tensor<32x16xf32>
      tile.store %p, %sums, %)" +
         mask + " : tensor<32x16x!tile.ptr<f32>>";
}

class UnreadLanes : public ::testing::TestWithParam<Case> {};

const Case cases[] = {
    {"Nobody", "", true},
    {"StoredUnderTheMask", "tile.store %p, %v, %mask : tensor<32x16x!tile.ptr<f32>>", true},
    {"StoredUnderMore", R"(
      %some = arith.cmpf ogt, %v, %zero : tensor<32x16xf32>
      %both = arith.andi %some, %mask : tensor<32x16xi1>
      tile.store %p, %zero, %both : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"StoredUnderTheSameMaskMadeAnew", R"(
      %k = tile.arange 0 to 32 : tensor<32xi32>
      %k1 = tile.expand_dims %k, 1 : tensor<32xi32> -> tensor<32x1xi32>
      %again = arith.cmpi slt, %k1, %n1 : tensor<32x1xi32>
      %again1 = tile.broadcast %again : tensor<32x1xi1> -> tensor<32x16xi1>
      %both = arith.andi %columns, %again1 : tensor<32x16xi1>
      tile.store %p, %v, %both : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"StoredEverywhere", "tile.store %p, %v : tensor<32x16x!tile.ptr<f32>>", false},
    {"StoredUnderLess", "tile.store %p, %v, %rows : tensor<32x16x!tile.ptr<f32>>", false},
    {"StoredUnderAnother", R"(
      %w1 = tile.splat %size : i32 -> tensor<32x1xi32>
      %other1 = arith.cmpi slt, %i1, %w1 : tensor<32x1xi32>
      %other = tile.broadcast %other1 : tensor<32x1xi1> -> tensor<32x16xi1>
      %both = arith.andi %columns, %other : tensor<32x16xi1>
      tile.store %p, %v, %both : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"AsMask", R"(
      %some = arith.cmpf ogt, %v, %zero : tensor<32x16xf32>
      tile.store %p, %zero, %some : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"BothPartsOfAProduct", R"(
      %k = arith.fptosi %v : tensor<32x16xf32> to tensor<32x16xi32>
      %low, %high = arith.mului_extended %k, %j2 : tensor<32x16xi32>
      %q = tile.addptr %base, %high : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
      tile.store %q, %zero : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"AddedUpInMemory", R"(
      %k = arith.fptosi %v : tensor<32x16xf32> to tensor<32x16xi32>
      %q = tile.addptr %base, %k : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
      %old = tile.atomic_rmw fadd, relaxed, gpu, %q, %v, %mask : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"AsPlacesOfAnotherLoad", R"(
      %k = arith.fptosi %v : tensor<32x16xf32> to tensor<32x16xi32>
      %q = tile.addptr %base, %k : tensor<32x16x!tile.ptr<f32>>, tensor<32x16xi32>
      %w = tile.load %q, %mask : tensor<32x16x!tile.ptr<f32>>
      tile.store %p, %w : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"AsWhatAnotherLoadGives", R"(
      %w = tile.load %p, %rows, %v : tensor<32x16x!tile.ptr<f32>>
      tile.store %p, %w : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"Divided", R"(
      %k = arith.fptosi %v : tensor<32x16xf32> to tensor<32x16xi32>
      %q = arith.divsi %j2, %k : tensor<32x16xi32>
      %w = arith.sitofp %q : tensor<32x16xi32> to tensor<32x16xf32>
      tile.store %p, %w, %mask : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"Printed", "tile.print \"\" [false] values(%v : tensor<32x16xf32>)", false},
    {"Selected", R"(
      %w = arith.select %mask, %v, %zero : tensor<32x16xi1>, tensor<32x16xf32>
      tile.store %p, %w : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"SelectedOneByOne", R"(
      %w = arith.select %rows, %v, %zero : tensor<32x16xi1>, tensor<32x16xf32>
      %u = arith.select %columns, %w, %zero : tensor<32x16xi1>, tensor<32x16xf32>
      tile.store %p, %u : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"SelectedInPart", R"(
      %w = arith.select %rows, %v, %zero : tensor<32x16xi1>, tensor<32x16xf32>
      tile.store %p, %w : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"SelectedWhereTheMaskIsFalse", R"(
      %w = arith.select %mask, %zero, %v : tensor<32x16xi1>, tensor<32x16xf32>
      tile.store %p, %w : tensor<32x16x!tile.ptr<f32>>)",
     false},
    {"Asserted", R"(
      %true = arith.constant dense<true> : tensor<32x16xi1>
      %outside = arith.xori %mask, %true : tensor<32x16xi1>
      %fine = arith.cmpf ogt, %v, %zero : tensor<32x16xf32>
      %all = arith.ori %fine, %outside : tensor<32x16xi1>
      tile.assert %all, "x" : tensor<32x16xi1>)",
     true},
    {"AssertedEverywhere", R"(
      %fine = arith.cmpf ogt, %v, %zero : tensor<32x16xf32>
      tile.assert %fine, "x" : tensor<32x16xi1>)",
     false},
    {"Transposed", R"(
      %t = tile.trans %v, [1, 0] : tensor<32x16xf32> -> tensor<16x32xf32>
      %back = tile.trans %t, [1, 0] : tensor<16x32xf32> -> tensor<32x16xf32>
      tile.store %p, %back, %mask : tensor<32x16x!tile.ptr<f32>>)",
     true},
    {"ReducedAlongAnAxisOfTheMask", storedRowSums("v", "mask"), false},
    {"ReducedAlongAnother",
     "%w = arith.select %columns, %v, %zero : tensor<32x16xi1>, tensor<32x16xf32>" +
         storedRowSums("w", "rows"),
     true},
    {"AddedUpInALoop", R"(
      %sum = scf.for %k = %c0 to %n step %c1 iter_args(%a = %v) -> (tensor<32x16xf32>) : i32 {
        %b = arith.addf %a, %v : tensor<32x16xf32>
        scf.yield %b : tensor<32x16xf32>
      }
      tile.store %p, %sum, %mask : tensor<32x16x!tile.ptr<f32>>)",
     true},
};

INSTANTIATE_TEST_SUITE_P(Load, UnreadLanes, ::testing::ValuesIn(cases),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace

TEST_P(UnreadLanes, OfALoadThatIs) { EXPECT_EQ(isUnread(GetParam().body), GetParam().isUnread); }

// The mask of one iteration says nothing of what the next one reads.
TEST(UnreadLanes, MaskOfAnIterationIsNotThatOfTheNext) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 32 : tensor<32xi32>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %zero = arith.constant dense<0.0> : tensor<32xf32>
    %base = tile.splat %x : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
    %p = tile.addptr %base, %i : tensor<32x!tile.ptr<f32>>, tensor<32xi32>
    %last = scf.for %k = %c0 to %n step %c1 iter_args(%old = %zero) -> (tensor<32xf32>) : i32 {
      %ks = tile.splat %k : i32 -> tensor<32xi32>
      %mask = arith.cmpi slt, %i, %ks : tensor<32xi32>
      %kept = tile.load %p, %mask : tensor<32x!tile.ptr<f32>>
      tile.store %p, %old, %mask : tensor<32x!tile.ptr<f32>>
      %used = tile.load %p, %mask : tensor<32x!tile.ptr<f32>>
      tile.store %p, %used, %mask : tensor<32x!tile.ptr<f32>>
      scf.yield %kept : tensor<32xf32>
    })");
  std::vector<bool> found;
  kernel.module->walk([&](tegula::tile::LoadOp load) { found.push_back(tegula::isUnreadOutsideMask(load)); });
  EXPECT_EQ(found, (std::vector<bool>{false, true}));
}
