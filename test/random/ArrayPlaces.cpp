// The places of elements along dimensions, and what loads make of them.
#include "test/random/ArrayKernel.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::random {

using enum ScalarKind;

ArrayKernel::Where ArrayKernel::both(const Where &a, const Where &b) {
  if (a.text.empty() || b.text.empty())
    return a.text.empty() ? b : a;
  return {fmt::format("{} & {}", a.text, b.text), [=](Point p) { return a.holds(p) && b.holds(p); }};
}

/// A number as the source has it, or as an argument.
std::string ArrayKernel::number(int64_t value) {
  if (chance(50))
    return std::to_string(value);
  Argument argument;
  argument.name = fresh("ks");
  argument.type.scalar = chance(60) ? Int64 : Int32;
  argument.type.facts.divisibility = value % 16 == 0 ? 16 : 1;
  argument.type.facts.nonNegative = chance(40);
  argument.elements = {uint64_t(value)};
  kernel.arguments.push_back(argument);
  return argument.name;
}

/// An index over at most so many dimensions and elements. It is given its value by `begin`.
ArrayKernel::Index ArrayKernel::split(const std::string &name, int mostDimensions, int64_t most) {
  static const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 12, 16, 16, 24, 32, 32, 33, 48, 64};
  Index index;
  const std::string inKernel = name + "index";
  const bool isSecond = name != "x";
  const Number whole = [=](Point p) { return isSecond ? p.r : p.x; };
  for (int dimensions = 1 + upTo(mostDimensions); dimensions; --dimensions) {
    const int64_t size = oneOf(sizes), below = index.size;
    if (below * size > most)
      break;
    const std::string at = below == 1 ? inKernel : fmt::format("({} // {})", inKernel, number(below));
    index.places.push_back({fmt::format("{}{}", name, index.places.size()), size,
                            [=](Point p) { return whole(p) / below % size; }, !isSecond, isSecond});
    lines.push_back(fmt::format("{} = ({} % {})", index.places.back().text, at, number(size)));
    index.size *= size;
  }
  index.limit = number(index.size);
  if (chance(30)) // the outermost needs no remainder: what is left is below its size
    lines.back() = lines.back().substr(0, lines.back().rfind(" %")) + ")";
  return index;
}

std::vector<ArrayKernel::Place> ArrayKernel::places() const {
  std::vector<Place> all = first.places;
  all.insert(all.end(), second.places.begin(), second.places.end());
  return all;
}

/// Something that is true of some elements.
ArrayKernel::Where ArrayKernel::condition(const std::vector<Place> &of) {
  const Place place = oneOf(of);
  const int64_t limit = 1 + upTo(int(place.size));
  if (chance(50))
    return {fmt::format("({} < {})", place.text, limit), [=](Point p) { return place.at(p) < limit; }};
  return {fmt::format("({} >= {})", place.text, limit), [=](Point p) { return place.at(p) >= limit; }};
}

/// The elements that there are, as far as these places tell them apart.
ArrayKernel::Where ArrayKernel::existing(const std::vector<Place> &used) const {
  Where where;
  if (std::ranges::any_of(used, &Place::byFirst))
    where = both(where, firstInside);
  if (std::ranges::any_of(used, &Place::bySecond))
    where = both(where, secondInside);
  return where;
}

/// Returns the place that a load uses instead of `place`, perhaps for some elements only.
ArrayKernel::Place ArrayKernel::changed(const Place &place, Where &where) {
  Place made = changedNumber(place, where);
  made.byFirst = place.byFirst, made.bySecond = place.bySecond;
  return made;
}

ArrayKernel::Place ArrayKernel::changedNumber(const Place &place, Where &where) {
  const int64_t size = place.size;
  const Number at = place.at;
  switch (upTo(9)) {
  case 0: // turned round
    return {fmt::format("({} + (-1)*{})", size - 1, place.text), size,
            [=](Point p) { return size - 1 - at(p); }};
  case 1: { // padded on one side, cut off on the other
    const int64_t shift = upTo(7) - 3, most = size + upTo(3);
    where = both(where, {fmt::format("(({0}) + {1} >= 0) & (({0}) + {1} < {2})", shift, place.text, most),
                         [=](Point p) { return at(p) + shift >= 0 && at(p) + shift < most; }});
    const Place padded{fmt::format("(({}) + {})", shift, place.text), most,
                       [=](Point p) { return at(p) + shift; }};
    // What is divided may be below zero where the mask leaves it out.
    return chance(40) ? enlarged(padded) : padded;
  }
  case 2:
    return enlarged(place);
  case 3: { // every so many
    const int64_t times = 2 + upTo(2), more = upTo(2);
    return {fmt::format("({} + {}*{})", more, times, place.text), size * times,
            [=](Point p) { return at(p) * times + more; }};
  }
  case 4: { // wrapped
    const int64_t more = upTo(9);
    return {fmt::format("(({} + {}) % {})", place.text, more, number(size)), size,
            [=](Point p) { return (at(p) + more) % size; }};
  }
  case 5:
    return lookedUp(place);
  default:
    return place;
  }
}

/// Each place several times.
ArrayKernel::Place ArrayKernel::enlarged(const Place &place) {
  const int64_t times = 2 + upTo(3);
  return {fmt::format("({} // {})", place.text, times), (place.size + times - 1) / times,
          [at = place.at, times](Point p) { return at(p) / times; }};
}

/// A place of one dimension by an array of places, which may count from the end.
ArrayKernel::Place ArrayKernel::lookedUp(const Place &place) {
  Argument array = newArray("in_ptr", Int64, 0);
  const int64_t size = 1 + upTo(20);
  for (int64_t i = 0; i < place.size; ++i)
    array.elements.push_back(uint64_t(int64_t(upTo(int(2 * size))) - size));
  kernel.arguments.push_back(array);
  const std::string loaded = fresh("tmp"), found = fresh("tmp");
  const Where there = existing({place});
  line(fmt::format("{} = tl.load({} + {}, {})", loaded, array.name, place.text, masked(there)));
  line(fmt::format("{0} = tl.where({1} < 0, {1} + {2}, {1})", found, loaded, number(size)));
  if (chance(50))
    line(fmt::format("tl.device_assert(((0 <= {0}) & ({0} < {1})){2}, \"index out of bounds\")", found, size,
                     there.text.empty() ? "" : fmt::format(" | ~({})", there.text)));
  return {found, size, [elements = array.elements, at = place.at, size](Point p) {
            const auto index = int64_t(elements[size_t(at(p))]);
            return index < 0 ? index + size : index;
          }};
}

/// Two dimensions seen as one, and taken apart otherwise.
ArrayKernel::Place ArrayKernel::viewed(const Place &inner, const Place &outer) {
  const int64_t all = inner.size * outer.size, other = 1 + upTo(int(all));
  const Number flat = [=](Point p) { return inner.at(p) + inner.size * outer.at(p); };
  const std::string text = fmt::format("({} + {}*{})", inner.text, number(inner.size), outer.text);
  Place made{fmt::format("({} % {})", text, number(other)), other, [=](Point p) { return flat(p) % other; },
             inner.byFirst || outer.byFirst, inner.bySecond || outer.bySecond};
  if (chance(50))
    return made;
  made.text = fmt::format("({} // {})", text, number(other));
  made.size = (all + other - 1) / other;
  made.at = [=](Point p) { return flat(p) / other; };
  return made;
}

/// Along `used` one behind the other, the first of them `stride` apart; perhaps with room between.
ArrayKernel::Offset ArrayKernel::offsetOf(const std::vector<Place> &used, int64_t stride, bool hasGaps) {
  Offset offset{{}, [](Point) { return int64_t(0); }, stride};
  for (const Place &place : used) {
    const int64_t step = offset.count;
    offset.text += fmt::format("{}{}{}", offset.text.empty() ? "" : " + ",
                               step == 1 ? "" : number(step) + "*", place.text);
    offset.at = [at = offset.at, place, step](Point p) { return at(p) + step * place.at(p); };
    offset.count = step * place.size + (hasGaps && chance(20) ? upTo(9) : 0);
  }
  return offset;
}

} // namespace tegula::random
