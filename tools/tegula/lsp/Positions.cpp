#include "tools/tegula/lsp/Positions.h"

#include <algorithm>
#include <limits>

namespace tegula::cli {

namespace json = llvm::json;

/// Bytes and units of UTF-16 of the first code point of `text`, which is not empty.
static std::pair<size_t, uint32_t> firstOf(std::string_view text) {
  uint32_t codePoint = 0;
  const uint32_t bytes = decodeUtf8(text, codePoint);
  return {std::max(bytes, 1u), bytes && codePoint > 0xFFFF ? 2 : 1};
}

uint32_t utf16Length(std::string_view text) {
  uint32_t length = 0;
  while (!text.empty()) {
    const auto [bytes, units] = firstOf(text);
    length += units;
    text.remove_prefix(bytes);
  }
  return length;
}

size_t bytesOfUtf16(std::string_view text, uint32_t units) {
  size_t at = 0;
  while (at < text.size()) {
    const auto [bytes, needed] = firstOf(text.substr(at));
    if (needed > units)
      break;
    units -= needed;
    at += bytes;
  }
  return at;
}

uint32_t offsetAt(const SourceFile &file, const EditorPosition &position) {
  if (position.line == std::numeric_limits<uint32_t>::max() || !file.holds(position.line + 1))
    return uint32_t(file.text().size());
  const uint32_t line = position.line + 1;
  return file.lineBegin(line) + uint32_t(bytesOfUtf16(file.lineText(line), position.character));
}

EditorPosition positionAt(const SourceFile &file, uint32_t offset) {
  offset = std::min(offset, uint32_t(file.text().size()));
  const uint32_t line = file.line(offset);
  const std::string_view text = file.lineText(line);
  return {line - 1, utf16Length(text.substr(0, offset - file.lineBegin(line)))};
}

EditorRange rangeOf(const SourceFile &file, SourceRange range) {
  return {positionAt(file, range.begin), positionAt(file, range.end)};
}

/// The units of UTF-16 of a line before a column in code points.
static uint32_t unitsBefore(std::string_view line, uint32_t column) {
  uint32_t units = 0;
  size_t at = 0;
  for (uint32_t i = 1; i < column && at < line.size(); ++i) {
    const auto [bytes, wide] = firstOf(line.substr(at));
    units += wide;
    at += bytes;
  }
  return units;
}

EditorPosition positionAt(const SourceFile &file, LineColumn place) {
  return {place.line - 1, unitsBefore(file.lineText(place.line), place.column)};
}

EditorRange rangeOf(const Diagnostic &diagnostic) {
  if (!diagnostic.line)
    return {};
  const uint32_t line = diagnostic.line - 1;
  const uint32_t begin = unitsBefore(diagnostic.sourceLine, diagnostic.column);
  const uint32_t end = unitsBefore(diagnostic.sourceLine, diagnostic.endColumn);
  return {{line, begin}, {line, std::max(end, begin + 1)}};
}

json::Value toJson(const EditorPosition &position) {
  return json::Object{{"line", position.line}, {"character", position.character}};
}

json::Value toJson(const EditorRange &range) {
  return json::Object{{"start", toJson(range.begin)}, {"end", toJson(range.end)}};
}

std::optional<EditorPosition> positionFrom(const json::Value *value) {
  const json::Object *object = value ? value->getAsObject() : nullptr;
  const std::optional<int64_t> line = object ? object->getInteger("line") : std::nullopt;
  const std::optional<int64_t> character = object ? object->getInteger("character") : std::nullopt;
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (!line || !character || *line < 0 || *character < 0)
    return std::nullopt;
  return EditorPosition{uint32_t(std::min(*line, most)), uint32_t(std::min(*character, most))};
}

} // namespace tegula::cli
