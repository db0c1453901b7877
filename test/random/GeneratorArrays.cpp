// Kernels as TorchInductor writes them: an index over all elements of an array, taken apart into its places
// along each dimension, from which loads make indices of their own - broadcast, transposed, turned round,
// padded, enlarged, wrapped, looked up - and one or two such indices a kernel, the second to be reduced
// along. Sizes are numbers of the source, or arguments of 32 or 64 bits. What every index comes to is
// computed here as well, so that arrays are as large as needed.
#include "test/random/Generator.h"
#include "test/random/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

namespace tegula::random {

using enum ScalarKind;

namespace {

/// An element of the kernel: where it is along the first and the second index.
struct Point {
  int64_t x, r;
};
using Number = std::function<int64_t(Point)>;
using Truth = std::function<bool(Point)>;

/// An integer that each element of the kernel has, as text and as a number.
struct Place {
  std::string text;
  int64_t size; ///< it is at least 0 and below this
  Number at;
  bool byFirst = true, bySecond = false; ///< the indices that it comes from
};

/// Elements where something is true.
struct Where {
  std::string text; ///< empty: everywhere
  Truth holds = [](Point) { return true; };
};

Where both(const Where &a, const Where &b) {
  if (a.text.empty() || b.text.empty())
    return a.text.empty() ? b : a;
  return {fmt::format("{} & {}", a.text, b.text), [=](Point p) { return a.holds(p) && b.holds(p); }};
}

constexpr double mostExact = 1 << 24; ///< of whole numbers in fp32

} // namespace

class ArrayKernel {
public:
  ArrayKernel(std::mt19937_64 &random, RandomKernel &kernel) : random(random), kernel(kernel) {}

  void make() {
    const int form = upTo(5); // 0, 1: one index; 2: two; 3: the second reduced at once; 4: in a loop
    first = split("x", form < 2 ? 3 : 2, form < 2 ? 6000 : 150);
    if (form >= 2)
      second = split(form == 2 ? "y" : "r", 2, 150);
    begin(form);
    if (form <= 2) {
      storeAll(values(1 + upTo(3)));
    } else {
      reduce(form == 4);
    }
  }

private:
  struct Index {
    std::string name;
    std::vector<Place> places; ///< innermost first
    int64_t size = 1;
    std::string limit;
  };
  struct Value {
    std::string text;
    bool isFloat;
    double bound; ///< of a whole number
  };

  int upTo(int count) { return int(random() % uint64_t(count)); }
  bool chance(int percent) { return upTo(100) < percent; }
  template <typename T> const T &oneOf(const std::vector<T> &from) {
    return from[size_t(upTo(int(from.size())))];
  }
  std::string fresh(const char *prefix) { return prefix + std::to_string(names++); }
  void line(const std::string &text) { nodes->push_back({text, {}, {}}); }

  /// A number as the source has it, or as an argument.
  std::string number(int64_t value) {
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
  Index split(const std::string &name, int mostDimensions, int64_t most) {
    static const std::vector<int> sizes{1, 2, 3, 4, 5, 7, 8, 12, 16, 16, 24, 32, 32, 33, 48, 64};
    Index index{name + "index", {}, 1, {}};
    const bool isSecond = name != "x";
    const Number whole = [=](Point p) { return isSecond ? p.r : p.x; };
    for (int dimensions = 1 + upTo(mostDimensions); dimensions; --dimensions) {
      const int64_t size = oneOf(sizes), below = index.size;
      if (below * size > most)
        break;
      const std::string at = below == 1 ? index.name : fmt::format("({} // {})", index.name, number(below));
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

  /// The indices and their masks.
  void begin(int form) {
    static const std::vector<int> ones{64, 128, 256, 512, 1024}, few{1, 2, 8, 16, 32};
    static const std::vector<uint32_t> warps{1, 2, 4, 4, 8};
    nodes = &kernel.body;
    kernel.numWarps = oneOf(warps);
    const int block = form < 2 ? oneOf(ones) : oneOf(few);
    const bool isEven = first.size % block == 0 && chance(70);
    kernel.grid[0] = uint32_t((first.size + block - 1) / block + (!isEven && chance(20)));
    const bool isWide = chance(15); // as for arrays of more than 2^31 elements
    line(fmt::format("xoffset = tl.program_id(0){} * {}", isWide ? ".to(tl.int64)" : "", block));
    const char *across = form < 2 ? "[:]" : form == 2 ? "[None, :]" : "[:, None]";
    line(
        fmt::format("xindex = xoffset + tl.arange(0, {}){}{}", block, across, isWide ? ".to(tl.int64)" : ""));
    line(isEven ? fmt::format("xmask = tl.full([{}], True, tl.int1){}", block, across)
                : fmt::format("xmask = xindex < {}", first.limit));
    if (!isEven || chance(40))
      firstInside.text = "xmask";
    if (form == 2) {
      const int rows = oneOf(few);
      kernel.grid[1] = uint32_t((second.size + rows - 1) / rows);
      shape = fmt::format("[{}, {}]", rows, block);
      line(fmt::format("yindex = {0} * {1} + tl.arange(0, {1})[:, None]",
                       chance(50) ? "tl.program_id(1)"
                                  : "(tl.program_id(1) + tl.program_id(2) * tl.num_programs(1))",
                       rows));
      line(fmt::format("ymask = yindex < {}", second.limit));
      secondInside.text = "ymask";
    }
    if (form < 2)
      shape = fmt::format("[{}]", block);
    rows = block;
    if (form < 3)
      for (const std::string &text : lines)
        line(text);
  }

  std::vector<Place> places() const {
    std::vector<Place> all = first.places;
    all.insert(all.end(), second.places.begin(), second.places.end());
    return all;
  }

  /// Something that is true of some elements.
  Where condition(const std::vector<Place> &of) {
    const Place place = oneOf(of);
    const int64_t limit = 1 + upTo(int(place.size));
    if (chance(50))
      return {fmt::format("({} < {})", place.text, limit), [=](Point p) { return place.at(p) < limit; }};
    return {fmt::format("({} >= {})", place.text, limit), [=](Point p) { return place.at(p) >= limit; }};
  }

  /// What a load makes of a place: another place, perhaps for some elements only.
  Place changed(const Place &place, Where &where) {
    Place made = changedNumber(place, where);
    made.byFirst = place.byFirst, made.bySecond = place.bySecond;
    return made;
  }

  Place changedNumber(const Place &place, Where &where) {
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
  Place enlarged(const Place &place) {
    const int64_t times = 2 + upTo(3);
    return {fmt::format("({} // {})", place.text, times), (place.size + times - 1) / times,
            [at = place.at, times](Point p) { return at(p) / times; }};
  }

  /// A place of one dimension by an array of places, which may count from the end.
  Place lookedUp(const Place &place) {
    Argument array;
    array.name = fresh("in_ptr");
    array.type = {Int64, 1, {16}};
    const int64_t size = 1 + upTo(20);
    for (int64_t i = 0; i < place.size; ++i)
      array.elements.push_back(uint64_t(int64_t(upTo(int(2 * size))) - size));
    kernel.arguments.push_back(array);
    const std::string loaded = fresh("tmp"), found = fresh("tmp");
    const Where there = existing({place});
    line(fmt::format("{} = tl.load({} + {}, {})", loaded, array.name, place.text, masked(there)));
    line(fmt::format("{0} = tl.where({1} < 0, {1} + {2}, {1})", found, loaded, number(size)));
    if (chance(50))
      line(fmt::format("tl.device_assert(((0 <= {0}) & ({0} < {1})){2}, \"index out of bounds\")", found,
                       size, there.text.empty() ? "" : fmt::format(" | ~({})", there.text)));
    return {found, size, [elements = array.elements, at = place.at, size](Point p) {
              const auto index = int64_t(elements[size_t(at(p))]);
              return index < 0 ? index + size : index;
            }};
  }

  /// Two dimensions seen as one, and taken apart otherwise.
  Place viewed(const Place &inner, const Place &outer) {
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

  /// The elements that there are, as far as these places tell them apart.
  Where existing(const std::vector<Place> &used) const {
    Where where;
    if (std::ranges::any_of(used, &Place::byFirst))
      where = both(where, firstInside);
    if (std::ranges::any_of(used, &Place::bySecond))
      where = both(where, secondInside);
    return where;
  }
  Where inside() const { return both(firstInside, secondInside); }

  static std::string masked(const Where &where) { return where.text.empty() ? "None" : where.text; }

  template <typename Body> void forEachPoint(Body body) const {
    for (int64_t x = 0; x < first.size; ++x)
      for (int64_t r = 0; r < second.size; ++r)
        body(Point{x, r});
  }

  Value load() {
    static const std::vector<ScalarKind> types{Float32, Float32, Float32, Float16, BFloat16,
                                               Int8,    Int32,   Int64,   UInt8};
    std::vector<Place> chosen;
    for (const Place &place : places())
      if (!chance(15))
        chosen.push_back(place);
    if (chosen.empty())
      chosen.push_back(oneOf(places()));
    const Where there = existing(chosen);
    Where where = there;
    std::vector<Place> used;
    for (const Place &place : chosen)
      used.push_back(changed(place, where));
    if (used.size() >= 2 && chance(25)) {
      const Place merged = viewed(used[0], used[1]);
      used.erase(used.begin(), used.begin() + 2);
      used.insert(used.begin(), merged);
    }
    if (chance(25))
      std::reverse(used.begin(), used.end());
    std::string index;
    Number at = [](Point) { return int64_t(0); };
    int64_t stride = chance(90) ? 1 : 2;
    for (const Place &place : used) {
      index += fmt::format("{}{}{}", index.empty() ? "" : " + ", stride == 1 ? "" : number(stride) + "*",
                           place.text);
      at = [at, place, stride](Point p) { return at(p) + stride * place.at(p); };
      stride = stride * place.size + (chance(20) ? upTo(9) : 0);
    }
    if (chance(30))
      where = both(where, condition(chosen));
    int64_t least = 0, most = 0;
    forEachPoint([&](Point p) {
      if (where.holds(p))
        least = std::min(least, at(p)), most = std::max(most, at(p));
    });
    const std::string name = input(oneOf(types), most - least + 1), value = fresh("tmp");
    if (least < 0 || index.empty())
      index += fmt::format("{}{}", index.empty() ? "" : " + ", -least);
    // What no mask but that of the whole kernel leaves out nobody reads.
    const bool needsOther = where.text != there.text || !second.places.empty();
    line(fmt::format("{} = tl.load({} + ({}), {}{}{})", value, name, index, masked(where),
                     chance(30) ? ", eviction_policy='evict_last'" : "",
                     where.text.empty() || (!needsOther && chance(50)) ? "" : ", other=0"));
    const bool isFloat = random::isFloat(kernel.arguments.back().type.scalar);
    const std::string same = fresh("tmp");
    line(fmt::format("{} = {}.to({})", same, value, isFloat ? "tl.float32" : "tl.int32"));
    return {same, isFloat, 8};
  }

  std::string input(ScalarKind type, int64_t count) {
    Argument array;
    array.name = fresh("in_ptr");
    array.type = {type, 1, {16}};
    if (chance(10)) {
      array.skip = uint32_t(1 + upTo(3));
      array.type.facts.divisibility = scalarKindBytes(type);
    }
    for (int64_t i = 0; i < count + array.skip; ++i) {
      const int small = isSigned(type) || random::isFloat(type) ? upTo(17) - 8 : upTo(9);
      const uint64_t bits = random::isFloat(type) ? nearest(type, small) : uint64_t(int64_t(small));
      array.elements.push_back(bitsOf(type) == 64 ? bits : bits & ((uint64_t(1) << bitsOf(type)) - 1));
    }
    kernel.arguments.push_back(array);
    return array.name;
  }

  /// So that sums of all elements along the second index are exact in any order.
  double mostOfElement() const { return mostExact / double(second.size); }

  Value combined(const Value &a, const Value &b) {
    Value result{fresh("tmp"), a.isFloat || b.isFloat, a.bound + b.bound};
    switch (upTo(6)) {
    case 0:
      if (a.bound * b.bound <= mostOfElement()) {
        result.bound = a.bound * b.bound;
        line(fmt::format("{} = {} * {}", result.text, a.text, b.text));
        break;
      }
      [[fallthrough]];
    case 1:
      line(fmt::format("{} = {} + {}", result.text, a.text, b.text));
      break;
    case 2:
      line(fmt::format("{} = {} - {}", result.text, a.text, b.text));
      break;
    case 3:
      line(fmt::format("{} = tl.maximum({}, {})", result.text, a.text, b.text));
      break;
    default:
      line(fmt::format("{} = tl.where({}, {}, {})", result.text, condition(places()).text, a.text, b.text));
    }
    return result;
  }

  std::vector<Value> values(int count) {
    std::vector<Value> all{load()};
    while (int(all.size()) < 2 * count) {
      const Value other = load();
      all.push_back(all.back().bound + other.bound <= mostOfElement() ? combined(all.back(), other) : other);
    }
    return {all.end() - 1, all.end()};
  }

  std::string output(bool isFloat, int64_t count) {
    Argument array;
    array.name = fresh("out_ptr");
    array.type = {isFloat ? Float32 : chance(50) ? Int32 : Int64, 1, {16}};
    array.isOutput = true;
    array.elements.resize(size_t(count));
    kernel.arguments.push_back(array);
    return array.name;
  }

  /// To a place of its own for each element, in any order of dimensions; or added up in few places.
  void storeAll(const std::vector<Value> &stored) {
    for (const Value &value : stored) {
      std::vector<Place> order = places();
      if (chance(40))
        std::shuffle(order.begin(), order.end(), random);
      std::string index;
      int64_t stride = 1;
      for (const Place &place : order) {
        index += fmt::format("{}{}{}", index.empty() ? "" : " + ", stride == 1 ? "" : number(stride) + "*",
                             place.text);
        stride *= place.size;
      }
      if (order.empty())
        index = "xindex";
      if (!order.empty() && value.bound * double(first.size * second.size) < mostExact && chance(20)) {
        const Place place = lookedUp(oneOf(order));
        line(fmt::format(
            "tl.atomic_add({0} + tl.broadcast_to({1}, {3}), tl.broadcast_to({2}, {3}), {4}, sem='relaxed')",
            output(value.isFloat, place.size), place.text, value.text, shape, masked(inside())));
        continue;
      }
      line(fmt::format("tl.store({} + ({}), {}, {})", output(value.isFloat, stride), index, value.text,
                       masked(inside())));
    }
  }

  /// Along the second index, all of it at once or block by block.
  void reduce(bool inLoop) {
    int block = 1;
    while (block < second.size)
      block *= 2;
    if (inLoop)
      block = std::max(1, block >> (1 + upTo(3)));
    const std::string sums = fresh("_tmp");
    const bool isMost = chance(30);
    if (inLoop)
      line(fmt::format("{} = tl.full([{}, {}], {}, tl.float32)", sums, rows, block,
                       isMost ? "float('-inf')" : "0"));
    Node loop{fmt::format("for roffset in tl.range(0, {}, {}):", second.limit, block), {}, {}};
    if (inLoop)
      nodes = &loop.body;
    line(fmt::format("rindex = {}tl.arange(0, {})[None, :]", inLoop ? "roffset + " : "", block));
    line(fmt::format("rmask = rindex < {}", second.limit));
    for (const std::string &text : lines)
      line(text);
    secondInside.text = "rmask";
    const Value value = values(1 + upTo(2)).front();
    const std::string kept = fresh("tmp"), reduced = fresh("tmp");
    line(fmt::format("{} = tl.broadcast_to({}.to(tl.float32), [{}, {}])", kept, value.text, rows, block));
    if (inLoop) {
      line(fmt::format("{0} = tl.where({1}, {2}({0}{3} {4}), {0})", sums, inside().text,
                       isMost ? "tl.maximum" : "", isMost ? "," : " +", kept));
      nodes = &kernel.body;
      nodes->push_back(std::move(loop));
    } else {
      line(fmt::format("{} = tl.where({}, {}, {})", sums, inside().text, kept,
                       isMost ? "float('-inf')" : "0"));
    }
    line(fmt::format("{} = tl.{}({}, 1)[:, None]", reduced, isMost ? "max" : "sum", sums));
    line(fmt::format("tl.store({} + (xindex), {}, {})", output(true, first.size), reduced,
                     masked(firstInside)));
    if (!inLoop && chance(60))
      line(fmt::format("tl.store({} + (rindex + {}*xindex), {} - {}, {})",
                       output(true, first.size * second.size), number(second.size), kept, reduced,
                       masked(inside())));
  }

  std::mt19937_64 &random;
  RandomKernel &kernel;
  std::vector<Node> *nodes = nullptr;
  std::vector<std::string> lines; ///< that take the indices apart
  Index first, second;
  Where firstInside, secondInside; ///< the elements that there are
  std::string shape;               ///< of an element each
  int rows = 1;
  int names = 0;
};

RandomKernel Generator::makeArrays() {
  ArrayKernel(random, kernel).make();
  return std::move(kernel);
}

} // namespace tegula::random
