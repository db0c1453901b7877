#include "tools/insight/PtxPlaces.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

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

/// Takes the first word off `line`, in which commas are ends of words; empty where there is none.
llvm::StringRef takeWord(llvm::StringRef &line) {
  llvm::StringRef word;
  std::tie(word, line) = llvm::getToken(line, " \t,");
  return word;
}

/// Takes the number that the first word begins with; 0 where there is none.
uint32_t takeNumber(llvm::StringRef &line) {
  uint32_t value = 0;
  takeWord(line).consumeInteger(10, value);
  return value;
}

/// Reads the text from top to bottom.
class Reader {
public:
  Reader(llvm::StringRef ptx, PlaceTable &table) : table(table) {
    ptx.consume_back("\n"); // behind which no line begins
    readFiles(ptx);
    uint32_t number = 0;
    for (llvm::StringRef line : llvm::split(ptx, '\n'))
      readLine(line, ++number);
  }
  std::vector<insight::Span> spans;

private:
  /// The table of files stands at the end of the text.
  void readFiles(llvm::StringRef ptx) {
    for (llvm::StringRef line : llvm::split(ptx, '\n')) {
      llvm::StringRef words = line;
      if (takeWord(words) != ".file")
        continue;
      const uint32_t number = takeNumber(words);
      const size_t first = line.find('"'), last = line.rfind('"');
      if (first != line.npos && last > first)
        files[number] = line.slice(first + 1, last).str();
    }
  }

  /// A statement that goes on in the next line.
  enum class Statement : uint8_t { None, Directive, Instruction };

  void readLine(llvm::StringRef line, uint32_t number) {
    line = line.split("//").first;
    llvm::StringRef words = line;
    if (statement == Statement::None && takeWord(words) == ".loc") {
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
  bool readPart(llvm::StringRef &line) {
    if (statement == Statement::None) {
      const char c = line.front();
      if (c == ' ' || c == '\t' || c == '\r' || c == '{' || c == '}') {
        depth += c == '{' ? 1 : c == '}' && depth ? -1 : 0;
        line = line.drop_front();
        return false;
      }
      const size_t label = line.find_first_of(": \t;,");
      if (c != '.' && label != line.npos && line[label] == ':' && !line.substr(label).starts_with("::")) {
        line = line.drop_front(label + 1);
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
    line = line.drop_front(std::min(end + (end < line.size() && line[end] == ';'), line.size()));
    return isInstruction;
  }

  Index readPlace(llvm::StringRef words) {
    const uint32_t file = takeNumber(words), line = takeNumber(words), column = takeNumber(words);
    Index caller = None;
    for (llvm::StringRef word = takeWord(words); !word.empty(); word = takeWord(words))
      if (word == "inlined_at") {
        const uint32_t callerFile = takeNumber(words), callerLine = takeNumber(words);
        caller = at(callerFile, callerLine, takeNumber(words), None);
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
