// Exchanges among the lanes of a warp: shfl, vote, match, redux, elect, activemask.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Opcodes.h"
#include "runtime/emulator/warp/BlockState.h"
#include "runtime/emulator/warp/Warp.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

enum ShuffleMode : uint8_t { Up, Down, Butterfly, Index };
enum VoteMode : uint8_t { All, Any, Uniform, Ballot };
enum Reduction : uint8_t { Add, Min, Max, And, Or, Xor };

void shuffle(Warp &warp, const Inst &inst) {
  if (!warp.requireMembers(inst.src[3]) || !warp.requireDefined(inst.src[1], "a lane") ||
      !warp.requireDefined(inst.src[2], "a lane"))
    return;
  std::array<uint64_t, lanes> in;
  std::copy_n(warp.row(inst.src[0]), lanes, in.begin());
  const ByteLanes inDefined = warp.definedBytes(inst.src[0]);
  ByteLanes bytes{};
  uint32_t inRange = 0, absent = lanes, source = 0;
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint32_t b = uint32_t(warp.row(inst.src[1])[lane]) & 31, c = uint32_t(warp.row(inst.src[2])[lane]);
    const uint32_t segment = c >> 8 & 31, least = lane & segment;
    const int32_t limit = int32_t(least | (c & 31 & ~segment));
    int32_t from = 0;
    switch (inst.op) {
    case Up:
      from = int32_t(lane) - int32_t(b);
      break;
    case Down:
      from = int32_t(lane + b);
      break;
    case Butterfly:
      from = int32_t(lane ^ b);
      break;
    default:
      from = int32_t(least | (b & ~segment));
      break;
    }
    const bool valid = inst.op == Up ? from >= limit : from <= limit;
    if (!valid)
      from = int32_t(lane);
    if (!(warp.mask >> from & 1) && absent == lanes) {
      absent = lane;
      source = uint32_t(from);
    }
    inRange |= uint32_t(valid) << lane;
    for (unsigned i = 0; i < 4; ++i)
      bytes[i] |= ((inDefined[i] & warp.mask) >> from & 1) << lane;
    warp.row(inst.dst)[lane] = in[size_t(from)];
  });
  warp.setDefinedBytes(inst.dst, bytes, 4);
  if (inst.target != noRow)
    warp.setPredicate(inst.target, inRange, ~0u);
  if (absent != lanes && warp.block->checksInitialised())
    warp.fault(absent, "the shuffle reads lane {}, which does not take part in it", source);
}

void vote(Warp &warp, const Inst &inst) {
  if (!warp.requireMembers(inst.src[1]) || !warp.requirePredicate(inst.src[0], "a predicate"))
    return;
  const uint32_t bits = inst.has(FlagNegate) ? ~warp.predicates[inst.src[0]] : warp.predicates[inst.src[0]];
  uint32_t truth = 0;
  std::array<uint32_t, lanes> ballots{};
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint32_t members = uint32_t(warp.row(inst.src[1])[lane]) & warp.live;
    const uint32_t yes = bits & members;
    ballots[lane] = yes;
    const bool holds = inst.op == All   ? yes == members
                       : inst.op == Any ? yes != 0
                                        : yes == 0 || yes == members;
    truth |= uint32_t(holds) << lane;
  });
  if (inst.op != Ballot) {
    warp.setPredicate(inst.dst, truth, ~0u);
    return;
  }
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = ballots[lane]; });
  warp.setDefined(inst.dst, ~0u);
}

void match(Warp &warp, const Inst &inst) {
  if (!warp.requireMembers(inst.src[1]) || !warp.requireDefined(inst.src[0], "a compared value"))
    return;
  std::array<uint32_t, lanes> out{};
  uint32_t allAlike = 0;
  const uint64_t *values = warp.row(inst.src[0]);
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint32_t members = uint32_t(warp.row(inst.src[1])[lane]) & warp.live;
    uint32_t alike = 0;
    forLanes(members, [&](uint32_t other) { alike |= uint32_t(values[other] == values[lane]) << other; });
    const bool whole = alike == members;
    allAlike |= uint32_t(whole) << lane;
    out[lane] = inst.op == All && !whole ? 0 : alike;
  });
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = out[lane]; });
  warp.setDefined(inst.dst, ~0u);
  if (inst.target != noRow)
    warp.setPredicate(inst.target, allAlike, ~0u);
}

uint64_t reduced(const Inst &inst, uint64_t a, uint64_t b) {
  if (inst.type == Type::F32)
    return inst.op == Min ? extremum<single, false>(inst, a, b) : extremum<single, true>(inst, a, b);
  const bool less = inst.type == Type::S32 ? int32_t(a) < int32_t(b) : a < b;
  switch (inst.op) {
  case Add:
    return (a + b) & lowMask(32);
  case Min:
    return less ? a : b;
  case Max:
    return less ? b : a;
  case And:
    return a & b;
  case Or:
    return a | b;
  default:
    return a ^ b;
  }
}

void reduce(Warp &warp, const Inst &inst) {
  if (!warp.requireMembers(inst.src[1]) || !warp.requireDefined(inst.src[0], "a reduced value"))
    return;
  std::array<uint64_t, lanes> out{};
  const uint64_t *values = warp.row(inst.src[0]);
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint32_t members = uint32_t(warp.row(inst.src[1])[lane]) & warp.live;
    const uint32_t first = uint32_t(std::countr_zero(members));
    const auto value = [&](uint32_t other) {
      return inst.has(FlagAbs) ? values[other] & ~single.sign() : values[other];
    };
    uint64_t total = value(first);
    forLanes(members & ~(1u << first), [&](uint32_t other) { total = reduced(inst, total, value(other)); });
    if (inst.type == Type::F32 && single.isNan(total))
      total = single.nan;
    out[lane] = total;
  });
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = out[lane]; });
  warp.setDefined(inst.dst, ~0u);
}

void elect(Warp &warp, const Inst &inst) {
  if (!warp.requireMembers(inst.src[0]))
    return;
  uint32_t leaders = 0;
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint32_t leader = uint32_t(std::countr_zero(uint32_t(warp.row(inst.src[0])[lane]) & warp.live));
    warp.row(inst.dst)[lane] = leader;
    leaders |= uint32_t(leader == lane) << lane;
  });
  warp.setDefined(inst.dst, ~0u);
  warp.setPredicate(inst.target, leaders, ~0u);
}

void activeMask(Warp &warp, const Inst &inst) {
  forLanes(warp.mask, [&](uint32_t lane) { warp.row(inst.dst)[lane] = warp.mask; });
  warp.setDefined(inst.dst, ~0u);
}

/// `d` or `d|p`: the predicate's number goes into `target`.
bool resultOperands(Form &form, Type type) {
  Inst &inst = form.inst;
  const Operand &out = form.operand(0);
  inst.target = noRow;
  if (out.kind != Operand::Pair)
    return form.destination(out, type, inst.dst);
  return form.destination(out.parts[0], type, inst.dst) &&
         form.predicateDestination(out.parts[1], inst.target);
}

bool decodeShuffle(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, ShuffleMode> modes[] = {
      {"up", Up}, {"down", Down}, {"bfly", Butterfly}, {"idx", Index}};
  if (!form.takeOneOf(modes, inst.op))
    return false;
  inst.run = shuffle;
  return form.takeType(inst.type) && inst.type == Type::B32 && form.expectOperands(5) &&
         resultOperands(form, Type::B32) && form.sources(1, {Type::B32, Type::B32, Type::B32, Type::B32});
}

bool decodeVote(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, VoteMode> modes[] = {
      {"all", All}, {"any", Any}, {"uni", Uniform}, {"ballot", Ballot}};
  inst.run = vote;
  if (!form.takeOneOf(modes, inst.op) || !form.takeType(inst.type) ||
      inst.type != (inst.op == Ballot ? Type::B32 : Type::Pred) || !form.expectOperands(3) ||
      !form.predicate(1, inst.src[0]))
    return false;
  return (inst.op == Ballot ? form.destination(0, Type::B32, inst.dst)
                            : form.predicateDestination(form.operand(0), inst.dst)) &&
         form.source(2, Type::B32, inst.src[1]);
}

bool decodeMatch(Form &form) {
  Inst &inst = form.inst;
  inst.op = form.take("all") ? All : Any;
  if (inst.op == Any && !form.take("any"))
    return false;
  inst.run = match;
  return form.takeType(inst.type) && isUntyped(inst.type) &&
         (bitsOf(inst.type) == 32 || bitsOf(inst.type) == 64) && form.expectOperands(3) &&
         resultOperands(form, Type::B32) && form.sources(1, {inst.type, Type::B32});
}

bool decodeReduce(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, Reduction> names[] = {
      {"add", Add}, {"min", Min}, {"max", Max}, {"and", And}, {"or", Or}, {"xor", Xor}};
  const bool found = form.takeOneOf(names, inst.op);
  inst.run = reduce;
  form.takeFlag("abs", FlagAbs);
  form.takeFlag("NaN", FlagNan);
  if (!found || !form.takeType(inst.type) || bitsOf(inst.type) != 32)
    return false;
  const bool isFloat = inst.type == Type::F32 && (inst.op == Min || inst.op == Max);
  if (inst.flags && !isFloat)
    return false;
  return (isFloat || (inst.op >= And ? inst.type == Type::B32 : isInteger(inst.type))) &&
         form.operands(Type::B32, {Type::B32, Type::B32});
}

} // namespace

bool decodeWarp(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name == "activemask") {
    inst.run = activeMask;
    return form.take("b32") && form.expectOperands(1) && form.destination(0, Type::B32, inst.dst);
  }
  if (!form.take("sync"))
    return false;
  if (name == "shfl")
    return decodeShuffle(form);
  if (name == "vote")
    return decodeVote(form);
  if (name == "match")
    return decodeMatch(form);
  if (name == "redux")
    return decodeReduce(form);
  inst.run = elect;
  return form.expectOperands(2) && form.operand(0).kind == Operand::Pair && resultOperands(form, Type::B32) &&
         form.source(1, Type::B32, inst.src[0]);
}

} // namespace tegula::runtime::ptx
