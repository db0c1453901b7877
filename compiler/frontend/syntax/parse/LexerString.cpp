// Strings, and f-strings as Python 3.12 reads them: the fields within `{}` are ordinary tokens, in which
// brackets, strings with the same quotes, and line breaks nest freely.
#include "compiler/frontend/syntax/parse/Lexer.h"

#include <fmt/format.h>

namespace tegula::syntax {

/// Reads the string whose prefix is the next `prefixLength` bytes; false when these are no prefix.
bool Lexer::lexString(uint32_t prefixLength) {
  bool raw = false, format = false, other = false;
  for (uint32_t i = 0; i < prefixLength; ++i) {
    char c = char(at(i) | 0x20);
    // `u` stands alone; `r` goes with one of `b` and `f`.
    bool &flag = c == 'r' ? raw : c == 'f' ? format : other;
    if (flag || !(c == 'r' || c == 'f' || c == 'b' || (c == 'u' && prefixLength == 1)))
      return false;
    flag = true;
  }
  if (format && other)
    return false;
  firstOnLine = false;
  char quote = at(prefixLength);
  bool triple = at(prefixLength + 1) == quote && at(prefixLength + 2) == quote;
  uint32_t length = prefixLength + (triple ? 3 : 1);
  Context string{ContextKind::FString, quote, triple, raw, position, length};
  if (format) {
    if (!mayNest())
      return true;
    contexts.push_back(string);
    emit(TokenKind::FStringBegin, length);
  } else {
    uint32_t begin = position;
    position += length;
    scanString(begin, string);
  }
  return true;
}

/// Returns true if the closing quotes of `string` are next.
bool Lexer::endsString(const Context &string) const {
  char quote = string.open;
  return at() == quote && (!string.triple || (at(1) == quote && at(2) == quote));
}

void Lexer::scanString(uint32_t begin, const Context &string) {
  while (position < text.size() && (string.triple || !atLineEnd())) {
    if (endsString(string)) {
      position += string.triple ? 3 : 1;
      tokens.push_back({TokenKind::String, {begin, position}});
      return;
    }
    if (at() == '\\')
      position += at(1) == '\r' && at(2) == '\n' ? 3 : 2;
    else
      ++position;
  }
  position = uint32_t(std::min<size_t>(position, text.size()));
  unterminatedString(begin, string);
}

void Lexer::unterminatedString(uint32_t begin, const Context &string) {
  size_t depth = contexts.size();
  if (string.triple) {
    fail({begin, begin + string.length},
         fmt::format("unterminated string: expected `{0}{0}{0}`, found end of file", string.open));
    abandonString(depth);
  } else if (!closeBrokenField(begin, string)) {
    bool atEnd = position >= text.size();
    fail({begin, position}, fmt::format("unterminated string: expected `{}`, found end of {}", string.open,
                                        atEnd ? "file" : "line"));
    abandonString(depth);
  }
}

/// `f"{x"`: what looks like a string within a field of an f-string, but does not end, is rather the end
/// of the f-string. Says so and goes on behind it; false when it is not that.
bool Lexer::closeBrokenField(uint32_t begin, const Context &string) {
  size_t depth = contexts.size();
  while (depth > 0 && contexts[depth - 1].kind == ContextKind::Bracket)
    --depth;
  if (depth < 2 || contexts[depth - 1].kind != ContextKind::Field || string.length != 1)
    return false;
  size_t outer = depth - 1;
  while (outer > 0 && contexts[outer - 1].kind != ContextKind::FString)
    --outer;
  if (outer == 0 || contexts[outer - 1].open != string.open || contexts[outer - 1].triple)
    return false;
  failUnclosed(contexts[depth - 1], {begin, begin + 1}, fmt::format("`{}`", string.open));
  position = begin + 1;
  contexts.resize(outer - 1);
  return true;
}

/// Leaves a string that does not end, keeping the contexts below `depth`.
void Lexer::abandonString(size_t depth) {
  for (size_t i = 0; i < depth; ++i)
    if (contexts[i].kind == ContextKind::FString && !contexts[i].triple)
      depth = i;
  contexts.resize(depth);
  abandonAtLine = !contexts.empty();
}

/// Steps over a backslash and what it escapes. In front of a brace it escapes nothing, and `\N{name}`
/// keeps its braces from opening a field.
bool Lexer::skipEscape(const Context &string) {
  if (at() != '\\')
    return false;
  if (!string.raw && at(1) == 'N' && at(2) == '{') {
    position += 3;
    while (!atLineEnd() && at() != '}' && at() != string.open)
      ++position;
    position += at() == '}';
  } else if (at(1) == '{' || at(1) == '}') {
    ++position;
  } else {
    position += at(1) == '\r' && at(2) == '\n' ? 3 : 2;
  }
  position = uint32_t(std::min<size_t>(position, text.size()));
  return true;
}

/// Reads text of an f-string, or of a field's format, up to the next brace or the end.
void Lexer::lexFStringText() {
  const Context string = contexts.back();
  bool inFormat = string.kind == ContextKind::Format;
  uint32_t begin = position;
  while (true) {
    if (position >= text.size() || (atLineEnd() && !string.triple)) {
      Context whole = string;
      while (contexts.back().kind != ContextKind::FString)
        contexts.pop_back();
      whole.length = contexts.back().length;
      uint32_t opening = contexts.back().offset;
      contexts.pop_back();
      unterminatedString(opening, whole);
      return;
    }
    if (skipEscape(string))
      continue;
    char c = at();
    if (endsString(string) || c == '{' || c == '}') {
      if (!inFormat && c != string.open && at(1) == c) {
        position += 2; // `{{` or `}}`
        continue;
      }
      break;
    }
    ++position;
  }
  if (position > begin)
    tokens.push_back({TokenKind::FStringMiddle, {begin, position}});
  lexFStringField();
}

/// Reads what ended a stretch of f-string text: a brace or the closing quotes.
void Lexer::lexFStringField() {
  const Context string = contexts.back();
  bool inFormat = string.kind == ContextKind::Format;
  if (at() == '{') {
    if (!mayNest())
      return;
    contexts.push_back({ContextKind::Field, '{', false, false, position, 1});
    emit(TokenKind::LeftBrace, 1);
  } else if (at() == '}') {
    if (inFormat) {
      contexts.resize(contexts.size() - 2); // the format and its field
      emit(TokenKind::RightBrace, 1);
    } else {
      Diagnostic &error = fail({position, position + 1}, "unmatched `}` in an f-string");
      error.help = "write `}}` for a brace in the text";
      DiagnosticEngine::fix(error, source, "write `}}`", {{{position, position + 1}, "}}"}},
                            Certainty::Certain);
      ++position;
    }
  } else if (inFormat) {
    failUnclosed(contexts[contexts.size() - 2], {position, position + 1}, fmt::format("`{}`", string.open));
    while (contexts.back().kind != ContextKind::FString)
      contexts.pop_back();
    contexts.pop_back();
    position += string.triple ? 3 : 1;
  } else {
    contexts.pop_back();
    emit(TokenKind::FStringEnd, string.triple ? 3 : 1);
  }
}

/// The colon after a field's expression: what follows up to the `}` is text, with fields in it.
void Lexer::beginFormat() {
  size_t depth = contexts.size();
  while (contexts[depth - 1].kind != ContextKind::FString && contexts[depth - 1].kind != ContextKind::Format)
    --depth;
  if (!mayNest())
    return;
  Context format = contexts[depth - 1];
  format.kind = ContextKind::Format;
  emit(TokenKind::Colon, 1);
  contexts.push_back(format);
}

} // namespace tegula::syntax
