// The ranges of program indices and counts.
#include "dialect/tile/Tile.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tegula::tile;

namespace {

/// Returns the most programs that CUDA launches along `axis`.
uint64_t maxPrograms(Axis axis) { return axis == Axis::X ? 2147483647u : 65535u; }

ConstantIntRanges between(uint64_t low, uint64_t high) {
  // Both fit in 31 bits, so signed and unsigned readings agree.
  return ConstantIntRanges::fromUnsigned(APInt(32, low), APInt(32, high));
}

} // namespace

LogicalResult ProgramIdOp::verify() {
  auto kernel = getOperation()->getParentOfType<FunctionOpInterface>();
  // (program_id_c1)
  if (kernel && kernel->hasAttr("tile.persistent") != bool(getNumber()))
    return emitOpError() << (getNumber()
                                 ? "expected no number of a program in a kernel whose blocks have one"
                                 : "expected the number of a program, as blocks of the kernel run several");
  return success();
}

void ProgramIdOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  setRange(getResult(), between(0, maxPrograms(getAxis()) - 1));
}

void NumProgramsOp::inferResultRanges(ArrayRef<ConstantIntRanges>, SetIntRangeFn setRange) {
  setRange(getResult(), between(1, maxPrograms(getAxis())));
}
