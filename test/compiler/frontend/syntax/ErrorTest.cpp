// Every message of the lexer and the parser, with its place.
#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

namespace tegula::test {
namespace {

struct Case {
  std::string source;
  uint32_t line, column;
  std::string message;
  std::string note; ///< "line:column: message" of the first note
  std::string help;
};

/// `source` gives exactly this error, with its note and help.
void expectError(const Case &item) {
  SCOPED_TRACE(item.source);
  std::vector<Diagnostic> all = parse(item.source).all();
  ASSERT_EQ(all.size(), 1u) << render(all);
  const Diagnostic &error = all[0];
  EXPECT_EQ(error.severity, Severity::Error);
  EXPECT_EQ(error.message, item.message);
  EXPECT_EQ(std::pair(error.line, error.column), std::pair(item.line, item.column));
  std::string note;
  if (!error.notes.empty())
    note = std::to_string(error.notes[0].line) + ":" + std::to_string(error.notes[0].column) + ": " +
           error.notes[0].message;
  EXPECT_EQ(note, item.note);
  EXPECT_EQ(error.help.value_or(""), item.help);
}

TEST(Error, Encoding) {
  expectError(
      {"x = 1\ny = \xFF", 2, 5, "invalid UTF-8: byte 0xff at offset 10", "", "save the file as UTF-8"});
  expectError({"x = '\xC3'", 1, 6, "invalid UTF-8: byte 0xc3 at offset 5", "", "save the file as UTF-8"});
  expectError({std::string("x = 1\0", 6), 1, 6, "null byte at offset 5", "", ""});
}

TEST(Error, Characters) {
  expectError({"x = $", 1, 5, "unexpected character `$` (U+0024)", "", ""});
  expectError({"x = a ? b", 1, 7, "unexpected character `?` (U+003F)", "", ""});
  expectError({"x = !a", 1, 5, "unexpected character `!` (U+0021)", "", ""});
  expectError({"x = \x07", 1, 5, "unexpected character U+0007", "", ""});
  expectError({"x = “a”", 1, 5, "unexpected character `“` (U+201C)", "", "write strings with plain quotes"});
  expectError({"x\xC2\xA0= 1", 1, 2, "unexpected character U+00A0", "", "replace it with a plain blank"});
  expectError({"变量 = 1 × 2", 1, 8, "unexpected character `×` (U+00D7)", "", ""});
  expectError({"x = 1 \\ + 2", 1, 7, "expected end of line after the continuation mark `\\`", "", ""});
  expectError(
      {"x = 1 \\", 1, 7, "expected a line after the continuation mark `\\`, found end of file", "", ""});
}

TEST(Error, Numbers) {
  expectError({"x = 0x", 1, 5, "invalid hexadecimal number `0x`", "", ""});
  expectError({"x = 0o8", 1, 5, "invalid octal number `0o8`", "", ""});
  expectError({"x = 0b12", 1, 5, "invalid binary number `0b12`", "", ""});
  expectError({"x = 0x1_", 1, 5, "invalid hexadecimal number `0x1_`", "", ""});
  expectError({"x = 1__0", 1, 5, "invalid number `1__0`", "", ""});
  expectError({"x = 1.5_", 1, 5, "invalid number `1.5_`", "", ""});
  expectError({"x = 1abc", 1, 5, "invalid number `1abc`", "", ""});
  expectError({"x = 1e", 1, 5, "invalid number `1e`", "", ""});
  expectError({"x = 1.real", 1, 5, "invalid number `1.real`", "", ""});
  expectError(
      {"x = 0123", 1, 5, "integer `0123` has leading zeros", "", "write `0o` in front of an octal number"});
}

TEST(Error, Strings) {
  expectError({"x = 'abc\ny = 1", 1, 5, "unterminated string: expected `'`, found end of line", "", ""});
  expectError({"x = 'abc", 1, 5, "unterminated string: expected `'`, found end of file", "", ""});
  expectError(
      {"x = \"\"\"abc\ny", 1, 5, "unterminated string: expected `\"\"\"`, found end of file", "", ""});
  expectError({"x = f'abc", 1, 5, "unterminated string: expected `'`, found end of file", "", ""});
  expectError({"x = f'''{a}", 1, 5, "unterminated string: expected `'''`, found end of file", "", ""});
  expectError({R"(x = '\x4')", 1, 6, "expected 2 hexadecimal digits after `\\x`, found 1", "", ""});
  expectError({R"(x = '\u12')", 1, 6, "expected 4 hexadecimal digits after `\\u`, found 2", "", ""});
  expectError({R"(x = 'a\U00110000')", 1, 7, "character U+110000 is beyond U+10FFFF", "", ""});
  expectError({R"(x = '\N')", 1, 6, "expected a character name in braces after `\\N`", "", ""});
  expectError({R"(x = '\N{}')", 1, 6, "expected a character name in braces after `\\N`", "", ""});
  expectError({"x = b'é'", 1, 7, "bytes hold ASCII characters only", "", ""});
  expectError({"x = 'a' b'b'", 1, 9, "bytes and text literals cannot be joined", "", ""});
}

TEST(Error, FStrings) {
  expectError({"x = f'{a'", 1, 9, "expected `}`, found `'`", "1:7: to match this `{`", ""});
  expectError({"x = f'{a:b'", 1, 11, "expected `}`, found `'`", "1:7: to match this `{`", ""});
  expectError({"x = f'}'", 1, 7, "unmatched `}` in an f-string", "", "write `}}` for a brace in the text"});
  expectError({"x = f'{}'", 1, 8, "expected an expression, found `}`", "", ""});
  expectError({"x = f'{a!x}'", 1, 10, "expected conversion `r`, `s` or `a`, found `x`", "", ""});
  expectError({"x = f'{a b}'", 1, 10, "expected `}`, found `b`", "", ""});
  expectError({"x = f'{*a}'", 1, 8, "starred expression outside a list, tuple or call", "", ""});
  expectError({"x = f'{lambda y: 1}'", 1, 17, "expected an expression, found text", "", ""});
}

TEST(Error, Layout) {
  expectError({"if x:\ny = 1", 2, 1, "expected an indented block after `if` on line 1", "", ""});
  expectError({"while x:\n", 1, 9, "expected an indented block after `while` on line 1", "", ""});
  expectError({"@jit\ndef f():\n# only a comment\nx = 1", 4, 1,
               "expected an indented block after `def` on line 2", "", ""});
  expectError({"if x:\n  if y:\n  z", 3, 3, "expected an indented block after `if` on line 2", "", ""});
  expectError({"x = 1\n  y = 2\nz = 3", 2, 3, "unexpected indentation", "", ""});
  expectError({"if x:\n        y\n    z", 3, 1,
               "expected the indentation of an enclosing block, found 4 columns", "",
               "the nearest enclosing block is indented by 0"});
  expectError({"if x:\n\ty\n        z", 3, 1,
               "tabs and spaces are mixed so that the indentation depends on the width of a tab", "",
               "indent with spaces only"});
  expectError({"if x:\n        if y:\n\t\tz", 3, 1,
               "tabs and spaces are mixed so that the indentation depends on the width of a tab", "",
               "indent with spaces only"});
}

TEST(Error, Brackets) {
  expectError({"x = (1,\n     2", 2, 7, "expected `)`, found end of file", "1:5: to match this `(`", ""});
  expectError({"x = [1, (2]", 1, 11, "expected `)`, found `]`", "1:9: to match this `(`", ""});
  expectError({"x = (1]", 1, 7, "expected `)`, found `]`", "1:5: to match this `(`", ""});
  expectError({"x = 1)", 1, 6, "unmatched `)`", "", ""});
  expectError({"x = {1\nwhile y: pass", 2, 1, "expected `}`, found `while`", "1:5: to match this `{`", ""});
}

TEST(Error, Expressions) {
  expectError({"x = ", 1, 4, "expected an expression, found end of line", "", ""});
  expectError({"x = 1 + ", 1, 8, "expected an expression, found end of line", "", ""});
  expectError({"x = a b", 1, 7, "expected end of line, found `b`", "", ""});
  expectError({"x = a +* b", 1, 8, "expected an expression, found `*`", "", ""});
  expectError({"x = a if b", 1, 11, "expected `else`, found end of line", "", ""});
  expectError({"x = a.1", 1, 6, "expected end of line, found `.1`", "", ""});
  expectError({"x = a.if", 1, 7, "expected a name after `.`, found keyword `if`", "", ""});
  expectError({"x = a[]", 1, 7, "expected an index, found `]`", "", ""});
  expectError({"x = f(a b)", 1, 9, "expected `)`, found `b`", "", ""});
  expectError({"x = f(a.b=1)", 1, 10, "expected `,` or `)`, found `=`", "",
               "the name of a keyword argument is a plain name"});
  expectError({"f(a=1, b)", 1, 8, "positional argument after a keyword argument", "", ""});
  expectError({"f(**a, *b)", 1, 9, "`*` argument after a `**` argument", "", ""});
  expectError({"f(a=1, b=2, a=3)", 1, 13, "keyword argument `a` is repeated", "1:3: first given here", ""});
  expectError({"f(a, x for x in y)", 1, 6,
               "expected parentheses around a generator that is not the only argument", "", ""});
  expectError({"x = (*a)", 1, 6, "starred expression outside a list, tuple or call", "", ""});
  expectError({"x = *a", 1, 5, "starred expression outside a list, tuple or call", "", ""});
  expectError({"*a", 1, 1, "starred expression outside a list, tuple or call", "", ""});
  expectError({"x = [*a for a in b]", 1, 6, "starred expression in a comprehension", "", ""});
  expectError({"x = [a for 1 in b]", 1, 12, "cannot assign to a literal", "", ""});
  expectError({"(a.b := 1)", 1, 6, "expected a name before `:=`, found `:=`", "", ""});
  expectError({"x = {1: 2, 3}", 1, 13, "expected `:`, found `}`", "", ""});
  expectError({"yield x", 1, 1, "`yield` outside a function", "", ""});
}

TEST(Error, KeywordsAreNoNames) {
  expectError({"class = 3", 1, 7, "expected a class name, found `=`", "", ""});
  expectError({"lambda = 3", 1, 8, "expected a parameter name, found `=`", "", ""});
  expectError({"is = 3", 1, 1, "expected an expression, found keyword `is`", "",
               "`is` is a keyword and cannot be a name"});
  expectError({"x = in.y", 1, 5, "expected an expression, found keyword `in`", "",
               "`in` is a keyword and cannot be a name"});
  expectError({"@jit\ndef f(from): pass", 2, 7, "expected a parameter name, found keyword `from`", "", ""});
  expectError({"def if(): pass", 1, 5, "expected a function name, found keyword `if`", "", ""});
  expectError({"import a as is", 1, 13, "expected a name after `as`, found keyword `is`", "", ""});
  expectError({"None = 1", 1, 1, "cannot assign to `None`", "", ""});
}

TEST(Error, Targets) {
  for (auto [target, noun] : {std::pair("f()", "a function call"),
                              {"a + b", "an operation"},
                              {"-a", "an operation"},
                              {"a and b", "an operation"},
                              {"a < b", "a comparison"},
                              {"1", "a literal"},
                              {"'a'", "a literal"},
                              {"f'{a}'", "an f-string"},
                              {"True", "`True`"},
                              {"False", "`False`"},
                              {"...", "`...`"},
                              {"{}", "a dictionary"},
                              {"{a}", "a set"},
                              {"[a for a in b]", "a comprehension"},
                              {"a if b else c", "a conditional expression"},
                              {"lambda: 0", "a lambda"},
                              {"(a := 1)", "a named expression"},
                              {"*a", "a starred expression"},
                              {"await a", "an `await` expression"}}) {
    std::string source = std::string(target) + " = 1";
    uint32_t column = source[0] == '(' ? 2 : 1;
    expectError({source, 1, column, std::string("cannot assign to ") + noun, "", ""});
  }
  expectError({"@jit\ndef f():\n    yield = 1", 3, 5, "cannot assign to a `yield` expression", "", ""});
  expectError({"@jit\ndef f():\n    (yield) = 1", 3, 6, "cannot assign to a `yield` expression", "", ""});
  expectError({"a, f() = 1", 1, 4, "cannot assign to a function call", "", ""});
  expectError({"*a, *b = c", 1, 5, "expected at most one starred target, found another", "", ""});
  expectError({"for f() in x: pass", 1, 5, "cannot assign to a function call", "", ""});
  expectError({"with a as 1: pass", 1, 11, "cannot assign to a literal", "", ""});
  expectError({"del f()", 1, 5, "cannot delete a function call", "", ""});
  expectError({"del *a", 1, 5, "cannot delete a starred expression", "", ""});
  expectError({"(a, b) += 1", 1, 1, "cannot use `+=` on a tuple", "", ""});
  expectError({"[a] //= 1", 1, 1, "cannot use `//=` on a list", "", ""});
  expectError({"f(): int", 1, 1, "cannot annotate a function call", "", ""});
}

TEST(Error, SimpleStatements) {
  expectError({"return 1", 1, 1, "`return` outside a function", "", ""});
  expectError({"class A:\n    return 1", 2, 5, "`return` outside a function", "", ""});
  expectError({"break", 1, 1, "`break` outside a loop", "", ""});
  expectError({"if x:\n    continue", 2, 5, "`continue` outside a loop", "", ""});
  expectError({"for x in y:\n    pass\nelse:\n    break", 4, 5, "`break` outside a loop", "", ""});
  expectError({"while x:\n    @jit\n    def f(): break", 3, 14, "`break` outside a loop", "", ""});
  expectError({"print x", 1, 7, "expected end of line, found `x`", "", "call it: `print(...)`"});
  expectError({"import", 1, 7, "expected a module name, found end of line", "", ""});
  expectError({"import a.", 1, 10, "expected a name after `.`, found end of line", "", ""});
  expectError({"from a", 1, 7, "expected `import`, found end of line", "", ""});
  expectError({"from a import b,", 1, 17, "expected a name to import, found end of line", "", ""});
  expectError({"from a import (b c)", 1, 18, "expected `)`, found `c`", "", ""});
  expectError({"global 1", 1, 8, "expected a name, found `1`", "", ""});
  expectError({"x := 1", 1, 3, "expected end of line, found `:=`", "", ""});
  expectError({"type X[T] 1", 1, 11, "expected `=`, found `1`", "", ""});
  expectError({"type X[1] = 1", 1, 8, "expected a type parameter, found `1`", "", ""});
}

TEST(Error, CompoundStatements) {
  expectError({"if x = 1: pass", 1, 6, "expected `:`, found `=`", "", "write `==` to compare"});
  expectError({"if x\n    pass", 1, 5, "expected `:`, found end of line", "", ""});
  expectError({"else:\n    pass", 1, 1, "expected a statement, found keyword `else`", "", ""});
  expectError({"for x y: pass", 1, 7, "expected `in`, found `y`", "", ""});
  expectError({"try:\n    x\ny", 1, 1, "expected `except` or `finally` after the block of `try`", "", ""});
  expectError({"try:\n    x\nexcept:\n    y\nexcept A:\n    z", 5, 1,
               "handler after `except:`, which catches everything", "", ""});
  expectError({"try:\n    x\nexcept A:\n    y\nexcept* B:\n    z", 5, 1,
               "`except` and `except*` cannot be mixed", "", ""});
  expectError({"try:\n    x\nexcept A as 1:\n    y", 3, 13, "expected a name after `as`, found `1`", "", ""});
  expectError({"with a as b c: pass", 1, 13, "expected `:`, found `c`", "", ""});
  expectError({"async x", 1, 7, "expected `def`, `for` or `with` after `async`, found `x`", "", ""});
  expectError({"@a\nx = 1", 2, 1, "expected `def` or `class` after a decorator, found `x`", "", ""});
  expectError({"@a b\ndef f(): pass", 1, 4, "expected end of line, found `b`", "", ""});
}

TEST(Error, Definitions) {
  expectError(
      {"@jit\ndef f(a, b, a): pass", 2, 13, "duplicate parameter `a`", "2:7: first declared here", ""});
  expectError({"@jit\ndef f(a=1, b): pass", 2, 12, "parameter `b` without a default after `a`, which has one",
               "", ""});
  expectError(
      {"@jit\ndef f(*a=1): pass", 2, 8, "parameter `a` gathers arguments and cannot have a default", "", ""});
  expectError({"@jit\ndef f(*): pass", 2, 7, "expected a parameter name after `*`", "", ""});
  expectError({"@jit\ndef f(*, **k): pass", 2, 7, "expected a parameter name after `*`", "", ""});
  expectError({"@jit\ndef f(*a, *b): pass", 2, 11, "second `*` among the parameters", "", ""});
  expectError({"@jit\ndef f(/, a): pass", 2, 7, "expected a parameter before `/`", "", ""});
  expectError(
      {"@jit\ndef f(a, /, b, /): pass", 2, 16, "`/` after `*` or another `/` among the parameters", "", ""});
  expectError(
      {"@jit\ndef f(**k, a): pass", 2, 12, "expected `)` after the `**` parameter, found `a`", "", ""});
  expectError({"x = lambda **k, a: 1", 1, 17, "expected `:` after the `**` parameter, found `a`", "", ""});
  expectError({"x = lambda a, a: 1", 1, 15, "duplicate parameter `a`", "1:12: first declared here", ""});
  expectError({"@jit\ndef f: pass", 2, 6, "expected `(`, found `:`", "", ""});
  expectError({"@jit\ndef f(1): pass", 2, 7, "expected a parameter name, found `1`", "", ""});
  expectError({"@jit\ndef f(a) pass", 2, 10, "expected `:`, found keyword `pass`", "", ""});
}

TEST(Error, Patterns) {
  auto match = [](const std::string &pattern) { return "match x:\n case " + pattern + ": pass"; };
  expectError({match("+1"), 2, 7, "expected a pattern, found `+`", "", ""});
  expectError({match("-x"), 2, 8, "expected a number, found `x`", "", ""});
  expectError({match("1 as _"), 2, 12, "cannot bind `_` in a pattern", "", ""});
  expectError({match("1 as 2"), 2, 12, "expected a name after `as`, found `2`", "", ""});
  expectError({match("[*1]"), 2, 9, "expected a name after `*`, found `1`", "", ""});
  expectError({match("{**1}"), 2, 10, "expected a name after `**`, found `1`", "", ""});
  expectError(
      {match("{a: 1}"), 2, 8, "expected a literal or a dotted name as the key of a mapping pattern", "", ""});
  expectError({match("A(b=1, c)"), 2, 14, "positional pattern after a keyword pattern", "", ""});
  expectError({"match x:\n case 1: pass\n y", 3, 2, "expected `case`, found `y`", "", ""});
}

} // namespace
} // namespace tegula::test
