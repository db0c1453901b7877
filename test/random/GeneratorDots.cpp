// Products of matrices: types, shapes, operands from memory or computed, and chains.
//
// Small whole numbers and halves: every sum is exact in every order and in the fewest digits that a matrix
// unit adds with. Or normally distributed numbers, with how far two runs may lie apart kept with each value.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::random {

using enum ScalarKind;

/// Operands are at most so large, in halves; sums in fp16 have no room for these.
static constexpr double operandBound = 4;
/// Rounding errors that add up by chance, and how many of their standard deviations a comparison allows.
static constexpr double manyDeviations = 6;

const DotType &Generator::dotType() {
  static const double single = std::ldexp(1, -23), half = std::ldexp(1, -10);
  static const std::vector<DotType> types{
      {Float16, Float32, "", 16, true, single},
      {Float16, Float32, "", 16, true, single},
      {Float16, Float32, ", out_dtype=tl.float32", 16, true, single},
      {BFloat16, Float32, "", 16, true, single},
      {BFloat16, Float32, "", 16, true, single},
      {Float16, Float16, ", out_dtype=tl.float16", 16, true, half},
      {Float32, Float32, "", 16, true, single},
      {Float32, Float32, ", input_precision='tf32'", 16, true, single},
      {Float32, Float32, ", input_precision='tf32x3'", 16, true, 8 * single},
      {Float32, Float32, ", input_precision='bf16x3'", 16, true, std::ldexp(1, -14)},
      {Float32, Float32, ", input_precision='bf16x6'", 16, true, 8 * single},
      {Float32, Float32, ", input_precision='ieee'", 16, false, single},
      {Float32, Float32, ", allow_tf32=False", 16, false, single},
      {Float64, Float64, "", 16, true, std::ldexp(1, -52)},
      {Int8, Int32, "", 32, true, 0},
      {Int8, Int32, ", out_dtype=tl.int32", 32, true, 0},
      {Float8E4M3, Float32, "", 32, true, std::ldexp(1, -12)},
      {Float8E5M2, Float32, ", max_num_imprecise_acc=32", 32, true, std::ldexp(1, -12)}};
  const DotType &type = oneOf(types);
  return bitsOf(type.operand) == 8 && isFloat(type.operand) && !features.fp8 ? types.front() : type;
}

/// Sides whose tiles fit the registers of the kernel's threads.
DotSides Generator::dotSides(const DotType &type, bool hasBatches) {
  static const std::vector<int> usual{16, 16, 32, 32, 64, 64, 128}, few{1, 2, 4, 8},
      depths{16, 32, 32, 64, 128};
  DotSides sides{hasBatches ? 1 << upTo(3) : 0, oneOf(chance(12) ? few : usual),
                 oneOf(chance(12) ? few : usual), std::max(type.leastK, oneOf(depths))};
  const int threads = int(kernel.numWarps) * 32, width = type.operand == Float64 ? 2 : 1;
  const auto perThread = [&](int64_t count) { return count * std::max(1, sides.batches) * width / threads; };
  const auto fits = [&] {
    return perThread(sides.m * sides.n) <= 64 && perThread((sides.m + sides.n) * sides.k) <= 128 &&
           (type.hasUnit || perThread(int64_t(sides.m) * sides.n * sides.k) <= 2048);
  };
  while (!fits()) {
    if (sides.batches > 1)
      sides.batches /= 2;
    else if (sides.k > type.leastK)
      sides.k /= 2;
    else
      (sides.m > sides.n ? sides.m : sides.n) /= 2;
  }
  return sides;
}

/// `value` as an operand of type `type`: small enough that sums of products are exact.
Value Generator::narrow(const Value &value, ScalarKind type) {
  Value result{"", type, value.shape, value.grain, value.bound, value.error};
  const std::string cast = fmt::format(".to({})", nameOf(type));
  if (isNormal()) {
    result.text = value.type == type ? value.text : fmt::format("({}){}", value.text, cast);
    if (value.type != type && value.error > 0) // may round to another neighbour
      result.error += value.bound * (type == Float16    ? std::ldexp(1, -10)
                                     : type == BFloat16 ? std::ldexp(1, -7)
                                                        : std::ldexp(1, -2));
    return result;
  }
  if (type == Int8)
    return convert(value, Int8);
  if (value.type == Int1)
    return narrow(convert(value, Int32), type);
  result.bound = std::min(value.bound, operandBound);
  if (isFloat(value.type) && value.grain >= -2 && fits(result, type)) {
    const bool isSmall = value.bound <= operandBound;
    const std::string limited = isSmall ? value.text
                                        : fmt::format("tl.minimum(tl.maximum({}, {}.0), {}.0)", value.text,
                                                      -operandBound, operandBound);
    result.text = isSmall && value.type == type ? value.text : fmt::format("({}){}", limited, cast);
    return result;
  }
  const Value whole = convert(value, Int32);
  result.text = fmt::format("({} & 3){}{}", whole.text, bitsOf(type) == 8 ? ".to(tl.float32)" : "", cast);
  result.grain = 0;
  result.bound = 3;
  return result;
}

/// An operand of type `type` that is computed from what was loaded.
Value Generator::prepared(const Value &loaded, ScalarKind type) {
  Value value = loaded;
  if (type == Float8E4M3 || type == Float8E5M2) { // casts are what there is in such types
    if (value.type != type || chance(70))
      return narrow(value, type);
    value.text = fmt::format("({}.to(tl.float32) * 2).to({})", value.text, nameOf(type));
    value.bound *= 2;
    return value;
  }
  if (isFloat(value.type) && bitsOf(value.type) > 8) {
    switch (upTo(5)) {
    case 0:
      value.text = fmt::format("({} * 2)", value.text);
      value.bound *= 2;
      value.error *= 2;
      break;
    case 1:
      value.text = fmt::format("(-{})", value.text);
      break;
    case 2:
      value.text = fmt::format("tl.maximum({}, 0).to({})", value.text, nameOf(value.type));
      break;
    case 3:
      value.text = fmt::format("tl.where({0} > 1, {0}, -1).to({1})", value.text, nameOf(value.type));
      value.bound = std::max(value.bound, 1.0);
      break;
    default:
      value.text = fmt::format("({0} + 1)", value.text);
      value.bound += 1;
    }
  } else if (!isFloat(value.type)) {
    value.text = fmt::format("({} ^ 1)", value.text);
    if (isNormal() && type != Int8) { // bytes that stand for numbers
      value = Value{fmt::format("(({}).to(tl.float32) * 0.03125)", value.text), Float32, value.shape, 0, 2};
      value.error = 0;
    }
  }
  return narrow(value, type);
}

/// An operand of `shape`: as it is in memory, changed on the way, or of what the kernel computed.
Value Generator::dotOperand(const DotType &type, const Shape &shape) {
  const int dice = upTo(100);
  const int batches = shape.size() == 3 ? shape[0] : 0;
  const int r = shape[shape.size() - 2], c = shape.back();
  const auto side = [&](int of) { return std::max(1, of + upTo(of + 1) - of / 4); };
  if (dice < 75 || isNormal()) {
    static const std::vector<ScalarKind> others{Float16, Float32, Int8};
    const bool converts = dice >= 55, changes = dice >= 35;
    const ScalarKind element = converts ? oneOf(others) : type.operand;
    const Value loaded = loadTile(matrix(type, element, batches, side(r), side(c)), shape);
    return changes ? prepared(loaded, type.operand) : narrow(loaded, type.operand);
  }
  static const std::vector<ScalarKind> made{Float32, Int32, Float16, Int8};
  const Value value = narrow(get(oneOf(made), shape), type.operand);
  return value.shape == shape ? value : dotOperand(type, shape);
}

/// `a` times `b`, as an expression; `sum` names what it adds to the product, which the result knows nothing
/// of.
Value Generator::product(const DotType &type, const DotSides &sides, Value a, Value b,
                         const std::string &sum) {
  const double k = sides.k;
  Value result{"", type.sum, sides.result(), a.grain + b.grain, k * a.bound * b.bound};
  if (isNormal()) {
    result.bound = std::sqrt(k) * a.bound * b.bound;
    if (type.operand == Float32) // may round to another tf32
      for (Value *operand : {&a, &b})
        operand->error += operand->error > 0 ? operand->bound * std::ldexp(1, -10) : 0;
    // A matrix unit cuts off the digits of a sum after every few products, and the sum grows as the root of
    // k.
    const double cut = type.unit * k * (2 + std::sqrt(k) / 2);
    result.error =
        manyDeviations * std::sqrt(k) * (a.error * b.bound + b.error * a.bound) + cut * a.bound * b.bound;
  } else if (isFloat(type.sum) && !fits(result, type.sum)) {
    // What a sum of few digits has no room for becomes 0 or 1.
    const bool isWide = bitsOf(type.operand) > 8;
    for (Value *operand : {&a, &b})
      operand->text = fmt::format("({}{} > 0){}.to({})", operand->text, isWide ? "" : ".to(tl.float32)",
                                  isWide ? "" : ".to(tl.float32)", nameOf(type.operand));
    result.grain = 0;
    result.bound = k;
  }
  const std::string added = sum.empty() ? "" : chance(50) ? ", " + sum : ", acc=" + sum;
  result.text = fmt::format("tl.dot({}, {}{}{})", a.text, b.text, added, type.arguments);
  return result;
}

/// Adds `sum` to `product`; returns false, and changes nothing, where that is not exact.
bool Generator::addSum(const DotType &type, Value &product, const Value &sum) const {
  Value whole = product;
  whole.grain = std::min(product.grain, sum.grain);
  whole.bound = product.bound + sum.bound;
  whole.error = product.error + sum.error;
  if (isFloat(type.sum) && !isNormal() && !fits(whole, type.sum))
    return false;
  product = whole;
  return true;
}

/// One dot, or two or three of which each takes the one's before as an operand or as its accumulator.
void Generator::chainOfDots() {
  const DotType type = dotType();
  DotSides sides = dotSides(type, chance(25));
  Value last = define(product(type, sides, dotOperand(type, sides.a()), dotOperand(type, sides.b())));
  for (int more = chance(60) ? 1 + upTo(2) : 0; more > 0; --more) {
    Value scaled = last;
    if (isNormal() && isFloat(last.type)) { // keeps the size of numbers
      const double by = std::exp2(std::round(-std::log2(last.bound)));
      scaled.text = fmt::format("({} * {})", last.text, by);
      scaled.bound *= by;
      scaled.error *= by;
    }
    const bool asRows = sides.n >= type.leastK, asColumns = sides.m >= type.leastK;
    if (!asRows && !asColumns)
      break;
    const bool isLeft = asRows && (chance(65) || !asColumns);
    sides.k = isLeft ? sides.n : sides.m;
    (isLeft ? sides.n : sides.m) = 16 << upTo(2);
    const Value other = dotOperand(type, isLeft ? sides.b() : sides.a());
    const Value chained = narrow(scaled, type.operand);
    last = define(isLeft ? product(type, sides, chained, other) : product(type, sides, other, chained));
    if (!chance(30))
      continue;
    const Value a = dotOperand(type, sides.a()), b = dotOperand(type, sides.b());
    Value sum = product(type, sides, a, b, last.text);
    if (addSum(type, sum, last))
      last = define(sum);
  }
  storeSum(last);
}

/// An operand of `tl.dot_scaled`, `along` by `k`, or k by `along`; `arguments` gets it with its scales and
/// format.
Value Generator::scaledOperand(const DotType &type, const std::string &format, int along, int k, bool isLeft,
                               std::string &arguments) {
  const auto shape = [&](int depth) { return isLeft ? Shape{along, depth} : Shape{depth, along}; };
  Value value;
  if (format == "e2m1") { // two numbers a byte, of at most 6
    value = get(Int32, shape(k / 2));
    value.text = fmt::format("({}).to(tl.uint8)", value.text);
    value.grain = -1;
    value.bound = 6;
  } else {
    value = dotOperand(type, shape(k));
  }
  std::string scale = "None";
  if (chance(80)) { // 1 or 2
    scale = fmt::format("(({} & 1) + 127).to(tl.uint8)", get(Int32, {along, k / 32}).text);
    value.bound *= 2;
  }
  arguments += fmt::format("{}{}, {}, '{}'", arguments.empty() ? "" : ", ", value.text, scale, format);
  return value;
}

/// Numbers of few bits with a scale for each 32 along k.
void Generator::scaledProduct() {
  static const std::vector<std::string> formats{"e4m3", "e4m3", "e5m2", "e2m1", "fp16", "bf16"};
  const auto typeOf = [](const std::string &format) {
    const ScalarKind operand = format == "e4m3"   ? Float8E4M3
                               : format == "e5m2" ? Float8E5M2
                               : format == "fp16" ? Float16
                                                  : BFloat16;
    return DotType{operand, Float32, "", 32, true, std::ldexp(1, -23)};
  };
  const std::string left = oneOf(formats), right = oneOf(formats);
  const DotSides sides = dotSides(typeOf(left), false);
  if (sides.m < 16 || sides.n < 16)
    return chainOfDots();
  std::string arguments;
  const Value a = scaledOperand(typeOf(left), left, sides.m, sides.k, true, arguments);
  const Value b = scaledOperand(typeOf(right), right, sides.n, sides.k, false, arguments);
  Value result{"", Float32, sides.result(), a.grain + b.grain, sides.k * a.bound * b.bound};
  if (!fits(result, Float32))
    return;
  result.text = fmt::format("tl.dot_scaled({})", arguments);
  storeSum(define(result));
}

/// Stores a sum, mostly after what kernels do to it at their end.
void Generator::storeSum(const Value &value) {
  Value stored = value;
  static const std::vector<ScalarKind> smaller{Float16, BFloat16, Float32};
  double ulps = 0;
  if (isFloat(value.type) && chance(50)) {
    stored.text = chance(50) ? fmt::format("tl.maximum({}, 0)", value.text)
                             : fmt::format("tl.where({0} > 0, {0}, {0} * 0.5)", value.text);
    stored.grain = value.grain - 1;
    const ScalarKind to = oneOf(smaller);
    if (value.type != Float64 && (isNormal() || fits(stored, to))) {
      stored.text = fmt::format("({}).to({})", stored.text, nameOf(to));
      stored.type = to;
      ulps = isNormal() ? std::ldexp(1, to == Float16 ? 13 : to == BFloat16 ? 16 : 0) : 0;
    }
    if (!isNormal() && !fits(stored, stored.type))
      stored = value;
  }
  if (chance(25) && stored.shape.size() == 2) {
    stored.text = fmt::format("tl.trans({})", stored.text);
    std::swap(stored.shape[0], stored.shape[1]);
  }
  store(stored, ulps);
}

RandomKernel Generator::makeDots() {
  static const std::vector<uint32_t> warps{1, 2, 4, 4, 4, 8}, sides{1, 2, 3, 4};
  kernel.numWarps = oneOf(warps);
  kernel.numStages = uint32_t(1 + upTo(5));
  kernel.grid = {oneOf(sides), chance(25) ? 2u : 1u, 1};
  programs = kernel.grid[0] * kernel.grid[1];
  nodes = &kernel.body;
  line("pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0)");
  const int others = isNormal() || chance(50) ? 0 : 1 + upTo(3);
  for (int i = 0; i < others; ++i)
    statement(1);
  const int products = 1 + (chance(25) ? 1 : 0);
  for (int i = 0; i < products; ++i) {
    const int dice = upTo(100);
    if (dice < 10 && features.fp8 && !isNormal())
      scaledProduct();
    else if (dice < 40)
      chainOfDots();
    else if (dice < 80)
      matmul();
    else
      attention();
  }
  for (int i = 0; i < others; ++i)
    statement(1);
  if (!isNormal()) {
    std::shuffle(live.begin(), live.end(), random);
    for (size_t i = 0; i < live.size() && i < 3; ++i)
      store(live[i]);
  }
  return std::move(kernel);
}

} // namespace tegula::random
