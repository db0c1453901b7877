#include "tools/tegula/bench/Row.h"

#include <algorithm>
#include <cmath>

namespace tegula::cli::bench {

const Side *Row::side(std::string_view name) const {
  for (const Side &side : sides)
    if (side.name == name)
      return &side;
  return nullptr;
}

std::vector<const Row *> Results::rowsOf(Unit unit) const {
  std::vector<const Row *> found;
  for (const Row &row : rows)
    if (row.subject.unit == unit)
      found.push_back(&row);
  return found;
}

std::vector<std::string> Results::sidesOf(Unit unit) const {
  std::vector<std::string> names;
  for (const char *name : {"Tegula", "Triton", "cuBLAS", "cuDNN", "torch", "copy"}) {
    const std::vector<const Row *> all = rowsOf(unit);
    if (std::any_of(all.begin(), all.end(), [&](const Row *row) { return row->side(name) != nullptr; }))
      names.push_back(name);
  }
  return names;
}

double quantile(std::vector<double> samples, double part) {
  std::sort(samples.begin(), samples.end());
  // Between two samples where there is none in the place.
  const double place = part * double(samples.size() - 1);
  const size_t before = size_t(place), behind = std::min(before + 1, samples.size() - 1);
  return samples[before] + (place - double(before)) * (samples[behind] - samples[before]);
}

} // namespace tegula::cli::bench
