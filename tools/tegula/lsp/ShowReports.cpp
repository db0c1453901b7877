#include "tools/tegula/lsp/ShowReports.h"

#include "tools/insight/ReportText.h"
#include "tools/tegula/lsp/LineMap.h"
#include "tools/tegula/lsp/Positions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

namespace tegula::cli {

namespace json = llvm::json;
using insight::Index;
using insight::None;

namespace {

/// The reports of a document, those of an older version too, with lines from one to the other.
class Known {
public:
  explicit Known(const Analysis &analysis) : reports(analysis.reports()), path(analysis.file().path()) {
    if (reports && *reports->text != *analysis.document.text) {
      toNow.emplace(*reports->text, *analysis.document.text);
      toThen.emplace(*analysis.document.text, *reports->text);
    }
  }

  explicit operator bool() const { return bool(reports); }
  const std::vector<KernelReport> &kernels() const {
    static const std::vector<KernelReport> none;
    return reports ? reports->kernels : none;
  }
  /// The line of the document that line `then` of the reports is; nothing where it was changed.
  std::optional<uint32_t> now(uint32_t then) const { return mapped(toNow, then); }
  std::optional<uint32_t> then(uint32_t now) const { return mapped(toThen, now); }

  /// The place with a number, if it is in the document's own file.
  const insight::Place *placeIn(const explain::Document &document, Index number) const {
    if (number == None)
      return nullptr;
    const insight::Place &place = document.insight.places[size_t(number)];
    return document.insight.files[size_t(place.file)] == path ? &place : nullptr;
  }

private:
  static std::optional<uint32_t> mapped(const std::optional<LineMap> &lines, uint32_t line) {
    if (!lines || line == 0)
      return line ? std::optional(line) : std::nullopt;
    const std::optional<uint32_t> found = lines->find(line - 1);
    return found ? std::optional(*found + 1) : std::nullopt;
  }

  std::shared_ptr<const Reports> reports;
  const std::string &path;
  std::optional<LineMap> toNow, toThen;
};

std::string argumentOf(const Remark &remark, std::string_view key) {
  for (const RemarkArgument &argument : remark.arguments)
    if (argument.key == key)
      return argument.value;
  return {};
}

/// "{register = [[1], [2]], lane = [[4]]} : [8]", as the text of stage `distributed` has it.
std::string layoutText(const insight::Layout &layout) {
  std::vector<std::string> axes, sizes;
  size_t basis = 0;
  for (const insight::LayoutAxis &axis : layout.ins) {
    std::vector<std::string> bases;
    for (uint32_t bit = 0; bit < axis.bits; ++bit)
      bases.push_back(fmt::format("[{}]", fmt::join(layout.bases[basis++], ", ")));
    if (!bases.empty())
      axes.push_back(fmt::format("{} = [{}]", axis.name, fmt::join(bases, ", ")));
  }
  for (const insight::LayoutAxis &axis : layout.outs)
    sizes.push_back(std::to_string(uint64_t(1) << axis.bits));
  return fmt::format("{{{}}} : [{}]", fmt::join(axes, ", "), fmt::join(sizes, ", "));
}

/// "contiguous 16; divisible by 4", of axes with commas between; empty where nothing is known.
std::string factsText(const insight::Facts &facts) {
  if (facts.constant)
    return fmt::format("all elements are {}", *facts.constant);
  std::vector<std::string> parts;
  const auto add = [&](std::string_view what, const std::vector<int64_t> &byAxis) {
    if (std::ranges::any_of(byAxis, [](int64_t number) { return number > 1; }))
      parts.push_back(fmt::format("{} {}", what, fmt::join(byAxis, ", ")));
  };
  add("neighbours in a row", facts.contiguous);
  add("divisible by", facts.divisible);
  add("equal in groups of", facts.constancy);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string textOf(const Known &known, const explain::Document &document, const insight::Value &value) {
  std::string text;
  if (value.layout != None)
    text += fmt::format("layout `{}`, {} register{} a thread  \n",
                        layoutText(document.insight.layouts[size_t(value.layout)]), value.registers,
                        value.registers == 1 ? "" : "s");
  if (!value.facts)
    return text;
  if (const std::string facts = factsText(*value.facts); !facts.empty())
    text += facts + "  \n";
  if (!value.facts->because.empty()) {
    const insight::Place *cause = known.placeIn(document, value.facts->cause);
    const std::optional<uint32_t> line = cause ? known.now(cause->line) : std::nullopt;
    text +=
        "no wider accesses because " + value.facts->because + (line ? fmt::format(" (line {})", *line) : "");
    text += value.facts->change.empty() ? "  \n" : fmt::format("; change: {}  \n", value.facts->change);
  }
  return text;
}

/// Bits of an element in memory: the number that the name of its type has.
uint64_t bitsOf(const std::string &dtype) {
  if (dtype.starts_with('*'))
    return 64;
  const size_t begin = std::min(dtype.find_first_of("0123456789"), dtype.size());
  return std::max<uint64_t>(8, std::strtoull(dtype.c_str() + begin, nullptr, 10));
}

/// The type of an element as values of the IR have it: "i32" of `int32[64]`, which is signed or not.
std::string dtypeOf(const std::string &type) {
  constexpr std::string_view pointer = "pointer<";
  if (type.starts_with(pointer))
    return "*" + dtypeOf(type.substr(pointer.size(), type.rfind('>') - pointer.size()));
  const std::string element = type.substr(0, type.find('['));
  for (std::string_view word : {"uint", "int"})
    if (const size_t at = element.find(word); at != std::string::npos)
      return element.substr(0, at) + "i" + element.substr(at + word.size());
  return element;
}

bool isOfStage(const explain::Document &document, const insight::Value &value, std::string_view stage) {
  return document.insight.stages[size_t(value.stage)].name == stage;
}

} // namespace

std::string valueText(const Analysis &analysis, const std::string &name, LineColumn place) {
  const Known known(analysis);
  if (!known)
    return {};
  // The operation that made what is bound there, and its line when the kernels were compiled.
  std::set<std::pair<uint32_t, uint32_t>> made;
  std::set<std::string> dtypes;
  for (const KernelName &one : analysis.names())
    if (one.name == name && one.place.line == place.line && one.place.column == place.column &&
        one.place.file == analysis.file().path() && one.made.file == one.place.file)
      if (const std::optional<uint32_t> line = known.then(one.made.line)) {
        made.emplace(*line, one.made.column);
        dtypes.insert(dtypeOf(one.type));
      }
  std::string text;
  std::set<std::string> seen;
  for (const KernelReport &kernel : known.kernels())
    for (const insight::Value &value : kernel.document.insight.values) {
      const insight::Place *at = known.placeIn(kernel.document, value.place);
      if (value.name != name || !at || !isOfStage(kernel.document, value, "distributed") ||
          !made.contains({at->line, at->column}) || !dtypes.contains(value.dtype))
        continue;
      if (std::string one = textOf(known, kernel.document, value); seen.insert(one).second)
        text += one;
    }
  return text;
}

/// Describes what a kernel does in a line of its text.
static std::string costIn(const Known &known, const explain::Document &document, uint32_t line) {
  std::vector<std::string> parts;
  const auto isHere = [&](Index number) {
    const insight::Place *place = known.placeIn(document, number);
    return place && place->line == line;
  };
  uint64_t asked = 0;
  for (const insight::Value &value : document.insight.values)
    if (value.op == "tile.load" && isOfStage(document, value, "distributed") && isHere(value.place)) {
      uint64_t bytes = 1;
      for (int64_t side : value.shape)
        bytes *= uint64_t(side);
      asked += bytes * bitsOf(value.dtype) / 8;
    }
  if (asked)
    parts.push_back(fmt::format("loads {} bytes each time", asked));
  for (const explain::PlacedRemark &placed : document.remarks)
    if (const std::string width = argumentOf(placed.remark, "VectorBytes");
        !width.empty() && isHere(placed.place))
      if (std::string part = fmt::format("{} bytes a thread an access", width);
          std::ranges::find(parts, part) == parts.end())
        parts.push_back(std::move(part));
  for (const insight::Conversion &conversion : document.insight.conversions)
    if (isHere(conversion.place))
      parts.push_back(fmt::format("a change of layout by {}", conversion.route));
  const auto ptx =
      std::ranges::count_if(document.ptxSpans, [&](const insight::Span &span) { return isHere(span.place); });
  const auto sass =
      document.sass
          ? std::ranges::count_if(document.sass->ptxLines,
                                  [&](uint32_t row) { return isHere(document.placeOfPtxLine(row)); })
          : 0;
  if (sass)
    parts.push_back(fmt::format("{} machine instruction{}", sass, sass == 1 ? "" : "s"));
  else if (ptx)
    parts.push_back(fmt::format("{} instruction{} of PTX", ptx, ptx == 1 ? "" : "s"));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string costText(const Analysis &analysis, uint32_t line) {
  const Known known(analysis);
  const std::optional<uint32_t> then = known ? known.then(line) : std::nullopt;
  std::string text;
  if (!then)
    return text;
  for (const KernelReport &kernel : known.kernels())
    if (const std::string cost = costIn(known, kernel.document, *then); !cost.empty())
      text += fmt::format("line {} in `{}`: {}{}  \n", line, kernel.document.kernel, cost,
                          kernel.guess.empty() ? "" : ", under a guess");
  return text;
}

/// A missed optimisation as a remark in the document; nothing where its line was changed.
static std::optional<Diagnostic> hintOf(const Analysis &analysis, const Known &known,
                                        const KernelReport &kernel, const explain::PlacedRemark &placed) {
  const Remark &remark = placed.remark;
  const auto diagnosticAt = [&](const RemarkPlace &place, std::string text) -> std::optional<Diagnostic> {
    const bool isHere = place.file == analysis.file().path();
    const std::optional<uint32_t> line = isHere ? known.now(place.line) : std::optional(place.line);
    if (!line)
      return std::nullopt;
    Diagnostic made{.severity = Severity::Remark,
                    .message = std::move(text),
                    .file = place.file,
                    .line = *line,
                    .column = std::max(place.column, 1u),
                    .sourceLine = isHere ? std::string(analysis.file().lineText(*line)) : std::string()};
    markUpTo(made, {place.endLine == place.line ? *line : *line + 1, place.endColumn});
    return made;
  };
  std::optional<Diagnostic> hint =
      remark.file == analysis.file().path() ? diagnosticAt(remark, remark.name) : std::nullopt;
  if (!hint)
    return std::nullopt;
  if (!remark.message.empty())
    hint->message += ": " + remark.message;
  if (const std::string reason = argumentOf(remark, "Reason"); !reason.empty())
    hint->message += "\nbecause " + reason;
  if (!remark.fix.empty())
    hint->message += "\nchange: " + remark.fix;
  if (!kernel.guess.empty())
    hint->message += "\nunder the guess " + kernel.guess;
  for (const RemarkCause &cause : remark.causes)
    if (std::optional<Diagnostic> note =
            cause.place.line ? diagnosticAt(cause.place, cause.text) : std::nullopt)
      hint->notes.push_back(std::move(*note));
  return hint;
}

std::vector<Diagnostic> missedHints(const Analysis &analysis) {
  const Known known(analysis);
  std::vector<Diagnostic> hints;
  std::set<std::tuple<uint32_t, uint32_t, std::string>> seen;
  for (const KernelReport &kernel : known.kernels())
    for (const explain::PlacedRemark &placed : kernel.document.remarks) {
      if (placed.remark.kind != Remark::Missed || placed.remark.isNothingToDo)
        continue;
      std::optional<Diagnostic> hint = hintOf(analysis, known, kernel, placed);
      if (hint && seen.emplace(hint->line, hint->column, hint->message).second)
        hints.push_back(std::move(*hint));
    }
  return hints;
}

static json::Value lens(uint32_t line, uint32_t begin, uint32_t end, const std::string &title) {
  return json::Object{{"range", toJson(EditorRange{{line, begin}, {line, end}})},
                      {"command", json::Object{{"title", json::fixUTF8(title)}, {"command", ""}}}};
}

/// Returns the iterations in flight of a loop, or the reason of the remark that there are none.
static std::string loopText(const Known &known, const explain::Document &document,
                            const insight::Loop &loop) {
  if (loop.stages > 1) {
    uint64_t bytes = 0;
    for (const insight::LoopBuffer &buffer : loop.buffers)
      bytes += buffer.bytes;
    return fmt::format("{} iterations in flight, {} bytes of shared memory", loop.stages, bytes);
  }
  const insight::Place *at = known.placeIn(document, loop.place);
  for (const explain::PlacedRemark &placed : document.remarks) {
    const insight::Place *place = known.placeIn(document, placed.place);
    if (placed.remark.name != "pipeline" || placed.remark.kind != Remark::Missed || !place ||
        place->line != at->line || place->column != at->column)
      continue;
    const std::string reason = argumentOf(placed.remark, "Reason");
    return "not pipelined: " + (reason.empty() ? placed.remark.text : reason);
  }
  return {};
}

json::Array resourceLenses(const Analysis &analysis) {
  const Known known(analysis);
  json::Array lenses;
  for (const KernelReport &kernel : known.kernels()) {
    const explain::Document &document = kernel.document;
    const std::string guess = kernel.guess.empty() ? "" : " (under a guess)";
    if (const std::optional<uint32_t> line = known.now(document.line))
      lenses.push_back(lens(*line - 1, 0, 1,
                            fmt::format("{} warps · {}{}", document.spec.warps(),
                                        explain::resourcesText(document.resources), guess)));
    std::map<std::pair<uint32_t, uint32_t>, std::string> loops;
    for (const insight::Loop &loop : document.insight.loops)
      if (const insight::Place *at = known.placeIn(document, loop.place)) {
        // A loop may have become several: the first that says something speaks for them.
        std::string &text = loops[{at->line, at->column}];
        if (text.empty())
          text = loopText(known, document, loop);
      }
    for (const auto &[place, text] : loops)
      if (const std::optional<uint32_t> line = known.now(place.first); line && !text.empty())
        lenses.push_back(lens(*line - 1, place.second ? place.second - 1 : 0, place.second, text + guess));
  }
  return lenses;
}

} // namespace tegula::cli
