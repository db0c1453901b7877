// Lists that grow: `configs.append(...)` as a statement of code that Python would run before a kernel.
//
// Values never change here, so growing a list gives its variable a longer one. That is what Python does as
// long as no other variable is the same list, which is checked.
#include "compiler/frontend/eval/text/Bindings.h"
#include "compiler/frontend/eval/walk/Evaluator.h"

using namespace tegula;
using namespace tegula::eval;

bool Evaluator::execMutation(const ast::ExprStmt &stmt) {
  const ast::NameExpr *name = mutatedName(&stmt);
  if (!name || frame->mode != Mode::Host)
    return false;
  Value before = eval(name);
  const auto &call = *ast::as<ast::CallExpr>(stmt.value);
  std::string_view method = ast::as<ast::AttributeExpr>(call.callee)->name;
  const Tuple *list = before.as<Tuple>();
  if (before.isPoison())
    return true;
  if (!list || !list->isList || (method != "append" && method != "extend")) {
    reporter
        .error(stmt.range, describe(before) + " cannot be changed by " + asCode(method) +
                               " in what is computed at compile time")
        .help = "make a new value; lists grow by `append`, `extend` and `+=`";
    return true;
  }
  Arguments arguments;
  if (!evalArguments(call.arguments, arguments))
    return true;
  if (arguments.positional.size() != 1 || !arguments.keywords.empty()) {
    reporter.error(stmt.range, asCode(method) + ": expected one argument");
    return true;
  }
  if (!frame->scope->findHere(name->id)) {
    reporter
        .error(name->range,
               asCode(name->id) + " is a list of the module, which a function cannot change at compile time")
        .basis = Basis::Text;
    return true;
  }
  for (const auto &[other, binding] : frame->scope->bindings) {
    const Tuple *held = binding.value.as<Tuple>();
    if (held && other != llvm::StringRef(name->id) && !list->items.empty() &&
        held->items.data() == list->items.data()) {
      reporter
          .error(stmt.range,
                 asCode(other) + " is the same list as " + asCode(name->id) + ", which would change with it")
          .help = "copy it first: `" + std::string(name->id) + " = list(" + std::string(name->id) + ")`";
      return true;
    }
  }
  const Argument &added = arguments.positional[0];
  llvm::SmallVector<Value> items(list->items);
  if (method == "append") {
    items.push_back(added.value);
  } else {
    std::optional<llvm::ArrayRef<Value>> more = iterate(added.value, added.range);
    if (!more)
      return true;
    items.append(more->begin(), more->end());
  }
  Value longer = memory.tuple(items, true, stmt.range);
  frame->scope->set(name->id, {longer, name->range});
  return true;
}
