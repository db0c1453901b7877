// setmaxnreg: warps hand registers to each other.

#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/ops/Opcodes.h"

namespace tegula::runtime::ptx {

namespace {

/// Direction in which a warp's registers change, in `Inst::op`.
enum Change : uint8_t { Decrease, Increase };

/// `count`: eights of registers. `op` is a `Change`.
void setRegisters(Warp &warp, const Inst &inst) {
  Block &block = blockOf(warp);
  if (!warp.requireWhole())
    return;
  const uint32_t count = inst.count * RegisterPool::registerGranule,
                 present = block.registers.registers(warp.index);
  if (inst.op == Increase ? count < present : count > present)
    return warp.fault(wholeWarp, "the warp has {} registers a thread, and {} are {}", present, count,
                      inst.op == Increase ? "no more" : "no fewer");
  if (!block.registers.change(warp.index, count))
    return warp.rest(Warp::Rest::Registers, 0);
  if (inst.op == Decrease)
    wake(block.allWarps(), Warp::Rest::Registers, 0);
}

} // namespace

bool decodeRegisters(Form &form) {
  Inst &inst = form.inst;
  inst.op = form.take("inc") ? Increase : Decrease;
  uint64_t count = 0;
  if ((inst.op == Decrease && !form.take("dec")) || !form.take("sync") || !form.take("aligned") ||
      !form.take("u32") || !form.expectOperands(1) || !form.immediate(0, count, "a number of registers"))
    return false;
  if (count < RegisterPool::minRegisters || count > RegisterPool::maxRegisters ||
      count % RegisterPool::registerGranule)
    return form.wrongOperand(0, "a multiple of 8 from 24 to 256");
  inst.count = uint8_t(count / RegisterPool::registerGranule);
  inst.run = setRegisters;
  return true;
}

} // namespace tegula::runtime::ptx
