// The bracketed parts of expressions as Python source: displays, subscripts, f-strings, parameters and arguments.
#include "compiler/frontend/syntax/ast/ExprPrinter.h"

#include <fmt/format.h>

#include <iterator>

namespace tegula::ast {

void ExprPrinter::list(ExprList elements) {
  for (size_t i = 0; i < elements.size(); ++i) {
    out += i ? ", " : "";
    print(elements[i], NamedLevel);
  }
}

void ExprPrinter::display(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Tuple:
    out += '(';
    list(of<TupleExpr>(expr).elements);
    out += of<TupleExpr>(expr).elements.size() == 1 ? ",)" : ")";
    return;
  case ExprKind::List:
    out += '[';
    list(of<ListExpr>(expr).elements);
    out += ']';
    return;
  case ExprKind::Set:
    out += '{';
    list(of<SetExpr>(expr).elements);
    out += '}';
    return;
  case ExprKind::Dict: {
    out += '{';
    std::string_view separator;
    for (const DictItem &item : of<DictExpr>(expr).items) {
      out += separator;
      separator = ", ";
      if (item.key) {
        print(item.key, TestLevel);
        out += ": ";
        print(item.value, TestLevel);
      } else {
        out += "**";
        print(item.value, BitOrLevel);
      }
    }
    out += '}';
    return;
  }
  case ExprKind::Slice: return index(expr);
  default: return comprehension(of<ComprehensionExpr>(expr));
  }
}

void ExprPrinter::index(const Expr *expr) {
  if (const auto *elements = as<TupleExpr>(expr); elements && !elements->elements.empty()) {
    for (size_t i = 0; i < elements->elements.size(); ++i) {
      out += i ? ", " : "";
      const Expr *element = elements->elements[i];
      element->kind == ExprKind::Slice ? index(element) : print(element, NamedLevel);
    }
    out += elements->elements.size() == 1 ? "," : "";
    return;
  }
  const auto *slice = as<SliceExpr>(expr);
  if (!slice)
    return print(expr, NamedLevel);
  if (slice->lower)
    print(slice->lower, TestLevel);
  out += ':';
  if (slice->upper)
    print(slice->upper, TestLevel);
  if (slice->step) {
    out += ':';
    print(slice->step, TestLevel);
  }
}

void ExprPrinter::comprehension(const ComprehensionExpr &expr) {
  static constexpr std::string_view brackets[] = {"[]", "{}", "{}", "()"};
  std::string_view pair = brackets[size_t(expr.comprehension)];
  out += pair[0];
  clauses(expr);
  out += pair[1];
}

void ExprPrinter::clauses(const ComprehensionExpr &expr) {
  print(expr.element, expr.value ? TestLevel : NamedLevel);
  if (expr.value) {
    out += ": ";
    print(expr.value, TestLevel);
  }
  for (const ComprehensionClause &clause : expr.clauses) {
    out += clause.isAsync ? " async for " : " for ";
    print(clause.target, BitOrLevel);
    out += " in ";
    print(clause.iterable, OrLevel);
    for (const Expr *condition : clause.conditions) {
      out += " if ";
      print(condition, OrLevel);
    }
  }
}

void ExprPrinter::fstring(const FStringExpr &expr, bool inFormat) {
  for (const FStringPart &part : expr.parts) {
    if (!part.value) {
      escape(part.text, false, !inFormat);
      continue;
    }
    // A brace right after the opening one would read as a doubled brace. Whatever holds a colon outside
    // brackets binds loosely and gets parentheses, else the colon would start the format.
    out += '{';
    if (part.text.empty()) {
      size_t begin = out.size();
      print(part.value, OrLevel);
      if (out[begin] == '{')
        out.insert(begin, 1, ' ');
    } else {
      out += part.text;
    }
    if (part.conversion) {
      out += '!';
      out += part.conversion;
    }
    if (part.format) {
      out += ':';
      fstring(*part.format, true);
    }
    out += '}';
  }
}

void ExprPrinter::parameters(Parameters list) {
  bool star = false;
  for (size_t i = 0; i < list.size(); ++i) {
    const Parameter &parameter = list[i];
    out += i ? ", " : "";
    if (parameter.kind == ParameterKind::KeywordOnly && !star)
      out += "*, ";
    star |= parameter.kind == ParameterKind::VarArgs || parameter.kind == ParameterKind::KeywordOnly;
    out += parameter.kind == ParameterKind::VarArgs       ? "*"
           : parameter.kind == ParameterKind::VarKeywords ? "**"
                                                          : "";
    out += parameter.name;
    if (parameter.annotation) {
      out += ": ";
      print(parameter.annotation, parameter.annotation->kind == ExprKind::Starred ? NamedLevel : TestLevel);
    }
    if (parameter.defaultValue) {
      out += parameter.annotation ? " = " : "=";
      print(parameter.defaultValue, TestLevel);
    }
    bool last = i + 1 == list.size() || list[i + 1].kind != ParameterKind::PositionalOnly;
    if (parameter.kind == ParameterKind::PositionalOnly && last)
      out += ", /";
  }
}

void ExprPrinter::arguments(std::span<const Argument> list) {
  if (list.size() == 1 && list[0].kind == ArgumentKind::Positional)
    if (const auto *only = as<ComprehensionExpr>(list[0].value);
        only && only->comprehension == ComprehensionKind::Generator)
      return clauses(*only);
  for (size_t i = 0; i < list.size(); ++i) {
    const Argument &argument = list[i];
    out += i ? ", " : "";
    switch (argument.kind) {
    case ArgumentKind::Positional: print(argument.value, NamedLevel); continue;
    case ArgumentKind::Keyword: fmt::format_to(std::back_inserter(out), "{}=", argument.name); break;
    case ArgumentKind::Star: out += '*'; break;
    case ArgumentKind::DoubleStar: out += "**"; break;
    }
    print(argument.value, TestLevel);
  }
}

} // namespace tegula::ast
