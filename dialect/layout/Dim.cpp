#include "dialect/layout/Dim.h"

#include <array>
#include <cassert>

namespace tegula {

static constexpr std::array<std::string_view, 13> Names = {"register", "lane", "warp", "block", "offset",
                                                           "dim0",     "dim1", "dim2", "dim3",  "dim4",
                                                           "dim5",     "dim6", "dim7"};

std::string_view dimName(Dim dim) {
  assert(size_t(dim) < Names.size());
  return Names[size_t(dim)];
}

std::optional<Dim> parseDim(std::string_view name) {
  for (size_t i = 0; i < Names.size(); ++i)
    if (Names[i] == name)
      return Dim(i);
  return std::nullopt;
}

} // namespace tegula
