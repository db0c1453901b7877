// Products of large tiles, whose loads warps of their own may bring and whose blocks may run several
// programs: strides of whole 16 bytes, operands as they lie in memory, results that leave by TMA. A program
// has a tile, or goes round several (`tl.range(..., flatten=True)`), counted once or twice.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::random {

using enum ScalarKind;

/// Multiplications in a kernel: the interpreter does about so many in a tenth of a second.
static constexpr int64_t mostProducts = int64_t(1) << 24;
static constexpr int64_t mostSharedBytes = 200 << 10;

/// Sides that fit the registers, whose sums threads can exchange, and two stages of which fit in shared
/// memory.
DotSides Generator::tileSides(const DotType &type) {
  static const std::vector<int> heights{64, 128, 128, 256}, widths{64, 128, 256}, bytes{64, 128, 128};
  const int width = bitsOf(type.operand) / 8;
  DotSides sides{0, oneOf(heights), oneOf(widths), oneOf(bytes) / width};
  while (int64_t(sides.m) * sides.n > std::min(128 * 32 * int64_t(kernel.numWarps), mostSharedBytes / 4) ||
         2 * int64_t(sides.m + sides.n) * sides.k * width > mostSharedBytes)
    (sides.m > sides.n ? sides.m : sides.n) /= 2;
  mostStages = std::min<int>(5, int(mostSharedBytes / (int64_t(sides.m + sides.n) * sides.k * width)));
  kernel.numStages = std::min(kernel.numStages, uint32_t(mostStages));
  return sides;
}

Matrix Generator::alignedMatrix(const DotType &type, int batches, int rows, int columns, bool byColumns,
                                int front) {
  const int across = std::max(1, byColumns ? rows : columns);
  const int even = (across + 15) / 16 * 16 + (chance(30) ? 16 : 0), stride = chance(92) ? even : across;
  return filled(type, type.operand, batches, rows, columns, byColumns, stride,
                front && !byColumns ? front * stride
                : chance(3)         ? 1
                                    : 0);
}

/// Rows from the first before the pointer on, by arithmetic that does not tell their sign.
std::string Generator::movedToFront(const Matrix &matrix, const std::string &index) {
  const std::string name = fresh("i"), by = number(fresh("n"), matrix.front);
  const std::string ways[] = {
      fmt::format("{} - {}", index, matrix.front),
      fmt::format("{} - {}", index, by),
      fmt::format("~({} + {} - {})", matrix.front, -1, index),
      fmt::format("tl.where({0} >= 0, {0} - {1}, 0)", index, matrix.front),
      fmt::format("{}.to(tl.int64) - {}", index, by),
      fmt::format("{} + ((tl.program_id(0) - {}) // 4096 - {})", index, by, matrix.front),
      fmt::format("{} + (-{} % 4096)", index, by),
      fmt::format("{} + tl.minimum(tl.program_id(0), -{})", index, by),
      fmt::format("{} + ((tl.program_id(0) ^ -1) | -1) * {}", index, by)};
  line(fmt::format("{} = {}", name, ways[size_t(upTo(int(std::size(ways))))]));
  return name;
}

/// Indices of rows that exist: those behind the end stand for others, in one of the ways that kernels have.
std::string Generator::existing(const std::string &index, const std::string &limit, int length, int side,
                                int way) {
  const std::string name = fresh("i");
  line(way == 1   ? fmt::format("{} = {} % {}", name, index, limit)
       : way == 2 ? fmt::format("{0} = tl.where({1} < {2}, {1}, 0)", name, index, limit)
                  : fmt::format("{0} = tl.minimum({1}, {2} - 1)", name, index, limit));
  // What is claimed is true where sides are whole, also of programs beyond the last.
  if (length % side == 0 && way == 1 && chance(60))
    line(fmt::format("{0} = tl.max_contiguous(tl.multiple_of({0}, {1}), {1})", name, side));
  return name;
}

/// The sums of one tile, perhaps with something done to them, within the edges of the result.
void Generator::storeTile(const Value &sum, const std::string &rows, const std::string &columns,
                          const Matrix &a, const Matrix &b, const std::string &batch) {
  Value stored = sum;
  if (isFloat(sum.type)) {
    static const std::vector<ScalarKind> smaller{Float16, BFloat16};
    if (chance(30))
      stored.text = fmt::format("tl.maximum({}, 0)", stored.text);
    const ScalarKind to = oneOf(smaller);
    if (chance(70) && fits(stored, to)) {
      stored.text = fmt::format("({}).to({})", stored.text, nameOf(to));
      stored.type = to;
    }
  }
  const int even = (std::max(1, b.columns) + 15) / 16 * 16,
            across = chance(85) ? even : std::max(1, b.columns);
  const int64_t count = int64_t(std::max(1, a.rows)) * across;
  const std::string array = output(stored.type, count * (batch.empty() ? 1 : 2)),
                    stride = number(array + "_stride", across);
  const std::string behind =
      batch.empty() ? "" : fmt::format(" + {} * {}", batch, number(array + "_batch", int(count)));
  const std::string places =
                        fmt::format("{} + {}[:, None] * {} + {}[None, :]", behind, rows, stride, columns),
                    mask = fmt::format("({}[:, None] < {}) & ({}[None, :] < {})", rows, a.rowLimit, columns,
                                       b.columnLimit);
  line(fmt::format("tl.store({}{}, {}, mask={})", array, places, stored.text, mask));
  if (chance(12))
    loadByAlias(array, stored, places, mask, count * (batch.empty() ? 1 : 2));
}

/// Loads what was just stored through another parameter that is the same array.
void Generator::loadByAlias(const std::string &array, const Value &stored, const std::string &places,
                            const std::string &mask, int64_t count) {
  const std::string again = fresh("x"), copy = output(stored.type, count);
  Argument alias{again, {stored.type, 1, {16}}};
  alias.aliasOf = array;
  kernel.arguments.push_back(alias);
  line(fmt::format("tl.store({}{}, tl.load({}{}, mask={}, other=0), mask={})", copy, places, again, places,
                   mask, mask));
}

/// The tile at `row` and `column`, which are counts of tiles.
void Generator::tile(const DotType &type, const DotSides &sides, const Matrix &a, const Matrix &b,
                     const std::string &row, const std::string &column, const std::string &batch) {
  const std::string rows = fresh("i"), columns = fresh("i");
  line(fmt::format("{} = {} * {} + tl.arange(0, {})", rows, row, sides.m, sides.m));
  line(fmt::format("{} = {} * {} + tl.arange(0, {})", columns, column, sides.n, sides.n));
  const int way = upTo(4); // 0: a mask
  std::string loadRows = way ? existing(rows, a.rowLimit, a.rows, sides.m, way) : rows;
  const std::string loadColumns = way ? existing(columns, b.columnLimit, b.columns, sides.n, way) : columns;
  Matrix left = a, right = b;
  if (!batch.empty())
    for (Matrix *each : {&left, &right}) {
      const std::string start = fresh("p");
      line(fmt::format("{} = {} + {}{} * {}", start, each->name, batch, chance(50) ? ".to(tl.int64)" : "",
                       each->batchStride));
      each->name = start;
    }
  if (left.front)
    loadRows = movedToFront(left, loadRows);
  const Value sum = loopOverK(type, sides, left, right, loadRows, loadColumns, way != 0);
  storeTile(sum, rows, columns, a, b, batch);
  // The same product once more, in a loop of its own that begins with equal sums.
  if (chance(10))
    storeTile(loopOverK(type, sides, left, right, loadRows, loadColumns, way != 0), rows, columns, a, b,
              batch);
}

/// A product of two matrices, the tiles of which programs share out in one of the usual ways.
void Generator::tileProduct() {
  static const double single = 0x1p-23;
  static const std::vector<DotType> types{{Float16, Float32, "", 16, true, single},
                                          {Float16, Float32, "", 16, true, single},
                                          {BFloat16, Float32, "", 16, true, single},
                                          {Float32, Float32, "", 16, true, single},
                                          {Int8, Int32, "", 32, true, 0},
                                          {Float8E4M3, Float32, "", 32, true, 0x1p-12}};
  DotType type = oneOf(types);
  if (type.operand == Float8E4M3 && !features.fp8)
    type = types.front();
  const DotSides sides = tileSides(type);
  const bool isBatch = chance(20);
  const int down = 1 + upTo(3), along = 1 + upTo(2);
  int steps = upTo(7);
  while (steps > 1 &&
         int64_t(down) * along * sides.m * sides.n * steps * sides.k * (isBatch ? 2 : 1) > mostProducts)
    --steps;
  const auto ragged = [&](int all, int side) {
    return std::max(all ? 1 : 0, all - (chance(50) ? upTo(side) : 0));
  };
  const int m = ragged(down * sides.m, sides.m), n = ragged(along * sides.n, sides.n),
            k = ragged(steps * sides.k, sides.k);
  const bool isWide = bitsOf(type.operand) == 16; // others have K side by side in shared memory
  const int batches = isBatch ? 2 : 0;
  const Matrix a = alignedMatrix(type, batches, m, k, isWide ? chance(25) : chance(5),
                                 chance(20) ? 2 + upTo(2 * sides.m) : 0), // 1 would be part of the code
      b = alignedMatrix(type, batches, k, n, isWide ? chance(50) : chance(90));
  const std::string row = fresh("k"), column = fresh("k"), batch = isBatch ? fresh("k") : "";
  const int tiles = down * along;
  const auto place = [&](const std::string &tile) {
    if (chance(30)) { // down the columns of two rows of tiles
      const std::string rows = fresh("k");
      line(fmt::format("{} = max(min({} - {} // {} * 2, 2), 1)", rows, down, tile, 2 * along));
      line(fmt::format("{0} = {1} // {2} * 2 + {1} % {2} % {3}", row, tile, 2 * along, rows));
      line(fmt::format("{0} = {1} % {2} // {3}", column, tile, 2 * along, rows));
    } else {
      line(fmt::format("{} = {} // {}", row, tile, along));
      line(fmt::format("{} = {} % {}", column, tile, along));
    }
  };
  const int way = upTo(isBatch ? 2 : 3);
  if (way == 2) { // every program goes round several
    const std::string at = fresh("k"), all = number(fresh("n"), tiles), again = chance(50) ? fresh("k") : "";
    if (!again.empty())
      line(fmt::format("{} = tl.program_id(0) - tl.num_programs(0)", again));
    Node loop{fmt::format("for {} in tl.range(tl.program_id(0), {}, tl.num_programs(0){}):", at, all,
                          chance(70) ? ", flatten=True" : ""),
              {},
              {}};
    std::vector<Node> *outside = nodes;
    const std::vector<Value> before = live;
    nodes = &loop.body;
    place(at);
    if (!again.empty())
      line(fmt::format("{} += tl.num_programs(0)", again));
    tile(type, sides, a, b, row, column, "");
    nodes = outside;
    live = before;
    nodes->push_back(std::move(loop));
    return;
  }
  kernel.grid[0] = std::max(kernel.grid[0], uint32_t(way == 0 ? down : tiles));
  kernel.grid[1] = std::max(kernel.grid[1], uint32_t(way == 0 ? along : isBatch ? 2 : 1));
  if (way == 0) {
    line(fmt::format("{} = tl.program_id(0)", row));
    line(fmt::format("{} = tl.program_id(1)", column));
  } else {
    place("tl.program_id(0)");
  }
  if (isBatch)
    line(fmt::format("{} = tl.program_id({}) % 2", batch, way == 0 ? 2 : 1));
  if (isBatch && way == 0)
    kernel.grid[2] = 2;
  tile(type, sides, a, b, row, column, batch);
}

RandomKernel Generator::makeTiles() {
  static const std::vector<uint32_t> warps{4, 8, 8, 8, 16}, counts{1, 2, 3, 4};
  kernel.numWarps = oneOf(warps);
  kernel.numStages = uint32_t(2 + upTo(4));
  kernel.grid = {oneOf(counts), 1, 1};
  nodes = &kernel.body;
  tileProduct();
  if (chance(15))
    tileProduct();
  return std::move(kernel);
}

} // namespace tegula::random
