// Python's own functions of ranges, dicts and classes, for values known at compile time.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/text/NamedTuples.h"

#include "dialect/tile/Limits.h"
#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using Items = llvm::SmallVector<Value, 8>;

enum RangeParameter { Start, End, Step, NumStages, UnrollFactor, SingleAcc, Flatten, Specialize, NoLicm };

/// A number of `tl.range`, 0 where it is not given: as it only asks for speed, what is too much becomes the
/// most there is.
std::optional<uint32_t> loopNumber(Call &call, size_t index, uint32_t most) {
  if (!call.given(index))
    return 0;
  std::optional<Int> number = call.integer(index);
  if (number && *number < 0) {
    call.errorAt(index, "expected a number that is not negative, found " + toString(*number));
    return std::nullopt;
  }
  // No stages and no copies at all is one of each.
  return number ? std::optional<uint32_t>(tile::stagesOf(uint32_t(std::min<Int>(*number, most))))
                : std::nullopt;
}

std::optional<LoopHints> loopHints(Call &call) {
  std::optional<uint32_t> stages = loopNumber(call, NumStages, tile::MaxStages),
                          unroll = loopNumber(call, UnrollFactor, tile::MaxUnroll);
  std::optional<bool> singleAcc = call.flag(SingleAcc, false), flatten = call.flag(Flatten, false),
                      specialize = call.flag(Specialize, false), noLicm = call.flag(NoLicm, false);
  if (!stages || !unroll || !singleAcc || !flatten || !specialize || !noLicm)
    return std::nullopt;
  return LoopHints{*stages, *unroll, *flatten, *singleAcc, *specialize, *noLicm};
}

enum class RangeKind : uint8_t { Python, Hinted, Unrolled };

void warnOfHint(Call &call, SourceRange hint) {
  Diagnostic &diagnostic =
      call.reporter.report(Severity::Warning, hint, "`range` has no hints, and this has no effect");
  diagnostic.help = "write `tl.range`";
  addSpellingFix(call.reporter, diagnostic, call.calleeRange(), "range", {"`tl.range`", "tl.range"});
}

/// `range(stop)`, `range(start, stop[, step])`, also as `tl.range` and `tl.static_range`.
template <RangeKind kind> Value range(Call &call) {
  constexpr bool unrolled = kind == RangeKind::Unrolled;
  LoopHints hints;
  if constexpr (kind == RangeKind::Hinted) {
    std::optional<LoopHints> given = loopHints(call);
    if (!given)
      return Poison();
    hints = *given;
  }
  // As in Triton, which reads past them without a word.
  if constexpr (kind == RangeKind::Python)
    for (size_t i = Step + 1; i < call.arguments.size(); ++i)
      if (call.arguments[i].given)
        warnOfHint(call, call.rangeOf(i));
  Items bounds = {Value(Int(0)), call.value(Start), call.given(Step) ? call.value(Step) : Value(Int(1))};
  if (call.given(End)) {
    bounds[0] = call.value(Start);
    bounds[1] = call.value(End);
  }
  if (unrolled)
    for (Value &bound : bounds)
      bound = knownOf(bound);
  // A step that was assigned a constant may count downwards too.
  const Tensor *stride = bounds[2].as<Tensor>();
  if (llvm::APInt known; stride && stride->dtype.isSigned() &&
                         mlir::matchPattern(stride->ir, mlir::m_ConstantInt(&known)) &&
                         !known.isStrictlyPositive())
    bounds[2] = Int(known.getSExtValue());
  if (std::optional<Int> step = bounds[2].asInt(); step && *step == 0)
    return call.error("expected a step other than 0");
  if (!unrolled && llvm::any_of(bounds, isRuntime))
    return RuntimeRange{call.evaluator.memory.keepAll(bounds).data(), hints};
  int64_t known[3];
  for (size_t i = 0; i < 3; ++i) {
    std::optional<Int> number = bounds[i].asInt();
    if (!number || !fits(*number, {ScalarKind::Int64}))
      return call.error("expected integers known at compile time as bounds, found " + describe(bounds[i]));
    known[i] = int64_t(*number);
  }
  return Range{known[0], known[1], known[2], unrolled, hints};
}

/// `while tl.condition(c, disable_licm=True)`: the condition, with a word to the loop whose it is.
Value condition(Call &call, const Value &holds, bool noLicm) {
  call.evaluator.conditionHints.noLicm = noLicm;
  return holds;
}

Value len(Call &call) {
  const Value &value = call.value(0);
  if (const Tuple *tuple = value.as<Tuple>())
    return Int(tuple->items.size());
  if (const Dict *dict = value.as<Dict>())
    return Int(dict->items.size());
  if (const Range *numbers = value.as<Range>())
    return Int(numbers->size());
  if (const Tensor *tensor = value.as<Tensor>(); tensor && !tensor->isScalar())
    return Int(tensor->shape()[0]);
  if (value.is<std::string_view>())
    if (std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(value, call.range))
      return Int(items->size());
  return call.errorAt(0, "expected something with a length, found " + describe(value));
}

Value str(Call &call) {
  if (!call.evaluator.isKnownThroughout(call.value(0), call.rangeOf(0)))
    return Poison();
  return call.evaluator.memory.text(toText(call.value(0), false), call.range);
}

/// `dict(a=1, b=2)`, also of a dict before it.
Value dict(Call &call) {
  llvm::SmallVector<std::pair<Value, Value>, 8> items;
  if (call.given(0)) {
    const Dict *before = call.value(0).as<Dict>();
    if (!before || before->isRecord)
      return call.errorAt(0, "expected a dict, found " + describe(call.value(0)));
    items.assign(before->items.begin(), before->items.end());
  }
  for (const auto &[name, argument] : call.keywords) {
    auto same = llvm::find_if(items, [&, key = name](const auto &item) {
      const auto *text = item.first.template as<std::string_view>();
      return text && *text == key;
    });
    if (same != items.end())
      same->second = argument.value;
    else
      items.emplace_back(Value(name), argument.value);
  }
  return call.evaluator.memory.dict(items, call.range);
}

/// `_named_tuple(items)`: a value of the class in whose source this stands.
Value namedTuple(Call &call) {
  const TupleClass &made = *tupleClass(*call.evaluator.frame->unit);
  return call.evaluator.memory.tuple(call.value(0).as<Tuple>()->items, false, call.range, &made.names);
}

Value isinstance(Call &call) {
  if (!call.evaluator.hasValue(call.value(0), call.rangeOf(0)))
    return Poison();
  const Tuple *several = call.value(1).as<Tuple>();
  bool found = false;
  for (const Value &type : several ? several->items : llvm::ArrayRef<Value>(call.value(1))) {
    Aggregates &aggregates = call.evaluator.aggregates();
    if (!aggregates.classOf(type) && !call.evaluator.hasValue(type, call.rangeOf(1)))
      return Poison();
    std::optional<bool> answer = aggregates.isInstance(call.value(0), type);
    if (!answer)
      return call.errorAt(1, "expected a class such as `tl.tensor` or `int`, found " + describe(type));
    found = found || *answer;
  }
  return found;
}

/// `tl.slice(start, stop, step)`, as an index of a tuple; Python's own takes fewer too, as `range` does.
template <bool isPython> Value sliceOf(Call &call) {
  Items parts = {call.value(0), call.value(1), call.value(2)};
  if (isPython && !call.arguments[1].given)
    std::swap(parts[0], parts[1]);
  for (Value &part : parts)
    if (part.isPoison())
      part = None();
  return SliceValue{call.evaluator.memory.keepAll(parts).data()};
}

Value getattr(Call &call, const Value &object, llvm::StringRef name) {
  // It is unknown whether an unknown object has the attribute, so a default says nothing.
  if (object.is<Unknown>())
    return call.evaluator.attribute(object, name, call.range);
  if (std::optional<Value> found = call.evaluator.findAttribute(object, name, call.range))
    return *found;
  return call.arguments[2].given ? call.value(2) : call.evaluator.attribute(object, name, call.range);
}

Value hasattr(Call &call, const Value &object, llvm::StringRef name) {
  return call.evaluator.findAttribute(object, name, call.range).has_value();
}

Value get(Call &call) {
  if (!call.evaluator.isKnownThroughout(call.value(1), call.rangeOf(1)))
    return Poison();
  for (const auto &[key, value] : call.value(0).as<Dict>()->items)
    if (call.evaluator.constexprOps.equal(key, call.value(1)))
      return value;
  return call.arguments[2].given ? call.value(2) : Value(None());
}

enum class DictPart : uint8_t { Keys, Values, Items };
template <DictPart part> Value dictPart(Call &call) {
  Items items;
  for (const auto &[key, value] : call.value(0).as<Dict>()->items)
    items.push_back(part == DictPart::Keys ? key
                    : part == DictPart::Values
                        ? value
                        : call.evaluator.memory.tuple({key, value}, false, call.range));
  return call.evaluator.memory.tuple(items, true, call.range);
}

constexpr Handler slice = sliceOf<false>, pythonSlice = sliceOf<true>;
constexpr Handler pythonRange = range<RangeKind::Python>, hintedRange = range<RangeKind::Hinted>,
                  staticRange = range<RangeKind::Unrolled>, keys = dictPart<DictPart::Keys>,
                  values = dictPart<DictPart::Values>, items = dictPart<DictPart::Items>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsPython.inc"
