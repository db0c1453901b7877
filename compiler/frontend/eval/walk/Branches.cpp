#include "compiler/frontend/eval/walk/Branches.h"

#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/values/Carried.h"

#include "dialect/tile/BoundNames.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// One side while it is built: detached, because the results of the `scf.if` are known only afterwards.
struct Side {
  mlir::Region region;
  Scope::Bindings bindings;
  Flow flow = Flow::Next;
  Value value;            ///< what the function returns, or the value of the expression
  SourceRange valueRange; ///< of the `return`, if any
};

/// Two sides on their way to one op.
class Branch {
public:
  Branch(Evaluation &evaluator, mlir::Value condition, SourceRange range)
      : evaluator(evaluator), condition(condition), range(range) {}

  /// Runs `body`, whose ops and variables are those of `side`.
  void run(Side &side, llvm::function_ref<void()> body);
  /// Ends the branch with one value; `what` begins the message where the sides have values of two types.
  Value mergeValues(std::string_view what);
  /// Ends the branch with the variables that the sides leave.
  void mergeBindings();

  Side first, second;

private:
  /// The one value that both sides have; Poison where they do not go together; nothing where the branch
  /// has to yield it.
  std::optional<Value> merge(Value &a, Value &b);
  void decayUnlike(Value &a, Value &b);
  llvm::SmallVector<mlir::Value> finish(llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b);

  Evaluation &evaluator;
  mlir::Value condition;
  SourceRange range;
};

void Branch::run(Side &side, llvm::function_ref<void()> body) {
  mlir::OpBuilder::InsertionGuard guard(evaluator.emit.builder);
  evaluator.emit.builder.setInsertionPointToStart(&side.region.emplaceBlock());
  Scope::Bindings before = evaluator.frame->scope->bindings;
  body();
  side.bindings = std::exchange(evaluator.frame->scope->bindings, std::move(before));
}

/// Makes tensors of numbers in which the sides differ, or for which the other side has a tensor: a number of
/// the launch and a scalar computed from it.
void Branch::decayUnlike(Value &a, Value &b) {
  const Tuple *left = a.as<Tuple>(), *right = b.as<Tuple>();
  if (left && right && left->items.size() == right->items.size() && !aggregateOf(a) && !aggregateOf(b)) {
    llvm::SmallVector<Value, 8> ofA(left->items), ofB(right->items);
    for (auto [x, y] : llvm::zip_equal(ofA, ofB))
      decayUnlike(x, y);
    a = evaluator.memory.tuple(ofA, left->isList, {}, left->names);
    b = evaluator.memory.tuple(ofB, right->isList, {}, right->names);
    return;
  }
  if (isIdentical(a, b))
    return;
  for (auto [number, other, side] : {std::tuple(&a, &b, &first), std::tuple(&b, &a, &second)})
    if (number->isNumber() && (other->is<Tensor>() || other->isNumber())) {
      evaluator.emit.builder.setInsertionPointToEnd(&side->region.front());
      if (std::optional<Tensor> scalar = evaluator.semantics.toTensor(*number, {}))
        *number = *scalar;
    }
}

std::optional<Value> Branch::merge(Value &a, Value &b) {
  if (a.isPoison() || b.isPoison())
    return Value(Poison());
  if (isIdentical(a, b))
    return a;
  mlir::OpBuilder::InsertionGuard guard(evaluator.emit.builder);
  decayUnlike(a, b);
  if (isCompatible(a, b))
    return std::nullopt;
  return Value(Poison());
}

/// Makes the op of two finished sides; `a` and `b` are what they yield.
llvm::SmallVector<mlir::Value> Branch::finish(llvm::ArrayRef<mlir::Value> a, llvm::ArrayRef<mlir::Value> b) {
  evaluator.at(range);
  mlir::OpBuilder &builder = evaluator.emit.builder;
  llvm::SmallVector<mlir::Type> types(mlir::ValueRange(a).getTypes());
  auto op = mlir::scf::IfOp::create(builder, evaluator.emit.loc, types, condition,
                                    /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
  const auto isName = [](mlir::Operation &op) { return llvm::isa<tile::BindOp>(op); };
  const bool isForNames = types.empty() && llvm::all_of(second.region.front(), isName);
  const bool needsElse = !isForNames || !second.region.front().empty();
  mlir::OpBuilder::InsertionGuard guard(builder);
  op.getThenRegion().takeBody(first.region);
  builder.setInsertionPointToEnd(&op.getThenRegion().front());
  mlir::scf::YieldOp::create(builder, evaluator.emit.loc, a);
  if (needsElse) {
    op.getElseRegion().takeBody(second.region);
    builder.setInsertionPointToEnd(&op.getElseRegion().front());
    mlir::scf::YieldOp::create(builder, evaluator.emit.loc, b);
    if (isForNames)
      op->setAttr(tile::elseOfNamesAttrName, builder.getUnitAttr());
  }
  return llvm::SmallVector<mlir::Value>(op.getResults());
}

Value Branch::mergeValues(std::string_view what) {
  Value a = first.value, b = second.value;
  std::optional<Value> known = merge(a, b);
  if (known && known->isPoison() && !a.isPoison() && !b.isPoison()) {
    // The `return` that does not fit those before it.
    const SourceRange place = second.valueRange.end  ? second.valueRange
                              : first.valueRange.end ? first.valueRange
                                                     : range;
    Diagnostic &diagnostic = evaluator.reporter.error(
        place, std::string(what) + ": expected one type on both sides of the branch, found " +
                   describeType(a) + " and " + describeType(b));
    for (auto [side, value] : {std::pair(&first, a), std::pair(&second, b)})
      if (side->valueRange.end && side->valueRange.begin != place.begin)
        evaluator.reporter.addNote(diagnostic, *evaluator.frame->unit, side->valueRange,
                                   describeType(value) + " is returned here");
  }
  llvm::SmallVector<mlir::Value> yieldsA, yieldsB;
  if (!known) {
    flatten(a, yieldsA);
    flatten(b, yieldsB);
  }
  llvm::SmallVector<mlir::Value> results = finish(yieldsA, yieldsB);
  llvm::ArrayRef<mlir::Value> rest = results;
  return known ? *known : rebuild(evaluator.memory, a, rest);
}

void Branch::mergeBindings() {
  struct Merged {
    llvm::StringRef name;
    Binding binding;
  };
  llvm::SmallVector<Merged> changed;
  llvm::SmallVector<mlir::Value> yieldsA, yieldsB;
  Scope::Bindings &bindings = evaluator.frame->scope->bindings;
  for (auto &[name, a] : first.bindings) {
    auto found = second.bindings.find(name);
    if (found == second.bindings.end())
      continue;
    Binding &b = found->second;
    if (a.isPartial || b.isPartial) {
      bindings[name] = a.isPartial ? a : b;
      continue;
    }
    std::optional<Value> known = merge(a.value, b.value);
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
          evaluator.reporter.error(range, "Mismatched type for " + name.str() +
                                              ": expected one type on both sides of the branch, found " +
                                              describeType(a.value) + " and " + describeType(b.value));
      evaluator.reporter.addNote(diagnostic, *evaluator.frame->unit, a.range,
                                 "the first side leaves it with " + describeType(a.value));
      evaluator.reporter.addNote(diagnostic, *evaluator.frame->unit, b.range,
                                 "the other side leaves it with " + describeType(b.value));
      if (!isRuntime(a.value) && a.value.payload.index() == b.value.payload.index())
        diagnostic.help = "what is known at compile time must be the same on both sides";
    }
    latest.value = *known;
    bindings[name] = latest;
  }
  auto dropPartial = [&](const Scope::Bindings &here, const Scope::Bindings &there) {
    for (const auto &[name, binding] : here)
      if (there.find(name) == there.end())
        bindings[name] = binding.partial();
  };
  dropPartial(first.bindings, second.bindings);
  dropPartial(second.bindings, first.bindings);
  llvm::SmallVector<mlir::Value> results = finish(yieldsA, yieldsB);
  llvm::ArrayRef<mlir::Value> rest = results;
  for (Merged &merged : changed) {
    merged.binding.value = rebuild(evaluator.memory, merged.binding.value, rest);
    bindings[merged.name] = merged.binding;
    evaluator.nameValue(merged.name, merged.binding, /*kept=*/true);
  }
}

/// Returns the result of a function that ends without a `return` where it returns `like` otherwise: a 0 that
/// may not be used. Nothing where there is no such value.
std::optional<Value> undefinedLike(Memory &memory, Emitter &emit, const Value &like) {
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
void endWithoutReturn(Evaluation &evaluator, Value &value, const Value &other, mlir::Block &end,
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

Flow runContinuation(Evaluation &evaluator, const Continuation *continuation) {
  for (; continuation && !evaluator.reporter.stopped(); continuation = continuation->outer) {
    evaluator.frame->continuation = continuation->outer;
    if (evaluator.execBlock(continuation->rest) == Flow::Return)
      return Flow::Return;
  }
  return Flow::Return;
}

} // namespace

Value eval::branch(Evaluation &evaluator, const ast::ConditionalExpr &expr, mlir::Value condition) {
  Branch made(evaluator, condition, expr.range);
  auto evaluate = [&](Side &side, const ast::Expr *part) {
    made.run(side, [&] { side.value = evaluator.decay(evaluator.eval(part), part->range); });
  };
  evaluate(made.first, expr.thenValue);
  evaluate(made.second, expr.elseValue);
  return made.mergeValues("Ternary expression with dynamic condition has inconsistent types");
}

Flow eval::branch(Evaluation &evaluator, const ast::IfStmt &stmt, size_t index, mlir::Value condition,
                  llvm::function_ref<Flow()> otherwise) {
  // Each `elif` stands in the other side of the one before, so a long chain is a deep nest.
  Evaluation::Depth guard(evaluator, stmt.branches[index].condition->range);
  if (!guard.ok)
    return Flow::Next;
  bool returns = hasReturn(stmt.elseBody);
  for (const ast::IfBranch &part : stmt.branches)
    returns = returns || hasReturn(part.body);
  SourceRange range = stmt.branches[index].condition->range;
  if (returns && evaluator.frame->loops) {
    evaluator.reporter.error(
        range, "Cannot have `return` statements inside `while` or `for` statements in triton under a "
               "run-time condition");
    returns = false;
  }
  const Continuation *after = evaluator.frame->continuation;
  auto run = [&](Side &side, bool isThen) {
    evaluator.frame->returned = None();
    evaluator.frame->returnRange = {};
    side.flow = isThen ? evaluator.execBlock(stmt.branches[index].body) : otherwise();
    if (returns && side.flow != Flow::Return)
      side.flow = runContinuation(evaluator, after);
    side.value = evaluator.frame->returned;
    side.valueRange = evaluator.frame->returnRange;
    evaluator.frame->continuation = after;
  };
  Branch made(evaluator, condition, range);
  Side &first = made.first, &second = made.second;
  const auto declared = evaluator.frame->declared; // each side assigns what was declared before both
  made.run(first, [&] { run(first, true); });
  evaluator.frame->declared = declared;
  made.run(second, [&] { run(second, false); });
  if (returns) {
    const bool firstEnds = first.valueRange.end, secondEnds = second.valueRange.end;
    if (!firstEnds && secondEnds)
      endWithoutReturn(evaluator, first.value, second.value, first.region.back(), second.valueRange);
    if (firstEnds && !secondEnds)
      endWithoutReturn(evaluator, second.value, first.value, second.region.back(), first.valueRange);
    evaluator.frame->returned = made.mergeValues("Inconsistent return types");
    return Flow::Return;
  }
  evaluator.frame->returned = None();
  made.mergeBindings();
  return Flow::Next;
}
