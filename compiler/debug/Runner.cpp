#include "compiler/debug/Runner.h"

#include "dialect/tile/Tile.h"

namespace tegula::debug {

/// Copies of memory at the start of programs take at most one part in this many of the time.
static constexpr int copyShare = 16;
/// The last statements of a program that are remembered, in 48 MiB.
static constexpr size_t maxTrace = size_t(1) << 21;

Session::Runner::Runner(const Settings &settings, const Statements &statements, Launch given)
    : settings(settings), statements(statements), launch(std::move(given)), ops(launch.function, statements) {
  initial.memory = launch.memory->save();
}

ReadMemory Session::Runner::memory() const {
  return [memory = launch.memory](void *to, uint64_t address, uint32_t bytes) {
    return memory->read(to, address, bytes) && !memory->isUndefined(address, bytes);
  };
}

//===----------------------------------------------------------------------===//
// The two threads
//===----------------------------------------------------------------------===//

void Session::Runner::start() {
  isFinished = false;
  ++runs;
  thread.start([this] {
    interp::Options options;
    options.observer = this;
    options.firstProgram = firstProgram;
    options.print = [this](std::string_view text) { print(text); };
    finish(launch.kernel->launch(launch.grid, launch.arguments, *launch.memory, options));
  });
}

const Stop &Session::Runner::run(Goal given) {
  goal = std::move(given);
  if (isFinished) // there is nothing after it
    return stopped;
  if (thread.isStarted())
    thread.goOn();
  else
    start();
  return stopped;
}

bool Session::Runner::pause(Stop stop) {
  stopped = std::move(stop);
  position = now;
  return thread.pause();
}

void Session::Runner::finish(std::optional<interp::Fault> fault) {
  if (thread.isCancelled())
    return;
  stopped = {.kind = Stop::End, .text = "all programs have ended"};
  if (!differences.empty())
    stopped.text += ": no more is stored that is not as expected";
  if (fault) {
    stopped = {.kind = Stop::Fault, .text = fault->text, .element = fault->element};
    if (auto places = tile::placesOf(fault->location); !places.empty())
      stopped.place = places.front();
    position = now;
  } else {
    frames.clear();
    position = {now.program + 1, 0, 0};
  }
  isFinished = true;
}

void Session::Runner::rewind(uint64_t target) {
  thread.cancel();
  const Copy &from = latest.program && latest.program <= target ? latest : initial;
  launch.memory->restore(from.memory);
  firstProgram = from.program;
  frames.clear();
  trace.clear();
  isTraceCut = false;
  isFinished = false;
  now = position = {from.program, 0, 0};
  program = {};
  stopped = {.text = "nothing has run"};
}

void Session::Runner::reach(const Position &target) {
  if (isFinished || target <= position)
    rewind(target.program);
  run({.kind = Goal::Reach, .target = target});
}

void Session::Runner::scan(uint64_t from, const Position &limit, Goal scanned) {
  scanned.kind = Goal::Scan;
  scanned.target = limit;
  rewind(from);
  run(std::move(scanned));
}

namespace {

/// Returns the last statement of `trace` before `now` with at most `depth` calls around it.
std::optional<Position> lastIn(const std::vector<Position> &trace, const Position &now, size_t depth) {
  for (auto at = trace.rbegin(); at != trace.rend(); ++at)
    if (*at < now && at->phase <= depth)
      return *at;
  return std::nullopt;
}

} // namespace

const Stop &Session::Runner::goBack(size_t depth) {
  Position here = position;
  // From within a statement its own start is no earlier statement.
  if (!frames.calls.empty())
    if (auto next = std::upper_bound(trace.begin(), trace.end(), here); next != trace.begin())
      here = *std::prev(next);
  std::optional<Position> target = lastIn(trace, here, depth);
  const Goal search{.statement = [&](const Position &at, size_t calls) {
    if (calls <= depth)
      target = at;
  }};
  if (!target && isTraceCut)
    scan(here.program, here, search);
  if (!target && here.program) // in an earlier program
    scan(0, {here.program, 0, 0}, search);
  if (target)
    reach(*target);
  else
    rewind(0);
  return stopped;
}

void Session::Runner::print(std::string_view text) {
  const bool isNew = now > printed || (now == printed && printedBy == runs);
  if (!isNew || !launch.print)
    return;
  printed = now;
  printedBy = runs;
  launch.print(text);
}

//===----------------------------------------------------------------------===//
// Programs, statements, ops
//===----------------------------------------------------------------------===//

void Session::Runner::keepCopy(uint64_t index) {
  const auto begin = std::chrono::steady_clock::now();
  if (index <= latest.program || begin - copied < copying * copyShare)
    return;
  latest = {index, launch.memory->save()};
  copied = std::chrono::steady_clock::now();
  copying = copied - begin;
}

bool Session::Runner::begin(uint64_t index, const interp::Grid &at) {
  program = at;
  now = {index, 0, 0};
  frames.clear();
  if (isChosen()) {
    trace.clear();
    isTraceCut = false;
    keepCopy(index);
  }
  return !thread.isCancelled();
}

std::optional<Stop> Session::Runner::breakpointAt(const Level &at) const {
  for (const Breakpoint &one : settings.breakpoints) {
    if (one.line != at.statement || one.file != at.place.file)
      continue;
    Stop stop{.kind = Stop::Breakpoint, .breakpoint = one.number};
    std::string error;
    if (!one.condition || one.condition(error))
      return stop;
    if (error.empty())
      continue;
    stop.text = "the condition `" + one.conditionText + "` cannot be computed: " + error;
    return stop;
  }
  return std::nullopt;
}

/// Returns how an op changes the elements that it writes.
static StoreKind storeKindOf(mlir::Operation *op) {
  if (llvm::isa<tile::AtomicCASOp>(op))
    return StoreKind::Swap;
  auto atomic = llvm::dyn_cast<tile::AtomicRMWOp>(op);
  if (!atomic)
    return StoreKind::Store;
  switch (atomic.getKind()) {
  case tile::AtomicKind::Add:
  case tile::AtomicKind::FAdd:
    return StoreKind::Add;
  case tile::AtomicKind::And:
    return StoreKind::And;
  case tile::AtomicKind::Or:
    return StoreKind::Or;
  case tile::AtomicKind::Xor:
    return StoreKind::Xor;
  case tile::AtomicKind::Max:
    return StoreKind::Max;
  case tile::AtomicKind::Min:
    return StoreKind::Min;
  case tile::AtomicKind::UMax:
    return StoreKind::UMax;
  case tile::AtomicKind::UMin:
    return StoreKind::UMin;
  case tile::AtomicKind::Exchange:
    return StoreKind::Store;
  }
  return StoreKind::Store;
}

/// Calls `body` for each element that a load reads; does nothing for other ops.
static void forLoaded(const interp::Moment &moment, llvm::function_ref<void(uint64_t address)> body) {
  auto load = llvm::dyn_cast<tile::LoadOp>(moment.op());
  if (!load)
    return;
  const interp::Tensor &pointer = moment.operand(0);
  const interp::Tensor *mask = load.getMask() ? &moment.operand(1) : nullptr;
  for (size_t i = 0; i < pointer.size(); ++i)
    if (!pointer.isUndefined(i) && (!mask || mask->bits[i]))
      body(pointer.bits[i]);
}

bool Session::Runner::statementBegins(size_t depth) {
  now.phase = uint32_t(depth);
  if (isChosen()) {
    if (trace.size() == maxTrace) {
      trace.erase(trace.begin(), trace.begin() + maxTrace / 2);
      isTraceCut = true;
    }
    trace.push_back(now);
  }
  switch (goal.kind) {
  case Goal::Reach:
    if (now == goal.target)
      return pause({.kind = Stop::Statement});
    return true;
  case Goal::Scan:
    if (now >= goal.target || !isChosen())
      return true;
    if (goal.statement)
      goal.statement(now, depth);
    if (goal.stop)
      if (std::optional<Stop> stop = breakpointAt(frames.calls[depth].at))
        goal.stop(now, *stop);
    return true;
  case Goal::Step:
  case Goal::Next:
  case Goal::Out:
  case Goal::Continue:
    break;
  }
  if (!isChosen())
    return true;
  if (std::optional<Stop> stop = breakpointAt(frames.calls[depth].at))
    return pause(std::move(*stop));
  const bool stops = goal.kind == Goal::Step || (goal.kind == Goal::Next && depth <= goal.depth) ||
                     (goal.kind == Goal::Out && depth < goal.depth);
  return !stops || pause({.kind = Stop::Statement});
}

bool Session::Runner::before(const interp::Moment &moment) {
  if (ops.of(moment.op()).isScalar)
    return true;
  ++now.op;
  now.phase = 0;
  facts = &ops.of(moment.op());
  if (goal.store)
    kind = storeKindOf(moment.op());
  if (goal.use)
    isAtomicOp = llvm::isa<tile::AtomicRMWOp, tile::AtomicCASOp>(moment.op());
  if (thread.isCancelled() || !frames.enter(*facts, [&](size_t depth) { return statementBegins(depth); }))
    return false;
  if (interrupt.load(std::memory_order_relaxed) && interrupt.exchange(false) &&
      !pause({.kind = Stop::Interrupted, .text = "interrupted"}))
    return false;
  // A scan ends where it was to end, so that what is there can be reached from its start.
  return goal.kind != Goal::Scan || now < goal.target || pause({.kind = Stop::Statement});
}

bool Session::Runner::found(Stop stop) {
  if (!isChosen())
    return true;
  if (goal.kind == Goal::Scan) {
    if (goal.stop && now < goal.target)
      goal.stop(now, stop);
    return true;
  }
  return goal.kind == Goal::Reach || pause(std::move(stop));
}

bool Session::Runner::after(const interp::Moment &moment) {
  mlir::Operation *op = moment.op();
  if (ops.of(op).isScalar)
    return true;
  facts = &ops.of(op); // another than before, where the op has a body
  now.phase = Position::after;
  if (auto bind = llvm::dyn_cast<tile::BindOp>(op)) {
    if (isChosen() || goal.kind == Goal::Reach)
      frames.bind(bind, *facts, moment);
    return true;
  }
  if (goal.kind == Goal::Reach)
    return now != goal.target || pause({.kind = Stop::Statement});
  if (goal.store)
    tellOperands(moment);
  if (goal.use)
    forLoaded(moment, [&](uint64_t address) { goal.use(address, /*isWrite=*/false); });
  std::optional<Finding> finding;
  if (settings.stopAtNotFinite)
    finding = findNotFinite(moment);
  if (!finding && settings.stopAtOverflow)
    finding = findOverflow(moment, facts->address);
  if (!finding && settings.stopAtWrap)
    finding = findWrap(moment);
  if (finding) {
    Stop stop{.kind = Stop::Finding,
              .text = finding->text,
              .element = interp::elementName(moment.result(finding->result).type, finding->element)};
    if (!facts->levels.empty())
      stop.place = facts->levels.back().place;
    if (!found(std::move(stop)))
      return false;
  }
  if (written) {
    Stop stop = std::move(*written);
    written.reset();
    return found(std::move(stop));
  }
  // Steps pass differences, which the person knows of by then.
  const bool stops = goal.kind == Goal::Continue || (goal.kind == Goal::Scan && goal.stop);
  return !stops || !differences.contains(now) || found(differenceAt(now));
}

void Session::Runner::tellOperands(const interp::Moment &moment) {
  const StoreKind how = storeKindOf(moment.op());
  if (how < StoreKind::Add || now >= goal.target)
    return;
  auto op = llvm::cast<tile::AtomicRMWOp>(moment.op());
  const interp::Tensor &pointer = moment.operand(0), &value = moment.operand(1);
  const interp::Tensor *mask = op.getMask() ? &moment.operand(2) : nullptr;
  const uint32_t bytes = interp::Element(value.type).bytes();
  for (size_t i = 0; i < value.size(); ++i)
    if (!mask || mask->bits[i])
      goal.store(now, how, pointer.bits[i], bytes, reinterpret_cast<const uint8_t *>(&value.bits[i]));
}

void Session::Runner::wrote(const uint8_t *data, unsigned bytes) {
  if (settings.watches.empty() && !goal.write && !goal.store)
    return;
  const uint64_t address = launch.memory->addressOf(data);
  if (goal.use && !isAtomicOp)
    goal.use(address, /*isWrite=*/true);
  Position at = now;
  at.phase = Position::after;
  if (goal.kind == Goal::Scan && goal.write && at < goal.target)
    goal.write(at, address, bytes);
  if (goal.kind == Goal::Scan && goal.store && at < goal.target && kind < StoreKind::Add)
    goal.store(at, kind, address, bytes, data);
  for (const Watch &watch : settings.watches)
    if (watch.array.indexOf(address) == watch.index && !written) {
      written = Stop{.kind = Stop::Written,
                     .text = "`" + watch.array.elementName(watch.index) + "` is written",
                     .breakpoint = watch.number};
      if (!facts->levels.empty())
        written->place = facts->levels.back().place;
    }
}

} // namespace tegula::debug
