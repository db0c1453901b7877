#include "compiler/analysis/Decision.h"
#include "compiler/analysis/plans/Executor.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

namespace tegula {

using Argument = remark::detail::Remark::Arg;

static unsigned lineOf(Location place) {
  auto found = place->findInstanceOf<FileLineColRange>();
  return found ? found.getStartLine() : 0;
}

remark::RemarkOpts remarkOptions(StringRef pass, StringRef name, Operation *op) {
  return remark::RemarkOpts::name(name).category(pass).function(functionOf(op).getName());
}

remark::detail::Remark &operator<<(remark::detail::Remark &remark, const Cause &cause) {
  Argument said(CauseKey, StringRef(cause.text));
  if (cause.place)
    said.attr = cause.place;
  return remark << said;
}

remark::detail::Remark &operator<<(remark::detail::Remark &remark, const Advice &advice) {
  if (advice.wanted) {
    Argument parameter(ParameterKey, StringRef(advice.parameter));
    parameter.attr = IntegerAttr::get(IntegerType::get(remark.getLocation().getContext(), 64), advice.wanted);
    remark << parameter << Argument(OtherwiseKey, StringRef(advice.otherwise));
  }
  if (!advice.change.empty())
    return remark << Argument(ChangeKey, StringRef(advice.change));
  if (!advice.isNothingToDo)
    return remark;
  Argument nothing(ChangeKey, "nothing to do");
  nothing.attr = UnitAttr::get(remark.getLocation().getContext());
  return remark << nothing;
}

remark::detail::Remark &operator<<(remark::detail::Remark &remark, const Reason &why) {
  remark << Argument("Reason", StringRef(why.text));
  const unsigned line = why.place ? lineOf(Location(why.place)) : 0;
  if (line && line != lineOf(remark.getLocation())) {
    Argument said(LineKey, line);
    said.attr = why.place;
    remark << said;
  }
  for (const Cause &cause : why.causes)
    remark << cause;
  return remark << why.advice;
}

} // namespace tegula
