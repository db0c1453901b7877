// Uses of values outside of the region that defines them, as text.
#include "compiler/driver/TextScopes.h"

#include <gtest/gtest.h>

using namespace tegula;

/// The text from the place that is found on, up to the next space; empty where there is none.
static std::string found(llvm::StringRef text) {
  std::optional<size_t> at = findUseOutsideRegion(text);
  return at ? text.substr(*at).take_until([](char c) { return c == ' ' || c == '\n'; }).str() : "";
}

TEST(TextScopes, AUseBeforeTheRegionThatDefinesTheValue) {
  EXPECT_EQ(found("op %a\nloop {\n  %a = x\n}"), "%a");
  EXPECT_EQ(found("f {\n op %b, %a : i32\n loop {\n  if {\n %a:2 = x\n }\n }\n}"), "%a");
  EXPECT_EQ(found("f {\n op %a\n r {\n ^bb0(%b: f32, %a : f32):\n y\n }\n}"), "%a");
  EXPECT_EQ(found("f {\n op %a\n r {\n %b, %a = x\n }\n}"), "%a");
  EXPECT_EQ(found("f {\n op %a\n }\n g {\n %a = x\n}"), "%a");
}

TEST(TextScopes, TheFirstOfSeveralResults) {
  EXPECT_EQ(found("f {\n op %a\n r {\n %a, %b = x\n }\n}"), "%a");
  EXPECT_EQ(found("f {\n op %b\n r {\n %a, %b:2, %c = x\n }\n}"), "%b");
}

TEST(TextScopes, AListOfOperandsIsNone) { EXPECT_EQ(found("f {\n op %a, 1\n r {\n %a = x\n }\n}"), "%a,"); }

TEST(TextScopes, ArgumentsEndWithTheirList) {
  // The use has a colon behind it, as an argument has in its list.
  EXPECT_EQ(found("func @f(%x: i32) {\n op %a : i32\n r {\n %a = x\n }\n}"), "%a");
  EXPECT_EQ(found("))) {\n op %a : i32\n r {\n %a = x\n }\n}"), "%a");
}

TEST(TextScopes, WhatTheParserResolvesIsLeftToIt) {
  EXPECT_EQ(found(""), "");
  EXPECT_EQ(found("%"), "");
  EXPECT_EQ(found("}}}} { \"open"), "");
  EXPECT_EQ(found("f {\n %a = x\n loop {\n op %a\n }\n}"), "");
  // Forward in the same region, and defined again further in.
  EXPECT_EQ(found("f {\n ^bb1:\n op %a\n ^bb2:\n %a = x\n}"), "");
  EXPECT_EQ(found("f {\n %a = x\n op %a\n r {\n %a = y\n }\n}"), "");
  EXPECT_EQ(found("for %i = %lo to %hi {\n op %i\n}\nfor %i = %lo to %hi {\n op %i\n}"), "");
  // Attributes, strings and comments.
  EXPECT_EQ(found("f(%a: i32 {x = 1}) {\n op %a \"{ %b\" // } %c\n r {\n %b = x\n %c = y\n }\n}"), "");
}
