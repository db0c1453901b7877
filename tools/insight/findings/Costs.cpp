#include "tools/insight/findings/Costs.h"

namespace tegula::explain {

const PlacedRemark *remarkAt(const Document &document, Index place,
                             llvm::function_ref<bool(const Remark &remark)> isIt) {
  for (const PlacedRemark &placed : document.remarks)
    if (isIt(placed.remark) && document.isAt(placed.place, place))
      return &placed;
  return nullptr;
}

uint64_t instructionsOfRun(
    const Document &document,
    llvm::function_ref<bool(const runtime::InstructionProfile &one, llvm::StringRef line)> isCounted) {
  uint64_t count = 0;
  forInstructions(document.run->profile, [&](const runtime::InstructionProfile &one, llvm::StringRef line) {
    if (isCounted(one, line))
      count += one.counters.warpInstructions;
  });
  return count;
}

uint64_t instructionsAt(const Document &document, Index place) {
  if (!document.run || place == None)
    return 0;
  return instructionsOfRun(document, [&](const runtime::InstructionProfile &one, llvm::StringRef) {
    return document.isAt(document.placeOfPtxLine(one.line), place);
  });
}

} // namespace tegula::explain
