#include "compiler/analysis/Decision.h"

using namespace mlir;

namespace tegula {

static unsigned lineOf(Location place) {
  auto found = place->findInstanceOf<FileLineColLoc>();
  return found ? found.getLine() : 0;
}

remark::detail::Remark &operator<<(remark::detail::Remark &remark, const Reason &why) {
  using Argument = remark::detail::Remark::Arg;
  remark << Argument("Reason", StringRef(why.text));
  const unsigned line = why.place ? lineOf(Location(why.place)) : 0;
  if (line && line != lineOf(remark.getLocation()))
    remark << Argument("Line", line);
  return remark;
}

} // namespace tegula
