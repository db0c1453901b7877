#include "tools/insight/findings/IdleWarps.h"

#include "compiler/target/Target.h"
#include "dialect/Counted.h"
#include "tools/insight/findings/Costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace tegula::explain {

namespace {

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

/// Returns whether a loop hands the value on: what is done there is not done with it.
bool isOfLoop(const insight::Value &value) { return llvm::StringRef(value.op).starts_with("scf."); }

uint64_t elementsOf(const insight::Value &value) { return uint64_t(llvm::product_of(value.shape)); }

/// Returns the tensors that threads hold.
std::vector<const insight::Value *> heldTensors(const Document &document) {
  std::vector<const insight::Value *> found;
  for (const insight::Value &value : document.insight.values)
    if (value.layout != None && !value.shape.empty() && document.isOfStage(value, "distributed"))
      found.push_back(&value);
  return found;
}

/// Returns the repeats of all tensors; the place is left to `dearestOf`, which costs a walk over the run.
Repeats repeatsOfAll(const Document &document) {
  Repeats all{document.spec.warps(), None, 0};
  for (const insight::Value *value : heldTensors(document)) {
    all.copies = std::min(all.copies, copiesOf(document, *value));
    if (value->place != None && !isOfLoop(*value))
      all.elements = std::max(all.elements, elementsOf(*value));
  }
  return all;
}

/// Returns the place where most is done with tensors of so many elements; the first without a run.
Index dearestOf(const Document &document, uint64_t elements) {
  std::map<Document::Point, uint64_t> costs;
  if (document.run)
    forInstructions(document.run->profile, [&](const runtime::InstructionProfile &one, llvm::StringRef) {
      if (const Index at = document.placeOfPtxLine(one.line); at != None)
        costs[document.pointOf(at)] += one.counters.warpInstructions;
    });
  Index dearest = None;
  for (const insight::Value *value : heldTensors(document))
    if (value->place != None && !isOfLoop(*value) && elementsOf(*value) == elements &&
        (dearest == None || costs[document.pointOf(value->place)] > costs[document.pointOf(dearest)]))
      dearest = value->place;
  return dearest;
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

/// Returns whether the compiler made the accesses at this point as wide as the elements of a thread allow.
bool isAsWideAsCanBe(const Document &document, Index place) {
  return remarkAt(document, place, [](const Remark &remark) {
    return remark.kind == Remark::Passed && !argumentOf(remark, "VectorBytes").empty();
  });
}

/// Threads with one element each of the largest tensor, whose accesses might take several at a time.
void addThinThreads(Document &document, const Repeats &largest) {
  const uint32_t warps = document.spec.warps();
  if (!document.run || warps < 2 || largest.elements != warps * Target::warpSize)
    return;
  uint64_t requests = 0, needed = 0;
  uint32_t bytes = 0;
  for (const Access &access : document.run->accesses) {
    if (access.isShared || access.isAtomic || access.place == None || !access.bytesPerLane ||
        access.bytesPerLane * 4 > Target::maxVectorBytes || !isAsWideAsCanBe(document, access.place))
      continue;
    requests += access.requests;
    needed += access.requests * access.bytesPerLane / Target::maxVectorBytes;
    bytes = std::max(bytes, access.bytesPerLane);
  }
  if (!requests || !matters(requests - needed, document.run->report.total.warpInstructions))
    return;
  const uint32_t enough = std::max<uint32_t>(1, warps * bytes / Target::maxVectorBytes);
  Finding finding{.kind = Finding::Narrow,
                  .place = dearestOf(document, largest.elements),
                  .cost = requests,
                  .least = needed,
                  .unit = "requests"};
  finding.text =
      fmt::format("each thread has one element: {} requests, {} needed; {} bytes a thread an access, {} "
                  "possible",
                  requests, needed, bytes, Target::maxVectorBytes);
  finding.because = fmt::format("the largest tensor has {}, and a program {} threads",
                                counted(largest.elements, "element"), warps * Target::warpSize);
  finding.change = fmt::format("use a tile of {} elements, or launch with num_warps={}",
                               largest.elements * Target::maxVectorBytes / bytes, enough);
  document.findings.push_back(std::move(finding));
}

} // namespace

void addIdleWarps(Document &document) {
  if (document.packing())
    return;
  const Repeats all = repeatsOfAll(document);
  Repeats repeats = all.copies < 2 ? repeatsOfProduct(document) : all;
  if (repeats.copies < 2)
    return addThinThreads(document, all);
  if (repeats.elements)
    repeats.place = dearestOf(document, repeats.elements);
  if (repeats.place == None)
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

} // namespace tegula::explain
