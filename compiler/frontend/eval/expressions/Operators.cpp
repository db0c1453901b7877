#include "compiler/frontend/eval/expressions/Operators.h"

#include "compiler/frontend/eval/Advice.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/names/Environment.h"
#include "compiler/frontend/eval/names/HostFacts.h"

using namespace tegula;
using namespace tegula::eval;

Value eval::combine(const Value &result, const Value &left, const Value &right) {
  Value marked = result;
  marked.wrapped = left.wrapped || right.wrapped;
  return marked;
}

/// Reports an operator that numbers have and tensors do not.
static Value refuseOperator(Evaluation &evaluator, ast::BinaryOp op, SourceRange range) {
  const bool isPower = op == ast::BinaryOp::Pow;
  Diagnostic &diagnostic = evaluator.reporter.error(
      range, isPower ? "`**` is for numbers known at compile time" : "`@` is not an operator of kernels");
  diagnostic.help = isPower ? "use `libdevice.pow`" : "use `tl.dot`";
  addCallFix(evaluator.reporter, diagnostic, isPower ? "libdevice.pow" : "tl.dot", ast::spelling(op));
  return Poison();
}

Value eval::binary(Evaluation &evaluator, ast::BinaryOp op, const Value &left, const Value &right,
                   SourceRange range) {
  if (left.isPoison() || right.isPoison() || !evaluator.hasValue(left, range) ||
      !evaluator.hasValue(right, range))
    return Poison();
  const bool formats = left.is<std::string_view>() && op == ast::BinaryOp::Mod;
  if (formats && !evaluator.isKnownThroughout(right, range))
    return Poison();
  if (!formats)
    if (std::optional<Value> result = evaluator.aggregates().binary(op, left, right, range))
      return *result;
  if (formats || (!left.is<Tensor>() && !right.is<Tensor>()))
    return combine(evaluator.constexprOps.binary(op, left, right, range), left, right);
  evaluator.at(range);
  if (op == ast::BinaryOp::Pow || op == ast::BinaryOp::MatMul)
    return refuseOperator(evaluator, op, range);
  return evaluator.semantics.binary(op, left, right, range);
}

Value eval::unary(Evaluation &evaluator, ast::UnaryOp op, const Value &operand, SourceRange range) {
  if (operand.isPoison() || !evaluator.hasValue(operand, range))
    return Poison();
  if (std::optional<Value> result = evaluator.aggregates().unary(op, operand, range))
    return *result;
  if (!operand.is<Tensor>())
    return combine(evaluator.constexprOps.unary(op, operand, range), operand, operand);
  evaluator.at(range);
  return evaluator.semantics.unary(op, operand, range);
}

Value eval::compare(Evaluation &evaluator, ast::CompareOp op, const Value &left, const Value &right,
                    SourceRange range) {
  if (left.isPoison() || right.isPoison())
    return Poison();
  if (op == ast::CompareOp::In || op == ast::CompareOp::NotIn)
    if (std::optional<bool> isSet = environmentHas(evaluator, right, left))
      return *isSet == (op == ast::CompareOp::In);
  if (op == ast::CompareOp::Eq || op == ast::CompareOp::Ne)
    for (auto [type, other] : {std::pair(&left, &right), std::pair(&right, &left)})
      if (type->is<TypeValue>() && isHostType(*other)) {
        const std::string_view path = other->as<Unknown>()->origin->path;
        const Spelling spelling = languageSpelling(evaluator.functions, path.substr(path.rfind('.') + 1));
        Diagnostic &diagnostic = evaluator.reporter.report(
            Severity::Warning, range, "a type of the language is never equal to one of PyTorch's");
        if (!spelling.empty())
          diagnostic.help = "in a kernel it is " + spelling.text;
        addSpellingFix(evaluator.reporter, diagnostic, range, path.substr(path.rfind('.') + 1), spelling);
        return op == ast::CompareOp::Ne;
      }
  if (std::optional<Value> result = evaluator.aggregates().compare(op, left, right, range))
    return *result;
  bool identity = op == ast::CompareOp::Is || op == ast::CompareOp::IsNot;
  for (const Value *side : {&left, &right})
    if (identity ? !evaluator.hasValue(*side, range) : !evaluator.isKnownThroughout(*side, range))
      return Poison();
  if (identity && (left.is<Tensor>() || right.is<Tensor>())) {
    // A run-time value is never one of the objects that are known by identity: None, a type, a truth.
    const Tensor *a = left.as<Tensor>(), *b = right.as<Tensor>();
    return (a && b && a->ir == b->ir) == (op == ast::CompareOp::Is);
  }
  if (!left.is<Tensor>() && !right.is<Tensor>()) {
    const bool isOfValues = !identity && op != ast::CompareOp::In && op != ast::CompareOp::NotIn;
    if (auto versions = isOfValues ? asVersions(evaluator, left, right, range) : std::nullopt)
      return combine(evaluator.constexprOps.compare(op, versions->first, versions->second, range), left,
                     right);
    return combine(evaluator.constexprOps.compare(op, left, right, range), left, right);
  }
  if (left.isNone() || right.isNone()) {
    Diagnostic &diagnostic = evaluator.reporter.error(range, "expected numbers to compare, found " +
                                                                 describe(left) + " and " + describe(right));
    diagnostic.help = "write `is None` or `is not None`";
    const std::string_view code = evaluator.reporter.source().slice(range), spelled = ast::spelling(op);
    const size_t at = code.find(spelled);
    if ((op == ast::CompareOp::Eq || op == ast::CompareOp::Ne) && at == code.rfind(spelled))
      evaluator.reporter.addFix(diagnostic,
                                {uint32_t(range.begin + at), uint32_t(range.begin + at + spelled.size())},
                                op == ast::CompareOp::Eq ? "is" : "is not", Certainty::Certain);
    return Poison();
  }
  evaluator.at(range);
  return evaluator.semantics.compare(op, left, right, range);
}
