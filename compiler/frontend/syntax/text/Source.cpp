#include "compiler/frontend/syntax/text/Source.h"

#include <algorithm>
#include <cstring>

namespace tegula {

SourceFile::SourceFile(std::string path, std::string text)
    : filePath(std::move(path)), fileText(std::move(text)) {
  if (fileText.starts_with("\xEF\xBB\xBF"))
    fileText.erase(0, 3);
  lineStarts.push_back(0);
  const char *data = fileText.data();
  size_t size = std::min<size_t>(fileText.size(), UINT32_MAX);
  for (size_t i = 0; i < size; ++i) {
    if (data[i] == '\n' || (data[i] == '\r' && !(i + 1 < size && data[i + 1] == '\n')))
      lineStarts.push_back(uint32_t(i + 1));
  }
}

SourceFile::SourceFile(std::string path, std::string text, uint32_t firstLine)
    : SourceFile(std::move(path), std::move(text)) {
  first = firstLine;
  excerpt = true;
}

std::string_view SourceFile::slice(SourceRange range) const {
  std::string_view all = fileText;
  size_t begin = std::min<size_t>(range.begin, all.size());
  size_t end = std::clamp<size_t>(range.end, begin, all.size());
  return all.substr(begin, end - begin);
}

uint32_t SourceFile::line(uint32_t offset) const {
  auto next = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  return first + uint32_t(next - lineStarts.begin()) - 1;
}

LineColumn SourceFile::lineColumn(uint32_t offset) const {
  offset = uint32_t(std::min<size_t>(offset, fileText.size()));
  LineColumn position{line(offset), 1};
  for (uint32_t i = lineStarts[position.line - first]; i < offset; ++i)
    position.column += (uint8_t(fileText[i]) & 0xC0) != 0x80;
  return position;
}

std::string_view SourceFile::lineText(uint32_t line) const {
  if (!holds(line))
    return {};
  size_t index = line - first;
  uint32_t begin = lineStarts[index];
  size_t end = index + 1 < lineStarts.size() ? lineStarts[index + 1] : fileText.size();
  std::string_view text = std::string_view(fileText).substr(begin, end - begin);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
    text.remove_suffix(1);
  return text.ends_with(madeLineMark) ? std::string_view() : text;
}

bool isAllMade(const SourceFile &source) {
  uint32_t line = source.line(0);
  while (source.holds(line) && source.lineText(line).empty())
    ++line;
  return !source.holds(line);
}

uint32_t decodeUtf8(std::string_view text, uint32_t &codePoint) {
  uint8_t lead = uint8_t(text[0]);
  if (lead < 0x80) {
    codePoint = lead;
    return 1;
  }
  uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
    return 0;
  uint32_t value = lead & (0x7F >> length);
  for (uint32_t i = 1; i < length; ++i) {
    if ((uint8_t(text[i]) & 0xC0) != 0x80)
      return 0;
    value = value << 6 | (uint8_t(text[i]) & 0x3F);
  }
  static constexpr uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < smallest[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
    return 0;
  codePoint = value;
  return length;
}

void appendUtf8(std::string &out, uint32_t codePoint) {
  if (codePoint < 0x80) {
    out += char(codePoint);
  } else if (codePoint < 0x800) {
    out += char(0xC0 | codePoint >> 6);
    out += char(0x80 | (codePoint & 0x3F));
  } else if (codePoint < 0x10000) {
    out += char(0xE0 | codePoint >> 12);
    out += char(0x80 | (codePoint >> 6 & 0x3F));
    out += char(0x80 | (codePoint & 0x3F));
  } else {
    out += char(0xF0 | codePoint >> 18);
    out += char(0x80 | (codePoint >> 12 & 0x3F));
    out += char(0x80 | (codePoint >> 6 & 0x3F));
    out += char(0x80 | (codePoint & 0x3F));
  }
}

} // namespace tegula
