#include "compiler/insight/Places.h"

using namespace mlir;

namespace tegula::insight {

Index Places::intern(const Place &place) {
  auto [found, isNew] = numbers.try_emplace(place, Index(insight.places.size()));
  if (isNew)
    insight.places.push_back(place);
  return found->second;
}

Index Places::of(Location location) {
  // From the callee outwards; places are made from the outermost call inwards.
  llvm::SmallVector<FileLineColRange> chain;
  for (Location at = location;;) {
    auto call = dyn_cast<CallSiteLoc>(at);
    if (auto range = (call ? call.getCallee() : at)->findInstanceOf<FileLineColRange>())
      chain.push_back(range);
    if (!call)
      break;
    at = call.getCaller();
  }
  Index caller = None;
  for (FileLineColRange range : llvm::reverse(chain)) {
    if (range.getStartLine() == 0)
      continue;
    const std::string path = range.getFilename().str();
    auto [file, isNew] = files.try_emplace(path, Index(insight.files.size()));
    if (isNew)
      insight.files.push_back(path);
    Place place{file->second,       range.getStartLine(), range.getStartColumn(),
                range.getEndLine(), range.getEndColumn(), caller};
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
