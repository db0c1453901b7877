// Python's formats of numbers and text are fmt's, as far as kernels use them.
#include "compiler/frontend/values/Formats.h"

#include "llvm/ADT/StringRef.h"

#include <cmath>
#include <fmt/format.h>

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Returns true if `spec` is a format of the small kind that is worth having: no nested fields, no width that
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

/// A format behind `%`, read.
struct PercentFormat {
  llvm::StringRef written; ///< whole, with its `%`
  llvm::StringRef flags, width;
  llvm::StringRef precision; ///< with its dot
  char type = 0;
};

/// Takes a format off the front of `rest`, which begins with `%`.
PercentFormat takeFormat(llvm::StringRef &rest) {
  PercentFormat format;
  llvm::StringRef whole = rest;
  auto take = [&](llvm::StringRef characters) {
    llvm::StringRef taken = rest.take_while([&](char c) { return characters.contains(c); });
    rest = rest.drop_front(taken.size());
    return taken;
  };
  rest = rest.drop_front();
  format.flags = take("#0- +");
  format.width = take("0123456789");
  if (llvm::StringRef dot = rest; rest.consume_front("."))
    format.precision = dot.take_front(1 + take("0123456789").size());
  if (!rest.empty()) {
    format.type = rest.front();
    rest = rest.drop_front();
  }
  format.written = whole.drop_back(rest.size());
  return format;
}

/// The same as formatText takes it, where `%` and `{:}` differ: sides, and what numbers are.
std::optional<std::string> formatted(const PercentFormat &format, const Value &value) {
  const bool isText = format.type == 's' || format.type == 'r',
             isWhole = llvm::StringRef("dixXo").contains(format.type);
  if (!isText && (!value.isNumber() || !llvm::StringRef("dixXoeEfFgG").contains(format.type)))
    return std::nullopt;
  Value shown = value;
  if (isWhole && value.is<double>()) {
    if (llvm::StringRef("xXo").contains(format.type) || !(std::fabs(*value.as<double>()) < 1e38))
      return std::nullopt;
    shown = Int(*value.as<double>());
  } else if (value.is<bool>()) {
    shown = *value.asInt();
  }
  std::string text = isText ? toText(value, format.type == 'r') : "";
  if (isText)
    shown = std::string_view(text);
  const bool left = format.flags.contains('-'), zeros = format.flags.contains('0') && !left && !isText;
  std::string spec = left ? "<" : zeros ? "" : ">";
  if (!isText)
    spec += format.flags.contains('+') ? "+" : format.flags.contains(' ') ? " " : "";
  if (!isText && format.flags.contains('#'))
    spec += '#';
  if (zeros)
    spec += '0';
  spec += format.width.str() + (isWhole ? "" : format.precision.str());
  if (!isText)
    spec += format.type == 'i' ? 'd' : format.type;
  return formatText(shown, spec);
}

} // namespace

std::optional<std::string> eval::formatPercent(std::string_view text, llvm::ArrayRef<Value> items,
                                               std::string &wrong) {
  std::string out;
  size_t next = 0;
  for (llvm::StringRef rest = text; !rest.empty();) {
    llvm::StringRef plain = rest.take_until([](char c) { return c == '%'; });
    out += plain;
    rest = rest.drop_front(plain.size());
    if (rest.empty())
      break;
    PercentFormat format = takeFormat(rest);
    if (format.type == '%') {
      out += '%';
      continue;
    }
    if (next == items.size()) {
      wrong = "there is no value for " + asCode(format.written);
      return std::nullopt;
    }
    std::optional<std::string> made = formatted(format, items[next]);
    if (!made) {
      wrong = "expected a format for " + describe(items[next]) + ", found " + asCode(format.written);
      return std::nullopt;
    }
    out += *made;
    ++next;
  }
  if (next != items.size()) {
    wrong = "there are " + std::to_string(next) + " formats for " + std::to_string(items.size()) + " values";
    return std::nullopt;
  }
  return out;
}

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
