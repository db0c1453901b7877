// Calls of the walk: what the functions of the language do to what flows into them.
#include "compiler/guess/Flow.h"
#include "compiler/guess/NameHints.h"

#include <array>

namespace tegula::guess {

/// Arguments of a call, those of a method with the object in front.
struct Flow::Arguments {
  std::vector<Flowing> values;                             ///< by position
  std::vector<const ast::Expr *> positional;               ///< as they are written; null for the object
  std::vector<std::pair<std::string_view, Flowing>> named; ///< by keyword
  bool isMethod = false;
  bool isOfName = false; ///< the object of the method is a plain name
  unsigned offsets = 0;  ///< elements of the first argument that is a list or a tuple

  const Flowing *find(std::string_view name) const {
    for (const auto &[keyword, value] : named)
      if (keyword == name)
        return &value;
    return nullptr;
  }
};

static constexpr std::initializer_list<std::string_view> orders = {"relaxed", "acquire", "release",
                                                                   "acq_rel"};
static constexpr std::initializer_list<std::string_view> scopes = {"gpu", "cta", "sys"};

Flowing Flow::joinAll(const Arguments &arguments) const {
  Flowing all = empty();
  for (const Flowing &value : arguments.values)
    all = join(all, value);
  for (const auto &[name, value] : arguments.named)
    all = join(all, value);
  return all;
}

Flowing Flow::memory(std::string_view name, const Arguments &arguments) {
  const Flowing *pointer = arguments.values.empty() ? arguments.find("pointer") : &arguments.values.front();
  Flowing result = empty();
  if (!pointer)
    return result;
  if (arguments.isMethod && (name == "load" || name == "store")) {
    for (unsigned parameter : pointer->sums)
      if (pointer->loaded.none() && arguments.isOfName) {
        seen.parameters[parameter].isDescriptor = true;
        seen.parameters[parameter].axes = std::max(seen.parameters[parameter].axes, arguments.offsets);
      }
    result.loaded = pointer->values;
    return result;
  }
  if (!pointer->sums.empty())
    seen.addresses.push_back(pointer->sums);
  tagAddress(*pointer);
  const size_t maskAt = name == "load" ? 1 : 2;
  const Flowing *mask = arguments.find("mask");
  if (!mask && (name == "load" || name == "store") && arguments.values.size() > maskAt)
    mask = &arguments.values[maskAt];
  if (mask && !mask->isTruth)
    mark(mask->loaded, &Evidence::holdsTruths);
  // Address, value, mask or compared value; then how it is ordered.
  constexpr size_t orderAt = 3, scopeAt = 4;
  if (name.starts_with("atomic_") && name != "atomic_load" && name != "atomic_store") {
    noteWords(orders, arguments.values.size() > orderAt ? &arguments.values[orderAt] : nullptr);
    noteWords(scopes, arguments.values.size() > scopeAt ? &arguments.values[scopeAt] : nullptr);
  }
  if ((name == "atomic_cas" || name == "atomic_xchg") && !pointer->sums.empty())
    seen.parameters[pointer->sums.front()].holdsIntegers = true;
  for (unsigned parameter : pointer->sums)
    if (pointer->sums.size() == 1 || !seen.parameters[parameter].isNumber) {
      result.loaded.set(parameter);
      break;
    }
  if (result.loaded.none() && !pointer->sums.empty())
    result.loaded.set(pointer->sums.front());
  return result;
}

Flowing Flow::makeView(const Arguments &arguments) {
  Flowing result = empty();
  const Flowing *base = arguments.find("base");
  const size_t first = base ? 0 : 1;
  if (!base && !arguments.values.empty())
    base = &arguments.values.front();
  if (base && !base->sums.empty()) {
    seen.addresses.push_back(base->sums);
    result.sums.push_back(base->sums.front());
  }
  auto side = [&](const Flowing &value) {
    mark(value.sums, &Evidence::isNumber);
    tagAddress(value);
  };
  for (size_t i = first; i < arguments.values.size(); ++i)
    side(arguments.values[i]);
  for (const auto &[name, value] : arguments.named)
    if (name == "block_shape")
      tag(value, Use::Shape);
    else if (name != "base")
      side(value);
  return result;
}

Flowing Flow::makeTensor(std::string_view name, const Arguments &arguments) {
  const bool isRange = name == "range" || name == "static_range" || name == "arange";
  const bool isFilled = name == "zeros" || name == "full";
  const bool isView = name == "reshape" || name == "view" || name == "broadcast_to";
  for (size_t i = 0; i < arguments.values.size(); ++i) {
    const Flowing &value = arguments.values[i];
    if (!(i == 0 && isView) && !(i == 1 && name == "full"))
      mark(value.sums, &Evidence::isNumber);
    if (isRange)
      tagAddress(value);
    if (isFilled ? i == 0 : isView ? i > 0 : name == "arange")
      tag(value, Use::Shape);
    if (name == "arange")
      tag(value, Use::Range);
    if (name == "static_range")
      tag(value, Use::Unrolled);
    if (isFilled && i == (name == "zeros" ? 1u : 2u))
      tag(value, Use::DtypeArgument);
  }
  if (const Flowing *shape = arguments.find("shape"))
    tag(*shape, Use::Shape);
  Flowing result = isFilled || name == "arange" ? empty() : joinAll(arguments);
  if (name == "arange")
    for (const Flowing &value : arguments.values)
      result.sides |= value.values;
  return result;
}

Flowing Flow::cast(const Arguments &arguments) {
  const Flowing &value = arguments.values.front();
  tag(arguments.values[1], Use::DtypeArgument);
  const std::string_view type = typeNameIn(arguments.positional[1]);
  Flowing result = value;
  if (type == "pointer_type") {
    mark(value.loaded, &Evidence::holdsAddresses);
    if (!value.sums.empty())
      seen.addresses.push_back(value.sums);
    else if (const int from = value.loaded.find_first(); from >= 0)
      result.sums.push_back(unsigned(from));
    result.loaded.reset();
    return result;
  }
  // A number that becomes an integer may still be part of an address; a float is none.
  if (!isIntegerTypeName(type))
    result.sums.clear();
  return result;
}

Flowing Flow::select(const Arguments &arguments) {
  const Flowing &condition = arguments.values.front();
  if (!condition.isTruth)
    mark(condition.loaded, &Evidence::holdsTruths);
  if (ast::as<ast::NameExpr>(arguments.positional.front()))
    tag(condition, Use::Truth);
  Flowing result = empty();
  for (size_t i = 1; i < arguments.values.size(); ++i)
    result = join(result, arguments.values[i]);
  if (arguments.values.size() == 3 && !arguments.values[1].sums.empty() && !arguments.values[2].sums.empty())
    seen.choices.emplace_back(arguments.values[1].sums, arguments.values[2].sums);
  return result;
}

void Flow::noteWords(std::initializer_list<std::string_view> words, const Flowing *value) {
  if (!value)
    return;
  tag(*value, Use::Text);
  for (unsigned parameter : value->sums)
    for (std::string_view word : words)
      seen.parameters[parameter].texts.emplace(word);
}

void Flow::keywordUses(const Arguments &arguments) {
  constexpr std::array<std::pair<std::string_view, Use>, 10> uses = {{
      {"dtype", Use::DtypeArgument},
      {"out_dtype", Use::DtypeArgument},
      {"input_precision", Use::Precision},
      {"allow_tf32", Use::Truth},
      {"keep_dims", Use::Truth},
      {"reverse", Use::Truth},
      {"descending", Use::Truth},
      {"cache_modifier", Use::Modifier},
      {"eviction_policy", Use::Modifier},
      {"padding_option", Use::Modifier},
  }};
  for (const auto &[name, value] : arguments.named)
    for (const auto &[keyword, use] : uses)
      if (keyword == name)
        tag(value, use);
  noteWords(orders, arguments.find("sem"));
  noteWords(scopes, arguments.find("scope"));
}

Flowing Flow::languageCall(std::string_view name, const Arguments &arguments) {
  constexpr std::array<std::string_view, 3> views = {"make_block_ptr", "make_tensor_descriptor",
                                                     "_experimental_make_tensor_descriptor"};
  constexpr std::array<std::string_view, 11> tensors = {"range",      "static_range", "arange",      "cdiv",
                                                        "program_id", "num_programs", "zeros",       "full",
                                                        "reshape",    "view",         "broadcast_to"};
  constexpr std::array<std::string_view, 11> same = {
      "multiple_of", "max_contiguous", "advance",   "expand_dims", "trans", "permute",
      "ravel",       "assume",         "broadcast", "join",        "split"};
  constexpr std::array<std::string_view, 4> extrema = {"minimum", "maximum", "min", "max"};
  keywordUses(arguments);
  if (name == "load" || name == "store" || name.starts_with("atomic_"))
    return memory(name, arguments);
  if (llvm::is_contained(views, name))
    return makeView(arguments);
  if (llvm::is_contained(tensors, name))
    return makeTensor(name, arguments);
  if (name == "dot" || name == "dot_scaled")
    seen.hasDot = true;
  if ((name == "to" || name == "cast") && arguments.values.size() > 1)
    return cast(arguments);
  if (name == "where" && !arguments.values.empty())
    return select(arguments);
  if (llvm::is_contained(same, name) && !arguments.values.empty())
    return arguments.values.front();
  if (name == "len" && !arguments.values.empty())
    mark(arguments.values.front().sums, &Evidence::isTuple);
  Flowing all = joinAll(arguments);
  if (llvm::is_contained(extrema, name))
    mark(all.sums, &Evidence::isNumber);
  all.sums.clear();
  return all;
}

Flowing Flow::functionCall(const ast::FunctionStmt &function, const Arguments &arguments, unsigned depth) {
  Scope scope;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const std::string_view name = function.parameters[i].name;
    if (i < arguments.values.size())
      scope[name] = arguments.values[i];
    else if (const Flowing *value = arguments.find(name))
      scope[name] = *value;
  }
  return block(function.body, scope, depth + 1);
}

Flowing Flow::call(const ast::CallExpr &call, Scope &scope, unsigned depth) {
  constexpr unsigned maxDepth = 6;
  constexpr std::array<std::string_view, 6> ofPython = {"min", "max", "range", "len", "float", "int"};
  const auto *name = ast::as<ast::NameExpr>(call.callee);
  const auto *attribute = ast::as<ast::AttributeExpr>(call.callee);
  const std::string_view last = name ? name->id : attribute ? attribute->name : std::string_view();
  const std::string_view root = rootOf(call.callee);
  const bool isLocal = scope.contains(root);
  const bool isLanguage = !isLocal && names.isLanguage(root);
  const ast::FunctionStmt *function =
      isLocal || isLanguage ? nullptr : names.function(dottedName(call.callee));

  Arguments arguments;
  arguments.isMethod = attribute && !isLanguage && !function && (root.empty() || isLocal);
  if (arguments.isMethod) {
    arguments.values.push_back(evaluate(attribute->object, scope, depth));
    arguments.positional.push_back(nullptr);
    arguments.isOfName = ast::as<ast::NameExpr>(attribute->object) != nullptr;
  }
  for (const ast::Argument &argument : call.arguments) {
    Flowing value = evaluate(argument.value, scope, depth);
    if (argument.kind == ast::ArgumentKind::Keyword) {
      arguments.named.emplace_back(argument.name, std::move(value));
      continue;
    }
    arguments.values.push_back(std::move(value));
    arguments.positional.push_back(argument.value);
    if (!arguments.offsets)
      arguments.offsets = elementsOf(argument.value).size();
  }
  if (isLanguage || arguments.isMethod || (name && !isLocal && llvm::is_contained(ofPython, last)))
    return languageCall(last, arguments);
  if (name && isLocal) {
    mark(scope[name->id].sums, &Evidence::isCalled);
    return joinAll(arguments);
  }
  if (function && depth < maxDepth)
    return functionCall(*function, arguments, depth);
  Flowing all = joinAll(arguments);
  all.sums.clear();
  return all;
}

} // namespace tegula::guess
