#include "dialect/layout/Dim.h"

#include <array>
#include <cassert>

namespace tegula {

static constexpr std::array<std::string_view, unsigned(Dim::Dim0) + MaxTensorRank> Names = {
    "register", "lane",  "warp",  "block", "offset", "dim0",  "dim1",  "dim2",  "dim3",  "dim4",
    "dim5",     "dim6",  "dim7",  "dim8",  "dim9",   "dim10", "dim11", "dim12", "dim13", "dim14",
    "dim15",    "dim16", "dim17", "dim18", "dim19",  "dim20", "dim21", "dim22", "dim23", "dim24",
    "dim25",    "dim26", "dim27", "dim28", "dim29",  "dim30", "dim31"};

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
