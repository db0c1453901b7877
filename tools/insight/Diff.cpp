#include "tools/insight/Diff.h"

#include "tools/insight/DocumentJson.h"

#include <fmt/format.h>

#include "llvm/Support/JSON.h"

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tegula::explain {

using llvm::json::Array;
using llvm::json::Object;
using runtime::Error;
using runtime::ErrorKind;
using runtime::Result;

namespace {

/// Columns of the counters that are compared of a line, by their names.
constexpr std::array<const char *, 7> comparedColumns = {
    "warpInstructions",  "loadSectors",    "loadSectorsIdeal", "storeSectors",
    "storeSectorsIdeal", "sharedRequests", "bankConflicts"};
constexpr std::array<const char *, 7> columnNames = {
    "instructions",    "load sectors", "load sectors needed", "store sectors", "store sectors needed",
    "shared requests", "conflicts"};
using Counts = std::array<int64_t, comparedColumns.size()>;

/// A line of source: its text, and how many lines before it read the same.
using LineKey = std::pair<std::string, size_t>;

struct LineCost {
  int64_t number = 0; ///< where it stands now
  Counts counts{};
};

/// The texts of the findings of one kind at one line, by both: ("narrow", "x = tl.load(x_ptr + i)").
using Findings = std::map<std::pair<std::string, std::string>, std::vector<std::string>>;

/// One of the two documents, read.
class Side {
public:
  explicit Side(const Object &document) : document(document) { readLines(); }
  std::map<LineKey, LineCost> costs;

  /// The number or text at the path of members, as text; "" where there is none.
  std::string at(std::initializer_list<llvm::StringRef> path) const {
    const llvm::json::Value *value = nullptr;
    const Object *object = &document;
    for (llvm::StringRef key : path) {
      value = object ? object->get(key) : nullptr;
      object = value ? value->getAsObject() : nullptr;
    }
    return value ? textOf(*value) : "";
  }
  Findings findings() const;
  std::map<std::string, std::string> members(llvm::StringRef what) const;

private:
  static std::string textOf(const llvm::json::Value &value) {
    if (const std::optional<llvm::StringRef> text = value.getAsString())
      return text->str();
    return llvm::formatv("{0}", value).str();
  }
  int64_t number(const Array *row, size_t column) const {
    return row && column < row->size() ? (*row)[column].getAsInteger().value_or(-1) : -1;
  }
  /// The file and line of a place; -1 where there is none.
  std::pair<int64_t, int64_t> lineOf(int64_t place) const {
    const Array *places = document.getArray("places");
    if (!places || place < 0 || size_t(place) >= places->size())
      return {-1, -1};
    const Array *row = (*places)[size_t(place)].getAsArray();
    return {number(row, 0), number(row, 1)};
  }
  void readTexts();
  void readLines();

  const Object &document;
  std::map<std::pair<int64_t, int64_t>, LineKey> keys; ///< by file and line
};

/// Numbers the lines of each file by their texts.
void Side::readTexts() {
  const Array *files = document.getArray("files");
  for (size_t file = 0; files && file < files->size(); ++file) {
    const Object *one = (*files)[file].getAsObject();
    const std::optional<llvm::StringRef> text = one ? one->getString("text") : std::nullopt;
    if (!text)
      continue;
    std::map<std::string, size_t> seen;
    llvm::SmallVector<llvm::StringRef> lines;
    text->split(lines, '\n');
    for (size_t line = 0; line < lines.size(); ++line) {
      const std::string trimmed = lines[line].trim().str();
      keys[{int64_t(file), int64_t(line + 1)}] = {trimmed, seen[trimmed]++};
    }
  }
}

void Side::readLines() {
  readTexts();
  const Object *counters = document.getObject("counters");
  const Object *ptx = document.getObject("ptx");
  const Array *spans = ptx ? ptx->getArray("spans") : nullptr;
  const Array *rows = counters ? counters->getArray("perPtxLine") : nullptr;
  const Array *columns = counters ? counters->getArray("columns") : nullptr;
  if (!spans || !rows || !columns)
    return;
  std::map<int64_t, int64_t> placeOfLine;
  for (const llvm::json::Value &span : *spans)
    placeOfLine[number(span.getAsArray(), 0)] = number(span.getAsArray(), 1);
  for (const llvm::json::Value &value : *rows) {
    const Array *row = value.getAsArray();
    const auto place = placeOfLine.find(number(row, 0));
    const auto line = lineOf(place == placeOfLine.end() ? -1 : place->second);
    const auto key = keys.find(line);
    LineCost &cost = costs[key == keys.end() ? LineKey{} : key->second];
    cost.number = line.second;
    for (size_t column = 0; column < columns->size(); ++column)
      for (size_t i = 0; i < comparedColumns.size(); ++i)
        if ((*columns)[column].getAsString() == comparedColumns[i])
          cost.counts[i] += number(row, column + 1);
  }
}

Findings Side::findings() const {
  Findings found;
  const Array *all = document.getArray("findings");
  for (size_t i = 0; all && i < all->size(); ++i)
    if (const Object *one = (*all)[i].getAsObject()) {
      const auto key = keys.find(lineOf(one->getInteger("place").value_or(-1)));
      found[{one->getString("kind").value_or("").str(), key == keys.end() ? "" : key->second.first}]
          .push_back(one->getString("text").value_or("").str());
    }
  return found;
}

std::map<std::string, std::string> Side::members(llvm::StringRef what) const {
  std::map<std::string, std::string> found;
  const Object *kernel = document.getObject("kernel");
  const Object *spec = kernel ? kernel->getObject("spec") : nullptr;
  if (const Object *all = spec ? spec->getObject(what) : nullptr)
    for (const auto &[name, value] : *all)
      found[name.str()] = textOf(value);
  return found;
}

/// Adds a line where two values differ.
void addChange(std::string &out, std::string_view what, const std::string &from, const std::string &to) {
  if (from != to)
    out += fmt::format("{}: {} -> {}\n", what, from.empty() ? "none" : from, to.empty() ? "none" : to);
}

void addMembers(std::string &out, const Side &before, const Side &after, llvm::StringRef what) {
  std::map<std::string, std::string> from = before.members(what), to = after.members(what), both = from;
  both.insert(to.begin(), to.end());
  for (const auto &[name, value] : both)
    addChange(out, name, from[name], to[name]);
}

void addLines(std::string &out, const Side &before, const Side &after) {
  std::map<int64_t, std::vector<LineKey>> byNumber;
  for (const auto &[key, cost] : after.costs)
    byNumber[cost.number].push_back(key);
  for (const auto &[key, cost] : before.costs)
    if (!after.costs.contains(key))
      byNumber[cost.number].push_back(key);
  const auto costOf = [](const Side &side, const LineKey &key) {
    const auto found = side.costs.find(key);
    return found == side.costs.end() ? Counts{} : found->second.counts;
  };
  for (const auto &[number, keys] : byNumber)
    for (const LineKey &key : keys) {
      const Counts from = costOf(before, key), to = costOf(after, key);
      std::vector<std::string> changes;
      for (size_t i = 0; i < from.size(); ++i)
        if (from[i] != to[i])
          changes.push_back(fmt::format("{} {} -> {}", columnNames[i], from[i], to[i]));
      if (!changes.empty())
        out += fmt::format("{:>6}  {}\n        {}\n", number < 0 ? "" : std::to_string(number),
                           key.first.empty() ? "(no line)" : key.first, fmt::join(changes, ", "));
    }
}

void addFindings(std::string &out, const Side &before, const Side &after) {
  const auto from = before.findings(), to = after.findings();
  const auto tell = [&](const char *what, const auto &key, const std::string &text) {
    out += fmt::format("{}: {}: {}{}\n", what, key.first, text,
                       key.second.empty() ? "" : fmt::format(", at `{}`", key.second));
  };
  for (const auto &[key, texts] : from)
    if (!to.contains(key))
      for (const std::string &text : texts)
        tell("gone", key, text);
  for (const auto &[key, texts] : to) {
    const auto old = from.find(key);
    if (old == from.end())
      for (const std::string &text : texts)
        tell("new", key, text);
    else if (old->second != texts)
      tell("still", key, fmt::format("{} -> {}", fmt::join(old->second, "; "), fmt::join(texts, "; ")));
  }
}

/// Returns all differences of two sides.
std::string textOf(const Side &before, const Side &after) {
  std::string out;
  const auto add = [&](const char *what, std::initializer_list<llvm::StringRef> path) {
    addChange(out, what, before.at(path), after.at(path));
  };
  add("kernel", {"kernel", "name"});
  for (const char *what : {"arch", "warps", "stages", "grid"})
    add(what, {"kernel", "spec", what});
  addMembers(out, before, after, "constexprs");
  addMembers(out, before, after, "signature");
  add("registers", {"resources", "registers"});
  add("bytes spilled", {"resources", "spillStoreBytes"});
  add("bytes of shared memory", {"resources", "sharedBytes"});
  add("blocks a multiprocessor", {"resources", "occupancy", "blocks"});
  addLines(out, before, after);
  addFindings(out, before, after);
  return out;
}

/// Reads a document. Errors: InvalidArgument.
Result<Object> readDocument(std::string_view text, const std::string &name) {
  llvm::Expected<llvm::json::Value> read = llvm::json::parse(llvm::StringRef(text.data(), text.size()));
  if (!read) {
    const std::string why = llvm::toString(read.takeError());
    return Error{ErrorKind::InvalidArgument, fmt::format("`{}` is no JSON: {}", name, why)};
  }
  const Object *object = read->getAsObject();
  const std::optional<llvm::StringRef> schema = object ? object->getString("schema") : std::nullopt;
  if (schema != schemaName)
    return Error{ErrorKind::InvalidArgument,
                 fmt::format("expected `{}` as the schema of `{}`, found {}", schemaName, name,
                             schema ? "`" + schema->str() + "`" : "none")};
  return Object(*object);
}

} // namespace

Result<std::string> diffText(std::string_view earlier, const std::string &name, std::string_view later) {
  const Object before = TRY(readDocument(earlier, name));
  const Object after = TRY(readDocument(later, "the present document"));
  return textOf(Side(before), Side(after));
}

} // namespace tegula::explain
