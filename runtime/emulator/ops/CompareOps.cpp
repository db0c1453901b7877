// Comparison and selection: setp, set, selp, slct, testp, copysign.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <cmath>

namespace tegula::runtime::ptx {

namespace {

enum Comparison : uint8_t { Eq, Ne, Lt, Le, Gt, Ge, Equ, Neu, Ltu, Leu, Gtu, Geu, Num, Nan };
enum Combination : uint8_t { Alone, And, Or, Xor };

/// Lanes (all 32) where `holds(a, b)`, with the rows read by `read`.
template <typename Read, typename Holds>
uint32_t lanesWhere(const uint64_t *a, const uint64_t *b, Read read, Holds holds) {
  uint32_t out = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane)
    out |= uint32_t(holds(read(a[lane]), read(b[lane]))) << lane;
  return out;
}

template <typename Read>
uint32_t compareOrdered(uint8_t op, const uint64_t *a, const uint64_t *b, Read read) {
  switch (op) {
  case Eq:
    return lanesWhere(a, b, read, [](auto x, auto y) { return x == y; });
  case Ne:
    return lanesWhere(a, b, read, [](auto x, auto y) { return x < y || x > y; });
  case Lt:
    return lanesWhere(a, b, read, [](auto x, auto y) { return x < y; });
  case Le:
    return lanesWhere(a, b, read, [](auto x, auto y) { return x <= y; });
  case Gt:
    return lanesWhere(a, b, read, [](auto x, auto y) { return x > y; });
  default:
    return lanesWhere(a, b, read, [](auto x, auto y) { return x >= y; });
  }
}

/// The unordered forms hold where the ordered negation does not.
template <typename Read> uint32_t compareFloats(uint8_t op, const uint64_t *a, const uint64_t *b, Read read) {
  static constexpr Comparison negated[] = {Ne, Eq, Ge, Gt, Le, Lt}; // of Equ and those behind it
  if (op < Equ)
    return compareOrdered(op, a, b, read);
  if (op < Num)
    return ~compareOrdered(negated[op - Equ], a, b, read);
  const uint32_t unordered =
      lanesWhere(a, b, read, [](auto x, auto y) { return std::isnan(x) || std::isnan(y); });
  return op == Num ? ~unordered : unordered;
}

/// Compares rows as `inst.from`; `shift` picks the element of a packed type.
uint32_t compareRows(const Inst &inst, const uint64_t *a, const uint64_t *b, unsigned shift = 0) {
  const bool ftz = inst.has(FlagFtz);
  switch (inst.from) {
  case Type::S16:
    return compareOrdered(inst.op, a, b, [](uint64_t x) { return int16_t(x); });
  case Type::S32:
    return compareOrdered(inst.op, a, b, [](uint64_t x) { return int32_t(x); });
  case Type::S64:
    return compareOrdered(inst.op, a, b, [](uint64_t x) { return int64_t(x); });
  case Type::F16:
  case Type::F16x2:
    return compareFloats(inst.op, a, b, [=](uint64_t x) {
      x = x >> shift & 0xffff;
      return toDouble(ftz ? flushSubnormal(x, half) : x, half);
    });
  case Type::BF16:
  case Type::BF16x2:
    return compareFloats(inst.op, a, b, [=](uint64_t x) { return toDouble(x >> shift & 0xffff, bfloat); });
  case Type::F32:
    return compareFloats(inst.op, a, b,
                         [=](uint64_t x) { return asFloat(ftz ? flushSubnormal(x, single) : x); });
  case Type::F64:
    return compareFloats(inst.op, a, b, [](uint64_t x) { return asDouble(x); });
  default:
    return compareOrdered(inst.op, a, b, [](uint64_t x) { return x; });
  }
}

uint32_t combined(const Inst &inst, uint32_t result, uint32_t other) {
  switch (inst.combine) {
  case And:
    return result & other;
  case Or:
    return result | other;
  case Xor:
    return result ^ other;
  default:
    return result;
  }
}

uint32_t predicateOperand(const Warp &warp, const Inst &inst, unsigned slot) {
  const uint32_t bits = warp.predicates[inst.src[slot]];
  return inst.has(FlagNegate) ? ~bits : bits;
}

/// The predicate that a comparison is combined with, where it is, and the lanes in which all operands are
/// defined.
std::pair<uint32_t, uint32_t> otherOperand(const Warp &warp, const Inst &inst) {
  const uint32_t definedBits = warp.defined[inst.src[0]] & warp.defined[inst.src[1]];
  if (!inst.combine)
    return {0, definedBits};
  return {predicateOperand(warp, inst, 2), definedBits & warp.predicateDefined[inst.src[2]]};
}

/// p = (a op b) combined with c; q, where there is one, the same of the negation.
void setPredicates(Warp &warp, const Inst &inst) {
  const uint64_t *a = warp.row(inst.src[0]), *b = warp.row(inst.src[1]);
  const auto [other, definedBits] = otherOperand(warp, inst);
  const uint32_t result = compareRows(inst, a, b);
  const bool packed = inst.from == Type::F16x2 || inst.from == Type::BF16x2;
  const uint32_t second = inst.src[3] == noRow ? 0 : packed ? compareRows(inst, a, b, 16) : ~result;
  warp.setPredicate(inst.dst, combined(inst, result, other), definedBits);
  if (inst.src[3] != noRow)
    warp.setPredicate(inst.src[3], combined(inst, second, other), definedBits);
}

void setValue(Warp &warp, const Inst &inst) {
  const uint64_t *a = warp.row(inst.src[0]), *b = warp.row(inst.src[1]);
  const auto [other, definedBits] = otherOperand(warp, inst);
  const bool packed = inst.from == Type::F16x2 || inst.from == Type::BF16x2;
  const uint32_t low = combined(inst, compareRows(inst, a, b), other);
  const uint32_t high = packed ? combined(inst, compareRows(inst, a, b, 16), other) : 0;
  const uint64_t yes = isHalf(inst.type) || inst.type == Type::F32
                           ? roundTo(1.0, formatOf(inst.type), Rounding::Nearest)
                           : lowMask(packed ? 16 : bitsOf(inst.type));
  forLanes(warp.mask, [&](uint32_t lane) {
    warp.row(inst.dst)[lane] = (low >> lane & 1 ? yes : 0) | (high >> lane & 1 ? yes << 16 : 0);
  });
  warp.setDefined(inst.dst, definedBits);
}

void selectByPredicate(Warp &warp, const Inst &inst) {
  uint64_t *out = warp.row(inst.dst);
  const uint64_t *a = warp.row(inst.src[0]), *b = warp.row(inst.src[1]);
  const uint32_t choice = predicateOperand(warp, inst, 2);
  if (areWhole<2>(warp, inst)) {
    forLanes(warp.mask, [&](uint32_t lane) { out[lane] = choice >> lane & 1 ? a[lane] : b[lane]; });
    return warp.setDefined(inst.dst, warp.predicateDefined[inst.src[2]]);
  }
  const ByteLanes ofA = warp.definedBytes(inst.src[0]), ofB = warp.definedBytes(inst.src[1]);
  ByteLanes bytes;
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = warp.predicateDefined[inst.src[2]] & ((choice & ofA[i]) | (~choice & ofB[i]));
  forLanes(warp.mask, [&](uint32_t lane) { out[lane] = choice >> lane & 1 ? a[lane] : b[lane]; });
  warp.setDefinedBytes(inst.dst, bytes, bitsOf(inst.type) / 8);
}

/// slct: the sign of c chooses; -0 counts as not negative, a NaN takes b.
uint64_t selectBySign(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  if (inst.from == Type::S32)
    return int32_t(c) >= 0 ? a : b;
  return asFloat(inst.has(FlagFtz) ? flushSubnormal(c, single) : c) >= 0 ? a : b;
}

uint64_t copySign(const Inst &inst, uint64_t a, uint64_t b) {
  const uint64_t sign = uint64_t(1) << (bitsOf(inst.type) - 1);
  return (b & ~sign) | (a & sign);
}

enum Property : uint8_t { Finite, Infinite, Number, NotANumber, Normal, Subnormal };

bool hasProperty(uint8_t property, uint64_t bits, const Format &format) {
  const uint64_t magnitude = bits & ~format.sign();
  switch (property) {
  case Finite:
    return magnitude < format.infinity();
  case Infinite:
    return magnitude == format.infinity();
  case Number:
    return !format.isNan(bits);
  case NotANumber:
    return format.isNan(bits);
  case Normal:
    return magnitude < format.infinity() && (magnitude & format.infinity());
  default:
    return magnitude == 0 || format.isSubnormal(bits); // zero counts as subnormal
  }
}

void testProperty(Warp &warp, const Inst &inst) {
  const Format &format = inst.type == Type::F32 ? single : doubleFormat;
  uint32_t out = 0;
  forLanes(warp.mask, [&](uint32_t lane) {
    out |= uint32_t(hasProperty(inst.op, warp.row(inst.src[0])[lane], format)) << lane;
  });
  warp.setPredicate(inst.dst, out, warp.defined[inst.src[0]]);
}

bool takeComparison(Form &form) {
  static constexpr std::pair<std::string_view, Comparison> names[] = {
      {"eq", Eq},   {"ne", Ne},   {"lt", Lt},   {"le", Le},   {"gt", Gt},   {"ge", Ge},
      {"lo", Lt},   {"ls", Le},   {"hi", Gt},   {"hs", Ge},   {"equ", Equ}, {"neu", Neu},
      {"ltu", Ltu}, {"leu", Leu}, {"gtu", Gtu}, {"geu", Geu}, {"num", Num}, {"nan", Nan}};
  return form.takeOneOf(names, form.inst.op);
}

void takeCombination(Form &form) {
  static constexpr std::pair<std::string_view, Combination> names[] = {
      {"and", And}, {"or", Or}, {"xor", Xor}};
  form.takeOneOf(names, form.inst.combine);
}

bool comparisonOperands(Form &form) {
  Inst &inst = form.inst;
  const bool floats = isFloat(inst.from) || inst.from == Type::F16x2 || inst.from == Type::BF16x2;
  const unsigned width = bitsOf(inst.from);
  if (width < 16 || width > 64 || inst.from == Type::TF32 || inst.from == Type::F32x2 ||
      (inst.op >= Equ && !floats))
    return false;
  return form.expectOperands(inst.combine ? 4 : 3) && form.sources(1, {inst.from, inst.from}) &&
         (!inst.combine || form.predicate(3, inst.src[2]));
}

bool decodeSetp(Form &form) {
  Inst &inst = form.inst;
  inst.src[3] = noRow;
  inst.run = setPredicates;
  form.takeFlag("ftz", FlagFtz);
  if (!takeComparison(form))
    return false;
  takeCombination(form);
  if (!form.takeType(inst.from) || !comparisonOperands(form))
    return false;
  const Operand &out = form.operand(0);
  if (out.kind != Operand::Pair)
    return form.predicateDestination(out, inst.dst);
  return form.predicateDestination(out.parts[0], inst.dst) &&
         form.predicateDestination(out.parts[1], inst.src[3]);
}

bool decodeSet(Form &form) {
  Inst &inst = form.inst;
  inst.run = setValue;
  form.takeFlag("ftz", FlagFtz);
  if (!takeComparison(form))
    return false;
  takeCombination(form);
  if (!form.takeType(inst.type) || !form.takeType(inst.from))
    return false;
  const unsigned width = bitsOf(inst.type);
  return (width == 16 || width == 32) && comparisonOperands(form) && form.destination(0, inst.type, inst.dst);
}

bool decodeSelect(Form &form) {
  Inst &inst = form.inst;
  if (form.opcode() == "selp") {
    inst.run = selectByPredicate;
    if (!form.takeType(inst.type) || bitsOf(inst.type) < 16 || bitsOf(inst.type) > 64 ||
        !form.expectOperands(4) || !form.predicate(3, inst.src[2]))
      return false;
  } else {
    inst.run = ternary<selectBySign>;
    form.takeFlag("ftz", FlagFtz);
    if (!form.takeType(inst.type) || !form.takeType(inst.from) || bitsOf(inst.type) < 16 ||
        bitsOf(inst.type) > 64 || (inst.from != Type::S32 && inst.from != Type::F32) ||
        !form.expectOperands(4) || !form.source(3, inst.from, inst.src[2]))
      return false;
  }
  return form.destination(0, inst.type, inst.dst) && form.sources(1, {inst.type, inst.type});
}

bool decodeProperty(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, Property> names[] = {
      {"finite", Finite},         {"infinite", Infinite}, {"number", Number},
      {"notanumber", NotANumber}, {"normal", Normal},     {"subnormal", Subnormal}};
  inst.run = testProperty;
  return form.takeOneOf(names, inst.op) && form.takeType(inst.type) &&
         (inst.type == Type::F32 || inst.type == Type::F64) && form.expectOperands(2) &&
         form.predicateDestination(form.operand(0), inst.dst) && form.source(1, inst.type, inst.src[0]);
}

} // namespace

bool decodeCompare(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name == "setp")
    return decodeSetp(form);
  if (name == "set")
    return decodeSet(form);
  if (name == "testp")
    return decodeProperty(form);
  if (name == "copysign") {
    inst.run = binary<copySign>;
    return form.takeType(inst.type) && (inst.type == Type::F32 || inst.type == Type::F64) &&
           form.operands(inst.type, {inst.type, inst.type});
  }
  return decodeSelect(form);
}

} // namespace tegula::runtime::ptx
