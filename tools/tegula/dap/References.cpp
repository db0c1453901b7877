#include "tools/tegula/dap/References.h"

#include "llvm/ADT/StringRef.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

std::string referenceOf(uint32_t ptxLine) { return fmt::format("{:#x}", ptxLine); }

uint32_t lineOf(std::string_view reference, int64_t offset) {
  constexpr int64_t most = INT32_MAX;
  int64_t line = 0;
  if (llvm::StringRef(reference.data(), reference.size()).getAsInteger(0, line))
    return 0;
  return uint32_t(
      std::clamp(std::clamp<int64_t>(line, 0, most) + std::clamp(offset, -most, most), int64_t(0), most));
}

} // namespace tegula::cli
