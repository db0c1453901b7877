// Python's formats of numbers and text are fmt's, as far as kernels use them.
#include "compiler/frontend/values/Formats.h"

#include <fmt/format.h>

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Whether `spec` is a format of the small kind that is worth having: no nested fields, no width that
/// would fill the memory.
bool isPlainFormat(std::string_view spec) {
  unsigned digits = 0;
  for (char c : spec) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (c == '{' || c == '}' || digits > 3)
      return false;
  }
  return true;
}

} // namespace

std::optional<std::string> eval::formatText(const Value &value, std::string_view spec) {
  if (spec.empty())
    return toText(value, false);
  if (!isPlainFormat(spec))
    return std::nullopt;
  std::string pattern = "{:" + std::string(spec) + "}";
  try {
    if (const double *real = value.as<double>())
      return fmt::format(fmt::runtime(pattern), *real);
    if (std::optional<Int> number = value.asInt()) {
      if (std::string_view("eEfFgG%").find(spec.back()) != std::string_view::npos)
        return fmt::format(fmt::runtime(pattern), double(*number));
      return fmt::format(fmt::runtime(pattern), *number);
    }
    return fmt::format(fmt::runtime(pattern), toText(value, false));
  } catch (const fmt::format_error &) {
    return std::nullopt;
  }
}
