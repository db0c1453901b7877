// The jit functions of a file, as a caller sees them: read off the syntax tree, nothing is evaluated.
#include "compiler/driver/KernelInfo.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/frontend/syntax/ast/JitFunctions.h"
#include "compiler/frontend/syntax/parse/Lexer.h"

#include <algorithm>
#include <set>

namespace tegula {
namespace {

/// `int64` of `tl.int64` or `int64`; of a string, what follows its last dot.
std::string_view lastName(const ast::Expr *expr) {
  if (const auto *name = ast::as<ast::NameExpr>(expr))
    return name->id;
  if (const auto *attribute = ast::as<ast::AttributeExpr>(expr))
    return attribute->name;
  if (const auto *text = ast::as<ast::StringExpr>(expr))
    return text->value.substr(text->value.rfind('.') + 1);
  return {};
}

/// The type that an annotation names, in the words of the language or of a signature.
std::optional<RuntimeArg> annotatedType(const ast::Expr *annotation) {
  std::variant<ArgSpec, std::string> parsed = parseArgType(lastName(annotation));
  if (const auto *spec = std::get_if<ArgSpec>(&parsed))
    if (const auto *type = std::get_if<RuntimeArg>(spec))
      return *type;
  return std::nullopt;
}

/// Marks the parameters that `list` names, by name or index: a string, a number, or a list of them.
void mark(KernelInfo &kernel, const ast::Expr *list, bool ParameterInfo::*flag) {
  ast::ExprList items(&list, 1);
  if (const auto *several = ast::as<ast::ListExpr>(list))
    items = several->elements;
  else if (const auto *tuple = ast::as<ast::TupleExpr>(list))
    items = tuple->elements;
  for (const ast::Expr *item : items) {
    const auto *name = ast::as<ast::StringExpr>(item);
    const auto *number = ast::as<ast::NumberExpr>(item);
    for (size_t index = 0; index < kernel.parameters.size(); ++index)
      if ((name && name->value == kernel.parameters[index].name) || (number && number->intValue == index))
        kernel.parameters[index].*flag = true;
  }
}

KernelInfo describe(const ast::FunctionStmt &function, const SourceFile &source) {
  KernelInfo kernel{.name = std::string(function.name), .line = source.line(function.nameRange.begin)};
  for (const ast::Parameter &parameter : function.parameters) {
    ParameterInfo info{.name = std::string(parameter.name)};
    info.isConstexpr = lastName(parameter.annotation) == "constexpr";
    // A parameter that gathers arguments may get none.
    bool gathers =
        parameter.kind == ast::ParameterKind::VarArgs || parameter.kind == ast::ParameterKind::VarKeywords;
    info.hasDefault = gathers || parameter.defaultValue != nullptr;
    info.type = annotatedType(parameter.annotation);
    if (parameter.annotation)
      info.annotation = source.slice(parameter.annotation->range);
    if (parameter.defaultValue)
      info.defaultValue = source.slice(parameter.defaultValue->range);
    kernel.parameters.push_back(std::move(info));
  }
  if (const auto *call = ast::as<ast::CallExpr>(function.jitDecorator))
    for (const ast::Argument &argument : call->arguments) {
      if (argument.name == "do_not_specialize")
        mark(kernel, argument.value, &ParameterInfo::doNotSpecialize);
      else if (argument.name == "do_not_specialize_on_alignment")
        mark(kernel, argument.value, &ParameterInfo::doNotSpecializeOnAlignment);
    }
  return kernel;
}

using CalledNames = std::map<const ast::FunctionStmt *, std::set<std::string_view>>;

/// The names that each of `functions` calls, not counting its own.
CalledNames calledNames(const std::vector<ast::JitFunction> &functions, const SourceFile &source) {
  DiagnosticEngine ignored; // the file has been parsed before
  std::vector<syntax::Token> tokens = syntax::tokenize(source, ignored);
  CalledNames called;
  for (const ast::JitFunction &one : functions) {
    const ast::FunctionStmt *function = one.function;
    auto token =
        std::lower_bound(tokens.begin(), tokens.end(), function->nameRange.end,
                         [](const syntax::Token &token, uint32_t at) { return token.range.begin < at; });
    for (; token != tokens.end() && token->range.begin < function->range.end; ++token)
      if (token->kind == syntax::TokenKind::Name && token[1].kind == syntax::TokenKind::LeftParen &&
          source.slice(token->range) != function->name)
        called[function].insert(source.slice(token->range));
  }
  return called;
}

KernelInfo describe(const ast::JitFunction &one, const CalledNames &called, const ParsedSource &source) {
  KernelInfo kernel = describe(*one.function, source.file());
  kernel.name = one.name;
  kernel.isNested = one.isNested;
  kernel.calledInFile = std::any_of(called.begin(), called.end(), [&](const auto &other) {
    return other.second.contains(one.function->name);
  });
  auto own = called.find(one.function);
  for (ParameterInfo &parameter : kernel.parameters)
    parameter.isCalled = own != called.end() && own->second.contains(parameter.name);
  kernel.tuning = describeTuning(source.module(), *one.function);
  return kernel;
}

} // namespace

KernelInfo describeKernel(const ParsedSource &source, const ast::JitFunction &kernel) {
  return describe(kernel, calledNames(ast::jitFunctions(source.module()), source.file()), source);
}

std::vector<KernelInfo> listKernels(const ParsedSource &source) {
  std::vector<ast::JitFunction> found = ast::jitFunctions(source.module());
  // The last of several on different sides of a condition speaks for all.
  std::map<std::string_view, const ast::FunctionStmt *> last;
  for (const ast::JitFunction &one : found)
    last[one.name] = one.function;
  CalledNames called = calledNames(found, source.file());
  std::vector<KernelInfo> kernels;
  std::set<std::string_view> seen;
  std::set<std::string> several;
  for (const ast::JitFunction &one : found) {
    if (!seen.insert(one.name).second)
      several.insert(one.name);
    if (last[one.name] == one.function)
      kernels.push_back(describe(one, called, source));
  }
  for (KernelInfo &kernel : kernels)
    kernel.hasSeveralDefinitions = several.contains(kernel.name);
  return kernels;
}

} // namespace tegula
