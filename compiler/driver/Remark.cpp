#include "compiler/driver/Remark.h"

#include <array>

namespace tegula {

std::string_view remarkKindName(Remark::Kind kind) {
  constexpr std::array<std::string_view, 4> names = {"passed", "missed", "failed", "analysis"};
  return names[kind];
}

} // namespace tegula
