#include "tools/insight/findings/CountedFindings.h"

#include "compiler/target/Target.h"
#include "tools/insight/findings/Costs.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tegula::explain {

namespace {

/// The counts of one point of the source.
struct AtPoint {
  Index place = None;
  uint64_t instructions = 0; ///< of warps
  uint64_t loadSectors = 0, repeatedSectors = 0;
  uint64_t loadBytes = 0, wholeBytes = 0; ///< what was loaded, and would have been without a mask
  bool isByTma = false;
  uint64_t changes = 0, elements = 0; ///< of atomics
};

/// The largest side of a tile that a product may need although fewer rows are there.
constexpr int64_t LeastOfProduct = 16;
/// The changes of an element that are worth a word.
constexpr uint64_t Often = 32;

/// Returns the bytes that each lane loads from global memory in this line of PTX, where its predicate holds;
/// 0 for other instructions, and for TMA loads.
uint64_t loadedBytesOf(llvm::StringRef line) {
  line = line.trim();
  if (line.starts_with("@"))
    line = line.split(' ').second.ltrim();
  const llvm::StringRef opcode = line.take_until(llvm::isSpace);
  unsigned number = 0;
  if (opcode.starts_with("cp.async.c")) { // the number of bytes stands behind both addresses
    llvm::StringRef behind = line.split("], ").second.split("], ").second;
    return behind.consumeInteger(10, number) ? 0 : number;
  }
  if (!opcode.starts_with("ld.") || !opcode.contains(".global"))
    return 0;
  llvm::StringRef type = opcode.rsplit('.').second; // "b32"
  if (type.empty() || type.drop_front().getAsInteger(10, number))
    return 0;
  return number / 8 * (opcode.contains(".v4.") ? 4 : opcode.contains(".v2.") ? 2 : 1);
}

std::map<Document::Point, AtPoint> countsOf(const Document &document) {
  const bool runsAhead =
      std::ranges::any_of(document.insight.loops, [](const insight::Loop &loop) { return loop.stages > 1; });
  std::map<Document::Point, AtPoint> found;
  forInstructions(document.run->profile, [&](const runtime::InstructionProfile &one, llvm::StringRef line) {
    const Index place = document.placeOfPtxLine(one.line);
    if (place == None)
      return;
    AtPoint &at = found[document.pointOf(place)];
    at.place = place;
    at.instructions += one.counters.warpInstructions;
    at.loadSectors += one.counters.loadSectors;
    at.repeatedSectors += one.repeatedSectors;
    at.changes += one.atomicChanges;
    at.elements += one.atomicElements; // at most: instructions may change the same ones
    if (one.counters.loadBytes && line.contains("cp.async.bulk")) {
      at.isByTma = true; // what is no part of the array is zeros in shared memory
      at.loadBytes += one.counters.loadBytes;
      at.wholeBytes += one.counters.sharedBytes;
    } else if (const uint64_t bytes = loadedBytesOf(line)) {
      at.loadBytes += one.counters.loadBytes;
      // Loads that run ahead of a loop are switched off at its end: those of no lane do not count.
      at.wholeBytes +=
          (runsAhead ? one.counters.loadRequests : one.counters.warpInstructions) * Target::warpSize * bytes;
    }
  });
  return found;
}

std::optional<Finding> repeated(const AtPoint &at, const runtime::Counters &total) {
  if (!at.repeatedSectors || at.repeatedSectors * 8 < at.loadSectors ||
      !matters(at.repeatedSectors, total.loadSectors + total.storeSectors))
    return std::nullopt;
  Finding finding{.kind = Finding::Repeated, .place = at.place};
  finding.text = fmt::format("{} of {} sectors that are loaded here were loaded by the same warp just before",
                             at.repeatedSectors, at.loadSectors);
  finding.count(at.loadSectors, at.loadSectors - at.repeatedSectors, "sectors");
  finding.because = "several iterations ask for the same addresses";
  finding.change = "load once what several iterations need";
  return finding;
}

/// Returns whether each element of the value is held by one thread.
bool isHeldOnce(const Document &document, const insight::Value &value) {
  const insight::Layout &layout = document.insight.layouts[size_t(value.layout)];
  return llvm::none_of(layout.bases, isRepeat);
}

/// Returns the tile that is loaded at this point; null where there is none of which each element is loaded
/// once.
const insight::Value *tileAt(const Document &document, const Document::Point &point, bool isByTma) {
  for (const insight::Value &value : document.insight.values)
    if (value.op == "tile.load" && value.place != None && value.layout != None && !value.shape.empty() &&
        document.isOfStage(value, "distributed") && document.pointOf(value.place) == point)
      return isByTma || isHeldOnce(document, value) ? &value : nullptr;
  return nullptr;
}

std::optional<Finding> masked(const AtPoint &at, const insight::Value *tile, uint64_t warps,
                              const runtime::Counters &total) {
  if (!tile || !at.wholeBytes)
    return std::nullopt;
  uint64_t elements = 1, needed = 1;
  for (int64_t side : tile->shape) {
    elements *= uint64_t(side);
    if (tile->shape.size() > 1 && side <= LeastOfProduct)
      needed *= uint64_t(side);
  }
  const double share = double(at.loadBytes) / double(at.wholeBytes);
  const uint64_t loss = at.instructions - uint64_t(double(at.instructions) * share);
  // Loads by TMA take few instructions, and what is done with the tile as many as if it were full.
  if (at.loadBytes * needed * 5 > at.wholeBytes || (!at.isByTma && !matters(loss, total.warpInstructions)))
    return std::nullopt;
  const auto loaded = uint64_t(share * double(elements) + 0.5);
  Finding finding{.kind = Finding::Masked, .place = at.place};
  finding.text =
      fmt::format("{} of the {} elements of a tile are loaded, {:.0f}%: the mask leaves out the others",
                  loaded, elements, 100 * share);
  finding.count(at.instructions, at.instructions - loss, "instructions");
  finding.because =
      fmt::format("the tile has {} elements, whatever there is to load", fmt::join(tile->shape, "×"));
  finding.change = "use a tile with smaller sides";
  if (tile->shape.size() == 1) {
    const uint64_t enough = llvm::PowerOf2Ceil(std::max<uint64_t>(loaded, 1));
    finding.change = fmt::format("use a tile of {} elements", enough);
    // More warps than hold it would repeat each other.
    if (const uint64_t busy = std::max<uint64_t>(1, enough / Target::warpSize); busy < warps)
      finding.change += fmt::format(", and num_warps={}", busy);
  }
  return finding;
}

std::optional<Finding> changedOften(const AtPoint &at, const runtime::Counters &total) {
  if (!at.elements || at.changes < Often * at.elements || !matters(at.changes, total.warpInstructions))
    return std::nullopt;
  Finding finding{.kind = Finding::Atomics, .place = at.place};
  finding.text =
      fmt::format("{} changes of elements, of each at least {}", at.changes, at.changes / at.elements);
  finding.count(at.changes, at.elements, "changes");
  finding.because = "changes of one element are carried out one after the other, whichever threads make them";
  finding.change =
      "combine what a program has for an element first (`tl.sum`), or let each program store its own part, "
      "and add the parts in another launch";
  return finding;
}

} // namespace

std::vector<Finding> countedFindings(const Document &document) {
  std::vector<Finding> findings;
  if (!document.run)
    return findings;
  const runtime::Counters &total = document.run->report.total;
  for (const auto &[point, at] : countsOf(document))
    for (std::optional<Finding> one :
         {repeated(at, total), masked(at, tileAt(document, point, at.isByTma), document.spec.warps(), total),
          changedOften(at, total)})
      if (one)
        findings.push_back(std::move(*one));
  return findings;
}

} // namespace tegula::explain
