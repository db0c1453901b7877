#include "compiler/debug/Values.h"

#include "compiler/interp/values/Floats.h"

#include "dialect/tile/Tile.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using tegula::interp::Element;

namespace tegula::debug {

void Value::add(double number) {
  reals.push_back(number);
  if (!undefined.empty())
    undefined.push_back(0);
}

void Value::add(int64_t number) {
  wholes.push_back(number);
  if (!undefined.empty())
    undefined.push_back(0);
}

void Value::add(const Number &number) {
  if (number.isUndefined)
    return addUndefined();
  number.isFloat ? add(number.real) : add(number.whole);
}

void Value::addUndefined() {
  undefined.resize(size());
  kind == Real ? reals.push_back(0) : wholes.push_back(0);
  undefined.push_back(1);
}

void Value::append(const Value &from, size_t index) {
  if (from.isUndefined(index))
    return addUndefined();
  kind == Real ? add(from.real(index)) : add(from.wholes[index]);
}

Value Value::of(double number) {
  Value value;
  value.kind = Real;
  value.add(number);
  return value;
}
Value Value::of(int64_t number) {
  Value value;
  value.add(number);
  return value;
}
Value Value::of(bool truth) {
  Value value;
  value.kind = Truth;
  value.add(int64_t(truth));
  return value;
}

/// A number that was known when compiling; nothing where the text is another.
static std::optional<Value> constantOf(const std::string &text) {
  if (text == "True" || text == "False")
    return Value::of(text == "True");
  int64_t whole = 0;
  if (!llvm::StringRef(text).getAsInteger(10, whole))
    return Value::of(whole);
  double real = 0;
  if (!llvm::StringRef(text).getAsDouble(real))
    return Value::of(real);
  return std::nullopt;
}

std::optional<Value> valueOf(const NamedValue &named, llvm::ArrayRef<Array> arrays) {
  if (!named.value.type)
    return constantOf(named.constant);
  if (llvm::isa<tile::ViewType>(named.value.type))
    return std::nullopt;
  const Element element(named.value.type);
  Value value;
  value.type = named.type;
  value.pointees = arrays;
  value.kind = element.isFloat() ? Value::Real : element.bits == 1 ? Value::Truth : Value::Whole;
  const llvm::ArrayRef<int64_t> shape = interp::shapeOf(named.value.type);
  value.shape.assign(shape.begin(), shape.end());
  const bool isSigned = element.kind == Element::Integer && element.bits > 1 &&
                        !llvm::StringRef(named.type).starts_with("uint");
  for (size_t i = 0; i < named.value.size(); ++i) {
    const uint64_t bits = named.value.bits[i];
    if (element.isFloat())
      value.add(interp::decodeFloat(element.kind, bits));
    else
      value.add(isSigned ? interp::signExtend(bits, element.bits) : int64_t(bits));
  }
  value.undefined.assign(named.value.undefined.begin(), named.value.undefined.end());
  return value;
}

Value valueOf(const ReadMemory &read, const Array &array, uint64_t limit) {
  Value value;
  value.kind = isFloatKind(array.type) ? Value::Real : Value::Whole;
  value.type = std::string(scalarKindName(array.type));
  const uint64_t count = std::min(array.elements(), limit);
  value.shape = array.shape;
  if (count < array.elements())
    value.shape = {int64_t(count)};
  for (uint64_t i = 0; i < count; ++i)
    value.add(readElement(read, array, i));
  return value;
}

std::string elementText(const Value &value, size_t index) {
  if (value.kind == Value::Truth && !value.isUndefined(index))
    return value.wholes[index] ? "True" : "False";
  if (value.isAddress() && !value.isUndefined(index))
    return addressText(value.pointees, uint64_t(value.wholes[index]));
  Number number;
  number.isFloat = value.kind == Value::Real;
  number.isUndefined = value.isUndefined(index);
  number.real = value.real(index);
  if (!number.isFloat)
    number.whole = value.wholes[index];
  return text(number);
}

/// "fp32[64, 64]", where the type is known; else the sides alone.
static std::string typeText(const Value &value) {
  if (value.type.find('[') != std::string::npos)
    return value.type;
  std::string sides;
  for (int64_t side : value.shape)
    sides += (sides.empty() ? "" : ", ") + std::to_string(side);
  const char *kind = value.kind == Value::Real ? "float" : value.kind == Value::Truth ? "bool" : "int";
  return (value.type.empty() ? kind : value.type) + "[" + sides + "]";
}

/// "pointer<fp32>[64] at x[0] to x[63]".
static std::string addressSummary(const Value &value) {
  const std::string type = value.shape.empty() ? value.type : typeText(value);
  uint64_t least = UINT64_MAX, most = 0, undefined = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    undefined += value.isUndefined(i);
    if (value.isUndefined(i))
      continue;
    least = std::min(least, uint64_t(value.wholes[i]));
    most = std::max(most, uint64_t(value.wholes[i]));
  }
  if (least > most)
    return type + " undefined";
  std::string out = type + " at " + addressText(value.pointees, least);
  if (least != most)
    out += " to " + addressText(value.pointees, most);
  return out + (undefined ? ", " + std::to_string(undefined) + " undefined" : "");
}

std::string summary(const Value &value) {
  if (value.shape.empty() && value.size() == 1)
    return elementText(value, 0);
  if (value.isAddress())
    return addressSummary(value);
  size_t nans = 0, infinities = 0, undefined = 0, counted = 0, least = 0, most = 0, trues = 0;
  double sum = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    const double number = value.real(i);
    if (value.isUndefined(i)) {
      ++undefined;
    } else if (std::isnan(number)) {
      ++nans;
    } else {
      infinities += std::isinf(number);
      trues += value.kind == Value::Truth && number != 0;
      least = !counted || number < value.real(least) ? i : least;
      most = !counted || number > value.real(most) ? i : most;
      sum += number;
      ++counted;
    }
  }
  std::string out = typeText(value);
  if (value.kind == Value::Truth)
    out += llvm::formatv(" {0} true, {1} false", trues, counted - trues);
  else if (counted)
    out += " min " + elementText(value, least) + " max " + elementText(value, most) + " mean " +
           elementText(Value::of(sum / double(counted)), 0);
  const char *separator = counted || value.kind == Value::Truth ? ", " : " ";
  for (auto [count, what] :
       {std::pair(nans, "NaN"), std::pair(infinities, "infinite"), std::pair(undefined, "undefined")})
    if (count) {
      out += separator + std::to_string(count) + " " + what;
      separator = ", ";
    }
  return out;
}

static void appendElements(const Value &value, size_t dim, size_t first, size_t stride, size_t edge,
                           std::string &out) {
  if (dim == value.shape.size()) {
    out += elementText(value, first);
    return;
  }
  const size_t side = size_t(value.shape[dim]), inner = stride / std::max<size_t>(side, 1);
  out += "[";
  for (size_t i = 0; i < side; ++i) {
    if (side > 2 * edge + 1 && i == edge) {
      out += ", ...";
      i = side - edge;
    }
    out += i ? ", " : "";
    appendElements(value, dim + 1, first + i * inner, inner, edge, out);
  }
  out += "]";
}

std::string elementsText(const Value &value, size_t edge) {
  std::string out;
  appendElements(value, 0, 0, value.size(), edge, out);
  return out;
}

std::string describe(const NamedValue &named, llvm::ArrayRef<Array> arrays) {
  if (!named.value.type)
    return named.constant;
  const std::optional<Value> value = valueOf(named, arrays);
  if (!value)
    return named.type;
  return Element(named.value.type).kind == Element::Pointer ? addressSummary(*value) : summary(*value);
}

} // namespace tegula::debug
