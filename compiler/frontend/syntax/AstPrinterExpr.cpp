// Expressions as Python source, with the fewest parentheses.
#include "compiler/frontend/syntax/AstPrinterExpr.h"

#include "compiler/frontend/syntax/AstPrinter.h"

#include <fmt/format.h>

#include <iterator>

namespace tegula::ast {
namespace {

/// How tightly an expression binds; what stands in a place that wants more gets parentheses.
enum Precedence {
  Loosest = 0,   // anything, `yield` included
  NamedLevel,    // an element of a display or call: `:=` and `*a` are allowed
  TestLevel,     // lambda, conditional, and up
  OrLevel,
  AndLevel, NotLevel, CompareLevel,
  BitOrLevel, BitXorLevel, BitAndLevel, ShiftLevel, SumLevel, ProductLevel,
  UnaryLevel, PowerLevel, AwaitLevel, PrimaryLevel,
};

Precedence levelOf(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add: case BinaryOp::Sub: return SumLevel;
  case BinaryOp::ShiftLeft: case BinaryOp::ShiftRight: return ShiftLevel;
  case BinaryOp::BitAnd: return BitAndLevel;
  case BinaryOp::BitXor: return BitXorLevel;
  case BinaryOp::BitOr: return BitOrLevel;
  case BinaryOp::Pow: return PowerLevel;
  default: return ProductLevel;
  }
}

Precedence levelOf(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Yield: case ExprKind::YieldFrom: return Loosest;
  case ExprKind::Walrus: case ExprKind::Starred: return NamedLevel;
  case ExprKind::Lambda: case ExprKind::Conditional: return TestLevel;
  case ExprKind::Bool: return static_cast<const BoolExpr *>(expr)->op == BoolOp::Or ? OrLevel : AndLevel;
  case ExprKind::Unary:
    return static_cast<const UnaryExpr *>(expr)->op == UnaryOp::Not ? NotLevel : UnaryLevel;
  case ExprKind::Compare: return CompareLevel;
  case ExprKind::Binary: return levelOf(static_cast<const BinaryExpr *>(expr)->op);
  case ExprKind::Await: return AwaitLevel;
  default: return PrimaryLevel;
  }
}

/// Appends `text` so that it reads back the same between the quotes `"`.
void escape(std::string &out, std::string_view text, bool bytes, bool braces) {
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    switch (c) {
    case '\\': out += "\\\\"; break;
    case '"': out += "\\\""; break;
    case '\n': out += "\\n"; break;
    case '\r': out += "\\r"; break;
    case '\t': out += "\\t"; break;
    case '{': case '}':
      out.append(braces ? 2 : 1, c);
      break;
    default:
      if (uint8_t(c) < 0x20 || c == 0x7F || (bytes && uint8_t(c) >= 0x80))
        fmt::format_to(std::back_inserter(out), "\\x{:02x}", uint8_t(c));
      else if (uint8_t(c) == 0xED && i + 2 < text.size() && uint8_t(text[i + 1]) >= 0xA0) {
        uint32_t surrogate = 0xD000 | (uint8_t(text[i + 1]) & 0x3Fu) << 6 | (uint8_t(text[i + 2]) & 0x3Fu);
        fmt::format_to(std::back_inserter(out), "\\u{:04x}", surrogate);
        i += 2;
      } else {
        out += c;
      }
    }
  }
}

class ExprPrinter {
public:
  void print(const Expr *expr, int level = Loosest) {
    bool parentheses = levelOf(expr) < level;
    if (parentheses)
      out += '(';
    body(expr);
    if (parentheses)
      out += ')';
  }
  void parameters(Parameters list);
  void arguments(std::span<const Argument> list);

  std::string out;

private:
  template <typename T> const T &of(const Expr *expr) { return *static_cast<const T *>(expr); }

  void body(const Expr *expr);
  void operation(const Expr *expr);
  void display(const Expr *expr);
  void binary(const BinaryExpr &expr);
  void list(ExprList elements) {
    for (size_t i = 0; i < elements.size(); ++i) {
      out += i ? ", " : "";
      print(elements[i], NamedLevel);
    }
  }
  void tuple(ExprList elements) {
    list(elements);
    if (elements.size() == 1)
      out += ',';
  }
  void index(const Expr *expr);
  void comprehension(const ComprehensionExpr &expr);
  void clauses(const ComprehensionExpr &expr);
  void fstring(const FStringExpr &expr, bool inFormat);
};

void ExprPrinter::body(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Name: out += of<NameExpr>(expr).id; return;
  case ExprKind::Number: out += of<NumberExpr>(expr).text; return;
  case ExprKind::String: {
    const auto &string = of<StringExpr>(expr);
    out += string.isBytes ? "b\"" : "\"";
    escape(out, string.value, string.isBytes, false);
    out += '"';
    return;
  }
  case ExprKind::FString:
    out += "f\"";
    fstring(of<FStringExpr>(expr), false);
    out += '"';
    return;
  case ExprKind::Constant: {
    static constexpr std::string_view names[] = {"None", "True", "False", "..."};
    out += names[size_t(of<ConstantExpr>(expr).constant)];
    return;
  }
  case ExprKind::Tuple: case ExprKind::List: case ExprKind::Set: case ExprKind::Dict:
  case ExprKind::Comprehension: case ExprKind::Slice: return display(expr);
  case ExprKind::Call: {
    const auto &call = of<CallExpr>(expr);
    print(call.callee, PrimaryLevel);
    out += '(';
    arguments(call.arguments);
    out += ')';
    return;
  }
  case ExprKind::Attribute: {
    const auto &attribute = of<AttributeExpr>(expr);
    // `1.real` would be a malformed number.
    bool number = attribute.object->kind == ExprKind::Number;
    out += number ? "(" : "";
    print(attribute.object, PrimaryLevel);
    out += number ? ")." : ".";
    out += attribute.name;
    return;
  }
  case ExprKind::Subscript:
    print(of<SubscriptExpr>(expr).object, PrimaryLevel);
    out += '[';
    index(of<SubscriptExpr>(expr).index);
    out += ']';
    return;
  default: return operation(expr);
  }
}

void ExprPrinter::operation(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Unary: {
    const auto &unary = of<UnaryExpr>(expr);
    out += spelling(unary.op);
    out += unary.op == UnaryOp::Not ? " " : "";
    return print(unary.operand, unary.op == UnaryOp::Not ? NotLevel : UnaryLevel);
  }
  case ExprKind::Binary: return binary(of<BinaryExpr>(expr));
  case ExprKind::Bool: {
    const auto &boolean = of<BoolExpr>(expr);
    for (size_t i = 0; i < boolean.operands.size(); ++i) {
      out += i ? fmt::format(" {} ", spelling(boolean.op)) : "";
      print(boolean.operands[i], levelOf(expr) + 1);
    }
    return;
  }
  case ExprKind::Compare:
    print(of<CompareExpr>(expr).left, BitOrLevel);
    for (const CompareItem &item : of<CompareExpr>(expr).rest) {
      fmt::format_to(std::back_inserter(out), " {} ", spelling(item.op));
      print(item.operand, BitOrLevel);
    }
    return;
  case ExprKind::Conditional: {
    const auto &choice = of<ConditionalExpr>(expr);
    print(choice.thenValue, OrLevel);
    out += " if ";
    print(choice.condition, OrLevel);
    out += " else ";
    return print(choice.elseValue, TestLevel);
  }
  case ExprKind::Lambda:
    out += of<LambdaExpr>(expr).parameters.empty() ? "lambda" : "lambda ";
    parameters(of<LambdaExpr>(expr).parameters);
    out += ": ";
    return print(of<LambdaExpr>(expr).body, TestLevel);
  case ExprKind::Starred:
    out += '*';
    return print(of<StarredExpr>(expr).value, BitOrLevel);
  case ExprKind::Walrus:
    out += of<WalrusExpr>(expr).target->id;
    out += " := ";
    return print(of<WalrusExpr>(expr).value, TestLevel);
  case ExprKind::Await:
    out += "await ";
    return print(of<AwaitExpr>(expr).value, PrimaryLevel);
  case ExprKind::Yield:
    out += "yield";
    if (const Expr *value = of<YieldExpr>(expr).value) {
      out += ' ';
      print(value, TestLevel);
    }
    return;
  case ExprKind::YieldFrom:
    out += "yield from ";
    return print(of<YieldFromExpr>(expr).value, TestLevel);
  default: out += "<error>";
  }
}

void ExprPrinter::binary(const BinaryExpr &expr) {
  int level = levelOf(expr.op);
  bool power = expr.op == BinaryOp::Pow;
  print(expr.left, power ? AwaitLevel : level);
  out += power ? "" : " ";
  out += spelling(expr.op);
  out += power ? "" : " ";
  print(expr.right, power ? int(UnaryLevel) : level + 1);
}

void ExprPrinter::display(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Tuple:
    out += '(';
    tuple(of<TupleExpr>(expr).elements);
    out += ')';
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
  for (const FStringPart &part : expr.partList()) {
    if (!part.value) {
      escape(out, part.text, false, !inFormat);
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

} // namespace

std::string formatExpr(const Expr *expr) {
  ExprPrinter printer;
  printer.print(expr);
  return std::move(printer.out);
}

std::string formatTest(const Expr *expr) {
  ExprPrinter printer;
  printer.print(expr, TestLevel);
  return std::move(printer.out);
}

std::string formatValue(const Expr *expr) {
  bool yield = expr->kind == ExprKind::Yield || expr->kind == ExprKind::YieldFrom;
  return yield ? formatExpr(expr) : formatTest(expr);
}

std::string formatParameters(Parameters parameters) {
  ExprPrinter printer;
  printer.parameters(parameters);
  return std::move(printer.out);
}

std::string formatArguments(std::span<const Argument> arguments) {
  ExprPrinter printer;
  printer.arguments(arguments);
  return std::move(printer.out);
}

std::string formatTypeParameters(TypeParameters parameters) {
  if (parameters.empty())
    return {};
  std::string out = "[";
  for (const TypeParameter &parameter : parameters) {
    out += out.size() > 1 ? ", " : "";
    out += parameter.kind == TypeParameterKind::VarTuple    ? "*"
           : parameter.kind == TypeParameterKind::ParamSpec ? "**"
                                                            : "";
    out += parameter.name;
    if (parameter.bound)
      out += ": " + formatExpr(parameter.bound);
    if (parameter.defaultValue)
      out += " = " + formatExpr(parameter.defaultValue);
  }
  return out + "]";
}

} // namespace tegula::ast
