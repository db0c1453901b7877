// The words of a Python file: names, numbers, strings, operators.
#include "compiler/frontend/syntax/parse/Lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace tegula::syntax {
namespace {

bool isDecimal(char c) { return c >= '0' && c <= '9'; }
bool isHex(char c) { return isDecimal(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool isOctal(char c) { return c >= '0' && c <= '7'; }
bool isBinary(char c) { return c == '0' || c == '1'; }
bool isWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWord(char c) { return isWordStart(c) || isDecimal(c); }

/// Returns true if a character beyond ASCII may be part of a name. Letters and marks of every script may;
/// punctuation, symbols and blanks, which lie together in few blocks, may not. This admits some unassigned
/// code points that Python refuses, which does no harm.
bool isUnicodeWord(uint32_t c) {
  struct Range {
    uint32_t first, last;
  };
  static constexpr Range excluded[] = {
      {0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB6},     {0xB8, 0xB9},       {0xBB, 0xBF},
      {0xD7, 0xD7},     {0xF7, 0xF7},     {0x2000, 0x203E}, {0x2041, 0x2053},   {0x2055, 0x2070},
      {0x207A, 0x207E}, {0x208A, 0x208E}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF},   {0x2E00, 0x2FFF},
      {0x3000, 0x3004}, {0x3008, 0x3020}, {0x3030, 0x3030}, {0xD800, 0xF8FF},   {0xFE10, 0xFE1F},
      {0xFE30, 0xFE32}, {0xFE35, 0xFE4C}, {0xFE50, 0xFE6F}, {0xFEFF, 0xFEFF},   {0xFF00, 0xFF0F},
      {0xFF1A, 0xFF20}, {0xFF3B, 0xFF3E}, {0xFF40, 0xFF40}, {0xFF5B, 0xFF65},   {0xFFE0, 0xFFFF},
      {0x1F000, 0x1FAFF}, {0xF0000, 0x10FFFF}};
  return !std::any_of(std::begin(excluded), std::end(excluded),
                      [c](Range range) { return range.first <= c && c <= range.last; });
}

/// Bytes of the word at the front of `text`; 0 when there is none.
uint32_t wordLength(std::string_view text) {
  uint32_t length = 0;
  while (length < text.size()) {
    if (isWord(text[length])) {
      ++length;
      continue;
    }
    if (uint8_t(text[length]) < 0x80)
      break;
    uint32_t codePoint = 0;
    uint32_t bytes = decodeUtf8(text.substr(length), codePoint);
    if (!isUnicodeWord(codePoint))
      break;
    length += bytes;
  }
  return length;
}

/// Returns true if a keyword can begin a statement but never appear within brackets.
bool onlyBeginsStatement(TokenKind kind) {
  switch (kind) {
  case TokenKind::KwAssert: case TokenKind::KwBreak: case TokenKind::KwClass: case TokenKind::KwContinue:
  case TokenKind::KwDef: case TokenKind::KwDel: case TokenKind::KwExcept: case TokenKind::KwFinally:
  case TokenKind::KwGlobal: case TokenKind::KwImport: case TokenKind::KwNonlocal: case TokenKind::KwPass:
  case TokenKind::KwRaise: case TokenKind::KwReturn: case TokenKind::KwTry: case TokenKind::KwWhile:
  case TokenKind::KwWith:
    return true;
  default:
    return false;
  }
}

} // namespace

void Lexer::lexToken() {
  char c = at();
  if (isWordStart(c) || uint8_t(c) >= 0x80) {
    lexWord();
    return;
  }
  firstOnLine = false;
  if (isDecimal(c) || (c == '.' && isDecimal(at(1))))
    lexNumber();
  else if (c == '"' || c == '\'')
    lexString(0);
  else
    lexOperator();
}

void Lexer::lexWord() {
  uint32_t length = wordLength(text.substr(position));
  if (length == 0) {
    firstOnLine = false;
    invalidCharacter();
    return;
  }
  std::string_view word = text.substr(position, length);
  if (length <= 2 && (at(length) == '"' || at(length) == '\'') && lexString(length))
    return;
  TokenKind kind = classifyWord(word);
  bool first = firstOnLine;
  firstOnLine = false;
  if (first && !contexts.empty() && onlyBeginsStatement(kind)) {
    closeAtKeyword({position, position + length}, kind);
    return;
  }
  emit(kind, length);
}

/// Digits with single underscores between them; false when there is none or an underscore is astray.
bool Lexer::digits(bool (*isDigit)(char)) {
  if (!isDigit(at()))
    return false;
  while (isDigit(at()) || (at() == '_' && isDigit(at(1))))
    ++position;
  return at() != '_';
}

void Lexer::lexNumber() {
  uint32_t begin = position;
  char second = char(at(1) | 0x20);
  if (at() == '0' && (second == 'x' || second == 'o' || second == 'b')) {
    position += 2;
    if (at() == '_')
      ++position;
    bool good = digits(second == 'x' ? isHex : second == 'o' ? isOctal : isBinary) && !isDecimal(at());
    if (!good) {
      position = begin + wordLength(text.substr(begin));
      std::string_view base = second == 'x' ? "hexadecimal" : second == 'o' ? "octal" : "binary";
      fail({begin, position}, fmt::format("invalid {} number `{}`", base, source.slice({begin, position})));
      return;
    }
    endNumber(begin);
    return;
  }
  bool good = at() == '.' || digits(isDecimal);
  bool isInteger = true;
  if (good && at() == '.') {
    isInteger = false;
    ++position;
    if (isDecimal(at()))
      good = digits(isDecimal);
  }
  if (good && (at() | 0x20) == 'e') {
    bool sign = at(1) == '+' || at(1) == '-';
    if (isDecimal(at(1 + sign))) {
      isInteger = false;
      position += 1 + sign;
      good = digits(isDecimal);
    }
  }
  if (good && (at() | 0x20) == 'j') {
    isInteger = false;
    ++position;
  }
  std::string_view spelled = source.slice({begin, position});
  if (!good) {
    position += wordLength(text.substr(position));
    fail({begin, position}, fmt::format("invalid number `{}`", source.slice({begin, position})));
  } else if (isInteger && spelled[0] == '0' && spelled.find_first_not_of("0_") != std::string_view::npos) {
    Diagnostic &error = fail({begin, position}, fmt::format("integer `{}` has leading zeros", spelled));
    error.help = "write `0o` in front of an octal number";
    const std::string number(spelled.substr(spelled.find_first_not_of("0_")));
    DiagnosticEngine::fix(error, source, fmt::format("write `{}`", number), {{{begin, position}, number}},
                          Certainty::Likely);
    if (number.find_first_of("89") == std::string::npos)
      DiagnosticEngine::fix(error, source, fmt::format("write `0o{}`", number),
                            {{{begin, position}, "0o" + number}}, Certainty::Likely);
  } else {
    endNumber(begin);
  }
}

/// Emits the number from `begin` to here, unless a name follows at once. Python still allows some
/// keywords there: `1if x else 2`.
void Lexer::endNumber(uint32_t begin) {
  uint32_t length = wordLength(text.substr(position));
  if (length) {
    std::string_view rest = text.substr(position, length);
    static constexpr std::string_view allowed[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
    if (!std::any_of(std::begin(allowed), std::end(allowed),
                     [&](std::string_view word) { return rest.starts_with(word); })) {
      position += length;
      fail({begin, position}, fmt::format("invalid number `{}`", source.slice({begin, position})));
      return;
    }
  }
  tokens.push_back({TokenKind::Number, {begin, position}});
}

static constexpr uint32_t firstQuote = 0x2018, firstDoubleQuote = 0x201C, lastQuote = 0x201F;

static bool isQuote(uint32_t codePoint) { return codePoint >= firstQuote && codePoint <= lastQuote; }

void Lexer::invalidCharacter() {
  uint32_t codePoint = 0;
  uint32_t length = decodeUtf8(text.substr(position), codePoint);
  SourceRange range{position, position + length};
  bool shown = codePoint > 0x20 && codePoint != 0x7F && !(codePoint >= 0x80 && codePoint <= 0xA0) &&
               !(codePoint >= 0x2000 && codePoint <= 0x200F) && !(codePoint >= 0x2028 && codePoint <= 0x202F);
  position += length;
  // One such character rarely comes alone: quotes are two.
  if (!tokens.empty() && badLineEnd > range.begin) {
    tokens.push_back({TokenKind::Error, range});
    return;
  }
  badLineEnd = uint32_t(std::min(text.find_first_of("\r\n", range.begin), text.size()));
  Diagnostic &error =
      fail(range, shown ? fmt::format("unexpected character `{}` (U+{:04X})", source.slice(range), codePoint)
                        : fmt::format("unexpected character U+{:04X}", codePoint));
  if (codePoint == 0xA0 || (codePoint >= 0x2000 && codePoint <= 0x200A) || codePoint == 0x3000) {
    error.help = "replace it with a plain blank";
    DiagnosticEngine::fix(error, source, "write a plain blank", {{range, " "}}, Certainty::Certain);
  } else if (isQuote(codePoint)) {
    error.help = "write strings with plain quotes";
    error.fixes.push_back(plainQuotes(range.begin));
  }
}

Fix Lexer::plainQuotes(uint32_t begin) const {
  std::vector<Change> changes;
  for (uint32_t at = begin, length = 0, codePoint = 0; at < badLineEnd; at += std::max(length, 1u)) {
    length = decodeUtf8(text.substr(at), codePoint);
    if (length && isQuote(codePoint))
      changes.push_back({{at, at + length}, codePoint < firstDoubleQuote ? "'" : "\""});
  }
  // A pair is the string; of more, some may be part of one.
  return makeFix(source, "write plain quotes", changes,
                 changes.size() == 2 ? Certainty::Certain : Certainty::Likely);
}

void Lexer::lexOperator() {
  using enum TokenKind;
  bool inField = !contexts.empty() && contexts.back().kind == ContextKind::Field;
  auto assign = [&](TokenKind plain, TokenKind withAssign) {
    at(1) == '=' ? emit(withAssign, 2) : emit(plain, 1);
  };
  auto doubled = [&](TokenKind plain, TokenKind plainAssign, TokenKind twice, TokenKind twiceAssign) {
    if (at(1) != at())
      return assign(plain, plainAssign);
    at(2) == '=' ? emit(twiceAssign, 3) : emit(twice, 2);
  };
  switch (at()) {
  case '(': return openBracket(1, LeftParen);
  case '[': return openBracket(1, LeftSquare);
  case '{': return openBracket(1, LeftBrace);
  case ')': return closeBracket(RightParen);
  case ']': return closeBracket(RightSquare);
  case '}': return closeBracket(RightBrace);
  case ',': return emit(Comma, 1);
  case ';': return emit(Semicolon, 1);
  case '~': return emit(Tilde, 1);
  case ':': return inField ? beginFormat() : assign(Colon, Walrus);
  case '.': return at(1) == '.' && at(2) == '.' ? emit(Ellipsis, 3) : emit(Dot, 1);
  case '=': return assign(Assign, EqualEqual);
  case '+': return assign(Plus, PlusAssign);
  case '-': return at(1) == '>' ? emit(Arrow, 2) : assign(Minus, MinusAssign);
  case '%': return assign(Percent, PercentAssign);
  case '@': return assign(At, AtAssign);
  case '&': return assign(Ampersand, AmpersandAssign);
  case '|': return assign(Pipe, PipeAssign);
  case '^': return assign(Caret, CaretAssign);
  case '*': return doubled(Star, StarAssign, DoubleStar, DoubleStarAssign);
  case '/': return doubled(Slash, SlashAssign, DoubleSlash, DoubleSlashAssign);
  case '<': return doubled(Less, LessEqual, ShiftLeft, ShiftLeftAssign);
  case '>': return doubled(Greater, GreaterEqual, ShiftRight, ShiftRightAssign);
  case '!':
    if (at(1) == '=')
      return emit(NotEqual, 2);
    if (inField)
      return emit(Exclaim, 1);
    [[fallthrough]];
  default: invalidCharacter();
  }
}

} // namespace tegula::syntax
