#include "tools/tegula/lsp/LineMap.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace tegula::cli {

LineMap::LineMap(std::string_view before, std::string_view now) {
  llvm::SmallVector<llvm::StringRef> old, fresh;
  llvm::StringRef(before).split(old, '\n');
  llvm::StringRef(now).split(fresh, '\n');
  while (front < old.size() && front < fresh.size() && old[front] == fresh[front])
    ++front;
  backBefore = uint32_t(old.size());
  backNow = uint32_t(fresh.size());
  while (backBefore > front && backNow > front && old[backBefore - 1] == fresh[backNow - 1]) {
    --backBefore;
    --backNow;
  }
}

std::optional<uint32_t> LineMap::find(uint32_t before) const {
  if (before < front)
    return before;
  if (before >= backBefore)
    return before - backBefore + backNow;
  return std::nullopt;
}

} // namespace tegula::cli
