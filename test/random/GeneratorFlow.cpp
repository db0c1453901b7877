// The order of random statements, and where their results end up.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::random {

using enum ScalarKind;

Generator::Generator(uint64_t seed, const Features &features)
    : Writer(seed, features.kind), features(features) {}

RandomKernel Generator::make() {
  static const std::vector<uint32_t> warps{1, 2, 4, 4, 8}, sides{1, 2, 3, 4};
  kernel.numWarps = oneOf(warps);
  kernel.numStages = uint32_t(1 + upTo(4));
  kernel.numCtas = 1u << kernel.seed % 4; // no draw of its own, which would change what seeds stand for
  kernel.grid = {oneOf(sides), chance(25) ? 2u : 1u, 1};
  programs = kernel.grid[0] * kernel.grid[1];
  nodes = &kernel.body;
  line("pid = tl.program_id(0) + tl.program_id(1) * tl.num_programs(0)");
  load(Int32, anyShape());
  load(chance(50) ? Float32 : anyType(), oneOf(live).shape);
  const int statements = 5 + upTo(14);
  for (int i = 0; i < statements; ++i)
    statement(0);
  std::shuffle(live.begin(), live.end(), random);
  for (size_t i = 0; i < live.size() && i < 6; ++i)
    store(live[i]);
  return std::move(kernel);
}

void Generator::walk() {
  if (features.views && chance(40))
    walkBlocks();
  else
    walkPointer();
}

void Generator::statement(int depth) {
  const int dice = upTo(100);
  if (dice < 6 && features.branches && depth < 3)
    branch(depth);
  else if (dice < 12 && features.loops && depth < 2)
    forLoop(depth);
  else if (dice < 15 && features.loops && depth < 2)
    whileLoop(depth);
  else if (dice < 18 && features.loops && depth == 0)
    walk();
  else if (dice < 20 && features.branches && depth == 0)
    earlyReturn();
  else if (dice < 26 && features.atomics)
    atomic();
  else if (dice < 28 && features.barriers && depth == 0)
    exchangeThroughMemory();
  else if (dice < 31 && !live.empty())
    store(oneOf(live));
  else if (dice < 34)
    storeApproximate();
  else if (dice < 45 && depth > 0)
    update();
  else
    compute();
}

/// Statements with names of their own, which go with the block.
void Generator::block(std::vector<Node> &into, int statements, int depth) {
  std::vector<Node> *outside = nodes;
  const std::vector<Value> before = live;
  std::vector<Node> made;
  nodes = &made;
  for (int i = 0; i < statements; ++i)
    statement(depth);
  if (made.empty())
    line("pass");
  nodes = outside;
  live = before;
  into = std::move(made);
}

/// Gives a name that exists a new value of its type; floats keep their bounds.
void Generator::update() {
  std::vector<Value> candidates;
  for (const Value &value : live)
    if (value.type != Int1)
      candidates.push_back(value);
  if (candidates.empty())
    return;
  const Value target = oneOf(candidates);
  const Value by = get(target.type, target.shape);
  if (!isFloat(target.type)) {
    static const std::vector<std::string> operators{"+", "-", "*", "^", "|"};
    line(fmt::format("{0} = ({0} {1} {2}).to({3})", target.text, oneOf(operators), by.text,
                     nameOf(target.type)));
    return;
  }
  Value sum = target;
  sum.grain = std::min(target.grain, by.grain);
  sum.bound = target.bound + by.bound;
  if (by.grain < target.grain || !fits(sum, target.type))
    return;
  line(fmt::format("{0} = tl.minimum(tl.maximum({0} + {1}, {2}), {3}).to({4})", target.text, by.text,
                   -target.bound, target.bound, nameOf(target.type)));
}

void Generator::branch(int depth) {
  const Value c = condition({});
  const bool defines = chance(40);
  const ScalarKind type = anyType();
  const Shape shape = anyShape();
  const std::string name = fresh("v");
  Value joined{name, type, shape, 0, 0};
  const int arms = 1 + upTo(3) + (defines ? 1 : 0);
  std::vector<Node> all;
  for (int arm = 0; arm < std::min(arms, 3); ++arm) {
    const bool last = arm > 0 && arm == std::min(arms, 3) - 1;
    std::string head = arm == 0 ? fmt::format("if {}:", c.text) : fmt::format("elif {}:", condition({}).text);
    Node node{last ? "else:" : head, {}, {}};
    block(node.body, 1 + upTo(3), depth + 1);
    if (defines) {
      std::vector<Node> *outside = nodes;
      nodes = &node.body;
      const Value value = get(type, shape);
      joined.grain = std::min(joined.grain, value.grain);
      joined.bound = std::max(joined.bound, value.bound);
      line(fmt::format("{} = {}", name, value.text), simplerText(name, joined));
      nodes = outside;
      std::erase_if(live, [&](const Value &v) { // what `get` named in this arm
        return std::any_of(node.body.begin(), node.body.end(),
                           [&](const Node &n) { return n.text.starts_with(v.text + " ="); });
      });
    }
    all.push_back(std::move(node));
  }
  nodes->insert(nodes->end(), all.begin(), all.end());
  if (defines && (isFloat(type) ? fits(joined, type) : true))
    live.push_back(joined);
}

void Generator::forLoop(int depth) {
  static const std::vector<std::string> ranges{"range({0})",
                                               "range(1, {0} + 2)",
                                               "range(0, {0} * 3, 2)",
                                               "range({0}, -1, -1)",
                                               "tl.range({0})",
                                               "tl.range(0, {0} + 1, num_stages=3)",
                                               "tl.range(0, {0} * 2, 1, loop_unroll_factor=2)",
                                               "tl.static_range(3)"};
  const Value bound = define({fmt::format("({} & 3)", scalar(Int32).text), Int32, {}, 0, 0});
  const std::string k = fresh("k");
  Node node{fmt::format("for {} in {}:", k, fmt::format(fmt::runtime(oneOf(ranges)), bound.text)), {}, {}};
  // Known values of an unrolled loop are no scalars of the device.
  const bool isDevice = node.text.find("static") == std::string::npos;
  if (isDevice)
    live.push_back({k, Int32, {}, 0, 0});
  ++loopDepth;
  block(node.body, 1 + upTo(4), depth + 1);
  --loopDepth;
  if (isDevice)
    live.pop_back();
  std::erase_if(live, [&](const Value &value) { return value.text == bound.text; });
  nodes->push_back(std::move(node));
}

void Generator::whileLoop(int depth) {
  const std::string c = fresh("c");
  line(fmt::format("{} = {} & 3", c, scalar(Int32).text), fmt::format("{} = tl.full((), 1, tl.int32)", c));
  Node node{fmt::format("while {} > 0:", c), {}, {}};
  ++loopDepth;
  block(node.body, 1 + upTo(3), depth + 1);
  --loopDepth;
  node.body.push_back({fmt::format("{} -= 1", c), {}, {}});
  nodes->push_back(std::move(node));
}

/// A loop that loads through a pointer which it steps: what gets prefetched.
void Generator::walkPointer() {
  const ScalarKind type = chance(60) ? Float32 : integerType();
  const std::string array = kernel.arguments[inputOf(type)].name;
  static const std::vector<int> sides{16, 32, 64, 128};
  const int side = oneOf(sides);
  const Value trips = define({fmt::format("({} & 3)", scalar(Int32).text), Int32, {}, 0, 0});
  Value sum = define({fmt::format("tl.zeros({}, {})", textOf({side}), nameOf(type)), type, {side}, -1, 16});
  const std::string p = fresh("p"), k = fresh("k"), left = fresh("i");
  line(fmt::format("{} = {} + tl.arange(0, {})", p, array, side));
  line(fmt::format("{} = {}_len - tl.arange(0, {})", left, array, side));
  Node node{fmt::format("for {} in tl.range(0, {}, num_stages={}):", k, trips.text, 1 + upTo(4)), {}, {}};
  const std::string loaded = fresh("v");
  node.body.push_back({fmt::format("{} = tl.load({}, mask={} > 0, other=1)", loaded, p, left), {}, {}});
  node.body.push_back({fmt::format("{0} = ({0} + {1}).to({2})", sum.text, loaded, nameOf(type)), {}, {}});
  node.body.push_back({fmt::format("{} += {}", p, side), {}, {}});
  node.body.push_back({fmt::format("{} -= {}", left, side), {}, {}});
  nodes->push_back(std::move(node));
}

void Generator::earlyReturn() {
  Node node{
      fmt::format("if {}:", chance(50) ? fmt::format("pid == {}", upTo(4)) : condition({}).text), {}, {}};
  block(node.body, upTo(3), 1);
  if (node.body.size() == 1 && node.body.front().text == "pass")
    node.body.clear();
  node.body.push_back({"return", {}, {}});
  nodes->push_back(std::move(node));
}

std::string Generator::output(ScalarKind type, int64_t count, bool isCompared, double ulps, double error) {
  Argument &argument = Writer::output("y", type, count);
  argument.isOutput = isCompared;
  argument.ulps = ulps;
  argument.error = error;
  return argument.name;
}

void Generator::store(Value from, double ulps) {
  const Value value = from.type == Int1 ? convert(from, Int8) : from;
  const int64_t count = countOf(value.shape);
  if (!value.shape.empty() && !ulps && value.error == 0 && features.views && chance(15)) {
    storeBlock(value);
    return;
  }
  const std::string array = output(value.type, programs * count, true, ulps, value.error);
  if (value.shape.empty()) {
    line(fmt::format("tl.store({} + pid, {})", array, value.text));
    return;
  }
  const std::string index =
      fmt::format("{} + pid * {} + {}", array, count, iota(value.shape, "1", chance(20)));
  if (chance(30))
    line(fmt::format("tl.store({}, {}, mask={})", index, value.text, condition(value.shape).text));
  else
    line(fmt::format("tl.store({}, {})", index, value.text));
}

/// Functions that devices approximate: only stored, since nothing may depend on their last digit.
void Generator::storeApproximate() {
  static const std::vector<std::string> functions{"tl.exp({})",
                                                  "tl.exp2({})",
                                                  "tl.sqrt(tl.abs({}))",
                                                  "tl.log(tl.abs({}) + 1)",
                                                  "{} / (tl.abs({}) + 1)",
                                                  "tl.sin({})",
                                                  "tl.sqrt_rn(tl.abs({}))",
                                                  "tl.sigmoid({})"};
  const Shape shape = live.empty() || chance(30) ? anyShape() : oneOf(live).shape;
  const Value x = define(convert(convert(get(Float32, shape), Int32), Float32));
  const std::string &function = oneOf(functions);
  std::string text = fmt::format(fmt::runtime(function), x.text, x.text);
  // No name of `live`: nothing may be decided by its last digit.
  const Value y{fresh("v"), Float32, shape, 0, 0};
  line(fmt::format("{} = {}", y.text, text), simplerText(y.text, y));
  store(y, function.find("_rn") != std::string::npos ? 0 : 64);
}

/// Returns the arguments for an atomic's memory order, with a comma in front; often none.
std::string Generator::memoryOrder() {
  static const std::vector<std::string> orders{"acq_rel", "acquire", "release", "relaxed"},
      scopes{"gpu", "cta", "sys"};
  std::string text;
  if (chance(65))
    text = fmt::format(", sem='{}'", oneOf(orders));
  // Programs meet: what one block alone sees is not enough.
  if (chance(20))
    text += fmt::format(", scope='{}'", programs > 1 ? scopes[size_t(2 * upTo(2))] : oneOf(scopes));
  return text;
}

/// Elements are exchanged where they are as expected: each has a place of its own and learns what was there,
/// or all that meet in a place bring the same number and learn nothing.
void Generator::compareAndSwap() {
  static const std::vector<ScalarKind> types{Int32, Int32, UInt32, Int64, UInt64, Int16, UInt16};
  const ScalarKind type = oneOf(types);
  const Shape shape = chance(20) ? Shape{} : anyShape();
  if (chance(40)) {
    const std::string array = output(type, 32),
                      zero = fmt::format("tl.zeros({}, {})", textOf(shape), nameOf(type));
    line(fmt::format("tl.atomic_cas({} + ({} & 31), {}, {} + 7{})", array, get(Int32, shape).text,
                     shape.empty() ? constant(type).text + " * 0" : zero,
                     shape.empty() ? constant(type).text + " * 0" : zero, memoryOrder()));
    return;
  }
  const std::string array = output(type, programs * countOf(shape));
  const std::string where =
      shape.empty() ? array + " + pid"
                    : fmt::format("{} + pid * {} + {}", array, countOf(shape), iota(shape, "1", chance(30)));
  const Value expected = get(type, shape), value = get(type, shape);
  const std::string swap = fmt::format("tl.atomic_cas({}, ({} & 1).to({}), {}{})", where, expected.text,
                                       nameOf(type), value.text, memoryOrder());
  if (loopDepth == 0 && chance(50)) // what was there before is known
    define({swap, type, shape, 0, 0});
  else
    line(swap);
}

/// Programs and elements meet in one array, by one operation whose order does not show.
void Generator::atomic() {
  if (chance(15)) {
    compareAndSwap();
    return;
  }
  static const std::vector<std::string> kinds{"add", "add", "max", "min", "and", "or", "xor"};
  static const std::vector<ScalarKind> types{Int32, Int32, UInt32, Int64, UInt64};
  const Shape shape = chance(20) ? Shape{} : anyShape();
  const bool isFloating = chance(25);
  static const std::vector<ScalarKind> floats{Float32, Float32, Float32, Float64, Float16, BFloat16};
  const ScalarKind type = isFloating ? oneOf(floats) : oneOf(types);
  // A place where many meet has no room in 16 bits.
  const bool isAlone = chance(30) || bitsOf(type) == 16;
  const std::string kind = isFloating ? "add" : oneOf(kinds);
  Value value = get(type, shape);
  if (isFloating) // sums of many small numbers stay exact
    value = convert(convert(value, Int32), type);
  if (isAlone) { // an element for each: what was there before is known
    const std::string array = output(type, programs * countOf(shape));
    const std::string where =
        shape.empty() ? array + " + pid"
                      : fmt::format("{} + pid * {} + {}", array, countOf(shape), iota(shape, "1", false));
    const std::string order = memoryOrder();
    if (loopDepth == 0 && !shape.empty() && chance(50)) {
      define({fmt::format("tl.atomic_{}({}, {}{})", kind, where, value.text, order), type, shape, value.grain,
              value.bound});
      return;
    }
    line(fmt::format("tl.atomic_{}({}, {}{})", chance(30) && !isFloating ? "xchg" : kind, where, value.text,
                     order));
    return;
  }
  const std::string array = output(type, 32);
  const std::string index = get(Int32, shape).text;
  const std::string mask = chance(40) ? fmt::format(", mask={}", condition(shape).text) : "";
  line(fmt::format("tl.atomic_{}({} + ({} & 31), {}{}{})", kind, array, index, value.text, mask,
                   memoryOrder()));
}

/// Writes a store, a barrier, and a load of what other threads have stored.
void Generator::exchangeThroughMemory() {
  std::vector<Value> tensors;
  for (const Value &value : live)
    if (!value.shape.empty() && value.type != Int1)
      tensors.push_back(value);
  if (tensors.empty())
    return;
  const Value value = oneOf(tensors);
  const int64_t count = countOf(value.shape);
  const std::string array = output(value.type, programs * count), first = fresh("i");
  line(fmt::format("{} = {} + pid * {}", first, array, count));
  line(fmt::format("tl.store({} + {}, {})", first, iota(value.shape, "1", chance(30)), value.text));
  line("tl.debug_barrier()");
  Value loaded = value;
  loaded.text = fmt::format("tl.load({} + ({} & {}))", first, get(Int32, value.shape).text, count - 1);
  define(loaded);
}

} // namespace tegula::random
