// Expressions as Python source, with the fewest parentheses.
#include "compiler/frontend/syntax/ast/AstPrinter.h"
#include "compiler/frontend/syntax/ast/ExprPrinter.h"

#include <fmt/format.h>

#include <iterator>

namespace tegula::ast {
namespace {

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

} // namespace

void ExprPrinter::escape(std::string_view text, bool bytes, bool braces) {
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

void ExprPrinter::print(const Expr *expr, int level) {
  bool parentheses = levelOf(expr) < level;
  if (parentheses)
    out += '(';
  body(expr);
  if (parentheses)
    out += ')';
}

void ExprPrinter::body(const Expr *expr) {
  switch (expr->kind) {
  case ExprKind::Name: out += of<NameExpr>(expr).id; return;
  case ExprKind::Number: out += of<NumberExpr>(expr).text; return;
  case ExprKind::String: {
    const auto &string = of<StringExpr>(expr);
    out += string.isBytes ? "b\"" : "\"";
    escape(string.value, string.isBytes, false);
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
