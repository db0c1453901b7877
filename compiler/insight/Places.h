// Places, interned: from MLIR's locations to numbers in a table.
#pragma once

#include "compiler/insight/Insight.h"

#include "mlir/IR/Location.h"

#include <functional>
#include <map>
#include <string>

namespace tegula::insight {

class Places {
public:
  explicit Places(Insight &insight) : insight(insight) {}

  /// Returns the number of the innermost place of `location`, with the calls that led there; `None` where it
  /// has no line.
  Index of(mlir::Location location);

private:
  Index intern(const Place &place);

  Insight &insight;
  std::map<std::string, Index, std::less<>> files;
  std::map<Place, Index> numbers;
};

} // namespace tegula::insight
