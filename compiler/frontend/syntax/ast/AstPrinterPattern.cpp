// Patterns of `match` as Python source.
#include "compiler/frontend/syntax/ast/AstPrinter.h"

#include <fmt/format.h>

namespace tegula::ast {
namespace {

std::string orUnderscore(std::string_view name) { return std::string(name.empty() ? "_" : name); }

std::string formatSequence(std::span<const Pattern *const> children) {
  std::string text;
  for (const Pattern *child : children)
    text += (text.empty() ? "" : ", ") + formatPattern(child);
  return text;
}

std::string formatMapping(const Pattern *pattern) {
  std::string text;
  for (size_t i = 0; i < pattern->keys.size(); ++i)
    text += fmt::format("{}{}: {}", i ? ", " : "", formatExpr(pattern->keys[i]),
                        formatPattern(pattern->children[i]));
  if (!pattern->name.empty())
    text += fmt::format("{}**{}", text.empty() ? "" : ", ", pattern->name);
  return "{" + text + "}";
}

std::string formatClass(const Pattern *pattern) {
  std::string text;
  size_t positional = pattern->children.size() - std::min(pattern->keywords.size(), pattern->children.size());
  for (size_t i = 0; i < pattern->children.size(); ++i) {
    text += i ? ", " : "";
    if (i >= positional)
      text += fmt::format("{}=", pattern->keywords[i - positional]);
    text += formatPattern(pattern->children[i]);
  }
  return fmt::format("{}({})", formatExpr(pattern->value), text);
}

/// An alternative of `|`, or what stands before `as`: looser patterns get parentheses.
std::string formatOperand(const Pattern *pattern) {
  bool loose = pattern->kind == PatternKind::Or || pattern->kind == PatternKind::As;
  return loose ? "(" + formatPattern(pattern) + ")" : formatPattern(pattern);
}

} // namespace

std::string formatPattern(const Pattern *pattern) {
  switch (pattern->kind) {
  case PatternKind::Value: return formatExpr(pattern->value);
  case PatternKind::Capture: return orUnderscore(pattern->name);
  case PatternKind::Star: return "*" + orUnderscore(pattern->name);
  case PatternKind::Sequence: return "[" + formatSequence(pattern->children) + "]";
  case PatternKind::Mapping: return formatMapping(pattern);
  case PatternKind::Class: return formatClass(pattern);
  case PatternKind::Or: {
    std::string text;
    for (const Pattern *child : pattern->children)
      text += (text.empty() ? "" : " | ") + formatOperand(child);
    return text;
  }
  case PatternKind::As: {
    const Pattern *child = pattern->children[0];
    std::string text = child->kind == PatternKind::As ? formatOperand(child) : formatPattern(child);
    return fmt::format("{} as {}", text, pattern->name);
  }
  }
  return {};
}

} // namespace tegula::ast
