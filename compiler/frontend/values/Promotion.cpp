// The promotion rules, in the order in which the language applies them.
#include "compiler/frontend/values/Promotion.h"

#include <cmath>
#include <limits>

using namespace tegula;
using namespace tegula::eval;

namespace {

/// bool < integer < float.
int kindOf(Dtype dtype) { return dtype.isFloat() ? 2 : dtype.isBool() ? 0 : 1; }

bool isHalf(Dtype dtype) { return dtype.is(ScalarKind::Float16) || dtype.is(ScalarKind::BFloat16); }

} // namespace

std::optional<Dtype> eval::typeOfNumber(Int value) {
  for (ScalarKind kind : {ScalarKind::Int32, ScalarKind::UInt32, ScalarKind::Int64, ScalarKind::UInt64})
    if (fits(value, {kind}))
      return Dtype{kind};
  return std::nullopt;
}

Dtype eval::typeOfNumber(double value) {
  double magnitude = std::fabs(value);
  bool single = magnitude == 0 || std::isinf(value) || std::isnan(value) ||
                (magnitude >= double(std::numeric_limits<float>::min()) &&
                 magnitude <= double(std::numeric_limits<float>::max()));
  return {single ? ScalarKind::Float32 : ScalarKind::Float64};
}

Dtype eval::promoteIntegers(Dtype a, Dtype b) {
  if (a.isUnsigned() == b.isUnsigned())
    return a.bits() > b.bits() ? a : b;
  Dtype with = a.isUnsigned() ? a : b, without = a.isUnsigned() ? b : a;
  return with.bits() >= without.bits() ? with : without;
}

std::variant<Dtype, std::string> eval::promote(Operand a, Operand b, bool divides) {
  const Dtype fp16{ScalarKind::Float16}, fp32{ScalarKind::Float32}, fp64{ScalarKind::Float64},
      bf16{ScalarKind::BFloat16};
  if (a.isNumber != b.isNumber) {
    Dtype number = a.isNumber ? a.dtype : b.dtype, other = a.isNumber ? b.dtype : a.dtype;
    if (kindOf(number) <= kindOf(other))
      return divides && isHalf(other) ? fp32 : other;
  }
  auto either = [&](Dtype dtype) { return a.dtype == dtype || b.dtype == dtype; };
  if (either(fp64))
    return fp64;
  if (either(fp32))
    return fp32;
  if (either(fp16))
    return divides ? fp32 : fp16;
  if (either(bf16))
    return a.dtype == b.dtype && !divides ? bf16 : fp32;
  if (a.dtype.isFloat8() && b.dtype.isFloat8())
    return a.dtype == b.dtype ? a.dtype : fp16;
  if (a.dtype.isFloat8() || b.dtype.isFloat8())
    return "expected two floats, found " + typeName(a.dtype) + " and " + typeName(b.dtype);
  if (divides && a.dtype.isUnsigned() != b.dtype.isUnsigned())
    return "Cannot use it with " + typeName(a.dtype) + " and " + typeName(b.dtype) +
           " because they have different signedness";
  return promoteIntegers(a.dtype, b.dtype);
}
