// Features of the language that few kernels use: tuples in loops and calls, functions as arguments, random
// bits, bits of integers, indices of extremes.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::random {

using enum ScalarKind;

void Generator::computeRare() {
  switch (upTo(8)) {
  case 0:
    return randomBits();
  case 1:
    return bitsOfIntegers();
  case 2:
    return extremeAndIndex();
  case 3:
    return turnTuple();
  case 4:
    return callWithTuple();
  case 5:
    return arrangeRarely();
  case 6:
    return logic();
  default:
    return listOfParts();
  }
}

/// Philox's words: each bit of them counts.
void Generator::randomBits() {
  const Value offset = get(chance(80) ? Int32 : Int64, anyShape());
  const std::string seed = chance(50) ? "pid" : std::to_string(upTo(1 << 20));
  const std::string rounds = chance(60) ? "" : fmt::format(", {}", 1 + upTo(10));
  Value made{"", UInt32, offset.shape, 0, 0};
  if (chance(60)) {
    made.text = fmt::format("tl.randint({}, {}{})", seed, offset.text, rounds);
    define(made);
    return;
  }
  std::string names;
  std::vector<Value> words;
  for (int i = 0; i < 4; ++i) {
    made.text = fresh("v");
    names += (i ? ", " : "") + made.text;
    words.push_back(made);
  }
  std::string simpler;
  for (const Value &word : words)
    simpler += (simpler.empty() ? "" : "; ") + simplerText(word.text, word);
  line(fmt::format("{} = tl.randint4x({}, {}{})", names, seed, offset.text, rounds), simpler);
  live.insert(live.end(), words.begin(), words.end());
}

void Generator::bitsOfIntegers() {
  const Shape shape = anyShape();
  const Value a = get(Int32, shape), b = get(Int32, shape), c = get(Int32, shape);
  static const std::vector<std::string> ofOne{"popc", "clz", "ffs", "brev", "abs"},
      ofTwo{"mulhi", "mul24", "hadd", "rhadd"}, ofThree{"byte_perm", "sad"};
  Value made{"", Int32, shape, 0, 0};
  const int count = 1 + upTo(3);
  if (count == 1)
    made.text = fmt::format("libdevice.{}({})", oneOf(ofOne), a.text);
  else if (count == 2)
    made.text = fmt::format("libdevice.{}({}, {})", oneOf(ofTwo), a.text, b.text);
  else
    made.text = fmt::format("libdevice.{}({}, {}, {})", oneOf(ofThree), a.text, b.text, c.text);
  made.text += ".to(tl.int32)";
  define(made);
}

/// The extreme of each row, and which element it is: the leftmost, where several are.
void Generator::extremeAndIndex() {
  const std::optional<Value> found = anyTensor();
  if (!found)
    return;
  Value value = *found;
  const int axis = upTo(int(value.shape.size()));
  Value index{fresh("v"), Int32, value.shape, 0, 0};
  index.shape.erase(index.shape.begin() + axis);
  const std::string from = value.text;
  value.shape = index.shape;
  value.text = fresh("v");
  // As in Triton, narrow numbers come back in 32 bits.
  line(fmt::format("{}, {} = tl.{}({}, {}, return_indices=True)", value.text, index.text,
                   chance(50) ? "max" : "min", from, axis),
       simplerText(value.text, value) + "; " + simplerText(index.text, index));
  line(fmt::format("{0} = {0}.to({1})", value.text, nameOf(value.type)));
  live.push_back(value);
  live.push_back(index);
}

/// A tuple of values that a loop or a branch carries and turns.
void Generator::turnTuple() {
  const std::optional<std::pair<Value, Value>> two = twoAlike();
  if (!two)
    return;
  const auto &[a, b] = *two;
  const std::string tuple = fresh("t"), k = fresh("k");
  const bool isNamed = chance(50);
  line(fmt::format("{} = {}({}, ({}, {}))", tuple, isNamed ? "RarePair" : "", a.text, b.text,
                   chance(50) ? "pid" : "3"));
  const std::string turned = isNamed ? fmt::format("RarePair({0}.rest[0], ({0}.first, {0}.rest[1]))", tuple)
                                     : fmt::format("({0}[1][0], ({0}[0], {0}[1][1]))", tuple);
  std::vector<Node> turn{{fmt::format("{} = {}", tuple, turned), {}, {}}};
  if (chance(50) && features.branches)
    turn = {{fmt::format("if pid % 2 == {}:", upTo(2)), turn, {}}};
  if (features.loops)
    turn = {{fmt::format("for {} in range({}):", k, chance(50) ? "pid" : std::to_string(upTo(4))), turn, {}}};
  nodes->insert(nodes->end(), turn.begin(), turn.end());
  Value result = a;
  result.grain = std::min(a.grain, b.grain);
  result.bound = std::max(a.bound, b.bound);
  result.text = isNamed ? tuple + ".first" : tuple + "[0]";
  define(result);
}

/// Helpers that take tuples apart and call what they are given.
void Generator::callWithTuple() {
  const Shape shape = anyShape();
  const ScalarKind type = integerType();
  const Value a = get(type, shape), b = get(type, shape);
  static const std::vector<std::string> functions{"combine_product", "combine_or", "combine_greater",
                                                  "rare_minus"};
  Value made{"", type, shape, 0, 0};
  const std::string function = oneOf(functions);
  switch (upTo(3)) {
  case 0:
    made.text = fmt::format("rare_fold({}, ({}, {}, {}))", function, a.text, b.text, a.text);
    break;
  case 1:
    made.text = fmt::format("rare_apply({}, *({}, {}), times={})", function, a.text, b.text, 1 + upTo(3));
    break;
  default:
    made.text = fmt::format("rare_swapped(({}, {}))[{}]", a.text, b.text, upTo(2));
    break;
  }
  made.text = fmt::format("({}).to({})", made.text, nameOf(type));
  define(made);
}

void Generator::arrangeRarely() {
  const std::optional<Value> found = anyTensor();
  if (!found)
    return;
  Value value = *found;
  const int rank = int(value.shape.size());
  switch (upTo(4)) {
  case 0:
    value.text = fmt::format("{}.ravel()", value.text);
    value.shape = {int(countOf(value.shape))};
    break;
  case 1:
    value.text = fmt::format("tl.bitonic_merge({}{})", value.text, chance(50) ? ", descending=True" : "");
    break;
  case 2: {
    const int axis = upTo(rank + 1);
    value.text = fmt::format("{}.unsqueeze({}).squeeze({})", value.text, axis, axis - rank - 1);
    break;
  }
  default: {
    const Value i = get(Int32, value.shape), j = get(Int32, value.shape);
    Value row{fresh("v"), Int32, value.shape, 0, 0}, column = row;
    column.text = fresh("v");
    line(fmt::format("{}, {} = tl.swizzle2d({} & 7, {} & 15, 8, 16, {})", row.text, column.text, i.text,
                     j.text, 1 + upTo(4)),
         simplerText(row.text, row) + "; " + simplerText(column.text, column));
    live.push_back(row);
    live.push_back(column);
    return;
  }
  }
  if (value.shape.size() <= 4)
    define(value);
}

void Generator::logic() {
  const Shape shape = anyShape();
  const Value a = condition(shape), b = condition(shape);
  Value made{"", Int1, shape, 0, 0};
  static const std::vector<std::string> forms{"{0}.logical_and({1})", "{0}.logical_or({1})",
                                              "({0} and not {1})", "({0} or {1})", "({0} ^ {1})"};
  const Value left = define(a), right = define(b);
  made.text = fmt::format(fmt::runtime(oneOf(forms)), left.text, right.text);
  const Value both = define(made);
  const Value chosen = get(Int32, shape);
  define({fmt::format("tl.where({}, {}, {}.to(tl.int32))", both.text, chosen.text, both.text), Int32, shape,
          0, 0});
}

/// Values that a list over constants makes, put together again.
void Generator::listOfParts() {
  const Shape shape = anyShape();
  const ScalarKind type = integerType();
  const Value a = get(type, shape);
  const std::string list = fresh("l"), k = fresh("k"), sum = fresh("v");
  line(fmt::format("{} = [({} ^ {}).to({}) for {} in ({}, {}, {})]", list, a.text, k, nameOf(type), k,
                   upTo(100), upTo(100), upTo(100)));
  Value made{sum, type, shape, 0, 0};
  line(fmt::format("{} = {}[0]", sum, list), simplerText(sum, made));
  nodes->push_back(
      {fmt::format("for {} in tl.static_range(len({}) - 1):", k, list),
       {{fmt::format("{} = ({} * {}[{} + 1] + {}).to({})", sum, sum, list, k, k, nameOf(type)), {}, {}}},
       {}});
  live.push_back(made);
}

} // namespace tegula::random
