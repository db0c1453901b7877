#include "compiler/guess/Launches.h"

#include "compiler/frontend/syntax/ast/AstWalk.h"
#include "compiler/guess/NameHints.h"

#include <array>
#include <utility>

namespace tegula::guess {
namespace {

/// Values of names, as plain assignments give them; the first of each name.
using Assigned = std::map<std::string_view, const ast::Expr *>;

Assigned assignedIn(ast::Block body, bool alsoInFunctions) {
  Assigned assigned;
  auto keep = [&](const ast::Expr *target, const ast::Expr *value) {
    if (const auto *name = ast::as<ast::NameExpr>(target); name && value)
      assigned.try_emplace(name->id, value);
  };
  ast::walk(body, {[&](const ast::Stmt &stmt) {
                     if (const auto *plain = ast::as<ast::AssignStmt>(&stmt))
                       for (const ast::Expr *target : plain->targets)
                         keep(target, plain->value);
                     else if (const auto *annotated = ast::as<ast::AnnAssignStmt>(&stmt))
                       keep(annotated->target, annotated->value);
                     return alsoInFunctions || stmt.kind != ast::StmtKind::Function;
                   },
                   [](const ast::Expr &) { return false; }});
  return assigned;
}

std::optional<BoundValue> numberOf(const ast::NumberExpr &number, bool isNegative) {
  if (number.number == ast::NumberKind::Float)
    return BoundValue{isNegative ? -number.floatValue : number.floatValue};
  if (number.number != ast::NumberKind::Int || !number.intValue || *number.intValue > uint64_t(INT64_MAX))
    return std::nullopt;
  const auto value = int64_t(*number.intValue);
  return BoundValue{isNegative ? -value : value};
}

std::optional<BoundValue> literalOf(const ast::Expr *expr) {
  if (const auto *number = ast::as<ast::NumberExpr>(expr))
    return numberOf(*number, false);
  if (const auto *negated = ast::as<ast::UnaryExpr>(expr); negated && negated->op == ast::UnaryOp::Negate)
    if (const auto *number = ast::as<ast::NumberExpr>(negated->operand))
      return numberOf(*number, true);
  if (const auto *text = ast::as<ast::StringExpr>(expr); text && !text->isBytes)
    return BoundValue{std::string(text->value)};
  if (const auto *constant = ast::as<ast::ConstantExpr>(expr)) {
    if (constant->constant == ast::ConstantKind::None)
      return BoundValue{};
    if (constant->constant != ast::ConstantKind::Ellipsis)
      return BoundValue{constant->constant == ast::ConstantKind::True};
  }
  const std::string dotted = dottedName(expr);
  if (dotted.starts_with("tl."))
    if (const std::optional<ScalarKind> kind = parseScalarKind(std::string_view(dotted).substr(3)))
      return BoundValue{bound::Dtype{*kind}};
  return std::nullopt;
}

std::optional<ScalarKind> torchType(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, ScalarKind>, 6> others = {{{"long", ScalarKind::Int64},
                                                                              {"int", ScalarKind::Int32},
                                                                              {"half", ScalarKind::Float16},
                                                                              {"float", ScalarKind::Float32},
                                                                              {"double", ScalarKind::Float64},
                                                                              {"bool", ScalarKind::Int1}}};
  for (const auto &[spelling, kind] : others)
    if (spelling == name)
      return kind;
  return parseScalarKind(name);
}

/// The element type of an array made by a call with `dtype=torch.float16`.
std::optional<ScalarKind> elementOf(const ast::Expr *expr) {
  const auto *call = ast::as<ast::CallExpr>(expr);
  if (!call)
    return std::nullopt;
  for (const ast::Argument &argument : call->arguments)
    if (argument.name == "dtype")
      if (const auto *type = ast::as<ast::AttributeExpr>(argument.value))
        return torchType(type->name);
  return std::nullopt;
}

/// Collects the arguments of all launches of one kernel.
class Reader {
public:
  Reader(const ast::Module &module, const std::string &kernel, const std::vector<std::string> &parameters)
      : module(module), kernel(kernel.substr(kernel.rfind('.') + 1)), parameters(parameters),
        atTop(assignedIn(module.body, false)) {}

  std::map<std::string, Passed> read(ast::Block body) {
    scope(body, body.data() == module.body.data() ? Assigned() : assignedIn(body, true));
    return std::move(passed);
  }

private:
  /// Reads the launches in `body`, in which names have the values `local` first.
  void scope(ast::Block body, const Assigned &local) {
    ast::walk(body, {[&](const ast::Stmt &stmt) {
                       const auto *function = ast::as<ast::FunctionStmt>(&stmt);
                       if (function && !function->isJit)
                         scope(function->body, assignedIn(function->body, true));
                       return !function;
                     },
                     [&](const ast::Expr &expr) {
                       const auto *call = ast::as<ast::CallExpr>(&expr);
                       const auto *launched = call ? ast::as<ast::SubscriptExpr>(call->callee) : nullptr;
                       if (launched && typeNameIn(launched->object) == kernel)
                         launch(*call, local);
                       return true;
                     }});
  }

  void launch(const ast::CallExpr &call, const Assigned &local) {
    size_t position = 0;
    for (const ast::Argument &argument : call.arguments) {
      if (argument.kind == ast::ArgumentKind::Star)
        position = parameters.size(); // of unknown length
      else if (argument.kind == ast::ArgumentKind::Keyword)
        keep(std::string(argument.name), argument.value, local);
      else if (argument.kind == ast::ArgumentKind::Positional && position < parameters.size())
        keep(parameters[position++], argument.value, local);
    }
  }

  void keep(const std::string &parameter, const ast::Expr *value, const Assigned &local) {
    if (const auto *name = ast::as<ast::NameExpr>(value)) {
      const auto found = local.find(name->id);
      const auto global = atTop.find(name->id);
      value = found != local.end() ? found->second : global != atTop.end() ? global->second : value;
    }
    Passed shown{literalOf(value), elementOf(value), module.source->line(value->range.begin)};
    if (shown.literal || shown.element)
      passed.try_emplace(parameter, std::move(shown));
  }

  const ast::Module &module;
  const std::string kernel;
  const std::vector<std::string> &parameters;
  const Assigned atTop;
  std::map<std::string, Passed> passed;
};

} // namespace

std::map<std::string, Passed> passedAtLaunches(const ast::Module &module, ast::Block body,
                                               const std::string &kernel,
                                               const std::vector<std::string> &parameters) {
  return Reader(module, kernel, parameters).read(body);
}

} // namespace tegula::guess
