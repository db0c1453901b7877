// The layout of a Python file: its encoding, lines, indentation and brackets.
#include "compiler/frontend/syntax/parse/Lexer.h"

#include "compiler/frontend/syntax/ast/AstExpr.h"

#include <fmt/format.h>

#include <cstring>

namespace tegula::syntax {

std::vector<Token> tokenize(const SourceFile &source, DiagnosticEngine &diagnostics) {
  return Lexer(source, diagnostics).run();
}

std::vector<Token> Lexer::run() {
  if (!checkEncoding()) {
    position = uint32_t(std::min(text.size(), SourceFile::maxBytes));
    emit(TokenKind::EndOfFile, 0);
    emit(TokenKind::EndOfFile, 0);
    return std::move(tokens);
  }
  tokens.reserve(text.size() / 4 + 16);
  while (true) {
    bool inText = !contexts.empty() && (contexts.back().kind == ContextKind::FString ||
                                        contexts.back().kind == ContextKind::Format);
    if (inText) {
      lexFStringText();
      continue;
    }
    if (atLineStart)
      startLine();
    if (!skipBlank())
      continue;
    if (position >= text.size())
      break;
    lexToken();
  }
  finish();
  return std::move(tokens);
}

Diagnostic &Lexer::fail(SourceRange range, std::string message) {
  if (tokens.empty() || tokens.back().kind != TokenKind::Error)
    tokens.push_back({TokenKind::Error, range});
  return diagnostics.error(source, range, std::move(message));
}

/// Reports that `found`, at `range`, stands where the bracket of `context` should be closed.
void Lexer::failUnclosed(const Context &context, SourceRange range, std::string_view found) {
  std::string_view expected = context.open == '(' ? ")" : context.open == '[' ? "]" : "}";
  Diagnostic &error = fail(range, fmt::format("expected `{}`, found {}", expected, found));
  diagnostics.note(error, source, {context.offset, context.offset + context.length},
                   fmt::format("to match this `{}`", context.open));
}

/// Refuses text that is no Python source whatever it says.
bool Lexer::checkEncoding() {
  if (text.size() > SourceFile::maxBytes) {
    diagnostics.error(source, {0, 0},
                      fmt::format("expected a source file of at most {} bytes, found {}",
                                  SourceFile::maxBytes, text.size()));
    return false;
  }
  for (size_t i = 0; i < text.size();) {
    uint64_t word;
    if (i + 8 <= text.size()) {
      std::memcpy(&word, text.data() + i, 8);
      if (!(word & 0x8080808080808080u)) {
        i += 8;
        continue;
      }
    }
    uint32_t codePoint = 0;
    uint32_t length = decodeUtf8(text.substr(i), codePoint);
    if (length == 0) {
      diagnostics.error(source, {uint32_t(i), uint32_t(i + 1)},
                        fmt::format("invalid UTF-8: byte 0x{:02x} at offset {}", uint8_t(text[i]), i))
          .help = "save the file as UTF-8";
      return false;
    }
    i += length;
  }
  if (size_t null = text.find('\0'); null != std::string_view::npos) {
    diagnostics.error(source, {uint32_t(null), uint32_t(null + 1)},
                      fmt::format("null byte at offset {}", null));
    return false;
  }
  return true;
}

/// Measures the indentation of a logical line; lines without a word on them do not count.
void Lexer::startLine() {
  Indentation indentation;
  uint32_t begin = position;
  for (;; ++position) {
    char c = at();
    if (c == ' ') {
      ++indentation.column;
      ++indentation.alternative;
    } else if (c == '\t') {
      indentation.column = (indentation.column / 8 + 1) * 8;
      ++indentation.alternative;
    } else if (c == '\f') {
      indentation = {};
    } else {
      break;
    }
  }
  // A line that is only a continuation mark continues into the next with its own indentation.
  if (position >= text.size() || at() == '#' || atLineEnd())
    return;
  atLineStart = false;
  applyIndentation(indentation, begin);
}

void Lexer::applyIndentation(Indentation indentation, uint32_t begin) {
  SourceRange blank{begin, position};
  lineIndent = indentation.column;
  if (tokens.empty() && source.isExcerpt())
    indents.front() = indentation;
  Indentation top = indents.back();
  bool consistent = true;
  if (indentation.column > top.column) {
    consistent = indentation.alternative > top.alternative;
    indents.push_back(indentation);
    tokens.push_back({TokenKind::Indent, {position, position}});
  } else if (indentation.column == top.column) {
    consistent = indentation.alternative == top.alternative;
  } else {
    while (indentation.column < indents.back().column && indents.size() > 1) {
      indents.pop_back();
      tokens.push_back({TokenKind::Dedent, {position, position}});
    }
    if (indentation.column != indents.back().column) {
      const uint32_t nearest = indents.back().column;
      Diagnostic &error =
          fail(blank, fmt::format("expected the indentation of an enclosing block, found {} columns",
                                  indentation.column));
      error.help = fmt::format("the nearest enclosing block is indented by {}", nearest);
      DiagnosticEngine::fix(error, source, fmt::format("indent by {}", nearest),
                            {{blank, std::string(nearest, ' ')}}, Certainty::Likely);
      return;
    }
    consistent = indentation.alternative == indents.back().alternative;
  }
  if (!consistent)
    fail(blank, "tabs and spaces are mixed so that the indentation depends on the width of a tab").help =
        "indent with spaces only";
}

/// Skips what stands between tokens. False when a new logical line has begun.
bool Lexer::skipBlank() {
  while (true) {
    char c = at();
    if (c == ' ' || c == '\t' || c == '\f') {
      ++position;
    } else if (c == '#') {
      while (!atLineEnd())
        ++position;
    } else if (c == '\n' || c == '\r') {
      uint32_t length = c == '\r' && at(1) == '\n' ? 2 : 1;
      if (atLineStart) {
        position += length; // a blank line
        return false;
      }
      if (contexts.empty()) {
        emit(TokenKind::Newline, length);
        atLineStart = true;
        return false;
      }
      position += length;
      firstOnLine = true;
      if (abandonAtLine) {
        endLine();
        if (atLineStart)
          return false;
      }
    } else if (c == '\\') {
      uint32_t begin = position++;
      if (at() == '\r' && at(1) == '\n')
        ++position;
      if (position >= text.size()) {
        fail({begin, position}, "expected a line after the continuation mark `\\`, found end of file");
      } else if (!atLineEnd()) {
        fail({begin, position}, "expected end of line after the continuation mark `\\`");
      } else {
        ++position;
      }
    } else {
      return true;
    }
  }
}

/// After a string without its closing quote, brackets are open whose closing ones were probably taken
/// for text. They are given up at the first line indented no deeper than the one that opened them.
void Lexer::endLine() {
  uint32_t column = 0;
  for (uint32_t ahead = 0; at(ahead) == ' ' || at(ahead) == '\t'; ++ahead)
    column = at(ahead) == '\t' ? (column / 8 + 1) * 8 : column + 1;
  if (column > lineIndent)
    return;
  tokens.push_back({TokenKind::Newline, {position, position}});
  abandonContexts();
}

void Lexer::abandonContexts() {
  contexts.clear();
  abandonAtLine = false;
  firstOnLine = false;
  atLineStart = true;
}

/// Returns true if one more context may be entered. Where it may not, the rest of the file is left unread: no
/// program nests so deep, and every context costs time when a bracket or string is broken.
bool Lexer::mayNest() {
  if (contexts.size() < ast::maxNesting)
    return true;
  fail({position, position + 1},
       fmt::format("expression nested too deeply: more than {} levels", ast::maxNesting));
  abandonContexts();
  position = uint32_t(text.size());
  return false;
}

void Lexer::openBracket(uint32_t length, TokenKind kind) {
  if (!mayNest())
    return;
  contexts.push_back({ContextKind::Bracket, text[position], false, false, position, length});
  emit(kind, length);
}

void Lexer::closeBracket(TokenKind kind) {
  char open = kind == TokenKind::RightParen ? '(' : kind == TokenKind::RightSquare ? '[' : '{';
  SourceRange range{position, position + 1};
  if (!contexts.empty() && contexts.back().open == open) {
    contexts.pop_back();
    emit(kind, 1);
    return;
  }
  if (contexts.empty()) {
    fail(range, fmt::format("unmatched {}", describe(kind)));
    ++position;
    return;
  }
  failUnclosed(contexts.back(), range, describe(kind));
  // The closing bracket may be that of an outer one, or a slip for this one.
  size_t depth = contexts.size();
  while (depth > 0 && contexts[depth - 1].open != open &&
         contexts[depth - 1].kind != ContextKind::Format && contexts[depth - 1].kind != ContextKind::FString)
    --depth;
  bool outer = depth > 0 && contexts[depth - 1].open == open;
  contexts.resize(outer ? depth - 1 : contexts.size() - 1);
  ++position;
}

/// A word that can only begin a statement, first on its line though a bracket is open: the bracket was
/// never closed. Saying so here keeps the rest of the file out of it.
void Lexer::closeAtKeyword(SourceRange word, TokenKind kind) {
  if (!abandonAtLine)
    failUnclosed(contexts.back(), word, describe(kind));
  tokens.push_back({TokenKind::Newline, {word.begin, word.begin}});
  abandonContexts();
  // The word's line is read again as a new logical line.
  while (position > 0 && (text[position - 1] == ' ' || text[position - 1] == '\t'))
    --position;
}

void Lexer::finish() {
  uint32_t end = uint32_t(text.size());
  if (!contexts.empty() && !abandonAtLine) {
    uint32_t last = tokens.empty() ? end : tokens.back().range.end;
    failUnclosed(contexts.back(), {last, last}, describe(TokenKind::EndOfFile));
  }
  position = end;
  if (!tokens.empty() && tokens.back().kind != TokenKind::Newline)
    emit(TokenKind::Newline, 0);
  for (; indents.size() > 1; indents.pop_back())
    emit(TokenKind::Dedent, 0);
  emit(TokenKind::EndOfFile, 0);
  emit(TokenKind::EndOfFile, 0);
}

} // namespace tegula::syntax
