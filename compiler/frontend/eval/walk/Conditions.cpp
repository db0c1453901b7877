#include "compiler/frontend/eval/walk/Conditions.h"

#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/text/Bindings.h"

#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace tegula::eval;

std::optional<bool> eval::knownCondition(Evaluation &evaluator, const Value &value, SourceRange range,
                                         std::string_view what) {
  if (value.isPoison() || !evaluator.hasValue(value, range))
    return std::nullopt;
  std::optional<bool> known = truth(value);
  if (!known)
    evaluator.reporter.error(range, "expected a value known at compile time as " + std::string(what) +
                                        ", found " + describe(value));
  return known;
}

std::optional<Condition> eval::evalCondition(Evaluation &evaluator, const ast::Expr *expr) {
  Value value = evaluator.eval(expr);
  if (value.isPoison() || !evaluator.hasValue(value, expr->range))
    return std::nullopt;
  if (std::optional<bool> known = truth(value)) {
    evaluator.frame->isChosen = true;
    return Condition{known, {}};
  }
  const Tensor &tensor = *value.as<Tensor>();
  const bool isOne = llvm::all_of(tensor.shape(), [](int64_t side) { return side == 1; });
  if (evaluator.frame->mode == Mode::Host || !isOne) {
    evaluator.reporter.error(expr->range, "expected a scalar condition, found " + describe(value)).help =
        "choose between the elements of tensors with `tl.where`";
    return std::nullopt;
  }
  evaluator.at(expr->range);
  if (!tensor.isScalar()) {
    Diagnostic &diagnostic =
        evaluator.reporter.report(Severity::Warning, expr->range, "the condition is a tensor of one element");
    diagnostic.help = "take it with `.item()`";
    addSuffixFix(evaluator.reporter, diagnostic, expr->range, ".item()", Certainty::Certain);
  }
  std::optional<Tensor> flag =
      evaluator.semantics.cast(evaluator.emit.onlyElement(tensor), {ScalarKind::Int1}, expr->range);
  if (!flag)
    return std::nullopt;
  // A scalar that was assigned a constant: the branch is known after all.
  if (llvm::APInt known; mlir::matchPattern(flag->ir, mlir::m_ConstantInt(&known))) {
    evaluator.frame->isChosen = true;
    return Condition{known.getBoolValue(), flag->ir};
  }
  return Condition{std::nullopt, flag->ir};
}

void eval::poison(Evaluation &evaluator, ast::Block block) {
  forEachBoundName(block, [&](std::string_view name) { evaluator.frame->scope->set(name, {Poison(), {}}); });
}
