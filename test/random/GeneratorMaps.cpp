// Functions of scalars for each element, with control flow of its own; values of a class, which loops carry.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::random {

using enum ScalarKind;

void Generator::mapElements() {
  const std::optional<Value> found = anyTensor();
  if (!found)
    return;
  const Value a = *found;
  if (chance(30)) { // as many rounds as the element says
    const Value number = get(Int32, a.shape);
    define({fmt::format("tl.map_elementwise(map_steps, {} & 127)", number.text), Int32, a.shape, 0, 0});
    return;
  }
  const Value b = convert(get(a.type, a.shape), a.type);
  if (b.shape != a.shape)
    return;
  Value result = a;
  result.grain = std::min(a.grain, b.grain);
  result.bound = std::max(a.bound, b.bound);
  if (chance(40)) {
    result.text = fmt::format("tl.map_elementwise(map_pair, {}, {}, pack=2)", a.text, b.text);
    define(result);
    return;
  }
  Value less = result, greater = result;
  less.text = fresh("v");
  greater.text = fresh("v");
  line(fmt::format("{}, {} = tl.map_elementwise(map_ordered, {}, {})", less.text, greater.text, a.text,
                   b.text),
       simplerText(less.text, less) + "; " + simplerText(greater.text, greater));
  live.push_back(less);
  live.push_back(greater);
}

/// Two values in one, which turn in a loop or where a condition says.
void Generator::turnBox() {
  const std::optional<std::pair<Value, Value>> two = twoAlike();
  if (!two)
    return;
  const auto &[a, b] = *two;
  const std::string box = fresh("g"), k = fresh("k");
  line(fmt::format("{} = Box({}, {}, {})", box, a.text, b.text, 1 + upTo(3)));
  std::vector<Node> turn{{fmt::format("{0} = {0}.turned()", box), {}, {}}};
  if (chance(50)) {
    const std::string condition = fmt::format("{} % 2 == {}", k, upTo(2));
    turn = {{"if " + condition + ":", turn, {}}};
  }
  if (features.loops)
    nodes->push_back(
        {fmt::format("for {} in range({}):", k, chance(50) ? "pid" : std::to_string(upTo(5))), turn, {}});
  Value result = a;
  result.grain = std::min(a.grain, b.grain);
  result.bound = std::max(a.bound, b.bound);
  const bool isInteger = !isFloat(a.type);
  result.text = isInteger && chance(50) ? fmt::format("{}.mixed()", box) : fmt::format("{}.first", box);
  define(result);
}

} // namespace tegula::random
