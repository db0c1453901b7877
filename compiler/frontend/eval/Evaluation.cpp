// Code in frames, values and limits, which the parts of the evaluator share.
#include "compiler/frontend/eval/Evaluation.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// The version that `name` names; the default one for a name that the front end refuses later.
const LanguageVersion &versionOf(const std::string &name) {
  const LanguageVersion *found = lookupLanguageVersion(name);
  return found ? *found : defaultLanguageVersion();
}

/// Expressions and statements within each other, over all inlined calls: what the stack of a thread bears.
constexpr unsigned maxDepth = 600;

} // namespace

Evaluation::Evaluation(mlir::MLIRContext *context, const FunctionTable &functions, const Unit &user,
                       const KernelSpec &spec, DiagnosticEngine &diagnostics)
    : functions(functions), user(user), spec(spec), language(versionOf(spec.tritonVersion)),
      reporter(diagnostics, context), memory(reporter), emit(context),
      semantics(emit, reporter, language, /*sanitizeOverflow=*/spec.debug && spec.overflowChecks),
      constexprOps(memory, reporter) {}

Evaluation::Depth::Depth(Evaluation &evaluator, SourceRange range) : evaluator(evaluator) {
  ok = ++evaluator.depth <= maxDepth;
  if (!ok && !evaluator.reporter.stopped())
    evaluator.reporter.fatal(range, "expressions, statements and calls nest deeper than " +
                                        std::to_string(maxDepth));
}

bool Evaluation::step(SourceRange range) {
  if (reporter.stopped() || !memory.charge(range))
    return false;
  if (emit.opCount() <= maxOps)
    return true;
  reporter.fatal(range, "the kernel exceeds its budget of " + std::to_string(maxOps) + " operations").help =
      "make unrolled loops shorter";
  return false;
}

Flow Evaluation::execBlock(ast::Block block) {
  const Continuation *outer = frame->continuation;
  Flow flow = Flow::Next;
  for (size_t i = 0; i < block.size() && flow == Flow::Next && !reporter.stopped(); ++i) {
    Continuation after{block.subspan(i + 1), outer};
    frame->continuation = &after;
    flow = exec(block[i]);
  }
  frame->continuation = outer;
  return flow;
}

Value Evaluation::execBody(Frame &callee) {
  mlir::Location outer = emit.loc;
  Frame *previous = std::exchange(frame, &callee);
  nameParameters();
  execBlock(callee.function->body);
  frame = previous;
  emit.loc = outer;
  return callee.returned;
}

Value Evaluation::within(Frame &inner, llvm::function_ref<Value()> evaluate) {
  Reporter::Scope active(reporter, inner.activation);
  Frame *previous = std::exchange(frame, &inner);
  Value value = evaluate();
  frame = previous;
  return value;
}

Value Evaluation::evalHost(const ast::Expr *expr, const Unit &unit, Scope *scope) {
  // A lambda may keep the scope.
  Frame host{
      .unit = &unit, .mode = Mode::Host, .scope = scope ? scope : &scopes.emplace_back(), .parent = frame};
  host.activation = {&unit, "", {}, reporter.current()};
  // Within one file the places of errors need no chain of their own.
  if (frame && frame->unit == &unit)
    host.activation = frame->activation;
  return within(host, [&] { return eval(expr); });
}

Value Evaluation::call(const Value &callee, llvm::ArrayRef<Value> values, SourceRange range) {
  Arguments arguments;
  for (const Value &value : values)
    arguments.positional.push_back({value, range, true});
  return call(callee, arguments, range, range);
}

bool Evaluation::isDecorated(ast::ExprList decorators, const Unit &unit,
                             llvm::ArrayRef<std::string_view> names) {
  Reporter::Quiet quiet(reporter);
  return llvm::any_of(decorators, [&](const ast::Expr *decorator) {
    const Value value = evalHost(decorator, unit);
    const BuiltinRef *ref = value.as<BuiltinRef>();
    return ref && llvm::is_contained(names, ref->builtin->name);
  });
}

bool Evaluation::isInExtern() const { return frame->function && frame->function->isExtern; }

bool Evaluation::mayRead(const Value &value) const {
  bool plain = value.isNumber() || value.is<std::string_view>() || value.is<Tuple>() || value.is<Dict>() ||
               value.is<Lambda>() || value.is<Range>();
  return frame->mode == Mode::Host || !plain || value.wrapped || isInExtern();
}

std::optional<llvm::ArrayRef<Value>> Evaluation::iterate(const Value &value, SourceRange range) {
  if (const Tuple *tuple = value.as<Tuple>(); tuple && !aggregateOf(value))
    return tuple->items;
  llvm::SmallVector<Value> items;
  if (const Range *numbers = value.as<Range>()) {
    // One past the limit is enough to be refused.
    for (uint64_t i = 0, n = std::min<uint64_t>(numbers->size(), maxTupleLeaves + 1); i < n; ++i) {
      if (!memory.charge(range))
        return std::nullopt;
      items.push_back(Int(numbers->at(i)));
    }
  } else if (const Dict *dict = value.as<Dict>()) {
    for (const auto &entry : dict->items)
      items.push_back(entry.first);
  } else if (const auto *text = value.as<std::string_view>()) {
    for (size_t i = 0; i < text->size();) {
      uint32_t codePoint = 0, bytes = std::max(1u, decodeUtf8(text->substr(i), codePoint));
      items.push_back(text->substr(i, bytes));
      i += bytes;
    }
  } else {
    if (!value.isPoison() && hasValue(value, range))
      reporter.error(range, "expected something to iterate over at compile time, found " + describe(value));
    return std::nullopt;
  }
  Value tuple = memory.tuple(items, true, range);
  if (const Tuple *made = tuple.as<Tuple>())
    return made->items;
  return std::nullopt;
}

Value Evaluation::distinct(llvm::ArrayRef<Value> items, SourceRange range) {
  if (!memory.charge(range, items.size() * items.size()))
    return Poison();
  llvm::SmallVector<Value, 8> kept;
  for (const Value &item : items)
    if (llvm::none_of(kept, [&](const Value &before) { return constexprOps.equal(before, item); }))
      kept.push_back(item);
  return memory.tuple(kept, false, range);
}

/// `value` with `change` applied to what is in it, tuples apart.
static Value mapLeaves(Memory &memory, const Value &value, SourceRange range,
                       llvm::function_ref<Value(const Value &)> change) {
  const Tuple *tuple = value.as<Tuple>();
  if (!tuple || aggregateOf(value))
    return change(value);
  llvm::SmallVector<Value, 8> items;
  for (const Value &item : tuple->items)
    items.push_back(mapLeaves(memory, item, range, change));
  return memory.tuple(items, tuple->isList, range, tuple->names);
}

Value Evaluation::decay(const Value &value, SourceRange range) {
  return mapLeaves(memory, value, range, [&](const Value &leaf) -> Value {
    // An aggregate keeps the parts it was made of.
    if (aggregateOf(leaf))
      return leaf;
    if (!leaf.isNumber()) {
      Value plain = leaf;
      plain.constant = nullptr;
      return plain;
    }
    at(range);
    return orPoison(semantics.toTensor(leaf, range));
  });
}

Value Evaluation::returned(const Value &value, SourceRange range) {
  if (language.keepsReturnedConstants)
    return value;
  return mapLeaves(memory, value, range, [&](const Value &leaf) {
    Value tensor = decay(leaf, range);
    if (leaf.isNumber() && tensor.is<Tensor>())
      tensor.constant = memory.keep(leaf);
    return tensor;
  });
}

Value Evaluation::asConstant(const Value &value, SourceRange range) {
  return mapLeaves(memory, value, range, [](const Value &leaf) { return knownOf(leaf); });
}
