// Chooses the operands of a random statement: names, numbers, arguments and memory.
#include "test/random/Generator.h"
#include "test/random/Numbers.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace tegula::random {

using enum ScalarKind;

int64_t countOf(const Shape &shape) {
  int64_t count = 1;
  for (int side : shape)
    count *= side;
  return count;
}

std::string nameOf(ScalarKind type) {
  static const char *const names[] = {"int1",     "int8",    "int16",   "int32",      "int64",
                                      "uint8",    "uint16",  "uint32",  "uint64",     "float16",
                                      "bfloat16", "float32", "float64", "float8e4nv", "float8e5"};
  return std::string("tl.") + names[size_t(type)];
}

std::string textOf(const Shape &shape) {
  std::string text;
  for (int side : shape)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", side);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

static int digitsOf(ScalarKind type) {
  switch (type) {
  case Float8E4M3:
    return 4;
  case Float8E5M2:
    return 3;
  case Float16:
    return 11;
  case BFloat16:
    return 8;
  case Float32:
    return 24;
  default:
    return 53;
  }
}

bool fits(const Value &value, ScalarKind type) {
  if (type == Float16 && (value.bound > 32768 || value.grain < -10))
    return false;
  return std::abs(value.grain) < 60 &&
         std::ldexp(value.bound, -value.grain) <= std::ldexp(1.0, digitsOf(type));
}

ScalarKind Generator::anyType() {
  static const std::vector<ScalarKind> types{Int1,     Int8,    Int16,   Int32,  Int32,  Int32,
                                             Int64,    UInt8,   UInt16,  UInt32, UInt64, Float16,
                                             BFloat16, Float32, Float32, Float64};
  return oneOf(types);
}

ScalarKind Generator::integerType() {
  static const std::vector<ScalarKind> types{Int8,  Int16, Int32,  Int32,  Int32,
                                             Int64, UInt8, UInt16, UInt32, UInt64};
  return oneOf(types);
}

Shape Generator::anyShape() {
  static const std::vector<Shape> shapes{
      {1},     {16},    {64},     {128},    {256},     {1024},     {4, 4},     {16, 8},    {8, 32},  {32, 16},
      {1, 64}, {64, 1}, {32, 32}, {2, 128}, {2, 4, 8}, {4, 1, 16}, {8, 2, 32}, {1, 16, 4}, {2, 2, 2}};
  return oneOf(shapes);
}

/// Gives the expression a name.
Value Generator::define(Value value) {
  Value named = value;
  named.text = fresh("v");
  line(fmt::format("{} = {}", named.text, value.text), simplerText(named.text, value));
  live.push_back(named);
  return named;
}

std::string Generator::simplerText(const std::string &name, const Value &value) const {
  if (value.shape.empty())
    return fmt::format("{} = tl.full((), 1, {})", name, nameOf(value.type));
  return fmt::format("{} = tl.full({}, 1, {})", name, textOf(value.shape), nameOf(value.type));
}

Value Generator::constant(ScalarKind type) {
  const int number = upTo(8) + (type == Int1 ? 0 : 1);
  Value value{"", type, {}, 0, double(number)};
  const int shown = type == Int1 ? number & 1 : isSigned(type) && chance(40) ? -number : number;
  value.text = fmt::format("tl.full((), {}, {})", shown, nameOf(type));
  return value;
}

/// A number of the launch, or the program's.
Value Generator::scalar(ScalarKind type) {
  if (chance(40))
    return convert({"pid", Int32, {}, 0, 0}, type);
  std::vector<Value> numbers;
  for (const Argument &argument : kernel.arguments)
    if (argument.type.pointerDepth == 0)
      numbers.push_back({argument.name, argument.type.scalar, {}, 0, 8});
  if (numbers.size() >= 4)
    return convert(oneOf(numbers), type);
  Argument argument;
  argument.name = fresh("n");
  argument.type.scalar = chance(70) ? Int32 : chance(50) ? Float32 : Int64;
  const int number = chance(30) ? 16 * upTo(5) : upTo(40) - 8;
  if (isFloat(argument.type.scalar)) {
    argument.elements = {std::bit_cast<uint32_t>(float(number % 9))};
  } else {
    argument.elements = {argument.type.scalar == Int32 ? uint32_t(number) : uint64_t(int64_t(number))};
    if (number % 16 == 0 && chance(50))
      argument.type.facts.divisibility = 16;
  }
  kernel.arguments.push_back(argument);
  return convert({argument.name, argument.type.scalar, {}, 0, 8}, type);
}

/// `value` as another type, so that nothing is lost that its users lean on.
Value Generator::convert(const Value &value, ScalarKind type) {
  if (value.type == type)
    return value;
  Value result{"", type, value.shape, 0, 0};
  const std::string cast = fmt::format(".to({})", nameOf(type));
  if (type == Int1) {
    result.text = isFloat(value.type) ? fmt::format("({} > 0)", value.text)
                                      : fmt::format("(({} & 1) != 0)", value.text);
  } else if (!isFloat(value.type) && !isFloat(type)) {
    result.text = "(" + value.text + ")" + cast;
  } else if (!isFloat(value.type)) {
    result.text = (value.type == Int1 ? "(" + value.text + ")" : "(" + value.text + " & 15)") + cast;
    result.bound = 15;
  } else if (!isFloat(type)) {
    // Every integer type holds numbers of up to 100.
    const std::string limited = fmt::format("tl.minimum(tl.maximum({}, -100.0), 100.0)", value.text);
    const std::string inner = value.bound <= 100 ? value.text : limited;
    result.text = (isSigned(type) ? "(" + inner + ")" : "tl.abs(" + inner + ")") + cast;
  } else if (fits(value, type)) {
    result.text = "(" + value.text + ")" + cast;
    result.grain = value.grain;
    result.bound = value.bound;
  } else {
    return convert(convert(value, Int32), type);
  }
  return result;
}

Value Generator::toScalar(Value value) {
  if (value.shape.empty())
    return value;
  if (value.type == Int1)
    return toScalar(convert(value, Int32));
  Value result = value;
  result.shape = {};
  const bool small = !isFloat(value.type) && chance(50);
  result.text = fmt::format("{}({}).to({})",
                            small        ? "tl.sum"
                            : chance(50) ? "tl.max"
                                         : "tl.min",
                            value.text, nameOf(value.type));
  return result;
}

/// A scalar as a tensor.
Value Generator::spread(Value value, Shape shape) {
  if (shape.empty())
    return value;
  if (value.type == Int1)
    return convert(spread(convert(value, Int32), shape), Int1);
  Value result = value;
  result.shape = shape;
  result.text = fmt::format("({} + tl.zeros({}, {}))", value.text, textOf(shape), nameOf(value.type));
  return result;
}

Value Generator::reshape(Value value, Shape shape) {
  Value result = value;
  result.shape = shape;
  if (value.shape == shape)
    return value;
  if (countOf(value.shape) == countOf(shape)) {
    result.text = fmt::format("tl.reshape({}, {})", value.text, textOf(shape));
    return result;
  }
  if (value.shape.size() == shape.size()) {
    bool broadcasts = true;
    for (size_t dim = 0; dim < shape.size(); ++dim)
      broadcasts &= value.shape[dim] == shape[dim] || value.shape[dim] == 1;
    if (broadcasts) {
      result.text = fmt::format("tl.broadcast_to({}, {})", value.text, textOf(shape));
      return result;
    }
  }
  if (value.shape.size() == 1 && shape.size() == 2 &&
      (value.shape[0] == shape[0] || value.shape[0] == shape[1])) {
    const bool column = value.shape[0] == shape[0];
    result.text = fmt::format("tl.broadcast_to({}{}, {})", value.text, column ? "[:, None]" : "[None, :]",
                              textOf(shape));
    return result;
  }
  return features.reductions ? spread(toScalar(value), shape) : get(value.type, shape);
}

/// A value of this type and shape from what there is, or from memory.
Value Generator::get(ScalarKind type, Shape shape) {
  std::vector<Value> same, other;
  for (const Value &value : live)
    if (value.error == 0) // no condition may depend on how sums were rounded
      (value.shape == shape || value.shape.empty() ? same : other).push_back(value);
  std::erase_if(same, [&](const Value &value) { return value.shape != shape && chance(70); });
  const int dice = upTo(100);
  if (!same.empty() && dice < 72) {
    const Value picked = convert(oneOf(same), type);
    return picked.shape == shape ? picked : spread(picked, shape);
  }
  if (shape.empty())
    return dice < 90 || !features.reductions || other.empty() ? scalar(type)
                                                              : convert(toScalar(oneOf(other)), type);
  if (!other.empty() && dice < 82) {
    const Value picked = oneOf(other);
    const bool reshapes = countOf(picked.shape) == countOf(shape) || features.reductions;
    if (reshapes)
      return convert(reshape(picked, shape), type);
  }
  if (dice < 87)
    return spread(scalar(type), shape);
  if (dice < 92)
    return convert({iota(shape, "1", false), Int32, shape, 0, 0}, type);
  return load(type, shape);
}

Value Generator::condition(Shape shape) {
  static const std::vector<std::string> operators{"<", "<=", ">", ">=", "==", "!="};
  const ScalarKind type = chance(70) ? integerType() : Float32;
  const Value a = get(type, shape);
  const Value b = chance(50) ? get(type, shape) : constant(type);
  return {fmt::format("({} {} {})", a.text, oneOf(operators), b.text), Int1, shape, 0, 0};
}

/// Row-major numbers of the elements, or column-major ones, times `stride`.
std::string Generator::iota(const Shape &shape, const std::string &stride, bool transposed) {
  std::string text;
  int64_t step = transposed ? 1 : countOf(shape);
  for (size_t dim = 0; dim < shape.size(); ++dim) {
    if (!transposed)
      step /= shape[dim];
    std::string index = fmt::format("tl.arange(0, {})", shape[dim]);
    if (shape.size() > 1) {
      index += "[";
      for (size_t at = 0; at < shape.size(); ++at)
        index += fmt::format("{}{}", at ? ", " : "", at == dim ? ":" : "None");
      index += "]";
    }
    if (step != 1)
      index += fmt::format(" * {}", step);
    text += (text.empty() ? "" : " + ") + index;
    if (transposed)
      step *= shape[dim];
  }
  return stride == "1" ? "(" + text + ")" : fmt::format("(({}) * {})", text, stride);
}

/// Some array of elements of `type`, which is not Int1.
size_t Generator::inputOf(ScalarKind type) {
  std::vector<size_t> candidates;
  for (size_t input : inputs)
    if (kernel.arguments[input].type.scalar == type)
      candidates.push_back(input);
  if (!candidates.empty() && (chance(60) || inputs.size() > 8))
    return oneOf(candidates);
  Argument argument = newArray("x", type, 20);
  const int size = 256 + upTo(1500);
  for (int i = 0; i < size; ++i) {
    const int number = upTo(17) - 8;
    const uint64_t bits = random();
    if (isFloat(
            type)) // halves of small numbers: exact in every format, and easy to write down in all of them
      addElement(argument, double(number) / 2);
    else if (chance(50))
      addElement(argument, number);
    else
      addBits(argument, bits);
  }
  kernel.arguments.push_back(argument);
  inputs.push_back(kernel.arguments.size() - 1);
  addLength(inputs.back());
  return inputs.back();
}

/// Adds an argument for the number of elements of an array that a kernel may touch, as authors pass it.
void Generator::addLength(size_t input) {
  const Argument &array = kernel.arguments[input];
  number(array.name + "_len", int(array.elements.size() - array.skip));
}

Value Generator::load(ScalarKind type, Shape shape) {
  if (type == Int1)
    return convert(load(Int32, shape), Int1);
  const Argument &from = kernel.arguments[inputOf(type)];
  const std::string array = from.name, length = array + "_len";
  Value value{"", type, shape, isFloat(type) ? -1 : 0, 4};
  if (shape.empty()) {
    value.text = fmt::format("tl.load({} + ({} & 127))", array, scalar(Int32).text);
    return define(value);
  }
  if (chance(25)) { // a gather
    value.text = fmt::format("tl.load({} + ({} & 127))", array, get(Int32, shape).text);
    return define(value);
  }
  const std::string index = fresh("i");
  static const std::vector<std::string> strides{"1", "1", "1", "2", "3"};
  line(fmt::format("{} = pid * {} + {}", index, countOf(shape), iota(shape, oneOf(strides), chance(25))));
  const std::string mask = fmt::format("{} < {}", index, length);
  const Value also = chance(30) ? condition(shape) : Value{"", Int1, shape, 0, 0};
  const std::string name = fresh("m");
  line(fmt::format("{} = {}", name, also.text.empty() ? mask : fmt::format("({}) & {}", mask, also.text)));
  static const std::vector<std::string> hints{"", "", "", ", cache_modifier='.cg'",
                                              ", eviction_policy='evict_first'"};
  if (chance(25)) {
    value.text = fmt::format("tl.where({1}, tl.load({0} + {2}, mask={1}), {3})", array, name, index, 2);
  } else {
    const std::string other = chance(30) ? get(type, shape).text : std::to_string(upTo(4));
    if (other.size() > 1) { // may be anything
      const Value loaded =
          define({fmt::format("tl.load({} + {}, mask={}, other=3{})", array, index, name, oneOf(hints)), type,
                  shape, value.grain, value.bound});
      return loaded;
    }
    value.text =
        fmt::format("tl.load({} + {}, mask={}, other={}{})", array, index, name, other, oneOf(hints));
  }
  return define(value);
}

} // namespace tegula::random
