// Expressions, from the loosest binding to the tightest.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tegula::syntax {

Expr Parser::header(ExprKind kind, SourceRange range, uint32_t highest) {
  if (++highest > maxExprHeight)
    tooDeep(maxExprHeight);
  return {kind, uint16_t(highest), range};
}

bool Parser::startsExpression() const {
  using enum TokenKind;
  switch (kind()) {
  case Name: case Number: case String: case FStringBegin: case LeftParen: case LeftSquare: case LeftBrace:
  case Plus: case Minus: case Tilde: case Star: case Ellipsis: case KwNot: case KwLambda: case KwAwait:
  case KwNone: case KwTrue: case KwFalse:
    return true;
  default:
    return false;
  }
}

const Expr *Parser::parseYieldOrExpressions() {
  return at(TokenKind::KwYield) ? parseYield() : parseExpressions();
}

/// `a`, `a, b`, `*a, b`: a comma makes a tuple. A star alone is left to the caller.
const Expr *Parser::parseTuple(const Expr *(Parser::*element)()) {
  uint32_t begin = here().begin;
  const Expr *first = parseStarOr(element);
  if (!at(TokenKind::Comma))
    return first;
  std::vector<const Expr *> elements{first};
  while (accept(TokenKind::Comma) && startsExpression())
    elements.push_back(parseStarOr(element));
  return make<TupleExpr>(begin, false, arena.copy(elements));
}

/// The value of a statement: as above, and `yield` too; a star alone is an error.
const Expr *Parser::parseValue() { return at(TokenKind::KwYield) ? parseYield() : parseReturned(); }

/// The value of `return`, and what a loop runs over.
const Expr *Parser::parseReturned() {
  const Expr *value = parseExpressions();
  if (value->kind == ExprKind::Starred)
    report(value->range, "starred expression outside a list, tuple or call");
  return value;
}

const Expr *Parser::parseStarOr(const Expr *(Parser::*element)()) {
  uint32_t begin = here().begin;
  if (!accept(TokenKind::Star))
    return (this->*element)();
  const Expr *value = parseBitOr();
  return make<StarredExpr>(begin, value);
}

/// An expression that may be named: `n := f()`.
const Expr *Parser::parseNamed() {
  uint32_t begin = here().begin;
  const Expr *value = parseExpression();
  if (!at(TokenKind::Walrus))
    return value;
  const auto *target = as<NameExpr>(value);
  if (!target) {
    unexpected("a name before `:=`");
    return value;
  }
  take();
  const Expr *bound = parseExpression();
  return make<WalrusExpr>(begin, target, bound);
}

const Expr *Parser::parseExpression() {
  Nesting guard(*this);
  if (at(TokenKind::KwLambda))
    return parseLambda();
  uint32_t begin = here().begin;
  const Expr *value = parseDisjunction();
  if (!accept(TokenKind::KwIf))
    return value;
  const Expr *condition = parseDisjunction();
  expect(TokenKind::KwElse);
  const Expr *otherwise = parseExpression();
  return make<ConditionalExpr>(begin, condition, value, otherwise);
}

const Expr *Parser::parseLambda() {
  uint32_t begin = here().begin;
  take();
  Parameters parameters = parseParameters(TokenKind::Colon);
  expect(TokenKind::Colon);
  bool outer = std::exchange(inFunction, true);
  const Expr *body = parseExpression();
  inFunction = outer;
  return make<LambdaExpr>(begin, parameters, body);
}

const Expr *Parser::parseDisjunction() {
  return parseBool(BoolOp::Or, TokenKind::KwOr, &Parser::parseConjunction);
}
const Expr *Parser::parseConjunction() {
  return parseBool(BoolOp::And, TokenKind::KwAnd, &Parser::parseInversion);
}

const Expr *Parser::parseBool(BoolOp op, TokenKind token, const Expr *(Parser::*operand)()) {
  uint32_t begin = here().begin;
  const Expr *first = (this->*operand)();
  if (!at(token))
    return first;
  std::vector<const Expr *> operands{first};
  while (accept(token))
    operands.push_back((this->*operand)());
  return make<BoolExpr>(begin, op, arena.copy(operands));
}

const Expr *Parser::parseInversion() {
  if (!at(TokenKind::KwNot))
    return parseComparison();
  Nesting guard(*this);
  uint32_t begin = here().begin;
  take();
  const Expr *operand = parseInversion();
  return make<UnaryExpr>(begin, UnaryOp::Not, operand);
}

/// Takes a comparison operator of one or two words.
bool Parser::parseCompareOp(CompareOp &op) {
  using enum TokenKind;
  switch (kind()) {
  case EqualEqual: op = CompareOp::Eq; break;
  case NotEqual: op = CompareOp::Ne; break;
  case Less: op = CompareOp::Lt; break;
  case LessEqual: op = CompareOp::Le; break;
  case Greater: op = CompareOp::Gt; break;
  case GreaterEqual: op = CompareOp::Ge; break;
  case KwIn: op = CompareOp::In; break;
  case KwIs:
    take();
    op = accept(KwNot) ? CompareOp::IsNot : CompareOp::Is;
    return true;
  case KwNot:
    if (ahead() != KwIn)
      return false;
    take();
    op = CompareOp::NotIn;
    break;
  default: return false;
  }
  take();
  return true;
}

const Expr *Parser::parseComparison() {
  uint32_t begin = here().begin;
  const Expr *left = parseBitOr();
  std::vector<CompareItem> rest;
  CompareOp op = CompareOp::Eq;
  for (uint32_t opBegin = here().begin; parseCompareOp(op); opBegin = here().begin) {
    SourceRange opRange = since(opBegin);
    const Expr *operand = parseBitOr();
    rest.push_back({op, opRange, operand});
  }
  if (rest.empty())
    return left;
  return make<CompareExpr>(begin, left, arena.copy(rest));
}

namespace {

struct BinaryRule {
  BinaryOp op;
  int precedence; ///< larger binds tighter; 0 is no binary operator
};

BinaryRule binaryRule(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
  case Pipe: return {BinaryOp::BitOr, 1};
  case Caret: return {BinaryOp::BitXor, 2};
  case Ampersand: return {BinaryOp::BitAnd, 3};
  case ShiftLeft: return {BinaryOp::ShiftLeft, 4};
  case ShiftRight: return {BinaryOp::ShiftRight, 4};
  case Plus: return {BinaryOp::Add, 5};
  case Minus: return {BinaryOp::Sub, 5};
  case Star: return {BinaryOp::Mul, 6};
  case Slash: return {BinaryOp::Div, 6};
  case DoubleSlash: return {BinaryOp::FloorDiv, 6};
  case Percent: return {BinaryOp::Mod, 6};
  case At: return {BinaryOp::MatMul, 6};
  default: return {BinaryOp::Add, 0};
  }
}

} // namespace

/// Operators of at least `minPrecedence`, all of which group from the left.
const Expr *Parser::parseBinary(int minPrecedence) {
  uint32_t begin = here().begin;
  const Expr *left = parseUnary();
  while (true) {
    BinaryRule rule = binaryRule(kind());
    if (rule.precedence == 0 || rule.precedence < minPrecedence)
      return left;
    SourceRange opRange = here();
    take();
    const Expr *right = parseBinary(rule.precedence + 1);
    left = make<BinaryExpr>(begin, rule.op, opRange, left, right);
  }
}

const Expr *Parser::parseUnary() {
  UnaryOp op;
  switch (kind()) {
  case TokenKind::Minus: op = UnaryOp::Negate; break;
  case TokenKind::Plus: op = UnaryOp::Plus; break;
  case TokenKind::Tilde: op = UnaryOp::Invert; break;
  default: return parsePower();
  }
  Nesting guard(*this);
  uint32_t begin = here().begin;
  take();
  const Expr *operand = parseUnary();
  return make<UnaryExpr>(begin, op, operand);
}

/// `a ** b`: groups from the right, binds tighter than a sign on its left and looser than one on its right.
const Expr *Parser::parsePower() {
  uint32_t begin = here().begin;
  const Expr *left;
  if (accept(TokenKind::KwAwait)) {
    const Expr *value = parsePrimary();
    left = make<AwaitExpr>(begin, value);
  } else {
    left = parsePrimary();
  }
  if (!at(TokenKind::DoubleStar))
    return left;
  Nesting guard(*this);
  SourceRange opRange = here();
  take();
  const Expr *right = parseUnary();
  return make<BinaryExpr>(begin, BinaryOp::Pow, opRange, left, right);
}

const Expr *Parser::parsePrimary() {
  uint32_t begin = here().begin;
  const Expr *value = parseAtom();
  while (true) {
    switch (kind()) {
    case TokenKind::Dot: {
      take();
      SourceRange nameRange;
      std::string_view name = expectName("a name after `.`", &nameRange);
      value = make<AttributeExpr>(begin, value, name, nameRange);
      break;
    }
    case TokenKind::LeftParen: {
      std::span<const Argument> arguments = parseArguments();
      value = make<CallExpr>(begin, value, arguments);
      break;
    }
    case TokenKind::LeftSquare: {
      const Expr *index = parseSubscript(value);
      value = make<SubscriptExpr>(begin, value, index);
      break;
    }
    default: return value;
    }
  }
}

/// The arguments of a call or a class, with their parentheses.
std::span<const Argument> Parser::parseArguments() {
  expect(TokenKind::LeftParen);
  std::vector<Argument> arguments;
  bool named = false, doubleStarred = false;
  while (!panicking && !at(TokenKind::RightParen)) {
    Argument argument = parseArgument();
    SourceRange range = argument.kind == ArgumentKind::Keyword ? argument.nameRange : argument.value->range;
    if (argument.kind == ArgumentKind::Positional && (named || doubleStarred))
      report(range, "positional argument after a keyword argument");
    if (argument.kind == ArgumentKind::Star && doubleStarred)
      report(range, "`*` argument after a `**` argument");
    named |= argument.kind == ArgumentKind::Keyword;
    doubleStarred |= argument.kind == ArgumentKind::DoubleStar;
    if (at(TokenKind::KwFor) || at(TokenKind::KwAsync)) {
      uint32_t begin = argument.value->range.begin;
      argument.value = parseComprehension(ComprehensionKind::Generator, argument.value, nullptr, begin,
                                          TokenKind::EndOfFile);
      if (!arguments.empty() || (at(TokenKind::Comma) && ahead() != TokenKind::RightParen))
        report(argument.value->range,
               "expected parentheses around a generator that is not the only argument");
    }
    arguments.push_back(argument);
    if (!accept(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightParen);
  if (named)
    checkRepeatedKeywords(arguments);
  return arena.copy(arguments);
}

void Parser::checkRepeatedKeywords(const std::vector<Argument> &arguments) {
  if (panicking)
    return;
  std::vector<NamePlace> names;
  for (const Argument &argument : arguments)
    if (argument.kind == ArgumentKind::Keyword)
      names.emplace_back(argument.name, argument.nameRange);
  reportRepeated(std::move(names), "keyword argument `{}` is repeated", "first given here");
}

Argument Parser::parseArgument() {
  if (accept(TokenKind::Star))
    return {ArgumentKind::Star, {}, {}, parseExpression()};
  if (accept(TokenKind::DoubleStar))
    return {ArgumentKind::DoubleStar, {}, {}, parseExpression()};
  if (at(TokenKind::Name) && ahead() == TokenKind::Assign) {
    std::string_view name = spelled();
    SourceRange nameRange = here();
    take();
    take();
    return {ArgumentKind::Keyword, name, nameRange, parseExpression()};
  }
  const Expr *value = parseNamed();
  if (at(TokenKind::Assign))
    unexpected("`,` or `)`").help = "the name of a keyword argument is a plain name";
  return {ArgumentKind::Positional, {}, {}, value};
}

const Expr *Parser::parseSubscript(const Expr *object) {
  take();
  uint32_t begin = here().begin;
  if (at(TokenKind::RightSquare)) {
    unexpected("an index");
    return object;
  }
  const Expr *index = parseSlice();
  if (at(TokenKind::Comma) || index->kind == ExprKind::Starred) {
    std::vector<const Expr *> elements{index};
    while (accept(TokenKind::Comma) && !at(TokenKind::RightSquare))
      elements.push_back(parseSlice());
    index = make<TupleExpr>(begin, false, arena.copy(elements));
  }
  expect(TokenKind::RightSquare);
  return index;
}

/// One index between commas: `a`, `*a`, `a:b`, `::c`.
const Expr *Parser::parseSlice() {
  uint32_t begin = here().begin;
  const Expr *lower = at(TokenKind::Colon) ? nullptr : parseStarOr(&Parser::parseNamed);
  if (lower && !at(TokenKind::Colon))
    return lower;
  auto bound = [&]() -> const Expr * {
    bool absent = at(TokenKind::Colon) || at(TokenKind::Comma) || at(TokenKind::RightSquare);
    return absent ? nullptr : parseExpression();
  };
  expect(TokenKind::Colon);
  const Expr *upper = bound();
  const Expr *step = accept(TokenKind::Colon) ? bound() : nullptr;
  return make<SliceExpr>(begin, lower, upper, step);
}

} // namespace tegula::syntax
