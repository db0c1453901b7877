#include "runtime/emulator/warp/Warp.h"

#include "runtime/emulator/Random.h"
#include "runtime/emulator/warp/BlockState.h"

#include <algorithm>
#include <cstring>

namespace tegula::runtime::ptx {

static constexpr size_t maxFrames = 64;
/// Most loops are over before their warp's state is looked at for the first time.
static constexpr uint32_t firstSample = 1024;

void Warp::begin(BlockState &owner, uint32_t number, const Function &entry, uint32_t lanesLive) {
  block = &owner;
  index = number;
  live = active = lanesLive;
  pc = 0;
  until = noPc;
  serial = 0;
  carry = 0;
  timesOut = false;
  lastAllocation = nullptr;
  state = State::Ready;
  stack.clear();
  frames.clear();
  watch = {};
  watch.nextSample = firstSample;
  localTop = 0;
  current = entry.code.empty() ? nullptr : &entry.code[0];
  pushFrame(entry, nullptr);
}

bool Warp::pushFrame(const Function &callee, const Inst *inst) {
  Frame frame{&callee, 0, 0, 0, stack.size(), (localTop + 15) / 16 * 16, inst};
  if (!frames.empty()) {
    const Frame &top = frames.back();
    frame.rowBase = top.rowBase + top.function->rows;
    frame.predicateBase = top.predicateBase + top.function->predicates;
    frame.paramBase =
        top.paramBase + size_t(top.function->paramBytes - top.function->uniformParamBytes) * lanes;
  }
  const uint64_t localEnd = frame.localBase + callee.localBytes;
  if (frames.size() >= maxFrames || frame.rowBase + callee.rows > block->maxRows() ||
      localEnd > maxLocalBytes)
    return refuse(wholeWarp, "calls nested too deeply at `{}`", callee.name);
  const auto grow = [](auto &vector, size_t size) {
    if (vector.size() < size)
      vector.resize(size);
  };
  grow(rowStorage, (frame.rowBase + callee.rows) * lanes);
  grow(definedStorage, frame.rowBase + callee.rows);
  grow(predicateStorage, frame.predicateBase + callee.predicates);
  grow(predicateDefinedStorage, frame.predicateBase + callee.predicates);
  const size_t ownParams = size_t(callee.paramBytes - callee.uniformParamBytes) * lanes;
  grow(paramBytes, frame.paramBase + ownParams);
  grow(paramShadow, frame.paramBase + ownParams);
  std::fill_n(paramShadow.begin() + long(frame.paramBase), ownParams, uint8_t(0));
  if (localEnd > localStride) {
    // Lanes move apart: each keeps what it has at the start of its new part.
    const uint64_t stride = std::max<uint64_t>(localEnd, localStride * 2);
    std::vector<uint8_t> bytes(stride * lanes), shadow(stride * lanes);
    for (uint32_t lane = 0; lane < lanes && localTop; ++lane) {
      std::memcpy(&bytes[lane * stride], &localBytes[lane * localStride], localTop);
      std::memcpy(&shadow[lane * stride], &localShadow[lane * localStride], localTop);
    }
    localBytes = std::move(bytes);
    localShadow = std::move(shadow);
    localStride = stride;
  }
  for (uint32_t lane = 0; lane < lanes && localEnd > localTop; ++lane)
    std::memset(&localShadow[lane * localStride + localTop], 0, localEnd - localTop);
  localTop = localEnd;
  frames.push_back(frame);
  selectFrame();
  fillRows(frame);
  return true;
}

void Warp::selectFrame() {
  const Frame &top = frames.back();
  function = top.function;
  rows = rowStorage.data() + top.rowBase * lanes;
  defined = definedStorage.data() + top.rowBase;
  predicates = predicateStorage.data() + top.predicateBase;
  predicateDefined = predicateDefinedStorage.data() + top.predicateBase;
}

void Warp::fillRows(const Frame &frame) {
  std::fill_n(defined, function->rows, 0u);
  std::fill_n(predicateDefined, function->predicates, 0u);
  const bool isEntry = frames.size() == 1;
  for (const Function::Constant &constant : function->constants) {
    defined[constant.row] = ~0u;
    if (!isEntry || filledEntry != function)
      std::fill_n(row(constant.row), lanes, constant.value);
  }
  for (const Function::LocalRow &local : function->locals) {
    defined[local.row] = ~0u;
    std::fill_n(row(local.row), lanes, frame.localBase + local.offset);
  }
  for (const Function::SpecialRow &special : function->specials) {
    defined[special.row] = ~0u;
    if (isEntry && filledEntry == function && !BlockState::differs(special.special))
      continue;
    for (uint32_t lane = 0; lane < lanes; ++lane)
      row(special.row)[lane] = block->specialValue(special.special, index, lane);
  }
  if (isEntry)
    filledEntry = function;
}

void Warp::popFrame() {
  localTop = frames.back().localBase;
  frames.pop_back();
  if (!frames.empty())
    selectFrame();
}

void Warp::resume() {
  while (active == 0) {
    while (!frames.empty() && stack.size() == frames.back().stackBase)
      popFrame();
    if (frames.empty()) {
      state = State::Done;
      return;
    }
    const Continuation next = stack.back();
    stack.pop_back();
    pc = next.pc;
    until = next.until;
    active = next.active;
  }
}

void Warp::run(uint64_t quantum) {
  Counters *const counters = block->counters();
  const uint64_t started = quantum;
  turnSerial = serial;
  while (quantum && state == State::Ready) {
    if (isAtEnd()) {
      leave();
      continue;
    }
    const Inst &inst = function->code[pc];
    current = &inst;
    mask = active;
    if (inst.guard != noRow) {
      if (!requirePredicate(inst.guard, "a predicate"))
        break;
      const uint32_t predicate = predicates[inst.guard];
      mask &= inst.guardNegated ? ~predicate : predicate;
    }
    Counters &count = counters[inst.place];
    ++count.warpInstructions;
    count.threadInstructions += uint64_t(std::popcount(mask));
    ++pc;
    ++serial;
    --quantum;
    if (mask)
      inst.run(*this, inst);
  }
  block->spend(started - quantum);
}

void Warp::leave() {
  if (pc == until) {
    active = 0; // these lanes are in the continuation below as well
    resume();
    return;
  }
  mask = active;
  returnLanes();
}

void Warp::settle() {
  while (state == State::Ready && isAtEnd())
    leave();
}

Warp::Upcoming Warp::upcoming() const {
  if (state == State::Done || frames.empty())
    return {};
  if (state == State::Waiting)
    return {waitingInst, active};
  if (state == State::Faulted)
    return {current, active};
  Continuation at{pc, until, active};
  for (size_t below = stack.size(); (at.pc == at.until || !at.active) && below > frames.back().stackBase;)
    at = stack[--below];
  if (at.pc == at.until || at.pc >= function->code.size())
    return {};
  return {&function->code[at.pc], at.active};
}

void Warp::jump(const Inst &inst, uint32_t taken, uint32_t target) {
  const uint32_t fallen = active & ~taken;
  if (!fallen) {
    pc = target;
    return;
  }
  const uint32_t meet = inst.reconverge == noPc ? until : inst.reconverge;
  // When the lanes meet where this path ends anyway, the continuation below already has them all.
  if (meet != until)
    stack.push_back({meet, until, active});
  if (pc != meet)
    stack.push_back({pc, meet, fallen});
  pc = target;
  until = meet;
  active = taken;
}

void Warp::scatter(const Inst &inst, const std::array<uint32_t, lanes> &targets) {
  const uint32_t meet = inst.reconverge == noPc ? until : inst.reconverge;
  if (meet != until)
    stack.push_back({meet, until, active});
  for (uint32_t left = active; left;) {
    const uint32_t target = targets[uint32_t(std::countr_zero(left))];
    uint32_t together = 0;
    forLanes(left, [&](uint32_t lane) { together |= uint32_t(targets[lane] == target) << lane; });
    if (target != meet)
      stack.push_back({target, meet, together});
    left &= ~together;
  }
  active = 0;
  resume();
}

void Warp::call(const Inst &inst, const Function &callee) {
  stack.push_back({pc, until, active});
  const Frame caller = frames.back();
  const uint32_t calling = mask;
  if (!pushFrame(callee, &inst))
    return;
  const Row *pool = &caller.function->pool[inst.pool];
  const uint32_t results = pool[0], params = pool[1];
  for (uint32_t i = 0; i < params; ++i) {
    const ParamSlot &to = callee.params[i];
    copyParam(calling, frames.back(), to.offset, caller, pool[2 + 2 * (results + i)], to.size);
  }
  pc = 0;
  until = noPc;
  active = calling;
}

void Warp::returnLanes() {
  const Frame &top = frames.back();
  if (!top.callInst) {
    exitLanes(mask);
    return;
  }
  const Frame &caller = frames[frames.size() - 2];
  const Row *pool = &caller.function->pool[top.callInst->pool];
  for (uint32_t i = 0; i < pool[0]; ++i) {
    const ParamSlot &from = function->results[i];
    copyParam(mask, caller, pool[2 + 2 * i], top, from.offset, from.size);
  }
  const uint32_t leaving = mask;
  for (size_t i = top.stackBase; i < stack.size(); ++i)
    stack[i].active &= ~leaving;
  active &= ~leaving;
  resume();
}

void Warp::exitLanes(uint32_t leaving) {
  live &= ~leaving;
  for (Continuation &continuation : stack)
    continuation.active &= ~leaving;
  active &= ~leaving;
  resume();
}

void Warp::waitFor(Rest what, uint32_t at) {
  state = State::Waiting;
  rests = what;
  waitingAt = at;
  waitingInst = current;
}

void Warp::rest(Rest what, uint32_t at) {
  waitFor(what, at);
  --pc;
}

void wake(std::span<Warp> warps, Warp::Rest what, uint32_t at) {
  for (Warp &warp : warps)
    if (warp.state == Warp::State::Waiting && warp.rests == what && warp.waitingAt == at)
      warp.state = Warp::State::Ready;
}

void Warp::sampleLoop(const Inst &jump) {
  const uint64_t hash = hashState(mixHash(mixHash(0, block->number()), index));
  block->launch.spins.sample(watch, hash, serial, jump);
}

uint64_t Warp::hashState(uint64_t hash) const {
  const Frame &top = frames.back();
  hash = mixHash(hash, uint64_t(frames.size()) << 32 | pc);
  hash = mixHash(hash, uint64_t(until) << 32 | active);
  hash = mixHash(hash, uint64_t(carry) << 32 | live);
  for (const Continuation &one : stack)
    hash = mixHash(mixHash(hash, uint64_t(one.pc) << 32 | one.until), one.active);
  // Four chains at a time, for a chain waits for its multiplications.
  std::array<uint64_t, 4> chains{hash, 1, 2, 3};
  const size_t rowCount = top.rowBase + top.function->rows;
  for (size_t i = 0; i < rowCount * lanes; i += chains.size())
    for (size_t chain = 0; chain < chains.size(); ++chain)
      chains[chain] = mixHash(chains[chain], rowStorage[i + chain]);
  for (const uint64_t chain : chains)
    hash = mixHash(hash, chain);
  for (size_t i = 0; i < rowCount; ++i)
    hash = mixHash(hash, definedStorage[i]);
  for (size_t i = 0; i < top.predicateBase + top.function->predicates; ++i)
    hash = mixHash(hash, predicateStorage[i]);
  return hash;
}

size_t Warp::paramPlace(const Frame &frame, uint32_t lane, uint32_t offset) {
  const uint32_t uniform = frame.function->uniformParamBytes;
  return frame.paramBase + size_t(lane) * (frame.function->paramBytes - uniform) + (offset - uniform);
}

void Warp::copyParam(uint32_t copied, const Frame &to, uint32_t toOffset, const Frame &from,
                     uint32_t fromOffset, uint32_t size) {
  forLanes(size ? copied : 0, [&](uint32_t lane) {
    const size_t target = paramPlace(to, lane, toOffset), source = paramPlace(from, lane, fromOffset);
    std::copy_n(paramBytes.begin() + long(source), size, paramBytes.begin() + long(target));
    std::copy_n(paramShadow.begin() + long(source), size, paramShadow.begin() + long(target));
  });
}

bool Warp::requireMembers(Row number) {
  if (!requireDefined(number, "a member mask"))
    return false;
  for (uint32_t left = mask; left; left &= left - 1) {
    const uint32_t lane = uint32_t(std::countr_zero(left)), members = uint32_t(row(number)[lane]);
    if (!(members >> lane & 1))
      return refuse(lane, "the thread is not in the member mask {:#010x}", members);
    if (const uint32_t missing = members & live & ~mask; missing)
      return refuse(lane,
                    "reached by part of the warp: lanes {:#010x} of the member mask {:#010x} are elsewhere",
                    missing, members);
  }
  return true;
}

bool Warp::requireWhole() {
  if (mask == ~0u)
    return true;
  return refuse(wholeWarp, "reached by part of the warp: lanes {:#010x} of 0xffffffff", mask);
}

bool Warp::requireConverged() {
  if (mask == live)
    return true;
  return refuse(wholeWarp, "reached by part of the warp: lanes {:#010x} of {:#010x}", mask, live);
}

void Warp::report(uint32_t lane, const std::string &text) {
  state = State::Faulted;
  block->faults.report(current, index, lane, text);
}

bool Warp::reportUndefined(Row number, const char *use) {
  if (!block->checksInitialised())
    return true;
  const uint32_t lane = uint32_t(std::countr_zero(mask & ~defined[number]));
  const std::string &name = function->rowNames[number];
  if (const uint32_t line = block->writerOf(index, number))
    return refuse(lane, "`{}` is used as {}: the `wgmma` at {} that writes it has not been waited for", name,
                  use, block->faults.placeName(line));
  return refuse(lane, "uninitialised register `{}` is used as {}", name, use);
}

bool Warp::reportUndefinedPredicate(Row number, const char *use) {
  if (!block->checksInitialised())
    return true;
  const uint32_t lane = uint32_t(std::countr_zero(mask & ~predicateDefined[number]));
  return refuse(lane, "uninitialised register `{}` is used as {}", function->predicateNames[number], use);
}

} // namespace tegula::runtime::ptx
