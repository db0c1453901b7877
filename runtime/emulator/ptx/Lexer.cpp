#include "runtime/emulator/ptx/Lexer.h"

#include "runtime/emulator/numeric/Numeric.h"

#include <charconv>

namespace tegula::runtime::ptx {

/// A comment that begins so is none for the emulator: what follows are instructions of its own.
static constexpr std::string_view ownComment = "//tegula:";

static bool isDigit(char c) { return c >= '0' && c <= '9'; }
static bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
static bool isWord(char c) { return isLetter(c) || isDigit(c); }

Token Lexer::make(Token::Kind kind, size_t start, size_t skip) const {
  Token token;
  token.kind = kind;
  token.text = source.substr(start + skip, position - start - skip);
  token.line = line;
  return token;
}

/// Returns whether anything was skipped.
bool Lexer::skipBlanks() {
  const size_t start = position;
  while (position < source.size()) {
    const char c = source[position];
    if (c == '\n') {
      ++line;
      ++position;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position;
    } else if (source.substr(position, ownComment.size()) == ownComment) {
      position += ownComment.size();
    } else if (source.substr(position, 2) == "//") {
      const size_t end = source.find('\n', position);
      position = end == std::string_view::npos ? source.size() : end;
    } else if (source.substr(position, 2) == "/*") {
      const size_t end = source.find("*/", position + 2);
      const size_t stop = end == std::string_view::npos ? source.size() : end + 2;
      for (; position < stop; ++position)
        line += source[position] == '\n';
    } else {
      break;
    }
  }
  return position != start;
}

Token Lexer::number(size_t start) {
  while (position < source.size() && isWord(source[position]))
    ++position;
  std::string_view text = source.substr(start, position - start);
  const auto parse = [&](std::string_view digits, int base, Token::Kind kind) {
    Token token = make(kind, start);
    if (!digits.empty() && (digits.back() == 'U' || digits.back() == 'u') && kind == Token::Integer)
      digits.remove_suffix(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), token.bits, base);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
      token.kind = Token::Bad;
    return token;
  };
  if (text.size() > 1 && text[0] == '0') {
    const char second = text[1];
    if (second == 'x' || second == 'X')
      return parse(text.substr(2), 16, Token::Integer);
    if (second == 'b' || second == 'B')
      return parse(text.substr(2), 2, Token::Integer);
    if ((second == 'f' || second == 'F') && text.size() == 10)
      return parse(text.substr(2), 16, Token::Float32);
    if ((second == 'd' || second == 'D') && text.size() == 18)
      return parse(text.substr(2), 16, Token::Float64);
  }
  // A decimal float: digits, then a point or an exponent.
  const bool point = position < source.size() && source[position] == '.' && position + 1 < source.size() &&
                     isDigit(source[position + 1]);
  if (point || text.find_first_of("eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(source.data() + start, source.data() + source.size(), value);
    position = size_t(end - source.data());
    Token token = make(error == std::errc() ? Token::Float64 : Token::Bad, start);
    token.bits = bitsOfDouble(value);
    return token;
  }
  const bool octal = text.size() > 1 && text[0] == '0' && isDigit(text[1]);
  return parse(text, octal ? 8 : 10, Token::Integer);
}

Token Lexer::next() {
  const bool space = skipBlanks() || position == 0;
  const size_t start = position;
  Token token;
  if (position >= source.size()) {
    token = make(Token::End, position);
  } else if (const char c = source[position]; isDigit(c)) {
    token = number(start);
  } else if (isLetter(c)) {
    while (position < source.size() && isWord(source[position]))
      ++position;
    token = make(Token::Identifier, start);
  } else if (c == '.' && position + 1 < source.size() && isWord(source[position + 1])) {
    ++position;
    while (position < source.size() && isWord(source[position])) {
      ++position;
      if (source.substr(position, 2) == "::" && position + 2 < source.size() && isWord(source[position + 2]))
        position += 2;
    }
    token = make(Token::Dotted, start, 1);
  } else if (c == '"') {
    const size_t end = source.find_first_of("\"\n", start + 1);
    const bool closed = end != std::string_view::npos && source[end] == '"';
    position = end == std::string_view::npos ? source.size() : end;
    token = make(closed ? Token::String : Token::Bad, start, 1);
    position += closed;
  } else {
    ++position;
    const bool known = std::string_view("{}()[]<>,;:@!|+-=*~&^?/").find(c) != std::string_view::npos;
    token = make(known ? Token::Punctuation : Token::Bad, start);
  }
  token.spaceBefore = space;
  return token;
}

} // namespace tegula::runtime::ptx
