#include "tools/tegula/output/Sizes.h"

#include "dialect/Counted.h"
#include "tools/tegula/output/Status.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

static constexpr std::string_view units = "KMGT";

Result<uint64_t> parseSize(std::string_view text, std::string_view what) {
  uint64_t number = 0;
  llvm::StringRef unit = text;
  const bool isNumber = !unit.consumeInteger(10, number);
  const size_t power = unit.empty() ? 0 : units.find(unit) + 1;
  if (!isNumber || unit.size() > 1 || (!unit.empty() && power == 0) || number > UINT64_MAX >> 10 * power)
    return usageError(fmt::format("expected a size such as 512M or 2G after `{}`, found `{}`", what, text));
  return number << 10 * power;
}

std::string formatSize(uint64_t bytes) {
  if (bytes < 1024)
    return counted(bytes, "byte");
  size_t unit = 0;
  double value = double(bytes) / 1024;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit)
    value /= 1024;
  std::string number = fmt::format("{:.1f}", value);
  if (number.ends_with(".0"))
    number.resize(number.size() - 2);
  return fmt::format("{} {}iB", number, units[unit]);
}

} // namespace tegula::cli
