// Matrices in memory and loops over them: ragged edges, strides, transposed tiles, several tiles in flight.
#include "test/random/Generator.h"
#include "test/random/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::random {

using enum ScalarKind;

/// An argument with a number, as a launcher passes it.
std::string Generator::number(const std::string &name, int value) {
  Argument argument;
  argument.name = name;
  argument.elements = {uint32_t(value)};
  if (value % 16 == 0)
    argument.type.facts.divisibility = 16;
  kernel.arguments.push_back(argument);
  return name;
}

/// A matrix, or several, by rows or by columns, with or without room behind each.
Matrix Generator::matrix(const DotType &type, ScalarKind element, int batches, int rows, int columns) {
  const bool byColumns = chance(40);
  int across = byColumns ? rows : columns;
  if (chance(60))
    across = (across + 15) / 16 * 16 + (chance(30) ? 16 : 0);
  const uint32_t skip = chance(10) ? uint32_t(1 + upTo(3)) : 0;
  return filled(type, element, batches, rows, columns, byColumns, across, skip);
}

/// A matrix whose rows, or columns, are `across` elements apart, `skip` elements behind where its array
/// begins.
Matrix Generator::filled(const DotType &type, ScalarKind element, int batches, int rows, int columns,
                         bool byColumns, int across, uint32_t skip) {
  Matrix made{fresh("x"), rows, columns, {}, "", "", "", "", ""};
  made.rowLimit = number(made.name + "_rows", rows);
  made.columnLimit = number(made.name + "_columns", columns);
  made.front = byColumns ? 0 : int(skip) / std::max(1, across);
  const bool isSmall = type.sum == Float16; // has no room for more
  made.element = {"", element, {}, isFloat(element) && !isSmall ? -1 : 0, isSmall ? 1.0 : 4.0};
  if (isNormal())
    made.element.bound = isFloat(element) ? 1 : 74;
  const int along = byColumns ? columns : rows;
  Argument argument;
  argument.name = made.name;
  const uint32_t width = uint32_t(scalarKindBytes(element));
  argument.type = {element, 1, {skip * width % 16 == 0 ? 16u : width}};
  argument.skip = skip;
  // A matrix without elements still has an address.
  const size_t count = size_t(std::max(1, batches) * std::max(1, along * across)) + argument.skip;
  std::normal_distribution<double> normal;
  for (size_t i = 0; i < count; ++i) {
    const int small = isSmall ? upTo(3) - 1 : upTo(17) - 8;
    if (!isFloat(element))
      argument.elements.push_back(random() & 0xff);
    else
      argument.elements.push_back(nearest(element, isNormal() ? normal(random)
                                                   : isSmall  ? small
                                                              : small / 2.0));
  }
  kernel.arguments.push_back(argument);
  const std::string stride = number(made.name + "_stride", across),
                    one = chance(50) ? number(made.name + "_one", 1) : "";
  made.rowStride = byColumns ? one : stride;
  made.columnStride = byColumns ? stride : one;
  if (batches)
    made.batchStride = number(made.name + "_batch", along * across);
  return made;
}

/// Pointers to rows times columns; the names are of vectors, or `transposed` columns times rows.
std::string Generator::pointers(const Matrix &from, const std::string &rows, const std::string &columns,
                                bool transposed) {
  const auto axis = [&](const std::string &index, const std::string &stride, bool isFirst) {
    return index + (isFirst ? "[:, None]" : "[None, :]") + (stride.empty() ? "" : " * " + stride);
  };
  const std::string r = axis(rows, from.rowStride, !transposed),
                    c = axis(columns, from.columnStride, transposed);
  return fmt::format("{} + {} + {}", from.name, transposed ? c : r, transposed ? r : c);
}

/// A tile of a matrix, or of several, loaded as it is or transposed; edges are masked or wrapped round.
Value Generator::loadTile(const Matrix &from, const Shape &shape) {
  const bool hasBatches = shape.size() == 3, transposed = chance(35);
  const int sides[2] = {shape[shape.size() - 2], shape.back()}, limits[2] = {from.rows, from.columns};
  std::string names[2], mask;
  for (int axis = 0; axis < 2; ++axis) {
    names[axis] = fresh("i");
    const std::string &limit = axis == 0 ? from.rowLimit : from.columnLimit;
    const std::string index = chance(40)
                                  ? fmt::format("(pid & 1) * {} + tl.arange(0, {})", sides[axis], sides[axis])
                                  : fmt::format("tl.arange(0, {})", sides[axis]);
    const bool wraps = chance(30), isInside = index[0] == 't' && sides[axis] <= limits[axis];
    line(fmt::format("{} = {}", names[axis], wraps ? fmt::format("({}) % {}", index, limit) : index));
    if (wraps || (isInside && chance(50)))
      continue;
    const bool isFirst = (axis == 0) != transposed;
    mask += fmt::format("{}({}{} < {})", mask.empty() ? "" : " & ", names[axis],
                        isFirst ? "[:, None]" : "[None, :]", limit);
  }
  std::string address = pointers(from, names[0], names[1], transposed);
  if (hasBatches) {
    address = fmt::format("({})[None, :, :] + tl.arange(0, {})[:, None, None] * {}", address, shape[0],
                          from.batchStride);
    mask = mask.empty() ? mask : fmt::format("({})[None, :, :]", mask);
  }
  Value loaded = from.element;
  loaded.shape = shape;
  if (transposed)
    std::swap(loaded.shape[shape.size() - 2], loaded.shape.back());
  const std::string other = isFloat(loaded.type) ? "0.0" : "0";
  loaded.text = fmt::format("tl.load({}{})", address,
                            mask.empty() ? "" : fmt::format(", mask={}, other={}", mask, other));
  const std::string name = fresh("t");
  // Tiles of eight-bit floats are no operands of general statements: none are live.
  line(fmt::format("{} = {}", name, loaded.text),
       fmt::format("{} = tl.full({}, 1, {})", name, textOf(loaded.shape), nameOf(loaded.type)));
  loaded.text = name;
  if (transposed) {
    static const std::vector<std::string> flat{"{}.T", "tl.trans({})", "tl.trans({}, 1, 0)",
                                               "tl.permute({}, (1, 0))"},
        deep{"tl.trans({}, 0, 2, 1)", "tl.permute({}, (0, 2, 1))"};
    loaded.text = fmt::format(fmt::runtime(oneOf(hasBatches ? deep : flat)), name);
    loaded.shape = shape;
  }
  return loaded;
}

/// `for variable in ...:` from 0 to `limit` by `step`, or over the number of steps.
std::string Generator::loopHead(const std::string &variable, const std::string &limit, int step,
                                bool countsSteps) {
  const std::string stages =
      chance(50) ? fmt::format(", num_stages={}", std::min(1 + upTo(5), mostStages)) : "";
  std::string range =
      countsSteps ? fmt::format("0, tl.cdiv({}, {})", limit, step) : fmt::format("0, {}, {}", limit, step);
  const bool isTl = !stages.empty() || chance(30);
  const std::string asks = features.kind == Kind::Tiles && isTl && chance(80) ? ", warp_specialize=True" : "";
  return fmt::format("for {} in {}range({}{}{}):", variable, isTl ? "tl." : "", range, stages, asks);
}

/// Loads one step's tile of a matrix, of which `shape` is what the dot takes.
Value Generator::loadStep(std::vector<Node> &body, const std::string &from, const Shape &shape,
                          const Matrix &matrix, bool transposed, const std::string &mask) {
  const std::string name = fresh("t"), other = isFloat(matrix.element.type) ? "0.0" : "0";
  body.push_back({fmt::format("{} = tl.load({}{})", name, from,
                              mask.empty() ? "" : fmt::format(", mask={}, other={}", mask, other)),
                  {},
                  {}});
  Value loaded = matrix.element;
  loaded.text = transposed ? name + ".T" : name;
  loaded.shape = shape;
  return loaded;
}

/// The loop of a product: tiles of both matrices, one behind the other along K. `rows` and `columns` are
/// vectors of indices, and inside the matrices where they wrap round.
Value Generator::loopOverK(const DotType &type, const DotSides &sides, const Matrix &a, const Matrix &b,
                           const std::string &rows, const std::string &columns, bool wraps) {
  const std::string inner = fresh("i"), k = fresh("k"), first = fresh("k"), pa = fresh("p"), pb = fresh("p");
  const bool turnsA = chance(25), turnsB = chance(25), steps = chance(65), counts = chance(50);
  const bool masksK = a.columns % sides.k != 0 || chance(50);
  line(fmt::format("{} = tl.arange(0, {})", inner, sides.k));
  Value sum = define({fmt::format("tl.zeros({}, {})", textOf(sides.result()), nameOf(type.sum)), type.sum,
                      sides.result(), 0, 0});
  Node loop{loopHead(k, a.columnLimit, sides.k, counts), {}, {}};
  std::vector<Node> &body = loop.body;
  body.push_back({fmt::format("{} = {}{}", first, k, counts ? fmt::format(" * {}", sides.k) : ""), {}, {}});
  const std::string along = steps ? inner : fmt::format("({} + {})", first, inner);
  std::vector<Node> &where = steps ? *nodes : body;
  where.push_back({fmt::format("{} = {}", pa, pointers(a, rows, along, turnsA)), {}, {}});
  where.push_back({fmt::format("{} = {}", pb, pointers(b, along, columns, turnsB)), {}, {}});
  const auto mask = [&](const std::string &outer, const std::string &limit, bool innerFirst) {
    std::string text;
    if (masksK)
      text = fmt::format("({}{} < {} - {})", inner, innerFirst ? "[:, None]" : "[None, :]", a.columnLimit,
                         first);
    if (!wraps)
      text += fmt::format("{}({}{} < {})", text.empty() ? "" : " & ", outer,
                          innerFirst ? "[None, :]" : "[:, None]", limit);
    return text;
  };
  Value x = loadStep(body, pa, sides.a(), a, turnsA, mask(rows, a.rowLimit, turnsA));
  Value y = loadStep(body, pb, sides.b(), b, turnsB, mask(columns, b.columnLimit, !turnsB));
  for (Value *operand : {&x, &y})
    *operand = operand->type != type.operand || chance(features.kind == Kind::Tiles ? 5 : 20)
                   ? prepared(*operand, type.operand)
                   : narrow(*operand, type.operand);
  DotSides whole = sides; // the sum of all steps must be exact
  whole.k = std::max(1, (a.columns + sides.k - 1) / sides.k) * sides.k;
  const bool adds = chance(50);
  const Value step = product(type, whole, x, y, adds ? sum.text : "");
  body.push_back({fmt::format("{} {} {}", sum.text, adds ? "=" : "+=", step.text), {}, {}});
  if (steps) {
    const auto walk = [&](const std::string &pointer, const std::string &stride) {
      body.push_back(
          {fmt::format("{} += {}{}", pointer, sides.k, stride.empty() ? "" : " * " + stride), {}, {}});
    };
    walk(pa, a.columnStride);
    walk(pb, b.rowStride);
  }
  nodes->push_back(std::move(loop));
  std::erase_if(live, [&](const Value &value) { return value.text == sum.text; });
  addSum(type, sum, step);
  live.push_back(sum);
  return sum;
}

/// A product of two matrices by tiles, one tile a program, stored within the result's edges.
void Generator::matmul() {
  const DotType type = dotType();
  const DotSides sides = dotSides(type, false);
  static const std::vector<ScalarKind> others{Float16, Int8, Float32};
  const int m = 1 + upTo(2 * sides.m), n = 1 + upTo(2 * sides.n);
  const int depth = std::max(0, upTo(6) * sides.k - (chance(60) ? upTo(sides.k) : 0));
  const auto element = [&] { return chance(12) ? oneOf(others) : type.operand; };
  const ScalarKind ofA = element(), ofB = element();
  const Matrix a = matrix(type, ofA, 0, m, depth), b = matrix(type, ofB, 0, depth, n);
  const std::string rows = fresh("i"), columns = fresh("i"), &height = a.rowLimit, &width = b.columnLimit;
  line(fmt::format("{} = (pid % 2) * {} + tl.arange(0, {})", rows, sides.m, sides.m));
  line(fmt::format("{} = (pid // 2 % 2) * {} + tl.arange(0, {})", columns, sides.n, sides.n));
  const bool wraps = chance(35);
  std::string loadRows = rows, loadColumns = columns;
  if (wraps) {
    loadRows = fresh("i");
    loadColumns = fresh("i");
    line(fmt::format("{} = {} % {}", loadRows, rows, height));
    line(fmt::format("{} = {} % {}", loadColumns, columns, width));
  }
  const Value sum = loopOverK(type, sides, a, b, loadRows, loadColumns, wraps);
  if (chance(30)) {
    storeSum(sum);
    return;
  }
  // Programs beyond the fourth write what an earlier one wrote.
  const std::string array = output(type.sum, int64_t(m) * n, true, 0, sum.error);
  line(fmt::format("tl.store({0} + {1}[:, None] * {4} + {2}[None, :], {5}, mask=({1}[:, None] < {3}) & "
                   "({2}[None, :] < {4}))",
                   array, rows, columns, height, width, sum.text));
}

/// Two products in a loop with maxima and sums of rows between them, as attention has them. Where sums must
/// be exact, zeros and ones stand for the exponentials.
void Generator::attention() {
  static const std::vector<DotType> types{{Float16, Float32, "", 16, true, std::ldexp(1, -23)},
                                          {BFloat16, Float32, "", 16, true, std::ldexp(1, -23)},
                                          {Float32, Float32, "", 16, true, std::ldexp(1, -23)}};
  const DotType type = chance(40) ? types.front() : oneOf(types);
  static const std::vector<int> sizes{16, 32, 64};
  int rows = oneOf(sizes), block = oneOf(sizes), head = oneOf(sizes);
  while (rows * std::max(block, head) / int(kernel.numWarps * 32) > 32)
    (rows > 16 ? rows : block > head ? block : head) /= 2;
  const int keys = std::max(1, (1 + upTo(4)) * block - upTo(block));
  const Matrix q = matrix(type, type.operand, 0, rows + upTo(rows), head),
               k = matrix(type, type.operand, 0, keys, head), v = matrix(type, type.operand, 0, keys, head);
  const Value query = loadTile(q, {rows, head});
  const std::string i = fresh("i"), j = fresh("i"), d = fresh("i"), at = fresh("k"),
                    edge = number(fresh("n"), keys);
  const std::string most = fresh("v"), sum = fresh("v"), acc = fresh("v"), qk = fresh("v"), now = fresh("v"),
                    p = fresh("v"), fade = fresh("v"), x = fresh("t"), y = fresh("t"), name = fresh("t");
  line(fmt::format("{} = tl.arange(0, {})", i, rows));
  line(fmt::format("{} = tl.arange(0, {})", j, block));
  line(fmt::format("{} = tl.arange(0, {})", d, head));
  line(fmt::format("{} = {}", name, query.text));
  line(fmt::format("{} = tl.full(({},), -1000.0, tl.float32)", most, rows));
  line(fmt::format("{} = tl.zeros(({},), tl.float32)", sum, rows));
  line(fmt::format("{} = tl.zeros(({}, {}), tl.float32)", acc, rows, head));
  Node loop{loopHead(at, edge, block, false), {}, {}};
  const auto add = [&](std::string text) { loop.body.push_back({std::move(text), {}, {}}); };
  const bool turned = chance(50), causal = chance(40), masks = keys % block != 0 || chance(50);
  const std::string key = fmt::format("({} + {})", at, j);
  const auto mask = [&](bool isFirst) {
    return masks ? fmt::format(", mask={}{} < {}, other=0.0", key, isFirst ? "[:, None]" : "[None, :]", edge)
                 : "";
  };
  add(fmt::format("{} = tl.load({}{})", x, pointers(k, key, d, turned), mask(!turned)));
  add(fmt::format("{} = tl.dot({}, {})", qk, name, turned ? x : x + ".T"));
  std::string seen = masks ? fmt::format("({}[None, :] < {})", key, edge) : "";
  if (causal)
    seen += fmt::format("{}({}[:, None] + 7 >= {}[None, :])", seen.empty() ? "" : " & ", i, key);
  if (!seen.empty())
    add(fmt::format("{0} = tl.where({1}, {0}, -1000.0)", qk, seen));
  add(fmt::format("{} = tl.maximum({}, tl.max({}, 1))", now, most, qk));
  const double scale = std::ldexp(1, -3);
  if (isNormal()) {
    add(fmt::format("{} = tl.exp2(({} - {}[:, None]) * {})", p, qk, now, scale));
    add(fmt::format("{} = tl.exp2(({} - {}) * {})", fade, most, now, scale));
  } else {
    add(fmt::format("{} = tl.where({} >= {}[:, None] - 4, 1.0, 0.0)", p, qk, now));
    add(fmt::format("{} = tl.where({} > {} + 4, 0.0, 1.0)", fade, now, most));
  }
  add(fmt::format("{0} = {0} * {1} + tl.sum({2}, 1)", sum, fade, p));
  add(fmt::format("{0} = {0} * {1}[:, None]", acc, fade));
  add(fmt::format("{} = tl.load({}{})", y, pointers(v, key, d, false), mask(true)));
  add(fmt::format("{0} = tl.dot({1}.to({2}), {3}, {0})", acc, p, nameOf(type.operand), y));
  add(fmt::format("{} = {}", most, now));
  nodes->push_back(std::move(loop));
  Value result{acc, Float32, {rows, head}, -1, 4.0 * keys};
  if (isNormal()) {
    result = {fmt::format("({} / {}[:, None])", acc, sum), Float32, {rows, head}, 0, 1};
    const int digits = type.operand == BFloat16 ? 8 : 11;
    // Weights that round otherwise, and for tf32 scores that do.
    result.error = 16 * std::ldexp(1, -digits);
    store(result);
    return;
  }
  live.push_back({sum, Float32, {rows}, 0, double(keys)});
  live.push_back(result);
  storeSum(result);
}

} // namespace tegula::random
