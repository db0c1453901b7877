// Text to tokens: Python's lexical rules, with f-strings taken apart as in Python 3.12.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/syntax/text/Source.h"
#include "compiler/frontend/syntax/parse/Token.h"

#include <string>
#include <string_view>
#include <vector>

namespace tegula::syntax {

/// All tokens of `source`, ending in two EndOfFile tokens (so that a parser may always look one
/// ahead). Each mistake is reported and leaves an Error token in its place. A text that is not UTF-8,
/// holds a null byte, or is larger than SourceFile::maxBytes gives no other tokens.
std::vector<Token> tokenize(const SourceFile &source, DiagnosticEngine &diagnostics);

/// The work of `tokenize`.
class Lexer {
public:
  Lexer(const SourceFile &source, DiagnosticEngine &diagnostics)
      : source(source), diagnostics(diagnostics), text(source.text()) {}
  std::vector<Token> run();

private:
  /// Contexts of the current position, innermost last: an open bracket, the text of an f-string, a
  /// replacement field `{...}` of one, or the format after a field's colon.
  enum class ContextKind : uint8_t { Bracket, FString, Field, Format };
  struct Context {
    ContextKind kind;
    char open;       ///< of a Bracket `([{`; of an FString or Format the quote
    bool triple;     ///< FString, Format
    bool raw;        ///< FString, Format
    uint32_t offset; ///< where it was opened
    uint32_t length; ///< bytes of what opened it
  };
  /// A level of indentation, measured as CPython does: with tabs to the next multiple of 8, and with
  /// tabs as one column. Where the two orders disagree, the tabs are inconsistent.
  struct Indentation {
    uint32_t column = 0, alternative = 0;
  };

  // LexerLayout.cpp: encoding, lines, indentation, brackets.
  bool checkEncoding();
  void startLine();
  void applyIndentation(Indentation indentation, uint32_t begin);
  bool skipBlank();
  void endLine();
  bool mayNest();
  void openBracket(uint32_t length, TokenKind kind);
  void closeBracket(TokenKind kind);
  void closeAtKeyword(SourceRange word, TokenKind kind);
  void abandonContexts();
  void finish();

  // LexerString.cpp: strings and f-strings.
  bool lexString(uint32_t prefixLength);
  void scanString(uint32_t begin, const Context &string);
  void unterminatedString(uint32_t begin, const Context &string);
  void lexFStringText();
  void lexFStringField();
  bool skipEscape(const Context &string);
  bool endsString(const Context &string) const;
  void beginFormat();
  bool closeBrokenField(uint32_t begin, const Context &string);
  void abandonString(size_t depth);

  // Lexer.cpp: words, numbers, operators.
  void lexToken();
  void lexWord();
  void lexNumber();
  bool digits(bool (*isDigit)(char));
  void endNumber(uint32_t begin);
  void lexOperator();
  void invalidCharacter();
  /// Makes the fix for the quotes from `begin` to the end of the line that are none of Python's.
  Fix plainQuotes(uint32_t begin) const;

  char at(uint32_t ahead = 0) const {
    return position + ahead < text.size() ? text[position + ahead] : '\0';
  }
  bool atLineEnd() const {
    return position >= text.size() || text[position] == '\n' || text[position] == '\r';
  }
  void emit(TokenKind kind, uint32_t length) {
    tokens.push_back({kind, {position, position + length}});
    position += length;
  }
  Diagnostic &fail(SourceRange range, std::string message);
  void failUnclosed(const Context &context, SourceRange range, std::string_view found);

  const SourceFile &source;
  DiagnosticEngine &diagnostics;
  std::string_view text;
  std::vector<Token> tokens;
  std::vector<Context> contexts;
  std::vector<Indentation> indents{Indentation{}};
  uint32_t position = 0;
  uint32_t badLineEnd = 0;     ///< end of the last line with an unexpected character
  uint32_t lineIndent = 0;     ///< column of the first word of the logical line
  bool atLineStart = true;     ///< of a logical line
  bool firstOnLine = false;    ///< the next word is the first of a physical line within brackets
  bool abandonAtLine = false;  ///< a broken string left brackets open; see abandonString
};

} // namespace tegula::syntax
