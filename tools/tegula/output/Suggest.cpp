#include "tools/tegula/output/Suggest.h"

#include "compiler/spec/EditDistance.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::cli {

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
