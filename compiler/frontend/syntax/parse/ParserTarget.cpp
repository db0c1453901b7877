// Checks targets: of assignments, loops and `del`.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

namespace tegula::syntax {
namespace {

/// Returns a noun for an expression, for "cannot assign to ...".
std::string_view nounFor(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Constant:
    switch (static_cast<const ConstantExpr *>(expr)->constant) {
    case ConstantKind::None: return "`None`";
    case ConstantKind::True: return "`True`";
    case ConstantKind::False: return "`False`";
    case ConstantKind::Ellipsis: return "`...`";
    }
    return "a constant";
  case ExprKind::Number: case ExprKind::String: return "a literal";
  case ExprKind::FString: return "an f-string";
  case ExprKind::Dict: return "a dictionary";
  case ExprKind::Set: return "a set";
  case ExprKind::Tuple: return "a tuple";
  case ExprKind::List: return "a list";
  case ExprKind::Comprehension: return "a comprehension";
  case ExprKind::Unary: case ExprKind::Binary: case ExprKind::Bool: return "an operation";
  case ExprKind::Compare: return "a comparison";
  case ExprKind::Conditional: return "a conditional expression";
  case ExprKind::Lambda: return "a lambda";
  case ExprKind::Call: return "a function call";
  case ExprKind::Starred: return "a starred expression";
  case ExprKind::Walrus: return "a named expression";
  case ExprKind::Await: return "an `await` expression";
  case ExprKind::Yield: case ExprKind::YieldFrom: return "a `yield` expression";
  default: return "an expression";
  }
}

bool isPlace(const Expr *expr) {
  return expr->kind == ExprKind::Name || expr->kind == ExprKind::Attribute ||
         expr->kind == ExprKind::Subscript;
}

} // namespace

void Parser::checkTarget(const Expr *target, TargetUse use) {
  if (panicking || isPlace(target) || target->kind == ExprKind::Error)
    return;
  const std::optional<ExprList> elements = writtenElements(target);
  if (!elements) {
    std::string_view action = use == TargetUse::Delete ? "delete" : "assign to";
    report(target->range, fmt::format("cannot {} {}", action, nounFor(target)));
    return;
  }
  bool starred = false;
  for (const Expr *element : *elements) {
    const auto *star = as<StarredExpr>(element);
    if (star && use != TargetUse::Delete) {
      if (starred)
        report(star->range, "expected at most one starred target, found another");
      starred = true;
      element = star->value;
    }
    checkTarget(element, use);
  }
}

/// For targets that take one value as it is: `action` is "annotate", "use `+=` on".
void Parser::checkSingleTarget(const Expr *target, std::string_view action) {
  if (!panicking && !isPlace(target) && target->kind != ExprKind::Error)
    report(target->range, fmt::format("cannot {} {}", action, nounFor(target)));
}

/// Targets of `for` and `del`: they end before `in`, which an expression would take in.
const Expr *Parser::parseTargetList(TargetUse use) {
  const Expr *target = parseTuple(&Parser::parseBitOr);
  checkTarget(target, use);
  return target;
}

} // namespace tegula::syntax
