// The words of a Python file.
#pragma once

#include "compiler/frontend/syntax/text/Source.h"

#include <cstdint>
#include <string_view>

namespace tegula::syntax {

enum class TokenKind : uint8_t {
  EndOfFile,
  Newline, ///< the end of a logical line
  Indent,
  Dedent,
  Error, ///< something the lexer has reported already
  Name,
  Number,
  String,        ///< a whole literal with prefix and quotes
  FStringBegin,  ///< prefix and opening quotes
  FStringMiddle, ///< literal text, or the literal text of a format
  FStringEnd,    ///< closing quotes
  // Punctuation, in the order of the table in Token.cpp.
  LeftParen, RightParen, LeftSquare, RightSquare, LeftBrace, RightBrace,
  Comma, Colon, Semicolon, Dot, Ellipsis, Arrow, Walrus, Exclaim, At,
  Assign, Plus, Minus, Star, Slash, DoubleSlash, Percent, DoubleStar,
  ShiftLeft, ShiftRight, Ampersand, Caret, Pipe, Tilde,
  Less, LessEqual, Greater, GreaterEqual, EqualEqual, NotEqual,
  PlusAssign, MinusAssign, StarAssign, AtAssign, SlashAssign, DoubleSlashAssign, PercentAssign,
  DoubleStarAssign, ShiftLeftAssign, ShiftRightAssign, AmpersandAssign, CaretAssign, PipeAssign,
  // Keywords, in the order of the table in Token.cpp.
  KwFalse, KwNone, KwTrue, KwAnd, KwAs, KwAssert, KwAsync, KwAwait, KwBreak, KwClass, KwContinue,
  KwDef, KwDel, KwElif, KwElse, KwExcept, KwFinally, KwFor, KwFrom, KwGlobal, KwIf, KwImport, KwIn,
  KwIs, KwLambda, KwNonlocal, KwNot, KwOr, KwPass, KwRaise, KwReturn, KwTry, KwWhile, KwWith, KwYield,
};

struct Token {
  TokenKind kind;
  SourceRange range;
};

inline bool isKeyword(TokenKind kind) { return kind >= TokenKind::KwFalse; }

/// The keyword spelled `text`, or Name.
TokenKind classifyWord(std::string_view text);

/// "`+=`", "`return`", "end of line", "a name": a kind of token for messages.
std::string_view describe(TokenKind kind);

} // namespace tegula::syntax
