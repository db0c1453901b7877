#include "tools/insight/Join.h"

#include "compiler/driver/names/NamesByMaker.h"
#include "compiler/target/Target.h"
#include "tools/insight/CubinFacts.h"
#include "tools/insight/Occupancy.h"
#include "tools/insight/PtxPlaces.h"
#include "tools/insight/Roofline.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::explain {

Resources resourcesOf(const KernelImage &image, const runtime::MachineCode *code) {
  Resources made;
  made.threads = image.numWarps * Target::warpSize;
  made.sharedBytes = image.sharedBytes;
  if (code)
    for (const runtime::EntryResources &entry : code->entries)
      if (entry.entry == image.entry || code->entries.size() == 1)
        made.assembled = entry;
  if (code)
    if (const std::optional<CubinFacts> facts = readCubin(code->bytes))
      made.barriers = facts->barriers;
  const Target *target = lookupTarget(image.target);
  if (!target)
    return made;
  made.sharedLimit = target->maxSharedPerBlock;
  const std::optional<uint32_t> registers =
      made.assembled ? std::optional(made.assembled->registers) : std::nullopt;
  made.occupancy = occupancyOf(*target, image.numWarps, registers, image.sharedBytes);
  return made;
}

void addCompilation(Document &document, const CompileResult &result, const ReadSource &read) {
  document.insight = *result.insight;
  PlaceTable places(document.insight);
  const auto placeOf = [&](const RemarkPlace &place) {
    return place.line ? places.find(place.file, place.line, place.column) : None;
  };
  for (const Remark &remark : result.remarks) {
    PlacedRemark &placed = document.remarks.emplace_back(PlacedRemark{remark, placeOf(remark)});
    for (const RemarkCause &cause : remark.causes)
      placed.causes.push_back(placeOf(cause.place));
  }
  document.ptx = result.image->ptx;
  document.ptxSpans = placesOfPtx(document.ptx, places);
  document.resources = resourcesOf(*result.image, nullptr);
  document.resources.registerLimit = document.insight.registerLimit;
  document.files.clear();
  for (const std::string &path : document.insight.files)
    document.files.push_back({path, read(path)});
}

void addNames(Document &document, const std::vector<KernelName> &names) {
  const NamesByMaker byMaker(names);
  for (insight::Value &value : document.insight.values)
    // The one that is named has the shape with which the type of the name ends: "[64, 32]".
    if (const auto &found = byMaker.at(document.insight, value.place);
        !found.empty() && found.front()->type.ends_with(fmt::format("[{}]", fmt::join(value.shape, ", "))))
      value.name = found.front()->name;
}

void addMachineCode(Document &document, const runtime::MachineCode &code) {
  document.assembler = code.assembler;
  const std::optional<CubinFacts> facts = readCubin(code.bytes);
  if (facts && !facts->addresses.empty())
    document.sass.emplace(Sass{"", facts->addresses, facts->ptxLines});
}

/// Bytes of a lane in most of the requests whose pattern was kept.
static uint32_t laneBytesOf(const std::vector<runtime::AccessPattern> &patterns) {
  const auto most = std::ranges::max_element(patterns, {}, &runtime::AccessPattern::count);
  return most == patterns.end() ? 0 : most->laneBytes;
}

void addRun(Document &document, const runtime::EmulatorReport &report, runtime::KernelProfile profile) {
  Run run{"emulator", report, std::move(profile), {}};
  for (const runtime::InstructionProfile &one : run.profile.instructions) {
    const runtime::Counters &counted = one.counters;
    const Index place = document.placeOfPtxLine(one.line);
    const uint32_t bytes = laneBytesOf(one.global);
    if (counted.loadRequests)
      run.accesses.push_back({place, one.line, false, false, bytes, counted.loadRequests, counted.loadSectors,
                              counted.loadSectorsIdeal, one.global});
    if (counted.storeRequests)
      run.accesses.push_back({place, one.line, false, true, bytes, counted.storeRequests,
                              counted.storeSectors, counted.storeSectorsIdeal, one.global,
                              one.atomicChanges > 0});
    if (counted.sharedRequests)
      run.accesses.push_back({place, one.line, true, one.isStore, laneBytesOf(one.shared),
                              counted.sharedRequests, one.sharedPassesLeast + counted.bankConflicts,
                              one.sharedPassesLeast, one.shared});
  }
  document.roofline = rooflineOf(run, document.spec.target);
  document.run = std::move(run);
}

} // namespace tegula::explain
