// The smallest expressions: names, literals, and everything in brackets.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

#include <utility>

namespace tegula::syntax {

const Expr *Parser::parseAtom() {
  uint32_t begin = here().begin;
  auto constant = [&](ConstantKind value) {
    take();
    return make<ConstantExpr>(begin, value);
  };
  switch (kind()) {
  case TokenKind::Name: {
    std::string_view name = spelled();
    take();
    return make<NameExpr>(begin, name);
  }
  case TokenKind::Number: return parseNumber();
  case TokenKind::String: case TokenKind::FStringBegin: return parseStrings();
  case TokenKind::KwNone: return constant(ConstantKind::None);
  case TokenKind::KwTrue: return constant(ConstantKind::True);
  case TokenKind::KwFalse: return constant(ConstantKind::False);
  case TokenKind::Ellipsis: return constant(ConstantKind::Ellipsis);
  case TokenKind::LeftParen: return parseParentheses();
  case TokenKind::LeftSquare: return parseListDisplay();
  case TokenKind::LeftBrace: return parseBraces();
  default: break;
  }
  bool keywordAsName = isKeyword(kind()) && (ahead() == TokenKind::Assign || ahead() == TokenKind::Dot);
  std::string_view keyword = describe(kind());
  Diagnostic &error = unexpected("an expression");
  if (keywordAsName)
    error.help = fmt::format("{} is a keyword and cannot be a name", keyword);
  return errorExpr();
}

const Expr *Parser::parseNumber() {
  uint32_t begin = here().begin;
  std::string_view text = spelled();
  NumberValue value = numberValue(text);
  take();
  return make<NumberExpr>(begin, value.kind, text, value.integer, value.real);
}

/// `()`, `(a)`, `(a, b)`, `(yield)`, `(x for x in y)`.
const Expr *Parser::parseParentheses() {
  uint32_t begin = here().begin;
  take();
  if (accept(TokenKind::RightParen))
    return make<TupleExpr>(begin, true, ExprList());
  if (at(TokenKind::KwYield)) {
    const Expr *value = parseYield();
    expect(TokenKind::RightParen);
    return value;
  }
  const Expr *first = parseStarOr(&Parser::parseNamed);
  if (at(TokenKind::KwFor) || at(TokenKind::KwAsync))
    return parseComprehension(ComprehensionKind::Generator, first, nullptr, begin, TokenKind::RightParen);
  if (!at(TokenKind::Comma)) {
    if (const auto *starred = as<StarredExpr>(first)) {
      report(first->range, "starred expression outside a list, tuple or call");
      first = starred->value;
    }
    expect(TokenKind::RightParen);
    return first;
  }
  std::vector<const Expr *> elements{first};
  while (accept(TokenKind::Comma) && !at(TokenKind::RightParen))
    elements.push_back(parseStarOr(&Parser::parseNamed));
  expect(TokenKind::RightParen);
  return make<TupleExpr>(begin, true, arena.copy(elements));
}

const Expr *Parser::parseListDisplay() {
  uint32_t begin = here().begin;
  take();
  std::vector<const Expr *> elements;
  while (!panicking && !at(TokenKind::RightSquare)) {
    elements.push_back(parseStarOr(&Parser::parseNamed));
    if (elements.size() == 1 && (at(TokenKind::KwFor) || at(TokenKind::KwAsync)))
      return parseComprehension(ComprehensionKind::List, elements[0], nullptr, begin, TokenKind::RightSquare);
    if (!accept(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightSquare);
  return make<ListExpr>(begin, arena.copy(elements));
}

/// `{}`, `{a, b}`, `{k: v, **d}` and the comprehensions of both kinds.
const Expr *Parser::parseBraces() {
  uint32_t begin = here().begin;
  take();
  if (at(TokenKind::RightBrace) || at(TokenKind::DoubleStar))
    return parseDictRest({}, begin);
  const Expr *first = parseStarOr(&Parser::parseNamed);
  if (accept(TokenKind::Colon)) {
    const Expr *value = parseExpression();
    if (at(TokenKind::KwFor) || at(TokenKind::KwAsync))
      return parseComprehension(ComprehensionKind::Dict, first, value, begin, TokenKind::RightBrace);
    std::vector<DictItem> items{{first, value}};
    if (!accept(TokenKind::Comma) && !at(TokenKind::RightBrace))
      expect(TokenKind::RightBrace);
    return parseDictRest(std::move(items), begin);
  }
  if (at(TokenKind::KwFor) || at(TokenKind::KwAsync))
    return parseComprehension(ComprehensionKind::Set, first, nullptr, begin, TokenKind::RightBrace);
  std::vector<const Expr *> elements{first};
  while (accept(TokenKind::Comma) && !at(TokenKind::RightBrace))
    elements.push_back(parseStarOr(&Parser::parseNamed));
  expect(TokenKind::RightBrace);
  return make<SetExpr>(begin, arena.copy(elements));
}

const Expr *Parser::parseDictRest(std::vector<DictItem> items, uint32_t begin) {
  while (!panicking && !at(TokenKind::RightBrace)) {
    if (accept(TokenKind::DoubleStar)) {
      items.push_back({nullptr, parseBitOr()});
    } else {
      const Expr *key = parseExpression();
      expect(TokenKind::Colon);
      items.push_back({key, parseExpression()});
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightBrace);
  return make<DictExpr>(begin, arena.copy(items));
}

/// The clauses after the element of a comprehension, and its closing bracket (EndOfFile: none, the
/// parenthesis of a call closes it).
const Expr *Parser::parseComprehension(ComprehensionKind kind, const Expr *element, const Expr *value,
                                       uint32_t begin, TokenKind close) {
  if (element->kind == ExprKind::Starred)
    report(element->range, "starred expression in a comprehension");
  std::vector<ComprehensionClause> clauses = parseClauses();
  if (close != TokenKind::EndOfFile)
    expect(close);
  return make<ComprehensionExpr>(begin, kind, element, value, arena.copy(clauses));
}

std::vector<ComprehensionClause> Parser::parseClauses() {
  std::vector<ComprehensionClause> clauses;
  while (at(TokenKind::KwFor) || at(TokenKind::KwAsync)) {
    bool isAsync = accept(TokenKind::KwAsync);
    expect(TokenKind::KwFor);
    const Expr *target = parseTargetList(TargetUse::Loop);
    expect(TokenKind::KwIn);
    const Expr *iterable = parseDisjunction();
    std::vector<const Expr *> conditions;
    while (accept(TokenKind::KwIf))
      conditions.push_back(parseDisjunction());
    clauses.push_back({target, iterable, arena.copy(conditions), isAsync});
  }
  return clauses;
}

const Expr *Parser::parseYield() {
  uint32_t begin = here().begin;
  if (!inFunction)
    report(here(), "`yield` outside a function");
  take();
  if (accept(TokenKind::KwFrom)) {
    const Expr *value = parseExpression();
    return make<YieldFromExpr>(begin, value);
  }
  const Expr *value = startsExpression() ? parseExpressions() : nullptr;
  return make<YieldExpr>(begin, value);
}

} // namespace tegula::syntax
