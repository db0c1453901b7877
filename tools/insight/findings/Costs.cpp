#include "tools/insight/findings/Costs.h"

#include "llvm/ADT/SmallVector.h"

namespace tegula::explain {

void forInstructions(
    const Document &document,
    llvm::function_ref<void(const runtime::InstructionProfile &one, llvm::StringRef line)> body) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(document.run->profile.ptx).split(lines, '\n');
  for (const runtime::InstructionProfile &one : document.run->profile.instructions)
    if (one.line > 0 && one.line <= lines.size())
      body(one, lines[one.line - 1]);
}

void forSpans(llvm::StringRef text, const std::vector<insight::Span> &spans,
              llvm::function_ref<void(const insight::Span &span, llvm::StringRef line)> body) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const insight::Span &span : spans)
    if (span.line > 0 && span.line <= lines.size())
      body(span, lines[span.line - 1]);
}

const PlacedRemark *remarkAt(const Document &document, Index place,
                             llvm::function_ref<bool(const Remark &remark)> isIt) {
  for (const PlacedRemark &placed : document.remarks)
    if (placed.place != None && isIt(placed.remark) &&
        document.pointOf(placed.place) == document.pointOf(place))
      return &placed;
  return nullptr;
}

uint64_t instructionsOfRun(
    const Document &document,
    llvm::function_ref<bool(const runtime::InstructionProfile &one, llvm::StringRef line)> isCounted) {
  uint64_t count = 0;
  forInstructions(document, [&](const runtime::InstructionProfile &one, llvm::StringRef line) {
    if (isCounted(one, line))
      count += one.counters.warpInstructions;
  });
  return count;
}

uint64_t instructionsAt(const Document &document, Index place) {
  if (!document.run || place == None)
    return 0;
  return instructionsOfRun(document, [&](const runtime::InstructionProfile &one, llvm::StringRef) {
    const Index at = document.placeOfPtxLine(one.line);
    return at != None && document.pointOf(at) == document.pointOf(place);
  });
}

} // namespace tegula::explain
