#include "tools/insight/findings/ComputeFindings.h"

#include "compiler/target/Target.h"
#include "dialect/Counted.h"
#include "tools/insight/findings/Costs.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::explain {

namespace {

/// Returns whether an array or a number of 64 bits is passed, which asks for such arithmetic.
bool takesFp64(const KernelSpec &spec) {
  return std::ranges::any_of(spec.args, [](const auto &one) {
    const auto *type = std::get_if<RuntimeArg>(&one.second);
    return type && type->scalar == ScalarKind::Float64;
  });
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
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(document.ptx).split(lines, '\n');
  for (const insight::Span &span : document.ptxSpans)
    if (span.line > 0 && span.line <= lines.size() && isFp64(lines[span.line - 1]))
      take(span.place);
  return first;
}

/// Counts the instructions of warps whose opcode `isCounted`, of the kernel that ran.
template <typename IsCounted> uint64_t instructionsOfRun(const Document &document, IsCounted isCounted) {
  uint64_t count = 0;
  forInstructions(document, [&](const runtime::InstructionProfile &one, llvm::StringRef line) {
    if (isCounted(one, line))
      count += one.counters.warpInstructions;
  });
  return count;
}

void addFp64(Document &document) {
  const Index place = takesFp64(document.spec) ? None : firstFp64(document);
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
    finding.text =
        fmt::format("{} instructions of warps in fp64, none needed: no argument is of 64 bits", finding.cost);
  }
  finding.because = "the first value of fp64 is made here, and what is computed with it is fp64, too";
  finding.change = "compute in tl.float32";
  document.findings.push_back(std::move(finding));
}

/// Returns how many warps hold each element of a value, by its layout.
uint32_t copiesOf(const Document &document, const insight::Value &value) {
  const insight::Layout &layout = document.insight.layouts[size_t(value.layout)];
  uint32_t copies = 1;
  size_t basis = 0;
  for (const insight::LayoutAxis &axis : layout.ins)
    for (uint32_t bit = 0; bit < axis.bits; ++bit, ++basis)
      if (axis.name == "warp" && isRepeat(layout.bases[basis]))
        copies *= 2;
  return copies;
}

/// The number of warps that hold each element of all tensors, or of a product.
struct Repeats {
  uint32_t copies = 1;
  Index place = None;
  uint64_t elements = 0; ///< of the largest tensor; 0 for a product
};

/// Returns the repeats of all tensors, at the first of the largest.
Repeats repeatsOfAll(const Document &document) {
  Repeats all{document.spec.warps(), None, 0};
  for (const insight::Value &value : document.insight.values) {
    if (value.layout == None || value.shape.empty() || !document.isOfStage(value, "distributed"))
      continue;
    all.copies = std::min(all.copies, copiesOf(document, value));
    uint64_t elements = 1;
    for (int64_t side : value.shape)
      elements *= uint64_t(side);
    if (value.place == None || elements < all.elements)
      continue;
    if (elements > all.elements || document.pointOf(value.place) < document.pointOf(all.place)) {
      all.elements = elements;
      all.place = value.place;
    }
  }
  return all;
}

/// Returns the repeats of the product that most warps repeat.
Repeats repeatsOfProduct(const Document &document) {
  Repeats most;
  for (const insight::Value &value : document.insight.values)
    if (value.op == "tile.dot" && value.layout != None && document.isOfStage(value, "distributed"))
      if (const uint32_t copies = copiesOf(document, value); copies > most.copies)
        most = {copies, value.place, 0};
  return most;
}

/// Warps that hold the same elements as others repeat what those do, and load what those load.
void addIdleWarps(Document &document) {
  Repeats repeats = repeatsOfAll(document);
  if (repeats.copies < 2)
    repeats = repeatsOfProduct(document);
  if (repeats.copies < 2 || repeats.place == None || document.packing())
    return;
  const uint32_t warps = document.spec.warps(), busy = warps / repeats.copies;
  Finding finding{.kind = Finding::Idle, .place = repeats.place};
  finding.text = fmt::format("{} of {} repeat what the others do", warps - busy, counted(warps, "warp"));
  if (document.run) {
    finding.cost = repeats.elements ? document.run->report.total.warpInstructions
                                    : instructionsAt(document, repeats.place);
    finding.least = finding.cost * busy / warps;
    finding.unit = "instructions";
    finding.text += fmt::format(": {} instructions, {} needed", finding.cost, finding.least);
  }
  finding.because = repeats.elements
                        ? fmt::format("the largest tensor has {}, and a program {} threads",
                                      counted(repeats.elements, "element"), warps * Target::warpSize)
                        : fmt::format("the product has work for {}", counted(busy, "warp"));
  finding.change = fmt::format("launch with num_warps={}, or let a program compute more", busy);
  document.findings.push_back(std::move(finding));
}

} // namespace

uint64_t instructionsAt(const Document &document, Index place) {
  if (!document.run || place == None)
    return 0;
  return instructionsOfRun(document, [&](const runtime::InstructionProfile &one, llvm::StringRef) {
    const Index at = document.placeOfPtxLine(one.line);
    return at != None && document.pointOf(at) == document.pointOf(place);
  });
}

void addComputeFindings(Document &document) {
  addFp64(document);
  addIdleWarps(document);
}

} // namespace tegula::explain
