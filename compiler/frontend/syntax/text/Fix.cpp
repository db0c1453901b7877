#include "compiler/frontend/syntax/text/Fix.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace tegula {

Fix makeFix(const SourceFile &source, std::string title, const std::vector<Change> &changes,
            Certainty certainty) {
  Fix fix{source.path(), std::move(title), {}, certainty};
  const size_t newline = source.text().find('\n');
  const bool hasReturns =
      newline != std::string_view::npos && newline > 0 && source.text()[newline - 1] == '\r';
  for (const Change &change : changes) {
    std::string text = change.text;
    for (size_t at = 0; hasReturns && (at = text.find('\n', at)) != std::string::npos; at += 2)
      text.insert(at, 1, '\r');
    fix.edits.push_back({source.lineColumn(change.range.begin), source.lineColumn(change.range.end), text});
  }
  return fix;
}

std::vector<Change> putAround(SourceRange range, std::string_view before, std::string_view behind) {
  return {{{range.begin, range.begin}, std::string(before)}, {{range.end, range.end}, std::string(behind)}};
}

/// Returns true if an operator stands in `code` outside of brackets.
static bool hasOperator(std::string_view code) {
  int depth = 0;
  for (char c : code) {
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth == 0 && std::string_view(" \t\n+-*/%<>=&|^~@,\"'").find(c) != std::string_view::npos)
      return true;
  }
  return code.empty() || std::isdigit(static_cast<unsigned char>(code.front()));
}

std::vector<Change> suffixed(const SourceFile &source, SourceRange range, std::string_view suffix) {
  if (hasOperator(source.slice(range)))
    return putAround(range, "(", ")" + std::string(suffix));
  return {{{range.end, range.end}, std::string(suffix)}};
}

SourceRange withQualifiers(const SourceFile &source, SourceRange name) {
  const std::string_view text = source.text();
  while (name.begin > 0 && name.begin <= text.size()) {
    if (!isNamePart(text[name.begin - 1]) && text[name.begin - 1] != '.')
      break;
    --name.begin;
  }
  return name;
}

std::optional<SourceRange> onlyWord(const SourceFile &source, SourceRange range, std::string_view word) {
  const std::string_view code = source.slice(range);
  std::optional<SourceRange> found;
  for (size_t at = code.find(word); !word.empty() && at != std::string_view::npos;
       at = code.find(word, at + word.size())) {
    const size_t end = at + word.size();
    if ((at > 0 && isNamePart(code[at - 1])) || (end < code.size() && isNamePart(code[end])))
      continue;
    if (found)
      return std::nullopt;
    found = SourceRange{range.begin + uint32_t(at), range.begin + uint32_t(end)};
  }
  return found;
}

/// The byte of `source` at a position; nothing where it has no such line, or where that is not so long.
static std::optional<uint32_t> offsetOf(const SourceFile &source, LineColumn at) {
  if (!source.holds(at.line))
    return std::nullopt;
  const std::string_view line = source.lineText(at.line);
  uint32_t column = 1;
  size_t length = 0;
  for (; length < line.size() && column < at.column; ++length)
    if (length + 1 == line.size() || (static_cast<unsigned char>(line[length + 1]) & 0xC0) != 0x80)
      ++column;
  return column == at.column ? std::optional(source.lineBegin(at.line) + uint32_t(length)) : std::nullopt;
}

std::string withEdits(const SourceFile &source, std::vector<TextEdit> edits) {
  const auto key = [](const TextEdit &edit) {
    return std::tuple(edit.begin.line, edit.begin.column, edit.end.line, edit.end.column);
  };
  std::sort(edits.begin(), edits.end(),
            [&](const TextEdit &left, const TextEdit &right) { return key(left) < key(right); });
  std::string made;
  uint32_t done = 0;
  for (const TextEdit &edit : edits) {
    const std::optional<uint32_t> begin = offsetOf(source, edit.begin), end = offsetOf(source, edit.end);
    if (!begin || !end || *begin < done || *end < *begin)
      continue;
    made += source.slice({done, *begin});
    made += edit.text;
    done = *end;
  }
  return made + std::string(source.slice({done, uint32_t(source.text().size())}));
}

} // namespace tegula
