#include "compiler/frontend/syntax/text/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tegula {
namespace {

/// A longer stretch of a line is cut: terminals would wrap it.
constexpr uint32_t maxShownCells = 160;
/// Cells that stay visible in front of the caret when the line is cut.
constexpr uint32_t cellsBeforeCaret = 60;

/// Only the front of a longer line is kept, and a place after it is shown without a caret.
constexpr size_t maxKeptBytes = 16 * 1024;

/// Terminal cells that a character takes: 0 for combining marks, 2 for East Asian wide and emoji.
/// Unicode's EastAsianWidth.txt and category Mn, to the block.
uint32_t cellWidth(uint32_t c) {
  struct Range {
    uint32_t first, last;
  };
  static constexpr Range combining[] = {
      {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
      {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x2064},
      {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};
  static constexpr Range wide[] = {
      {0x1100, 0x115F}, {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x2614, 0x2615},
      {0x2E80, 0x303E}, {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
      {0xA960, 0xA97F}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
      {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};
  auto contains = [c](const auto &ranges) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [c](Range range) { return range.first <= c && c <= range.last; });
  };
  if (c < 0x300)
    return 1;
  return contains(combining) ? 0 : contains(wide) ? 2 : 1;
}

/// One character of a source line as it is shown.
struct Cell {
  std::string text;
  uint32_t width;
};

/// The characters of `line`, tabs expanded, control and invalid bytes replaced.
std::vector<Cell> layOut(std::string_view line) {
  std::vector<Cell> cells;
  uint32_t position = 0;
  while (!line.empty()) {
    uint32_t codePoint = 0;
    uint32_t length = decodeUtf8(line, codePoint);
    Cell cell;
    if (length == 0) {
      // Stray continuation bytes are no column of their own, as in SourceFile::lineColumn.
      length = 1;
      while (length < line.size() && (uint8_t(line[length]) & 0xC0) == 0x80)
        ++length;
      cell = {"\xEF\xBF\xBD", 1};
    } else if (codePoint == '\t') {
      uint32_t width = 8 - position % 8;
      cell = {std::string(width, ' '), width};
    } else if (codePoint < 0x20 || (codePoint >= 0x7F && codePoint < 0xA0)) {
      cell = {" ", 1};
    } else {
      cell = {std::string(line.substr(0, length)), cellWidth(codePoint)};
    }
    position += cell.width;
    cells.push_back(std::move(cell));
    line.remove_prefix(length);
  }
  return cells;
}

void renderLine(std::string &out, const Diagnostic &diagnostic) {
  std::vector<Cell> cells = layOut(diagnostic.sourceLine);
  size_t caret = diagnostic.column == 0 ? 0 : diagnostic.column - 1;
  size_t end = std::max<size_t>(diagnostic.endColumn == 0 ? 0 : diagnostic.endColumn - 1, caret + 1);

  size_t first = 0;
  uint32_t total = 0, before = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    total += cells[i].width;
    if (i < caret)
      before += cells[i].width;
  }
  if (total > maxShownCells)
    while (first < caret && before > cellsBeforeCaret)
      before -= cells[first++].width;

  std::string text = first ? "..." : "";
  std::string marks(text.size(), ' ');
  uint32_t shown = 0;
  size_t i = first;
  for (; i < cells.size() && shown + cells[i].width <= maxShownCells; ++i) {
    text += cells[i].text;
    char mark = i < caret || i >= end ? ' ' : '~';
    marks.append(cells[i].width, mark);
    if (i == caret && cells[i].width)
      marks[marks.size() - cells[i].width] = '^';
    shown += cells[i].width;
  }
  if (caret >= cells.size()) {
    marks.append(caret - cells.size(), ' ');
    marks += '^';
  }
  if (i < cells.size())
    text += "...";
  marks.erase(marks.find_last_not_of(' ') + 1);
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  if (text.empty())
    return;
  fmt::format_to(std::back_inserter(out), "    {}\n    {}\n", text, marks);
}

void renderOne(std::string &out, const Diagnostic &diagnostic) {
  if (!diagnostic.file.empty()) {
    out += diagnostic.file;
    if (diagnostic.line)
      fmt::format_to(std::back_inserter(out), ":{}:{}", diagnostic.line, diagnostic.column);
    out += ": ";
  }
  fmt::format_to(std::back_inserter(out), "{}: {}\n", severityName(diagnostic.severity), diagnostic.message);
  if (diagnostic.line)
    renderLine(out, diagnostic);
  if (diagnostic.help)
    fmt::format_to(std::back_inserter(out), "    help: {}\n", *diagnostic.help);
}

} // namespace

std::string_view severityName(Severity severity) {
  static constexpr std::string_view names[] = {"error", "warning", "note", "remark"};
  return names[size_t(severity)];
}

void markUpTo(Diagnostic &diagnostic, LineColumn end) {
  if (end.line != diagnostic.line) {
    end.column = 1;
    for (char c : diagnostic.sourceLine)
      end.column += (uint8_t(c) & 0xC0) != 0x80;
  }
  diagnostic.endColumn = std::max(end.column, diagnostic.column + 1);
}

Diagnostic makeDiagnostic(Severity severity, const SourceFile &source, SourceRange range,
                          std::string message) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.message = std::move(message);
  diagnostic.file = source.path();
  LineColumn begin = source.lineColumn(range.begin);
  LineColumn end = source.lineColumn(range.end);
  diagnostic.line = begin.line;
  diagnostic.column = begin.column;
  std::string_view line = source.lineText(begin.line);
  if (line.empty()) { // a column would be one of a hidden text
    diagnostic.column = 1;
    diagnostic.endColumn = 2;
    return diagnostic;
  }
  if (line.size() > maxKeptBytes)
    line = begin.column <= maxKeptBytes / 4 ? line.substr(0, maxKeptBytes) : std::string_view();
  diagnostic.sourceLine = line;
  markUpTo(diagnostic, end);
  return diagnostic;
}

std::string excerpt(std::string_view sourceLine, uint32_t column) {
  Diagnostic diagnostic;
  diagnostic.sourceLine = sourceLine.substr(0, maxKeptBytes);
  diagnostic.column = column;
  diagnostic.endColumn = column + 1;
  std::string out;
  renderLine(out, diagnostic);
  return out;
}

std::string render(const Diagnostic &diagnostic) {
  std::string out;
  renderOne(out, diagnostic);
  for (const Diagnostic &note : diagnostic.notes)
    renderOne(out, note);
  return out;
}

std::string render(const std::vector<Diagnostic> &diagnostics) {
  std::string out;
  for (const Diagnostic &diagnostic : diagnostics)
    out += render(diagnostic);
  return out;
}

Diagnostic &DiagnosticEngine::report(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::Error && ++errors > maxErrors) {
    dropped = std::move(diagnostic);
    return dropped;
  }
  kept.push_back(std::move(diagnostic));
  return kept.back();
}

void DiagnosticEngine::fix(Diagnostic &to, const SourceFile &source, std::string title,
                           const std::vector<Change> &changes, Certainty certainty) {
  if (!to.message.empty()) // finding the places takes time that is linear in the line
    to.fixes.push_back(makeFix(source, std::move(title), changes, certainty));
}

Diagnostic &DiagnosticEngine::error(const SourceFile &source, SourceRange range, std::string message) {
  if (errors >= maxErrors) { // finding the place takes time that is linear in the line
    ++errors;
    return dropped = {};
  }
  Diagnostic diagnostic = makeDiagnostic(Severity::Error, source, range, std::move(message));
  diagnostic.basis = Basis::Text;
  return report(std::move(diagnostic));
}

void DiagnosticEngine::note(Diagnostic &to, const SourceFile &source, SourceRange range,
                            std::string message) {
  if (&to != &dropped)
    to.notes.push_back(makeDiagnostic(Severity::Note, source, range, std::move(message)));
}

std::vector<Diagnostic> DiagnosticEngine::take() {
  errors = 0;
  return std::exchange(kept, {});
}

} // namespace tegula
