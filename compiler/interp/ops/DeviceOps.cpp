// Ops by which a program asks the device itself.
#include "compiler/interp/machine/Machine.h"
#include "dialect/tile/Tile.h"
#include "dialect/tile/ops/ExternCall.h"

using namespace mlir;

namespace tegula::interp {
namespace {

LogicalResult inlineAsm(Machine &machine, const Step &step) {
  return machine.fail(
      step, "the interpreter does not know what PTX means, as `tl.inline_asm_elementwise` has it: run "
            "the kernel on the emulator");
}

LogicalResult externCall(Machine &machine, const Step &step) {
  return machine.fail(step, "the interpreter cannot run `" +
                                cast<tile::ExternCallOp>(step.op).getSymbol().str() +
                                "`, a function of a library: run the kernel on the emulator");
}

/// Reads a special register. Time passes with every step, so that a loop that looks at the clock makes
/// progress; there is one multiprocessor.
LogicalResult readSpecial(Machine &machine, const Step &step) {
  const bool isTimer = cast<tile::ReadSpecialOp>(step.op).getWhich() == tile::SpecialRegister::GlobalTimer;
  machine.changes += isTimer;
  machine.setScalar(step, isTimer ? machine.spent : 0);
  return success();
}

} // namespace

void addDeviceOps(HandlerTable &table) {
  addHandler<tile::InlineAsmOp>(table, inlineAsm);
  addHandler<tile::ExternCallOp>(table, externCall);
  addHandler<tile::ReadSpecialOp>(table, readSpecial);
  addHandler<tile::GridDependencyOp>(table, doNothing); // every launch is done before the next begins
}

} // namespace tegula::interp
