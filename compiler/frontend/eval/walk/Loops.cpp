#include "compiler/frontend/eval/walk/Loops.h"

#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/walk/Conditions.h"
#include "compiler/frontend/syntax/ast/AstWalk.h"
#include "compiler/frontend/values/Carried.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Returns true for tensors of one shape.
bool isOtherType(const Value &before, const Value &after) {
  const Tensor *x = before.as<Tensor>(), *y = after.as<Tensor>();
  return x && y && x->shape() == y->shape();
}

/// Advises on a variable that is `before` ahead of a loop and `after` at the end of its body; empty without
/// advice.
std::string_view helpFor(const Value &before, const Value &after) {
  const Tensor *x = before.as<Tensor>(), *y = after.as<Tensor>();
  if (x && y)
    return isOtherType(before, after) ? "convert it with `.to(...)`"
                                      : "make it before the loop with the shape it gets, as `tl.full` does";
  if (before.isNone())
    return "give it a value of that type before the loop";
  return "";
}

/// On the device, that a step known there only is what the loop takes it for.
void assertCountsUp(Emitter &emit, Tensor stride) {
  if (!stride.dtype.isSigned())
    return;
  mlir::Value zero = emit.constant(Int(0), stride.dtype).ir;
  tile::AssertOp::create(emit.builder, emit.loc,
                         emit.make<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::sgt, stride.ir, zero),
                         "the step of a loop that is known at run time only is above 0");
}

/// The variables that a loop carries.
class LoopVariables {
public:
  /// Finds them as the loop begins. `target` is the loop's own variable, if it has one.
  LoopVariables(Evaluation &evaluator, ast::Block body, const ast::Expr *target = nullptr);

  /// Gives them `values`: arguments of a block, or results.
  void set(mlir::ValueRange values) const;
  /// Returns their values at the end of the body, which got `incoming`.
  llvm::SmallVector<mlir::Value> yielded(mlir::ValueRange incoming) const;
  /// Ends the loop, which has given them `results`.
  void leave(mlir::ValueRange results) const;

  llvm::SmallVector<mlir::Value> initial;

private:
  /// Adds the fix that converts what the body assigns to `name` at `target` to the type that it has before.
  void addConversion(Diagnostic &diagnostic, SourceRange target, llvm::StringRef name) const;

  struct Variable {
    llvm::StringRef name;
    Binding before;
  };
  Evaluation &evaluator;
  ast::Block body;
  llvm::SmallVector<Variable> variables;
  Scope::Bindings outside; ///< all bindings before the loop
};

LoopVariables::LoopVariables(Evaluation &evaluator, ast::Block body, const ast::Expr *target)
    : evaluator(evaluator), body(body) {
  Scope::Bindings &bindings = evaluator.frame->scope->bindings;
  llvm::SmallVector<llvm::StringRef> assigned;
  // The variable of a loop within starts anew each time.
  forEachBoundName(
      body, [&](std::string_view name) { assigned.push_back(llvm::StringRef(name)); },
      /*loopVariables=*/false);
  for (auto &[name, binding] : bindings) {
    bool isTarget = target && target->kind == ast::ExprKind::Name &&
                    ast::as<ast::NameExpr>(target)->id == std::string_view(name);
    const bool mayChange =
        llvm::is_contained(assigned, name) || evaluator.aggregates().changesItself(binding.value);
    if (!mayChange || isTarget || binding.value.isPoison() || binding.isConstexpr)
      continue;
    // A number of the launch becomes a scalar, as it would by an assignment.
    if (binding.value.isNumber() || binding.value.is<Tuple>())
      binding.value = evaluator.decay(binding.value, binding.range);
    variables.push_back({name, binding});
    flatten(binding.value, initial);
  }
  outside = bindings;
}

void LoopVariables::set(mlir::ValueRange values) const {
  llvm::SmallVector<mlir::Value> copy(values);
  llvm::ArrayRef<mlir::Value> rest = copy;
  for (const Variable &variable : variables) {
    Binding binding = variable.before;
    binding.value = rebuild(evaluator.memory, binding.value, rest);
    evaluator.frame->scope->bindings[variable.name] = binding;
    evaluator.nameValue(variable.name, binding, /*kept=*/true);
  }
}

void LoopVariables::addConversion(Diagnostic &diagnostic, SourceRange target, llvm::StringRef name) const {
  ast::walk(body, {[&](const ast::Stmt &stmt) {
                     const auto *assign = ast::as<ast::AssignStmt>(&stmt);
                     if (assign && assign->targets.size() == 1 && assign->targets.front()->range == target)
                       addSuffixFix(evaluator.reporter, diagnostic, assign->value->range,
                                    ".to(" + name.str() + ".dtype)");
                     return stmt.kind != ast::StmtKind::Function;
                   },
                   [](const ast::Expr &) { return false; }});
}

llvm::SmallVector<mlir::Value> LoopVariables::yielded(mlir::ValueRange incoming) const {
  llvm::SmallVector<mlir::Value> yields;
  for (const Variable &variable : variables) {
    Binding &now = evaluator.frame->scope->bindings[variable.name];
    size_t first = yields.size();
    llvm::SmallVector<mlir::Value> parts;
    flatten(variable.before.value, parts);
    if (now.isPartial)
      evaluator.reporter.error(now.range,
                               asCode(variable.name) + " may have no value at the end of the loop's body");
    if (isCompatible(now.value, variable.before.value)) {
      flatten(now.value, yields);
      continue;
    }
    if (!now.value.isPoison()) {
      Diagnostic &diagnostic = evaluator.reporter.error(
          now.range, "expected " + asCode(variable.name) + " to keep its type around the loop, found " +
                         describeType(variable.before.value) + " before and " + describeType(now.value) +
                         " after its body");
      evaluator.reporter.addNote(diagnostic, *evaluator.frame->unit, variable.before.range,
                                 "its value before the loop is set here");
      if (std::string_view help = helpFor(variable.before.value, now.value); !help.empty())
        diagnostic.help = std::string(help);
      if (isOtherType(variable.before.value, now.value))
        addConversion(diagnostic, now.range, variable.name);
    }
    // Whatever is yielded now, there is an error: the types fit.
    llvm::append_range(yields, incoming.slice(first, parts.size()));
  }
  return yields;
}

void LoopVariables::leave(mlir::ValueRange results) const {
  Scope::Bindings inside = std::exchange(evaluator.frame->scope->bindings, outside);
  set(results);
  for (auto &[name, binding] : inside) {
    if (llvm::any_of(variables, [&, wanted = name](const Variable &v) { return v.name == wanted; }))
      continue;
    auto before = outside.find(name);
    if (before != outside.end() &&
        (isIdentical(before->second.value, binding.value) || before->second.value.isPoison()))
      continue;
    // The body may not have run: what it defines is not there afterwards.
    evaluator.frame->scope->bindings[name] = binding.partial();
  }
}

void runBody(Evaluation &evaluator, ast::Block body) {
  ++evaluator.frame->loops;
  Flow flow = evaluator.execBlock(body);
  --evaluator.frame->loops;
  if (flow == Flow::Return)
    evaluator.reporter.error(body.back()->range,
                             "Cannot have `return` statements inside `while` or `for` statements in triton");
  evaluator.frame->returned = None();
}

void setHints(Evaluation &evaluator, mlir::Operation *op, const LoopHints &hints) {
  if (hints != LoopHints())
    op->setAttr("tile.loop",
                tile::LoopAttr::get(evaluator.emit.context(), hints.stages, hints.unroll, hints.flatten,
                                    hints.singleAcc, hints.specialize, hints.noLicm));
}

} // namespace

Flow eval::loop(Evaluation &evaluator, const ast::ForStmt &stmt, const Value &iterable) {
  Emitter &emit = evaluator.emit;
  mlir::OpBuilder &builder = emit.builder;
  SourceRange range = stmt.iterable->range;
  Value bounds[3];
  if (const Range *known = iterable.as<Range>()) {
    bounds[0] = Int(known->start);
    bounds[1] = Int(known->stop);
    bounds[2] = Int(known->step);
  } else {
    std::copy_n(iterable.as<RuntimeRange>()->bounds, 3, bounds);
  }
  // A loop counts upwards; downwards, the variable is computed from the count.
  bool downwards = bounds[2].is<Int>() && *bounds[2].as<Int>() < 0;
  if (downwards) {
    std::swap(bounds[0], bounds[1]);
    bounds[2] = Int(-*bounds[2].as<Int>());
  }
  evaluator.at(range);
  std::optional<Tensor> lower = evaluator.semantics.toTensor(bounds[0], range),
                        upper = evaluator.semantics.toTensor(bounds[1], range),
                        stride = evaluator.semantics.toTensor(bounds[2], range);
  bool fine = lower && upper && stride;
  for (std::optional<Tensor> *bound : {&lower, &upper, &stride})
    if (*bound && (!(*bound)->dtype.isInt() || !(*bound)->isScalar())) {
      evaluator.reporter.error(range, "expected integer scalars as the bounds of a loop, found " +
                                          describe(**bound));
      fine = false;
    }
  if (!fine) {
    evaluator.assign(stmt.target, Poison(), range);
    poison(evaluator, stmt.body);
    return Flow::Next;
  }
  Dtype dtype = promoteIntegers(promoteIntegers(lower->dtype, upper->dtype), stride->dtype);
  mlir::Value low = emit.cast(*lower, dtype).ir, high = emit.cast(*upper, dtype).ir;
  evaluator.at(range);
  if (bounds[2].is<Tensor>() && evaluator.spec.debug)
    assertCountsUp(emit, *stride);
  const LoopVariables carried(evaluator, stmt.body, stmt.target);
  evaluator.at(range);
  auto op = mlir::scf::ForOp::create(builder, emit.loc, low, high, emit.cast(*stride, dtype).ir,
                                     carried.initial, nullptr, dtype.isUnsigned());
  setHints(evaluator, op,
           iterable.is<Range>() ? iterable.as<Range>()->hints : iterable.as<RuntimeRange>()->hints);
  mlir::Block &body = *op.getBody();
  if (!body.empty())
    body.getTerminator()->erase();
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&body);
    mlir::Value variable = op.getInductionVar();
    if (downwards)
      variable = emit.make<mlir::arith::SubIOp>(high, emit.make<mlir::arith::SubIOp>(variable, low));
    carried.set(op.getRegionIterArgs());
    evaluator.assign(stmt.target, Tensor{variable, dtype}, range);
    runBody(evaluator, stmt.body);
    evaluator.at(range);
    mlir::scf::YieldOp::create(builder, emit.loc, carried.yielded(op.getRegionIterArgs()));
  }
  carried.leave(op.getResults());
  return Flow::Next;
}

Flow eval::loop(Evaluation &evaluator, const ast::WhileStmt &stmt) {
  // Values that the condition computes stay in it: the body has only what the loop carries.
  forEachNamed(stmt.condition, [&](const ast::NameExpr *name) {
    evaluator.reporter
        .error(name->range,
               asCode(name->id) + " cannot be assigned in the condition of a loop that runs on the device")
        .help = "assign it before the loop and at the end of its body";
  });
  const LoopVariables carried(evaluator, stmt.body);
  Emitter &emit = evaluator.emit;
  mlir::OpBuilder &builder = emit.builder;
  SourceRange range = stmt.condition->range;
  evaluator.at(range);
  const llvm::SmallVector<mlir::Type> types(mlir::ValueRange(carried.initial).getTypes());
  const llvm::SmallVector<mlir::Location> locations(types.size(), emit.loc);
  auto op = mlir::scf::WhileOp::create(builder, emit.loc, types, carried.initial);
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    mlir::Block *before = builder.createBlock(&op.getBefore(), {}, types, locations);
    mlir::Block *after = builder.createBlock(&op.getAfter(), {}, types, locations);
    builder.setInsertionPointToStart(before);
    carried.set(before->getArguments());
    evaluator.conditionHints = {};
    std::optional<Condition> condition = evalCondition(evaluator, stmt.condition);
    setHints(evaluator, op, evaluator.conditionHints);
    evaluator.at(range);
    // As Triton, which sees a constant where Python has it, and none that a variable holds.
    if (condition && condition->known && *condition->known)
      evaluator.reporter.report(condition->runtime ? Severity::Warning : Severity::Error, range,
                                "the loop never ends: its condition is always true");
    mlir::Value flag =
        condition && condition->runtime ? condition->runtime : emit.constant(Int(0), {ScalarKind::Int1}).ir;
    mlir::scf::ConditionOp::create(builder, emit.loc, flag, before->getArguments());
    builder.setInsertionPointToStart(after);
    carried.set(after->getArguments());
    if (condition)
      runBody(evaluator, stmt.body);
    evaluator.at(range);
    mlir::scf::YieldOp::create(builder, emit.loc, carried.yielded(after->getArguments()));
  }
  carried.leave(op.getResults());
  return Flow::Next;
}
