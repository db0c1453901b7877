#include "tools/insight/findings/ProgramsAlike.h"

#include "compiler/schedule/waste/RepeatedPrograms.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tegula::explain {

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

} // namespace tegula::explain
