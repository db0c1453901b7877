#include "tools/insight/findings/WideFindings.h"

#include "tools/insight/findings/Costs.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tegula::explain {

namespace {

/// The fp64 that arguments ask for.
struct Fp64Arguments {
  bool areAsked = false;     ///< the arithmetic is theirs: arrays are read or written, or a number is passed
  Index numberLoaded = None; ///< the first load of a single number, where arrays are not
};

/// Returns the arguments' part by the accesses of the kernel as it was written.
Fp64Arguments fp64ArgumentsOf(const Document &document) {
  Fp64Arguments arguments;
  for (const auto &[name, one] : document.spec.args)
    if (const auto *type = std::get_if<RuntimeArg>(&one))
      arguments.areAsked |= type->scalar == ScalarKind::Float64 && type->pointerDepth == 0;
  const auto tile = std::ranges::find(document.insight.stages, "tile", &insight::StageText::name);
  if (tile == document.insight.stages.end())
    return arguments;
  forLines<insight::Span>(tile->text, tile->spans, [&](const insight::Span &span, llvm::StringRef line) {
    if (!line.contains("!tile.ptr<f64>") || line.contains("func.func"))
      return;
    if (line.contains(" tile.load ") && !line.contains("tensor<")) {
      if (arguments.numberLoaded == None)
        arguments.numberLoaded = span.place;
    } else if (!line.contains(" tile.addptr ") || line.contains("tensor<")) {
      arguments.areAsked = true;
    }
  });
  return arguments;
}

bool isFp64(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(line, words, " \t\r;{}");
  return std::ranges::any_of(words, [](llvm::StringRef word) {
    return !word.starts_with("%") && !word.starts_with("ld.") && !word.starts_with("st.") &&
           (word.ends_with(".f64") || word.contains(".f64."));
  });
}

/// Returns the place where the first value of 64 bits is made; `None` where there is none. Tensors have their
/// values, numbers the instructions that make them.
Index firstFp64(const Document &document) {
  Index first = None;
  const auto take = [&](Index place) {
    if (place != None && (first == None || document.pointOf(place) < document.pointOf(first)))
      first = place;
  };
  for (const insight::Value &value : document.insight.values)
    if (value.dtype == "fp64" && document.isOfStage(value, "tile"))
      take(value.place);
  forLines<insight::Span>(document.ptx, document.ptxSpans,
                          [&](const insight::Span &span, llvm::StringRef line) {
                            if (isFp64(line))
                              take(span.place);
                          });
  return first;
}

void addFp64(Document &document) {
  const Fp64Arguments arguments = fp64ArgumentsOf(document);
  if (arguments.areAsked)
    return;
  const bool isLoaded = arguments.numberLoaded != None;
  const Index place = isLoaded ? arguments.numberLoaded : firstFp64(document);
  if (place == None)
    return;
  Finding finding{.kind = Finding::Fp64, .place = place};
  finding.text = "arithmetic in 64 bits";
  if (document.run) {
    finding.cost =
        instructionsOfRun(document, [](const auto &, llvm::StringRef line) { return isFp64(line); });
    if (!finding.cost)
      return; // it is folded away, or of a branch that did not run
    finding.unit = "instructions";
    finding.text = fmt::format("{} instructions of warps in fp64, none needed: {}", finding.cost,
                               isLoaded ? "only single numbers of the arguments are of 64 bits"
                                        : "no argument is of 64 bits");
  }
  finding.because = isLoaded
                        ? "a number of fp64 is loaded here, and what is computed with it is fp64, too"
                        : "the first value of fp64 is made here, and what is computed with it is fp64, too";
  finding.change = isLoaded ? "convert it by `.to(tl.float32)`" : "compute in tl.float32";
  document.findings.push_back(std::move(finding));
}

/// The instructions of machine code that a product of 64 bits takes more than one of 32 bits (ptxas 13.0).
constexpr uint64_t MoreOfProduct = 3;

bool isOfInt64(llvm::StringRef opcode, llvm::ArrayRef<llvm::StringRef> names) {
  return (opcode.ends_with(".s64") || opcode.ends_with(".u64")) &&
         llvm::any_of(names, [&](llvm::StringRef name) { return opcode.starts_with(name); });
}

/// Returns the points of the source that divide in 64 bits. The code for it looks first whether 32 would do,
/// and goes another way where they do.
std::set<Document::Point> wideDivisions(const Document &document) {
  std::set<Document::Point> points;
  forLines<insight::Span>(
      document.ptx, document.ptxSpans, [&](const insight::Span &span, llvm::StringRef line) {
        if (span.place != None && isOfInt64(line.trim().take_until(llvm::isSpace), {"div.", "rem."}))
          points.insert(document.pointOf(span.place));
      });
  return points;
}

/// Divisions and products of 64 bits, where they are much of what a kernel does.
void addInt64(Document &document) {
  if (!document.run)
    return;
  const std::set<Document::Point> divisions = wideDivisions(document);
  std::map<Document::Point, std::pair<uint64_t, Index>> byPoint;
  uint64_t more = 0;
  forInstructions(document.run->profile, [&](const runtime::InstructionProfile &one, llvm::StringRef line) {
    const Index place = document.placeOfPtxLine(one.line);
    if (place == None)
      return;
    uint64_t here = one.counters.warpInstructions;
    const llvm::StringRef opcode = line.trim().take_until(llvm::isSpace);
    if (isOfInt64(opcode, {"mul.lo.", "mad.lo."}))
      here *= MoreOfProduct;
    else if (opcode.starts_with("div.") || opcode.starts_with("rem.") ||
             !divisions.contains(document.pointOf(place)))
      return;
    more += here;
    auto &at = byPoint[document.pointOf(place)];
    at.first += here;
    at.second = place;
  });
  if (byPoint.empty() || more * 4 < document.run->report.total.warpInstructions)
    return;
  const auto &dearest =
      std::ranges::max_element(byPoint, {}, [](const auto &one) { return one.second.first; })->second;
  Finding finding{.kind = Finding::Int64, .place = dearest.second};
  finding.text =
      fmt::format("divisions and products of 64 bits take about {} instructions of warps more than those "
                  "of 32 bits would",
                  more);
  finding.cost = document.run->report.total.warpInstructions;
  finding.least = finding.cost - std::min(more, finding.cost);
  finding.unit = "instructions";
  finding.because =
      "a product of 64 bits is four instructions, a division looks first whether 32 bits would do";
  finding.change = "compute in tl.int32 what stays below 2147483648, and convert offsets of rows alone";
  for (const insight::Value &value : document.insight.values)
    if (value.dtype == "i64" && value.op != "arith.constant" && value.place != None &&
        document.isOfStage(value, "tile")) {
      finding.because += fmt::format("; the first number of 64 bits is made in line {}",
                                     document.insight.places[size_t(value.place)].line);
      finding.cause.push_back(value.place);
      break;
    }
  document.findings.push_back(std::move(finding));
}

} // namespace

void addWideFindings(Document &document) {
  addFp64(document);
  addInt64(document);
}

} // namespace tegula::explain
