// Values of the host as values of the evaluator, and back.
#include "compiler/frontend/eval/names/BoundNames.h"

#include "compiler/frontend/eval/names/Globals.h"
#include "compiler/frontend/eval/names/LanguageModules.h"
#include "compiler/frontend/syntax/ast/JitFunctions.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// The class `name` at the top of the text: an aggregate, as the host hands over no other as a text.
const ast::ClassStmt *ownClass(const ast::Module &module, std::string_view name) {
  for (const ast::Stmt *stmt : module.body)
    if (const auto *type = ast::as<ast::ClassStmt>(stmt); type && type->name == name)
      return type;
  return nullptr;
}

using MaybeBound = std::optional<BoundValue>;

/// The items of a list or tuple.
MaybeBound boundItems(const Tuple &tuple, const Units *program) {
  std::vector<BoundValue> items;
  for (const Value &value : tuple.items) {
    MaybeBound item = toBound(value, program);
    if (!item)
      return std::nullopt;
    items.push_back(std::move(*item));
  }
  if (tuple.isList)
    return BoundValue{bound::List{std::move(items)}};
  bound::Tuple made{std::move(items)};
  if (tuple.names) {
    made.fields.assign(tuple.names->fields.begin(), tuple.names->fields.end());
    made.typeName = tuple.names->type;
  }
  return BoundValue{std::move(made)};
}

MaybeBound boundDict(const Dict &dict, const Units *program) {
  bound::Dict made;
  for (const auto &[key, value] : dict.items) {
    const auto *name = key.as<std::string_view>();
    MaybeBound item = name ? toBound(value, program) : std::nullopt;
    if (!item)
      return std::nullopt;
    made.items.push_back({std::string(*name), std::move(*item)});
  }
  return BoundValue{std::move(made)};
}

MaybeBound boundNumber(Int number) {
  if (fits(number, {ScalarKind::Int64}))
    return BoundValue{int64_t(number)};
  if (fits(number, {ScalarKind::UInt64}))
    return BoundValue{uint64_t(number)};
  return std::nullopt;
}

/// Returns the bound form of a value that only a host that has run the program knows.
MaybeBound boundObject(const Value &value, const Units &program) {
  if (const Dict *dict = value.as<Dict>())
    return boundDict(*dict, &program);
  if (const ModuleRef *module = value.as<ModuleRef>())
    return BoundValue{bound::Language{std::string(module->name)}};
  if (const HostObject *host = value.as<HostObject>())
    return *host->bound;
  const Function *function = value.as<Function>();
  if (!function || function->self || !program.source(program.numberOf(*function->unit)))
    return std::nullopt;
  return BoundValue{
      bound::Function{program.numberOf(*function->unit), std::string(function->definition->name)}};
}

MaybeBound unmarked(const Value &value, const Units *program) {
  if (value.isNone())
    return BoundValue{};
  if (const bool *flag = value.as<bool>())
    return BoundValue{*flag};
  if (const Int *number = value.as<Int>())
    return boundNumber(*number);
  if (const double *real = value.as<double>())
    return BoundValue{*real};
  if (const auto *text = value.as<std::string_view>())
    return BoundValue{std::string(*text)};
  if (const TypeValue *type = value.as<TypeValue>(); type && !type->isVoid && type->shape.empty())
    return BoundValue{bound::Dtype{type->dtype.scalar, type->dtype.pointerDepth}};
  if (const Tuple *tuple = value.as<Tuple>())
    return boundItems(*tuple, program);
  return program ? boundObject(value, *program) : std::nullopt;
}

} // namespace

// Tuples and dicts are of bounded depth.
std::optional<BoundValue> eval::toBound(const Value &value, const Units *program) {
  MaybeBound made = unmarked(value, program);
  if (made)
    made->isConstexpr = program && value.wrapped;
  return made;
}

std::optional<Value> BoundNames::find(const Unit &unit, std::string_view name, SourceRange range) {
  if (auto found = unit.names->find(std::string(name)); found != unit.names->end())
    return read(found->second, found->first, range);
  if (const ast::FunctionStmt *function = ast::functionAtTop(*unit.module, name))
    return Value(Function{function, &unit});
  return std::nullopt;
}

Value BoundNames::given(const BoundValue &value, std::string_view name, SourceRange range) {
  return make(kept.emplace_back(value), name, range, 0);
}

Value BoundNames::read(const BoundValue &bound, std::string_view name, SourceRange range) {
  if (auto found = known.find(&bound); found != known.end())
    return found->second;
  Value value = make(bound, name, range, 0);
  // Its mistakes may not have been reported: some questions are asked quietly.
  if (!value.isPoison())
    known.try_emplace(&bound, value);
  return value;
}

Value BoundNames::makeItems(llvm::ArrayRef<BoundValue> items, bool isList, std::string_view name,
                            SourceRange range, unsigned depth) {
  llvm::SmallVector<Value, 8> made;
  for (const BoundValue &item : items) {
    made.push_back(make(item, name, range, depth));
    if (made.back().isPoison())
      return Poison();
  }
  return evaluator.memory.tuple(made, isList, range);
}

/// `name`, which is read at `range`, is `bound` or holds it.
Value BoundNames::make(const BoundValue &bound, std::string_view name, SourceRange range, unsigned depth) {
  if (depth > maxTupleDepth)
    return evaluator.reporter.refuse(range, "expected values that nest at most " +
                                                std::to_string(maxTupleDepth) + " deep in " + asCode(name));
  struct Visitor {
    BoundNames &names;
    const BoundValue &bound;
    std::string_view name;
    SourceRange range;
    unsigned depth;

    Value operator()(std::monostate) const { return None(); }
    Value operator()(bool flag) const { return flag; }
    Value operator()(int64_t number) const { return Int(number); }
    Value operator()(uint64_t number) const { return Int(number); }
    Value operator()(double number) const { return number; }
    Value operator()(const std::string &text) const { return std::string_view(text); }
    Value operator()(const bound::Dtype &type) const {
      return TypeValue{Dtype{type.scalar, type.pointerDepth}, {}};
    }
    Value operator()(const bound::Tuple &tuple) const {
      Value made = names.makeItems(tuple.items, false, name, range, depth + 1);
      Tuple *plain = std::get_if<Tuple>(&made.payload);
      if (plain && !tuple.fields.empty() && tuple.fields.size() == tuple.items.size())
        plain->names = names.evaluator.memory.tupleNames(tuple.typeName, tuple.fields);
      return made;
    }
    Value operator()(const bound::List &list) const {
      return names.makeItems(list.items, true, name, range, depth + 1);
    }
    Value operator()(const bound::Dict &dict) const {
      llvm::SmallVector<std::pair<Value, Value>, 8> items;
      for (const auto &[key, held] : dict.items) {
        Value value = names.make(held, name, range, depth + 1);
        if (value.isPoison())
          return Poison();
        items.emplace_back(std::string_view(key), value);
      }
      return names.evaluator.memory.dict(items, range);
    }
    Value operator()(const bound::Function &function) const {
      return names.makeFunction(function, name, range);
    }
    Value operator()(const bound::Language &language) const {
      return names.makeLanguage(language, name, range);
    }
    Value operator()(const bound::Namespace &) const { return HostObject{&bound}; }
    Value operator()(const std::shared_ptr<const bound::HostFunction> &function) const {
      if (function)
        return HostObject{&bound};
      return unknown("a function that is gone");
    }
    // What heuristics may ask a descriptor for.
    Value operator()(const bound::Descriptor &descriptor) const {
      bound::List sides;
      for (int64_t side : descriptor.block)
        sides.items.push_back({side});
      return HostObject{&names.kept.emplace_back(
          BoundValue{bound::Namespace{"tensor descriptor", {{"block_shape", {std::move(sides)}}}}})};
    }
    Value operator()(bound::Passed) const { return unknown("an argument of a launch"); }
    Value operator()(const bound::Unknown &held) const { return unknown(held.what); }
    Value unknown(std::string_view what) const {
      return names.evaluator.memory.unknown({UnknownOrigin::Kind::Bound, name, what, nullptr, {}});
    }
  };
  Value value = std::visit(Visitor{*this, bound, name, range, depth}, bound.value);
  value.wrapped = bound.isConstexpr;
  return value;
}

Value BoundNames::makeFunction(const bound::Function &function, std::string_view name, SourceRange range) {
  const Unit *unit = evaluator.user.program->source(function.source);
  if (unit && !unit->names)
    return functionOfFile(*unit, function.name, name, range);
  if (const ast::FunctionStmt *own = unit ? ast::functionAtTop(*unit->module, function.name) : nullptr)
    return Function{own, unit};
  if (const ast::ClassStmt *own = unit ? ownClass(*unit->module, function.name) : nullptr)
    return evaluator.memory.unknown({.kind = UnknownOrigin::Kind::Class,
                                     .name = own->name,
                                     .unit = unit,
                                     .range = own->nameRange,
                                     .type = own});
  return evaluator.reporter.refuse(
      range, asCode(name) + " is bound to the function " + asCode(function.name) + " of source " +
                 std::to_string(function.source) + ", which the program does not have");
}

/// Returns the function `path`, "relu" or "acts.relu", at the top of a file. Of several definitions its
/// conditions decide.
Value BoundNames::functionOfFile(const Unit &unit, std::string_view path, std::string_view name,
                                 SourceRange range) {
  size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  std::optional<Value> value = evaluator.modules().globalsOf(unit).find(first, range);
  // For a module that the file itself does not import: the longest path that leads to one.
  for (size_t end = path.rfind('.'); !value && end != path.npos && end > 0; end = path.rfind('.', end - 1))
    if ((value = evaluator.modules().importModule(unit, 0, path.substr(0, end), range)))
      dot = end;
  if (!value) {
    NearestName nearest(first);
    std::string known;
    for (const ast::JitFunction &one : ast::jitFunctions(*unit.module)) {
      nearest.offer(one.name);
      known += (known.empty() ? "" : ", ") + asCode(one.name);
    }
    Diagnostic &diagnostic =
        evaluator.reporter.error(range, "the value of " + asCode(name) + ", " + asCode(first) +
                                            ", is no function that the file knows");
    diagnostic.help = "its functions are " + known;
    nearest.suggest(diagnostic);
    return Poison();
  }
  // Attributes are read as the file's own text would.
  Frame file{.unit = &unit,
             .mode = Mode::Host,
             .scope = &evaluator.scopes.emplace_back(),
             .parent = evaluator.frame};
  file.activation = {&unit, "", {}, evaluator.reporter.current()};
  Frame *previous = std::exchange(evaluator.frame, &file);
  for (size_t at = dot; at != path.npos && !value->isPoison();) {
    const size_t next = path.find('.', at + 1);
    value = evaluator.attribute(*value, path.substr(at + 1, std::min(next, path.size()) - at - 1), range);
    at = next;
  }
  evaluator.frame = previous;
  if (value->isPoison() || value->is<Function>() || value->is<BuiltinRef>())
    return *value;
  return evaluator.reporter.refuse(range, "expected a function as the value of " + asCode(name) + ", found " +
                                              describe(*value) + ", which is what " + asCode(path) + " is");
}

Value BoundNames::makeLanguage(const bound::Language &language, std::string_view name, SourceRange range) {
  if (std::optional<ModuleRef> module = moduleByPath(language.path))
    return *module;
  size_t dot = language.path.rfind('.');
  std::string_view path = language.path;
  if (dot != std::string::npos)
    if (std::optional<ModuleRef> module = moduleByPath(path.substr(0, dot)))
      return evaluator.attribute(*module, path.substr(dot + 1), range);
  return evaluator.reporter.refuse(range, asCode(name) + " is " + asCode(path) +
                                              ", which this compiler does not have");
}

std::optional<Value> BoundNames::attribute(const Value &object, std::string_view name, SourceRange range) {
  const auto *space = std::get_if<bound::Namespace>(&object.as<HostObject>()->bound->value);
  if (!space)
    return std::nullopt;
  for (const auto &[key, bound] : space->attributes) {
    if (key != name)
      continue;
    Value value = read(bound, key, range);
    value.wrapped = value.wrapped || object.wrapped;
    if (evaluator.mayRead(value))
      return value;
    evaluator.reporter
        .error(range, "the attribute " + asCode(name) + " of " + describe(object) +
                          " is not a constant that a kernel may read")
        .help = "make it `tl.constexpr(...)`, or pass it as a `tl.constexpr` parameter";
    return Value(Poison());
  }
  return std::nullopt;
}

Value BoundNames::call(const bound::HostFunction &function, const Arguments &arguments, SourceRange range) {
  std::string name = asCode(function.name);
  bool fine = true;
  auto given = [&](const Argument &argument) {
    BoundValue bound;
    if (!evaluator.isKnownThroughout(argument.value, argument.range)) {
      fine = false;
    } else if (std::optional<BoundValue> made = toBound(argument.value, evaluator.user.program)) {
      bound = std::move(*made);
    } else {
      std::string_view wanted = isRuntime(argument.value) ? "a value known at compile time"
                                                          : "a value that can be handed to Python";
      evaluator.reporter.error(argument.range, name + ": expected " + std::string(wanted) + ", found " +
                                                   describeType(argument.value));
      fine = false;
    }
    return bound;
  };
  bound::HostArguments handed;
  for (const Argument &argument : arguments.positional)
    handed.positional.push_back(given(argument));
  for (const auto &[keyword, argument] : arguments.keywords)
    handed.keywords.push_back({std::string(keyword), given(argument)});
  if (!fine)
    return Poison();
  std::variant<BoundValue, bound::HostError> outcome = function.call(handed);
  if (const auto *error = std::get_if<bound::HostError>(&outcome))
    return evaluator.reporter.refuse(range, name + ": " + error->message);
  const BoundValue &result = kept.emplace_back(std::move(std::get<BoundValue>(outcome)));
  return make(result, function.name, range, 0);
}
