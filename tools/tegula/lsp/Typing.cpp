#include "tools/tegula/lsp/Typing.h"

#include "compiler/guess/Guess.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/lsp/LanguageDocs.h"
#include "tools/tegula/lsp/Names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tegula::cli {

namespace json = llvm::json;

/// The names and dots before `end`: "tl.lo".
static std::string_view chainBefore(std::string_view text, size_t end) {
  size_t begin = end;
  while (begin > 0 && (isNamePart(text[begin - 1]) || text[begin - 1] == '.'))
    --begin;
  return text.substr(begin, end - begin);
}

/// The line before the one that begins at `begin`; moves `begin` to its start. Nothing at the start of the
/// text.
static std::optional<std::string_view> lineAbove(std::string_view text, size_t &begin) {
  if (begin == 0)
    return std::nullopt;
  const size_t end = begin - 1;
  const size_t before = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
  begin = before == std::string_view::npos ? 0 : before + 1;
  return text.substr(begin, end - begin);
}

bool isInKernel(std::string_view text, uint32_t offset) {
  const size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  size_t indent = offset - begin;
  const std::string_view own = text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
  if (!trim(own).empty())
    indent = indentOf(own).size();
  bool inDef = false;
  while (const std::optional<std::string_view> line = lineAbove(text, begin)) {
    const std::string_view words = trim(*line);
    if (words.empty())
      continue;
    if (inDef) {
      if (words.starts_with('@') && words.substr(0, words.find('(')).ends_with("jit"))
        return true;
      if (!words.starts_with('@') && !words.ends_with(',') && !words.ends_with(')') && !words.ends_with('('))
        inDef = false;
      continue;
    }
    if (words.starts_with("def ") && indentOf(*line).size() < indent) {
      inDef = true;
      indent = indentOf(*line).size();
    }
  }
  return false;
}

/// Kinds of completions, as the protocol numbers them.
enum CompletionKind {
  MethodKind = 2,
  FunctionKind = 3,
  VariableKind = 6,
  ModuleKind = 9,
  PropertyKind = 10,
  ConstantKind = 21
};

static json::Value itemFor(const LanguageFunction &function, CompletionKind kind) {
  return json::Object{{"label", llvm::StringRef(function.name)},
                      {"kind", int(kind)},
                      {"detail", llvm::StringRef(function.signature)},
                      {"documentation", json::Object{{"kind", "markdown"}, {"value", docText(function)}}}};
}

static void addModule(const std::string &module, json::Array &items) {
  for (const LanguageFunction *function : functionsIn(module))
    items.push_back(itemFor(*function, FunctionKind));
  if (module != "tl")
    return;
  constexpr std::array<std::string_view, 21> types = {
      "float64", "float32",   "float16", "bfloat16", "float8e4nv",   "float8e5", "int64",
      "int32",   "int16",     "int8",    "int1",     "uint64",       "uint32",   "uint16",
      "uint8",   "constexpr", "dtype",   "tensor",   "pointer_type", "math",     "extra"};
  for (std::string_view type : types)
    items.push_back(
        json::Object{{"label", llvm::StringRef(type)},
                     {"kind", int(type == "math" || type == "extra" ? ModuleKind : ConstantKind)}});
}

static void addMembers(json::Array &items) {
  for (const LanguageFunction *function : functionsIn("tensor"))
    items.push_back(itemFor(*function, MethodKind));
  for (std::string_view property : {"dtype", "shape", "T", "type", "numel"})
    items.push_back(json::Object{{"label", llvm::StringRef(property)}, {"kind", int(PropertyKind)}});
}

static void addNames(const Analysis &analysis, uint32_t offset, json::Array &items) {
  const ParsedSource &source = *analysis.source;
  if (const ast::FunctionStmt *function =
          jitFunctionAt(source, std::min(offset, uint32_t(source.file().text().size()))))
    for (const LocalName &local : localNames(*function))
      items.push_back(json::Object{{"label", local.name}, {"kind", int(VariableKind)}});
  for (const ast::Stmt *stmt : source.module().body) {
    if (const auto *function = ast::as<ast::FunctionStmt>(stmt); function && function->isJit)
      items.push_back(json::Object{{"label", llvm::StringRef(function->name)}, {"kind", int(FunctionKind)}});
    else if (const auto *assignment = ast::as<ast::AssignStmt>(stmt)) {
      for (const ast::Expr *target : assignment->targets)
        if (const auto *name = ast::as<ast::NameExpr>(target))
          items.push_back(json::Object{{"label", llvm::StringRef(name->id)}, {"kind", int(ConstantKind)}});
    }
  }
  for (std::string_view name : {"tl", "triton", "range"})
    items.push_back(json::Object{{"label", llvm::StringRef(name)},
                                 {"kind", int(name == "range" ? FunctionKind : ModuleKind)}});
}

json::Array completionsAt(const Analysis &analysis, uint32_t offset) {
  json::Array items;
  const std::string_view text = analysis.file().text();
  if (!isInKernel(text, offset))
    return items;
  const std::string_view chain = chainBefore(text, offset);
  const size_t dot = chain.rfind('.');
  const Analysis &parsed = analysis.parsed();
  if (dot == std::string_view::npos) {
    addNames(parsed, offset, items);
    return items;
  }
  const std::string_view object = chain.substr(0, dot);
  const std::string module = languageModule(*parsed.source, object);
  if (!module.empty())
    addModule(module, items);
  else if (object.empty() || !std::isdigit(static_cast<unsigned char>(object.front())))
    addMembers(items);
  return items;
}

std::optional<OpenCall> openCallAt(std::string_view text, uint32_t offset) {
  constexpr size_t reach = 4000; // no call is longer
  unsigned depth = 0;
  OpenCall call;
  size_t argumentBegin = offset;
  for (size_t at = offset; at > 0 && offset - at < reach; --at) {
    const char c = text[at - 1];
    if (c == ')' || c == ']' || c == '}') {
      ++depth;
    } else if (c == ',' && depth == 0) {
      if (call.argument++ == 0)
        argumentBegin = at;
    } else if (c == '(' || c == '[' || c == '{') {
      if (depth > 0) {
        --depth;
        continue;
      }
      call.callee = chainBefore(text, at - 1);
      if (c != '(' || call.callee.empty())
        return std::nullopt;
      if (call.argument == 0)
        argumentBegin = at;
      const std::string_view argument = text.substr(argumentBegin, offset - argumentBegin);
      if (const size_t equals = argument.find('='); equals != std::string_view::npos)
        call.keyword = trim(argument.substr(0, equals));
      return call;
    }
  }
  return std::nullopt;
}

/// The parameters in "(a: T, b: U=1) -> V", as they are written.
static std::vector<std::string> parametersIn(std::string_view signature) {
  std::vector<std::string> parameters;
  unsigned depth = 0;
  size_t begin = 1;
  for (size_t i = 0; i < signature.size(); ++i) {
    const char c = signature[i];
    const bool ends = (c == ')' && depth == 1) || (c == ',' && depth == 1);
    if (c == '(' || c == '[')
      ++depth;
    else if (c == ')' || c == ']')
      --depth;
    if (!ends)
      continue;
    if (const std::string_view one = trim(signature.substr(begin, i - begin)); !one.empty())
      parameters.emplace_back(one);
    begin = i + 1;
    if (c == ')')
      break;
  }
  return parameters;
}

static json::Value helpFor(std::string_view name, std::string_view signature, std::string_view doc,
                           const OpenCall &call, bool isMethod) {
  std::vector<std::string> parameters = parametersIn(signature);
  if (isMethod && !parameters.empty())
    parameters.erase(parameters.begin());
  json::Array list;
  size_t active = call.argument;
  for (size_t i = 0; i < parameters.size(); ++i) {
    list.push_back(json::Object{{"label", parameters[i]}});
    const std::string_view parameter = parameters[i];
    if (!call.keyword.empty() && parameter.substr(0, parameter.find_first_of(":=")) == call.keyword)
      active = i;
  }
  json::Object information{{"label", std::string(name) + std::string(signature)},
                           {"parameters", std::move(list)}};
  if (!doc.empty())
    information["documentation"] = json::Object{{"kind", "markdown"}, {"value", llvm::StringRef(doc)}};
  return json::Object{
      {"signatures", json::Array{std::move(information)}},
      {"activeSignature", 0},
      {"activeParameter", int64_t(std::min(active, parameters.empty() ? 0 : parameters.size() - 1))}};
}

json::Value signatureAt(const Analysis &analysis, uint32_t offset) {
  const std::string_view text = analysis.file().text();
  if (!isInKernel(text, offset))
    return nullptr;
  const std::optional<OpenCall> call = openCallAt(text, offset);
  if (!call)
    return nullptr;
  const ParsedSource &source = *analysis.parsed().source;
  if (const LanguageFunction *function = languageFunction(source, call->callee))
    return helpFor(function->name, function->signature, function->doc, *call, false);
  if (const guess::FoundFunction found = guess::jitFunction(source, call->callee); found.function) {
    const ast::FunctionStmt &function = *found.function;
    std::string signature = "(";
    for (const ast::Parameter &parameter : function.parameters)
      signature += std::string(signature.size() > 1 ? ", " : "") +
                   std::string(found.module->source->slice(
                       {parameter.nameRange.begin, parameter.defaultValue ? parameter.defaultValue->range.end
                                                   : parameter.annotation ? parameter.annotation->range.end
                                                                          : parameter.nameRange.end}));
    return helpFor(function.name, signature + ")", {}, *call, false);
  }
  const size_t dot = call->callee.rfind('.');
  if (dot == std::string::npos)
    return nullptr;
  const LanguageFunction *method = tensorMethod(std::string_view(call->callee).substr(dot + 1));
  return method ? helpFor(method->name, method->signature, method->doc, *call, true) : json::Value(nullptr);
}

} // namespace tegula::cli
