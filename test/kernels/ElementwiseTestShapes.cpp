// Shapes, strides and masks: every way in which an element gets from one thread to another, for elements of
// every size and blocks of every number of warps. The values are bits of the place that they come from, so
// that an element in a wrong place shows.
#include "test/kernels/ElementwiseTestRun.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::e2e;

namespace {

constexpr const char *Head = "import triton\nimport triton.language as tl\n\n\n";
/// One type of each size, signed, unsigned and float.
constexpr Dtype sizes[] = {Dtype::i8, Dtype::bf16, Dtype::f32, Dtype::u64};

/// Different from its neighbours near and far, in the low byte too; never a NaN.
std::vector<Bits> places(Dtype type, size_t count) {
  std::vector<Bits> values(count);
  Random random(count);
  for (size_t i = 0; i < count; ++i) {
    const size_t round = i / 251;
    values[i] = isFloat(type) ? fromReal(type, double(i % 251) - 100 + double(round) * 0.125)
                              : fromInt(type, random.next());
  }
  return values;
}

struct Case {
  int rows, columns, warps;
};
/// From one element to 4096: less than a warp, less than the block's threads, and many for each thread.
constexpr Case cases[] = {{1, 1, 4},  {1, 8, 1},   {8, 1, 2},   {2, 2, 16},  {16, 16, 1},  {4, 64, 4},
                          {64, 4, 4}, {32, 32, 8}, {128, 8, 2}, {64, 64, 4}, {1, 4096, 4}, {2048, 2, 16}};

/// `body` makes `r`, a tensor of `out` elements in all, from `x`, which is [M, N] and lies row by row. It is
/// stored row by row, and once more column by column, in another kernel of the same body.
struct Movement {
  std::string body;
  std::function<std::pair<int, int>(int, int)> shape;              ///< of `r`
  std::function<size_t(int m, int n, int row, int column)> source; ///< the element of `x` that lands there
};

void move(const Movement &movement, Dtype type, Case size, bool columnMajor) {
  auto [rows, columns] = movement.shape(size.rows, size.columns);
  std::string source =
      Head + fmt::format(R"(
@triton.jit
def kernel(x_ptr, out, M: tl.constexpr, N: tl.constexpr, R: tl.constexpr, C: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :])
    {}
    i = tl.arange(0, R)
    j = tl.arange(0, C)
    tl.store(out + {}, r)
)",
                         movement.body,
                         columnMajor ? "i[:, None] + j[None, :] * R" : "i[:, None] * C + j[None, :]");
  SCOPED_TRACE(fmt::format("{} of {} [{}, {}], {} warps, {}", movement.body, languageName(type), size.rows,
                           size.columns, size.warps, columnMajor ? "stored by columns" : "stored by rows"));
  std::vector<Bits> values = places(type, size_t(size.rows) * size.columns);
  Memory in(type, values), out(type, std::vector<Bits>(size_t(rows) * columns));
  try {
    Program::parse("movement.py", source)
        .kernel()
        .constexpr_("M", size.rows)
        .constexpr_("N", size.columns)
        .constexpr_("R", rows)
        .constexpr_("C", columns)
        .numWarps(size.warps)
        .launch(device(), 1, in.pointer(), out.pointer());
    std::vector<Bits> found = out.read();
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column) {
        size_t at = columnMajor ? row + size_t(column) * rows : size_t(row) * columns + column;
        ASSERT_EQ(found[at], values[movement.source(size.rows, size.columns, row, column)])
            << "at [" << row << ", " << column << "]";
      }
  } catch (const Error &error) {
    ADD_FAILURE() << error.what();
  }
}

void moveAll(const Movement &movement) {
  for (Dtype type : sizes)
    for (const Case &size : cases)
      for (bool columnMajor : {false, true})
        move(movement, type, size, columnMajor);
}

std::pair<int, int> same(int m, int n) { return {m, n}; }
std::pair<int, int> swapped(int m, int n) { return {n, m}; }

TEST(Shapes, AnIdentityStoredInEitherOrder) {
  moveAll({"r = x", same, [](int, int n, int i, int j) { return size_t(i) * n + j; }});
}

TEST(Shapes, Transposed) {
  moveAll({"r = tl.trans(x)", swapped, [](int, int n, int i, int j) { return size_t(j) * n + i; }});
}

TEST(Shapes, TransposedTwiceAndByAttribute) {
  moveAll({"r = tl.permute(x.T, (1, 0))", same, [](int, int n, int i, int j) { return size_t(i) * n + j; }});
}

TEST(Shapes, Reshaped) {
  // Row by row the order stays, so the i-th element of all is the i-th.
  moveAll({"r = tl.reshape(x, (N, M))", swapped, [](int m, int, int i, int j) { return size_t(i) * m + j; }});
}

TEST(Shapes, TransposedAndReshaped) {
  moveAll({"r = tl.trans(x).reshape(M, N)", same, [](int m, int n, int i, int j) {
             size_t at = size_t(i) * n + j;
             return at % m * n + at / m;
           }});
}

TEST(Shapes, FlattenedAndShapedAgain) {
  moveAll({"r = tl.ravel(x).reshape(M, N).trans().reshape(N, M)", swapped,
           [](int, int n, int i, int j) { return size_t(j) * n + i; }});
}

TEST(Shapes, ThroughThreeDimensions) {
  moveAll({"r = tl.permute(x.expand_dims(1), (2, 1, 0)).reshape(N, M)", swapped,
           [](int, int n, int i, int j) { return size_t(j) * n + i; }});
}

TEST(Shapes, ABoolTensorMovesLikeAnyOther) {
  moveAll({"r = tl.where(tl.trans(x == x), tl.trans(x), 0).to(x.dtype)", swapped,
           [](int, int n, int i, int j) { return size_t(j) * n + i; }});
}

TEST(Shapes, AConditionIsTransposed) {
  // The predicate itself crosses from thread to thread.
  for (const Case &size : cases) {
    int m = size.rows, n = size.columns;
    std::vector<Bits> values = places(Dtype::i32, size_t(m) * n);
    Memory in(Dtype::i32, values), out(Dtype::i1, std::vector<Bits>(values.size()));
    Program::parse("condition.py", std::string(Head) + R"(
@triton.jit
def kernel(x_ptr, out, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    x = tl.load(x_ptr + m[:, None] * N + n[None, :])
    tl.store(out + n[:, None] * M + m[None, :], tl.trans(x > 0))
)")
        .kernel()
        .constexpr_("M", m)
        .constexpr_("N", n)
        .numWarps(size.warps)
        .launch(device(), 1, in.pointer(), out.pointer());
    std::vector<Bits> found = out.read();
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_EQ(found[i], int32_t(values[i % m * n + i / m]) > 0) << m << " x " << n << " at " << i;
  }
}

TEST(Shapes, BroadcastRowsAndColumns) {
  for (Dtype type : numbers)
    for (const Case &size : cases) {
      int m = size.rows, n = size.columns;
      std::vector<Bits> a = places(type, m), b = places(type, n);
      Memory left(type, a), right(type, b), sums(type, std::vector<Bits>(size_t(m) * n)),
          across(type, std::vector<Bits>(size_t(m) * n));
      Program::parse("broadcast.py", std::string(Head) + R"(
@triton.jit
def kernel(a_ptr, b_ptr, sums, across, M: tl.constexpr, N: tl.constexpr):
    m = tl.arange(0, M)
    n = tl.arange(0, N)
    a = tl.load(a_ptr + m)
    b = tl.load(b_ptr + n)
    tl.store(sums + m[:, None] * N + n[None, :], a[:, None] + b[None, :])
    tl.store(across + m[None, :] + n[:, None] * M, tl.broadcast_to(a[None, :], (N, M)))
)")
          .kernel()
          .constexpr_("M", m)
          .constexpr_("N", n)
          .numWarps(size.warps)
          .launch(device(), 1, left.pointer(), right.pointer(), sums.pointer(), across.pointer());
      std::vector<Bits> sum = sums.read(), copy = across.read();
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
          ASSERT_EQ(sum[size_t(i) * n + j], apply(Op::Add, type, a[i], b[j], false).bits)
              << languageName(type) << " [" << i << ", " << j << "] of [" << m << ", " << n << "]";
          ASSERT_EQ(copy[i + size_t(j) * m], a[i]) << languageName(type) << " [" << j << ", " << i << "]";
        }
    }
}

} // namespace
