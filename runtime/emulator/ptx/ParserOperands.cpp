// Operands: registers, numbers, addresses, vectors and special registers.

#include "runtime/emulator/ptx/Parser.h"

#include <fmt/format.h>

namespace tegula::runtime::ptx {

bool Parser::operandList(std::vector<Operand> &operands, unsigned depth) {
  do {
    operands.emplace_back();
    if (!operand(operands.back(), depth))
      return false;
    if (operands.size() > 256)
      return fail(token.line, "more than 256 operands");
  } while (accept(','));
  return true;
}

void Parser::resolve(std::string_view name, Operand &out) {
  const Name *known = lookup(name);
  if (known && known->kind == Name::Register) {
    out.kind = Operand::Register;
    out.index = known->index;
    out.type = known->type;
  } else if (known && known->kind == Name::Predicate) {
    out.kind = Operand::Predicate;
    out.index = known->index;
    out.type = Type::Pred;
  } else {
    out.kind = Operand::Symbol;
  }
}

bool Parser::identifierOperand(Operand &out) {
  out.text = token.text;
  const uint32_t line = token.line;
  advance();
  std::string_view component;
  if (token.kind == Token::Dotted && !token.spaceBefore) {
    component = token.text;
    advance();
  }
  if (out.text == "_")
    out.kind = Operand::Sink;
  else
    resolve(out.text, out);
  if (out.kind == Operand::Symbol && out.text[0] == '%') {
    const std::optional<Special> special = parseSpecial(out.text, component);
    if (!special)
      return fail(
          line, fmt::format("unknown register `{}{}{}`", out.text, component.empty() ? "" : ".", component));
    out.kind = Operand::Special;
    out.index = uint32_t(*special);
    return true;
  }
  if (!component.empty())
    return fail(line, fmt::format("unsupported component `.{}` of `{}`", component, out.text));
  if (accept('|')) {
    Operand first = out, second;
    if (token.kind == Token::Identifier && !identifierOperand(second))
      return false;
    out = Operand{};
    out.kind = Operand::Pair;
    out.parts.push_back(std::move(first));
    out.parts.push_back(std::move(second));
  } else if (out.kind == Operand::Symbol && (token.is('+') || token.is('-'))) {
    const bool negative = token.is('-');
    advance();
    uint64_t value = 0;
    if (!integer(value, "an offset"))
      return false;
    out.offset = int64_t(negative ? 0 - value : value);
  }
  return true;
}

bool Parser::numberOperand(Operand &out) {
  const bool negative = accept('-');
  out.bits = token.bits;
  switch (token.kind) {
  case Token::Integer:
    out.kind = Operand::Integer;
    out.bits = negative ? 0 - out.bits : out.bits;
    break;
  case Token::Float32:
    out.kind = Operand::Float32;
    out.bits ^= uint64_t(negative) << 31;
    break;
  case Token::Float64:
    out.kind = Operand::Float64;
    out.bits ^= uint64_t(negative) << 63;
    break;
  default:
    return unexpected("an operand");
  }
  advance();
  return true;
}

/// `[%rd1]`, `[%rd1+8]`, `[%rd1+-8]`, `[name]`, `[16]`, `[%rd1, {%r1, %r2}]`
bool Parser::addressOperand(Operand &out) {
  out.kind = Operand::Address;
  out.parts.emplace_back();
  Operand &base = out.parts.back();
  if (token.kind == Token::Identifier) {
    base.text = token.text;
    resolve(token.text, base);
    advance();
  } else if (!numberOperand(base)) {
    return false;
  }
  uint64_t offset = 0;
  while (token.is('+') || token.is('-')) {
    bool negative = token.is('-');
    advance();
    if (accept('-'))
      negative = !negative;
    uint64_t value = 0;
    if (!integer(value, "an offset"))
      return false;
    offset += negative ? 0 - value : value;
  }
  out.offset = int64_t(offset);
  if (accept(',')) {
    Operand coordinates;
    if (!operand(coordinates, 1))
      return false;
    out.parts.push_back(std::move(coordinates));
  }
  return expect(']', "after an address");
}

bool Parser::operand(Operand &out, unsigned depth) {
  if (depth > 2)
    return fail(token.line, "operands nested deeper than 2");
  if (accept('['))
    return addressOperand(out);
  if (token.is('{') || token.is('(')) {
    const char close = token.is('{') ? '}' : ')';
    out.kind = token.is('{') ? Operand::Vector : Operand::Group;
    advance();
    if (accept(close))
      return true;
    return operandList(out.parts, depth + 1) && expect(close, "after operands");
  }
  if (accept('!')) {
    if (token.kind != Token::Identifier || !identifierOperand(out))
      return unexpected("a predicate register");
    if (out.kind != Operand::Predicate)
      return fail(token.line, fmt::format("expected a predicate register after `!`, found `{}`", out.text));
    out.negated = true;
    return true;
  }
  if (token.kind == Token::Identifier)
    return identifierOperand(out);
  return numberOperand(out);
}

std::optional<Special> parseSpecial(std::string_view name, std::string_view component) {
  static constexpr std::pair<std::string_view, Special> vectors[] = {
      {"%tid", Special::TidX},
      {"%ntid", Special::NtidX},
      {"%ctaid", Special::CtaidX},
      {"%nctaid", Special::NctaidX},
      {"%clusterid", Special::ClusterIdX},
      {"%nclusterid", Special::NclusterIdX},
      {"%cluster_ctaid", Special::ClusterCtaidX},
      {"%cluster_nctaid", Special::ClusterNctaidX},
  };
  static constexpr std::pair<std::string_view, Special> scalars[] = {
      {"%laneid", Special::LaneId},
      {"%warpid", Special::WarpId},
      {"%nwarpid", Special::NwarpId},
      {"%smid", Special::SmId},
      {"%nsmid", Special::NsmId},
      {"%gridid", Special::GridId},
      {"%lanemask_eq", Special::LanemaskEq},
      {"%lanemask_le", Special::LanemaskLe},
      {"%lanemask_lt", Special::LanemaskLt},
      {"%lanemask_ge", Special::LanemaskGe},
      {"%lanemask_gt", Special::LanemaskGt},
      {"%cluster_ctarank", Special::ClusterCtarank},
      {"%cluster_nctarank", Special::ClusterNctarank},
      {"%dynamic_smem_size", Special::DynamicSmemSize},
      {"%total_smem_size", Special::TotalSmemSize},
      {"%clock", Special::Clock},
      {"%clock_hi", Special::ClockHi},
      {"%clock64", Special::Clock64},
      {"%globaltimer", Special::GlobalTimer},
      {"%globaltimer_lo", Special::GlobalTimerLo},
      {"%globaltimer_hi", Special::GlobalTimerHi},
  };
  if (component.size() == 1 && component[0] >= 'x' && component[0] <= 'z')
    for (const auto &[spelling, first] : vectors)
      if (spelling == name)
        return Special(unsigned(first) + unsigned(component[0] - 'x'));
  if (component.empty())
    for (const auto &[spelling, special] : scalars)
      if (spelling == name)
        return special;
  return std::nullopt;
}

} // namespace tegula::runtime::ptx
