// Random statements that compute: arithmetic, selections, shapes, reductions, calls.
#include "test/random/Generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tegula::random {

using enum ScalarKind;

void Generator::compute() {
  if (features.kind == Kind::Rare && chance(40))
    return computeRare();
  const int dice = upTo(100);
  if (dice < 35)
    integers();
  else if (dice < 60)
    floats();
  else if (dice < 70)
    selection();
  else if (dice < 78)
    shapes();
  else if (dice < 84)
    callHelper();
  else if (dice < 87)
    load(anyType(), anyShape());
  else if (dice < 88 && features.maps)
    chance(60) ? mapElements() : turnBox();
  else if (dice < 90 && features.views && chance(60))
    useDescriptor();
  else if (dice < 91 && features.views)
    loadBlock(integerType(), anyShape());
  else if (dice < 93 && features.scans)
    scan();
  else if (dice < 95 && features.scans)
    rearrange();
  else if (features.reductions)
    reduction();
  else
    integers();
}

void Generator::integers() {
  const ScalarKind type = integerType();
  const Shape shape = chance(15) ? Shape{} : live.empty() || chance(30) ? anyShape() : oneOf(live).shape;
  const Value a = get(type, shape), b = chance(20) ? constant(type) : get(type, shape);
  Value result{"", type, shape, 0, 0};
  const int bits = bitsOf(type);
  static const std::vector<std::string> plain{"+", "-", "*", "&", "|", "^"};
  switch (upTo(9)) {
  case 5: { // the upper half of a product, which takes unsigned numbers of 32 or 64 bits
    if (bits < 32)
      return;
    const std::string word = bits == 32 ? "tl.uint32" : "tl.uint64";
    result.text = fmt::format("tl.umulhi(({}).to({}), ({}).to({}))", a.text, word, b.text, word);
    break;
  }
  case 0: // divisors are 1 to 16: never 0, nor -1
    result.text = fmt::format("{} {} (({} & 15) + 1)", a.text, chance(50) ? "//" : "%", b.text);
    break;
  case 1:
    result.text = fmt::format("{} {} ({} & {})", a.text, chance(50) ? "<<" : ">>", b.text, bits - 1);
    break;
  case 2:
    result.text = fmt::format("tl.{}({}, {})", chance(50) ? "minimum" : "maximum", a.text, b.text);
    break;
  case 3:
    result.text =
        isSigned(type) && chance(50) ? fmt::format("tl.abs({})", a.text) : fmt::format("~{}", a.text);
    break;
  case 4:
    result.text = fmt::format("{} * {} {} {}", a.text, b.text, chance(50) ? "+" : "-", get(type, shape).text);
    break;
  default:
    result.text = fmt::format("{} {} {}", a.text, oneOf(plain), b.text);
  }
  // An op of two small types may give a wider one.
  result.text = fmt::format("({}).to({})", result.text, nameOf(type));
  define(result);
}

void Generator::floats() {
  static const std::vector<ScalarKind> types{Float16, BFloat16, Float32, Float32, Float64};
  const ScalarKind type = oneOf(types);
  const Shape shape = chance(15) ? Shape{} : live.empty() || chance(30) ? anyShape() : oneOf(live).shape;
  const Value a = get(type, shape), b = chance(20) ? constant(type) : get(type, shape);
  Value result{"", type, shape, std::min(a.grain, b.grain), a.bound + b.bound};
  switch (upTo(6)) {
  case 0:
    result.text = fmt::format("{} * {}", a.text, b.text);
    result.grain = a.grain + b.grain;
    result.bound = a.bound * b.bound;
    break;
  case 1:
    result.text = fmt::format("tl.{}({}, {})", chance(50) ? "minimum" : "maximum", a.text, b.text);
    result.bound = std::max(a.bound, b.bound);
    break;
  case 2: {
    const Value c = get(type, shape);
    result.text = chance(50) ? fmt::format("tl.fma({}, {}, {})", a.text, b.text, c.text)
                             : fmt::format("{} * {} + {}", a.text, b.text, c.text);
    result.grain = std::min(a.grain + b.grain, c.grain);
    result.bound = a.bound * b.bound + c.bound;
    break;
  }
  case 3:
    result.text = chance(50) ? fmt::format("-{}", a.text) : fmt::format("tl.abs({})", a.text);
    result.grain = a.grain;
    result.bound = a.bound;
    break;
  default:
    result.text = fmt::format("{} {} {}", a.text, chance(50) ? "+" : "-", b.text);
  }
  if (!fits(result, type)) // too large to stay exact
    result = Value{fmt::format("tl.minimum({}, {})", a.text, b.text), type, shape, std::min(a.grain, b.grain),
                   std::max(a.bound, b.bound)};
  if (!fits(result, type))
    return;
  result.text = fmt::format("({}).to({})", result.text, nameOf(type));
  define(result);
}

void Generator::selection() {
  const ScalarKind type = anyType();
  const Shape shape = live.empty() || chance(30) ? anyShape() : oneOf(live).shape;
  const Value c = condition(shape);
  if (type == Int1) {
    static const std::vector<std::string> operators{"&", "|", "^"};
    define({fmt::format("{} {} {}", c.text, oneOf(operators), condition(shape).text), Int1, shape, 0, 0});
    return;
  }
  const Value a = get(type, shape), b = get(type, shape);
  define({fmt::format("tl.where({}, {}, {})", c.text, a.text, b.text), type, shape,
          std::min(a.grain, b.grain), std::max(a.bound, b.bound)});
}

void Generator::shapes() {
  std::vector<Value> tensors;
  for (const Value &value : live)
    if (!value.shape.empty() && value.type != Int1)
      tensors.push_back(value);
  if (tensors.empty())
    return;
  Value value = oneOf(tensors);
  const size_t rank = value.shape.size();
  if (rank > 1 && chance(60)) {
    std::vector<int> order(rank);
    for (size_t dim = 0; dim < rank; ++dim)
      order[dim] = int(dim);
    std::shuffle(order.begin(), order.end(), random);
    Shape shape;
    std::string text;
    for (int dim : order) {
      shape.push_back(value.shape[size_t(dim)]);
      text += fmt::format(", {}", dim);
    }
    value.text = fmt::format("tl.trans({}{})", value.text, text);
    value.shape = shape;
  } else if (rank < 3 && chance(40)) {
    const int axis = upTo(int(rank) + 1);
    value.text = fmt::format("tl.expand_dims({}, {})", value.text, axis);
    value.shape.insert(value.shape.begin() + axis, 1);
  } else {
    const int64_t count = countOf(value.shape);
    Shape shape{int(count)};
    if (count > 1 && chance(70)) {
      const int side = 1 << upTo(std::min(6, int(std::log2(double(count))) + 1));
      shape = chance(50) ? Shape{side, int(count) / side} : Shape{int(count) / side, side};
    }
    if (shape == value.shape)
      return;
    value = reshape(value, shape);
  }
  define(value);
}

void Generator::reduction() {
  std::vector<Value> tensors;
  for (const Value &value : live)
    if (!value.shape.empty() && value.type != Int1)
      tensors.push_back(value);
  if (tensors.empty())
    return;
  const Value from = oneOf(tensors);
  const int rank = int(from.shape.size());
  const bool all = chance(25);
  const int axis = upTo(rank);
  Shape shape = from.shape;
  const bool keeps = chance(30);
  if (all)
    shape = keeps ? Shape(size_t(rank), 1) : Shape{};
  else if (keeps)
    shape[size_t(axis)] = 1;
  else
    shape.erase(shape.begin() + axis);
  const std::string where =
      (all ? std::string(chance(50) ? ", axis=None" : "") : fmt::format(", axis={}", axis)) +
      (keeps ? ", keep_dims=True" : "");
  const int64_t count = all ? countOf(from.shape) : from.shape[size_t(axis)];
  const std::string cast = fmt::format(".to({})", nameOf(from.type));
  const int dice = upTo(100);
  if (dice < 20 && !all && !keeps) {
    customReduction(from, axis, shape);
  } else if (dice < 40) {
    static const std::vector<std::string> places{"argmax", "argmin"};
    if (all && keeps)
      return;
    define({fmt::format("tl.{}({}, axis={}{})", oneOf(places),
                        all ? fmt::format("tl.reshape({}, {})", from.text, textOf({int(count)})) : from.text,
                        all ? 0 : axis, keeps ? ", keep_dims=True" : ""),
            Int32, all ? Shape{} : shape, 0, 0});
  } else if (isFloat(from.type)) {
    const bool sums = chance(50);
    Value result{"", from.type, shape, from.grain, sums ? from.bound * double(count) : from.bound};
    if (!fits(result, from.type))
      result.bound = from.bound;
    const bool exact = result.bound != from.bound || count == 1;
    result.text = fmt::format("tl.{}({}{}){}",
                              sums && exact ? "sum"
                              : chance(50)  ? "max"
                                            : "min",
                              from.text, where, cast);
    define(result);
  } else {
    static const std::vector<std::string> kinds{"sum", "max", "min", "xor_sum"};
    define({fmt::format("tl.{}({}{}){}", oneOf(kinds), from.text, where, cast), from.type, shape, 0, 0});
  }
}

/// `tl.reduce` by a function of the file; some take two operands at once.
void Generator::customReduction(const Value &from, int axis, const Shape &shape) {
  if (chance(40)) {
    const Value places = get(Int32, from.shape);
    const Value named = define(places);
    const std::string a = fresh("v"), b = fresh("v");
    Value first = from, second = named;
    first.text = a;
    second.text = b;
    first.shape = second.shape = shape;
    line(fmt::format("{}, {} = tl.reduce(({}, {}), {}, combine_pair)", a, b, from.text, named.text, axis),
         simplerText(a, first) + "; " + simplerText(b, second));
    live.push_back(first);
    live.push_back(second);
    return;
  }
  static const std::vector<std::string> ofIntegers{"combine_product", "combine_or", "combine_greater"};
  Value result = from;
  result.shape = shape;
  result.text = fmt::format("tl.reduce({}, {}, {})", from.text, axis,
                            isFloat(from.type) ? "combine_greater" : oneOf(ofIntegers));
  define(result);
}

void Generator::callHelper() {
  const Shape shape = live.empty() || chance(30) ? anyShape() : oneOf(live).shape;
  const Value n = define(scalar(Int32));
  if (chance(50)) {
    const ScalarKind type = integerType();
    const Value a = get(type, shape), b = get(type, shape);
    const std::string first = fresh("v"), second = fresh("v");
    Value lesser{first, type, shape, 0, 0}, greater{second, type, shape, 0, 0};
    line(fmt::format("{}, {} = helper_sort({}, {})", first, second, a.text, b.text),
         simplerText(first, lesser) + "; " + simplerText(second, greater));
    live.push_back(lesser);
    live.push_back(greater);
    return;
  }
  if (!features.branches)
    return;
  const ScalarKind type = integerType();
  define({fmt::format("helper_early({}, {})", get(type, shape).text, n.text), type, shape, 0, 0});
}

} // namespace tegula::random
