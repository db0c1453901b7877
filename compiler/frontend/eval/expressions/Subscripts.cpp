#include "compiler/frontend/eval/expressions/Subscripts.h"

#include "compiler/frontend/eval/DeviceValues.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/classes/Aggregates.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::eval;

namespace {

/// `x[i]`, where `x` points to memory.
Value subscriptPointer(Evaluation &evaluator, const SubscriptPlace &place) {
  const SourceFile &source = evaluator.frame->unit->source();
  std::string_view pointer = source.slice(place.object), offset = source.slice(place.index);
  constexpr size_t longest = 40;
  bool isShort = pointer.size() + offset.size() < longest && offset.find('\n') == std::string_view::npos;
  Diagnostic &diagnostic = evaluator.reporter.error(
      place.whole, "unsupported tensor index: a pointer has no elements, memory is read with `tl.load`");
  addLoadFix(evaluator.reporter, diagnostic, place.object, place.index, place.whole);
  diagnostic.help = isShort ? "write `tl.load(" + std::string(pointer) + " + " + std::string(offset) + ")`"
                            : "write `tl.load(pointer + offset)`";
  return Poison();
}

/// Returns true if `expr` is `x[0]` or `x[i]` of a tensor, whatever the kernel is compiled for.
bool isElementOfTensor(Evaluation &evaluator, const ast::SubscriptExpr &expr) {
  return isDeviceValue(evaluator, expr.object) &&
         (ast::as<ast::NumberExpr>(expr.index) || isDeviceValue(evaluator, expr.index));
}

Value subscriptTensor(Evaluation &evaluator, const Tensor &tensor, const Value &index,
                      const SubscriptPlace &place) {
  SourceRange range = place.index;
  const Tuple *tuple = index.as<Tuple>();
  llvm::ArrayRef<Value> items = tuple ? tuple->items : llvm::ArrayRef<Value>(index);
  auto isWhole = [](const Value &item) {
    const SliceValue *slice = item.as<SliceValue>();
    return slice && slice->parts[0].isNone() && slice->parts[1].isNone() && slice->parts[2].isNone();
  };
  size_t rank = tensor.shape().size();
  // A scalar has no axis that `:` could keep: as in Triton, it gains one for each `None` all the same.
  size_t kept = rank == 0 ? 0 : llvm::count_if(items, isWhole);
  if (kept > rank) {
    Diagnostic &diagnostic = evaluator.reporter.error(
        range, "expected at most " + std::to_string(rank) + " `:` for a tensor of " + std::to_string(rank) +
                   " dimensions, found " + std::to_string(kept));
    evaluator.reporter.addOrigin(diagnostic, tensor.ir, "the tensor is made here");
    return Poison();
  }
  size_t made = rank + size_t(llvm::count_if(items, [](const Value &item) { return item.isNone(); }));
  if (made > MaxTensorRank)
    return evaluator.reporter.refuse(range, "expected at most " + std::to_string(MaxTensorRank) +
                                                " dimensions, found " + std::to_string(made));
  Tensor result = tensor;
  unsigned axis = 0;
  for (const Value &item : items) {
    if (item.isNone())
      result = evaluator.emit.expandDims(result, axis++);
    else if (isWhole(item))
      axis += rank == 0 ? 0 : 1;
    else if (item.is<EllipsisValue>())
      axis += unsigned(rank - kept);
    else if (tensor.dtype.isPointer()) {
      return subscriptPointer(evaluator, place);
    } else {
      Diagnostic &diagnostic = evaluator.reporter.error(
          range, "unsupported tensor index: expected only `None` and `:`, found " +
                     (item.is<SliceValue>() ? "a slice with bounds" : describe(item)));
      diagnostic.help = "elements of a tensor are reached by masks, `tl.where` and reductions";
      if (place.expr && isElementOfTensor(evaluator, *place.expr))
        diagnostic.basis = Basis::Text;
      return Poison();
    }
  }
  return result;
}

Value subscriptSequence(Evaluation &evaluator, const Value &sequence, const Value &index, SourceRange range) {
  std::optional<llvm::ArrayRef<Value>> items = evaluator.iterate(sequence, range);
  if (!items)
    return Poison();
  const Int size = Int(items->size());
  const SliceValue *slice = index.as<SliceValue>();
  std::optional<Int> number = knownOf(index).asInt();
  if (number) {
    Int place = *number < 0 ? *number + size : *number;
    if (place >= 0 && place < size)
      return (*items)[size_t(place)];
    return evaluator.reporter.refuse(range, "expected an index below " + toString(size) + ", found " +
                                                toString(*number));
  }
  if (!slice)
    return evaluator.reporter.refuse(range,
                                     "expected an index known at compile time, found " + describe(index));
  std::optional<Int> parts[3];
  for (unsigned i = 0; i < 3; ++i) {
    parts[i] = knownOf(slice->parts[i]).asInt();
    if (!parts[i] && !slice->parts[i].isNone())
      return evaluator.reporter.refuse(range, "expected bounds known at compile time, found " +
                                                  describe(slice->parts[i]));
  }
  // Longer strides than the sequence are all the same, and would overflow.
  Int stride = std::clamp(parts[2].value_or(1), -size - 1, size + 1);
  if (stride == 0)
    return evaluator.reporter.refuse(range, "expected a step other than 0");
  Int low = stride < 0 ? -1 : 0, high = stride < 0 ? size - 1 : size;
  auto bound = [&](std::optional<Int> part, Int whenAbsent) {
    Int place = part ? (*part < 0 ? *part + size : *part) : whenAbsent;
    return std::clamp(place, low, high);
  };
  Int first = bound(parts[0], stride < 0 ? high : low), last = bound(parts[1], stride < 0 ? low : high);
  llvm::SmallVector<Value> picked;
  for (Int i = first; stride < 0 ? i > last : i < last; i += stride)
    picked.push_back((*items)[size_t(i)]);
  if (sequence.is<std::string_view>()) {
    std::string text;
    for (const Value &item : picked)
      text += *item.as<std::string_view>();
    return evaluator.memory.text(text, range);
  }
  const Tuple *tuple = sequence.as<Tuple>();
  return evaluator.memory.tuple(picked, tuple && tuple->isList, range);
}

Value subscriptDict(Evaluation &evaluator, const Dict &dict, const Value &index, SourceRange range) {
  if (!evaluator.memory.charge(range, dict.items.size()))
    return Poison();
  for (const auto &[key, value] : dict.items)
    if (evaluator.constexprOps.equal(key, index))
      return value;
  return evaluator.reporter.refuse(range, "the dict has no key " + toText(index, true));
}

} // namespace

Value eval::subscript(Evaluation &evaluator, const Value &object, const Value &index,
                      const SubscriptPlace &place) {
  if (object.isPoison() || index.isPoison() || !evaluator.hasValue(object, place.object) ||
      !evaluator.isKnownThroughout(index, place.index))
    return Poison();
  evaluator.at(place.whole);
  if (aggregateOf(object))
    if (std::optional<Value> method = evaluator.aggregates().attribute(object, "__getitem__"))
      return evaluator.call(*method, index, place.whole);
  if (const Tensor *tensor = object.as<Tensor>())
    return subscriptTensor(evaluator, *tensor, index, place);
  if ((object.is<Tuple>() && !aggregateOf(object)) || object.is<std::string_view>() || object.is<Range>())
    return subscriptSequence(evaluator, object, index, place.index);
  if (const Dict *dict = object.as<Dict>())
    return subscriptDict(evaluator, *dict, index, place.index);
  Diagnostic &diagnostic = evaluator.reporter.error(
      place.whole, "expected a tensor, tuple or string before `[`, found " + describe(object));
  if (object.is<Function>()) {
    diagnostic.help = "a kernel cannot launch another: call the function directly";
    evaluator.reporter.addFix(diagnostic, "call the function directly",
                              {{{place.object.end, place.whole.end}, ""}});
  }
  return Poison();
}
