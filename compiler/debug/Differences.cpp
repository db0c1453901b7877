// The part of a session that compares arrays with what they should be.
#include "compiler/debug/Runner.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tegula::debug {

namespace {

/// The elements of an array that are not as expected, and the one that was written first.
struct Differences {
  uint64_t count = 0, unwritten = 0;
  double largest = 0; ///< distance of any element from what is expected
  std::optional<Position> first;
  uint64_t element = 0, anyUnwritten = 0;
};

/// The last write of each element: an index into `moments`, 0 where there is none.
using Writers = std::vector<uint32_t>;

Differences compare(const Expected &expected, const ReadMemory &read, const Writers &writers,
                    const std::vector<Position> &moments) {
  Differences found;
  for (uint64_t i = 0; i < expected.array.elements(); ++i) {
    const Number element = readElement(read, expected.array, i);
    found.largest = std::max(found.largest, distance(expected.at(i), element));
    if (expected.matches(i, element))
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
    if (runner->stopped.text == "all programs have ended") {
      runner->stopped.text += ", and all elements are as expected";
      const char *before = ": ";
      for (size_t i = 0; i < expected.size(); ++i)
        if (expected[i].isGiven) {
          runner->stopped.text += before + elementsMatch(found[i], expected[i]);
          before = "; ";
        }
    }
    runner->stopped.text += (atEnd.empty() ? "" : "; ") + atEnd;
    return stop();
  }
  const Differences &first = found[*worst];
  const Array &array = expected[*worst].array;
  const Number final = readElement(read, array, first.element);
  const std::string why = std::isnan(final.real) && final.isFloat ? firstNanText(*first.first) : "";
  runner->reach(*first.first);
  runner->stopped = {Stop::Difference,
                     "`" + array.elementName(first.element) + "` becomes " +
                         text(readElement(read, array, first.element)) + ", expected " +
                         text(expected[*worst].at(first.element)) + "; " +
                         elementsDiffer(first, expected[*worst]) + why,
                     0,
                     {},
                     {}};
  return stop();
}

} // namespace tegula::debug
