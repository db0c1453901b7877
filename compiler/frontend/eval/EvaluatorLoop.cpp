// Loops on the device: `for` over `range` becomes `scf.for`, `while` becomes `scf.while`. The variables that
// the body assigns and that exist before the loop go round it; they keep their type.
#include "compiler/frontend/eval/Bindings.h"
#include "compiler/frontend/eval/Evaluator.h"
#include "compiler/frontend/eval/NamedExpressions.h"
#include "compiler/frontend/values/Carried.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace tegula;
using namespace tegula::eval;

/// Advises on a variable that is `before` ahead of a loop and `after` at the end of its body; empty without
/// advice.
static std::string_view helpFor(const Value &before, const Value &after) {
  const Tensor *x = before.as<Tensor>(), *y = after.as<Tensor>();
  if (x && y)
    return x->shape() == y->shape() ? "convert it with `.to(...)`"
                                    : "make it before the loop with the shape it gets, as `tl.full` does";
  if (before.isNone())
    return "give it a value of that type before the loop";
  return "";
}

/// On the device, that a step known there only is what the loop takes it for.
static void assertCountsUp(Emitter &emit, Tensor stride) {
  if (!stride.dtype.isSigned())
    return;
  mlir::Value zero = emit.constant(Int(0), stride.dtype).ir;
  tile::AssertOp::create(emit.builder, emit.loc,
                         emit.make<mlir::arith::CmpIOp>(mlir::arith::CmpIPredicate::sgt, stride.ir, zero),
                         "the step of a loop that is known at run time only is above 0");
}

/// The variables that a loop carries.
struct Evaluator::Loop {
  struct Variable {
    llvm::StringRef name;
    Binding before;
  };
  llvm::SmallVector<Variable> variables;
  llvm::SmallVector<mlir::Value> initial;
  Scope::Bindings outside; ///< all bindings before the loop

  llvm::SmallVector<mlir::Type> types() const {
    return llvm::SmallVector<mlir::Type>(mlir::ValueRange(initial).getTypes());
  }
  llvm::SmallVector<mlir::Location> locations(mlir::Location loc) const {
    return llvm::SmallVector<mlir::Location>(initial.size(), loc);
  }
};

void Evaluator::enterLoop(ast::Block body, const ast::Expr *target, Loop &loop) {
  Scope::Bindings &bindings = frame->scope->bindings;
  llvm::SmallVector<llvm::StringRef> assigned;
  // The variable of a loop within starts anew each time.
  forEachBoundName(
      body, [&](std::string_view name) { assigned.push_back(llvm::StringRef(name)); },
      /*loopVariables=*/false);
  for (auto &[name, binding] : bindings) {
    bool isTarget = target && target->kind == ast::ExprKind::Name &&
                    ast::as<ast::NameExpr>(target)->id == std::string_view(name);
    const bool mayChange = llvm::is_contained(assigned, name) || changesItself(binding.value);
    if (!mayChange || isTarget || binding.value.isPoison() || binding.isConstexpr)
      continue;
    // A number of the launch becomes a scalar, as it would by an assignment.
    if (binding.value.isNumber() || binding.value.is<Tuple>())
      binding.value = decay(binding.value, binding.range);
    loop.variables.push_back({name, binding});
    flatten(binding.value, loop.initial);
  }
  loop.outside = bindings;
}

void Evaluator::setCarried(const Loop &loop, mlir::ValueRange values) {
  llvm::SmallVector<mlir::Value> copy(values);
  llvm::ArrayRef<mlir::Value> rest = copy;
  for (const Loop::Variable &variable : loop.variables) {
    Binding binding = variable.before;
    binding.value = rebuild(memory, binding.value, rest);
    frame->scope->bindings[variable.name] = binding;
  }
}

llvm::SmallVector<mlir::Value> Evaluator::yieldedValues(const Loop &loop, mlir::ValueRange incoming) {
  llvm::SmallVector<mlir::Value> yields;
  for (const Loop::Variable &variable : loop.variables) {
    Binding &now = frame->scope->bindings[variable.name];
    size_t first = yields.size();
    llvm::SmallVector<mlir::Value> parts;
    flatten(variable.before.value, parts);
    if (now.isPartial)
      reporter.error(now.range,
                     "`" + variable.name.str() + "` may have no value at the end of the loop's body");
    if (isCompatible(now.value, variable.before.value)) {
      flatten(now.value, yields);
      continue;
    }
    if (!now.value.isPoison()) {
      Diagnostic &diagnostic = reporter.error(
          now.range, "expected `" + variable.name.str() + "` to keep its type around the loop, found " +
                         describeType(variable.before.value) + " before and " + describeType(now.value) +
                         " after its body");
      reporter.addNote(diagnostic, *frame->unit, variable.before.range,
                       "its value before the loop is set here");
      if (std::string_view help = helpFor(variable.before.value, now.value); !help.empty())
        diagnostic.help = std::string(help);
    }
    // Whatever is yielded now, there is an error: the types fit.
    llvm::append_range(yields, incoming.slice(first, parts.size()));
  }
  return yields;
}

void Evaluator::leaveLoop(Loop &loop, mlir::ValueRange results) {
  Scope::Bindings inside = std::exchange(frame->scope->bindings, loop.outside);
  setCarried(loop, results);
  for (auto &[name, binding] : inside) {
    if (llvm::any_of(loop.variables,
                     [&, wanted = name](const Loop::Variable &v) { return v.name == wanted; }))
      continue;
    auto before = loop.outside.find(name);
    if (before != loop.outside.end() &&
        (isIdentical(before->second.value, binding.value) || before->second.value.isPoison()))
      continue;
    // The body may not have run: what it defines is not there afterwards.
    Binding partial = binding;
    partial.value = Poison();
    partial.isPartial = true;
    frame->scope->bindings[name] = partial;
  }
}

Flow Evaluator::loopBody(ast::Block body) {
  ++frame->loops;
  Flow flow = execBlock(body);
  --frame->loops;
  if (flow == Flow::Return)
    reporter.error(body.back()->range,
                   "Cannot have `return` statements inside `while` or `for` statements in triton");
  frame->returned = None();
  return Flow::Next;
}

void Evaluator::setHints(mlir::Operation *op, const LoopHints &hints) {
  if (hints != LoopHints())
    op->setAttr("tile.loop", tile::LoopAttr::get(emit.context(), hints.stages, hints.unroll, hints.flatten,
                                                 hints.singleAcc, hints.specialize, hints.noLicm));
}

Flow Evaluator::loop(const ast::ForStmt &stmt, const Value &iterable) {
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
  at(range);
  std::optional<Tensor> lower = semantics.toTensor(bounds[0], range),
                        upper = semantics.toTensor(bounds[1], range),
                        stride = semantics.toTensor(bounds[2], range);
  bool fine = lower && upper && stride;
  for (std::optional<Tensor> *bound : {&lower, &upper, &stride})
    if (*bound && (!(*bound)->dtype.isInt() || !(*bound)->isScalar())) {
      reporter.error(range, "expected integer scalars as the bounds of a loop, found " + describe(**bound));
      fine = false;
    }
  if (!fine) {
    assign(stmt.target, Poison(), range);
    poison(stmt.body);
    return Flow::Next;
  }
  Dtype dtype = promoteIntegers(promoteIntegers(lower->dtype, upper->dtype), stride->dtype);
  mlir::Value low = emit.cast(*lower, dtype).ir, high = emit.cast(*upper, dtype).ir;
  at(range);
  if (bounds[2].is<Tensor>() && spec.debug)
    assertCountsUp(emit, *stride);
  Loop carried;
  enterLoop(stmt.body, stmt.target, carried);
  at(range);
  auto op = mlir::scf::ForOp::create(emit.builder, emit.loc, low, high, emit.cast(*stride, dtype).ir,
                                     carried.initial, nullptr, dtype.isUnsigned());
  setHints(op, iterable.is<Range>() ? iterable.as<Range>()->hints : iterable.as<RuntimeRange>()->hints);
  mlir::Block &body = *op.getBody();
  if (!body.empty())
    body.getTerminator()->erase();
  {
    mlir::OpBuilder::InsertionGuard guard(emit.builder);
    emit.builder.setInsertionPointToStart(&body);
    mlir::Value variable = op.getInductionVar();
    if (downwards)
      variable = emit.make<mlir::arith::SubIOp>(high, emit.make<mlir::arith::SubIOp>(variable, low));
    setCarried(carried, op.getRegionIterArgs());
    assign(stmt.target, Tensor{variable, dtype}, range);
    loopBody(stmt.body);
    at(range);
    mlir::scf::YieldOp::create(emit.builder, emit.loc, yieldedValues(carried, op.getRegionIterArgs()));
  }
  leaveLoop(carried, op.getResults());
  return Flow::Next;
}

Flow Evaluator::loop(const ast::WhileStmt &stmt) {
  // Values that the condition computes stay in it: the body has only what the loop carries.
  forEachNamed(stmt.condition, [&](const ast::NameExpr *name) {
    reporter
        .error(name->range, "`" + std::string(name->id) +
                                "` cannot be assigned in the condition of a loop that runs on the device")
        .help = "assign it before the loop and at the end of its body";
  });
  Loop carried;
  enterLoop(stmt.body, nullptr, carried);
  SourceRange range = stmt.condition->range;
  at(range);
  auto op = mlir::scf::WhileOp::create(emit.builder, emit.loc, carried.types(), carried.initial);
  mlir::OpBuilder::InsertionGuard guard(emit.builder);
  mlir::Block *before =
      emit.builder.createBlock(&op.getBefore(), {}, carried.types(), carried.locations(emit.loc));
  mlir::Block *after =
      emit.builder.createBlock(&op.getAfter(), {}, carried.types(), carried.locations(emit.loc));
  emit.builder.setInsertionPointToStart(before);
  setCarried(carried, before->getArguments());
  conditionHints = {};
  std::optional<Condition> condition = evalCondition(stmt.condition);
  setHints(op, conditionHints);
  at(range);
  // As Triton, which sees a constant where Python has it, and none that a variable holds.
  if (condition && condition->known && *condition->known)
    reporter.report(condition->runtime ? Severity::Warning : Severity::Error, range,
                    "the loop never ends: its condition is always true");
  mlir::Value flag =
      condition && condition->runtime ? condition->runtime : emit.constant(Int(0), {ScalarKind::Int1}).ir;
  mlir::scf::ConditionOp::create(emit.builder, emit.loc, flag, before->getArguments());
  emit.builder.setInsertionPointToStart(after);
  setCarried(carried, after->getArguments());
  if (condition)
    loopBody(stmt.body);
  at(range);
  mlir::scf::YieldOp::create(emit.builder, emit.loc, yieldedValues(carried, after->getArguments()));
  leaveLoop(carried, op.getResults());
  return Flow::Next;
}
