// Random statements that compute along an axis or access blocks of arrays: scans, sorted rows, tensors joined
// and split, block pointers and tensor descriptors.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tegula::random {

using enum ScalarKind;

/// Tensors grow by joining: these many elements are enough.
static constexpr int64_t MostElements = 2048;

/// A tensor of numbers that there is already, if there is one.
std::optional<Value> Generator::anyTensor() {
  std::vector<Value> tensors;
  for (const Value &value : live)
    if (!value.shape.empty() && value.type != Int1)
      tensors.push_back(value);
  if (tensors.empty())
    return std::nullopt;
  return oneOf(tensors);
}

std::optional<std::pair<Value, Value>> Generator::twoAlike() {
  const std::optional<Value> first = anyTensor();
  if (!first)
    return std::nullopt;
  const Value second = convert(get(first->type, first->shape), first->type);
  return second.shape == first->shape ? std::optional(std::pair(*first, second)) : std::nullopt;
}

void Generator::scan() {
  const std::optional<Value> found = anyTensor();
  if (!found)
    return;
  Value from = *found;
  const int axis = upTo(int(from.shape.size()));
  const std::string order = chance(40) ? ", reverse=True" : "";
  const std::string where = std::to_string(axis) + order;
  const int64_t count = from.shape[size_t(axis)];
  if (!isFloat(from.type) && chance(40)) { // steps of a recurrence, whose order matters
    const Value factor = define(convert(get(Int32, from.shape), from.type));
    Value first = from, second = from;
    first.text = fresh("v");
    second.text = fresh("v");
    line(fmt::format("{}, {} = tl.associative_scan(({}, {}), {}, combine_affine{})", first.text, second.text,
                     factor.text, from.text, axis, order),
         simplerText(first.text, first) + "; " + simplerText(second.text, second));
    live.push_back(first);
    live.push_back(second);
    return;
  }
  static const std::vector<std::string> ofIntegers{"combine_product", "combine_or", "combine_greater"};
  Value result = from;
  if (isFloat(from.type)) {
    result.bound = from.bound * double(count);
    if (fits(result, from.type) && chance(60)) {
      result.text = fmt::format("tl.cumsum({}, {}).to({})", from.text, where, nameOf(from.type));
    } else {
      result.bound = from.bound;
      result.text = fmt::format("tl.associative_scan({}, {}, combine_greater{})", from.text, axis, order);
    }
  } else if (chance(50)) {
    result.text = fmt::format("tl.{}({}, {}).to({})", chance(70) ? "cumsum" : "cumprod", from.text, where,
                              nameOf(from.type));
  } else {
    result.text = fmt::format("tl.associative_scan({}, {}, {}{})", from.text, axis, oneOf(ofIntegers), order);
  }
  define(result);
}

void Generator::rearrange() {
  const std::optional<Value> found = anyTensor();
  if (!found)
    return;
  Value value = *found;
  const int rank = int(value.shape.size()), axis = upTo(rank);
  const int64_t count = value.shape[size_t(axis)];
  const bool mayGrow = countOf(value.shape) < MostElements;
  switch (upTo(8)) {
  case 5: { // along the last dimension; fewer elements of less than 32 bits come with 32
    const int k = 1 << upTo(int(std::bit_width(unsigned(value.shape.back()))));
    value.text = fmt::format("tl.topk({}, {}).to({})", value.text, k, nameOf(value.type));
    value.shape.back() = k;
    break;
  }
  case 6: {
    const Value counted = get(Int32, value.shape);
    const int64_t all = countOf(counted.shape);
    const int bins = 4 << upTo(5);
    const std::string mask = chance(40) ? fmt::format(", {}", condition({int(all)}).text) : "";
    value = {"", Int32, {bins}, 0, 0};
    value.text =
        fmt::format("tl.histogram(tl.reshape({} & {}, [{}]), {}{})", counted.text, bins - 1, all, bins, mask);
    break;
  }
  case 0:
    value.text = fmt::format("tl.flip({}, {})", value.text, axis);
    break;
  case 1:
    value.text = fmt::format("tl.sort({}{})", value.text, chance(50) ? ", descending=True" : "");
    break;
  case 2: {
    Shape shape = value.shape;
    shape[size_t(axis)] = 1 << upTo(6);
    const Value index = get(Int32, shape);
    value.text = fmt::format("tl.gather({}, {} & {}, {})", value.text, index.text, count - 1, axis);
    value.shape = shape;
    break;
  }
  case 3: {
    if (!mayGrow)
      return;
    const Value other = convert(get(value.type, value.shape), value.type);
    value.grain = std::min(value.grain, other.grain);
    value.bound = std::max(value.bound, other.bound);
    const bool isCat = chance(50);
    value.text = isCat ? fmt::format("tl.cat({}, {}, can_reorder=True, dim={})", value.text, other.text, axis)
                       : fmt::format("tl.interleave({}, {})", value.text, other.text);
    value.shape[size_t(isCat ? axis : rank - 1)] *= 2;
    break;
  }
  case 4: {
    if (!mayGrow || rank > 3)
      return;
    const Value other = convert(get(value.type, value.shape), value.type);
    value.grain = std::min(value.grain, other.grain);
    value.bound = std::max(value.bound, other.bound);
    value.text = fmt::format("tl.join({}, {})", value.text, other.text);
    value.shape.push_back(2);
    break;
  }
  default: {
    const int64_t all = countOf(value.shape);
    if (all < 4)
      return;
    Value half = value, rest = value;
    half.text = fresh("v");
    rest.text = fresh("v");
    half.shape = rest.shape = Shape{int(all / 2)};
    line(fmt::format("{}, {} = tl.split(tl.reshape({}, [{}, 2]))", half.text, rest.text, value.text, all / 2),
         simplerText(half.text, half) + "; " + simplerText(rest.text, rest));
    live.push_back(half);
    live.push_back(rest);
    return;
  }
  }
  define(value);
}

/// "(a, b)" of the strides that elements of `sides` have in row-major order, or of their transposition.
static std::string stridesOf(const std::vector<std::string> &sides, bool transposed) {
  std::string text, product = "1";
  std::vector<std::string> strides(sides.size());
  for (size_t i = 0; i < sides.size(); ++i) {
    const size_t dim = transposed ? i : sides.size() - 1 - i;
    strides[dim] = product;
    product = product == "1" ? sides[dim] : fmt::format("{} * {}", product, sides[dim]);
  }
  for (const std::string &stride : strides)
    text += stride + ", ";
  return "(" + text + ")";
}

/// A block of an array that is read as a matrix, or cube, of which the block may lie partly or wholly
/// outside.
Value Generator::loadBlock(ScalarKind type, const Shape &shape) {
  const Argument &from = kernel.arguments[inputOf(type)];
  const std::string array = from.name, length = array + "_len";
  const size_t rank = shape.size();
  std::vector<std::string> sides;
  int64_t inner = 1;
  std::string starts, all, steps, order;
  for (size_t dim = 0; dim < rank; ++dim) {
    if (dim > 0) { // the first side is what the others leave
      const int side = std::max(1, shape[dim] + upTo(7) - 3);
      sides.push_back(std::to_string(side));
      inner *= side;
    }
    starts += fmt::format("{}, ", chance(50) ? std::to_string(upTo(9) - 4)
                                             : fmt::format("({} & 15) - 4", scalar(Int32).text));
    steps += fmt::format("{}, ", upTo(7) - 3);
    all += fmt::format("{}, ", dim);
    order += fmt::format("{}, ", rank - 1 - dim);
  }
  sides.insert(sides.begin(), inner == 1 ? length : fmt::format("({} // {})", length, inner));
  std::string shapeText;
  for (const std::string &side : sides)
    shapeText += side + ", ";
  const bool transposed = rank > 1 && chance(30);
  const std::string block = fresh("b");
  const Value value{"", type, shape, isFloat(type) ? -1 : 0, 4};
  const bool isWide = shape.back() * bitsOf(type) >= 128;
  Value result = value;
  if (!transposed && isWide && chance(40)) {
    line(fmt::format("{} = tl.make_tensor_descriptor({}, ({}), {}, {})", block, array, shapeText,
                     stridesOf(sides, false), textOf(shape)));
    result.text = fmt::format("{}.load([{}])", block, starts);
  } else {
    line(fmt::format("{} = tl.make_block_ptr({}, ({}), {}, ({}), {}, ({}))", block, array, shapeText,
                     stridesOf(sides, transposed), starts, textOf(shape), order));
    if (chance(50))
      line(fmt::format("{0} = tl.advance({0}, ({1}))", block, steps));
    result.text = fmt::format("tl.load({}, boundary_check=({}), padding_option='zero')", block, all);
  }
  return define(result);
}

/// A loop that goes over an array block by block.
void Generator::walkBlocks() {
  const ScalarKind type = chance(50) ? Int32 : Float32;
  const Argument &from = kernel.arguments[inputOf(type)];
  const std::string array = from.name, length = array + "_len";
  const int rows = 1 << upTo(4), columns = 16 << upTo(2), steps = 1 + upTo(4);
  const std::string block = fresh("b"), sum = fresh("v");
  line(fmt::format("{} = tl.make_block_ptr({}, ({} // 48, 48), (48, 1), (pid, 0), ({}, {}), (1, 0))", block,
                   array, length, rows, columns));
  Value result{sum, type, {rows, columns}, isFloat(type) ? -1 : 0, 4.0 * steps};
  line(fmt::format("{} = tl.zeros(({}, {}), {})", sum, rows, columns, nameOf(type)));
  nodes->push_back(
      {fmt::format("for {} in range({}):", fresh("k"), steps),
       {{fmt::format("{0} += tl.load({1}, boundary_check=(0, 1), padding_option='zero')", sum, block),
         {},
         {}},
        {fmt::format("{0} = tl.advance({0}, ({1}, {2}))", block, upTo(3), columns), {}, {}}},
       {}});
  live.push_back(result);
}

/// A tensor to a block of an array of its own, in which each program has a place.
void Generator::storeBlock(const Value &from) {
  const Value value = from.type == Int1 ? convert(from, Int8) : from;
  const std::string array = output(value.type, programs * countOf(value.shape));
  std::string shape, starts = "pid * " + std::to_string(value.shape[0]) + ", ", order, checked;
  std::vector<std::string> sides;
  for (size_t dim = 0; dim < value.shape.size(); ++dim) {
    sides.push_back(std::to_string(dim ? value.shape[dim] : value.shape[dim] * int(programs)));
    shape += sides.back() + ", ";
    starts += dim ? "0, " : "";
    order += fmt::format("{}, ", value.shape.size() - 1 - dim);
    if (chance(50))
      checked += fmt::format("{}, ", dim);
  }
  line(fmt::format("tl.store(tl.make_block_ptr({}, ({}), {}, ({}), {}, ({})), {}, boundary_check=({}))",
                   array, shape, stridesOf(sides, false), starts, textOf(value.shape), order, value.text,
                   checked));
}

} // namespace tegula::random
