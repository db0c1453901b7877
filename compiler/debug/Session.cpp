#include "compiler/debug/Session.h"

#include "compiler/debug/Runner.h"

#include <cmath>
#include <map>
#include <utility>

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

ReadMemory Session::memory() const {
  return [memory = runner->launch.memory](void *to, uint64_t address, uint32_t bytes) {
    return memory->read(to, address, bytes) && !memory->isUndefined(address, bytes);
  };
}

Scope Session::scope(size_t frame) const {
  return {frame < calls().size() ? &calls()[frame].names : nullptr, launch().arrays, memory(), program(), {}};
}

const Stop &Session::stepIn() {
  runner->run({.kind = Goal::Step});
  return stop();
}
const Stop &Session::next() {
  const size_t depth = innermost();
  runner->run({.kind = calls().empty() ? Goal::Step : Goal::Next, .depth = depth});
  return stop();
}
const Stop &Session::stepOut() {
  const size_t depth = innermost();
  // Out of the kernel is to its end.
  runner->run({.kind = depth ? Goal::Out : Goal::Continue, .depth = depth});
  return stop();
}
const Stop &Session::resume() {
  runner->run({.kind = Goal::Continue});
  return stop();
}

const Stop &Session::stepBack() {
  runner->goBack(SIZE_MAX);
  return stop();
}
const Stop &Session::nextBack() {
  runner->goBack(innermost());
  return stop();
}

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
  runner->stopped = {Stop::Written, "`" + array.elementName(index) + "` is written", 0, {}, {}};
  return &stop();
}

//===----------------------------------------------------------------------===//
// Differences
//===----------------------------------------------------------------------===//

namespace {

/// The elements of an array that are not as expected, and the one that was written first.
struct Differences {
  uint64_t count = 0, unwritten = 0;
  std::optional<Position> first;
  uint64_t element = 0, anyUnwritten = 0;
};

/// The last write of each element: an index into `moments`, 0 where there is none.
using Writers = std::vector<uint32_t>;

Differences compare(const Expected &expected, const ReadMemory &read, const Writers &writers,
                    const std::vector<Position> &moments) {
  Differences found;
  for (uint64_t i = 0; i < expected.array.elements(); ++i) {
    if (expected.matches(i, readElement(read, expected.array, i)))
      continue;
    ++found.count;
    if (!writers[i]) {
      found.anyUnwritten = found.unwritten++ ? found.anyUnwritten : i;
      continue;
    }
    const Position &at = moments[writers[i]];
    if (!found.first || at < *found.first) {
      found.first = at;
      found.element = i;
    }
  }
  return found;
}

std::string elementsDiffer(const Differences &found, const Expected &expected) {
  return std::to_string(found.count) + " of " + std::to_string(expected.array.elements()) +
         " elements differ" +
         (found.unwritten ? ", of which " + std::to_string(found.unwritten) + " are never written" : "");
}

} // namespace

std::string Session::firstNanText(const Position &limit) {
  // Breakpoints count how often one comes by, and are not to be asked.
  const Settings kept = std::exchange(settings, Settings{.stopAtNotFinite = true});
  std::optional<Stop> made;
  runner->scan(limit.program, limit, {.stop = [&](const Position &at, const Stop &stop) {
                 if (!made && at.program == limit.program && stop.text == nanIsMade)
                   made = stop;
               }});
  settings = kept;
  if (!made && stop().kind == Stop::Interrupted)
    return {};
  if (!made)
    return "; no operation of this program makes a NaN: it was loaded, or is a constant";
  std::string text = "; this program makes a NaN first";
  if (made->place && made->place->line)
    text += " at " + made->place->file + ":" + std::to_string(made->place->line);
  return text + (made->element.empty() ? "" : ", element " + made->element);
}

const Stop &Session::findDifference(const std::vector<Expected> &expected, const std::string &atEnd) {
  std::vector<Position> moments(1);
  std::vector<Writers> writers;
  for (const Expected &one : expected)
    writers.emplace_back(one.array.elements());
  const Position never{UINT64_MAX, 0, 0};
  runner->scan(0, never, {.write = [&](const Position &at, uint64_t address, unsigned) {
                 for (size_t i = 0; i < expected.size(); ++i)
                   if (std::optional<uint64_t> index = expected[i].array.indexOf(address)) {
                     if (moments.back() != at)
                       moments.push_back(at);
                     writers[i][*index] = uint32_t(moments.size() - 1);
                   }
               }});
  if (stop().kind != Stop::End)
    return stop();
  const ReadMemory read = memory();
  std::optional<size_t> worst;
  std::vector<Differences> found;
  for (size_t i = 0; i < expected.size(); ++i) {
    found.push_back(compare(expected[i], read, writers[i], moments));
    if (found[i].first && (!worst || *found[i].first < *found[*worst].first))
      worst = i;
  }
  if (!worst) {
    for (size_t i = 0; i < expected.size(); ++i)
      if (found[i].count)
        runner->stopped.text = "`" + expected[i].array.elementName(found[i].anyUnwritten) +
                               "` is never written: expected " + text(expected[i].at(found[i].anyUnwritten)) +
                               ", found " +
                               text(readElement(read, expected[i].array, found[i].anyUnwritten)) + "; " +
                               elementsDiffer(found[i], expected[i]);
    if (runner->stopped.text == "all programs have ended")
      runner->stopped.text = "all programs have ended, and all elements are as expected";
    runner->stopped.text += (atEnd.empty() ? "" : "; ") + atEnd;
    return stop();
  }
  const Differences &first = found[*worst];
  const Array &array = expected[*worst].array;
  const Number wanted = expected[*worst].at(first.element);
  const Number final = readElement(read, array, first.element);
  const std::string why = std::isnan(final.real) && final.isFloat ? firstNanText(*first.first) : "";
  runner->reach(*first.first);
  runner->stopped = {Stop::Difference,
                     "`" + array.elementName(first.element) + "` becomes " +
                         text(readElement(read, array, first.element)) + ", expected " + text(wanted) + "; " +
                         elementsDiffer(first, expected[*worst]) + why,
                     0,
                     {},
                     {}};
  return stop();
}

} // namespace tegula::debug
