// The part of a session that compares arrays with what they should be.
#include "compiler/debug/Runner.h"
#include "compiler/debug/differences/Sharing.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tegula::debug {

namespace {

/// The elements of an array that are not as expected.
struct Differences {
  uint64_t count = 0, unwritten = 0;
  double largest = 0; ///< distance of any element from what is expected
  uint64_t anyUnwritten = 0;
  std::vector<std::pair<uint32_t, uint64_t>> wrong; ///< the moment of the last write, and the element
};

/// The last write of each element: an index into `moments`, 0 where there is none.
using Writers = std::vector<uint32_t>;

Differences compare(const Expected &expected, const ReadMemory &read, const Writers &writers) {
  Differences found;
  for (uint64_t i = 0; i < expected.array.elements(); ++i) {
    const Number element = readElement(read, expected.array, i);
    found.largest = std::max(found.largest, distance(expected.at(i), element));
    if (expected.matches(i, element))
      continue;
    ++found.count;
    if (writers[i])
      found.wrong.emplace_back(writers[i], i);
    else
      found.anyUnwritten = found.unwritten++ ? found.anyUnwritten : i;
  }
  return found;
}

/// "the largest difference is 0.25"
std::string largestText(const Differences &found) {
  std::string out;
  llvm::raw_string_ostream(out) << "the largest difference is " << llvm::format("%.3g", found.largest);
  return out;
}

/// "3 of 16 elements differ, of which 2 are never written; atol=0.001, rtol=0.002 are allowed, ..."
std::string elementsDiffer(const Differences &found, const Expected &expected) {
  std::string made =
      std::to_string(found.count) + " of " + std::to_string(expected.array.elements()) + " elements differ";
  if (found.unwritten)
    made += ", of which " + std::to_string(found.unwritten) + " are never written";
  if (!expected.tolerance.isExact())
    made += "; " + text(expected.tolerance) + " are allowed, " + largestText(found);
  return made;
}

/// "all 16 of `out` are within atol=0.001, rtol=0.002, the largest difference is 0.0005"
std::string elementsMatch(const Differences &found, const Expected &expected) {
  const std::string all =
      "all " + std::to_string(expected.array.elements()) + " of `" + expected.array.name + "` are ";
  return expected.tolerance.isExact()
             ? all + "equal"
             : all + "within " + text(expected.tolerance) + ", " + largestText(found);
}

/// "all programs have ended, and all elements are as expected", or what is never written instead.
std::string endText(const std::vector<Expected> &expected, const std::vector<Differences> &found,
                    const ReadMemory &read) {
  for (size_t i = expected.size(); i-- > 0;)
    if (found[i].count) {
      const uint64_t element = found[i].anyUnwritten;
      return "`" + expected[i].array.elementName(element) + "` is never written: expected " +
             text(expected[i].at(element)) + ", found " +
             text(readElement(read, expected[i].array, element)) + "; " +
             elementsDiffer(found[i], expected[i]);
    }
  std::string made = "all programs have ended, and all elements are as expected";
  const char *before = ": ";
  for (size_t i = 0; i < expected.size(); ++i)
    if (expected[i].isGiven) {
      made += before + elementsMatch(found[i], expected[i]);
      before = "; ";
    }
  return made;
}

/// "all programs have ended, and this one writes nothing that is not as expected; `out`: 3 of 16 ..."
std::string endTextOfProgram(const std::vector<Expected> &expected, const std::vector<Differences> &found) {
  std::string made =
      "all programs have ended, and the only one to stop in writes nothing that is not as expected";
  for (size_t i = 0; i < expected.size(); ++i)
    if (found[i].count)
      made += "; `" + expected[i].array.name + "`: " + elementsDiffer(found[i], expected[i]);
  return made;
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

const Stop &Session::findDifference(const std::vector<Expected> &expected, const std::string &atEnd,
                                    const std::string &ifShared) {
  std::vector<Position> moments(1);
  std::vector<Writers> writers;
  for (const Expected &one : expected)
    writers.emplace_back(one.array.elements());
  const Position never{UINT64_MAX, 0, 0};
  runner->differences.clear();
  Sharing sharing(launch().arrays);
  Goal goal{.write = [&](const Position &at, uint64_t address, unsigned) {
    for (size_t i = 0; i < expected.size(); ++i)
      if (std::optional<uint64_t> index = expected[i].array.indexOf(address)) {
        if (moments.back() != at)
          moments.push_back(at);
        writers[i][*index] = uint32_t(moments.size() - 1);
      }
  }};
  if (!ifShared.empty())
    goal.use = [&](uint64_t address, bool isWrite) { sharing.use(program(), address, isWrite); };
  runner->scan(0, never, std::move(goal));
  if (stop().kind != Stop::End)
    return stop();
  std::vector<Differences> found;
  for (size_t i = 0; i < expected.size(); ++i) {
    found.push_back(compare(expected[i], memory(), writers[i]));
    const auto all = std::make_shared<const std::string>(elementsDiffer(found[i], expected[i]));
    for (const auto &[moment, element] : found[i].wrong)
      runner->differences.try_emplace(moments[moment], WrongElement{array(expected[i].array.name), element,
                                                                    expected[i].at(element), all});
  }
  const std::optional<Position> first = runner->firstDifference();
  if (!first) {
    runner->stopped.text =
        runner->differences.empty() ? endText(expected, found, memory()) : endTextOfProgram(expected, found);
    runner->stopped.text += (atEnd.empty() ? "" : "; ") + atEnd;
    const bool isAsExpected = std::ranges::all_of(found, [](const Differences &one) { return !one.count; });
    if (isAsExpected && !sharing.text().empty())
      runner->stopped.text += "; " + sharing.text() + ": " + ifShared;
    return stop();
  }
  const WrongElement &wrong = runner->differences.at(*first);
  const Number final = readElement(memory(), *wrong.array, wrong.element);
  const std::string why = std::isnan(final.real) && final.isFloat ? firstNanText(*first) : "";
  runner->reach(*first);
  runner->stopped = runner->differenceAt(*first);
  runner->stopped.text += why;
  return stop();
}

std::optional<uint64_t> Session::Runner::chosenProgram() const {
  if (!settings.program)
    return std::nullopt;
  const interp::Grid &at = *settings.program;
  return at[0] + launch.grid[0] * (at[1] + launch.grid[1] * uint64_t(at[2]));
}

std::optional<Position> Session::Runner::firstDifference() const {
  const std::optional<uint64_t> chosen = chosenProgram();
  const auto found = chosen ? differences.lower_bound({*chosen, 0, 0}) : differences.begin();
  if (found == differences.end() || (chosen && found->first.program != *chosen))
    return std::nullopt;
  return found->first;
}

Stop Session::Runner::differenceAt(const Position &at) const {
  const WrongElement &wrong = differences.at(at);
  return {.kind = Stop::Difference,
          .text = "`" + wrong.array->elementName(wrong.element) + "` becomes " +
                  text(readElement(memory(), *wrong.array, wrong.element)) + ", expected " +
                  text(wrong.expected) + "; " + *wrong.all};
}

} // namespace tegula::debug
