#include "tools/insight/findings/Findings.h"

#include "compiler/schedule/waste/RepeatedPrograms.h"
#include "compiler/target/Target.h"
#include "dialect/Counted.h"
#include "tools/insight/findings/Advice.h"
#include "tools/insight/findings/Costs.h"
#include "tools/insight/findings/CountedFindings.h"
#include "tools/insight/findings/IdleWarps.h"
#include "tools/insight/findings/WideFindings.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tegula::explain {

namespace {

constexpr uint32_t widestAccess = Target::maxVectorBytes;
/// One instruction in so many has to be a request too many: a request costs less than what waits for it.
constexpr uint64_t OneOfNarrow = 40;

/// The accesses of one kind at one point of the source.
struct AtPlace {
  Index place = None;
  uint64_t requests = 0, units = 0, least = 0;
  uint32_t bytesPerLane = 0; ///< the fewest
  bool isAtomic = false;
};

/// Returns whether what was counted is more than an eighth above the least: a mask's edge and a row that
/// begins amid a sector cost a little in any program.
bool costsMore(const AtPlace &at) { return at.units * 8 > at.least * 9; }

uint64_t sectorsOf(const Run &run) { return run.report.total.loadSectors + run.report.total.storeSectors; }

std::string ratio(uint64_t cost, uint64_t least) {
  return least ? fmt::format(" ({:.1f}×)", double(cost) / double(least)) : "";
}

bool isAboutAccess(const Remark &remark) {
  return remark.kind == Remark::Missed && !argumentOf(remark, "VectorBytes").empty();
}

std::map<Document::Point, AtPlace> accessesOf(const Document &document, bool isShared) {
  std::map<Document::Point, AtPlace> found;
  for (const Access &access : document.run->accesses) {
    if (access.isShared != isShared || access.place == None)
      continue;
    AtPlace &at = found[document.pointOf(access.place)];
    at.place = access.place;
    at.requests += access.requests;
    at.units += access.units;
    at.least += access.unitsLeast;
    at.isAtomic |= access.isAtomic;
    if (access.bytesPerLane && (!at.bytesPerLane || access.bytesPerLane < at.bytesPerLane))
      at.bytesPerLane = access.bytesPerLane;
  }
  return found;
}

/// Returns the first missed remark at this point that `isIt`, or null.
const PlacedRemark *missedAt(const Document &document, Index place,
                             llvm::function_ref<bool(const Remark &)> isIt) {
  return remarkAt(document, place,
                  [&](const Remark &remark) { return remark.kind == Remark::Missed && isIt(remark); });
}

/// Returns whether the remark says that a loop is not pipelined: one that is may still miss more.
bool isUnpipelined(const Document &document, const PlacedRemark &placed) {
  // Loads of products count by themselves, whatever else of the loop is in flight.
  if (placed.remark.pass == "plan-loops" && placed.remark.name == "products")
    return true;
  if (placed.remark.name != "pipeline")
    return false;
  const auto isHere = [&](Index place) { return document.isAt(place, placed.place); };
  const bool isLoop = std::ranges::any_of(document.insight.loops, isHere, &insight::Loop::place);
  return isLoop && std::ranges::none_of(document.remarks, [&](const PlacedRemark &other) {
           return other.remark.kind == Remark::Passed && other.remark.name == "pipeline" &&
                  isHere(other.place);
         });
}

/// Returns how many programs compute alike what `remark` is about, one of `plan-loops` named `programs`; 1
/// where the grid is not known.
uint64_t programsAlike(const Document &document, const Remark &remark) {
  if (!document.grid)
    return 1;
  const std::string words = argumentOf(remark, ProgramsKey);
  uint64_t alike = 1;
  llvm::StringRef rest = words;
  for (uint64_t extent : *document.grid) {
    const auto [axis, behind] = rest.split(", ");
    rest = behind;
    const auto [kind, number] = axis.split(' ');
    uint64_t divisor = 1;
    number.getAsInteger(10, divisor);
    if (kind == "same")
      alike *= extent;
    else if (kind == "quotient")
      alike *= std::clamp<uint64_t>(divisor, 1, extent);
    else if (kind == "remainder" && divisor)
      alike *= std::max<uint64_t>(1, extent / divisor);
  }
  return alike;
}

/// Returns the kind of finding that a missed remark is by itself; nothing where counts tell more, or it is
/// none.
std::optional<Finding::Kind> kindOf(const Document &document, const PlacedRemark &placed) {
  if (isAboutAccess(placed.remark))
    return document.run ? std::nullopt : std::optional(Finding::Narrow);
  if (isUnpipelined(document, placed))
    return Finding::Unpipelined;
  const Remark &remark = placed.remark;
  if (remark.name == "atomic")
    return Finding::Atomics;
  using Kinds = llvm::StringSwitch<std::optional<Finding::Kind>>;
  if (remark.pass == "choose-matrix-units")
    return Kinds(remark.name).Case("dot", Finding::Threads).Case("widened", Finding::Widened).Default({});
  if (remark.pass != "plan-loops")
    return std::nullopt;
  if (remark.name == "load")
    return document.run ? std::nullopt : std::optional(Finding::Repeated);
  if (remark.name == "programs")
    return programsAlike(document, remark) > 1 ? std::optional(Finding::Repeated) : std::nullopt;
  return Kinds(remark.name)
      .Case("reduce", Finding::Reduced)
      .Case("scalar", Finding::Idle)
      .Case("iterations", Finding::Masked)
      .Default({});
}

void explain(const Document &document, Finding &finding, const PlacedRemark *placed) {
  if (!placed)
    return;
  finding.because = argumentOf(placed->remark, "Reason");
  for (const RemarkCause &cause : placed->remark.causes) {
    if (cause.text == finding.because)
      continue;
    finding.because +=
        (finding.because.empty() ? "" : "; ") + causeOf(placed->remark, cause.text, document.numbers);
    if (cause.place.line && cause.place.line != placed->remark.line)
      finding.because += fmt::format(" (line {})", cause.place.line);
  }
  finding.cause = placed->causes;
  finding.change = changeOf(placed->remark, document.numbers);
  finding.isNothingToDo = placed->remark.isNothingToDo && placed->remark.fix.empty();
}

/// Says that no change of the kernel helps.
void leave(Finding &finding, const char *because) {
  finding.because = because;
  finding.change = "nothing to do";
  finding.isNothingToDo = true;
}

/// Returns whether the threads of a load or store have more elements in a row than one access takes.
bool hasMoreInARow(const Document &document, Index place) {
  return remarkAt(document, place, [](const Remark &remark) {
    unsigned bytes = 0;
    return !llvm::StringRef(argumentOf(remark, "ThreadBytes")).getAsInteger(10, bytes) &&
           bytes > widestAccess;
  });
}

void findAccesses(Document &document) {
  const runtime::Counters &total = document.run->report.total;
  const uint64_t sectors = sectorsOf(*document.run);
  for (const auto &[point, at] : accessesOf(document, /*isShared=*/false)) {
    const PlacedRemark *remark = missedAt(document, at.place, isAboutAccess);
    // The changes of an atomic are made one by one, however many one instruction asks for.
    const bool isNarrow = at.bytesPerLane && at.bytesPerLane < widestAccess && remark && !at.isAtomic;
    const std::string width =
        isNarrow ? fmt::format("{} bytes a thread an access, {} possible", at.bytesPerLane, widestAccess)
                 : "";
    // Each block makes a request of its own, however few bytes it asks for.
    const uint64_t leastRequests = std::max(std::min<uint64_t>(at.requests, document.run->report.blocks),
                                            at.requests * at.bytesPerLane / widestAccess);
    Finding finding{.place = at.place};
    // Why one access lies as it does is not always known, and a few sectors are no reason to ask.
    const bool isWorthIt =
        remark ? matters(at.units - at.least, sectors) : (at.units - at.least) * 20 >= sectors;
    if (costsMore(at) && isWorthIt) {
      finding.kind = Finding::Uncoalesced;
      finding.text =
          fmt::format("{} sectors moved, {} needed{}", at.units, at.least, ratio(at.units, at.least));
      if (isNarrow)
        finding.text += "; " + width;
      finding.count(at.units, at.least, "sectors");
    } else if (isNarrow && (at.requests - leastRequests) * OneOfNarrow >= total.warpInstructions) {
      finding.kind = Finding::Narrow;
      finding.count(at.requests, leastRequests, "requests");
      finding.text = fmt::format("{} requests, {} needed; {}", finding.cost, finding.least, width);
    } else {
      continue;
    }
    // A layout that was chosen for another access has that one to blame for the width.
    const PlacedRemark *layout =
        missedAt(document, at.place, [](const Remark &one) { return one.pass == "coalesce"; });
    explain(document, finding, layout ? layout : remark);
    if (!remark && !layout && at.bytesPerLane == widestAccess && hasMoreInARow(document, at.place))
      leave(finding,
            "each thread has more than 16 bytes in a row, as what it computes with them asks for, and each "
            "access takes a part of every sector");
    if (finding.kind == Finding::Narrow && finding.isNothingToDo)
      continue; // what the kernel computes asks for it
    document.findings.push_back(std::move(finding));
  }
}

/// Says why the passes over shared memory at this point are more than needed, and what to change.
void explainConflict(const Document &document, Finding &finding) {
  const auto isHere = [&](Index place) { return document.isAt(place, finding.place); };
  for (const PlacedRemark &placed : document.remarks)
    if (isHere(placed.place) && placed.remark.pass == "store-by-tma" &&
        placed.remark.kind == Remark::Passed) {
      return leave(finding, "the result is put into shared memory in the order that TMA takes it from there");
    }
  for (const insight::Value &value : document.insight.values) {
    if (!isHere(value.place))
      continue;
    if (value.op == "tile.histogram")
      return leave(finding, "elements of one bin are counted one after the other");
    if (value.op == "tile.gather") {
      finding.because = "each lane reads the element that its index says, and several are of one bank";
      finding.change = "let indices of neighbours differ modulo 32, or look up in global memory by `tl.load`";
      return;
    }
  }
  for (const insight::Conversion &conversion : document.insight.conversions)
    if (isHere(conversion.place)) {
      return leave(finding, "a tensor changes its layout here by way of shared memory");
    }
}

void findConflicts(Document &document) {
  for (const auto &[point, at] : accessesOf(document, /*isShared=*/true)) {
    if (!costsMore(at) || !matters(at.units - at.least, document.run->report.total.warpInstructions))
      continue;
    Finding finding{.kind = Finding::Conflicts, .place = at.place};
    finding.text = fmt::format("{} passes over the banks of shared memory, {} needed{}", at.units, at.least,
                               ratio(at.units, at.least));
    finding.count(at.units, at.least, "passes");
    explainConflict(document, finding);
    document.findings.push_back(std::move(finding));
  }
}

void findSpills(Document &document) {
  if (!document.resources.hasSpills())
    return;
  const runtime::EntryResources &assembled = *document.resources.assembled;
  Finding finding{.kind = Finding::Spills, .place = document.insight.pressure.peak.place};
  finding.cost = uint64_t(assembled.spillStoreBytes) + assembled.spillLoadBytes;
  finding.unit = "bytes";
  finding.text = fmt::format("{} bytes of registers stored by each thread, and {} loaded again",
                             assembled.spillStoreBytes, assembled.spillLoadBytes);
  if (const insight::PressurePeak &peak = document.insight.pressure.peak;
      peak.registers >= document.resources.registerLimit)
    finding.because = fmt::format("tensors need {} registers of a thread here, which has {}", peak.registers,
                                  document.resources.registerLimit);
  finding.change = "use more warps or smaller tiles";
  document.findings.push_back(std::move(finding));
}

/// Returns the finding that a missed remark is, with what is counted of it.
Finding missed(const Document &document, const PlacedRemark &placed, Finding::Kind kind) {
  Finding finding{.kind = kind, .place = placed.place, .text = placed.remark.name};
  if (!placed.remark.message.empty())
    finding.text += ": " + placed.remark.message;
  if (kind == Finding::Narrow || kind == Finding::Unpipelined || kind == Finding::Masked)
    return finding;
  finding.cost = instructionsAt(document, placed.place);
  if (placed.remark.name == "programs") {
    const uint64_t alike = programsAlike(document, placed.remark);
    for (Index cause : placed.causes)
      finding.cost += instructionsAt(document, cause);
    finding.least = finding.cost / alike;
    finding.text += fmt::format(": {} do, with {} instructions, {} needed", counted(alike, "program"),
                                finding.cost, finding.least);
  }
  if (finding.cost)
    finding.unit = "instructions";
  return finding;
}

void findMissed(Document &document) {
  for (const PlacedRemark &placed : document.remarks) {
    if (placed.remark.kind != Remark::Missed || placed.place == None)
      continue;
    const std::optional<Finding::Kind> kind = kindOf(document, placed);
    if (!kind || (placed.remark.isNothingToDo && placed.remark.fix.empty()))
      continue;
    Finding finding = missed(document, placed, *kind);
    const bool mayBeSmall = finding.kind == Finding::Reduced || finding.kind == Finding::Idle ||
                            finding.kind == Finding::Repeated;
    if (document.run && mayBeSmall &&
        !matters(finding.cost - finding.least, document.run->report.total.warpInstructions))
      continue;
    explain(document, finding, &placed);
    document.findings.push_back(std::move(finding));
  }
}

/// Adds what counts alone show, with the reasons of remarks where there are any.
void findCounted(Document &document) {
  const auto isAtomic = [&](const Finding &known, Index place) {
    return known.kind == Finding::Atomics && document.pointOf(known.place) == document.pointOf(place);
  };
  for (Finding &finding : countedFindings(document)) {
    if (finding.kind == Finding::Repeated)
      explain(document, finding, missedAt(document, finding.place, [](const Remark &remark) {
                return remark.pass == "plan-loops" && remark.name == "load";
              }));
    // One that a loop repeats has been found.
    if (std::ranges::none_of(document.findings,
                             [&](const auto &known) { return isAtomic(known, finding.place); }))
      document.findings.push_back(std::move(finding));
  }
}

/// Drops what is said of sectors where memory is to be changed less often.
void dropAccessesOfAtomics(Document &document) {
  const std::vector<Finding> all = document.findings;
  llvm::erase_if(document.findings, [&](const Finding &finding) {
    return finding.kind == Finding::Uncoalesced && std::ranges::any_of(all, [&](const Finding &other) {
             return other.kind == Finding::Atomics &&
                    document.pointOf(other.place) == document.pointOf(finding.place);
           });
  });
}

/// Returns how much is lost, for the order of findings, in a run that asks for `sectors`.
uint64_t lossOf(const Finding &finding, uint64_t sectors) {
  const uint64_t loss = finding.cost - std::min(finding.cost, finding.least);
  switch (finding.kind) {
  case Finding::Threads: // their sums take the registers that are spilled
    return ~uint64_t(0);
  case Finding::Spills:
    return ~uint64_t(0) - 1;
  case Finding::Masked: // whole iterations
    return finding.cost ? loss : ~uint64_t(0) - 2;
  case Finding::Atomics:
    return loss * 32; // each lane's is carried out by itself, far from the multiprocessor
  case Finding::Uncoalesced:
  case Finding::Repeated:
    return finding.unit == "sectors" ? loss * 8 : loss; // a sector waits longer than a pass
  case Finding::Unpipelined:                            // each iteration waits for what it loads
    return sectors * 8 / 4;
  case Finding::Missed:
    return 0;
  default:
    return loss;
  }
}

} // namespace

void addFindings(Document &document) {
  document.findings.clear();
  findSpills(document);
  if (document.run) {
    findAccesses(document);
    findConflicts(document);
  }
  findMissed(document);
  addWideFindings(document);
  addIdleWarps(document);
  findCounted(document);
  dropAccessesOfAtomics(document);
  // Findings that a change helps come before the others.
  const uint64_t sectors = document.run ? sectorsOf(*document.run) : 0;
  std::ranges::stable_sort(document.findings, std::ranges::greater(), [&](const Finding &finding) {
    return std::pair(!finding.isNothingToDo, lossOf(finding, sectors));
  });
}

} // namespace tegula::explain
