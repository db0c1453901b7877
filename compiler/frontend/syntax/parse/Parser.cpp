// The frame of the parser: cursor, errors, recovery, blocks.
#include "compiler/frontend/syntax/parse/Lexer.h"
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace tegula {

std::unique_ptr<ast::Module> parseModule(std::shared_ptr<const SourceFile> source,
                                         DiagnosticEngine &diagnostics) {
  auto module = std::make_unique<ast::Module>(std::move(source));
  DiagnosticEngine found;
  std::vector<syntax::Token> tokens = syntax::tokenize(*module->source, found);
  syntax::Parser(*module, tokens, found).run();
  // Errors of the lexer came first; a person reads from top to bottom.
  std::vector<Diagnostic> all = found.take();
  std::vector<size_t> order(all.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tuple(all[a].line, all[a].column, a) < std::tuple(all[b].line, all[b].column, b);
  });
  for (size_t i : order)
    diagnostics.report(std::move(all[i]));
  return module;
}

namespace syntax {

void Parser::run() {
  Statements statements;
  while (!at(TokenKind::EndOfFile)) {
    parseStatements(statements);
    accept(TokenKind::Dedent);
  }
  foldAssignedDecorators(statements);
  if (source.isExcerpt() && statements.size() == 1)
    makeJit(statements[0]);
  module.body = arena.copy(statements);
}

/// Lets `statement`, where it is a function, be a jit function, whose errors are those of the parse.
void Parser::makeJit(const Stmt *&statement) {
  const auto *plain = as<FunctionStmt>(statement);
  if (!plain || plain->isJit)
    return;
  FunctionStmt function = *plain;
  if (function.errors)
    for (const Diagnostic &error : *function.errors)
      sink->report(error);
  function.errors = nullptr;
  function.isJit = true;
  statement = arena.make(function);
}

//===--- errors -----------------------------------------------------------------------------===//

Diagnostic &Parser::report(SourceRange range, std::string message) {
  if (panicking)
    return dropped = {};
  return sink->error(source, range, std::move(message));
}

void Parser::panic() {
  if (panicking)
    return;
  panicking = true;
  panickedAt = cursor;
  cursor = endOfFile;
}

std::string Parser::found() const {
  if (isKeyword(kind()))
    return fmt::format("keyword {}", describe(kind()));
  std::string_view text = spelled();
  bool literal = at(TokenKind::Name) || at(TokenKind::Number) || at(TokenKind::String);
  if (!literal || text.size() > 40 || text.find('\n') != std::string_view::npos)
    return std::string(describe(kind()));
  return fmt::format("`{}`", text);
}

Diagnostic &Parser::unexpected(std::string_view expected) {
  if (panicking || at(TokenKind::Error)) { // the lexer has said what is wrong here
    panic();
    return dropped = {};
  }
  // The end of a line is shown behind its last word rather than behind its comment.
  SourceRange range =
      at(TokenKind::Newline) || at(TokenKind::EndOfFile) ? SourceRange{lastEnd, lastEnd} : here();
  Diagnostic &error = sink->error(source, range, fmt::format("expected {}, found {}", expected, found()));
  panic();
  return error;
}

void Parser::tooDeep(uint32_t limit) {
  report(here(), fmt::format("expression nested too deeply: more than {} levels", limit));
  panic();
}

void Parser::expect(TokenKind wanted) {
  if (accept(wanted))
    return;
  bool comparison = at(TokenKind::Assign) && wanted != TokenKind::Assign;
  const SourceRange place = here();
  const bool isCut = wanted == TokenKind::Colon && at(TokenKind::Newline);
  Diagnostic &error = unexpected(describe(wanted));
  if (comparison && wanted == TokenKind::Colon) {
    error.help = "write `==` to compare";
    DiagnosticEngine::fix(error, source, "write `==`", {{place, "=="}}, Certainty::Likely);
  } else if (isCut) {
    DiagnosticEngine::fix(error, source, "add `:`", {{{lastEnd, lastEnd}, ":"}}, Certainty::Certain);
  }
}

SourceRange Parser::restOfLine() const {
  const Token *last = cursor;
  while (last[1].kind != TokenKind::Newline && last[1].kind != TokenKind::EndOfFile)
    ++last;
  return {cursor->range.begin, last->range.end};
}

std::string_view Parser::expectName(std::string_view what, SourceRange *range) {
  if (!at(TokenKind::Name)) {
    unexpected(what);
    return {};
  }
  std::string_view name = spelled();
  if (range)
    *range = here();
  take();
  return name;
}

//===--- recovery ---------------------------------------------------------------------------===//

void Parser::skipBlock() {
  uint32_t depth = 0;
  do {
    if (at(TokenKind::Indent))
      ++depth;
    else if (at(TokenKind::Dedent))
      --depth;
    take();
  } while (depth > 0 && !at(TokenKind::EndOfFile));
}

void Parser::skipLine() {
  while (!at(TokenKind::Newline) && !at(TokenKind::Indent) && !at(TokenKind::Dedent) &&
         !at(TokenKind::EndOfFile))
    take();
  accept(TokenKind::Newline);
  if (at(TokenKind::Indent))
    skipBlock();
}

/// Ends a panic: goes on behind the broken line, its block, and the clauses that belong to it.
void Parser::recover() {
  cursor = panickedAt;
  panicking = false;
  do {
    skipLine();
  } while (at(TokenKind::KwElif) || at(TokenKind::KwElse) || at(TokenKind::KwExcept) ||
           at(TokenKind::KwFinally));
}

//===--- blocks -----------------------------------------------------------------------------===//

void Parser::parseStatements(Statements &out) {
  while (!at(TokenKind::Dedent) && !at(TokenKind::EndOfFile)) {
    if (at(TokenKind::Indent)) {
      if (cursor[1].kind != TokenKind::Error)
        report(cursor[1].range, "unexpected indentation");
      skipBlock();
      continue;
    }
    parseStatement(out);
    if (panicking)
      recover();
  }
}

void Parser::parseStatement(Statements &out) {
  if (const Stmt *compound = parseCompound()) {
    if (!panicking)
      out.push_back(compound);
  } else if (!panicking) {
    parseSimpleLine(out);
  }
}

/// The colon and the suite of a compound statement that began with `keyword`.
Block Parser::parseBlock(std::string_view keyword, SourceRange keywordRange) {
  expect(TokenKind::Colon);
  Statements statements;
  if (panicking)
    return {};
  if (!accept(TokenKind::Newline)) {
    parseSimpleLine(statements);
    return arena.copy(statements);
  }
  if (!at(TokenKind::Indent)) {
    if (at(TokenKind::Error)) {
      panic();
      return {};
    }
    SourceRange range =
        at(TokenKind::EndOfFile) || at(TokenKind::Dedent) ? SourceRange{lastEnd, lastEnd} : here();
    report(range, fmt::format("expected an indented block after {} on line {}", keyword,
                              source.line(keywordRange.begin)));
    return {};
  }
  if (blockDepth >= maxBlockDepth) {
    report(cursor[1].range, fmt::format("blocks nested too deeply: more than {} levels", maxBlockDepth));
    skipBlock();
    return {};
  }
  ++blockDepth;
  take();
  parseStatements(statements);
  accept(TokenKind::Dedent);
  --blockDepth;
  return arena.copy(statements);
}

} // namespace syntax
} // namespace tegula
