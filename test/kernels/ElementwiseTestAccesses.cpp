// Loads and stores: sizes, strides, alignment, masks and scalars, for elements of every size.
#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::e2e;

namespace {

constexpr Dtype sizes[] = {Dtype::i1, Dtype::u8, Dtype::f16, Dtype::i32, Dtype::f64};

std::vector<Bits> places(Dtype type, size_t count) {
  std::vector<Bits> values(count);
  Random random(count);
  for (Bits &value : values)
    value = isFloat(type) ? fromReal(type, std::int64_t(random.next() % 2000) - 1000)
                          : fromInt(type, random.next());
  return values;
}

/// Returns the value that fills memory which a kernel must not touch.
Bits untouched(Dtype type) {
  return type == Dtype::i1 ? 1 : isFloat(type) ? fromReal(type, -3) : fromInt(type, 0x5a);
}

Kernel kernelOf(const std::string &body) {
  return Program::parse("access.py", "import triton\nimport triton.language as tl\n\n\n@triton.jit\n" + body)
      .kernel();
}

TEST(Accesses, BlocksOfEverySizeAndNumberOfWarps) {
  Kernel copy = kernelOf("def kernel(x, out, n, BLOCK: tl.constexpr):\n"
                         "    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
                         "    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)\n");
  for (Dtype type : sizes)
    for (int warps : {1, 2, 4, 8, 16})
      for (int block = 1; block <= 4096; block *= 4)
        for (int n : {block, 2 * block - 1}) {
          std::vector<Bits> values = places(type, n);
          Memory in(type, values), out(type, std::vector<Bits>(n, untouched(type)));
          copy.constexpr_("BLOCK", block)
              .numWarps(warps)
              .launch(device(), cdiv(n, block), in.pointer(), out.pointer(), n);
          ASSERT_EQ(out.read(), values)
              << languageName(type) << ", " << n << " in blocks of " << block << ", " << warps << " warps";
        }
}

TEST(Accesses, StridesAndMisalignment) {
  Kernel copy = kernelOf("def kernel(x, out, from_stride, to_stride, BLOCK: tl.constexpr):\n"
                         "    i = tl.arange(0, BLOCK)\n"
                         "    tl.store(out + i * to_stride, tl.load(x + i * from_stride))\n");
  constexpr int n = 256;
  for (Dtype type : sizes)
    for (int from : {1, 2, 3, 16})
      for (int to : {1, 5, 16})
        for (size_t skip : {0, 1, 2, 3, 4}) {
          std::vector<Bits> values = places(type, n * from), expected(n * to, untouched(type));
          Memory in(type, values, skip), out(type, expected, (skip * 3) % 5);
          copy.constexpr_("BLOCK", n).launch(device(), 1, in.pointer(), out.pointer(), from, to);
          for (int i = 0; i < n; ++i)
            expected[i * to] = values[i * from];
          ASSERT_EQ(out.read(), expected) << languageName(type) << ", strides " << from << " and " << to
                                          << ", " << skip << " elements late";
        }
}

TEST(Accesses, AReversedAndARepeatedLoad) {
  Kernel gather = kernelOf("def kernel(x, out, halves, BLOCK: tl.constexpr):\n"
                           "    i = tl.arange(0, BLOCK)\n"
                           "    tl.store(out + i, tl.load(x + (BLOCK - 1 - i)))\n"
                           "    tl.store(halves + i, tl.load(x + i // 2))\n");
  for (Dtype type : sizes)
    for (int n : {2, 64, 512, 2048}) {
      std::vector<Bits> values = places(type, n);
      Memory in(type, values), reversed(type, std::vector<Bits>(n)), halves(type, std::vector<Bits>(n));
      gather.constexpr_("BLOCK", n).launch(device(), 1, in.pointer(), reversed.pointer(), halves.pointer());
      std::vector<Bits> r = reversed.read(), h = halves.read();
      for (int i = 0; i < n; ++i) {
        ASSERT_EQ(r[i], values[n - 1 - i]) << languageName(type) << " at " << i << " of " << n;
        ASSERT_EQ(h[i], values[i / 2]) << languageName(type) << " at " << i << " of " << n;
      }
    }
}

TEST(Accesses, MasksGiveOtherAndLeaveMemoryAlone) {
  // Every k-th element; a prefix; all; none. What `other` is follows the type of the pointer.
  Kernel masked = kernelOf("def kernel(x, out, kept, n, k, OTHER: tl.constexpr, BLOCK: tl.constexpr):\n"
                           "    i = tl.arange(0, BLOCK)\n"
                           "    mask = (i < n) & (i % k == 0)\n"
                           "    tl.store(out + i, tl.load(x + i, mask=mask, other=OTHER))\n"
                           "    tl.store(kept + i, tl.load(x + i), mask=mask)\n");
  constexpr int block = 512;
  for (Dtype type : sizes)
    for (int warps : {1, 4, 8})
      for (int n : {0, 1, 100, 256, 511, 512})
        for (int k : {1, 2, 7})
          for (int other : {0, 1}) {
            std::vector<Bits> values = places(type, block), out(block), kept(block, untouched(type));
            Memory in(type, values), outMemory(type, out), keptMemory(type, kept);
            masked.constexpr_("OTHER", other)
                .constexpr_("BLOCK", block)
                .numWarps(warps)
                .launch(device(), 1, in.pointer(), outMemory.pointer(), keptMemory.pointer(), n, k);
            for (int i = 0; i < block; ++i) {
              bool on = i < n && i % k == 0;
              out[i] = on ? values[i] : convert(Dtype::i32, other, type);
              kept[i] = on ? values[i] : kept[i];
            }
            ASSERT_EQ(outMemory.read(), out) << languageName(type) << ", n " << n << ", every " << k << "-th";
            ASSERT_EQ(keptMemory.read(), kept)
                << languageName(type) << ", n " << n << ", every " << k << "-th";
          }
}

TEST(Accesses, AMaskedLoadReadsNothingBehindTheEnd) {
  // The emulator refuses an access outside an allocation, so that a load without effect would be seen.
  Kernel load = kernelOf("def kernel(x, out, n, BLOCK: tl.constexpr):\n"
                         "    i = tl.arange(0, BLOCK)\n"
                         "    tl.store(out + i, tl.load(x + i, mask=i < n, other=0))\n"
                         "    tl.store(x + i + 100000000, 1, mask=i < 0)\n");
  for (Dtype type : sizes)
    for (int n : {1, 3, 17, 1023}) {
      std::vector<Bits> values = places(type, n), expected = values;
      expected.resize(1024);
      Memory in(type, values), out(type, std::vector<Bits>(1024, untouched(type)));
      load.constexpr_("BLOCK", 1024).launch(device(), 1, in.pointer(), out.pointer(), n);
      ASSERT_EQ(out.read(), expected) << languageName(type) << ", n " << n;
    }
}

TEST(Accesses, ATensorAsOtherAndAMaskOfLowerRank) {
  Kernel masked = kernelOf("def kernel(x, out, m, M: tl.constexpr, N: tl.constexpr):\n"
                           "    i = tl.arange(0, M)\n    j = tl.arange(0, N)\n"
                           "    at = i[:, None] * N + j[None, :]\n"
                           "    x_tile = tl.load(x + at, mask=i[:, None] < m, other=j[None, :])\n"
                           "    tl.store(out + at, x_tile, mask=j[None, :] >= 3)\n");
  constexpr int rows = 16, columns = 32;
  for (Dtype type : sizes) {
    if (type == Dtype::i1)
      continue;
    for (int m : {0, 5, 16}) {
      std::vector<Bits> values = places(type, rows * columns), expected(rows * columns, untouched(type));
      Memory in(type, values), out(type, expected);
      masked.constexpr_("M", rows)
          .constexpr_("N", columns)
          .launch(device(), 1, in.pointer(), out.pointer(), m);
      for (int i = 0; i < rows; ++i)
        for (int j = 3; j < columns; ++j)
          expected[i * columns + j] = i < m ? values[i * columns + j] : convert(Dtype::i32, j, type);
      ASSERT_EQ(out.read(), expected) << languageName(type) << ", m " << m;
    }
  }
}

TEST(Accesses, Scalars) {
  Kernel scalars = kernelOf("def kernel(x, out, flag, BLOCK: tl.constexpr):\n"
                            "    pid = tl.program_id(0)\n"
                            "    value = tl.load(x + pid)\n"
                            "    tl.store(out + pid, value)\n"
                            "    tl.store(out + 4 + pid, tl.load(x + pid, mask=pid < flag, other=1))\n"
                            "    tl.store(out + 8 + pid, value, mask=pid >= flag)\n"
                            "    tl.store(out + 12 + pid * BLOCK + tl.arange(0, BLOCK), value)\n");
  for (Dtype type : sizes)
    for (int warps : {1, 4, 16})
      for (int flag : {0, 2, 4}) {
        constexpr int block = 8, programs = 4;
        std::vector<Bits> values = places(type, programs), expected(12 + programs * block, untouched(type));
        Memory in(type, values), out(type, expected);
        scalars.constexpr_("BLOCK", block)
            .numWarps(warps)
            .launch(device(), programs, in.pointer(), out.pointer(), flag);
        for (int pid = 0; pid < programs; ++pid) {
          expected[pid] = values[pid];
          expected[4 + pid] = pid < flag ? values[pid] : convert(Dtype::i32, 1, type);
          expected[8 + pid] = pid >= flag ? values[pid] : expected[8 + pid];
          for (int i = 0; i < block; ++i)
            expected[12 + pid * block + i] = values[pid];
        }
        ASSERT_EQ(out.read(), expected) << languageName(type) << ", " << warps << " warps, flag " << flag;
      }
}

TEST(Accesses, AllPositionsOfAThreeDimensionalGrid) {
  Kernel write = kernelOf("def kernel(out):\n"
                          "    x = tl.program_id(0)\n    y = tl.program_id(1)\n    z = tl.program_id(2)\n"
                          "    at = (z * tl.num_programs(1) + y) * tl.num_programs(0) + x\n"
                          "    tl.store(out + at, x + 10 * y + 100 * z)\n");
  std::vector<Bits> expected(5 * 3 * 2);
  Memory out(Dtype::i32, expected);
  write.launch(device(), Grid(5, 3, 2), out.pointer());
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 5; ++x)
        expected[(z * 3 + y) * 5 + x] = x + 10 * y + 100 * z;
  ASSERT_EQ(out.read(), expected);
}

} // namespace
