#include "compiler/schedule/waste/RepeatedPrograms.h"

#include "compiler/analysis/Decision.h"
#include "compiler/analysis/access/ProgramAxes.h"

#include "mlir/IR/Remarks.h"

#include <array>
#include <string>

using namespace mlir;

namespace tegula {

namespace {

std::string wordsOf(const ProgramAxis &axis) {
  switch (axis.kind) {
  case ProgramAxis::Same:
    return "same";
  case ProgramAxis::Quotient:
    return "quotient " + std::to_string(axis.divisor);
  case ProgramAxis::Remainder:
    return "remainder " + std::to_string(axis.divisor);
  case ProgramAxis::Each:
    return "each";
  }
  llvm_unreachable("all kinds are named");
}

} // namespace

void reportRepeatedPrograms(func::FuncOp kernel) {
  if (!kernel.getContext()->getRemarkEngine())
    return;
  std::array<bool, 3> isAsked{};
  kernel.walk([&](tile::ProgramIdOp id) { isAsked[size_t(id.getAxis())] = true; });
  kernel.walk([&](tile::ReduceOp reduce) {
    const ProgramAxes programs = programAxesOf(reduce->getResult(0));
    bool isAlike = false;
    for (size_t axis = 0; axis < isAsked.size(); ++axis)
      isAlike |= isAsked[axis] && programs.axes[axis].kind != ProgramAxis::Each;
    if (!isAlike || programs.loads.empty())
      return;
    Reason why = because("nothing of it follows from all of the program's number");
    for (tile::LoadOp load : programs.loads)
      why.causes.push_back({"what it reduces is loaded here", load.getLoc()});
    const auto &[x, y, z] = programs.axes;
    remark::missed(reduce.getLoc(), remarkOptions("plan-loops", "programs", reduce))
        << remark::add("several programs load and reduce the same elements")
        << remark::metric(ProgramsKey, wordsOf(x) + ", " + wordsOf(y) + ", " + wordsOf(z))
        << std::move(why).fixedBy(
               "reduce them once, in a launch of its own, and let each program load the result");
  });
}

} // namespace tegula
