#include "test/compiler/frontend/syntax/Parse.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tegula::test {
namespace {

using namespace ast;

NumberExpr number(const std::string &text) {
  Parsed parsed = parse(text);
  const auto *node = as<NumberExpr>(onlyExpr(parsed));
  EXPECT_NE(node, nullptr) << text << render(parsed.diagnostics);
  NumberExpr copy = node ? *node : NumberExpr{};
  copy.text = {}; // the module goes away
  return copy;
}

TEST(Literal, Integers) {
  EXPECT_EQ(number("0").intValue, 0u);
  EXPECT_EQ(number("00_0").intValue, 0u);
  EXPECT_EQ(number("1_000").intValue, 1000u);
  EXPECT_EQ(number("0xFf").intValue, 255u);
  EXPECT_EQ(number("0X_ff_00").intValue, 0xFF00u);
  EXPECT_EQ(number("0o17").intValue, 15u);
  EXPECT_EQ(number("0b1010").intValue, 10u);
  EXPECT_EQ(number("18446744073709551615").intValue, UINT64_MAX);
  EXPECT_EQ(number("0xFFFFFFFFFFFFFFFF").intValue, UINT64_MAX);
}

TEST(Literal, IntegersBeyond64BitsHaveNoIntValue) {
  NumberExpr big = number("18446744073709551616");
  EXPECT_EQ(big.number, NumberKind::Int);
  EXPECT_FALSE(big.intValue.has_value());
  EXPECT_EQ(big.floatValue, 0x1p64);
  EXPECT_EQ(number("0x1" + std::string(16, '0')).floatValue, 0x1p64);
  EXPECT_EQ(number("1" + std::string(400, '0')).floatValue, HUGE_VAL);
}

TEST(Literal, Floats) {
  for (auto [text, value] : {std::pair("1.", 1.0), {".5", 0.5}, {"1e-5", 1e-5}, {"1_0.2_5E+1_0", 10.25e10},
                             {"012.5", 12.5}, {"012e1", 120.0}, {"1e400", HUGE_VAL}, {"1e-400", 0.0},
                             {"0.0001e400", HUGE_VAL}, {"1e99999999999999999999", HUGE_VAL},
                             {"1e-99999999999999999999", 0.0}, {"0e99999", 0.0}}) {
    NumberExpr node = number(text);
    EXPECT_EQ(node.number, NumberKind::Float) << text;
    EXPECT_EQ(node.floatValue, value) << text;
    EXPECT_FALSE(node.intValue.has_value()) << text;
  }
  EXPECT_EQ(number("0." + std::string(400, '0') + "1").floatValue, 0.0);
}

TEST(Literal, Imaginary) {
  EXPECT_EQ(number("2j").number, NumberKind::Imaginary);
  EXPECT_EQ(number("012J").floatValue, 12.0);
  EXPECT_EQ(number("1.5e1j").floatValue, 15.0);
}

TEST(Literal, AKeywordMayFollowANumberAtOnce) {
  EXPECT_EQ(reprintExpr("1if x else 2"), "1 if x else 2");
  EXPECT_EQ(reprintExpr("0x1for x in y"), "0x1f or x in y");
  EXPECT_EQ(reprintExpr("1.if x else.5"), "1. if x else .5");
}

std::string text(const std::string &source) {
  Parsed parsed = parse(source);
  const auto *node = as<StringExpr>(onlyExpr(parsed));
  return node ? std::string(node->value) : render(parsed.diagnostics);
}

TEST(Literal, StringsAndPrefixes) {
  EXPECT_EQ(text("'a' \"b\" '''c'''"), "abc");
  EXPECT_EQ(text("('a'\n 'b')"), "ab");
  EXPECT_EQ(text("''"), "");
  EXPECT_EQ(text("\"\"\"a\n\"b\" \"\"\""), "a\n\"b\" ");
  EXPECT_EQ(text("'''a\r\nb\rc'''"), "a\nb\nc");
  EXPECT_EQ(text("u'x'"), "x");
  EXPECT_EQ(text("R'\\n\\''"), "\\n\\'");
  EXPECT_EQ(text("bR'\\x'"), "\\x");
  EXPECT_EQ(text("rb'x' b'y'"), "xy");
}

TEST(Literal, Escapes) {
  EXPECT_EQ(text(R"('\a\b\f\n\r\t\v\\\'\"')"), "\a\b\f\n\r\t\v\\'\"");
  EXPECT_EQ(text(R"('\x41\101\u0416\U0001F600')"), "AA\xD0\x96\xF0\x9F\x98\x80");
  // A digit more is a character of its own, and one that is none ends them.
  EXPECT_EQ(text(R"('\x414\u04166')"), "A4\xD0\x96" "6");
  EXPECT_NE(text(R"('\x4g')").find("expected 2 hexadecimal digits after `\\x`, found 1"), std::string::npos);
  EXPECT_NE(text(R"('\x4')").find("expected 2 hexadecimal digits after `\\x`, found 1"), std::string::npos);
  EXPECT_EQ(text(R"('\0')"), std::string(1, '\0'));
  EXPECT_EQ(text(R"(b'\xff\777')"), "\xFF\xFF");
  EXPECT_EQ(text("'a\\\nb'"), "ab");
  EXPECT_EQ(text("'a\\\r\nb'"), "ab");
  EXPECT_EQ(text(R"('\d\ ')"), "\\d\\ ");
  EXPECT_EQ(text(R"(b'\N{x}\u1')"), "\\N{x}\\u1");
  EXPECT_EQ(text(R"('\N{DEGREE SIGN}')"), "\xEF\xBF\xBD");
}

TEST(Literal, FStringParts) {
  Parsed parsed = parse(R"(f"a{x!r:>{w}}{{b" "c{y}" f'{z = :%H:%M}')");
  const auto *node = as<FStringExpr>(onlyExpr(parsed));
  ASSERT_NE(node, nullptr) << render(parsed.diagnostics);
  auto parts = node->parts;
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0].text, "a");
  EXPECT_EQ(formatExpr(parts[1].value), "x");
  EXPECT_EQ(parts[1].conversion, 'r');
  ASSERT_NE(parts[1].format, nullptr);
  ASSERT_EQ(parts[1].format->parts.size(), 2u);
  EXPECT_EQ(parts[1].format->parts[0].text, ">");
  EXPECT_EQ(formatExpr(parts[1].format->parts[1].value), "w");
  EXPECT_EQ(parts[2].text, "{bc{y}");
  EXPECT_EQ(parts[3].text, "z = ");
  EXPECT_EQ(parts[3].format->parts[0].text, "%H:%M");
}

TEST(Literal, FStringsNest) {
  for (std::string source : {R"(f"{a["b"]}")", R"(f"{f"{f"{1}"}"}")", R"(f"{x != y}")",
                             R"(f"{x:{a}{b:{c}}}")", R"(f"{ {1: 2}[1] }")", R"(f"{(lambda: 1)()}")",
                             R"(f"{x!s:>10}")", R"(f"{a, *b}")", R"(f"{(y := 1)}")", R"(f"")", R"(f"{x=!r}")",
                             R"(f"{x==y}")", R"(rf"\d{x}\{y}")", R"(f"\{x}\N{DASH}")", "f\"{\nx\n}\"",
                             "f'''{x:\n}'''", "f\"{x # y\n}\"", R"(f'{x:{"}"}}')", R"(f"{x:=5}")"}) {
    std::string once = reprintExpr(source);
    EXPECT_EQ(once.find("error"), std::string::npos) << source << "\n" << once;
    EXPECT_EQ(reprintExpr(once), once) << source;
  }
}

} // namespace
} // namespace tegula::test
