// Tests how much one instruction may access, and the reasons why it is not more.
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/target/Target.h"
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace tegula;
using namespace tegula::testing;

namespace {

/// The first access of the kernel.
MemoryAccess accessOf(AnalysedKernel &kernel) {
  std::optional<MemoryAccess> found;
  kernel.module->walk([&](mlir::Operation *op) {
    if (!found)
      found = analyzeAccess(op, *kernel.facts);
  });
  EXPECT_TRUE(found);
  return found.value_or(MemoryAccess());
}

/// A load of 1024 elements through `pointer` at offsets `%o`, which `offsets` defines.
std::string loadOf(std::string offsets, std::string pointer = "x", std::string type = "f32",
                   std::string mask = "") {
  return R"(%i = tile.arange 0 to 1024 : tensor<1024xi32>
    )" + offsets +
         "\n%s = tile.splat %" + pointer + " : !tile.ptr<" + type + "> -> tensor<1024x!tile.ptr<" + type +
         ">>\n%p = tile.addptr %s, %o : tensor<1024x!tile.ptr<" + type +
         ">>, tensor<1024xi32>\n%v = tile.load %p" + mask + " : tensor<1024x!tile.ptr<" + type + ">>";
}

const char *Plain =
    "%z = arith.constant dense<0> : tensor<1024xi32>\n%o = arith.addi %i, %z : tensor<1024xi32>";

} // namespace

TEST(MemoryAccess, SixteenBytesOfWhateverType) {
  AnalysedKernel single(loadOf(Plain)), half(loadOf(Plain, "h", "bf16"));
  EXPECT_EQ(accessOf(single).run(), 4u);
  EXPECT_EQ(accessOf(half).run(), 8u);
  EXPECT_EQ(accessOf(half).limit, "");
  EXPECT_TRUE(accessOf(half).hasOrder);
  EXPECT_EQ(accessOf(half).elementBytes, 2u);
}

TEST(MemoryAccess, AMisalignedBaseLimitsTheRun) {
  AnalysedKernel kernel(
      loadOf("%z = arith.constant dense<1> : tensor<1024xi32>\n%o = arith.addi %i, %z : tensor<1024xi32>"));
  EXPECT_EQ(accessOf(kernel).run(), 1u);
  EXPECT_EQ(accessOf(kernel).limit, "addresses are known to be multiples of 4 bytes only");
  EXPECT_TRUE(accessOf(kernel).hasOrder);
}

TEST(MemoryAccess, AKnownStrideIsNamed) {
  AnalysedKernel kernel(
      loadOf("%z = arith.constant dense<2> : tensor<1024xi32>\n%o = arith.muli %i, %z : tensor<1024xi32>"));
  EXPECT_EQ(accessOf(kernel).run(), 1u);
  EXPECT_EQ(accessOf(kernel).limit, "stride 2 along dim 0");
  EXPECT_FALSE(accessOf(kernel).hasOrder);
  AnalysedKernel shifted(
      loadOf("%z = arith.constant dense<3> : tensor<1024xi32>\n%o = arith.shli %i, %z : tensor<1024xi32>"));
  EXPECT_EQ(accessOf(shifted).limit, "stride 8 along dim 0");
}

TEST(MemoryAccess, AnUnknownStrideIsSaidToBeUnknown) {
  AnalysedKernel kernel(
      loadOf("%z = tile.splat %m : i32 -> tensor<1024xi32>\n%o = arith.muli %i, %z : tensor<1024xi32>"));
  EXPECT_EQ(accessOf(kernel).limit, "neighbours along dim 0 are not known to be adjacent");
}

TEST(MemoryAccess, OneAddressForAll) {
  AnalysedKernel kernel(loadOf("%o = tile.splat %m : i32 -> tensor<1024xi32>"));
  EXPECT_EQ(accessOf(kernel).run(), 1u);
  EXPECT_EQ(accessOf(kernel).limit, "one address along dim 0");
}

TEST(MemoryAccess, AMaskThatMayCutAVectorLimitsTheRun) {
  const char *offsets =
      "%z = arith.constant dense<0> : tensor<1024xi32>\n%o = arith.addi %i, %z : tensor<1024xi32>\n"
      "%b = tile.splat %m : i32 -> tensor<1024xi32>\n%k = arith.cmpi slt, %o, %b : tensor<1024xi32>";
  AnalysedKernel kernel(loadOf(offsets, "x", "f32", ", %k"));
  EXPECT_EQ(accessOf(kernel).run(), 1u);
  EXPECT_EQ(accessOf(kernel).limit, "the mask may change after every 1 element along dim 0");
}

TEST(MemoryAccess, ATransposedTileIsFastestAlongDimZero) {
  AnalysedKernel kernel(R"(
    %i = tile.arange 0 to 32 : tensor<32xi32>
    %r = tile.expand_dims %i, 1 : tensor<32xi32> -> tensor<32x1xi32>
    %c = tile.expand_dims %i, 0 : tensor<32xi32> -> tensor<1x32xi32>
    %n1 = tile.splat %n : i32 -> tensor<1x32xi32>
    %cn = arith.muli %c, %n1 : tensor<1x32xi32>
    %rb = tile.broadcast %r : tensor<32x1xi32> -> tensor<32x32xi32>
    %cb = tile.broadcast %cn : tensor<1x32xi32> -> tensor<32x32xi32>
    %o = arith.addi %rb, %cb : tensor<32x32xi32>
    %s = tile.splat %x : !tile.ptr<f32> -> tensor<32x32x!tile.ptr<f32>>
    %p = tile.addptr %s, %o : tensor<32x32x!tile.ptr<f32>>, tensor<32x32xi32>
    %v = tile.load %p : tensor<32x32x!tile.ptr<f32>>)");
  MemoryAccess access = accessOf(kernel);
  EXPECT_EQ(access.order, (llvm::SmallVector<unsigned, 2>{0, 1}));
  EXPECT_EQ(access.runs, (llvm::SmallVector<unsigned, 2>{4, 1}));
  EXPECT_EQ(access.limit, "");
}

TEST(MemoryAccess, ScalarsAndOtherOpsHaveNone) {
  AnalysedKernel kernel("%v = tile.load %x : !tile.ptr<f32>");
  kernel.module->walk([&](mlir::Operation *op) { EXPECT_FALSE(analyzeAccess(op, *kernel.facts)); });
}

namespace {

/// The copies of a load of 1024 elements of `type` through `pointer`, four or `inThread` neighbours a thread.
CopyRun copyRunFor(std::string pointer, std::string type, std::string registers, std::string offsets,
                   std::string options = "") {
  std::string layout = "#tile.layout<{" + registers + ", warp = [[256], [512]]} : [1024]>";
  std::string ints = "tensor<1024xi32, " + layout + ">";
  std::string pointers = "tensor<1024x!tile.ptr<" + type + ">, " + layout + ">";
  std::string values = "tensor<1024x" + type + ", " + layout + ">";
  std::string text = "%i = tile.arange 0 to 1024 : " + ints + "\n" + offsets + "%s = tile.splat %" + pointer +
                     " : !tile.ptr<" + type + "> -> " + pointers + "\n%p = tile.addptr %s, %i : " + pointers +
                     ", " + ints + "\n%v = tile.load %p" + options + " : " + pointers;
  for (size_t at; (at = text.find("INTS")) != std::string::npos;)
    text.replace(at, 4, ints);
  for (size_t at; (at = text.find("VALUES")) != std::string::npos;)
    text.replace(at, 6, values);
  AnalysedKernel kernel(text);
  CopyRun run;
  kernel.module->walk([&](tile::LoadOp load) { run = copyRunOf(load, *kernel.facts); });
  return run;
}

const char *Eights = "register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]]";
const char *Twos = "register = [[1], [128], [64]], lane = [[2], [4], [8], [16], [32]]";
const char *Ones = "register = [[128], [64], [32]], lane = [[1], [2], [4], [8], [16]]";

} // namespace

TEST(MemoryAccess, CopiesAreOfNeighboursThatAThreadHas) {
  EXPECT_EQ(copyRunFor("h", "bf16", Eights, "").bytes, 16u);
  EXPECT_EQ(copyRunFor("x", "f32", Eights, "").bytes, 16u);
  EXPECT_EQ(copyRunFor("h", "bf16", Twos, "").bytes, 4u);
  EXPECT_EQ(copyRunFor("x", "f32", Twos, "").bytes, 8u);
  EXPECT_EQ(copyRunFor("x", "f32", Ones, "").bytes, 4u);
  EXPECT_EQ(copyRunFor("h", "bf16", Ones, "").bytes, 0u);
}

TEST(MemoryAccess, AMaskMayCutCopies) {
  const char *aligned = "%b = tile.splat %n : i32 -> INTS\n%k = arith.cmpi slt, %i, %b : INTS\n";
  const char *any = "%b = tile.splat %m : i32 -> INTS\n%k = arith.cmpi slt, %i, %b : INTS\n";
  EXPECT_EQ(copyRunFor("h", "bf16", Eights, aligned, ", %k").bytes, 16u);
  EXPECT_EQ(copyRunFor("x", "f32", Eights, any, ", %k").bytes, 4u);
  EXPECT_EQ(copyRunFor("h", "bf16", Eights, any, ", %k").bytes, 0u);
}

TEST(MemoryAccess, CopiesGiveZeroWhereNothingIsCopied) {
  std::string mask = "%b = tile.splat %n : i32 -> INTS\n%k = arith.cmpi slt, %i, %b : INTS\n";
  auto with = [&](const char *value) {
    return copyRunFor("x", "f32", Eights, mask + "%o = arith.constant dense<" + value + "> : VALUES\n",
                      ", %k, %o");
  };
  EXPECT_EQ(with("0.0").bytes, 16u);
  EXPECT_EQ(with("1.0").bytes, 0u);
  EXPECT_EQ(with("-0.0").bytes, 0u);
}

TEST(MemoryAccess, AVolatileLoadIsNoCopy) {
  EXPECT_EQ(copyRunFor("x", "f32", Eights, "", " volatile").bytes, 0u);
}
