// Python's functions of sequences and methods of lists, for values known at compile time; `min` and `max`
// also take run-time values.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/expressions/Operators.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>

using namespace tegula;
using namespace tegula::eval;

namespace {

using Items = llvm::SmallVector<Value, 8>;

/// Numbers that Python and a device order in ways of their own: a kernel takes the extremum of none.
bool isOrderedInSeveralWays(const Value &value) {
  const double *real = value.as<double>();
  return real && (std::isnan(*real) || (*real == 0 && std::signbit(*real)));
}

/// min and max: of the arguments, or of the items of the only one. Run-time values go through
/// tl.minimum and tl.maximum.
template <bool largest> Value extremum(Call &call) {
  Items items;
  for (const Argument &argument : call.rest)
    items.push_back(argument.value);
  if (items.size() == 1 && !items[0].is<Tensor>() && !items[0].isNumber()) {
    std::optional<llvm::ArrayRef<Value>> inner = call.evaluator.iterate(items[0], call.range);
    if (!inner)
      return Poison();
    items.assign(inner->begin(), inner->end());
  }
  if (items.empty())
    return call.error("expected one or more values");
  Value best = items[0];
  for (const Value &item : items)
    if (!call.evaluator.hasValue(item, call.range))
      return Poison();
  for (const Value &item : llvm::drop_begin(items)) {
    if (best.is<Tensor>() || item.is<Tensor>()) {
      best = call.semantics.extremum(largest, best, item, NanPolicy::None, call.range);
    } else if (call.evaluator.frame->mode == Mode::Kernel &&
               (isOrderedInSeveralWays(best) || isOrderedInSeveralWays(item))) {
      return call.error("expected numbers other than NaN and -0.0, found " + toText(best, true) + " and " +
                        toText(item, true));
    } else {
      Value before = eval::compare(call.evaluator, largest ? ast::CompareOp::Gt : ast::CompareOp::Lt, item,
                                   best, call.range);
      if (!before.isPoison()) {
        Value chosen = *truth(before) ? item : best;
        chosen.wrapped = item.wrapped || best.wrapped;
        best = chosen;
      } else {
        best = Poison();
      }
    }
    if (best.isPoison())
      return Poison();
  }
  return best;
}

template <bool isList> Value sequence(Call &call) {
  if (!call.arguments[0].given)
    return call.evaluator.memory.tuple({}, isList, call.range);
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  return items ? call.evaluator.memory.tuple(*items, isList, call.range) : Value(Poison());
}

/// `set(items)`: a tuple without items that it has already, which answers the same questions in their order.
Value set(Call &call) {
  if (!call.arguments[0].given)
    return call.evaluator.memory.tuple({}, false, call.range);
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  return items ? call.evaluator.distinct(*items, call.range) : Value(Poison());
}

Value sum(Call &call) {
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  Value total = call.arguments[1].given ? call.value(1) : Value(Int(0));
  for (const Value &item : items.value_or(llvm::ArrayRef<Value>()))
    total = eval::binary(call.evaluator, ast::BinaryOp::Add, total, item, call.range);
  return items ? total : Value(Poison());
}

template <bool all> Value quantify(Call &call) {
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  if (!items)
    return Poison();
  for (const Value &item : *items) {
    if (!call.evaluator.hasValue(item, call.range))
      return Poison();
    std::optional<bool> known = truth(item);
    if (!known)
      return call.error("expected truths known at compile time, found " + describe(item));
    if (*known != all)
      return !all;
  }
  return all;
}

Value zip(Call &call) {
  auto rows = call.rowsFromRest();
  if (!rows)
    return Poison();
  Items tuples;
  for (llvm::ArrayRef<Value> row : *rows)
    tuples.push_back(call.evaluator.memory.tuple(row, false, call.range));
  return call.evaluator.memory.tuple(tuples, true, call.range);
}

Value enumerate(Call &call) {
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  if (!items)
    return Poison();
  Items rows;
  for (size_t i = 0; i < items->size(); ++i)
    rows.push_back(call.evaluator.memory.tuple({Value(Int(i)), (*items)[i]}, false, call.range));
  return call.evaluator.memory.tuple(rows, true, call.range);
}

Value reversed(Call &call) {
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  if (!items)
    return Poison();
  Items backwards(llvm::reverse(*items));
  return call.evaluator.memory.tuple(backwards, true, call.range);
}

/// Returns the sort keys of a list: the items, or the results of a function of each.
std::optional<Items> sortKeys(Call &call, llvm::ArrayRef<Value> items) {
  Items keys(items);
  for (Value &key : keys) {
    if (call.given(1))
      key = call.evaluator.call(call.value(1), key, call.range);
    if (key.isPoison())
      return std::nullopt;
    if (isRuntime(key)) {
      call.error("expected values known at compile time, found " + describe(key));
      return std::nullopt;
    }
  }
  return keys;
}

/// `sorted(items, key=None, reverse=False)`: equal items keep their order, backwards too.
Value sorted(Call &call) {
  std::optional<llvm::ArrayRef<Value>> items = call.evaluator.iterate(call.value(0), call.range);
  std::optional<bool> backwards = call.flag(2, false);
  if (!items || !backwards)
    return Poison();
  std::optional<Items> keys = sortKeys(call, *items);
  if (!keys)
    return Poison();
  bool failed = false;
  auto isBefore = [&](size_t left, size_t right) {
    if (*backwards)
      std::swap(left, right);
    Value before =
        failed ? Value(false)
               : eval::compare(call.evaluator, ast::CompareOp::Lt, (*keys)[left], (*keys)[right], call.range);
    failed = failed || before.isPoison();
    return !failed && *truth(before);
  };
  // Insertion sort stays consistent with any answers of `isBefore`; hence charged for each comparison.
  if (!call.evaluator.memory.charge(call.range, items->size() * llvm::bit_width(items->size())))
    return Poison();
  llvm::SmallVector<size_t> order;
  for (size_t i = 0; i < items->size(); ++i)
    order.insert(std::upper_bound(order.begin(), order.end(), i, isBefore), i);
  if (failed)
    return Poison();
  Items found;
  for (size_t place : order)
    found.push_back((*items)[place]);
  return call.evaluator.memory.tuple(found, true, call.range);
}

/// Counts a value in a list or tuple, or finds its first place.
template <bool counts> Value occurrences(Call &call) {
  if (!call.evaluator.isKnownThroughout(call.value(0), call.rangeOf(0)) ||
      !call.evaluator.isKnownThroughout(call.value(1), call.rangeOf(1)))
    return Poison();
  for (size_t i : {0, 1})
    if (isRuntime(call.value(i)))
      return call.error("expected values known at compile time, found " + describe(call.value(i)));
  llvm::ArrayRef<Value> items = call.value(0).as<Tuple>()->items;
  auto isIt = [&](const Value &item) { return call.evaluator.constexprOps.equal(item, call.value(1)); };
  if (counts)
    return Int(llvm::count_if(items, isIt));
  auto found = llvm::find_if(items, isIt);
  if (found == items.end())
    return call.errorAt(1, "expected a value of the list, found " + toText(call.value(1), true));
  return Int(found - items.begin());
}

constexpr Handler min = extremum<false>, max = extremum<true>, tuple = sequence<false>, list = sequence<true>,
                  all = quantify<true>, any = quantify<false>, count = occurrences<true>,
                  index = occurrences<false>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsSequence.inc"
