// Tensor descriptors beyond loads of blocks: blocks stored, rows by their numbers, atomic updates.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::random {

using enum ScalarKind;

/// A row of a descriptor has 16 bytes at least, and rows of blocks are moved as such.
static bool isWide(const Value &value) { return value.shape.back() * bitsOf(value.type) >= 128; }

/// "[a, 0, 0]", where each program has a block of its own along the first axis.
static std::string placeOf(const Shape &shape) {
  std::string text = fmt::format("pid * {}", shape[0]);
  for (size_t dim = 1; dim < shape.size(); ++dim)
    text += ", 0";
  return "[" + text + "]";
}

/// A descriptor of `array`, that has room for `blocks` blocks of `shape` along the first axis.
std::string Generator::describe(const std::string &array, const Shape &shape, const Shape &block,
                                int64_t blocks) {
  std::string sides = std::to_string(shape[0] * blocks) + ", ", strides = "1, ";
  int64_t inner = 1;
  for (size_t dim = 1; dim < shape.size(); ++dim)
    sides += std::to_string(shape[dim]) + ", ";
  for (size_t dim = shape.size() - 1; dim > 0; --dim) {
    inner *= shape[dim];
    strides = std::to_string(inner) + ", " + strides;
  }
  const std::string name = fresh("d");
  line(fmt::format("{} = tl.make_tensor_descriptor({}, ({}), ({}), {})", name, array, sides, strides,
                   textOf(block)));
  return name;
}

/// A tensor that a descriptor can take, if there is one.
std::optional<Value> Generator::wideTensor() {
  const std::optional<Value> found = anyTensor();
  return found && found->shape.size() <= 5 && isWide(*found) ? found : std::nullopt;
}

void Generator::useDescriptor() {
  switch (upTo(4)) {
  case 0:
    return storeByDescriptor();
  case 1:
    return gatherRows();
  case 2:
    return scatterRows();
  default:
    return features.atomics ? updateByDescriptor() : storeByDescriptor();
  }
}

void Generator::storeByDescriptor() {
  if (const std::optional<Value> value = wideTensor()) {
    const std::string array = output(value->type, programs * countOf(value->shape));
    const std::string made = describe(array, value->shape, value->shape, programs);
    line(fmt::format("{}.store({}, {})", made, placeOf(value->shape), value->text));
  }
}

/// Some rows lie outside and are zeros.
void Generator::gatherRows() {
  static const std::vector<ScalarKind> types{Int32, Float32, Float16, Int8};
  const ScalarKind type = oneOf(types);
  const Argument &from = kernel.arguments[inputOf(type)];
  const std::string array = from.name, length = array + "_len";
  const int columns = 16 << upTo(3), width = columns + 16 * upTo(2), rows = 8 << upTo(3);
  const std::string made = fresh("d");
  line(fmt::format("{} = tl.make_tensor_descriptor({}, ({} // {}, {}), ({}, 1), (1, {}))", made, array,
                   length, width, width, width, columns));
  const Value index = get(Int32, {rows});
  define({fmt::format("{}.gather(({} & 15) - 4, {})", made, index.text, 16 * upTo(2)),
          type,
          {rows, columns},
          isFloat(type) ? -1 : 0,
          4});
}

/// Each row has a place of its own.
void Generator::scatterRows() {
  const std::optional<Value> value = wideTensor();
  if (!value || value->shape.size() != 2 || value->shape[0] < 8)
    return;
  const int rows = value->shape[0], columns = value->shape[1];
  const std::string array = output(value->type, programs * countOf(value->shape));
  const std::string made = describe(array, value->shape, {1, columns}, programs);
  line(fmt::format("{}.scatter({}, (pid * {} + (tl.arange(0, {}) ^ {})).to(tl.int32), 0)", made, value->text,
                   rows, rows, upTo(rows)));
}

/// All programs meet in one block, by one operation whose order does not show; a part of it may lie outside.
void Generator::updateByDescriptor() {
  static const std::vector<std::string> kinds{"add", "max", "min", "and", "or", "xor"};
  static const std::vector<ScalarKind> types{Int32, UInt32, Int64, UInt64};
  const std::optional<Value> value = wideTensor();
  if (!value)
    return;
  const ScalarKind type = oneOf(types);
  Value sent = convert(*value, type);
  if (!isWide(sent)) // of 8 bytes an element it was
    return;
  const std::string array = output(type, countOf(sent.shape));
  const std::string made = describe(array, sent.shape, sent.shape, 1);
  std::string place = std::to_string(upTo(5) - 2);
  for (size_t dim = 1; dim < sent.shape.size(); ++dim)
    place += fmt::format(", {}", upTo(5) - 2);
  line(fmt::format("{}.atomic_{}([{}], {})", made, oneOf(kinds), place, sent.text));
}

} // namespace tegula::random
