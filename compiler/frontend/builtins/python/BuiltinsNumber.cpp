// Python's own numbers and what it makes of them, known at compile time; `abs` and `bool` also take run-time
// values.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/expressions/Operators.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstdio>
#include <limits>

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Refuses a value that only a launch knows, and that `suffix` converts there.
Value refuseRuntime(Call &call, std::string_view suffix) {
  Diagnostic &diagnostic = call.report(call.rangeOf(0), "expected a number known at compile time, found " +
                                                            describe(call.value(0)));
  diagnostic.help = "convert run-time values with " + asCode(suffix);
  if (call.value(0).is<Tensor>())
    call.reporter.addFix(diagnostic, "convert it with " + asCode(suffix),
                         {{call.calleeRange(), ""}, {{call.range.end, call.range.end}, std::string(suffix)}});
  return Poison();
}

Value abs(Call &call) {
  const Value &value = call.value(0);
  if (std::optional<Int> number = value.asInt())
    return *number < 0 ? eval::unary(call.evaluator, ast::UnaryOp::Negate, value, call.range)
                       : Value(*number);
  if (const double *real = value.as<double>())
    return std::fabs(*real);
  const Builtin *runtime = call.evaluator.functions.builtin("abs", InLanguage);
  return call.evaluator.call(BuiltinRef{runtime}, value, call.range);
}

Value int_(Call &call) {
  const Value &value = call.value(0);
  if (const double *real = value.as<double>()) {
    if (std::isfinite(*real) && std::fabs(*real) < 1e38)
      return Int(*real);
    return call.errorAt(0, "expected a finite number, found " + toText(value, true));
  }
  if (std::optional<Int> number = value.asInt())
    return *number;
  if (const auto *text = value.as<std::string_view>()) {
    int64_t number = 0;
    if (!llvm::StringRef(*text).trim().getAsInteger(10, number))
      return Int(number);
    return call.errorAt(0, "expected the digits of a number, found " + toText(value, true));
  }
  return refuseRuntime(call, ".to(tl.int32)");
}

Value float_(Call &call) {
  const Value &value = call.value(0);
  if (std::optional<double> number = value.asDouble())
    return *number;
  if (const auto *text = value.as<std::string_view>()) {
    llvm::StringRef trimmed = llvm::StringRef(*text).trim();
    double number = 0;
    std::string lower = trimmed.lower();
    llvm::StringRef magnitude = llvm::StringRef(lower).ltrim("+-");
    if (magnitude == "inf" || magnitude == "infinity" || magnitude == "nan")
      number = magnitude == "nan" ? std::numeric_limits<double>::quiet_NaN()
                                  : std::numeric_limits<double>::infinity();
    else if (trimmed.getAsDouble(number))
      return call.errorAt(0, "expected the digits of a number, found " + toText(value, true));
    return trimmed.starts_with("-") && number > 0 ? -number : number;
  }
  return refuseRuntime(call, ".to(tl.float32)");
}

Value bool_(Call &call) {
  if (std::optional<bool> known = truth(call.value(0)))
    return *known;
  std::optional<Tensor> value = call.tensor(0);
  return value ? orPoison(call.semantics.cast(*value, {ScalarKind::Int1}, call.range)) : Value(Poison());
}

/// Halves go to the even neighbour; with places, to that many decimals of the number as it is, not as it is
/// written.
Value round(Call &call) {
  const Value &value = call.value(0);
  std::optional<Int> places = call.given(1) ? call.integer(1) : Int(0);
  if (!places)
    return Poison();
  if (*places < 0 || *places > 300)
    return call.errorAt(1, "expected 0 to 300 decimals, found " + toString(*places));
  if (std::optional<Int> number = value.asInt())
    return *number;
  const double *real = value.as<double>();
  if (!real)
    return call.errorAt(0, "expected a number known at compile time, found " + describe(value));
  if (!call.given(1)) {
    if (!std::isfinite(*real) || std::fabs(*real) > 1e38)
      return call.errorAt(0, "expected a finite number, found " + toText(value, true));
    return Int(std::nearbyint(*real));
  }
  if (!std::isfinite(*real))
    return *real;
  // The C library rounds a number's decimals as Python does.
  char text[700];
  std::snprintf(text, sizeof text, "%.*f", int(*places), *real);
  return std::strtod(text, nullptr);
}

/// The quotient and the remainder, both downwards.
Value divmod(Call &call) {
  Value quotient =
      eval::binary(call.evaluator, ast::BinaryOp::FloorDiv, call.value(0), call.value(1), call.range);
  Value rest = quotient.isPoison() ? quotient
                                   : eval::binary(call.evaluator, ast::BinaryOp::Mod, call.value(0),
                                                  call.value(1), call.range);
  return rest.isPoison() ? rest : call.evaluator.memory.tuple({quotient, rest}, false, call.range);
}

/// The least integer has no negative.
unsigned __int128 magnitudeOf(Int number) {
  auto bits = static_cast<unsigned __int128>(number);
  return number < 0 ? -bits : bits;
}

/// `bin`, `oct` and `hex`: the digits of an integer by powers of two, with the prefix that Python writes.
template <unsigned bits, char letter> Value digits(Call &call, Int number) {
  auto magnitude = magnitudeOf(number);
  std::string text;
  do {
    text.insert(text.begin(), "0123456789abcdef"[unsigned(magnitude & ((1u << bits) - 1))]);
    magnitude >>= bits;
  } while (magnitude != 0);
  return call.evaluator.memory.text((number < 0 ? "-0" : "0") + (letter + text), call.range);
}

Value bitLength(Call &, Int number) {
  auto magnitude = magnitudeOf(number);
  uint64_t high = uint64_t(magnitude >> 64);
  return Int(high ? 64 + llvm::bit_width(high) : llvm::bit_width(uint64_t(magnitude)));
}

constexpr auto bin = digits<1, 'b'>, oct = digits<3, 'o'>, hex = digits<4, 'x'>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsNumber.inc"
