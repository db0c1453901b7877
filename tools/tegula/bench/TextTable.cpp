#include "tools/tegula/bench/TextTable.h"

#include <algorithm>

namespace tegula::cli::bench {

/// Columns that a terminal gives to `text`: bytes that go on a character of UTF-8 take none.
static size_t widthOf(const std::string &text) {
  return size_t(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string TextTable::plain() const {
  std::vector<size_t> widths;
  for (size_t column = 0; column < heads.size(); ++column) {
    size_t width = widthOf(heads[column]);
    for (const std::vector<std::string> &row : rows)
      width = std::max(width, widthOf(row[column]));
    widths.push_back(width);
  }
  std::string text;
  auto line = [&](const std::vector<std::string> &cells) {
    std::string made;
    for (size_t column = 0; column < cells.size(); ++column) {
      const std::string blanks(widths[column] - widthOf(cells[column]), ' ');
      made += column ? "  " : "";
      made += column < words ? cells[column] + blanks : blanks + cells[column];
    }
    made.erase(made.find_last_not_of(' ') + 1);
    text += made + '\n';
  };
  line(heads);
  for (const std::vector<std::string> &row : rows)
    line(row);
  return text;
}

std::string TextTable::markdown() const {
  std::string text;
  auto line = [&](const std::vector<std::string> &cells) {
    for (const std::string &cell : cells)
      text += "| " + cell + (cell.empty() ? "" : " ");
    text += "|\n";
  };
  line(heads);
  for (size_t column = 0; column < heads.size(); ++column)
    text += "|---";
  text += "|\n";
  for (const std::vector<std::string> &row : rows)
    line(row);
  return text;
}

std::string TextTable::csv() const {
  std::string text;
  auto line = [&](const std::vector<std::string> &cells) {
    for (size_t column = 0; column < cells.size(); ++column) {
      std::string cell = cells[column];
      if (cell.find_first_of(",\"\n") != std::string::npos) {
        for (size_t quote = cell.find('"'); quote != std::string::npos; quote = cell.find('"', quote + 2))
          cell.insert(quote, 1, '"');
        cell = '"' + cell + '"';
      }
      text += (column ? "," : "") + cell;
    }
    text += '\n';
  };
  line(heads);
  for (const std::vector<std::string> &row : rows)
    line(row);
  return text;
}

} // namespace tegula::cli::bench
