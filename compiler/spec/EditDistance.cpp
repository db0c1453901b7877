#include "compiler/spec/EditDistance.h"

#include <algorithm>
#include <vector>

namespace tegula {

size_t editDistance(std::string_view a, std::string_view b) {
  // Three rows of the usual table; the one before last is for swaps.
  std::vector<size_t> beforeLast, last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeLast[j - 2] + 1);
    }
    beforeLast = last;
    std::swap(last, row);
  }
  return last[b.size()];
}

} // namespace tegula
