// The `match` statement and its patterns. `match` and `case` are names everywhere else.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

namespace tegula::syntax {

/// Returns true if a `match` statement begins at the cursor: the line starts with `match`, ends with a colon,
/// and an indented `case` follows, which no other statement does.
bool Parser::atMatch() const {
  if (!atWord("match") || ahead() == TokenKind::Colon)
    return false;
  const Token *token = cursor + 1;
  while (token->kind != TokenKind::Newline && token->kind != TokenKind::EndOfFile)
    ++token;
  return token->kind == TokenKind::Newline && token[-1].kind == TokenKind::Colon &&
         token[1].kind == TokenKind::Indent && source.slice(token[2].range) == "case";
}

const Stmt *Parser::parseMatch() {
  SourceRange keyword = here();
  take();
  const Expr *subject = parseTuple(&Parser::parseNamed);
  expect(TokenKind::Colon);
  expect(TokenKind::Newline);
  if (blockDepth >= maxBlockDepth) {
    report(keyword, fmt::format("blocks nested too deeply: more than {} levels", maxBlockDepth));
    panic();
  }
  expect(TokenKind::Indent);
  ++blockDepth;
  std::vector<MatchCase> cases;
  while (!at(TokenKind::Dedent) && !at(TokenKind::EndOfFile)) {
    SourceRange caseKeyword = here();
    if (!atWord("case")) {
      unexpected("`case`");
      recover();
      continue;
    }
    take();
    const Pattern *pattern = parsePatterns();
    const Expr *guard = accept(TokenKind::KwIf) ? parseNamed() : nullptr;
    cases.push_back({pattern, guard, parseBlock("`case`", caseKeyword)});
    if (panicking)
      recover();
  }
  accept(TokenKind::Dedent);
  --blockDepth;
  return make<MatchStmt>(keyword.begin, subject, arena.copy(cases));
}

/// The pattern of a case: commas make a sequence.
const Pattern *Parser::parsePatterns() {
  uint32_t begin = here().begin;
  const Pattern *first = at(TokenKind::Star) ? parseStarPattern() : parsePattern();
  if (!at(TokenKind::Comma) && first->kind != PatternKind::Star)
    return first;
  std::vector<const Pattern *> children{first};
  while (accept(TokenKind::Comma) && !at(TokenKind::Colon) && !at(TokenKind::KwIf))
    children.push_back(at(TokenKind::Star) ? parseStarPattern() : parsePattern());
  return arena.make(
      Pattern{.kind = PatternKind::Sequence, .range = since(begin), .children = arena.copy(children)});
}

/// `a | b as name`
const Pattern *Parser::parsePattern() {
  Nesting guard(*this);
  uint32_t begin = here().begin;
  const Pattern *pattern = parseClosedPattern();
  if (at(TokenKind::Pipe)) {
    std::vector<const Pattern *> children{pattern};
    while (accept(TokenKind::Pipe))
      children.push_back(parseClosedPattern());
    pattern =
        arena.make(Pattern{.kind = PatternKind::Or, .range = since(begin), .children = arena.copy(children)});
  }
  if (!accept(TokenKind::KwAs))
    return pattern;
  std::string_view name = expectName("a name after `as`");
  if (name == "_")
    report({lastEnd - 1, lastEnd}, "cannot bind `_` in a pattern");
  std::vector<const Pattern *> children{pattern};
  return arena.make(Pattern{
      .kind = PatternKind::As, .range = since(begin), .name = name, .children = arena.copy(children)});
}

const Pattern *Parser::parseClosedPattern() {
  switch (kind()) {
  case TokenKind::Name: return parseNamedPattern();
  case TokenKind::LeftParen: case TokenKind::LeftSquare: return parseSequencePattern();
  case TokenKind::LeftBrace: return parseMappingPattern();
  default: return parseLiteralPattern();
  }
}

const Pattern *Parser::parseLiteralPattern() {
  uint32_t begin = here().begin;
  const Expr *value = nullptr;
  switch (kind()) {
  case TokenKind::Minus: case TokenKind::Number: value = parseSignedNumber(); break;
  case TokenKind::String: case TokenKind::FStringBegin: case TokenKind::KwNone: case TokenKind::KwTrue:
  case TokenKind::KwFalse: value = parseAtom(); break;
  default: unexpected("a pattern"); value = errorExpr();
  }
  return arena.make(Pattern{.kind = PatternKind::Value, .range = since(begin), .value = value});
}

/// `1`, `-1`, `1 + 2j`
const Expr *Parser::parseSignedNumber() {
  uint32_t begin = here().begin;
  auto number = [&]() -> const Expr * {
    if (at(TokenKind::Number))
      return parseNumber();
    unexpected("a number");
    return errorExpr();
  };
  const Expr *value;
  if (accept(TokenKind::Minus)) {
    const Expr *operand = number();
    value = make<UnaryExpr>(begin, UnaryOp::Negate, operand);
  } else {
    value = number();
  }
  if (!at(TokenKind::Plus) && !at(TokenKind::Minus))
    return value;
  BinaryOp op = at(TokenKind::Plus) ? BinaryOp::Add : BinaryOp::Sub;
  SourceRange opRange = here();
  take();
  const Expr *imaginary = number();
  return make<BinaryExpr>(begin, op, opRange, value, imaginary);
}

/// A capture, a dotted name, or a class.
const Pattern *Parser::parseNamedPattern() {
  uint32_t begin = here().begin;
  std::string_view id = spelled();
  bool plain = ahead() != TokenKind::Dot;
  const Expr *name = parseAtom();
  while (accept(TokenKind::Dot)) {
    SourceRange nameRange;
    std::string_view attribute = expectName("a name after `.`", &nameRange);
    name = make<AttributeExpr>(begin, name, attribute, nameRange);
  }
  if (at(TokenKind::LeftParen))
    return parseClassPattern(name, begin);
  if (!plain)
    return arena.make(Pattern{.kind = PatternKind::Value, .range = since(begin), .value = name});
  return arena.make(Pattern{PatternKind::Capture, since(begin), id == "_" ? std::string_view() : id});
}

const Pattern *Parser::parseClassPattern(const Expr *name, uint32_t begin) {
  take();
  std::vector<const Pattern *> children;
  std::vector<std::string_view> keywords;
  while (!panicking && !at(TokenKind::RightParen)) {
    if (at(TokenKind::Name) && ahead() == TokenKind::Assign) {
      keywords.push_back(spelled());
      take();
      take();
    } else if (!keywords.empty()) {
      report(here(), "positional pattern after a keyword pattern");
    }
    children.push_back(parsePattern());
    if (!accept(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightParen);
  return arena.make(Pattern{PatternKind::Class, since(begin), {}, name, {}, arena.copy(keywords),
                            arena.copy(children)});
}

const Pattern *Parser::parseMappingPattern() {
  uint32_t begin = here().begin;
  take();
  std::vector<const Expr *> keys;
  std::vector<const Pattern *> children;
  std::string_view rest;
  while (!panicking && !at(TokenKind::RightBrace)) {
    if (accept(TokenKind::DoubleStar)) {
      rest = expectName("a name after `**`");
    } else {
      const Pattern *key = at(TokenKind::Name) ? parseNamedPattern() : parseLiteralPattern();
      if (key->kind != PatternKind::Value)
        report(key->range, "expected a literal or a dotted name as the key of a mapping pattern");
      keys.push_back(key->value ? key->value : errorExpr());
      expect(TokenKind::Colon);
      children.push_back(parsePattern());
    }
    if (!accept(TokenKind::Comma))
      break;
  }
  expect(TokenKind::RightBrace);
  return arena.make(
      Pattern{PatternKind::Mapping, since(begin), rest, nullptr, arena.copy(keys), {}, arena.copy(children)});
}

/// `[a, *b]`, `(a, b)`, or a pattern in parentheses.
const Pattern *Parser::parseSequencePattern() {
  uint32_t begin = here().begin;
  bool parentheses = at(TokenKind::LeftParen);
  TokenKind close = parentheses ? TokenKind::RightParen : TokenKind::RightSquare;
  take();
  std::vector<const Pattern *> children;
  bool comma = false;
  while (!panicking && !at(close)) {
    children.push_back(at(TokenKind::Star) ? parseStarPattern() : parsePattern());
    comma = accept(TokenKind::Comma);
    if (!comma)
      break;
  }
  expect(close);
  if (parentheses && children.size() == 1 && !comma && children[0]->kind != PatternKind::Star)
    return children[0];
  return arena.make(
      Pattern{.kind = PatternKind::Sequence, .range = since(begin), .children = arena.copy(children)});
}

const Pattern *Parser::parseStarPattern() {
  uint32_t begin = here().begin;
  take();
  std::string_view name = expectName("a name after `*`");
  return arena.make(Pattern{PatternKind::Star, since(begin), name == "_" ? std::string_view() : name});
}

} // namespace tegula::syntax
