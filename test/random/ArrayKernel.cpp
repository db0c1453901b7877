// Generates what kernels over arrays read, compute and write.
#include "test/random/ArrayKernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tegula::random {

using enum ScalarKind;

namespace {

constexpr double mostExact = 1 << 24; ///< of whole numbers in fp32

/// Numbers of elements that a program may have along an index that is not its only one.
const std::vector<int> fewElements{1, 2, 8, 16, 32};

} // namespace

RandomKernel ArrayKernel::make() {
  const int form = upTo(5); // 0, 1: one index; 2: two; 3: the second reduced at once; 4: in a loop
  first = split("x", form < 2 ? 3 : 2, form < 2 ? 6000 : 150);
  if (form >= 2)
    second = split(form == 2 ? "y" : "r", 2, 150);
  begin(form);
  if (form > 2)
    reduce(form == 4);
  else
    store(value(2 * (1 + upTo(3))));
  return std::move(kernel);
}

/// The indices and their masks.
void ArrayKernel::begin(int form) {
  static const std::vector<int> ones{64, 128, 256, 512, 1024};
  static const std::vector<uint32_t> warps{1, 2, 4, 4, 8};
  nodes = &kernel.body;
  kernel.numWarps = oneOf(warps);
  block = oneOf(form < 2 ? ones : fewElements);
  const bool isEven = first.size % block == 0 && chance(70);
  kernel.grid[0] = uint32_t((first.size + block - 1) / block + (!isEven && chance(20)));
  const char *wide = chance(15) ? ".to(tl.int64)" : ""; // as for arrays of more than 2^31 elements
  line(fmt::format("xoffset = tl.program_id(0){} * {}", wide, block));
  const char *across = form < 2 ? "[:]" : form == 2 ? "[None, :]" : "[:, None]";
  line(fmt::format("xindex = xoffset + tl.arange(0, {}){}{}", block, across, wide));
  line(isEven ? fmt::format("xmask = tl.full([{}], True, tl.int1){}", block, across)
              : fmt::format("xmask = xindex < {}", first.limit));
  if (!isEven || chance(40))
    firstInside.text = "xmask";
  shape = fmt::format("[{}]", block);
  if (form == 2)
    beginRows();
  if (form < 3)
    for (const std::string &text : lines)
      line(text);
}

/// Writes the rows of a program: a second index that programs divide among them like the first.
void ArrayKernel::beginRows() {
  const int rows = oneOf(fewElements);
  kernel.grid[1] = uint32_t((second.size + rows - 1) / rows);
  shape = fmt::format("[{}, {}]", rows, block);
  line(fmt::format(
      "yindex = {0} * {1} + tl.arange(0, {1})[:, None]",
      chance(50) ? "tl.program_id(1)" : "(tl.program_id(1) + tl.program_id(2) * tl.num_programs(1))", rows));
  line(fmt::format("ymask = yindex < {}", second.limit));
  secondInside.text = "ymask";
}

ArrayKernel::Value ArrayKernel::load() {
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
  Offset offset = offsetOf(used, chance(90) ? 1 : 2, /*hasGaps=*/true);
  if (chance(30))
    where = both(where, condition(chosen));
  int64_t least = 0, most = 0;
  for (Point p{0, 0}; p.x < first.size; ++p.x)
    for (p.r = 0; p.r < second.size; ++p.r)
      if (where.holds(p))
        least = std::min(least, offset.at(p)), most = std::max(most, offset.at(p));
  const std::string name = input(oneOf(types), most - least + 1), value = fresh("tmp");
  if (least < 0)
    offset.text += fmt::format(" + {}", -least);
  // Elements that only the mask of the whole kernel excludes are not used later.
  const bool needsOther = where.text != there.text || !second.places.empty();
  line(fmt::format("{} = tl.load({} + ({}), {}{}{})", value, name, offset.text, masked(where),
                   chance(30) ? ", eviction_policy='evict_last'" : "",
                   where.text.empty() || (!needsOther && chance(50)) ? "" : ", other=0"));
  const bool isFloat = tegula::random::isFloat(kernel.arguments.back().type.scalar);
  const std::string same = fresh("tmp");
  line(fmt::format("{} = {}.to({})", same, value, isFloat ? "tl.float32" : "tl.int32"));
  return {same, isFloat, 8};
}

std::string ArrayKernel::input(ScalarKind type, int64_t count) {
  Argument array = newArray("in_ptr", type, 10);
  for (int64_t i = 0; i < count + array.skip; ++i)
    addElement(array, isSigned(type) || isFloat(type) ? upTo(17) - 8 : upTo(9));
  kernel.arguments.push_back(array);
  return array.name;
}

/// So that sums of all elements along the second index are exact in any order.
double ArrayKernel::mostOfElement() const { return mostExact / double(second.size); }

ArrayKernel::Value ArrayKernel::combined(const Value &a, const Value &b) {
  Value result{fresh("tmp"), a.isFloat || b.isFloat, a.bound + b.bound};
  switch (upTo(8)) {
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
    line(fmt::format("{} = tl.m{}imum({}, {})", result.text, chance(50) ? "ax" : "in", a.text, b.text));
    break;
  case 4:
    if (!result.isFloat)
      return ofIntegers(a, b);
    [[fallthrough]];
  case 5:
    line(fmt::format("{} = ({} {} {}).to(tl.int8).to(tl.{})", result.text, a.text,
                     chance(50) ? "<=" : "!=", b.text, result.isFloat ? "float32" : "int32"));
    break;
  default:
    line(fmt::format("{} = tl.where({}, {}, {})", result.text, condition(places()).text, a.text, b.text));
  }
  return result;
}

/// Quotients rounded down, remainders of the divisor's sign, and bits.
ArrayKernel::Value ArrayKernel::ofIntegers(const Value &a, const Value &b) {
  Value result{fresh("tmp"), false, a.bound + b.bound};
  if (chance(30)) {
    result.bound = double(std::bit_ceil(uint64_t(result.bound)));
    line(fmt::format("{} = {} {} {}", result.text, a.text, chance(50) ? "^" : "&", b.text));
    return result;
  }
  const std::string divisor = fresh("tmp"), rest = fresh("tmp");
  line(fmt::format("{0} = tl.where({1} == 0, 3, {1})", divisor, b.text));
  line(fmt::format("{} = {} % {}", rest, a.text, divisor));
  if (chance(50))
    line(fmt::format("{0} = tl.where(({1} != 0) & (({1} < 0) != ({2} < 0)), {1} + {2}, {1})", result.text,
                     rest, divisor));
  else
    line(fmt::format("{0} = tl.where(({1} < 0) != ({2} < 0), tl.where({3} != 0, {1} // {2} - 1, {1} // {2}), "
                     "{1} // {2})",
                     result.text, a.text, divisor, rest));
  return result;
}

/// One of so many loads at least, or several put together.
ArrayKernel::Value ArrayKernel::value(int loads) {
  Value made = load();
  while (--loads > 0) {
    const Value other = load();
    made = made.bound + other.bound <= mostOfElement() ? combined(made, other) : other;
  }
  return made;
}

std::string ArrayKernel::output(bool isFloat, int64_t count) {
  return Writer::output("out_ptr", isFloat ? Float32 : chance(50) ? Int32 : Int64, count).name;
}

/// To a place of its own for each element, in any order of dimensions; or added up in few places.
void ArrayKernel::store(const Value &value) {
  std::vector<Place> order = places();
  if (chance(40))
    std::shuffle(order.begin(), order.end(), random);
  const Offset offset = offsetOf(order, 1, /*hasGaps=*/false);
  if (value.bound * double(first.size * second.size) < mostExact && chance(20)) {
    const Place place = lookedUp(oneOf(order));
    line(fmt::format(
        "tl.atomic_add({0} + tl.broadcast_to({1}, {3}), tl.broadcast_to({2}, {3}), {4}, sem='relaxed')",
        output(value.isFloat, place.size), place.text, value.text, shape, masked(inside())));
    return;
  }
  line(fmt::format("tl.store({} + ({}), {}, {})", output(value.isFloat, offset.count), offset.text,
                   value.text, masked(inside())));
}

/// Along the second index, all of it at once or block by block.
void ArrayKernel::reduce(bool inLoop) {
  auto step = int(std::bit_ceil(uint64_t(second.size)));
  if (inLoop)
    step = std::max(1, step >> (1 + upTo(3)));
  shape = fmt::format("[{}, {}]", block, step);
  const std::string sums = fresh("_tmp");
  const bool isMost = chance(30);
  const char *neutral = isMost ? "float('-inf')" : "0";
  if (inLoop)
    line(fmt::format("{} = tl.full({}, {}, tl.float32)", sums, shape, neutral));
  Node loop{fmt::format("for roffset in tl.range(0, {}, {}):", second.limit, step), {}, {}};
  if (inLoop)
    nodes = &loop.body;
  line(fmt::format("rindex = {}tl.arange(0, {})[None, :]", inLoop ? "roffset + " : "", step));
  line(fmt::format("rmask = rindex < {}", second.limit));
  for (const std::string &text : lines)
    line(text);
  secondInside.text = "rmask";
  const Value reducible = value(2 * (1 + upTo(2)));
  const std::string kept = fresh("tmp"), reduced = fresh("tmp");
  line(fmt::format("{} = tl.broadcast_to({}.to(tl.float32), {})", kept, reducible.text, shape));
  if (inLoop) {
    line(fmt::format("{0} = tl.where({1}, {2}({0}{3} {4}), {0})", sums, inside().text,
                     isMost ? "tl.maximum" : "", isMost ? "," : " +", kept));
    nodes = &kernel.body;
    nodes->push_back(std::move(loop));
  } else {
    line(fmt::format("{} = tl.where({}, {}, {})", sums, inside().text, kept, neutral));
  }
  line(fmt::format("{} = tl.{}({}, 1)[:, None]", reduced, isMost ? "max" : "sum", sums));
  line(
      fmt::format("tl.store({} + (xindex), {}, {})", output(true, first.size), reduced, masked(firstInside)));
  if (!inLoop && chance(60))
    line(fmt::format("tl.store({} + (rindex + {}*xindex), {} - {}, {})",
                     output(true, first.size * second.size), number(second.size), kept, reduced,
                     masked(inside())));
}

} // namespace tegula::random
