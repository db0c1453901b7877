#include "compiler/debug/ElementTypes.h"

#include "compiler/frontend/values/Promotion.h"
#include "compiler/spec/SmallFloat.h"

#include <cmath>

namespace tegula::debug {

std::optional<ScalarKind> scalarOf(const Value &value) {
  if (value.isRegister)
    return std::nullopt;
  return parseScalarKind(std::string_view(value.type).substr(0, value.type.find('[')));
}

static double rounded(double number, ScalarKind kind) {
  if (kind == ScalarKind::Float64)
    return number;
  if (kind == ScalarKind::Float32)
    return double(float(number));
  const SmallFloat &format = smallFloat(kind);
  return format.valueOf(format.bitsOf(number));
}

/// The integer that the low bits of one of 64 are.
static int64_t wrapped(int64_t number, ScalarKind kind) {
  const unsigned spare = 64 - scalarKindBytes(kind) * 8;
  return numberOf(kind, uint64_t(number) << spare >> spare).whole;
}

/// A float as an integer: towards zero, and the end of the range where it is beyond.
static int64_t truncated(double number) {
  constexpr double end = 9223372036854775808.0; // 2^63
  if (std::isnan(number))
    return 0;
  return number >= end ? INT64_MAX : number < -end ? INT64_MIN : int64_t(number);
}

Value convertedTo(const Value &value, ScalarKind kind) {
  Value out;
  out.kind = isFloatKind(kind) ? Value::Real : kind == ScalarKind::Int1 ? Value::Truth : Value::Whole;
  out.shape = value.shape;
  out.type = eval::typeName(eval::Dtype{kind});
  for (size_t i = 0; i < value.size(); ++i)
    if (out.kind == Value::Real)
      out.add(rounded(value.real(i), kind));
    else if (kind == ScalarKind::Int1)
      out.add(int64_t(value.real(i) != 0));
    else
      out.add(wrapped(value.kind == Value::Real ? truncated(value.reals[i]) : value.wholes[i], kind));
  out.undefined = value.undefined;
  return out;
}

/// One side of an operation; a number of a person's own gives way to the other side.
static eval::Operand operandOf(const Value &value) {
  if (const std::optional<ScalarKind> kind = scalarOf(value))
    return {{*kind}, false};
  if (value.kind == Value::Truth)
    return {{ScalarKind::Int1}, true};
  if (value.kind == Value::Whole && value.size() == 1)
    return {eval::typeOfNumber(eval::Int(value.wholes[0])).value_or(eval::Dtype{ScalarKind::Int64}), true};
  return {{value.kind == Value::Whole ? ScalarKind::Int32 : ScalarKind::Float32}, true};
}

std::optional<ScalarKind> commonType(const Value &a, const Value &b, bool divides, std::string &error) {
  if (!scalarOf(a) && !scalarOf(b))
    return std::nullopt;
  const auto type = eval::promote(operandOf(a), operandOf(b), divides);
  if (const auto *problem = std::get_if<std::string>(&type)) {
    error = *problem;
    return std::nullopt;
  }
  return std::get<eval::Dtype>(type).scalar;
}

} // namespace tegula::debug
