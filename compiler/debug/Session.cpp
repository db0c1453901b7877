#include "compiler/debug/Session.h"

#include "compiler/debug/Runner.h"

namespace tegula::debug {

Session::Session(const Statements &statements, Launch launch)
    : runner(std::make_unique<Runner>(settings, statements, std::move(launch))) {
  runner->stopped.text = "nothing has run";
}
Session::~Session() = default;

void Session::interrupt() { runner->interrupt = true; }
void Session::dropInterrupt() { runner->interrupt = false; }

const Stop &Session::stop() const { return runner->stopped; }
const std::vector<CallFrame> &Session::calls() const { return runner->frames.calls; }
interp::Grid Session::program() const { return runner->program; }
const Launch &Session::launch() const { return runner->launch; }
const Statements &Session::statements() const { return runner->statements; }

const Array *Session::array(llvm::StringRef name) const { return arrayNamed(launch().arrays, name); }

ReadMemory Session::memory() const { return runner->memory(); }

Scope Session::scope(size_t frame) const {
  return {.names = frame < calls().size() ? &calls()[frame].names : nullptr,
          .arrays = launch().arrays,
          .read = memory(),
          .program = program(),
          .expected = expected};
}

const Stop &Session::stepIn() { return runner->run({.kind = Goal::Step}); }
const Stop &Session::next() {
  const size_t depth = innermost();
  return runner->run({.kind = calls().empty() ? Goal::Step : Goal::Next, .depth = depth});
}
const Stop &Session::stepOut() {
  const size_t depth = innermost();
  // Out of the kernel is to its end.
  return runner->run({.kind = depth ? Goal::Out : Goal::Continue, .depth = depth});
}
const Stop &Session::resume() { return runner->run({.kind = Goal::Continue}); }

const Stop &Session::stepBack() { return runner->goBack(SIZE_MAX); }
const Stop &Session::nextBack() { return runner->goBack(innermost()); }

const Stop &Session::resumeBack() {
  const Position now = runner->position;
  std::optional<Position> target;
  Stop last;
  const Goal wanted{.stop = [&](const Position &at, const Stop &stop) {
    target = at;
    last = stop;
  }};
  runner->scan(0, now, wanted);
  if (!target) {
    runner->rewind(0);
    runner->stopped.text = "there is nothing to stop at before: nothing has run";
    return stop();
  }
  runner->reach(*target);
  runner->stopped = last;
  return stop();
}

const Stop *Session::toLastWriter(const Array &array, uint64_t index) {
  if (stop().kind == Stop::Start)
    findDifference({});
  const Position now = runner->position;
  std::optional<Position> target;
  runner->scan(0, now, {.write = [&](const Position &at, uint64_t address, unsigned) {
                 if (array.indexOf(address) == index)
                   target = at;
               }});
  runner->reach(target ? *target : now);
  if (!target)
    return nullptr;
  runner->stopped = {.kind = Stop::Written, .text = "`" + array.elementName(index) + "` is written"};
  return &stop();
}

} // namespace tegula::debug
