// Buffers in shared memory: layouts, slots, and copies that are there when they were waited for.
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

namespace {

/// `body` has `%x: tensor<2x4x!tile.ptr<i32>>` to 1 to 8, `%y` likewise to eight zeros, `%v`, a tensor of 10
/// to 17, `%m`, a mask of the first row, and `%b`, a swizzled buffer of two slots.
Outcome run(const std::string &body, std::vector<uint64_t> *y = nullptr, bool isDefined = true) {
  std::vector<Array> arrays{{4, {1, 2, 3, 4, 5, 6, 7, 8}, isDefined}, {4, std::vector<uint64_t>(8)}};
  const std::string start = R"(
#swizzled = #tile.layout<{offset = [[0, 1], [0, 2], [1, 1]]} : [2, 4]>
#rows = #tile.layout<{register = [[1, 0]], lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]]} : [2, 4]>
#row = #tile.layout<{lane = [[0, 1], [0, 2], [0, 0], [0, 0], [0, 0]]} : [1, 4]>
!buffer = !tgpu.buffer<2 of tensor<2x4xi32>, #swizzled>
!pointers = tensor<2x4x!tile.ptr<i32>>
!values = tensor<2x4xi32>
func.func @f(%xb: !tile.ptr<i32>, %yb: !tile.ptr<i32>) {
  %f = tile.arange 0 to 8 : tensor<8xi32>
  %i = tile.reshape %f : tensor<8xi32> -> !values
  %xs = tile.splat %xb : !tile.ptr<i32> -> !pointers
  %x = tile.addptr %xs, %i : !pointers, !values
  %ys = tile.splat %yb : !tile.ptr<i32> -> !pointers
  %y = tile.addptr %ys, %i : !pointers, !values
  %ten = arith.constant dense<10> : !values
  %v = arith.addi %i, %ten : !values
  %four = arith.constant dense<4> : !values
  %m = arith.cmpi slt, %i, %four : !values
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i32
  %2 = arith.constant 2 : i32
  %yes = arith.constant true
  %no = arith.constant false
  %b = tgpu.alloc : !buffer
)";
  const Outcome outcome = tegula::interp::run(start + body + "\nreturn\n}", arrays);
  if (y)
    *y = arrays[1].elements;
  return outcome;
}

const std::string copySlot = "tgpu.async_copy %x into %b[%0] : !pointers, !buffer\n",
                  awaitAll = "tgpu.async_commit\ntgpu.async_wait pending 0\n",
                  readSlot = "%r = tgpu.local_load %b[%0] at [0, 0] : !buffer -> !values\n",
                  keepRead = "tile.store %y, %r : !pointers\n",
                  writeSlot = "tgpu.local_store %v into %b[%0] : !values, !buffer\n";

using Values = std::vector<uint64_t>;

} // namespace

TEST(InterpreterBuffers, KeepWhatWasStoredInEachSlot) {
  Values y;
  EXPECT_EQ(
      run(writeSlot + "tgpu.local_store %i into %b[%1] : !values, !buffer\n" + readSlot + keepRead, &y).text,
      "");
  EXPECT_EQ(y, (Values{10, 11, 12, 13, 14, 15, 16, 17}));
  // Parts of what is in a slot, and of those.
  EXPECT_EQ(run(writeSlot + R"(%p = tgpu.local_load %b[%0] at [0, 2] : !buffer -> tensor<2x2xi32>
    %whole = tgpu.local_load %b[%0] at [0, 0] : !buffer -> tensor<2x4xi32, #rows>
    %q = tgpu.slice %whole at [1, 0] : tensor<2x4xi32, #rows> -> tensor<1x4xi32, #row>
    %o = arith.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
    %z = tile.splat %yb : !tile.ptr<i32> -> tensor<2x2x!tile.ptr<i32>>
    %t = tile.addptr %z, %o : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
    tile.store %t, %p : tensor<2x2x!tile.ptr<i32>>
    %h = arith.constant dense<[[4, 5, 6, 7]]> : tensor<1x4xi32, #row>
    %s = tile.splat %yb : !tile.ptr<i32> -> tensor<1x4x!tile.ptr<i32>, #row>
    %u = tile.addptr %s, %h : tensor<1x4x!tile.ptr<i32>, #row>, tensor<1x4xi32, #row>
    tile.store %u, %q : tensor<1x4x!tile.ptr<i32>, #row>)",
                &y)
                .text,
            "");
  EXPECT_EQ(y, (Values{12, 13, 16, 17, 14, 15, 16, 17}));
}

// Elements of one index all take part; those that a mask leaves out may have any index.
TEST(InterpreterBuffers, ChangeElementsOfATable) {
  const std::string
      start =
          R"(%t = tgpu.alloc : !tgpu.buffer<1 of tensor<8xi32>, #tile.layout<{offset = [[1], [2], [4]]} : [8]>>
    %line = tile.reshape %v : !values -> tensor<8xi32>
    %four8 = arith.constant dense<4> : tensor<8xi32>
    %low = arith.cmpi slt, %f, %four8 : tensor<8xi32>
    %index = arith.constant dense<[3, 3, 0, 3, 99, 99, 99, 99]> : tensor<8xi32>
)",
      fill = "tgpu.local_store %f into %t[%0] : tensor<8xi32>, "
             "!tgpu.buffer<1 of tensor<8xi32>, #tile.layout<{offset = [[1], [2], [4]]} : [8]>>\n",
      change = "in %t : tensor<8xi32>, "
               "!tgpu.buffer<1 of tensor<8xi32>, #tile.layout<{offset = [[1], [2], [4]]} : [8]>>\n",
      keep =
          R"(%r8 = tgpu.local_load %t[%0] at [0] : !tgpu.buffer<1 of tensor<8xi32>, #tile.layout<{offset = [[1], [2], [4]]} : [8]>> -> tensor<8xi32>
    %y8 = tile.splat %yb : !tile.ptr<i32> -> tensor<8x!tile.ptr<i32>>
    %z8 = tile.addptr %y8, %f : tensor<8x!tile.ptr<i32>>, tensor<8xi32>
    tile.store %z8, %r8 : tensor<8x!tile.ptr<i32>>
)";
  Values y;
  EXPECT_EQ(run(start + fill + "tgpu.local_atomic add, %line at %index mask %low " + change + keep, &y).text,
            "");
  EXPECT_EQ(y, (Values{12, 1, 2, 3 + 10 + 11 + 13, 4, 5, 6, 7}));
  EXPECT_NE(run(start + fill + "tgpu.local_atomic add, %line at %index " + change)
                .text.find("expected an index below 8"),
            std::string::npos);
  EXPECT_NE(
      run(start + "tgpu.local_atomic add, %line at %index mask %low " + change).text.find("never written"),
      std::string::npos);
}

// Two columns farther for each position.
TEST(InterpreterBuffers, PartsAreWhereTheirPositionSays) {
  const std::string stored = R"(
    %o = arith.constant dense<[[0, 1], [2, 3]]> : tensor<2x2xi32>
    %z = tile.splat %yb : !tile.ptr<i32> -> tensor<2x2x!tile.ptr<i32>>
    %t = tile.addptr %z, %o : tensor<2x2x!tile.ptr<i32>>, tensor<2x2xi32>
    tile.store %t, %p : tensor<2x2x!tile.ptr<i32>>)";
  auto read = [](const std::string &position) {
    return writeSlot + "%p = tgpu.local_load %b[%0] at [0, 0] + " + position +
           " * 2 along 1 : !buffer -> tensor<2x2xi32>\n";
  };
  Values y;
  EXPECT_EQ(run(read("%0") + stored, &y).text, "");
  EXPECT_EQ(y, (Values{10, 11, 14, 15, 0, 0, 0, 0}));
  EXPECT_EQ(run(read("%1") + stored, &y).text, "");
  EXPECT_EQ(y, (Values{12, 13, 16, 17, 0, 0, 0, 0}));
  // With a known offset.
  EXPECT_EQ(run(writeSlot +
                    "%p = tgpu.local_load %b[%0] at [1, 1] + %1 * 2 along 1 : !buffer -> tensor<1x1xi32>\n"
                    "%one = tile.splat %yb : !tile.ptr<i32> -> tensor<1x1x!tile.ptr<i32>>\n"
                    "tile.store %one, %p : tensor<1x1x!tile.ptr<i32>>",
                &y)
                .text,
            "");
  EXPECT_EQ(y.front(), 17u);
  EXPECT_EQ(run(read("%2")).text, "expected a position from 0 to 1, found 2");
  EXPECT_EQ(run("%minus = arith.constant -1 : i32\n" + read("%minus")).text,
            "expected a position from 0 to 1, found -1");
  EXPECT_EQ(run("%any = tile.load %xb : !tile.ptr<i32>\n" + read("%any"), nullptr, /*isDefined=*/false)
                .text.substr(0, 37),
            "the position of a part is undefined: ");
}

TEST(InterpreterBuffers, CopiesFillWithZeros) {
  Values y;
  EXPECT_EQ(run(copySlot + awaitAll + readSlot + keepRead, &y).text, "");
  EXPECT_EQ(y, (Values{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(run("tgpu.async_copy %x mask %m if %yes into %b[%0] : !pointers, !buffer\n" + awaitAll +
                    readSlot + keepRead,
                &y)
                .text,
            "");
  EXPECT_EQ(y, (Values{1, 2, 3, 4, 0, 0, 0, 0}));
  // Where the condition does not hold the slot stays, and may be none.
  EXPECT_EQ(run(writeSlot +
                    "tgpu.async_copy %x if %no into %b[%0] : !pointers, !buffer\n"
                    "tgpu.async_copy %x if %no into %b[%2] : !pointers, !buffer\n" +
                    readSlot + keepRead,
                &y)
                .text,
            "");
  EXPECT_EQ(y, (Values{10, 11, 12, 13, 14, 15, 16, 17}));
}

// Three copies ahead through two slots and a group left empty.
TEST(InterpreterBuffers, GroupsEndInOrder) {
  Values y;
  const std::string second = "tgpu.async_copy %y into %b[%1] : !pointers, !buffer\ntgpu.async_commit\n",
                    all = "tgpu.async_wait pending 0\n";
  EXPECT_EQ(run(copySlot + "tgpu.async_commit\n" + second + "tgpu.async_wait pending 1\n" + readSlot + all +
                    keepRead,
                &y)
                .text,
            "");
  EXPECT_EQ(y, (Values{1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(
      run(copySlot + "tgpu.async_commit\n" + second + "tgpu.async_wait pending 2\n" + readSlot + all).text,
      "read of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(run(copySlot + "tgpu.async_commit\ntgpu.async_commit\ntgpu.async_wait pending 1\n" + readSlot +
                keepRead)
                .text,
            "");
  // A copy after the last commit belongs to no group that is waited for.
  EXPECT_EQ(run("tgpu.async_commit\n" + copySlot + all + readSlot).text,
            "read of a slot whose copy was not waited for: slot 0");
}

TEST(InterpreterBuffers, AreNotTouchedWhileCopiesAreUnderway) {
  EXPECT_EQ(run(copySlot + writeSlot).text, "write of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(run(copySlot + copySlot).text, "write of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(run(copySlot + "tgpu.async_commit\n" + readSlot).text,
            "read of a slot whose copy was not waited for: slot 0");
  EXPECT_EQ(run(copySlot + "tile.store %x, %v : !pointers\n" + awaitAll).text,
            "what a copy reads was changed before the copy was waited for");
  EXPECT_EQ(run(copySlot).text, "the program ends with a copy that was not waited for");
  EXPECT_EQ(run(copySlot + "tgpu.async_commit\n").text,
            "the program ends with a copy that was not waited for");
}

TEST(InterpreterBuffers, NameSlotsThatThereAre) {
  EXPECT_EQ(run("tgpu.local_store %v into %b[%2] : !values, !buffer").text,
            "expected a slot from 0 to 1, found 2");
  const std::string undefinedSlot = "%u = tile.load %xb : !tile.ptr<i32>\n";
  const std::string hint =
      ": it comes from memory never written, a masked load without `other`, or an operation "
      "without a result";
  EXPECT_EQ(run(undefinedSlot + "tgpu.local_store %v into %b[%u] : !values, !buffer", nullptr, false).text,
            "the slot of a buffer is undefined" + hint);
  EXPECT_EQ(run(undefinedSlot + "%c = arith.cmpi eq, %u, %1 : i32\n"
                                "tgpu.async_copy %x if %c into %b[%0] : !pointers, !buffer",
                nullptr, false)
                .text,
            "the condition of a copy is undefined" + hint);
}

TEST(InterpreterBuffers, KnowWhatTheyHold) {
  Outcome outcome = run("tgpu.local_store %v into %b[%1] : !values, !buffer\n" + readSlot);
  EXPECT_EQ(outcome.text, "read of a slot that was never written: slot 0");
  EXPECT_EQ(outcome.element, "(0, 0)");
  // What was copied from memory never written is undefined, and no sooner a fault than it is used.
  EXPECT_EQ(run(copySlot + awaitAll + readSlot, nullptr, false).text, "");
  EXPECT_EQ(run(copySlot + awaitAll + readSlot + keepRead, nullptr, false).text.substr(0, 29),
            "the value stored is undefined");
  EXPECT_EQ(run("%far = arith.constant dense<100> : !values\n%p = tile.addptr %x, %far : !pointers, !values\n"
                "tgpu.async_copy %p into %b[%0] : !pointers, !buffer")
                .text.substr(0, 47),
            "copy of 4 bytes at 0x200000000190: outside any ");
}

TEST(InterpreterBuffers, AreNoOtherValues) {
  EXPECT_EQ(run("%c = arith.select %yes, %b, %b : !buffer").text.substr(0, 49),
            "the interpreter has no values of type `!tgpu.buff");
}
