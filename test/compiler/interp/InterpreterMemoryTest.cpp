// Loads, stores and atomics, and the memory itself.
#include "compiler/interp/values/Memory.h"
#include "test/compiler/interp/InterpreterFixture.h"

#include <gtest/gtest.h>

using namespace tegula::interp;

using Values = std::vector<uint64_t>;

TEST(InterpreterMemory, MasksDecideWhatIsTouched) {
  // Four elements of which the third and fourth would lie outside.
  std::vector<Array> arrays{{4, {10, 20}}, {4, {0, 0, 0, 0}}};
  const char *text = R"(func.func @f(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
    %i = tile.arange 0 to 4 : tensor<4xi32>
    %two = arith.constant dense<2> : tensor<4xi32>
    %other = arith.constant dense<7> : tensor<4xi32>
    %m = arith.cmpi slt, %i, %two : tensor<4xi32>
    %xs = tile.splat %x : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
    %p = tile.addptr %xs, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    %v = tile.load %p, %m, %other : tensor<4x!tile.ptr<i32>>
    %os = tile.splat %out : !tile.ptr<i32> -> tensor<4x!tile.ptr<i32>>
    %q = tile.addptr %os, %i : tensor<4x!tile.ptr<i32>>, tensor<4xi32>
    tile.store %q, %v : tensor<4x!tile.ptr<i32>>
    tile.store %p, %v, %m : tensor<4x!tile.ptr<i32>>
    return
  })";
  EXPECT_EQ(run(text, arrays).text, "");
  EXPECT_EQ(arrays[1].elements, (Values{10, 20, 7, 7}));
}

// Undefined elements go where values go, and become memory that holds none.
TEST(InterpreterMemory, UndefinedElementsStayUndefined) {
  std::vector<Array> arrays{{4, {5}}, {4, {0, 0}, false}};
  const char *text = R"(func.func @f(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
    %i = tile.arange 0 to 2 : tensor<2xi32>
    %one = arith.constant dense<1> : tensor<2xi32>
    %m = arith.cmpi slt, %i, %one : tensor<2xi32>
    %xs = tile.splat %x : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
    %p = tile.addptr %xs, %i : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
    %v = tile.load %p, %m : tensor<2x!tile.ptr<i32>>
    %w = arith.addi %v, %one : tensor<2xi32>
    %os = tile.splat %out : !tile.ptr<i32> -> tensor<2x!tile.ptr<i32>>
    %q = tile.addptr %os, %i : tensor<2x!tile.ptr<i32>>, tensor<2xi32>
    tile.store %q, %w : tensor<2x!tile.ptr<i32>>
    return
  })";
  Options lenient;
  lenient.checkUndefinedStores = false;
  EXPECT_EQ(run(text, arrays, {}, {1, 1, 1}, lenient).text, "");
  EXPECT_EQ(arrays[1].elements[0], 6u);
  EXPECT_EQ(arrays[1].defined, (std::vector<bool>{true, false}));
  Outcome strict = run(text, arrays);
  EXPECT_EQ(strict.text,
            "the value stored is undefined: it comes from memory never written, a masked load without "
            "`other`, or an operation without a result");
  EXPECT_EQ(strict.element, "(1)");
}

namespace {

/// The memory and the results after an atomic on one word, twice.
Values atomic(const std::string &kind, const std::string &type, unsigned bytes, uint64_t before,
              uint64_t value) {
  std::vector<Array> arrays{{bytes, {before}}, {bytes, {0, 0}}};
  std::string text =
      "func.func @f(%x: !tile.ptr<" + type + ">, %out: !tile.ptr<" + type + ">, %v: " + type + R"() {
    %i = tile.arange 0 to 2 : tensor<2xi32>
    %xs = tile.splat %x : !tile.ptr<T> -> tensor<2x!tile.ptr<T>>
    %vs = tile.splat %v : T -> tensor<2xT>
    %old = tile.atomic_rmw KIND, relaxed, gpu, %xs, %vs : tensor<2x!tile.ptr<T>>
    %os = tile.splat %out : !tile.ptr<T> -> tensor<2x!tile.ptr<T>>
    %q = tile.addptr %os, %i : tensor<2x!tile.ptr<T>>, tensor<2xi32>
    tile.store %q, %old : tensor<2x!tile.ptr<T>>
    return
  })";
  for (auto [from, to] : {std::pair<std::string, std::string>{"<T>", "<" + type + ">"},
                          {": T ", ": " + type + " "},
                          {"xT>", "x" + type + ">"},
                          {"KIND", kind}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  EXPECT_EQ(run(text, arrays, {value}).text, "");
  return {arrays[0].elements[0], arrays[1].elements[0], arrays[1].elements[1]};
}

} // namespace

TEST(InterpreterAtomics, ChangeMemoryOnceForEachElement) {
  EXPECT_EQ(atomic("add", "i32", 4, 5, 3), (Values{11, 5, 8}));
  EXPECT_EQ(atomic("add", "i32", 4, 0xffffffff, 1), (Values{1, 0xffffffff, 0}));
  EXPECT_EQ(atomic("and", "i32", 4, 6, 3), (Values{2, 6, 2}));
  EXPECT_EQ(atomic("or", "i64", 8, 1ull << 40, 3), (Values{(1ull << 40) + 3, 1ull << 40, (1ull << 40) + 3}));
  EXPECT_EQ(atomic("xor", "i32", 4, 6, 3), (Values{6, 6, 5}));
  EXPECT_EQ(atomic("max", "i32", 4, 0xfffffff0, 3), (Values{3, 0xfffffff0, 3}));
  EXPECT_EQ(atomic("umax", "i32", 4, 0xfffffff0, 3), (Values{0xfffffff0, 0xfffffff0, 0xfffffff0}));
  EXPECT_EQ(atomic("min", "i32", 4, 3, 0xfffffff0), (Values{0xfffffff0, 3, 0xfffffff0}));
  EXPECT_EQ(atomic("umin", "i32", 4, 0xfffffff0, 3), (Values{3, 0xfffffff0, 3}));
  EXPECT_EQ(atomic("xchg", "i32", 4, 1, 2), (Values{2, 1, 2}));
  EXPECT_EQ(atomic("fadd", "f16", 2, 0x3c00, 0x3c00), (Values{0x4200, 0x3c00, 0x4000}));
  EXPECT_EQ(atomic("fadd", "bf16", 2, 0x3f80, 0x3f80), (Values{0x4040, 0x3f80, 0x4000}));
}

TEST(InterpreterAtomics, CompareBeforeTheyExchange) {
  std::vector<Array> arrays{{4, {0}}, {4, {9, 9}}};
  EXPECT_EQ(run(R"(func.func @f(%x: !tile.ptr<i32>, %out: !tile.ptr<i32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %a = tile.atomic_cas acq_rel, gpu, %x, %zero, %one : !tile.ptr<i32>
    %b = tile.atomic_cas acq_rel, gpu, %x, %zero, %two : !tile.ptr<i32>
    tile.barrier
    %next = tile.addptr %out, %one : !tile.ptr<i32>, i32
    tile.store %out, %a : !tile.ptr<i32>
    tile.store %next, %b : !tile.ptr<i32>
    return
  })",
                arrays)
                .text,
            "");
  EXPECT_EQ(arrays[0].elements[0], 1u);
  EXPECT_EQ(arrays[1].elements, (Values{0, 1}));
}

TEST(InterpreterAtomics, LoadAndStoreWhereTheMaskHolds) {
  // Four elements of which the third and fourth would lie outside.
  std::vector<Array> arrays{{2, {10, 20}}, {2, {1, 2, 3, 4}}};
  EXPECT_EQ(run(R"(func.func @f(%x: !tile.ptr<f16>, %out: !tile.ptr<f16>) {
    %i = tile.arange 0 to 4 : tensor<4xi32>
    %two = arith.constant dense<2> : tensor<4xi32>
    %m = arith.cmpi slt, %i, %two : tensor<4xi32>
    %xs = tile.splat %x : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
    %p = tile.addptr %xs, %i : tensor<4x!tile.ptr<f16>>, tensor<4xi32>
    %v = tile.atomic_load acquire, gpu, %p, %m : tensor<4x!tile.ptr<f16>>
    %os = tile.splat %out : !tile.ptr<f16> -> tensor<4x!tile.ptr<f16>>
    %q = tile.addptr %os, %i : tensor<4x!tile.ptr<f16>>, tensor<4xi32>
    tile.atomic_store release, gpu, %q, %v, %m : tensor<4x!tile.ptr<f16>>
    %last = tile.atomic_load relaxed, cta, %out : !tile.ptr<f16>
    tile.atomic_store relaxed, cta, %x, %last : !tile.ptr<f16>
    return
  })",
                arrays)
                .text,
            "");
  EXPECT_EQ(arrays[0].elements, (Values{10, 20}));
  EXPECT_EQ(arrays[1].elements, (Values{10, 20, 3, 4}));
}

TEST(InterpreterMemory, FindsOnlyWhatLives) {
  Memory memory;
  const uint64_t a = memory.allocate(40, "a")->base, b = memory.allocate(0)->base;
  EXPECT_EQ(a % 256, 0u);
  uint32_t word = 7, back = 0;
  EXPECT_TRUE(memory.write(a + 36, &word, 4));
  EXPECT_TRUE(memory.read(&back, a + 36, 4));
  EXPECT_EQ(back, 7u);
  EXPECT_FALSE(memory.write(a + 37, &word, 4));
  EXPECT_FALSE(memory.read(&back, b, 1));
  EXPECT_TRUE(memory.read(&back, b, 0));
  EXPECT_EQ(memory.explain(8, 4), "a null address");
  EXPECT_EQ(memory.explain(4096, 4), "outside any array");
  EXPECT_EQ(memory.explain(a + 38, 4),
            "outside any array, 2 of its bytes are past the end of `a`, the 40 bytes at 0x200000000000");
  EXPECT_EQ(memory.explain(a + 48, 4),
            "outside any array, 8 bytes past the end of `a`, the 40 bytes at 0x200000000000");
  EXPECT_FALSE(memory.free(a + 8));
  EXPECT_TRUE(memory.free(a));
  EXPECT_FALSE(memory.free(a));
  EXPECT_FALSE(memory.read(&back, a, 4));
  EXPECT_EQ(memory.explain(a, 4), "in memory that was freed, of `a`, the 40 bytes at 0x200000000000");
  EXPECT_EQ(memory.allocate(~uint64_t(0)), nullptr);
}
