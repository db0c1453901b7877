#include "tools/insight/PtxPlaces.h"

#include <charconv>
#include <map>
#include <string>

namespace tegula::explain {

using insight::Index;
using insight::None;
using insight::Place;

Index PlaceTable::find(std::string_view file, uint32_t line, uint32_t column, Index caller) {
  Index number = None;
  for (size_t i = 0; i < insight.files.size(); ++i)
    if (insight.files[i] == file)
      number = Index(i);
  if (number == None) {
    number = Index(insight.files.size());
    insight.files.emplace_back(file);
  }
  Index best = None;
  for (size_t i = 0; i < insight.places.size(); ++i) {
    const Place &place = insight.places[i];
    if (place.file != number || place.line != line || place.column != column)
      continue;
    if (best == None || (place.callSite == caller && insight.places[size_t(best)].callSite != caller))
      best = Index(i);
  }
  if (best != None)
    return best;
  insight.places.push_back({number, line, column, line, column, caller});
  return Index(insight.places.size() - 1);
}

namespace {

/// Words of a line of PTX, of which commas are ends.
class Words {
public:
  explicit Words(std::string_view text) : left(text) {}
  std::string_view next() {
    const size_t begin = left.find_first_not_of(" \t,");
    if (begin == std::string_view::npos)
      return {};
    left.remove_prefix(begin);
    const size_t end = std::min(left.find_first_of(" \t,"), left.size());
    const std::string_view word = left.substr(0, end);
    left.remove_prefix(end);
    return word;
  }
  uint32_t number() {
    const std::string_view word = next();
    uint32_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
  }

private:
  std::string_view left;
};

/// Reads the text from top to bottom.
class Reader {
public:
  Reader(std::string_view ptx, PlaceTable &table) : table(table) {
    readFiles(ptx);
    uint32_t number = 0;
    forLines(ptx, [&](std::string_view line) { readLine(line, ++number); });
  }
  std::vector<insight::Span> spans;

private:
  template <typename Body> static void forLines(std::string_view text, Body body) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      body(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// The table of files stands at the end of the text.
  void readFiles(std::string_view ptx) {
    forLines(ptx, [&](std::string_view line) {
      Words words(line);
      if (words.next() != ".file")
        return;
      const uint32_t number = words.number();
      const size_t first = line.find('"'), last = line.rfind('"');
      if (first != std::string_view::npos && last > first)
        files[number] = std::string(line.substr(first + 1, last - first - 1));
    });
  }

  void readLine(std::string_view line, uint32_t number) {
    Words words(line);
    const std::string_view first = words.next();
    if (first == ".loc") {
      present = readPlace(words);
    } else if (first == "{") {
      inBody = true;
    } else if (first == "}") {
      inBody = false;
    } else if (inBody && isInstruction(first)) {
      spans.push_back({number, present});
    }
  }

  static bool isInstruction(std::string_view first) {
    return !first.empty() && first.front() != '.' && !first.starts_with("//") && !first.ends_with(':') &&
           first.front() != '{' && first.front() != '}';
  }

  Index readPlace(Words &words) {
    const uint32_t file = words.number(), line = words.number(), column = words.number();
    Index caller = None;
    for (std::string_view word = words.next(); !word.empty(); word = words.next())
      if (word == "inlined_at") {
        const uint32_t callerFile = words.number(), callerLine = words.number();
        caller = at(callerFile, callerLine, words.number(), None);
      }
    return at(file, line, column, caller);
  }

  Index at(uint32_t file, uint32_t line, uint32_t column, Index caller) {
    const auto path = files.find(file);
    return line && path != files.end() ? table.find(path->second, line, column, caller) : None;
  }

  PlaceTable &table;
  std::map<uint32_t, std::string> files;
  Index present = None;
  bool inBody = false;
};

} // namespace

std::vector<insight::Span> placesOfPtx(std::string_view ptx, PlaceTable &table) {
  return Reader(ptx, table).spans;
}

} // namespace tegula::explain
