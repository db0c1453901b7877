#include "tools/insight/Findings.h"

#include "compiler/target/Target.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tegula::explain {

namespace {

constexpr uint32_t widestAccess = Target::maxVectorBytes;

/// The accesses of one kind at one point of the source.
struct AtPlace {
  Index place = None;
  uint64_t requests = 0, units = 0, least = 0;
  uint32_t bytesPerLane = 0; ///< the fewest
};

/// A point of the source: file, line and column. A place's end and its calls do not tell accesses apart.
using Point = std::tuple<Index, uint32_t, uint32_t>;

/// Returns whether a loss is a hundredth of the whole or more: less is not worth a person's time.
bool matters(uint64_t cost, uint64_t least, uint64_t whole) { return (cost - least) * 100 >= whole; }

/// Returns whether what was counted is more than an eighth above the least: a mask's edge and a row that
/// begins amid a sector cost a little in any program.
bool costsMore(const AtPlace &at) { return at.units * 8 > at.least * 9; }

std::string ratio(uint64_t cost, uint64_t least) {
  return least ? fmt::format(" ({:.1f}×)", double(cost) / double(least)) : "";
}

/// Makes the findings of one document.
class Finder {
public:
  explicit Finder(Document &document) : document(document) {}
  void find();

private:
  Point pointOf(Index place) const {
    const insight::Place &at = document.insight.places[size_t(place)];
    return {at.file, at.line, at.column};
  }
  std::map<Point, AtPlace> accesses(bool isShared) const;
  void findAccesses();
  void findConflicts();
  void findSpills();
  void findMissed();
  /// The remark about an access at this point, or null: one that was missed, of the same column if there is
  /// one.
  const PlacedRemark *missedAt(Index place) const;
  /// Returns whether the remark says that a loop is not pipelined: one that is may still miss more.
  bool isUnpipelined(const PlacedRemark &placed) const;
  void explain(Finding &finding, const PlacedRemark *placed);

  Document &document;
};

std::string argumentOf(const Remark &remark, std::string_view key) {
  for (const RemarkArgument &argument : remark.arguments)
    if (argument.key == key)
      return argument.value;
  return {};
}

bool isAboutAccess(const Remark &remark) {
  return remark.kind == Remark::Missed && !argumentOf(remark, "VectorBytes").empty();
}

std::map<Point, AtPlace> Finder::accesses(bool isShared) const {
  std::map<Point, AtPlace> found;
  for (const Access &access : document.run->accesses) {
    if (access.isShared != isShared || access.place == None)
      continue;
    AtPlace &at = found[pointOf(access.place)];
    at.place = access.place;
    at.requests += access.requests;
    at.units += access.units;
    at.least += access.unitsLeast;
    if (access.bytesPerLane && (!at.bytesPerLane || access.bytesPerLane < at.bytesPerLane))
      at.bytesPerLane = access.bytesPerLane;
  }
  return found;
}

const PlacedRemark *Finder::missedAt(Index place) const {
  for (const PlacedRemark &placed : document.remarks)
    if (placed.place != None && isAboutAccess(placed.remark) && pointOf(placed.place) == pointOf(place))
      return &placed;
  return nullptr;
}

bool Finder::isUnpipelined(const PlacedRemark &placed) const {
  if (placed.remark.name != "pipeline")
    return false;
  const auto isHere = [&](Index place) { return place != None && pointOf(place) == pointOf(placed.place); };
  const bool isLoop = std::ranges::any_of(document.insight.loops, isHere, &insight::Loop::place);
  return isLoop && std::ranges::none_of(document.remarks, [&](const PlacedRemark &other) {
           return other.remark.kind == Remark::Passed && other.remark.name == "pipeline" &&
                  isHere(other.place);
         });
}

void Finder::explain(Finding &finding, const PlacedRemark *placed) {
  if (!placed)
    return;
  finding.because = argumentOf(placed->remark, "Reason");
  for (const RemarkCause &cause : placed->remark.causes) {
    if (cause.text == finding.because)
      continue;
    finding.because += (finding.because.empty() ? "" : "; ") + cause.text;
    if (cause.place.line && cause.place.line != placed->remark.line)
      finding.because += fmt::format(" (line {})", cause.place.line);
  }
  finding.cause = placed->causes;
  finding.change =
      placed->remark.isNothingToDo && placed->remark.fix.empty() ? "nothing to do" : placed->remark.fix;
}

void Finder::findAccesses() {
  const runtime::Counters &total = document.run->report.total;
  const uint64_t sectors = total.loadSectors + total.storeSectors;
  for (const auto &[point, at] : accesses(/*isShared=*/false)) {
    const PlacedRemark *remark = missedAt(at.place);
    const bool isNarrow = at.bytesPerLane && at.bytesPerLane < widestAccess && remark;
    const std::string width =
        isNarrow ? fmt::format("{} bytes a thread an access, {} possible", at.bytesPerLane, widestAccess)
                 : "";
    const uint64_t leastRequests = std::max<uint64_t>(1, at.requests * at.bytesPerLane / widestAccess);
    Finding finding;
    finding.place = at.place;
    if (costsMore(at) && matters(at.units, at.least, sectors)) {
      finding.kind = Finding::Uncoalesced;
      finding.text =
          fmt::format("{} sectors moved, {} needed{}", at.units, at.least, ratio(at.units, at.least));
      if (isNarrow)
        finding.text += "; " + width;
      finding.cost = at.units;
      finding.least = at.least;
      finding.unit = "sectors";
    } else if (isNarrow && matters(at.requests, leastRequests, total.warpInstructions)) {
      finding.kind = Finding::Narrow;
      finding.cost = at.requests;
      finding.least = leastRequests;
      finding.unit = "requests";
      finding.text = fmt::format("{} requests, {} needed; {}", finding.cost, finding.least, width);
    } else {
      continue;
    }
    explain(finding, remark);
    document.findings.push_back(std::move(finding));
  }
}

void Finder::findConflicts() {
  for (const auto &[point, at] : accesses(/*isShared=*/true)) {
    if (!costsMore(at) || !matters(at.units, at.least, document.run->report.total.warpInstructions))
      continue;
    Finding finding;
    finding.kind = Finding::Conflicts;
    finding.place = at.place;
    finding.text = fmt::format("{} passes over the banks of shared memory, {} needed{}", at.units, at.least,
                               ratio(at.units, at.least));
    finding.cost = at.units;
    finding.least = at.least;
    finding.unit = "passes";
    document.findings.push_back(std::move(finding));
  }
}

void Finder::findSpills() {
  const uint64_t bytes = document.resources.spillBytes();
  if (!bytes)
    return;
  Finding finding;
  finding.kind = Finding::Spills;
  finding.place = document.insight.pressure.peak.place;
  finding.cost = bytes;
  finding.unit = "bytes";
  finding.text = fmt::format("{} bytes of registers spilled by each thread", bytes);
  if (const insight::PressurePeak &peak = document.insight.pressure.peak; peak.registers)
    finding.because = fmt::format("tensors hold {} registers of a thread here, which has {}", peak.registers,
                                  document.resources.registerLimit);
  finding.change = "use more warps or smaller tiles";
  document.findings.push_back(std::move(finding));
}

void Finder::findMissed() {
  for (const PlacedRemark &placed : document.remarks) {
    if (placed.remark.kind != Remark::Missed || placed.place == None)
      continue;
    const bool isAccess = isAboutAccess(placed.remark);
    if (isAccess ? bool(document.run) : !isUnpipelined(placed))
      continue;
    Finding finding;
    finding.kind = isAccess ? Finding::Narrow : Finding::Unpipelined;
    finding.place = placed.place;
    finding.text = placed.remark.name;
    if (!placed.remark.message.empty())
      finding.text += ": " + placed.remark.message;
    explain(finding, &placed);
    document.findings.push_back(std::move(finding));
  }
}

/// Returns how much is lost, for the order of findings.
uint64_t lossOf(const Finding &finding) {
  const uint64_t loss = finding.cost - std::min(finding.cost, finding.least);
  switch (finding.kind) {
  case Finding::Spills:
    return ~uint64_t(0);
  case Finding::Uncoalesced:
    return loss * 8; // a sector waits longer than a pass
  case Finding::Conflicts:
  case Finding::Narrow:
    return loss;
  default:
    return 0;
  }
}

void Finder::find() {
  document.findings.clear();
  findSpills();
  if (document.run) {
    findAccesses();
    findConflicts();
  }
  findMissed();
  std::ranges::stable_sort(document.findings, std::ranges::greater(), lossOf);
}

} // namespace

void addFindings(Document &document) { Finder(document).find(); }

} // namespace tegula::explain
