// Reads numbers and strings from their spelling.
#pragma once

#include "compiler/frontend/syntax/ast/Ast.h"

#include <optional>
#include <string>
#include <string_view>

namespace tegula::syntax {

/// The value of a number token. `text` has been accepted by the lexer.
struct NumberValue {
  ast::NumberKind kind;
  std::optional<uint64_t> integer; ///< of an Int that fits
  double real;                     ///< infinite when it is too large
};
NumberValue numberValue(std::string_view text);

/// Form of a string: how the text between its quotes is read.
struct TextForm {
  bool raw = false;
  bool bytes = false;
  bool doubledBraces = false; ///< literal text of an f-string: `{{` is a brace
};

/// A mistake in a string, at bytes [offset, offset + length) of its text.
struct TextError {
  uint32_t offset, length;
  std::string message;
};

/// Returns true if the text needs no decoding.
bool isPlainText(std::string_view body, TextForm form);

/// Appends what `body` stands for to `out`: escapes replaced, line ends as `\n`. An unknown escape
/// stays as it is, as in Python.
std::optional<TextError> decodeText(std::string_view body, TextForm form, std::string &out);

} // namespace tegula::syntax
