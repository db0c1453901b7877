// Places of PTX instructions, from `.loc` directives.
#pragma once

#include "compiler/insight/Insight.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace tegula::explain {

/// Finds the place of `places` at which a line and a column of a file begin; adds one where there is none.
class PlaceTable {
public:
  explicit PlaceTable(insight::Insight &insight);
  /// `caller` is a place that was found before, or None. One with that caller is preferred.
  insight::Index find(std::string_view file, uint32_t line, uint32_t column,
                      insight::Index caller = insight::None);

private:
  /// File, line and column.
  using Point = std::tuple<insight::Index, uint32_t, uint32_t>;

  insight::Insight &insight;
  std::map<std::string, insight::Index, std::less<>> files;
  std::map<Point, std::vector<insight::Index>> places;
};

/// Returns the place of each instruction of `ptx`: a row for each line that it stands on, by line.
std::vector<insight::Span> placesOfPtx(std::string_view ptx, PlaceTable &table);

} // namespace tegula::explain
