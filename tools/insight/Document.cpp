#include "tools/insight/Document.h"

#include <algorithm>

namespace tegula::explain {

constexpr std::string_view FindingNames[] = {"uncoalesced", "narrow",  "conflicts", "spills",  "unpipelined",
                                             "threads",     "widened", "fp64",      "int64",   "atomics",
                                             "idle",        "masked",  "repeated",  "reduced", "missed"};

std::string_view findingName(Finding::Kind kind) { return FindingNames[kind]; }

std::vector<std::string> findingNames() {
  return {std::begin(FindingNames), std::begin(FindingNames) + Finding::Missed};
}

std::string argumentOf(const Remark &remark, std::string_view key) {
  for (const RemarkArgument &argument : remark.arguments)
    if (argument.key == key)
      return argument.value;
  return {};
}

const Remark *Document::packing() const {
  const auto found = std::ranges::find_if(remarks, [](const PlacedRemark &placed) {
    return placed.remark.name == "pack" && placed.remark.kind == Remark::Passed;
  });
  return found == remarks.end() ? nullptr : &found->remark;
}

Index Document::placeOfPtxLine(uint32_t ptxLine) const {
  const auto found = std::ranges::lower_bound(ptxSpans, ptxLine, {}, &insight::Span::line);
  return found != ptxSpans.end() && found->line == ptxLine ? found->place : None;
}

std::string_view Document::lineText(Index file, uint32_t line) const {
  if (file < 0 || size_t(file) >= files.size() || !files[size_t(file)].text)
    return {};
  std::string_view text = *files[size_t(file)].text;
  for (uint32_t at = 1; at < line; ++at) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos)
      return {};
    text.remove_prefix(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  while (text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

} // namespace tegula::explain
