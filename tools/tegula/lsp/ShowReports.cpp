#include "tools/tegula/lsp/ShowReports.h"

#include "dialect/Counted.h"
#include "dialect/image/KernelImage.h"
#include "tools/insight/ReportText.h"
#include "tools/tegula/lsp/KnownReports.h"
#include "tools/tegula/lsp/Positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace tegula::cli {

namespace json = llvm::json;
using insight::Index;
using insight::None;

namespace {

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

std::string textOf(const KnownReports &known, const explain::Document &document,
                   const insight::Value &value) {
  std::string text;
  if (value.layout != None)
    text += fmt::format("layout `{}`, {} a thread  \n",
                        layoutText(document.insight.layouts[size_t(value.layout)]),
                        counted(value.registers, "register"));
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

/// Bytes of an element in memory; pointers have 8.
uint64_t bytesOf(const std::string &dtype) { return scalarBytes(dtype).value_or(8); }

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

} // namespace

std::string valueText(const Analysis &analysis, const std::string &name, LineColumn place) {
  const KnownReports known(analysis);
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
      if (value.name != name || !at || !kernel.document.isOfStage(value, "distributed") ||
          !made.contains({at->line, at->column}) || !dtypes.contains(value.dtype))
        continue;
      if (std::string one = textOf(known, kernel.document, value); seen.insert(one).second)
        text += one;
    }
  return text;
}

/// Describes what a kernel does in a line of its text.
static std::string costIn(const KnownReports &known, const explain::Document &document, uint32_t line) {
  std::vector<std::string> parts;
  const auto isHere = [&](Index number) {
    const insight::Place *place = known.placeIn(document, number);
    return place && place->line == line;
  };
  uint64_t asked = 0;
  for (const insight::Value &value : document.insight.values)
    if (value.op == "tile.load" && document.isOfStage(value, "distributed") && isHere(value.place)) {
      uint64_t bytes = bytesOf(value.dtype);
      for (int64_t side : value.shape)
        bytes *= uint64_t(side);
      asked += bytes;
    }
  if (asked)
    parts.push_back(fmt::format("loads {} bytes each time", asked));
  for (const explain::PlacedRemark &placed : document.remarks)
    if (const std::string width = explain::argumentOf(placed.remark, "VectorBytes");
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
    parts.push_back(counted(uint64_t(sass), "machine instruction"));
  else if (ptx)
    parts.push_back(counted(uint64_t(ptx), "instruction") + " of PTX");
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string costText(const Analysis &analysis, uint32_t line) {
  const KnownReports known(analysis);
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

static json::Value lens(uint32_t line, uint32_t begin, uint32_t end, const std::string &title) {
  return json::Object{{"range", toJson(EditorRange{{line, begin}, {line, end}})},
                      {"command", json::Object{{"title", json::fixUTF8(title)}, {"command", ""}}}};
}

/// Returns the iterations in flight of a loop, or the reason of the remark that there are none.
static std::string loopText(const KnownReports &known, const explain::Document &document,
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
    const std::string reason = explain::argumentOf(placed.remark, "Reason");
    return "not pipelined: " + (reason.empty() ? placed.remark.text : reason);
  }
  return {};
}

json::Array resourceLenses(const Analysis &analysis) {
  const KnownReports known(analysis);
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
