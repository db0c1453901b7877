#include "tools/tegula/lsp/LineMap.h"

#include <vector>

namespace tegula::cli {

static std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return lines;
    text.remove_prefix(end + 1);
  }
}

LineMap::LineMap(std::string_view before, std::string_view now) {
  const std::vector<std::string_view> old = linesOf(before), fresh = linesOf(now);
  while (front < old.size() && front < fresh.size() && old[front] == fresh[front])
    ++front;
  backBefore = uint32_t(old.size());
  backNow = uint32_t(fresh.size());
  while (backBefore > front && backNow > front && old[backBefore - 1] == fresh[backNow - 1]) {
    --backBefore;
    --backNow;
  }
}

std::optional<uint32_t> LineMap::find(uint32_t before) const {
  if (before < front)
    return before;
  if (before >= backBefore)
    return before - backBefore + backNow;
  return std::nullopt;
}

} // namespace tegula::cli
