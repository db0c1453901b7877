// Tests which op may run after which, in and around loops.
#include "compiler/analysis/effects/MemoryOrder.h"
#include "dialect/tgpu/Tgpu.h"
#include "test/compiler/analysis/AnalysisFixture.h"

using namespace mlir;
using namespace tegula;

namespace {

/// A kernel with loops; its barriers have names.
struct MayFollow : ::testing::Test {
  MayFollow() {
    context.loadDialect<tile::TileDialect, tgpu::TgpuDialect, arith::ArithDialect, func::FuncDialect,
                        scf::SCFDialect>();
    module = parseSourceString<ModuleOp>(R"(
      func.func @f(%n: i32) attributes {tile.kernel = #tile.kernel<warps = 4, stages = 1>, tile.persistent = 2 : i32} {
        %c0 = arith.constant 0 : i32
        %c1 = arith.constant 1 : i32
        tile.barrier {name = "before"}
        scf.for %i = %c0 to %n step %c1 : i32 {
          tile.barrier {name = "first"}
          tile.barrier {name = "second"}
        }
        tile.barrier {name = "after"}
        %block = tgpu.block_id
        scf.for %program = %block to %n step %c1 : i32 {
          tile.barrier {name = "load"}
          scf.for %i = %c0 to %n step %c1 : i32 {
            tile.barrier {name = "inner"}
            tile.barrier {name = "last"}
          }
          tile.barrier {name = "store"}
        }
        return
      })",
                                         &context);
    EXPECT_TRUE(module);
    module->walk([&](tile::BarrierOp op) { ops[op->getAttrOfType<StringAttr>("name").getValue()] = op; });
  }
  bool operator()(const char *later, const char *earlier) {
    return mayFollow(ops.at(later), ops.at(earlier));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  llvm::StringMap<Operation *> ops;
};

} // namespace

TEST_F(MayFollow, OutsideOfLoopsTheOrderOfTheTextDecides) {
  EXPECT_TRUE((*this)("after", "before"));
  EXPECT_FALSE((*this)("before", "after"));
  EXPECT_TRUE((*this)("first", "before"));
  EXPECT_FALSE((*this)("before", "first"));
  EXPECT_TRUE((*this)("after", "second"));
  EXPECT_FALSE((*this)("first", "after"));
}

TEST_F(MayFollow, InALoopAnOpFollowsItsEarlierIterations) {
  EXPECT_TRUE((*this)("second", "first"));
  EXPECT_TRUE((*this)("first", "second"));
  EXPECT_TRUE((*this)("first", "first"));
  EXPECT_TRUE((*this)("inner", "last"));
}

TEST_F(MayFollow, TheProgramsOfABlockFollowNoneOfEachOther) {
  EXPECT_TRUE((*this)("store", "load"));
  EXPECT_FALSE((*this)("load", "store"));
  EXPECT_FALSE((*this)("inner", "store"));
  EXPECT_TRUE((*this)("inner", "load"));
}
