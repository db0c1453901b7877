// PTX text to tokens.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tegula::runtime::ptx {

/// One token. `text` points into the source.
struct Token {
  enum Kind : uint8_t {
    End,         ///< the end of the text
    Identifier,  ///< `add`, `%r1`, `$L__BB0_1`, `_`
    Dotted,      ///< `.f32`, `.L1::evict_first`: the text without its first dot
    Integer,     ///< value in `bits`
    Float32,     ///< `0f3F800000`: bits in `bits`
    Float64,     ///< `0d...` and decimal floats: bits of the double in `bits`
    String,      ///< without quotes, escapes kept
    Punctuation, ///< one character
    Bad,         ///< nothing PTX knows; `text` is the offending piece
  } kind = End;
  std::string_view text;
  uint64_t bits = 0;
  uint32_t line = 1;
  bool spaceBefore = true; ///< false when the token touches the one before, as `.x` in `%tid.x`

  bool is(char c) const { return kind == Punctuation && text[0] == c; }
  bool isDotted(std::string_view name) const { return kind == Dotted && text == name; }
};

/// Reads tokens one at a time; comments and blanks are skipped.
class Lexer {
public:
  explicit Lexer(std::string_view source) : source(source) {}
  Token next();

private:
  bool skipBlanks();
  Token number(size_t start);
  Token make(Token::Kind kind, size_t start, size_t skip = 0) const;

  std::string_view source;
  size_t position = 0;
  uint32_t line = 1;
};

} // namespace tegula::runtime::ptx
