#include "compiler/frontend/syntax/ast/JitFunctions.h"

#include "compiler/frontend/syntax/ast/Bindings.h"

#include <map>

namespace tegula::ast {
namespace {

class Finder {
public:
  explicit Finder(std::vector<JitFunction> &found) : found(found) {}

  // The height of the tree is bounded by the parser.
  void visit(Block block) {
    std::map<std::string_view, const FunctionStmt *> last;
    std::map<const FunctionStmt *, std::string_view> alias;
    for (const Stmt *stmt : block) {
      if (const auto *function = as<FunctionStmt>(stmt))
        last[function->name] = function;
      else if (auto [name, value] = plainAssignment(stmt); value && last.contains(value->id))
        alias.try_emplace(last[value->id], name->id);
    }
    for (const Stmt *stmt : block)
      if (const auto *function = as<FunctionStmt>(stmt)) {
        if (last[function->name] == function)
          visitFunction(*function, function->name);
        else if (auto found = alias.find(function); found != alias.end())
          visitFunction(*function, found->second);
      } else {
        visitNested(*stmt);
      }
  }

private:
  /// `a = b` as both names; null names for any other statement.
  static std::pair<const NameExpr *, const NameExpr *> plainAssignment(const Stmt *stmt) {
    const auto *assign = as<AssignStmt>(stmt);
    const auto *name =
        assign && assign->targets.size() == 1 ? as<NameExpr>(assign->targets.front()) : nullptr;
    const auto *value = name ? as<NameExpr>(assign->value) : nullptr;
    return {value ? name : nullptr, value};
  }

  /// `name` is what is left of its names: another one where a later definition has taken its own.
  void visitFunction(const FunctionStmt &function, std::string_view name) {
    JitFunction here = at;
    here.function = &function;
    here.name += name;
    if (function.isJit) {
      found.push_back(std::move(here));
      return;
    }
    here.name += '.';
    here.around.push_back(&function);
    here.isInClass = false;
    enter(std::move(here), function.body);
  }

  void visitNested(const Stmt &stmt) {
    if (const auto *type = as<ClassStmt>(&stmt)) {
      JitFunction here = at;
      here.name += std::string(type->name) + ".";
      here.isInClass = true;
      enter(std::move(here), type->body);
      return;
    }
    const bool outer = at.isConditional;
    const auto *match = as<MatchStmt>(&stmt);
    at.isConditional = outer || match || stmt.kind == StmtKind::If || stmt.kind == StmtKind::Try;
    for (const MatchCase &part : match ? match->cases : std::span<const MatchCase>())
      visit(part.body);
    forEachNested(&stmt, [&](Block block) { visit(block); });
    at.isConditional = outer;
  }

  void enter(JitFunction inner, Block body) {
    inner.isNested = true;
    std::swap(at, inner);
    visit(body);
    std::swap(at, inner);
  }

  std::vector<JitFunction> &found;
  JitFunction at = {}; ///< what all functions of the block at work have in common
};

} // namespace

const FunctionStmt *functionAtTop(const Module &module, std::string_view name) {
  const FunctionStmt *found = nullptr;
  for (const Stmt *stmt : module.body)
    if (const auto *function = as<FunctionStmt>(stmt); function && function->name == name)
      found = function;
  return found;
}

std::vector<JitFunction> jitFunctions(const Module &module) {
  std::vector<JitFunction> found;
  Finder(found).visit(module.body);
  return found;
}

} // namespace tegula::ast
