// Statements that do not branch.
#include "compiler/frontend/eval/expressions/Operators.h"
#include "compiler/frontend/eval/names/Globals.h"
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/text/Decorators.h"
#include "compiler/frontend/eval/walk/Evaluator.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

std::string_view kindName(const ast::Stmt &stmt) {
  switch (stmt.kind) {
  case ast::StmtKind::Raise:
    return "`raise`";
  case ast::StmtKind::Delete:
    return "`del`";
  case ast::StmtKind::Break:
    return "`break`";
  case ast::StmtKind::Continue:
    return "`continue`";
  case ast::StmtKind::Global:
    return "`global`";
  case ast::StmtKind::Nonlocal:
    return "`nonlocal`";
  case ast::StmtKind::Import:
  case ast::StmtKind::ImportFrom:
    return "`import`";
  case ast::StmtKind::Try:
    return "`try`";
  case ast::StmtKind::With:
    return "`with`";
  case ast::StmtKind::Match:
    return "`match`";
  case ast::StmtKind::Function:
    return "a function within a function";
  case ast::StmtKind::Class:
    return "a class";
  default:
    return "this statement";
  }
}

} // namespace

Flow Evaluator::unsupported(const ast::Stmt &stmt) {
  Diagnostic &diagnostic = reporter.error(
      stmt.range, std::string(kindName(stmt)) + " cannot be used " +
                      (frame->mode == Mode::Kernel ? "in a kernel" : "in what is computed at compile time"));
  diagnostic.basis = Basis::Text;
  if (stmt.kind == ast::StmtKind::Break || stmt.kind == ast::StmtKind::Continue)
    diagnostic.help = "loops of a kernel run to their end: put the rest of the body under an `if`";
  else if (stmt.kind == ast::StmtKind::Function)
    diagnostic.help = "define it at the level of the module, decorated with `@triton.jit`";
  return Flow::Next;
}

Flow Evaluator::exec(const ast::Stmt *stmt) {
  Depth guard(*this, stmt->range);
  if (!guard.ok || !step(stmt->range))
    return Flow::Next;
  switch (stmt->kind) {
  case ast::StmtKind::Expr:
    // A docstring costs nothing.
    if (const ast::Expr *value = ast::as<ast::ExprStmt>(stmt)->value;
        value->kind != ast::ExprKind::String && !execMutation(*ast::as<ast::ExprStmt>(stmt))) {
      unusedCall = ast::as<ast::CallExpr>(value);
      eval(value);
    }
    return Flow::Next;
  case ast::StmtKind::Assign:
    execAssign(*ast::as<ast::AssignStmt>(stmt));
    return Flow::Next;
  case ast::StmtKind::AnnAssign:
    execAnnAssign(*ast::as<ast::AnnAssignStmt>(stmt));
    return Flow::Next;
  case ast::StmtKind::AugAssign:
    execAugAssign(*ast::as<ast::AugAssignStmt>(stmt));
    return Flow::Next;
  case ast::StmtKind::Return:
    return execReturn(*ast::as<ast::ReturnStmt>(stmt));
  case ast::StmtKind::Assert:
    execAssert(*ast::as<ast::AssertStmt>(stmt));
    return Flow::Next;
  case ast::StmtKind::Pass:
    return Flow::Next;
  case ast::StmtKind::If:
    return execIf(*ast::as<ast::IfStmt>(stmt));
  case ast::StmtKind::For:
    return execFor(*ast::as<ast::ForStmt>(stmt));
  case ast::StmtKind::While:
    return execWhile(*ast::as<ast::WhileStmt>(stmt));
  case ast::StmtKind::Break:
  case ast::StmtKind::Continue:
    if (frame->mode == Mode::Host)
      return stmt->kind == ast::StmtKind::Break ? Flow::Break : Flow::Continue;
    return unsupported(*stmt);
  case ast::StmtKind::Import:
  case ast::StmtKind::ImportFrom:
    if (frame->mode != Mode::Host)
      return unsupported(*stmt);
    execImport(*stmt);
    return Flow::Next;
  case ast::StmtKind::Try:
    return frame->mode == Mode::Host ? execTry(*ast::as<ast::TryStmt>(stmt)) : unsupported(*stmt);
  case ast::StmtKind::Function:
    return execFunction(*ast::as<ast::FunctionStmt>(stmt));
  default:
    return unsupported(*stmt);
  }
}

/// A function in a loop of a file is one of the file. A function within a function would see that one's
/// variables, and may be handed about, such as a config's hook.
Flow Evaluator::execFunction(const ast::FunctionStmt &stmt) {
  if (frame->mode != Mode::Host)
    return unsupported(stmt);
  Value value = frame->function ? memory.unknown({.kind = UnknownOrigin::Kind::Nested,
                                                  .name = stmt.name,
                                                  .unit = frame->unit,
                                                  .range = stmt.nameRange})
                                : Value(Function{&stmt, frame->unit});
  assignName(stmt.name, stmt.nameRange, value);
  return Flow::Next;
}

void Evaluator::execImport(const ast::Stmt &stmt) {
  const ast::Stmt *import = &stmt;
  forEachBoundName({&import, 1}, [&](std::string_view name) {
    assignName(name, stmt.range, names.globalsOf(*frame->unit).boundByImport(stmt, name));
  });
}

Flow Evaluator::execTry(const ast::TryStmt &stmt) {
  Flow flow = Flow::Next;
  bool isCut = false; // by an import that fails
  for (const ast::Stmt *inner : stmt.body) {
    std::optional<bool> succeeds = names.globalsOf(*frame->unit).importSucceeds(*inner);
    if (!succeeds) {
      reporter.error(inner->range, "whether this import succeeds is not known here").help =
          "`--import-path=DIR` names a folder to look in";
      return Flow::Next;
    }
    isCut = !*succeeds;
    flow = isCut ? Flow::Next : exec(inner);
    if (isCut || flow != Flow::Next)
      break;
  }
  if (isCut) {
    auto handler = llvm::find_if(stmt.handlers, catchesImportError);
    if (handler == stmt.handlers.end())
      return unsupported(stmt);
    flow = execBlock(handler->body);
  } else if (flow == Flow::Next) {
    flow = execBlock(stmt.elseBody);
  }
  Flow last = execBlock(stmt.finallyBody);
  return last == Flow::Next ? flow : last;
}

void Evaluator::execAssign(const ast::AssignStmt &stmt) {
  Value value = eval(stmt.value);
  if (frame->mode == Mode::Kernel && !frame->declared.empty()) {
    for (const ast::Expr *target : stmt.targets)
      assignDeclared(target, value, stmt.value->range);
    return;
  }
  if (frame->mode == Mode::Kernel)
    value = decay(value, stmt.value->range);
  for (const ast::Expr *target : stmt.targets)
    assign(target, value, stmt.value->range);
}

void Evaluator::execAnnAssign(const ast::AnnAssignStmt &stmt) {
  const auto *name = ast::as<ast::NameExpr>(stmt.target);
  const bool isConstant =
      frame->mode == Mode::Kernel && name && annotationNames(stmt.annotation, "constexpr");
  if (!stmt.value) {
    if (isConstant && !llvm::is_contained(frame->declared, name->id))
      frame->declared.push_back(name->id);
    return;
  }
  Value value = eval(stmt.value);
  if (!isConstant) {
    if (frame->mode == Mode::Kernel)
      value = decay(value, stmt.value->range);
    return assign(stmt.target, value, stmt.value->range);
  }
  llvm::erase(frame->declared, name->id);
  assignConstant(*name, value, stmt.value->range);
}

void Evaluator::execAugAssign(const ast::AugAssignStmt &stmt) {
  if (stmt.target->kind != ast::ExprKind::Name)
    return assign(stmt.target, Poison(), stmt.value->range);
  Value before = eval(stmt.target), operand = eval(stmt.value);
  Value value = binary(*this, stmt.op, before, operand, stmt.range);
  if (frame->mode == Mode::Kernel)
    value = decay(value, stmt.range);
  assign(stmt.target, value, stmt.range);
}

Flow Evaluator::execReturn(const ast::ReturnStmt &stmt) {
  Value value = stmt.value ? eval(stmt.value) : Value(None());
  // A constant that the library computes from constants stays one: `tl.cdiv(64, 16)` may be a side.
  if (frame->mode == Mode::Kernel && !(frame->unit->isLibrary && !isRuntime(value)))
    value = returned(value, stmt.value ? stmt.value->range : stmt.range);
  bool isKernel = frame->mode == Mode::Kernel && !frame->parent;
  if (isKernel && !value.isNone() && !value.isPoison())
    reporter.error(stmt.value->range, "expected a kernel to return nothing, found " + describe(value));
  frame->returned = value;
  frame->returnRange = stmt.range;
  return Flow::Return;
}

void Evaluator::execAssert(const ast::AssertStmt &stmt) {
  Value condition = eval(stmt.condition);
  Value message = stmt.message ? eval(stmt.message) : Value(std::string_view(""));
  const auto *text = message.as<std::string_view>();
  if (condition.isPoison() || message.isPoison() || !hasValue(condition, stmt.condition->range) ||
      (stmt.message && !hasValue(message, stmt.message->range)))
    return;
  if (!text) {
    reporter.error(stmt.message->range, "expected a string as the message, found " + describe(message));
    return;
  }
  if (std::optional<bool> known = truth(condition)) {
    if (!*known)
      reporter.error(stmt.condition->range,
                     text->empty() ? "the assertion fails" : "the assertion fails: " + std::string(*text));
    return;
  }
  if (!spec.debug)
    return;
  at(stmt.range);
  if (std::optional<Tensor> flag =
          semantics.cast(*condition.as<Tensor>(), {ScalarKind::Int1}, stmt.condition->range))
    tile::AssertOp::create(emit.builder, emit.loc, flag->ir, llvm::StringRef(*text));
}
