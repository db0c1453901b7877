// Branches on the device: `if` and conditional expressions whose condition is a run-time scalar become
// `scf.if`; what the two sides leave different becomes its results.
//
// A `return` in a branch ends the function there, so the statements after the `if` belong to the side that
// does not return:
//
//     if done:             scf.if %done { }
//         return           else { REST }
//     REST
#include "compiler/frontend/eval/Bindings.h"
#include "compiler/frontend/eval/Evaluator.h"
#include "compiler/frontend/values/Carried.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tegula;
using namespace tegula::eval;

/// One side while it is built: detached, because the results of the `scf.if` are known only afterwards.
struct Evaluator::Side {
  mlir::Region region;
  Scope::Bindings bindings;
  Flow flow = Flow::Next;
  Value value;            ///< what the function returns, or the value of the expression
  SourceRange valueRange; ///< of the `return`, if any
};

void Evaluator::runSide(Side &side, llvm::function_ref<void(Side &)> body) {
  mlir::OpBuilder::InsertionGuard guard(emit.builder);
  emit.builder.setInsertionPointToStart(&side.region.emplaceBlock());
  Scope::Bindings before = frame->scope->bindings;
  body(side);
  side.bindings = std::exchange(frame->scope->bindings, std::move(before));
}

/// Makes tensors of numbers in which the sides differ, or for which the other side has a tensor: a number of
/// the launch and a scalar computed from it.
void Evaluator::decayUnlike(Value &a, Value &b, Side &first, Side &second) {
  const Tuple *left = a.as<Tuple>(), *right = b.as<Tuple>();
  if (left && right && left->items.size() == right->items.size() && !aggregateOf(a) && !aggregateOf(b)) {
    llvm::SmallVector<Value, 8> ofA(left->items), ofB(right->items);
    for (auto [x, y] : llvm::zip_equal(ofA, ofB))
      decayUnlike(x, y, first, second);
    a = memory.tuple(ofA, left->isList, {}, left->names);
    b = memory.tuple(ofB, right->isList, {}, right->names);
    return;
  }
  if (isIdentical(a, b))
    return;
  for (auto [number, other, side] : {std::tuple(&a, &b, &first), std::tuple(&b, &a, &second)})
    if (number->isNumber() && (other->is<Tensor>() || other->isNumber())) {
      emit.builder.setInsertionPointToEnd(&side->region.front());
      if (std::optional<Tensor> scalar = semantics.toTensor(*number, {}))
        *number = *scalar;
    }
}

std::optional<Value> Evaluator::mergeSides(Value &a, Value &b, Side &first, Side &second) {
  if (a.isPoison() || b.isPoison())
    return Value(Poison());
  if (isIdentical(a, b))
    return a;
  mlir::OpBuilder::InsertionGuard guard(emit.builder);
  decayUnlike(a, b, first, second);
  if (isCompatible(a, b))
    return std::nullopt;
  return Value(Poison());
}

/// Makes the op of two finished sides; `a` and `b` are what they yield.
llvm::SmallVector<mlir::Value> Evaluator::finishBranch(mlir::Value condition, SourceRange range, Side &first,
                                                       Side &second, llvm::ArrayRef<mlir::Value> a,
                                                       llvm::ArrayRef<mlir::Value> b) {
  at(range);
  llvm::SmallVector<mlir::Type> types(mlir::ValueRange(a).getTypes());
  auto op = mlir::scf::IfOp::create(emit.builder, emit.loc, types, condition, /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
  bool needsElse = !types.empty() || !second.region.front().empty();
  mlir::OpBuilder::InsertionGuard guard(emit.builder);
  op.getThenRegion().takeBody(first.region);
  emit.builder.setInsertionPointToEnd(&op.getThenRegion().front());
  mlir::scf::YieldOp::create(emit.builder, emit.loc, a);
  if (needsElse) {
    op.getElseRegion().takeBody(second.region);
    emit.builder.setInsertionPointToEnd(&op.getElseRegion().front());
    mlir::scf::YieldOp::create(emit.builder, emit.loc, b);
  }
  return llvm::SmallVector<mlir::Value>(op.getResults());
}

/// Returns the result of a function that ends without a `return` where it returns `like` otherwise: a 0 that
/// may not be used. Nothing where there is no such value.
static std::optional<Value> undefinedLike(Memory &memory, Emitter &emit, const Value &like) {
  if (const Tensor *tensor = like.as<Tensor>()) {
    if (tensor->dtype.isPointer())
      return std::nullopt;
    return Value(emit.constant(Int(0), tensor->dtype, tensor->shape()));
  }
  const Tuple *tuple = like.as<Tuple>();
  if (!tuple)
    return like.isNumber() ? std::optional(like) : std::nullopt;
  llvm::SmallVector<Value, 8> items;
  for (const Value &item : tuple->items) {
    std::optional<Value> part = undefinedLike(memory, emit, item);
    if (!part)
      return std::nullopt;
    items.push_back(*part);
  }
  return memory.tuple(items, tuple->isList, {}, tuple->names);
}

/// Makes a side that ends without a `return` return a value like `other`, with a warning.
static void endWithoutReturn(Evaluator &evaluator, Value &value, const Value &other, mlir::Block &end,
                             SourceRange returned) {
  mlir::OpBuilder::InsertionGuard guard(evaluator.emit.builder);
  evaluator.emit.builder.setInsertionPointToEnd(&end);
  std::optional<Value> undefined = undefinedLike(evaluator.memory, evaluator.emit, other);
  if (!undefined)
    return;
  value = *undefined;
  evaluator.reporter.report(Severity::Warning, returned,
                            "the function may end without `return`: what it returns then is undefined");
}

Value Evaluator::mergeValues(mlir::Value condition, SourceRange range, Side &first, Side &second,
                             std::string_view what) {
  Value a = first.value, b = second.value;
  std::optional<Value> known = mergeSides(a, b, first, second);
  if (known && known->isPoison() && !a.isPoison() && !b.isPoison()) {
    // The `return` that does not fit those before it.
    const SourceRange place = second.valueRange.end  ? second.valueRange
                              : first.valueRange.end ? first.valueRange
                                                     : range;
    Diagnostic &diagnostic =
        reporter.error(place, std::string(what) + ": expected one type on both sides of the branch, found " +
                                  describeType(a) + " and " + describeType(b));
    for (auto [side, value] : {std::pair(&first, a), std::pair(&second, b)})
      if (side->valueRange.end && side->valueRange.begin != place.begin)
        reporter.addNote(diagnostic, *frame->unit, side->valueRange,
                         describeType(value) + " is returned here");
  }
  llvm::SmallVector<mlir::Value> yieldsA, yieldsB;
  if (!known) {
    flatten(a, yieldsA);
    flatten(b, yieldsB);
  }
  llvm::SmallVector<mlir::Value> results = finishBranch(condition, range, first, second, yieldsA, yieldsB);
  llvm::ArrayRef<mlir::Value> rest = results;
  return known ? *known : rebuild(memory, a, rest);
}

Value Evaluator::branch(const ast::ConditionalExpr &expr, mlir::Value condition) {
  Side first, second;
  runSide(first, [&](Side &side) { side.value = decay(eval(expr.thenValue), expr.thenValue->range); });
  runSide(second, [&](Side &side) { side.value = decay(eval(expr.elseValue), expr.elseValue->range); });
  return mergeValues(condition, expr.range, first, second,
                     "Ternary expression with dynamic condition has inconsistent types");
}

Flow Evaluator::runContinuation(const Continuation *continuation) {
  for (; continuation && !reporter.stopped(); continuation = continuation->outer) {
    frame->continuation = continuation->outer;
    if (execBlock(continuation->rest) == Flow::Return)
      return Flow::Return;
  }
  return Flow::Return;
}

Flow Evaluator::branch(const ast::IfStmt &stmt, size_t index, mlir::Value condition) {
  // Each `elif` stands in the other side of the one before, so a long chain is a deep nest.
  Depth guard(*this, stmt.branches[index].condition->range);
  if (!guard.ok)
    return Flow::Next;
  bool returns = hasReturn(stmt.elseBody);
  for (const ast::IfBranch &part : stmt.branches)
    returns = returns || hasReturn(part.body);
  SourceRange range = stmt.branches[index].condition->range;
  if (returns && frame->loops) {
    reporter.error(range,
                   "Cannot have `return` statements inside `while` or `for` statements in triton under a "
                   "run-time condition");
    returns = false;
  }
  const Continuation *after = frame->continuation;
  auto run = [&](Side &side, bool isThen) {
    frame->returned = None();
    frame->returnRange = {};
    side.flow = isThen ? execBlock(stmt.branches[index].body) : execIf(stmt, index + 1);
    if (returns && side.flow != Flow::Return)
      side.flow = runContinuation(after);
    side.value = frame->returned;
    side.valueRange = frame->returnRange;
    frame->continuation = after;
  };
  Side first, second;
  const auto declared = frame->declared; // each side assigns what was declared before both
  runSide(first, [&](Side &side) { run(side, true); });
  frame->declared = declared;
  runSide(second, [&](Side &side) { run(side, false); });
  if (returns) {
    const bool firstEnds = first.valueRange.end, secondEnds = second.valueRange.end;
    if (!firstEnds && secondEnds)
      endWithoutReturn(*this, first.value, second.value, first.region.back(), second.valueRange);
    if (firstEnds && !secondEnds)
      endWithoutReturn(*this, second.value, first.value, second.region.back(), first.valueRange);
    frame->returned = mergeValues(condition, range, first, second, "Inconsistent return types");
    return Flow::Return;
  }
  frame->returned = None();
  mergeBindings(condition, range, first, second);
  return Flow::Next;
}

void Evaluator::mergeBindings(mlir::Value condition, SourceRange range, Side &first, Side &second) {
  struct Merged {
    llvm::StringRef name;
    Binding binding;
  };
  llvm::SmallVector<Merged> changed;
  llvm::SmallVector<mlir::Value> yieldsA, yieldsB;
  Scope::Bindings &bindings = frame->scope->bindings;
  for (auto &[name, a] : first.bindings) {
    auto found = second.bindings.find(name);
    if (found == second.bindings.end())
      continue;
    Binding &b = found->second;
    if (a.isPartial || b.isPartial) {
      bindings[name] = a.isPartial ? a : b;
      continue;
    }
    std::optional<Value> known = mergeSides(a.value, b.value, first, second);
    auto before = bindings.find(name);
    bool changedFirst = before == bindings.end() || !isIdentical(before->second.value, a.value);
    Binding latest = changedFirst ? a : b;
    if (!known) {
      flatten(a.value, yieldsA);
      flatten(b.value, yieldsB);
      changed.push_back({name, latest});
      continue;
    }
    if (known->isPoison() && !a.value.isPoison() && !b.value.isPoison()) {
      Diagnostic &diagnostic =
          reporter.error(range, "Mismatched type for " + name.str() +
                                    ": expected one type on both sides of the branch, found " +
                                    describeType(a.value) + " and " + describeType(b.value));
      reporter.addNote(diagnostic, *frame->unit, a.range,
                       "the first side leaves it with " + describeType(a.value));
      reporter.addNote(diagnostic, *frame->unit, b.range,
                       "the other side leaves it with " + describeType(b.value));
      if (!isRuntime(a.value) && a.value.payload.index() == b.value.payload.index())
        diagnostic.help = "what is known at compile time must be the same on both sides";
    }
    latest.value = *known;
    bindings[name] = latest;
  }
  auto dropPartial = [&](const Scope::Bindings &here, const Scope::Bindings &there) {
    for (const auto &[name, binding] : here)
      if (there.find(name) == there.end()) {
        Binding partial = binding;
        partial.value = Poison();
        partial.isPartial = true;
        bindings[name] = partial;
      }
  };
  dropPartial(first.bindings, second.bindings);
  dropPartial(second.bindings, first.bindings);
  llvm::SmallVector<mlir::Value> results = finishBranch(condition, range, first, second, yieldsA, yieldsB);
  llvm::ArrayRef<mlir::Value> rest = results;
  for (Merged &merged : changed) {
    merged.binding.value = rebuild(memory, merged.binding.value, rest);
    bindings[merged.name] = merged.binding;
  }
}
