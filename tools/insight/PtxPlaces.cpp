#include "tools/insight/PtxPlaces.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

namespace tegula::explain {

using insight::Index;
using insight::None;
using insight::Place;

PlaceTable::PlaceTable(insight::Insight &insight) : insight(insight) {
  for (size_t i = 0; i < insight.files.size(); ++i)
    files.try_emplace(insight.files[i], Index(i));
  for (size_t i = 0; i < insight.places.size(); ++i) {
    const Place &place = insight.places[i];
    places[{place.file, place.line, place.column}].push_back(Index(i));
  }
}

Index PlaceTable::find(std::string_view file, uint32_t line, uint32_t column, Index caller) {
  auto known = files.find(file);
  if (known == files.end()) {
    known = files.emplace(file, Index(insight.files.size())).first;
    insight.files.emplace_back(file);
  }
  std::vector<Index> &here = places[{known->second, line, column}];
  const auto ofCaller = std::ranges::find_if(
      here, [&](Index place) { return insight.places[size_t(place)].callSite == caller; });
  if (ofCaller != here.end())
    return *ofCaller;
  if (here.empty()) {
    here.push_back(Index(insight.places.size()));
    insight.places.push_back({known->second, line, column, line, column, caller});
  }
  return here.front();
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

  /// A statement that goes on in the next line.
  enum class Statement : uint8_t { None, Directive, Instruction };

  void readLine(std::string_view line, uint32_t number) {
    line = line.substr(0, line.find("//"));
    Words words(line);
    if (statement == Statement::None && words.next() == ".loc") {
      present = readPlace(words);
      return;
    }
    bool hasInstruction = statement == Statement::Instruction;
    while (!line.empty())
      hasInstruction |= readPart(line);
    if (hasInstruction)
      spans.push_back({number, present});
  }

  /// Takes a blank, a brace, a label or the rest of a statement off `line`. True for a part of an
  /// instruction.
  bool readPart(std::string_view &line) {
    if (statement == Statement::None) {
      const char c = line.front();
      if (c == ' ' || c == '\t' || c == '\r' || c == '{' || c == '}') {
        depth += c == '{' ? 1 : c == '}' && depth ? -1 : 0;
        line.remove_prefix(1);
        return false;
      }
      const size_t label = line.find_first_of(": \t;,");
      if (c != '.' && label != line.npos && line[label] == ':' && !line.substr(label).starts_with("::")) {
        line.remove_prefix(label + 1);
        return false;
      }
      statement = c != '.' && depth ? Statement::Instruction : Statement::Directive;
    }
    // Outside of functions a body begins where a statement is; inside braces are operands.
    const bool isInstruction = statement == Statement::Instruction;
    size_t end = line.find_first_of(depth ? ";" : ";{");
    if (line.starts_with(".file") || line.starts_with(".version") || line.starts_with(".target") ||
        line.starts_with(".address_size") || line.starts_with(".section"))
      end = std::min(line.find('{'), line.size()); // a line each
    if (end == line.npos) {
      line = {};
      return isInstruction;
    }
    statement = Statement::None;
    line.remove_prefix(std::min(end + (end < line.size() && line[end] == ';'), line.size()));
    return isInstruction;
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
  Statement statement = Statement::None;
  uint32_t depth = 0; ///< of braces
};

} // namespace

std::vector<insight::Span> placesOfPtx(std::string_view ptx, PlaceTable &table) {
  return Reader(ptx, table).spans;
}

} // namespace tegula::explain
