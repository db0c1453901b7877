// Python's `math`, which constants of modules are computed with.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/calls/Call.h"

#include <cmath>
#include <numeric>

using namespace tegula;
using namespace tegula::eval;

template <> std::optional<double> eval::argumentAs(Call &call, size_t index) {
  if (std::optional<double> known = call.value(index).asDouble())
    return known;
  Diagnostic &diagnostic = call.report(
      call.rangeOf(index), "expected a number known at compile time, found " + describe(call.value(index)));
  const Spelling spelling = languageSpelling(call.evaluator.functions, call.builtin.name);
  if (call.value(index).is<Tensor>() && !spelling.empty()) {
    diagnostic.help = "for run-time values it is " + spelling.text;
    addSpellingFix(call.reporter, diagnostic, call.calleeRange(), call.builtin.name, spelling);
  }
  return std::nullopt;
}

namespace {

Value result(Call &call, double value) {
  if (std::isnan(value) && !std::isnan(call.value(0).asDouble().value_or(0)))
    return call.error("the argument is outside the function's domain");
  auto isFinite = [](const Argument &argument) {
    return std::isfinite(argument.value.asDouble().value_or(0));
  };
  if (std::isinf(value) && llvm::all_of(call.arguments, isFinite))
    return call.error("the result is larger than a float can be");
  Value made = value;
  made.wrapped =
      llvm::any_of(call.arguments, [](const Argument &argument) { return argument.value.wrapped; });
  return made;
}

template <double (*function)(double)> Value unary(Call &call, double x) { return result(call, function(x)); }

template <double (*function)(double, double)> Value binary(Call &call, double x, double y) {
  return result(call, function(x, y));
}

/// To an integer, rounded by `function`.
template <double (*function)(double)> Value whole(Call &call, double x) {
  if (std::optional<Int> exact = call.value(0).asInt())
    return *exact;
  double rounded = function(x);
  if (!std::isfinite(rounded) || std::fabs(rounded) > 1e38)
    return call.error("expected a finite number, found " + toText(x));
  return Int(rounded);
}

Value log(Call &call) {
  std::optional<double> x = argumentAs<double>(call, 0),
                        base = call.arguments[1].given ? argumentAs<double>(call, 1) : std::exp(1.0);
  if (!x || !base)
    return Poison();
  if (*x <= 0 || *base <= 0 || *base == 1)
    return call.error("the argument is outside the function's domain");
  return result(call, call.arguments[1].given ? std::log(*x) / std::log(*base) : std::log(*x));
}

template <bool (*test)(double)> Value classify(Call &, double x) { return test(x); }

Value gcd(Call &, Int a, Int b) {
  Int x = a < 0 ? -a : a, y = b < 0 ? -b : b;
  while (y != 0)
    x = std::exchange(y, x % y);
  return x;
}

constexpr auto sqrt = unary<std::sqrt>, exp = unary<std::exp>, exp2 = unary<std::exp2>,
               log2 = unary<std::log2>, log10 = unary<std::log10>, log1p = unary<std::log1p>,
               sin = unary<std::sin>, cos = unary<std::cos>, tan = unary<std::tan>, tanh = unary<std::tanh>,
               atan = unary<std::atan>, erf = unary<std::erf>, fabs = unary<std::fabs>;
constexpr auto pow = binary<std::pow>, fmod = binary<std::fmod>;
constexpr auto ceil = whole<std::ceil>, floor = whole<std::floor>, trunc = whole<std::trunc>;
constexpr auto isnan = classify<std::isnan>, isinf = classify<std::isinf>, isfinite = classify<std::isfinite>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsPythonMath.inc"
