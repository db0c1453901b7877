// One instruction on its way from text to `Inst`: the interface of every decoder.
//
// A decoder takes modifiers and operands out of the form and sets `inst`. Modifiers that no decoder took are
// refused, so nothing unknown is executed as something else.
#pragma once

#include "runtime/emulator/ptx/Parser.h"

namespace tegula::runtime::ptx {

class Form {
public:
  Form(Parser &parser, const Statement &statement);

  Inst inst;
  Parser &parser;
  const Statement &statement;

  std::string_view opcode() const { return statement.opcode; }
  /// Sets `inst`, or records an error that names the instruction.
  bool decodeBy(const Decoder &decoder);
  bool fail(std::string text) { return parser.fail(statement.line, std::move(text)); }
  /// "unsupported instruction `tex.2d.v4.f32.f32`"
  bool unsupported();
  bool wrongOperand(size_t index, const char *expected);

  // Modifiers; each returns whether it was there and takes it out.
  bool take(std::string_view modifier);
  /// Takes the first of `names` that is there and sets `target` to what it stands for.
  template <typename Value, size_t Count, typename Target>
  bool takeOneOf(const std::pair<std::string_view, Value> (&names)[Count], Target &target) {
    for (const auto &[name, value] : names)
      if (take(name)) {
        target = Target(value);
        return true;
      }
    return false;
  }
  /// `.xorsign.abs`, which stand together; false where one stands alone.
  bool takeXorSign() {
    if (!take("xorsign"))
      return true;
    inst.flags |= FlagXorSign;
    return take("abs");
  }
  void takeFlag(std::string_view modifier, InstFlag flag) {
    if (take(modifier))
      inst.flags |= flag;
  }
  /// `.wrap` or `.clamp`: what amounts beyond the width mean.
  bool takeWrap() {
    takeFlag("wrap", FlagWrap);
    return inst.has(FlagWrap) || take("clamp");
  }
  /// `.global`, `.shared::cta` and so on.
  bool takeSpace();
  /// Takes all modifiers that begin with `prefix`: hints that change nothing here.
  void takeHints(std::string_view prefix = "") {
    std::erase_if(left, [&](std::string_view modifier) { return modifier.starts_with(prefix); });
  }
  /// Takes .rn .rz .rm .rp.
  bool takeRounding();
  /// The next type among the modifiers left; an error when there is none.
  bool takeType(Type &type);
  /// Takes the first modifier that satisfies `wanted`.
  template <typename Predicate> bool takeWhere(Predicate wanted, std::string_view *taken = nullptr) {
    for (size_t i = 0; i < left.size(); ++i) {
      if (!wanted(left[i]))
        continue;
      if (taken)
        *taken = left[i];
      left.erase(left.begin() + long(i));
      return true;
    }
    return false;
  }
  const std::vector<std::string_view> &modifiersLeft() const { return left; }

  // Operands.
  size_t size() const { return statement.operands.size(); }
  /// A `_` stands in for an operand that is not there, so that a decoder may look before it counts.
  const Operand &operand(size_t index) const {
    static const Operand missing;
    return index < size() ? statement.operands[index] : missing;
  }
  bool expectOperands(size_t least, size_t most);
  bool expectOperands(size_t count) { return expectOperands(count, count); }
  /// A row to be read as `type`: a register of that width, an immediate, a special register or the
  /// address of a variable. `relaxed` allows wider registers (ld, st and cvt).
  bool source(const Operand &operand, Type type, Row &row, bool relaxed = false);
  bool source(size_t index, Type type, Row &row, bool relaxed = false) {
    return source(operand(index), type, row, relaxed);
  }
  /// Takes a register to be written as `type`; `_` gives a row that is never read.
  bool destination(const Operand &operand, Type type, Row &row, bool relaxed = false);
  bool destination(size_t index, Type type, Row &row, bool relaxed = false) {
    return destination(operand(index), type, row, relaxed);
  }
  bool predicate(size_t index, Row &predicate, bool &negated);
  /// The same with `FlagNegate` for a predicate that is negated.
  bool predicate(size_t index, Row &predicate);
  bool predicateDestination(const Operand &operand, Row &predicate);
  /// The operands from `first` on, as many as there are `types`, into `inst.src`.
  bool sources(size_t first, std::initializer_list<Type> types);
  /// Exactly these operands: a register to be written as `result` into `inst.dst`, then `types` into
  /// `inst.src`.
  bool operands(Type result, std::initializer_list<Type> types) {
    return expectOperands(types.size() + 1) && destination(0, result, inst.dst) && sources(1, types);
  }
  /// An integer known while decoding.
  bool immediate(size_t index, uint64_t &value, const char *what);
  /// The one operand of a wait, into `inst.op`: how many groups may be left. More than 255 are as many.
  bool groupsLeft();
  /// `[base+offset]` into `inst.src[slot]` and `inst.offset`; `inst.space` is checked against a
  /// variable's own space. Coordinates behind the address are the caller's to read, who says that there may
  /// be some.
  bool address(size_t index, unsigned slot, bool mayHaveCoordinates = false);
  /// Width in bits of the declared register of operand `index`; the type's own for anything else.
  unsigned registerBits(size_t index, Type type) const;
  /// Appends the `count` registers of `type` of a vector operand to the pool; one register may do without
  /// braces.
  bool poolRegisters(size_t index, unsigned count, Type type, bool isResult);
  /// The instruction's record of its family's own data.
  template <typename Data> Data &addData() {
    auto made = std::make_unique<Data>();
    Data &data = *made;
    inst.data = made.get();
    parser.function->data.push_back(std::move(made));
    return data;
  }
  /// Appends `row` to the function's pool.
  void pool(Row row) { parser.function->pool.push_back(row); }
  uint32_t poolSize() const { return uint32_t(parser.function->pool.size()); }

private:
  bool number(const Operand &operand, Type type, uint64_t &bits);
  std::vector<std::string_view> left;
};

} // namespace tegula::runtime::ptx
