// Statements of one line.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

namespace tegula::syntax {

/// `a; b; c` up to the end of the line.
void Parser::parseSimpleLine(Statements &out) {
  while (true) {
    const Stmt *stmt = parseSimple();
    if (panicking)
      return;
    out.push_back(stmt);
    bool more = accept(TokenKind::Semicolon);
    if (accept(TokenKind::Newline))
      return;
    if (more)
      continue;
    const auto *expression = as<ExprStmt>(stmt);
    const auto *name = expression ? as<NameExpr>(expression->value) : nullptr;
    bool oldPrint = name && name->id == "print" && startsExpression();
    const SourceRange printed = oldPrint ? restOfLine() : SourceRange();
    const SourceRange blank{expression ? expression->range.end : 0, printed.begin};
    Diagnostic &error = unexpected("end of line");
    if (oldPrint) {
      error.help = "call it: `print(...)`";
      DiagnosticEngine::fix(error, source, "write `print(...)`",
                            {{blank, "("}, {{printed.end, printed.end}, ")"}}, Certainty::Certain);
    }
    out.pop_back();
    return;
  }
}

const Stmt *Parser::parseSimple() {
  if (isKeyword(kind()))
    return parseKeywordStatement();
  if (atWord("type") && ahead() == TokenKind::Name &&
      (cursor[2].kind == TokenKind::Assign || cursor[2].kind == TokenKind::LeftSquare))
    return parseTypeAlias();
  return parseExpressionStatement();
}

const Stmt *Parser::parseKeywordStatement() {
  uint32_t begin = here().begin;
  TokenKind keyword = kind();
  switch (keyword) {
  case TokenKind::KwPass:
    take();
    return make<PassStmt>(begin);
  case TokenKind::KwBreak:
  case TokenKind::KwContinue:
    if (!inLoop)
      report(here(), fmt::format("{} outside a loop", describe(keyword)));
    take();
    if (keyword == TokenKind::KwBreak)
      return make<BreakStmt>(begin);
    return make<ContinueStmt>(begin);
  case TokenKind::KwReturn: {
    if (!inFunction)
      report(here(), "`return` outside a function");
    take();
    const Expr *value = startsExpression() ? parseReturned() : nullptr;
    return make<ReturnStmt>(begin, value);
  }
  case TokenKind::KwRaise: {
    take();
    const Expr *exception = startsExpression() ? parseExpression() : nullptr;
    const Expr *cause = exception && accept(TokenKind::KwFrom) ? parseExpression() : nullptr;
    return make<RaiseStmt>(begin, exception, cause);
  }
  case TokenKind::KwAssert: {
    take();
    const Expr *condition = parseExpression();
    const Expr *message = accept(TokenKind::Comma) ? parseExpression() : nullptr;
    return make<AssertStmt>(begin, condition, message);
  }
  case TokenKind::KwDel: {
    take();
    const Expr *target = parseTargetList(TargetUse::Delete);
    const auto *tuple = as<TupleExpr>(target);
    ExprList targets = tuple && !tuple->parenthesized ? tuple->elements : arena.copy(std::vector{target});
    return make<DeleteStmt>(begin, targets);
  }
  case TokenKind::KwGlobal: case TokenKind::KwNonlocal: return parseNames();
  case TokenKind::KwImport: return parseImport();
  case TokenKind::KwFrom: return parseImportFrom();
  default: return parseExpressionStatement();
  }
}

namespace {

/// The operator of an augmented assignment; none for other tokens.
std::optional<BinaryOp> augmentedOp(TokenKind kind) {
  using enum TokenKind;
  switch (kind) {
  case PlusAssign: return BinaryOp::Add;
  case MinusAssign: return BinaryOp::Sub;
  case StarAssign: return BinaryOp::Mul;
  case AtAssign: return BinaryOp::MatMul;
  case SlashAssign: return BinaryOp::Div;
  case DoubleSlashAssign: return BinaryOp::FloorDiv;
  case PercentAssign: return BinaryOp::Mod;
  case DoubleStarAssign: return BinaryOp::Pow;
  case ShiftLeftAssign: return BinaryOp::ShiftLeft;
  case ShiftRightAssign: return BinaryOp::ShiftRight;
  case AmpersandAssign: return BinaryOp::BitAnd;
  case CaretAssign: return BinaryOp::BitXor;
  case PipeAssign: return BinaryOp::BitOr;
  default: return std::nullopt;
  }
}

} // namespace

/// An expression by itself, or any kind of assignment.
const Stmt *Parser::parseExpressionStatement() {
  uint32_t begin = here().begin;
  const Expr *first = parseYieldOrExpressions();
  if (accept(TokenKind::Colon))
    return parseAnnotated(first, begin);
  if (std::optional<BinaryOp> op = augmentedOp(kind())) {
    SourceRange opRange = here();
    checkSingleTarget(first, fmt::format("use {} on", describe(kind())));
    take();
    const Expr *value = parseValue();
    return make<AugAssignStmt>(begin, *op, opRange, first, value);
  }
  if (at(TokenKind::Assign)) {
    std::vector<const Expr *> targets;
    while (accept(TokenKind::Assign)) {
      checkTarget(first, TargetUse::Assign);
      targets.push_back(first);
      first = parseYieldOrExpressions();
    }
    if (first->kind == ExprKind::Starred)
      report(first->range, "starred expression outside a list, tuple or call");
    return make<AssignStmt>(begin, arena.copy(targets), first);
  }
  if (first->kind == ExprKind::Starred)
    report(first->range, "starred expression outside a list, tuple or call");
  return make<ExprStmt>(begin, first);
}

const Stmt *Parser::parseAnnotated(const Expr *target, uint32_t begin) {
  checkSingleTarget(target, "annotate");
  const Expr *annotation = parseExpression();
  const Expr *value = accept(TokenKind::Assign) ? parseValue() : nullptr;
  return make<AnnAssignStmt>(begin, target, annotation, value);
}

const Stmt *Parser::parseNames() {
  uint32_t begin = here().begin;
  bool global = at(TokenKind::KwGlobal);
  take();
  std::vector<std::string_view> names;
  do
    names.push_back(expectName("a name"));
  while (accept(TokenKind::Comma));
  if (global)
    return make<GlobalStmt>(begin, arena.copy(names));
  return make<NonlocalStmt>(begin, arena.copy(names));
}

/// `a.b.c`, without blanks even where the source has some.
std::string_view Parser::parseDottedName() {
  uint32_t begin = here().begin;
  std::string name(expectName("a module name"));
  while (accept(TokenKind::Dot)) {
    name += '.';
    name += expectName("a name after `.`");
  }
  std::string_view asWritten = source.slice(since(begin));
  return asWritten == name ? asWritten : arena.copy(std::string_view(name));
}

ImportAlias Parser::parseAlias(bool dotted) {
  uint32_t begin = here().begin;
  std::string_view name = dotted ? parseDottedName() : expectName("a name to import");
  std::string_view asName = accept(TokenKind::KwAs) ? expectName("a name after `as`") : std::string_view();
  return {name, asName, since(begin)};
}

const Stmt *Parser::parseImport() {
  uint32_t begin = here().begin;
  take();
  std::vector<ImportAlias> names;
  do
    names.push_back(parseAlias(true));
  while (accept(TokenKind::Comma));
  noteImport({}, names, /*isFrom=*/false);
  return make<ImportStmt>(begin, arena.copy(names));
}

const Stmt *Parser::parseImportFrom() {
  uint32_t begin = here().begin;
  take();
  uint32_t level = 0;
  for (; at(TokenKind::Dot) || at(TokenKind::Ellipsis); take())
    level += at(TokenKind::Dot) ? 1 : 3;
  std::string_view module;
  if (level == 0 || !at(TokenKind::KwImport))
    module = parseDottedName();
  expect(TokenKind::KwImport);
  std::vector<ImportAlias> names;
  bool star = accept(TokenKind::Star);
  if (!star) {
    bool parenthesized = accept(TokenKind::LeftParen);
    do {
      if (parenthesized && !names.empty() && at(TokenKind::RightParen))
        break;
      names.push_back(parseAlias(false));
    } while (accept(TokenKind::Comma));
    if (parenthesized)
      expect(TokenKind::RightParen);
  }
  if (level == 0)
    noteImport(module, names, /*isFrom=*/true);
  return make<ImportFromStmt>(begin, module, level, star, arena.copy(names));
}

/// `type Name[T] = value`; the caller has looked ahead.
const Stmt *Parser::parseTypeAlias() {
  uint32_t begin = here().begin;
  take();
  std::string_view name = expectName("a name");
  TypeParameters parameters = parseTypeParameters();
  expect(TokenKind::Assign);
  const Expr *value = parseExpression();
  return make<TypeAliasStmt>(begin, name, parameters, value);
}

} // namespace tegula::syntax
