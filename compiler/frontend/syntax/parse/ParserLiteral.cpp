#include "compiler/frontend/syntax/parse/ParserLiteral.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>

namespace tegula::syntax {
namespace {

/// The value of a digit in bases up to 16, or 16.
uint32_t digitValue(char c) {
  if (c >= '0' && c <= '9')
    return uint32_t(c - '0');
  char lower = char(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? uint32_t(lower - 'a' + 10) : 16;
}

/// Returns true if a decimal number that no double can hold is too large rather than too small.
bool isHuge(std::string_view text) {
  size_t exponentAt = text.find_first_of("eE");
  long exponent = 0;
  if (exponentAt != std::string_view::npos) {
    std::string_view digits = text.substr(exponentAt + 1);
    bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+'))
      digits.remove_prefix(1);
    // An exponent that overflows a long outweighs every digit that fits in a file.
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc())
      return !negative;
    exponent = negative ? -exponent : exponent;
  }
  std::string_view mantissa = text.substr(0, exponentAt);
  size_t point = std::min(mantissa.find('.'), mantissa.size());
  size_t leading = mantissa.find_first_of("123456789");
  if (leading == std::string_view::npos)
    return false;
  return exponent + long(point) - long(leading) > 0;
}

double decimalValue(std::string_view text) {
  double value = 0;
  std::from_chars_result result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    return isHuge(text) ? std::numeric_limits<double>::infinity() : 0.0;
  return value;
}

/// Reads escapes one at a time.
class Decoder {
public:
  Decoder(std::string_view body, TextForm form, std::string &out) : body(body), form(form), out(out) {}

  std::optional<TextError> run() {
    while (position < body.size() && !error) {
      char c = body[position];
      bool doubled = position + 1 < body.size() && body[position + 1] == c;
      if (form.bytes && uint8_t(c) >= 0x80) {
        uint32_t codePoint = 0;
        uint32_t length = decodeUtf8(body.substr(position), codePoint);
        error = TextError{position, length ? length : 1, "bytes hold ASCII characters only"};
      } else if (c == '\r') {
        out += '\n';
        position += position + 1 < body.size() && body[position + 1] == '\n' ? 2 : 1;
      } else if (form.doubledBraces && (c == '{' || c == '}') && doubled) {
        out += c;
        position += 2;
      } else if (c == '\\' && !form.raw && position + 1 < body.size()) {
        decodeEscape();
      } else {
        out += c;
        ++position;
      }
    }
    return error;
  }

private:
  void decodeEscape() {
    char c = body[position + 1];
    switch (c) {
    case '\n': position += 2; return;
    case '\r': position += body.substr(position + 2).starts_with('\n') ? 3 : 2; return;
    case '\\': case '\'': case '"': return put(c);
    case 'a': return put('\a');
    case 'b': return put('\b');
    case 'f': return put('\f');
    case 'n': return put('\n');
    case 'r': return put('\r');
    case 't': return put('\t');
    case 'v': return put('\v');
    case 'x': return hexadecimal(2);
    case 'u': return form.bytes ? keep() : hexadecimal(4);
    case 'U': return form.bytes ? keep() : hexadecimal(8);
    case 'N': return form.bytes ? keep() : named();
    default: return c >= '0' && c <= '7' ? octal() : keep();
    }
  }

  void put(char c) {
    out += c;
    position += 2;
  }
  void putCode(uint32_t code) {
    if (form.bytes)
      out += char(code);
    else
      appendUtf8(out, code);
  }
  void keep() {
    out += '\\';
    ++position;
  }

  void octal() {
    uint32_t value = 0, i = position + 1;
    for (; i < body.size() && i < position + 4 && body[i] >= '0' && body[i] <= '7'; ++i)
      value = value * 8 + digitValue(body[i]);
    putCode(value);
    position = i;
  }

  void hexadecimal(uint32_t count) {
    uint32_t value = 0, i = position + 2;
    for (; i < body.size() && i < position + 2 + count && digitValue(body[i]) < 16; ++i)
      value = value << 4 | digitValue(body[i]);
    uint32_t found = i - position - 2;
    if (found < count)
      error = TextError{position, i - position,
                        fmt::format("expected {} hexadecimal digits after `\\{}`, found {}", count,
                                    body[position + 1], found)};
    else if (value > 0x10FFFF)
      error = TextError{position, i - position, fmt::format("character U+{:X} is beyond U+10FFFF", value)};
    else
      putCode(value);
    position = i;
  }

  void named() {
    size_t close =
        body.substr(position).starts_with("\\N{") ? body.find('}', position) : std::string_view::npos;
    if (close == std::string_view::npos || close == position + 3) {
      error = TextError{position, 2, "expected a character name in braces after `\\N`"};
      return;
    }
    appendUtf8(out, 0xFFFD); // there is no table of names here
    position = uint32_t(close + 1);
  }

  std::string_view body;
  TextForm form;
  std::string &out;
  uint32_t position = 0;
  std::optional<TextError> error;
};

} // namespace

NumberValue numberValue(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  text = plain;
  uint32_t base = 10;
  if (text.size() > 2 && text[0] == '0') {
    char mark = char(text[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
  }
  if (base == 10 && (text.back() | 0x20) == 'j')
    return {ast::NumberKind::Imaginary, std::nullopt, decimalValue(text.substr(0, text.size() - 1))};
  if (base == 10 && text.find_first_not_of("0123456789") != std::string_view::npos)
    return {ast::NumberKind::Float, std::nullopt, decimalValue(text)};

  uint64_t value = 0;
  double real = 0;
  bool fits = true;
  for (char c : text.substr(base == 10 ? 0 : 2)) {
    uint64_t digit = digitValue(c);
    fits =
        fits && !__builtin_mul_overflow(value, base, &value) && !__builtin_add_overflow(value, digit, &value);
    real = real * base + double(digit);
  }
  if (fits)
    return {ast::NumberKind::Int, value, double(value)};
  return {ast::NumberKind::Int, std::nullopt, base == 10 ? decimalValue(text) : real};
}

bool isPlainText(std::string_view body, TextForm form) {
  for (char c : body)
    if ((c == '\\' && !form.raw) || c == '\r' || (form.bytes && uint8_t(c) >= 0x80) ||
        (form.doubledBraces && (c == '{' || c == '}')))
      return false;
  return true;
}

std::optional<TextError> decodeText(std::string_view body, TextForm form, std::string &out) {
  return Decoder(body, form, out).run();
}

} // namespace tegula::syntax
