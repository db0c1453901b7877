// Kernels that are decorated by assignment: `f = triton.jit(f)`, behind the function's definition.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <unordered_map>

namespace tegula::syntax {
namespace {

/// The decorator D of `name = D(name)`, where D makes or tunes kernels; else null.
const Expr *assignedDecorator(const AssignStmt &assign, std::string_view &name) {
  const auto *call = as<CallExpr>(assign.value);
  const auto *target = assign.targets.size() == 1 ? as<NameExpr>(assign.targets[0]) : nullptr;
  if (!call || !target || call->arguments.size() != 1 || call->arguments[0].kind != ArgumentKind::Positional)
    return nullptr;
  const auto *argument = as<NameExpr>(call->arguments[0].value);
  std::string_view decorator = decoratorName(call->callee);
  if (!argument || argument->id != target->id ||
      (!decorator.ends_with("jit") && decorator != "autotune" && decorator != "heuristics"))
    return nullptr;
  name = target->id;
  return call->callee;
}

} // namespace

/// Rewrites `f = D(f)` at the level of the file to what it means, a decorator of the function `f` before it.
void Parser::foldAssignedDecorators(Statements &statements) {
  constexpr size_t MaxDecorators = 64; // of one function; each copies those below it
  std::unordered_map<std::string_view, size_t> functions;
  Statements kept;
  for (const Stmt *statement : statements) {
    const auto *assign = as<AssignStmt>(statement);
    std::string_view name;
    const Expr *decorator = assign ? assignedDecorator(*assign, name) : nullptr;
    auto place = decorator ? functions.find(name) : functions.end();
    if (place == functions.end() || !decorate(kept[place->second], decorator, MaxDecorators)) {
      if (const auto *function = as<FunctionStmt>(statement))
        functions[function->name] = kept.size();
      kept.push_back(statement);
    }
  }
  statements = std::move(kept);
}

/// Puts `decorator` on top of those of the function `statement`. False, and nothing done, where it cannot be.
bool Parser::decorate(const Stmt *&statement, const Expr *decorator, size_t most) {
  FunctionStmt function = *as<FunctionStmt>(statement);
  bool isKernel = makesKernel(decorator);
  if (function.errors || isKernel == (function.jitDecorator != nullptr) ||
      function.decorators.size() >= most)
    return false;
  std::vector<const Expr *> decorators{decorator};
  decorators.insert(decorators.end(), function.decorators.begin(), function.decorators.end());
  function.decorators = arena.copy(decorators);
  if (isKernel) {
    function.jitDecorator = decorator;
    function.isJit = true;
  }
  statement = arena.make(function);
  return true;
}

} // namespace tegula::syntax
