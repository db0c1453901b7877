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
  Tensor result(step.op->getResult(0).getType());
  const bool isTimer = cast<tile::ReadSpecialOp>(step.op).getWhich() == tile::SpecialRegister::GlobalTimer;
  result.bits[0] = isTimer ? machine.spent : 0;
  machine.changes += isTimer;
  machine.setResult(step, std::move(result));
  return success();
}

/// Every launch is done before the next begins.
LogicalResult gridDependency(Machine &, const Step &) { return success(); }

} // namespace

void addDeviceOps(HandlerTable &table) {
  addHandler<tile::InlineAsmOp>(table, inlineAsm);
  addHandler<tile::ExternCallOp>(table, externCall);
  addHandler<tile::ReadSpecialOp>(table, readSpecial);
  addHandler<tile::GridDependencyOp>(table, gridDependency);
}

} // namespace tegula::interp
