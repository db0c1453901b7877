// Functions, classes, decorators and parameters.
#include "compiler/frontend/syntax/ast/Bindings.h"
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tegula::syntax {
namespace {

/// The first name of "numba.cuda.jit(fastmath=True)": "numba".
std::string_view firstName(const Expr *decorator) {
  if (const auto *call = as<CallExpr>(decorator))
    decorator = call->callee;
  while (const auto *attribute = as<AttributeExpr>(decorator))
    decorator = attribute->object;
  const auto *name = as<NameExpr>(decorator);
  return name ? name->id : std::string_view();
}

/// Packages whose `jit` compiles other languages within Python.
constexpr std::array<std::string_view, 8> OtherCompilers = {"cupyx",  "cutlass",  "jax",   "numba",
                                                            "taichi", "tilelang", "torch", "warp"};

} // namespace

bool Parser::makesKernel(const Expr *decorator) const {
  return decoratorName(decorator).ends_with("jit") && !ofOthers.contains(firstName(decorator));
}

void Parser::noteImport(std::string_view module, std::span<const ImportAlias> names, bool isFrom) {
  for (const ImportAlias &alias : names) {
    const std::string_view path = isFrom ? module : alias.name;
    if (std::ranges::find(OtherCompilers, path.substr(0, path.find('.'))) != OtherCompilers.end())
      ofOthers.insert(boundName(alias, !isFrom));
    else
      ofOthers.erase(boundName(alias, !isFrom));
  }
}

const Stmt *Parser::parseDecorated() {
  uint32_t begin = here().begin;
  std::vector<const Expr *> decorators;
  while (accept(TokenKind::At)) {
    decorators.push_back(parseNamed());
    expect(TokenKind::Newline);
  }
  ExprList list = arena.copy(decorators);
  switch (kind()) {
  case TokenKind::KwDef: return parseFunction(begin, list, false);
  case TokenKind::KwClass: return parseClass(begin, list);
  case TokenKind::KwAsync:
    if (ahead() == TokenKind::KwDef) {
      take();
      return parseFunction(begin, list, true);
    }
    break;
  default: break;
  }
  unexpected("`def` or `class` after a decorator");
  return nullptr;
}

/// A function from its `def`. Without a jit decorator its errors are its own.
const Stmt *Parser::parseFunction(uint32_t begin, ExprList decorators, bool isAsync) {
  FunctionStmt function{};
  function.kind = StmtKind::Function;
  function.decorators = decorators;
  function.isAsync = isAsync;
  for (const Expr *decorator : decorators) {
    if (makesKernel(decorator))
      function.jitDecorator = decorator;
    function.isExtern = function.isExtern || decoratorName(decorator) == "extern";
  }
  function.isJit = function.jitDecorator != nullptr;
  bool defer = !function.jitDecorator && !deferring && !panicking;
  if (!defer) {
    parseFunctionRest(function);
    function.range = since(begin);
    return arena.make(function);
  }
  DiagnosticEngine own;
  DiagnosticEngine *outer = std::exchange(sink, &own);
  deferring = true;
  parseFunctionRest(function);
  deferring = false;
  sink = outer;
  if (own.hasErrors()) {
    if (function.name.empty()) { // it could not be asked for
      for (Diagnostic &diagnostic : own.take())
        sink->report(std::move(diagnostic));
    } else {
      if (panicking)
        recover();
      module.deferredErrors.push_back(std::make_unique<const std::vector<Diagnostic>>(own.take()));
      function.errors = module.deferredErrors.back().get();
    }
  }
  function.range = since(begin);
  return arena.make(function);
}

void Parser::parseFunctionRest(FunctionStmt &function) {
  SourceRange keyword = here();
  take();
  function.name = expectName("a function name", &function.nameRange);
  function.typeParameters = parseTypeParameters();
  expect(TokenKind::LeftParen);
  function.parameters = parseParameters(TokenKind::RightParen);
  expect(TokenKind::RightParen);
  if (accept(TokenKind::Arrow))
    function.returns = parseExpressions();
  bool outerFunction = std::exchange(inFunction, true);
  bool outerLoop = std::exchange(inLoop, false);
  function.body = parseBlock("`def`", keyword);
  inFunction = outerFunction;
  inLoop = outerLoop;
}

const Stmt *Parser::parseClass(uint32_t begin, ExprList decorators) {
  SourceRange keyword = here();
  take();
  ClassStmt result{};
  result.kind = StmtKind::Class;
  result.decorators = decorators;
  result.name = expectName("a class name", &result.nameRange);
  result.typeParameters = parseTypeParameters();
  if (at(TokenKind::LeftParen))
    result.arguments = parseArguments();
  bool outerFunction = std::exchange(inFunction, false);
  bool outerLoop = std::exchange(inLoop, false);
  result.body = parseBlock("`class`", keyword);
  inFunction = outerFunction;
  inLoop = outerLoop;
  result.range = since(begin);
  return arena.make(result);
}

/// `[T: bound = default, *Ts, **P]`, or nothing.
TypeParameters Parser::parseTypeParameters() {
  if (!accept(TokenKind::LeftSquare))
    return {};
  std::vector<TypeParameter> parameters;
  do {
    if (!parameters.empty() && at(TokenKind::RightSquare))
      break;
    TypeParameter parameter{};
    if (accept(TokenKind::Star))
      parameter.kind = TypeParameterKind::VarTuple;
    else if (accept(TokenKind::DoubleStar))
      parameter.kind = TypeParameterKind::ParamSpec;
    parameter.name = expectName("a type parameter");
    if (parameter.kind == TypeParameterKind::Plain && accept(TokenKind::Colon))
      parameter.bound = parseExpression();
    if (accept(TokenKind::Assign))
      parameter.defaultValue = parseStarOr(&Parser::parseExpression);
    parameters.push_back(parameter);
  } while (accept(TokenKind::Comma));
  expect(TokenKind::RightSquare);
  return arena.copy(parameters);
}

/// The parameters of a function (up to `)`, with annotations) or of a lambda (up to `:`, without).
Parameters Parser::parseParameters(TokenKind close) {
  bool annotated = close == TokenKind::RightParen;
  std::vector<Parameter> parameters;
  ParameterKind next = ParameterKind::Normal;
  bool slash = false, bareStar = false;
  SourceRange star{};
  while (!panicking && !at(close)) {
    if (at(TokenKind::Slash)) {
      parsePositionalMark(parameters, slash || next != ParameterKind::Normal);
      slash = true;
    } else {
      Parameter parameter{{}, {}, next, nullptr, nullptr};
      if (at(TokenKind::Star)) {
        if (next != ParameterKind::Normal)
          report(here(), "second `*` among the parameters");
        star = here();
        take();
        next = ParameterKind::KeywordOnly;
        bareStar = at(TokenKind::Comma) || at(close);
        parameter.kind = ParameterKind::VarArgs;
      } else if (accept(TokenKind::DoubleStar)) {
        parameter.kind = ParameterKind::VarKeywords;
      }
      if (parameter.kind != ParameterKind::VarArgs || !bareStar) {
        parseParameter(parameter, annotated);
        checkParameter(parameters, parameter);
        parameters.push_back(parameter);
        bareStar &= parameter.kind == ParameterKind::VarKeywords; // which is no name for `*` to announce
        if (parameter.kind == ParameterKind::VarKeywords) {
          accept(TokenKind::Comma);
          break;
        }
      }
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  if (bareStar)
    report(star, "expected a parameter name after `*`");
  if (!panicking && !parameters.empty() && parameters.back().kind == ParameterKind::VarKeywords && !at(close))
    unexpected(close == TokenKind::RightParen ? "`)` after the `**` parameter"
                                              : "`:` after the `**` parameter");
  checkRepeatedParameters(parameters);
  return arena.copy(parameters);
}

/// `/`: what stands before it is positional only.
void Parser::parsePositionalMark(std::vector<Parameter> &parameters, bool misplaced) {
  if (misplaced)
    report(here(), "`/` after `*` or another `/` among the parameters");
  else if (parameters.empty())
    report(here(), "expected a parameter before `/`");
  for (Parameter &parameter : parameters)
    if (parameter.kind == ParameterKind::Normal)
      parameter.kind = ParameterKind::PositionalOnly;
  take();
}

void Parser::parseParameter(Parameter &parameter, bool annotated) {
  parameter.name = expectName("a parameter name", &parameter.nameRange);
  if (annotated && accept(TokenKind::Colon))
    parameter.annotation = parameter.kind == ParameterKind::VarArgs ? parseStarOr(&Parser::parseExpression)
                                                                    : parseExpression();
  if (accept(TokenKind::Assign))
    parameter.defaultValue = parseExpression();
}

void Parser::checkParameter(const std::vector<Parameter> &before, const Parameter &parameter) {
  bool gathers = parameter.kind == ParameterKind::VarArgs || parameter.kind == ParameterKind::VarKeywords;
  if (gathers && parameter.defaultValue)
    report(parameter.nameRange, fmt::format("parameter `{}` gathers arguments and cannot have a default",
                                            parameter.name));
  bool positional = parameter.kind == ParameterKind::Normal && !before.empty() &&
                    before.back().kind <= ParameterKind::Normal;
  if (positional && before.back().defaultValue && !parameter.defaultValue)
    report(parameter.nameRange, fmt::format("parameter `{}` without a default after `{}`, which has one",
                                            parameter.name, before.back().name));
}

void Parser::checkRepeatedParameters(const std::vector<Parameter> &parameters) {
  if (panicking)
    return;
  std::vector<NamePlace> names;
  for (const Parameter &parameter : parameters)
    names.emplace_back(parameter.name, parameter.nameRange);
  reportRepeated(std::move(names), "duplicate parameter `{}`", "first declared here");
}

/// Reports those of `names` that are there already, as `{}` of `message`, with a note at the one before.
void Parser::reportRepeated(std::vector<NamePlace> names, std::string_view message, const char *note) {
  std::ranges::sort(names, {}, [](const NamePlace &one) { return std::pair(one.first, one.second.begin); });
  for (size_t i = 1; i < names.size(); ++i)
    if (auto [name, range] = names[i]; name == names[i - 1].first)
      sink->note(report(range, fmt::format(fmt::runtime(message), name)), source, names[i - 1].second, note);
}

} // namespace tegula::syntax
