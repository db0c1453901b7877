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

} // namespace tegula::explain
