#include "runtime/jit/launch/Specialize.h"

#include <fmt/format.h>

namespace tegula::jit {

/// Without being asked, facts are worth a variant of their own only at the width of the widest access, 16
/// bytes; for integers Triton uses the same number, as products with it then keep rows aligned.
static constexpr uint8_t worthKnowing = 16;

/// The most common argument: an integer whose type follows from its value.
static Specialized integerArgument(const ParameterInfo &parameter, const HostValue &value) {
  const bool isSigned = value.kind != HostValue::UInt;
  Specialized result;
  if (isSigned && !parameter.doNotSpecialize && value.bits == 1) {
    result.form = Specialized::BoundOne;
    return result;
  }
  result.form = Specialized::Runtime;
  const int64_t number = int64_t(value.bits);
  result.scalar = !isSigned                   ? ScalarKind::UInt64
                  : number == int32_t(number) ? ScalarKind::Int32
                                              : ScalarKind::Int64;
  if (parameter.doNotSpecialize)
    return result;
  if (!parameter.doNotSpecializeOnAlignment && value.bits % worthKnowing == 0)
    result.divisibility = worthKnowing;
  result.nonNegative = isSigned && number >= 0;
  return result;
}

/// An integer for a parameter, or with a type, that is declared.
static Specialized integerArgument(const ParameterInfo &parameter, const HostValue &value,
                                   ScalarKind declared) {
  Specialized result;
  result.form = Specialized::Runtime;
  result.scalar = declared;
  const bool wantsFacts = !parameter.doNotSpecialize && !parameter.doNotSpecializeOnAlignment &&
                          !isFloatKind(declared) && declared != ScalarKind::Int1;
  if (wantsFacts && value.bits % worthKnowing == 0)
    result.divisibility = worthKnowing;
  if (!parameter.doNotSpecialize && isSignedInteger({declared, 0, {}}))
    result.nonNegative = int64_t(value.bits) >= 0;
  return result;
}

Specialized specialize(const ParameterInfo &parameter, const HostValue &value) {
  Specialized result;
  MaybeScalar declared = value.type;
  uint8_t depth = 0;
  if (parameter.type) {
    declared = parameter.type->scalar;
    depth = parameter.type->pointerDepth;
  }
  switch (value.kind) {
  case HostValue::None:
    result.form = Specialized::BoundNone;
    return result;
  case HostValue::Pointer:
    if (parameter.type && depth == 0)
      return result;
    result.form = Specialized::Runtime;
    result.scalar = declared.value_or(ScalarKind::Int8);
    result.pointerDepth = depth ? depth : 1;
    if (!parameter.doNotSpecialize && !parameter.doNotSpecializeOnAlignment && value.bits % worthKnowing == 0)
      result.divisibility = worthKnowing;
    return result;
  case HostValue::Float:
    if (depth != 0 || (declared && !isFloatKind(*declared)))
      return result;
    result.form = Specialized::Runtime;
    result.scalar = declared.value_or(ScalarKind::Float32);
    return result;
  case HostValue::Bool:
    if (depth != 0)
      return result;
    result.form = Specialized::Runtime;
    result.scalar = declared.value_or(ScalarKind::Int1);
    return result;
  case HostValue::Int:
  case HostValue::UInt:
    if (!declared)
      return integerArgument(parameter, value);
    if (depth != 0 || (!isFloatKind(*declared) && !integerFits(value, *declared)))
      return result;
    return integerArgument(parameter, value, *declared);
  case HostValue::Default: // these have no place in the key of their own: see JitKernel
  case HostValue::Tuple:
    break;
  }
  return result;
}

ArgSpec argSpec(const Specialized &specialized) {
  switch (specialized.form) {
  case Specialized::BoundOne:
    return BoundValue{int64_t(1)};
  case Specialized::Runtime:
    return RuntimeArg{
        specialized.scalar, specialized.pointerDepth, {specialized.divisibility, specialized.nonNegative}};
  default:
    return BoundValue{std::monostate()};
  }
}

runtime::Result<BoundValue> constexprOf(const ParameterInfo &parameter, const HostValue &value) {
  if (std::optional<BoundValue> known = compileTimeValue(value))
    return std::move(*known);
  return runtime::Error{
      runtime::ErrorKind::InvalidArgument,
      fmt::format("parameter `{}` is a `tl.constexpr`, found {}", parameter.name, describeValue(value))};
}

std::string describeValue(const HostValue &value) {
  switch (value.kind) {
  case HostValue::None:
    return "None";
  case HostValue::Bool:
    return value.bits ? "True" : "False";
  case HostValue::Int:
    return fmt::format("the integer {}", int64_t(value.bits));
  case HostValue::UInt:
    return fmt::format("the integer {}", value.bits);
  case HostValue::Float:
    return fmt::format("the float {}", value.asDouble());
  case HostValue::Default:
    return "its default";
  case HostValue::Tuple:
    return "a tuple";
  case HostValue::Pointer:
    break;
  }
  return fmt::format("a pointer *{}", scalarKindName(value.type.value_or(ScalarKind::Int8)));
}

runtime::Error mismatch(const ParameterInfo &parameter, const HostValue &value) {
  const std::string expected = parameter.type ? formatArgType(*parameter.type)
                               : value.type   ? std::string(scalarKindName(*value.type))
                                              : "another type";
  return {runtime::ErrorKind::InvalidArgument, fmt::format("expected {} for parameter `{}`, found {}",
                                                           expected, parameter.name, describeValue(value))};
}

} // namespace tegula::jit
