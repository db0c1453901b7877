// Products that a unit computes on its own: what they compute, and what they hold until they were waited for.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tegula::interp;

namespace {

/// `body` has 64 by 32 ones of i8 as `%ones`, 32 by 64 twos in `%twos`, and buffers `%a` and `%b` of two
/// slots for them; `%k` is K-major, `%c` sums that are all 5; `%t` of it is stored to `y`.
Outcome run(const std::string &body, std::vector<uint64_t> *y = nullptr) {
  std::vector<Array> arrays{{4, std::vector<uint64_t>(64 * 64)}};
  const std::string start = R"(
#ma = #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [1, 0], [2, 0], [4, 16], [8, 0], [16, 0], [32, 0]]} : [64, 32]>
#mb = #tile.layout<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [0, 1], [0, 2], [16, 4], [0, 8], [0, 16], [0, 32]]} : [32, 64]>
#sums = #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 64]>
#fa = #tile.layout<{register = [[0, 1], [0, 2], [8, 0], [0, 16]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>
!a = !tgpu.buffer<2 of tensor<64x32xi8>, #ma>
!b = !tgpu.buffer<2 of tensor<32x64xi8>, #mb>
!left = !tgpu.buffer<1 of tensor<64x64xi8>, #tile.layout<{offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 0], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0]]} : [64, 64]>>
!right = !tgpu.buffer<1 of tensor<64x64xi8>, #tile.layout<{offset = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [32, 0], [0, 1], [16, 2], [32, 4], [0, 8], [0, 16], [0, 32]]} : [64, 64]>>
!sums = tensor<64x64xi32, #sums>
!inFlight = !tgpu.in_flight<!sums>
func.func @f(%yb: !tile.ptr<i32>) {
  %ones = arith.constant dense<1> : tensor<64x32xi8>
  %fragments = arith.constant dense<1> : tensor<64x32xi8, #fa>
  %twos = arith.constant dense<2> : tensor<32x64xi8>
  %c = arith.constant dense<5> : !sums
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %a = tgpu.alloc : !a
  %b = tgpu.alloc : !b
  tgpu.local_store %ones into %a[%0] : tensor<64x32xi8>, !a
  tgpu.local_store %twos into %b[%0] : tensor<32x64xi8>, !b
  %f = tgpu.mma_begin %c : !sums
)";
  std::string places;
  for (unsigned i = 0; i < 64 * 64; ++i)
    places += (i % 64 ? ", " : i ? "], [" : "[") + std::to_string(i);
  const std::string end = "%n = arith.constant dense<[" + places + R"(]]> : !sums
  %s = tile.splat %yb : !tile.ptr<i32> -> tensor<64x64x!tile.ptr<i32>, #sums>
  %p = tile.addptr %s, %n : tensor<64x64x!tile.ptr<i32>, #sums>, !sums
  tile.store %p, %t : tensor<64x64x!tile.ptr<i32>, #sums>
  return
})";
  const Outcome outcome = tegula::interp::run(start + body + end, arrays);
  if (y)
    *y = arrays[0].elements;
  return outcome;
}

const std::string both = "unit <wgmma, m64n64k32> : !a, !b -> !inFlight\n",
                  product = "%g = tgpu.mma %a[%0], %b[%0] adding %f " + both,
                  await = "%t = tgpu.mma_wait pending 0 %g : !inFlight -> !sums\n",
                  refill = "tgpu.local_store %twos into %b[%0] : tensor<32x64xi8>, !b\n";

/// `%half`, 64 numbers that are 0 in the left half and 1 in the right one, and they as a row.
const std::string row = R"(
  %k = tile.arange 0 to 64 : tensor<64xi32>
  %c32 = arith.constant dense<32> : tensor<64xi32>
  %number = arith.divui %k, %c32 : tensor<64xi32>
  %half = arith.trunci %number : tensor<64xi32> to tensor<64xi8>
  %row = tile.expand_dims %half, 0 : tensor<64xi8> -> tensor<1x64xi8>
)";

bool all(const std::vector<uint64_t> &y, uint64_t value) {
  return std::all_of(y.begin(), y.end(), [&](uint64_t element) { return element == value; });
}

} // namespace

TEST(InterpreterProducts, AddToWhatFlies) {
  std::vector<uint64_t> y;
  EXPECT_EQ(run(product + await, &y).text, "");
  EXPECT_TRUE(all(y, 5 + 64));
  // From zero, from registers, and one after the other.
  EXPECT_EQ(run("%g = tgpu.mma %fragments, %b[%0] unit <wgmma, m64n64k32> : tensor<64x32xi8, #fa>, !b -> "
                "!inFlight\n" +
                    await,
                &y)
                .text,
            "");
  EXPECT_TRUE(all(y, 64));
  EXPECT_EQ(run("%h = tgpu.mma %a[%0], %b[%0] adding %f " + both + "%g = tgpu.mma %a[%0], %b[%0] adding %h " +
                    both + await,
                &y)
                .text,
            "");
  EXPECT_TRUE(all(y, 5 + 128));
}

TEST(InterpreterProducts, MultiplyThePartOfKThatTheyName) {
  // The left operand is 1 in the first half of K and 2 in the second one, the right operand 2 and 3.
  const std::string halves = row + R"(
  %rows = tile.broadcast %row : tensor<1x64xi8> -> tensor<64x64xi8>
  %column = tile.expand_dims %half, 1 : tensor<64xi8> -> tensor<64x1xi8>
  %columns = tile.broadcast %column : tensor<64x1xi8> -> tensor<64x64xi8>
  %one = arith.constant dense<1> : tensor<64x64xi8>
  %two = arith.constant dense<2> : tensor<64x64xi8>
  %left = arith.addi %rows, %one : tensor<64x64xi8>
  %right = arith.addi %columns, %two : tensor<64x64xi8>
  %la = tgpu.alloc : !left
  %rb = tgpu.alloc : !right
  tgpu.local_store %left into %la[%0] : tensor<64x64xi8>, !left
  tgpu.local_store %right into %rb[%0] : tensor<64x64xi8>, !right
)";
  auto sumOver = [&](const std::string &part) {
    std::vector<uint64_t> y;
    EXPECT_EQ(run(halves + "%g = tgpu.mma %la[%0], %rb[%0] " + part +
                      "adding %f unit <wgmma, m64n64k32> : !left, !right -> !inFlight\n" + await,
                  &y)
                  .text,
              "");
    EXPECT_TRUE(all(y, y.front()));
    return y.front();
  };
  EXPECT_EQ(sumOver("part [0, 32] "), 5u + 32 * 1 * 2);
  EXPECT_EQ(sumOver("part [32, 32] "), 5u + 32 * 2 * 3);
  EXPECT_EQ(sumOver(""), 5u + 32 * 1 * 2 + 32 * 2 * 3);
}

// The right columns, of ones where the left ones are zeros, next to fives that stay as they were.
TEST(InterpreterProducts, MultiplyColumnsForAPartOfTheSums) {
  std::vector<uint64_t> y;
  const std::string half =
      "tensor<64x32xi32, #tile.layout<{register = [[0, 1], [8, 0], [0, 8], [0, 16]], lane = [[0, 2], [0, 4], "
      "[1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]]} : [64, 32]>>";
  EXPECT_EQ(run(row + R"(
  %rows = tile.broadcast %row : tensor<1x64xi8> -> tensor<32x64xi8>
  tgpu.local_store %rows into %b[%1] : tensor<32x64xi8>, !b
  %g = tgpu.mma %a[%0], %b[%1] columns [32, 32] unit <wgmma, m64n32k32> : !a, !b -> !tgpu.in_flight<)" +
                    half + ">\n%part = tgpu.mma_wait pending 0 %g : !tgpu.in_flight<" + half + "> -> " +
                    half + "\n%t = tgpu.insert %part into %c at [0, 32] : " + half + " -> !sums\n",
                &y)
                .text,
            "");
  for (unsigned i = 0; i < 64 * 64; ++i)
    ASSERT_EQ(y[i], i % 64 < 32 ? 5u : 32u) << i;
}

TEST(InterpreterProducts, HoldTheirSlotsUntilTheyAreWaitedFor) {
  EXPECT_EQ(run(product + await + refill).text, "");
  EXPECT_NE(run(product + refill + await).text.find("write of a slot that a product may still read: slot 0"),
            std::string::npos);
  // A wait that leaves one pending frees the slots of the one before.
  const std::string second =
      "tgpu.local_store %twos into %b[%1] : tensor<32x64xi8>, !b\n%h = tgpu.mma %a[%0], %b[%1] adding %g " +
      both;
  const std::string oneLeft = "%i = tgpu.mma_wait pending 1 %h : !inFlight -> !inFlight\n",
                    last = "%t = tgpu.mma_wait pending 0 %i : !inFlight -> !sums\n";
  EXPECT_EQ(run(product + second + oneLeft + refill + last).text, "");
  EXPECT_NE(run(product + second + refill + oneLeft + last).text.find("may still read"), std::string::npos);
  EXPECT_NE(
      run(product + second + oneLeft + "tgpu.local_store %twos into %b[%1] : tensor<32x64xi8>, !b\n" + last)
          .text.find("may still read: slot 1"),
      std::string::npos);
}

TEST(InterpreterProducts, ReadWhatWasWritten) {
  EXPECT_NE(run("%g = tgpu.mma %a[%0], %b[%1] adding %f " + both + await)
                .text.find("read of a slot that was never written: slot 1"),
            std::string::npos);
}

TEST(InterpreterProducts, AreWaitedForBeforeTheEnd) {
  EXPECT_NE(run("%g = tgpu.mma %a[%0], %b[%0] " + both + "%t = arith.addi %c, %c : !sums\n")
                .text.find("the program ends with a product that was not waited for"),
            std::string::npos);
}
