// Methods of strings, which what is computed at compile time puts together.
#include "test/compiler/frontend/Harness.h"

using namespace tegula;
using namespace tegula::test;

namespace {

std::string shown(const std::string &expression) {
  return bodyMessages("tl.static_print(" + expression + ")");
}

} // namespace

TEST(EvalText, PartsAndCases) {
  EXPECT_EQ(shown("' a b '.strip(), 'xxaxx'.strip('x'), 'xxa'.lstrip('x'), 'axx'.rstrip('x')"), "a b a a a\n");
  EXPECT_EQ(shown("'pre_x'.removeprefix('pre_'), 'x.py'.removesuffix('.py'), 'x'.removeprefix('y')"), "x x x\n");
  EXPECT_EQ(shown("'a,b,,c'.split(','), ' a  b '.split(), '-'.join(['a', 'b'])"),
            "['a', 'b', '', 'c'] ['a', 'b'] a-b\n");
  EXPECT_EQ(shown("'abcabc'.replace('bc', 'x'), 'abc'.find('c'), 'abc'.find('d'), 'abab'.count('ab')"),
            "axax 2 -1 2\n");
  EXPECT_EQ(shown("'12'.isdigit(), '1a'.isdigit(), 'ab'.isalpha(), ''.isalpha()"), "True False True False\n");
}

TEST(EvalText, FormatPutsValuesIn) {
  EXPECT_EQ(shown("'{} {}'.format(1, 'a'), '{1}{0}'.format(1, 2), '{x:04d}|{y:.2f}'.format(x=7, y=0.5)"),
            "1 a 21 0007|0.50\n");
  EXPECT_EQ(shown("'{{{}}}'.format(3), '{!r}'.format('a'), '{0.name}'.format(tl.float32)"), "{3} 'a' fp32\n");
  EXPECT_EQ(bodyErrors("x = '{} {}'.format(1)"), "1:5-22: `format`: there is no argument for `{}`\n");
  EXPECT_EQ(bodyErrors("x = '{a}'.format(b=1)"), "1:5-22: `format`: there is no argument for `{a}`\n");
  EXPECT_EQ(bodyErrors("x = '{'.format(1)"), "1:5-18: `format`: expected `}` at the end of a field of a format\n");
  EXPECT_EQ(bodyErrors("x = '}'.format(1)"), "1:5-18: `format`: expected `}}` for a brace in a format\n");
  EXPECT_EQ(bodyErrors("x = '{:q}'.format(1)"), "1:5-21: `format`: expected a format for int, found `q`\n");
  EXPECT_EQ(bodyErrors("x = '{}'.format(tl.program_id(0))"),
            "1:5-34: `format`: expected values known at compile time, found int32\n");
}

TEST(EvalText, WrongArguments) {
  EXPECT_EQ(bodyErrors("x = ','.join([1])"), "1:14-17: `join`: expected strings to join, found int\n");
  EXPECT_EQ(bodyErrors("x = 'a'.split('')"), "1:15-17: `split`: expected a text that is not empty\n");
  EXPECT_EQ(bodyErrors("x = 'a'.replace('', 'b')"), "1:17-19: `replace`: expected a text that is not empty\n");
}
