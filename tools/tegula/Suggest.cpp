#include "tools/tegula/Suggest.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

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

std::string didYouMean(std::string_view name, const std::vector<std::string> &known) {
  // Names of code are short; a table for longer ones would only cost time.
  if (name.size() > 64)
    return {};
  const std::string *nearest = nullptr;
  size_t distance = name.size() / 3 + 2;
  for (const std::string &each : known) {
    const size_t found = each.size() > 64 ? distance : editDistance(name, each);
    // A name of one or two letters is near to every other; only a longer one can be misspelled.
    if (found < distance && found < std::max(name.size(), each.size())) {
      distance = found;
      nearest = &each;
    }
  }
  return nearest ? fmt::format("; did you mean `{}`?", *nearest) : std::string();
}

} // namespace tegula::cli
