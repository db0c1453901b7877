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

TEST(EvalText, LongListsAreTextsAsAWhole) {
  EXPECT_EQ(
      shown(
          "len(str([1, 2] * 3000)), len(f'{[1, 2] * 3000}'), len(str(['ab'] * 3000)), str([1] * 3000)[-3:]"),
      "18000 18000 18000  1]\n");
  EXPECT_EQ(bodyErrors("x = str([2 ** 100] * 60000)"),
            "1:5-28: expected a string of at most 1048576 bytes\n");
}

TEST(EvalText, OldFormats) {
  EXPECT_EQ(shown("'%d %s' % (3, 'a'), '%s' % [1, 2], '%r' % 'a', '100%%' % (), '%5s|%-5s|' % ('a', 'b')"),
            "3 a [1, 2] 'a' 100%     a|b    |\n");
  EXPECT_EQ(shown("'%05d %+d % d %x %#X' % (42, 7, 7, 255, 255), '%d %i' % (2.7, True), '%.2s' % 'abc'"),
            "00042 +7  7 ff 0XFF 2 1 ab\n");
  EXPECT_EQ(shown("'%.3f %8.2e %g' % (0.5, 12345.0, 3), '%-6d|' % 5"), "0.500 1.23e+04 3 5     |\n");
  EXPECT_EQ(bodyErrors("x = '%d' % 'a'"), "1:5-15: `%`: expected a format for str, found `%d`\n");
  EXPECT_EQ(bodyErrors("x = '%d %d' % 1"), "1:5-16: `%`: there is no value for `%d`\n");
  EXPECT_EQ(bodyErrors("x = '%d' % (1, 2)"), "1:5-18: `%`: there are 1 formats for 2 values\n");
  EXPECT_EQ(bodyErrors("x = '%q' % 1"), "1:5-13: `%`: expected a format for int, found `%q`\n");
  EXPECT_EQ(bodyErrors("x = '%' % 1"), "1:5-12: `%`: expected a format for int, found `%`\n");
  EXPECT_EQ(bodyErrors("x = '%d' % tl.program_id(0)"),
            "1:5-28: `%`: expected values known at compile time, found int32\n");
}

TEST(EvalText, WrongNumbersAndOrders) {
  EXPECT_EQ(bodyErrors("x = round(1.5, -1)"), "1:16-18: `round`: expected 0 to 300 decimals, found -1\n");
  EXPECT_EQ(bodyErrors("x = round('a')"),
            "1:11-14: `round`: expected a number known at compile time, found str\n");
  EXPECT_EQ(bodyErrors("x = round(float('inf'))"), "1:11-23: `round`: expected a finite number, found inf\n");
  EXPECT_EQ(bodyErrors("x = divmod(1, 0)"), "1:5-17: division by zero\n");
  EXPECT_EQ(bodyErrors("x = [1].index(2)"), "1:15-16: `index`: expected a value of the list, found 2\n");
  EXPECT_EQ(bodyErrors("x = [tl.program_id(0)].count(2)"),
            "1:5-32: `count`: expected values known at compile time, found list\n");
  EXPECT_EQ(bodyErrors("x = sorted([1, 'a'])"),
            "1:5-21: `<`: expected operands of fitting types, found str and int\n");
  EXPECT_EQ(bodyErrors("x = sorted([tl.program_id(0), 1])"),
            "1:5-34: `sorted`: expected values known at compile time, found int32\n");
}
