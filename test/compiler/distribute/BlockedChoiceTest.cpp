// Blocked layouts by shape and order.
#include "compiler/distribute/BlockedChoice.h"

#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tegula;

namespace {

class BlockedChoice : public ::testing::Test {
protected:
  BlockedChoice() : context(MLIRContext::Threading::DISABLED) { context.loadDialect<tile::TileDialect>(); }
  MLIRContext context;
};

} // namespace

TEST_F(BlockedChoice, FillsTheFastestAxisFirst) {
  EXPECT_EQ(blockedLayout(&context, {64, 64}, {1, 0}, {4}, 4).getLayout().toString(),
            "{register = [[0, 1], [0, 2], [8, 0], [16, 0], [32, 0]], lane = [[0, 4], [0, 8], [0, 16], [0, "
            "32], [1, 0]], "
            "warp = [[2, 0], [4, 0]], block = []} : [64, 64]");
  EXPECT_EQ(blockedLayout(&context, {64, 64}, {0, 1}, {1}, 1).getLayout().toString(),
            "{register = [[32, 0], [0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]], lane = [[1, 0], [2, "
            "0], [4, 0], "
            "[8, 0], [16, 0]], warp = [], block = []} : [64, 64]");
}

TEST_F(BlockedChoice, IsAlwaysALegalEncoding) {
  std::mt19937_64 random(50);
  for (unsigned round = 0; round < 2000; ++round) {
    SmallVector<int64_t> shape;
    SmallVector<unsigned> order;
    for (unsigned axis = 0, rank = 1 + unsigned(random() % 4); axis < rank; ++axis) {
      shape.push_back(int64_t(1) << random() % 6);
      order.insert(order.begin() + unsigned(random() % (axis + 1)), axis);
    }
    unsigned warps = 1u << random() % 6;
    SmallVector<int64_t> perThread = {int64_t(1) << random() % 5};
    if (shape.size() > 1 && random() % 2)
      perThread.push_back(int64_t(1) << random() % 5);
    std::optional<unsigned> lastForWarps;
    if (random() % 2)
      lastForWarps = order[random() % order.size()];
    tile::LayoutAttr layout = blockedLayout(&context, shape, order, perThread, warps, lastForWarps);
    auto emitError = [&] { return emitRemark(UnknownLoc::get(&context)); };
    EXPECT_TRUE(succeeded(layout.verifyEncoding(shape, Float32Type::get(&context), emitError)));
    EXPECT_EQ(layout.getLayout().inSize(Dim::Warp), int32_t(warps));
    // No thread is idle while another holds more than it needs.
    int64_t elements = 1;
    for (int64_t side : shape)
      elements *= side;
    if (perThread[0] == 1 && perThread.back() == 1)
      EXPECT_EQ(layout.getLayout().inSize(Dim::Register), std::max<int64_t>(1, elements / (32 * warps)));
  }
}

TEST_F(BlockedChoice, DefaultIsRowByRow) {
  EXPECT_EQ(defaultLayout(&context, {4, 64}, 1), blockedLayout(&context, {4, 64}, {1, 0}, {1}, 1));
}

TEST_F(BlockedChoice, DefaultLeavesRowsWholeOfHugeTensorsThatAreReduced) {
  tile::LayoutAttr shared = blockedLayout(&context, {256, 128}, {1, 0}, {1}, 4),
                   whole = blockedLayout(&context, {256, 128}, {1, 0}, {1}, 4, 1);
  EXPECT_NE(shared, whole);
  EXPECT_EQ(defaultLayout(&context, {256, 128}, 4, 1), whole);
  EXPECT_EQ(defaultLayout(&context, {256, 128}, 4), shared);
  EXPECT_EQ(defaultLayout(&context, {128, 128}, 4, 1), blockedLayout(&context, {128, 128}, {1, 0}, {1}, 4));
}

TEST_F(BlockedChoice, DefaultLeavesAnAxisWholeWhosePartialResultsWouldFillSharedMemory) {
  const SmallVector<int64_t> shape{128, 32, 32};
  EXPECT_EQ(defaultLayout(&context, shape, 32, 1), blockedLayout(&context, shape, {2, 1, 0}, {1}, 32, 1));
  const SmallVector<int64_t> smaller{8, 32, 32};
  EXPECT_EQ(defaultLayout(&context, smaller, 32, 1), blockedLayout(&context, smaller, {2, 1, 0}, {1}, 32));
}
