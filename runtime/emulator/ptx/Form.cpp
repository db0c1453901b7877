#include "runtime/emulator/ptx/Form.h"

#include <fmt/format.h>

#include <algorithm>

namespace tegula::runtime::ptx {

InstData::~InstData() = default;

Form::Form(Parser &parser, const Statement &statement)
    : parser(parser), statement(statement), left(statement.modifiers) {
  inst.guard = statement.guard;
  inst.guardNegated = statement.guardNegated;
  inst.line = statement.line;
}

bool Form::unsupported() { return fail(fmt::format("unsupported instruction `{}`", statement.fullName())); }

bool Form::wrongOperand(size_t index, const char *expected) {
  return fail(fmt::format("expected {} as operand {} of `{}`", expected, index + 1, statement.fullName()));
}

bool Form::take(std::string_view modifier) {
  const auto entry = std::find(left.begin(), left.end(), modifier);
  if (entry == left.end())
    return false;
  left.erase(entry);
  return true;
}

bool Form::takeRounding() {
  static constexpr std::pair<std::string_view, Rounding> modes[] = {
      {"rn", Rounding::Nearest}, {"rz", Rounding::Zero}, {"rm", Rounding::Down}, {"rp", Rounding::Up}};
  return takeOneOf(modes, inst.rounding);
}

bool Form::takeSpace() {
  static constexpr std::pair<std::string_view, Space> names[] = {
      {"global", Space::Global},      {"shared", Space::Shared},
      {"shared::cta", Space::Shared}, {"shared::cluster", Space::Shared},
      {"local", Space::Local},        {"const", Space::Const},
      {"param", Space::Param},        {"param::entry", Space::Param}};
  return takeOneOf(names, inst.space);
}

bool Form::takeType(Type &type) {
  std::string_view name;
  if (!takeWhere([](std::string_view modifier) { return parseType(modifier).has_value(); }, &name))
    return unsupported();
  type = *parseType(name);
  return true;
}

bool Form::expectOperands(size_t least, size_t most) {
  if (size() >= least && size() <= most)
    return true;
  const std::string count = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
  return fail(fmt::format("expected {} operands of `{}`, found {}", count, statement.fullName(), size()));
}

bool Form::number(const Operand &operand, Type type, uint64_t &bits) {
  bits = operand.bits;
  if (operand.kind == Operand::Integer) {
    if (type == Type::F32 || type == Type::F64)
      return fail(
          fmt::format("expected a floating-point number in `{}`, found an integer", statement.fullName()));
    bits &= lowMask(bitsOf(type));
  } else if (operand.kind == Operand::Float32) {
    if (type == Type::F64)
      bits = bitsOfDouble(double(asFloat(bits)));
    else if (bitsOf(type) != 32)
      return fail(fmt::format("expected a number of {} bits in `{}`, found one of 32", bitsOf(type),
                              statement.fullName()));
  } else {
    if (type == Type::F32)
      bits = roundTo(asDouble(bits), single, Rounding::Nearest);
    else if (bitsOf(type) != 64)
      return fail(fmt::format("expected a number of {} bits in `{}`, found one of 64", bitsOf(type),
                              statement.fullName()));
  }
  return true;
}

static bool checkWidth(Form &form, const Operand &operand, Type wanted, bool relaxed) {
  const unsigned declared = bitsOf(operand.type), bits = bitsOf(wanted);
  return (relaxed ? declared >= bits : declared == bits) ||
         form.fail(fmt::format("expected a register of {} bits in `{}`, found `{}` of {}", bits,
                               form.statement.fullName(), operand.text, declared));
}

bool Form::source(const Operand &operand, Type type, Row &row, bool relaxed) {
  switch (operand.kind) {
  case Operand::Register:
    row = operand.index;
    return checkWidth(*this, operand, type, relaxed);
  case Operand::Special:
    if (Special(operand.index) >= firstDynamicSpecial)
      return fail(fmt::format("`{}` can only be read by `mov`", operand.text));
    row = parser.special(Special(operand.index));
    return true;
  case Operand::Integer:
  case Operand::Float32:
  case Operand::Float64: {
    uint64_t bits = 0;
    if (!number(operand, type, bits))
      return false;
    row = parser.constant(bits);
    return true;
  }
  case Operand::Symbol: {
    Space space;
    row = parser.addressOf(operand.text, operand.offset, statement.line, space);
    if (row == noRow)
      return false;
    if (space == Space::Shared || space == Space::Cluster
            ? bitsOf(type) < 32
            : bitsOf(type) < 64 && space != Space::Param && space != Space::Local)
      return fail(fmt::format("the address of `{}` does not fit `{}`", operand.text, statement.fullName()));
    return true;
  }
  default:
    return fail(fmt::format("expected a register or a number in `{}`", statement.fullName()));
  }
}

bool Form::destination(const Operand &operand, Type type, Row &row, bool relaxed) {
  if (operand.kind == Operand::Sink) {
    row = parser.newRow();
    if (type == Type::B128)
      parser.newRow();
    return true;
  }
  if (operand.kind != Operand::Register)
    return fail(fmt::format("expected a register to write in `{}`", statement.fullName()));
  row = operand.index;
  return checkWidth(*this, operand, type, relaxed);
}

bool Form::predicate(size_t index, Row &predicate, bool &negated) {
  if (operand(index).kind != Operand::Predicate)
    return wrongOperand(index, "a predicate register");
  predicate = operand(index).index;
  negated = operand(index).negated;
  return true;
}

bool Form::predicate(size_t index, Row &row) {
  bool negated = false;
  const bool found = predicate(index, row, negated);
  inst.flags |= negated ? FlagNegate : 0;
  return found;
}

bool Form::predicateDestination(const Operand &operand, Row &predicate) {
  if (operand.kind == Operand::Sink) {
    predicate = parser.newPredicate({});
    return true;
  }
  if (operand.kind != Operand::Predicate || operand.negated)
    return fail(fmt::format("expected a predicate register to write in `{}`", statement.fullName()));
  predicate = operand.index;
  return true;
}

bool Form::sources(size_t first, std::initializer_list<Type> types) {
  size_t slot = 0;
  for (const Type type : types) {
    if (!source(first + slot, type, inst.src[slot]))
      return false;
    ++slot;
  }
  return true;
}

bool Form::immediate(size_t index, uint64_t &value, const char *what) {
  if (operand(index).kind != Operand::Integer)
    return wrongOperand(index, what);
  value = operand(index).bits;
  return true;
}

bool Form::groupsLeft() {
  uint64_t groups = 0;
  const bool found = expectOperands(1) && immediate(0, groups, "a number of groups");
  inst.op = uint8_t(std::min<uint64_t>(groups, 255));
  return found;
}

bool Form::address(size_t index, unsigned slot, bool mayHaveCoordinates) {
  const Operand &target = operand(index);
  if (target.kind != Operand::Address)
    return wrongOperand(index, "an address");
  if (target.parts.size() > 1 && !mayHaveCoordinates)
    return wrongOperand(index, "an address without coordinates");
  const Operand &base = target.parts[0];
  inst.offset = target.offset;
  if (base.kind == Operand::Symbol) {
    Space space = Space::Generic;
    const Row row = parser.addressOf(base.text, 0, statement.line, space);
    if (row == noRow)
      return false;
    if (space == Space::Const && inst.space == Space::Global)
      space = Space::Global;
    if (inst.space == Space::Generic && (space == Space::Global || space == Space::Const))
      space = Space::Generic;
    if (inst.space == Space::Cluster && space == Space::Shared)
      space = Space::Cluster; // of which the own block's memory is a part
    if (space != inst.space)
      return fail(
          fmt::format("`{}` is not in the space that `{}` accesses", base.text, statement.fullName()));
    inst.src[slot] = row;
    return true;
  }
  if (base.kind == Operand::Register && bitsOf(base.type) != 64 &&
      !(bitsOf(base.type) == 32 && (inst.space == Space::Shared || inst.space == Space::Cluster ||
                                    inst.space == Space::Local || inst.space == Space::Param)))
    return fail(fmt::format("expected an address of 64 bits in `{}`, found `{}` of {}", statement.fullName(),
                            base.text, bitsOf(base.type)));
  return source(base, base.kind == Operand::Register ? base.type : Type::U64, inst.src[slot]);
}

bool Form::poolRegisters(size_t index, unsigned count, Type type, bool isResult) {
  const Operand &whole = operand(index);
  const bool isVector = whole.kind == Operand::Vector;
  const size_t found = isVector ? whole.parts.size() : 1;
  if (found != count)
    return fail(fmt::format("expected {} registers as operand {} of `{}`, found {}", count, index + 1,
                            statement.fullName(), found));
  for (size_t i = 0; i < count; ++i) {
    const Operand &part = isVector ? whole.parts[i] : whole;
    Row row = noRow;
    if (!(isResult ? destination(part, type, row) : source(part, type, row)))
      return false;
    pool(row);
  }
  return true;
}

unsigned Form::registerBits(size_t index, Type type) const {
  return operand(index).kind == Operand::Register ? bitsOf(operand(index).type) : bitsOf(type);
}

bool Form::decodeBy(const Decoder &decoder) {
  if (!decoder.decode(*this))
    return parser.failed() ? false : unsupported();
  if (!left.empty())
    return fail(fmt::format("unsupported modifier `.{}` of `{}`", left.front(), statement.fullName()));
  return !parser.failed();
}

} // namespace tegula::runtime::ptx
