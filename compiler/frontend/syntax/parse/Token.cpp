#include "compiler/frontend/syntax/parse/Token.h"

#include <iterator>

namespace tegula::syntax {
namespace {

constexpr std::string_view descriptions[] = {
    "end of file", "end of line", "indentation", "end of block", "invalid text", "a name", "a number",
    "a string", "a string", "text", "end of string",
    "`(`", "`)`", "`[`", "`]`", "`{`", "`}`",
    "`,`", "`:`", "`;`", "`.`", "`...`", "`->`", "`:=`", "`!`", "`@`",
    "`=`", "`+`", "`-`", "`*`", "`/`", "`//`", "`%`", "`**`",
    "`<<`", "`>>`", "`&`", "`^`", "`|`", "`~`",
    "`<`", "`<=`", "`>`", "`>=`", "`==`", "`!=`",
    "`+=`", "`-=`", "`*=`", "`@=`", "`/=`", "`//=`", "`%=`",
    "`**=`", "`<<=`", "`>>=`", "`&=`", "`^=`", "`|=`",
    "`False`", "`None`", "`True`", "`and`", "`as`", "`assert`", "`async`", "`await`", "`break`", "`class`",
    "`continue`", "`def`", "`del`", "`elif`", "`else`", "`except`", "`finally`", "`for`", "`from`",
    "`global`", "`if`", "`import`", "`in`", "`is`", "`lambda`", "`nonlocal`", "`not`", "`or`", "`pass`",
    "`raise`", "`return`", "`try`", "`while`", "`with`", "`yield`"};
static_assert(std::size(descriptions) == size_t(TokenKind::KwYield) + 1);

} // namespace

std::string_view describe(TokenKind kind) { return descriptions[size_t(kind)]; }

TokenKind classifyWord(std::string_view text) {
  if (text.size() < 2 || text.size() > 8)
    return TokenKind::Name;
  for (size_t i = size_t(TokenKind::KwFalse); i <= size_t(TokenKind::KwYield); ++i) {
    std::string_view quoted = descriptions[i];
    if (quoted.size() == text.size() + 2 && quoted[1] == text[0] && quoted.substr(1, text.size()) == text)
      return TokenKind(i);
  }
  return TokenKind::Name;
}

} // namespace tegula::syntax
