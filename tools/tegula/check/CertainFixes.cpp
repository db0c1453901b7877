#include "tools/tegula/check/CertainFixes.h"

#include <algorithm>
#include <tuple>

namespace tegula::cli {

static std::tuple<uint32_t, uint32_t> key(LineColumn place) { return {place.line, place.column}; }

/// Returns true if the two change text in common; two insertions at one place do if they differ: which comes
/// first is not known.
static bool overlap(const TextEdit &one, const TextEdit &other) {
  if (one == other)
    return false;
  if (one.begin == other.begin)
    return true;
  return key(one.begin) < key(other.end) && key(other.begin) < key(one.end);
}

FixedText withCertainFixes(const SourceFile &file, const std::vector<Diagnostic> &diagnostics) {
  FixedText fixed;
  std::vector<TextEdit> edits;
  for (const Diagnostic &diagnostic : diagnostics) {
    const auto fix = std::ranges::find(diagnostic.fixes, Certainty::Certain, &Fix::certainty);
    if (fix == diagnostic.fixes.end() || fix->file != file.path())
      continue;
    const auto clashes = [&](const TextEdit &edit) {
      return std::ranges::any_of(edits, [&](const TextEdit &made) { return overlap(edit, made); });
    };
    if (std::ranges::any_of(fix->edits, clashes))
      continue;
    for (const TextEdit &edit : fix->edits)
      if (std::ranges::find(edits, edit) == edits.end()) // an import that two fixes add
        edits.push_back(edit);
    ++fixed.fixes;
  }
  fixed.text = fixed.fixes ? withEdits(file, std::move(edits)) : std::string(file.text());
  return fixed;
}

} // namespace tegula::cli
