// A class becomes a function of a source of its own, in the words of the library: what binds arguments to
// parameters binds them to fields.
#include "compiler/frontend/eval/NamedTuples.h"

#include "compiler/frontend/syntax/Parser.h"

using namespace tegula;
using namespace tegula::eval;

static constexpr std::string_view madePath = "<class>";

static bool isNamedTuple(const ast::Expr *base) {
  const auto *name = ast::as<ast::NameExpr>(base);
  const auto *attribute = ast::as<ast::AttributeExpr>(base);
  return (name && name->id == "NamedTuple") || (attribute && attribute->name == "NamedTuple");
}

std::unique_ptr<TupleClass> eval::namedTupleClass(const ast::ClassStmt &definition, const Unit &unit) {
  if (definition.arguments.size() != 1 || !isNamedTuple(definition.arguments.front().value))
    return nullptr;
  std::string parameters, items;
  auto made = std::make_unique<TupleClass>();
  for (const ast::Stmt *stmt : definition.body) {
    const auto *field = ast::as<ast::AnnAssignStmt>(stmt);
    const auto *name = field ? ast::as<ast::NameExpr>(field->target) : nullptr;
    if (!name)
      continue;
    made->fields.push_back(name->id);
    const std::string id(name->id);
    parameters +=
        id + (field->value ? "=" + std::string(unit.source().slice(field->value->range)) : "") + ", ";
    items += id + ", ";
  }
  made->names = {definition.name, made->fields};
  const std::string text = "import triton.language as tl\n@jit\ndef " + std::string(definition.name) + "(" +
                           parameters + "):\n    return tl._named_tuple((" + items + "))\n";
  DiagnosticEngine ignored; // the fields have been parsed before
  made->text = parseModule(std::make_shared<SourceFile>(std::string(madePath), text), ignored);
  made->module = made->text.get();
  made->isLibrary = true;
  for (const ast::Stmt *stmt : made->text->body)
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt))
      made->maker = function;
  return made->maker ? std::move(made) : nullptr;
}

const TupleClass *eval::tupleClass(const Unit &unit) {
  return unit.source().path() == madePath ? static_cast<const TupleClass *>(&unit) : nullptr;
}

std::optional<bool> eval::isMadeBy(const Value &value, const Function &function) {
  const TupleClass *made = tupleClass(*function.unit);
  const Tuple *tuple = value.as<Tuple>();
  return made ? std::optional(tuple && tuple->names == &made->names) : std::nullopt;
}
