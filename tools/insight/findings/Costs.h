// The words that files of findings share: what is worth telling, the instructions of a run, layouts that
// repeat.
#pragma once

#include "tools/insight/Document.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tegula::explain {

/// Returns whether a loss is a hundredth of the whole or more: less is not worth a person's time.
inline bool matters(uint64_t loss, uint64_t whole) { return loss * 100 >= whole; }

/// Calls `body` for each of `rows`, which are about lines of `text`, with the row and its line.
template <typename Row>
void forLines(llvm::StringRef text, const std::vector<Row> &rows,
              llvm::function_ref<void(const Row &row, llvm::StringRef line)> body) {
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const Row &row : rows)
    if (row.line > 0 && row.line <= lines.size())
      body(row, lines[row.line - 1]);
}

/// Calls `body` for each instruction of the kernel that ran, with its line of PTX.
inline void
forInstructions(const runtime::KernelProfile &profile,
                llvm::function_ref<void(const runtime::InstructionProfile &one, llvm::StringRef line)> body) {
  forLines(profile.ptx, profile.instructions, body);
}

/// Returns the first remark at the point of `place` that `isIt`, or null.
const PlacedRemark *remarkAt(const Document &document, Index place,
                             llvm::function_ref<bool(const Remark &remark)> isIt);

/// Returns the instructions of warps that ran of which `isCounted`. Requires a run.
uint64_t instructionsOfRun(
    const Document &document,
    llvm::function_ref<bool(const runtime::InstructionProfile &one, llvm::StringRef line)> isCounted);

/// Returns the instructions of warps that ran at the point of `place`; 0 without a run.
uint64_t instructionsAt(const Document &document, Index place);

/// Returns whether a bit of a layout's input moves nowhere: those that differ in it hold the same.
inline bool isRepeat(const std::vector<int32_t> &basis) {
  return llvm::all_of(basis, [](int32_t part) { return part == 0; });
}

} // namespace tegula::explain
