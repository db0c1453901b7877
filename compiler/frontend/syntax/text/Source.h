// The text of one source file, and positions in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tegula {

/// A half-open range of bytes [begin, end) in the text of a SourceFile.
struct SourceRange {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const SourceRange &) const = default;
};

/// The smallest range that covers both.
inline SourceRange join(SourceRange first, SourceRange last) {
  return {first.begin < last.begin ? first.begin : last.begin, first.end > last.end ? first.end : last.end};
}

/// A position for a person: both count from 1, columns in Unicode code points.
struct LineColumn {
  uint32_t line = 1;
  uint32_t column = 1;
  bool operator==(const LineColumn &) const = default;
};

/// Path and text of a file, or an excerpt of one. Immutable; everything that points into the text lives as
/// long as this.
class SourceFile {
public:
  /// The parser refuses larger files: no kernel file comes near, and memory stays bounded.
  static constexpr size_t maxBytes = size_t(8) << 20;

  /// A byte order mark at the start of `text` is dropped; positions count from after it.
  SourceFile(std::string path, std::string text);
  /// An excerpt that begins at line `firstLine` (from 1; 0 if its first line is put in front of the file's)
  /// and may be indented as a whole. Lines are those of the file.
  SourceFile(std::string path, std::string text, uint32_t firstLine);
  SourceFile(const SourceFile &) = delete;
  SourceFile &operator=(const SourceFile &) = delete;

  const std::string &path() const { return filePath; }
  std::string_view text() const { return fileText; }
  bool isExcerpt() const { return excerpt; }
  /// The bytes of `range`.
  std::string_view slice(SourceRange range) const;

  /// The line, counted from 1 in the file, that holds the byte at `offset` (clamped to the end of the text).
  uint32_t line(uint32_t offset) const;
  LineColumn lineColumn(uint32_t offset) const;
  /// Returns true if `line` of the file is one of the text's.
  bool holds(uint32_t line) const { return line >= first && line - first < lineStarts.size(); }
  /// The text of a line of the file, without its line ending; empty when the text has no such line.
  std::string_view lineText(uint32_t line) const;
  /// Returns where a line that the text holds begins.
  uint32_t lineBegin(uint32_t line) const { return lineStarts[line - first]; }

private:
  std::string filePath;
  std::string fileText;
  std::vector<uint32_t> lineStarts; ///< offset of the first byte of each line
  uint32_t first = 1;               ///< line of the file that the text begins with
  bool excerpt = false;
};

/// The comment that ends a line that no person wrote: a host that hands functions over puts some round them.
/// `SourceFile::lineText` gives it as empty, so that no message shows it.
inline constexpr std::string_view madeLineMark = "# made by tegula";

/// Returns true if `source` has generated lines only: then messages do not mention calls in it either.
bool isAllMade(const SourceFile &source);

/// Returns whether the byte `c` may be part of a name.
inline bool isNamePart(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

/// Returns the blanks and tabs that `line` begins with.
inline std::string_view indentOf(std::string_view line) {
  const size_t end = line.find_first_not_of(" \t");
  return end == std::string_view::npos ? line : line.substr(0, end);
}

/// Decodes the code point at the front of `text` into `codePoint` and returns its bytes (1 to 4),
/// or 0 when the bytes are not valid UTF-8 (overlong forms, surrogates and values past U+10FFFF
/// included). `text` is not empty.
uint32_t decodeUtf8(std::string_view text, uint32_t &codePoint);

/// Appends the UTF-8 form of `codePoint`, which is at most U+10FFFF.
void appendUtf8(std::string &out, uint32_t codePoint);

} // namespace tegula
