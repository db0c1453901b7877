// Branches, calls, returns, barriers and fences.

#include "runtime/emulator/machine/Block.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/ops/Printf.h"

#include <fmt/format.h>

namespace tegula::runtime::ptx {

namespace {

void branch(Warp &warp, const Inst &inst) {
  const bool backwards = inst.target < warp.pc;
  warp.jump(inst, warp.mask, inst.target);
  if (backwards)
    warp.wentBack(inst);
}

void branchByTable(Warp &warp, const Inst &inst) {
  if (!warp.requireDefined(inst.src[0], "a branch index"))
    return;
  const Row *table = &warp.function->pool[inst.pool];
  std::array<uint32_t, lanes> targets;
  targets.fill(warp.pc);
  bool valid = true;
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint64_t number = warp.row(inst.src[0])[lane];
    if (number < table[0]) {
      targets[lane] = table[1 + number];
    } else if (valid) {
      valid = false;
      warp.fault(lane, "branch index {} is beyond the {} targets", number, table[0]);
    }
  });
  if (!valid)
    return;
  warp.scatter(inst, targets);
  warp.wentBack(inst);
}

void callFunction(Warp &warp, const Inst &inst) {
  warp.call(inst, warp.block->launch.program->module.functions[inst.target]);
}
void returnFrom(Warp &warp, const Inst &) { warp.returnLanes(); }
void exitThreads(Warp &warp, const Inst &) { warp.exitLanes(warp.mask); }
void trap(Warp &warp, const Inst &) { warp.fault(uint32_t(std::countr_zero(warp.mask)), "trap"); }

/// The value of a row that must be the same in all executing lanes.
bool uniformValue(Warp &warp, Row number, uint64_t &value) {
  if (!warp.requireDefined(number, "a barrier operand"))
    return false;
  value = warp.row(number)[std::countr_zero(warp.mask)];
  bool same = true;
  forLanes(warp.mask, [&](uint32_t lane) { same &= warp.row(number)[lane] == value; });
  if (!same)
    warp.fault(wholeWarp, "the lanes of the warp name different barriers");
  return same;
}

/// Action of a thread at a barrier, in `Inst::op`.
enum BarrierUse : uint8_t { Sync, Arrive, Reduce };

/// `op` is a `BarrierUse`. src[0]: barrier, src[1]: threads or noRow, src[2]: predicate of red.
void barrier(Warp &warp, const Inst &inst) {
  uint64_t number = 0, threads = 0;
  if (!uniformValue(warp, inst.src[0], number) ||
      (inst.src[1] != noRow && !uniformValue(warp, inst.src[1], threads)))
    return;
  if (number >= barriersPerBlock)
    return warp.fault(wholeWarp, "expected a barrier from 0 to {}, found {}", barriersPerBlock - 1, number);
  if (inst.src[1] != noRow && (threads == 0 || threads % lanes || threads > maxThreadsPerBlock))
    return warp.fault(wholeWarp, "expected a multiple of {} threads at a barrier, found {}", lanes, threads);
  if (inst.op == Reduce) {
    if (!warp.requirePredicate(inst.src[2], "a predicate"))
      return;
    const uint32_t bits = warp.predicates[inst.src[2]];
    warp.barrierPredicate = inst.has(FlagNegate) ? ~bits : bits;
  }
  blockOf(warp).barriers.arrive(warp, uint32_t(number), uint32_t(threads), inst.op != Arrive);
}

/// `op` is a `BarrierUse` other than Reduce: `Sync` waits. A release is flagged.
void clusterBarrier(Warp &warp, const Inst &inst) {
  Cluster &cluster = *blockOf(warp).ownCluster;
  if (inst.op == Arrive)
    cluster.arrive(warp, inst.has(FlagRelease));
  else
    cluster.wait(warp);
}

bool decodeClusterBarrier(Form &form) {
  Inst &inst = form.inst;
  inst.run = clusterBarrier;
  form.parser.module.needsClusters = true;
  if (form.take("arrive")) {
    inst.op = Arrive;
    if (!form.take("relaxed"))
      inst.flags |= FlagRelease;
    form.take("release");
  } else if (form.take("wait")) {
    inst.op = Sync;
    form.take("acquire");
  } else {
    return false;
  }
  form.take("aligned");
  return form.expectOperands(0);
}

void warpBarrier(Warp &warp, const Inst &inst) {
  // Lanes outside the mask keep their place in time only if all lanes are here; ordering more than
  // was asked for can hide a race of theirs but never invents one.
  if (warp.requireMembers(inst.src[0]))
    warp.block->tick(warp.index);
}

bool decodeBranch(Form &form) {
  Inst &inst = form.inst;
  form.take("uni");
  if (form.opcode() == "bra") {
    inst.run = branch;
    inst.flow = Flow::Jump;
    if (!form.expectOperands(1) || form.operand(0).kind != Operand::Symbol)
      return form.wrongOperand(0, "a label");
    form.parser.needLabel(form.operand(0).text);
    return true;
  }
  if (!form.take("idx") || !form.expectOperands(2) || !form.source(0, Type::U32, inst.src[0]))
    return false;
  const std::vector<std::string_view> *table = form.parser.findTable(form.operand(1).text);
  if (!table)
    return form.fail(fmt::format("undefined branch table `{}`", form.operand(1).text));
  inst.run = branchByTable;
  inst.flow = Flow::Table;
  inst.pool = form.poolSize();
  form.pool(Row(table->size()));
  for (const std::string_view label : *table) {
    form.parser.needTableLabel(form.poolSize(), label, form.statement.line);
    form.pool(0);
  }
  return true;
}

/// Offsets and sizes of the `.param` variables in a group of call operands.
bool callParams(Form &form, const Operand &group, std::vector<ParamSlot> &slots) {
  for (const Operand &operand : group.parts) {
    const std::optional<ParamSlot> slot =
        operand.kind == Operand::Symbol ? form.parser.findParam(operand.text) : std::nullopt;
    if (!slot || slot->offset < form.parser.function->uniformParamBytes)
      return form.fail(fmt::format("expected `.param` variables in a call, found `{}`", operand.text));
    slots.push_back(*slot);
  }
  return true;
}

bool decodeCall(Form &form) {
  Inst &inst = form.inst;
  form.take("uni");
  std::vector<ParamSlot> results, params;
  size_t at = 0;
  if (form.size() > 0 && form.operand(0).kind == Operand::Group &&
      !callParams(form, form.operand(at++), results))
    return false;
  if (at >= form.size())
    return form.wrongOperand(at, "the name of a function");
  if (form.operand(at).kind == Operand::Register)
    return form.fail("unsupported instruction `call` of an address");
  if (form.operand(at).kind != Operand::Symbol)
    return form.wrongOperand(at, "the name of a function");
  const std::string_view callee = form.operand(at++).text;
  if (at < form.size() && form.operand(at).kind == Operand::Group) {
    if (!callParams(form, form.operand(at), params))
      return false;
    ++at;
  }
  if (at != form.size())
    return form.fail("unsupported instruction `call` with a prototype");
  inst.pool = form.poolSize();
  form.pool(Row(results.size()));
  form.pool(Row(params.size()));
  for (const std::vector<ParamSlot> *slots : {&results, &params})
    for (const ParamSlot &slot : *slots) {
      form.pool(slot.offset);
      form.pool(slot.size);
    }
  if (callee == "vprintf" || callee == "__assertfail") {
    const bool isPrint = callee == "vprintf";
    if (results.size() > 1 || params.size() != (isPrint ? 2u : 5u))
      return form.fail(fmt::format("call of `{}` does not match its parameters", callee));
    inst.run = isPrint ? printFormatted : failAssertion;
    return true;
  }
  inst.run = callFunction;
  form.parser.needFunction(callee);
  return true;
}

bool decodeBarrierForm(Form &form) {
  Inst &inst = form.inst;
  form.take("cta");
  form.take("aligned");
  size_t at = 0;
  static constexpr std::pair<std::string_view, BarrierUse> uses[] = {
      {"sync", Sync}, {"arrive", Arrive}, {"red", Reduce}};
  if (!form.takeOneOf(uses, inst.op))
    return false;
  inst.run = barrier;
  inst.src[1] = noRow;
  if (inst.op == Reduce) {
    inst.flags |= FlagReturns;
    const bool counts = form.take("popc"), all = !counts && form.take("and");
    if (!counts && !all && !form.take("or"))
      return false;
    inst.combine = uint8_t(counts ? BarrierReduction::Count
                           : all  ? BarrierReduction::All
                                  : BarrierReduction::Any);
    const Type type = counts ? Type::U32 : Type::Pred;
    if (!form.takeType(inst.type) || inst.type != type || !form.expectOperands(3, 4))
      return false;
    if (type == Type::U32 ? !form.destination(0, type, inst.dst)
                          : !form.predicateDestination(form.operand(0), inst.dst))
      return false;
    if (!form.predicate(form.size() - 1, inst.src[2]))
      return false;
    at = 1;
  } else if (!form.expectOperands(inst.op == Arrive ? 2 : 1, 2)) {
    return false;
  }
  const size_t end = form.size() - (inst.op == Reduce ? 1 : 0);
  return form.source(at, Type::U32, inst.src[0]) &&
         (at + 1 >= end || form.source(at + 1, Type::U32, inst.src[1]));
}

void fence(Warp &warp, const Inst &) { warp.block->fence(warp.index); }

/// Later reads of units see what the executing lanes come after.
void fenceForUnits(Warp &warp, const Inst &) {
  warp.block->clocks.publish(warp.index);
  warp.block->tick(warp.index);
}

void fenceForMbarriers(Warp &warp, const Inst &) { blockOf(warp).mbarriers.fence(warp.index); }

/// fence{.sem}.scope and membar.level order memory, and `fence.proxy.async` what units read of it,
/// `fence.mbarrier_init` what they know of mbarriers; the other fences between proxies have nothing to do
/// here, where there is one memory.
bool decodeFence(Form &form) {
  const std::vector<std::string_view> names = form.modifiersLeft();
  if (form.opcode() == "fence" && names.size() >= 2 && names[0] == "proxy" && names[1] == "async") {
    form.inst.run = fenceForUnits;
    for (const std::string_view known : {"proxy", "async", "global", "shared::cta", "shared::cluster"})
      form.take(known);
    return form.expectOperands(0);
  }
  if (form.opcode() == "fence" && form.take("mbarrier_init")) {
    form.inst.run = fenceForMbarriers;
    return form.take("release") && form.take("cluster") && form.expectOperands(0);
  }
  const bool proxy = form.opcode() == "fence" &&
                     form.takeWhere([](std::string_view name) { return name.starts_with("proxy"); });
  if (proxy || form.take("proxy")) {
    form.takeHints();
    form.inst.run = nothing;
    return true;
  }
  form.inst.run = fence;
  if (form.opcode() == "membar")
    return (form.take("cta") || form.take("gl") || form.take("sys")) && form.expectOperands(0);
  for (const std::string_view order : {"sc", "acq_rel", "acquire", "release"})
    if (form.take(order))
      break;
  return (form.take("cta") || form.take("cluster") || form.take("gpu") || form.take("sys")) &&
         form.expectOperands(0);
}

} // namespace

bool decodeControl(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name == "bra" || name == "brx")
    return decodeBranch(form);
  if (name == "call")
    return decodeCall(form);
  if (name == "ret" || name == "exit") {
    form.take("uni");
    inst.flow = Flow::Leave;
    inst.run = name == "ret" ? returnFrom : exitThreads;
    return form.expectOperands(0);
  }
  if (name == "trap") {
    inst.run = trap;
    return form.expectOperands(0);
  }
  if (name == "bar" && form.take("warp")) {
    inst.run = warpBarrier;
    return form.take("sync") && form.expectOperands(1) && form.source(0, Type::B32, inst.src[0]);
  }
  if (name == "barrier" && form.take("cluster"))
    return decodeClusterBarrier(form);
  if (name == "bar" || name == "barrier")
    return decodeBarrierForm(form);
  if (name == "membar" || name == "fence")
    return decodeFence(form);
  if (name == "nanosleep") {
    inst.run = nothing; // time does not pass here
    return form.take("u32") && form.expectOperands(1) && form.source(0, Type::U32, inst.src[0]);
  }
  if (name == "griddepcontrol") {
    // No grid comes before or after this one that it could overlap.
    inst.run = nothing;
    return (form.take("wait") || form.take("launch_dependents")) && form.expectOperands(0);
  }
  form.takeHints();
  inst.run = nothing;
  return true;
}

} // namespace tegula::runtime::ptx
