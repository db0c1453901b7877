// Statements with blocks, except definitions and `match`.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

#include <utility>

namespace tegula::syntax {

/// A compound statement, or null when none begins here.
const Stmt *Parser::parseCompound() {
  uint32_t begin = here().begin;
  switch (kind()) {
  case TokenKind::KwIf: return parseIf();
  case TokenKind::KwFor: return parseFor(begin, false);
  case TokenKind::KwWhile: return parseWhile();
  case TokenKind::KwTry: return parseTry();
  case TokenKind::KwWith: return parseWith(begin, false);
  case TokenKind::KwDef: return parseFunction(begin, {}, false);
  case TokenKind::KwClass: return parseClass(begin, {});
  case TokenKind::At: return parseDecorated();
  case TokenKind::KwAsync: return parseAsync();
  case TokenKind::Name: return atMatch() ? parseMatch() : nullptr;
  case TokenKind::KwElif: case TokenKind::KwElse: case TokenKind::KwExcept: case TokenKind::KwFinally:
    unexpected("a statement");
    return nullptr;
  default: return nullptr;
  }
}

const Stmt *Parser::parseAsync() {
  uint32_t begin = here().begin;
  take();
  switch (kind()) {
  case TokenKind::KwDef: return parseFunction(begin, {}, true);
  case TokenKind::KwFor: return parseFor(begin, true);
  case TokenKind::KwWith: return parseWith(begin, true);
  default: unexpected("`def`, `for` or `with` after `async`"); return nullptr;
  }
}

const Stmt *Parser::parseIf() {
  uint32_t begin = here().begin;
  std::vector<IfBranch> branches;
  do {
    SourceRange keyword = here();
    std::string_view name = describe(kind());
    take();
    const Expr *condition = parseNamed();
    branches.push_back({condition, parseBlock(name, keyword)});
  } while (at(TokenKind::KwElif));
  Block elseBody = parseElse();
  return make<IfStmt>(begin, arena.copy(branches), elseBody);
}

Block Parser::parseElse() {
  SourceRange keyword = here();
  if (!accept(TokenKind::KwElse))
    return {};
  return parseBlock("`else`", keyword);
}

const Stmt *Parser::parseFor(uint32_t begin, bool isAsync) {
  SourceRange keyword = here();
  take();
  const Expr *target = parseTargetList(TargetUse::Loop);
  expect(TokenKind::KwIn);
  const Expr *iterable = parseReturned();
  bool outer = std::exchange(inLoop, true);
  Block body = parseBlock("`for`", keyword);
  inLoop = outer;
  Block elseBody = parseElse();
  return make<ForStmt>(begin, isAsync, target, iterable, body, elseBody);
}

const Stmt *Parser::parseWhile() {
  SourceRange keyword = here();
  take();
  const Expr *condition = parseNamed();
  bool outer = std::exchange(inLoop, true);
  Block body = parseBlock("`while`", keyword);
  inLoop = outer;
  Block elseBody = parseElse();
  return make<WhileStmt>(keyword.begin, condition, body, elseBody);
}

const Stmt *Parser::parseTry() {
  SourceRange keyword = here();
  take();
  Block body = parseBlock("`try`", keyword);
  std::vector<ExceptHandler> handlers;
  bool star = false;
  while (at(TokenKind::KwExcept)) {
    if (!handlers.empty() && !handlers.back().type)
      report(here(), "handler after `except:`, which catches everything");
    handlers.push_back(parseHandler(star, handlers.empty()));
  }
  Block elseBody = handlers.empty() ? Block() : parseElse();
  Block finallyBody;
  SourceRange finallyKeyword = here();
  if (accept(TokenKind::KwFinally))
    finallyBody = parseBlock("`finally`", finallyKeyword);
  else if (handlers.empty() && !at(TokenKind::Error))
    report(keyword, "expected `except` or `finally` after the block of `try`");
  return make<TryStmt>(keyword.begin, star, body, arena.copy(handlers), elseBody, finallyBody);
}

ExceptHandler Parser::parseHandler(bool &star, bool first) {
  SourceRange keyword = here();
  take();
  bool isStar = accept(TokenKind::Star);
  if (first)
    star = isStar;
  else if (star != isStar)
    report(keyword, "`except` and `except*` cannot be mixed");
  ExceptHandler handler{nullptr, {}, {}};
  if (isStar || !at(TokenKind::Colon)) {
    // `except A, B:` without parentheses is Python 3.14's.
    const Expr *type = parseExpressions();
    handler.type = type;
    if (accept(TokenKind::KwAs))
      handler.name = expectName("a name after `as`");
  }
  handler.body = parseBlock(isStar ? "`except*`" : "`except`", keyword);
  return handler;
}

/// `with (a as b, c):`: whether the parentheses at the cursor enclose items rather than an expression.
bool Parser::withItemsInParentheses() const {
  if (!at(TokenKind::LeftParen))
    return false;
  uint32_t depth = 0;
  bool hasAs = false, hasComma = false, isExpression = false;
  const Token *token = cursor;
  for (; token->kind != TokenKind::Newline && token->kind != TokenKind::EndOfFile; ++token) {
    switch (token->kind) {
    case TokenKind::LeftParen: case TokenKind::LeftSquare: case TokenKind::LeftBrace: ++depth; break;
    case TokenKind::RightParen: case TokenKind::RightSquare: case TokenKind::RightBrace: --depth; break;
    case TokenKind::KwAs: hasAs |= depth == 1; break;
    case TokenKind::Comma: hasComma |= depth == 1; break;
    case TokenKind::Walrus: case TokenKind::KwFor: case TokenKind::KwYield: isExpression |= depth == 1; break;
    case TokenKind::Star:
      isExpression |= depth == 1 && (token[-1].kind == TokenKind::Comma || token == cursor + 1);
      break;
    default: break;
    }
    if (depth == 0)
      break;
  }
  bool closesHeader = token->kind == TokenKind::RightParen && token[1].kind == TokenKind::Colon;
  return closesHeader && (hasAs || (hasComma && !isExpression));
}

WithItem Parser::parseWithItem() {
  const Expr *context = parseExpression();
  const Expr *target = nullptr;
  if (accept(TokenKind::KwAs)) {
    target = parseStarOr(&Parser::parseBitOr);
    checkTarget(target, TargetUse::With);
  }
  return {context, target};
}

const Stmt *Parser::parseWith(uint32_t begin, bool isAsync) {
  SourceRange keyword = here();
  take();
  std::vector<WithItem> items;
  bool parenthesized = withItemsInParentheses();
  if (parenthesized)
    take();
  do {
    if (parenthesized && at(TokenKind::RightParen))
      break;
    items.push_back(parseWithItem());
  } while (accept(TokenKind::Comma));
  if (parenthesized)
    expect(TokenKind::RightParen);
  Block body = parseBlock("`with`", keyword);
  return make<WithStmt>(begin, isAsync, arena.copy(items), body);
}

} // namespace tegula::syntax
