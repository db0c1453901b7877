#include "tools/insight/Document.h"

#include "llvm/ADT/StringRef.h"

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
  llvm::StringRef text = *files[size_t(file)].text;
  for (uint32_t at = 1; at < line; ++at) {
    if (!text.contains('\n'))
      return {};
    text = text.split('\n').second;
  }
  return text.split('\n').first.rtrim('\r');
}

} // namespace tegula::explain
