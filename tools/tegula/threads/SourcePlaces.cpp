#include "tools/tegula/threads/SourcePlaces.h"

#include <algorithm>

namespace tegula::cli {

SourcePlaces::SourcePlaces(const debug::Statements &statements, const insight::Insight &known)
    : statements(statements) {
  const auto pointOf = [&](const insight::Place &place) {
    return Point(place.file == insight::None ? "" : known.files[size_t(place.file)], place.line,
                 place.column);
  };
  for (const insight::Place &place : known.places) {
    std::vector<Point> chain;
    for (insight::Index at = place.callSite; at != insight::None; at = known.places[size_t(at)].callSite)
      chain.push_back(pointOf(known.places[size_t(at)]));
    std::vector<std::vector<Point>> &chains = callers[pointOf(place)];
    if (std::ranges::find(chains, chain) == chains.end())
      chains.push_back(std::move(chain));
  }
}

CodePlace SourcePlaces::placeAt(const Point &point) const {
  const auto &[file, line, column] = point;
  const uint32_t statement = statements.firstLine(file, line);
  return {file, line, column, statement ? statement : line, statements.function(file, line)};
}

std::vector<CodePlace> SourcePlaces::of(const runtime::SourcePlace &place) const {
  const Point own(place.file, place.line, place.column);
  std::vector<CodePlace> made{placeAt(own)};
  const auto found = callers.find(own);
  if (found == callers.end())
    return made;
  const std::vector<std::vector<Point>> &chains = found->second;
  for (size_t depth = 0;; ++depth) {
    const auto reaches = [&](const std::vector<Point> &chain) { return depth < chain.size(); };
    if (std::ranges::none_of(chains, reaches))
      return made;
    const auto isSame = [&](const std::vector<Point> &chain) {
      return reaches(chain) && reaches(chains.front()) && chain[depth] == chains.front()[depth];
    };
    if (!std::ranges::all_of(chains, isSame)) {
      made.push_back({.file = {}, .function = "one of several calls"});
      return made;
    }
    made.push_back(placeAt(chains.front()[depth]));
  }
}

} // namespace tegula::cli
