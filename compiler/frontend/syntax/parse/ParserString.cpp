// String literals: adjacent ones become one, f-strings become parts.
#include "compiler/frontend/syntax/parse/ParserImpl.h"

#include <fmt/format.h>

namespace tegula::syntax {
namespace {

/// A string token taken apart.
struct Literal {
  TextForm form;
  SourceRange body; ///< what stands between the quotes
};

TextForm formOf(std::string_view token) {
  TextForm form;
  for (char c : token.substr(0, token.find_first_of("'\""))) {
    form.raw |= (c | 0x20) == 'r';
    form.bytes |= (c | 0x20) == 'b';
  }
  return form;
}

Literal takeApart(std::string_view token, uint32_t begin) {
  size_t quoteAt = token.find_first_of("'\"");
  std::string_view quoted = token.substr(quoteAt);
  bool triple = quoted.size() >= 6 && quoted[1] == quoted[0] && quoted[2] == quoted[0];
  uint32_t quotes = triple ? 3 : 1;
  uint32_t first = begin + uint32_t(quoteAt) + quotes;
  return {formOf(token), {first, begin + uint32_t(token.size()) - quotes}};
}

} // namespace

/// State of reading a run of adjacent literals. Text gathers in `text` until a field cuts it off.
struct Parser::TextBuilder {
  std::string text;
  std::string_view whole; ///< the text when it is one literal that stands for itself
  std::vector<FStringPart> parts;
  uint32_t literals = 0;
  bool isFormat = false;
  bool isBytes = false;
};

void Parser::appendText(std::string &out, SourceRange body, TextForm form) {
  std::optional<TextError> error = decodeText(source.slice(body), form, out);
  if (error)
    report({body.begin + error->offset, body.begin + error->offset + error->length}, error->message);
}

const Expr *Parser::parseStrings() {
  uint32_t begin = here().begin;
  TextBuilder builder;
  while (at(TokenKind::String) || at(TokenKind::FStringBegin)) {
    bool isBytes = formOf(spelled()).bytes;
    if (builder.literals++ == 0)
      builder.isBytes = isBytes;
    else if (builder.isBytes != isBytes)
      report(here(), "bytes and text literals cannot be joined");
    at(TokenKind::String) ? parseString(builder) : parseFString(builder);
  }
  return finishStrings(builder, begin);
}

void Parser::parseString(TextBuilder &builder) {
  Literal literal = takeApart(spelled(), here().begin);
  take();
  std::string_view body = source.slice(literal.body);
  bool alone = builder.literals == 1 && !at(TokenKind::String) && !at(TokenKind::FStringBegin);
  if (alone && isPlainText(body, literal.form))
    builder.whole = body;
  else
    appendText(builder.text, literal.body, literal.form);
}

void Parser::parseFString(TextBuilder &builder) {
  TextForm form = formOf(spelled());
  form.doubledBraces = true;
  take();
  parseFStringParts(builder, form, TokenKind::FStringEnd, "end of string");
  if (!panicking)
    expect(TokenKind::FStringEnd);
}

/// Text and fields up to `close`, which is left: those of an f-string, and those of the format of a field.
void Parser::parseFStringParts(TextBuilder &builder, TextForm form, TokenKind close, const char *closeName) {
  Nesting guard(*this);
  builder.isFormat = true;
  while (!panicking && !at(close)) {
    if (at(TokenKind::FStringMiddle)) {
      appendText(builder.text, here(), form);
      take();
    } else if (at(TokenKind::LeftBrace)) {
      if (!builder.text.empty())
        builder.parts.push_back({arena.copy(std::string_view(builder.text)), nullptr, 0, nullptr});
      builder.text.clear();
      builder.parts.push_back(parseField(form));
    } else {
      unexpected(closeName);
    }
  }
}

/// `{value}`, `{value=}`, `{value!r:format}`.
FStringPart Parser::parseField(TextForm form) {
  expect(TokenKind::LeftBrace);
  FStringPart part{{}, nullptr, 0, nullptr};
  uint32_t begin = lastEnd;
  part.value = parseValue();
  if (accept(TokenKind::Walrus))
    unexpected("`}`");
  if (accept(TokenKind::Assign))
    part.text = source.slice({begin, here().begin}); // blanks included, as Python prints it
  if (accept(TokenKind::Exclaim)) {
    if (atWord("r") || atWord("s") || atWord("a"))
      part.conversion = spelled()[0];
    else
      unexpected("conversion `r`, `s` or `a`");
    take();
  }
  if (at(TokenKind::Colon)) {
    uint32_t formatBegin = here().end;
    take();
    TextBuilder builder;
    form.doubledBraces = false;
    parseFStringParts(builder, form, TokenKind::RightBrace, "`}`");
    part.format = static_cast<const FStringExpr *>(finishStrings(builder, formatBegin));
  }
  expect(TokenKind::RightBrace);
  return part;
}

const Expr *Parser::finishStrings(TextBuilder &builder, uint32_t begin) {
  std::string_view text = builder.whole.empty() ? arena.copy(std::string_view(builder.text)) : builder.whole;
  if (!builder.isFormat)
    return make<StringExpr>(begin, builder.isBytes, text);
  if (!text.empty())
    builder.parts.push_back({text, nullptr, 0, nullptr});
  return make<FStringExpr>(begin, arena.copy(builder.parts));
}

} // namespace tegula::syntax
