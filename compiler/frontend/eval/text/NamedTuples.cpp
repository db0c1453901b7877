// A class becomes a function of a source of its own, in the words of the library: what binds arguments to
// parameters binds them to fields.
#include "compiler/frontend/eval/text/NamedTuples.h"

#include "compiler/frontend/syntax/parse/Parser.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::eval;

static constexpr std::string_view madePath = "<class>";

static bool isCalled(const ast::Expr *callee, std::string_view wanted) {
  const auto *name = ast::as<ast::NameExpr>(callee);
  const auto *attribute = ast::as<ast::AttributeExpr>(callee);
  return (name && name->id == wanted) || (attribute && attribute->name == wanted);
}

namespace {

struct Field {
  std::string_view name;
  std::optional<std::string_view> defaultText; ///< as the source spells it
};

/// The class `name` of these fields; null where they are none that a function could have as parameters.
std::unique_ptr<TupleClass> makeClass(std::string_view name, llvm::ArrayRef<Field> fields) {
  std::string parameters, items;
  auto made = std::make_unique<TupleClass>();
  for (const Field &field : fields) {
    made->fields.push_back(field.name);
    const std::string id(field.name);
    parameters += id + (field.defaultText ? "=" + std::string(*field.defaultText) : "") + ", ";
    items += id + ", ";
  }
  made->names = {name, made->fields};
  const std::string text = "import triton.language as tl\n@jit\ndef " + std::string(name) + "(" + parameters +
                           "):\n    return tl._named_tuple((" + items + "))\n";
  DiagnosticEngine ignored; // the fields have been parsed before, or are no names
  made->text = parseModule(std::make_shared<SourceFile>(std::string(madePath), text), ignored);
  made->module = made->text.get();
  made->isLibrary = true;
  for (const ast::Stmt *stmt : made->text->body)
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt))
      made->maker = function;
  return made->maker && !ignored.hasErrors() ? std::move(made) : nullptr;
}

/// Returns the text between the quotes of a plain text; nothing for any other expression.
std::optional<std::string_view> textOf(const ast::Expr *expr, const Unit &unit) {
  if (!expr || expr->kind != ast::ExprKind::String)
    return std::nullopt;
  std::string_view text = unit.source().slice(expr->range);
  if (text.size() < 2 || text.front() != text.back() || (text.front() != '"' && text.front() != '\''))
    return std::nullopt;
  return text.substr(1, text.size() - 2);
}

/// The names that `expr` lists; nothing where one is not written out.
std::optional<std::vector<Field>> fieldsOf(const ast::Expr *expr, const Unit &unit) {
  std::vector<Field> fields;
  if (std::optional<std::string_view> all = textOf(expr, unit)) {
    for (size_t end = 0, start = 0; (start = all->find_first_not_of(" ,", end)) != all->npos;) {
      end = std::min(all->find_first_of(" ,", start), all->size());
      fields.push_back({all->substr(start, end - start), std::nullopt});
    }
    return fields;
  }
  const std::optional<ast::ExprList> elements = ast::writtenElements(expr);
  if (!elements)
    return std::nullopt;
  for (const ast::Expr *element : *elements) {
    const std::optional<std::string_view> name = textOf(element, unit);
    if (!name)
      return std::nullopt;
    fields.push_back({*name, std::nullopt});
  }
  return fields;
}

} // namespace

std::unique_ptr<TupleClass> eval::namedTupleClass(const ast::ClassStmt &definition, const Unit &unit) {
  if (definition.arguments.size() != 1 || !isCalled(definition.arguments.front().value, "NamedTuple"))
    return nullptr;
  std::vector<Field> fields;
  for (const ast::Stmt *stmt : definition.body) {
    const auto *field = ast::as<ast::AnnAssignStmt>(stmt);
    const auto *name = field ? ast::as<ast::NameExpr>(field->target) : nullptr;
    if (name)
      fields.push_back({name->id, field->value ? std::optional(unit.source().slice(field->value->range))
                                               : std::optional<std::string_view>()});
  }
  return makeClass(definition.name, fields);
}

std::unique_ptr<TupleClass> eval::namedTupleClass(std::string_view name, const ast::Expr *value,
                                                  const Unit &unit) {
  const auto *call = ast::as<ast::CallExpr>(value);
  if (!call || !isCalled(call->callee, "namedtuple"))
    return nullptr;
  const ast::Expr *listed = nullptr, *defaults = nullptr;
  for (size_t i = 0; i < call->arguments.size(); ++i) {
    const ast::Argument &argument = call->arguments[i];
    if (argument.kind == ast::ArgumentKind::Positional ? i == 1 : argument.name == "field_names")
      listed = argument.value;
    else if (argument.name == "defaults")
      defaults = argument.value;
  }
  std::optional<std::vector<Field>> fields = listed ? fieldsOf(listed, unit) : std::nullopt;
  if (!fields)
    return nullptr;
  if (defaults) {
    const std::optional<ast::ExprList> last = ast::writtenElements(defaults);
    if (!last || last->size() > fields->size())
      return nullptr;
    for (size_t i = 0; i < last->size(); ++i)
      (*fields)[fields->size() - last->size() + i].defaultText = unit.source().slice((*last)[i]->range);
  }
  return makeClass(name, *fields);
}

const TupleClass *eval::tupleClass(const Unit &unit) {
  return unit.source().path() == madePath ? static_cast<const TupleClass *>(&unit) : nullptr;
}

std::optional<bool> eval::isMadeBy(const Value &value, const Function &function) {
  const TupleClass *made = tupleClass(*function.unit);
  const Tuple *tuple = value.as<Tuple>();
  return made ? std::optional(tuple && tuple->names == &made->names) : std::nullopt;
}
