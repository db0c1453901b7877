// Edits of a source that mend what a diagnostic is about.
#pragma once

#include "compiler/frontend/syntax/text/Source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// A range of a source and the text that takes its place. An empty range is a place to insert at.
struct Change {
  SourceRange range;
  std::string text;
};

/// The same by positions, which outlive the source: lines and columns count from 1, columns in code points,
/// and the end is exclusive.
struct TextEdit {
  LineColumn begin, end;
  std::string text;
  bool operator==(const TextEdit &) const = default;
};

enum class Certainty : uint8_t {
  Likely, ///< a person has to look at it
  Certain ///< nothing else can have been meant
};

/// One way to mend a diagnostic.
struct Fix {
  std::string file;            ///< of the edits
  std::string title;           ///< "write `tl.exp`"
  std::vector<TextEdit> edits; ///< in the order of the text, none within another
  Certainty certainty = Certainty::Likely;
};

/// Makes a fix of changes of `source`, which are given in the order of the text.
Fix makeFix(const SourceFile &source, std::string title, const std::vector<Change> &changes,
            Certainty certainty);

/// Returns the changes that put `before` in front of the text of `range` and `behind` after it.
std::vector<Change> putAround(SourceRange range, std::string_view before, std::string_view behind);

/// Returns the changes that put `suffix` behind the text of `range`, in parentheses where it is more than a
/// name, a call or an element: `.to(tl.float32)` behind `a + b`.
std::vector<Change> suffixed(const SourceFile &source, SourceRange range, std::string_view suffix);

/// Returns `name` and the chain of names and dots before it: of `exp` in `math.exp` all of it.
SourceRange withQualifiers(const SourceFile &source, SourceRange name);

/// Returns where `word` stands in `range` as a word of its own, if that is one place.
std::optional<SourceRange> onlyWord(const SourceFile &source, SourceRange range, std::string_view word);

/// Returns the text of `source` with `edits` made. Edits that overlap one before them, or whose place the
/// text does not have, are left out.
std::string withEdits(const SourceFile &source, std::vector<TextEdit> edits);

} // namespace tegula
