#include "compiler/insight/Places.h"

#include "dialect/tile/BoundNames.h"

using namespace mlir;

namespace tegula::insight {

Index Places::intern(const Place &place) {
  auto [found, isNew] = numbers.try_emplace(place, Index(insight.places.size()));
  if (isNew)
    insight.places.push_back(place);
  return found->second;
}

Index Places::of(Location location) {
  Index caller = None;
  // Named: a range over `llvm::reverse` would outlive an unnamed one.
  const auto places = tile::placesOf(location);
  for (const tile::SourcePlace &at : llvm::reverse(places)) {
    if (at.line == 0)
      continue;
    auto [file, isNew] = files.try_emplace(at.file, Index(insight.files.size()));
    if (isNew)
      insight.files.push_back(at.file);
    Place place{file->second, at.line, at.column, at.endLine, at.endColumn, caller};
    // A location of one point has no end of its own.
    if (place.endLine < place.line || (place.endLine == place.line && place.endColumn < place.column)) {
      place.endLine = place.line;
      place.endColumn = place.column;
    }
    caller = intern(place);
  }
  return caller;
}

} // namespace tegula::insight
