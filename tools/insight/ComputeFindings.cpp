#include "tools/insight/ComputeFindings.h"

#include "compiler/target/Target.h"
#include "dialect/Counted.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::explain {

namespace {

bool isOfStage(const Document &document, const insight::Value &value, std::string_view stage) {
  return document.insight.stages[size_t(value.stage)].name == stage;
}

/// Returns whether an array or a number of 64 bits is passed, which asks for such arithmetic.
bool takesFp64(const KernelSpec &spec) {
  return std::ranges::any_of(spec.args, [](const auto &one) {
    const auto *type = std::get_if<RuntimeArg>(&one.second);
    return type && type->scalar == ScalarKind::Float64;
  });
}

/// Returns the place where the first value of 64 bits is made; `None` where there is none.
Index firstFp64(const Document &document) {
  Index first = None;
  for (const insight::Value &value : document.insight.values)
    if (value.dtype == "fp64" && value.place != None && isOfStage(document, value, "tile") &&
        (first == None || document.pointOf(value.place) < document.pointOf(first)))
      first = value.place;
  return first;
}

/// Counts the instructions of warps whose opcode `isCounted`, of the kernel that ran.
template <typename IsCounted> uint64_t instructionsOfRun(const Document &document, IsCounted isCounted) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(document.run->profile.ptx).split(lines, '\n');
  uint64_t count = 0;
  for (const runtime::InstructionProfile &one : document.run->profile.instructions)
    if (one.line > 0 && one.line <= lines.size() && isCounted(one, lines[one.line - 1]))
      count += one.counters.warpInstructions;
  return count;
}

bool isFp64(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(line, words, " \t\r;{}");
  return std::ranges::any_of(words, [](llvm::StringRef word) {
    return !word.starts_with("%") && !word.starts_with("ld.") && !word.starts_with("st.") &&
           (word.ends_with(".f64") || word.contains(".f64."));
  });
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

/// Returns the elements of the largest tensor with a layout, and where it is made.
std::pair<uint64_t, Index> largestTensor(const Document &document) {
  std::pair<uint64_t, Index> largest{0, None};
  for (const insight::Value &value : document.insight.values) {
    if (value.layout == None || value.shape.empty() || !isOfStage(document, value, "distributed"))
      continue;
    uint64_t elements = 1;
    for (int64_t side : value.shape)
      elements *= uint64_t(side);
    if (elements > largest.first || (elements == largest.first && largest.second == None))
      largest = {elements, value.place};
  }
  return largest;
}

/// Warps that have no element of their own repeat what others do, and load what others load.
void addIdleWarps(Document &document) {
  const uint32_t warps = document.spec.warps(), threads = warps * Target::warpSize;
  const auto [elements, place] = largestTensor(document);
  // Where programs share a block, each has fewer warps than were asked for.
  const bool isShared = std::ranges::any_of(document.remarks, [](const PlacedRemark &placed) {
    return placed.remark.name == "pack" && placed.remark.kind == Remark::Passed;
  });
  if (!elements || place == None || isShared || elements * 2 > threads)
    return;
  const auto busy = uint32_t(std::max<uint64_t>(1, elements / Target::warpSize));
  Finding finding{.kind = Finding::Idle, .place = place};
  finding.text = fmt::format("{} of {} repeat what the others do", warps - busy, counted(warps, "warp"));
  if (document.run) {
    finding.cost = document.run->report.total.warpInstructions;
    finding.least = finding.cost * busy / warps;
    finding.unit = "instructions";
    finding.text += fmt::format(": {} instructions, {} needed", finding.cost, finding.least);
  }
  finding.because = fmt::format("the largest tensor has {}, and a program {} threads",
                                counted(elements, "element"), threads);
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
