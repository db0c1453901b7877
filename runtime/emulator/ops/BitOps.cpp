// Logic, shifts and bit fields.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

uint64_t bitAnd(const Inst &, uint64_t a, uint64_t b) { return a & b; }
uint64_t bitOr(const Inst &, uint64_t a, uint64_t b) { return a | b; }
uint64_t bitXor(const Inst &, uint64_t a, uint64_t b) { return a ^ b; }
template <unsigned W> uint64_t bitNot(const Inst &, uint64_t a) { return ~a & lowMask(W); }
uint64_t logicalNot(const Inst &, uint64_t a) { return a == 0; }

/// Amounts beyond the width count as the width.
template <unsigned W> uint64_t shiftLeft(const Inst &, uint64_t a, uint64_t n) {
  return n >= W ? 0 : (a << n) & lowMask(W);
}
template <unsigned W> uint64_t shiftRightU(const Inst &, uint64_t a, uint64_t n) {
  return n >= W ? 0 : a >> n;
}
template <unsigned W> uint64_t shiftRightS(const Inst &, uint64_t a, uint64_t n) {
  return uint64_t(signExtend(a, W) >> std::min<uint64_t>(n, W - 1)) & lowMask(W);
}

/// 32 bits out of the pair (b above a).
template <bool Left> uint64_t funnel(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t n = inst.has(FlagWrap) ? c & 31 : std::min<uint64_t>(c, 32);
  const uint64_t pair = b << 32 | a;
  return Left ? (n == 32 ? a : pair << n >> 32) & lowMask(32) : (pair >> n) & lowMask(32);
}

uint64_t extractField(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  const unsigned width = bitsOf(inst.type);
  const unsigned start = fieldOperand(inst, b), length = fieldOperand(inst, c);
  if (length == 0)
    return 0;
  const uint64_t field = start >= width ? 0 : a >> start & lowMask(length);
  const unsigned signAt = std::min(start + length - 1, width - 1);
  const unsigned present = start >= width ? 0 : std::min(length, width - start);
  const bool fill = isSigned(inst.type) && (a >> signAt & 1);
  return (field | (fill ? ~lowMask(present) : 0)) & lowMask(width);
}

/// Four operands: field, base, start, length.
void insertField(Warp &warp, const Inst &inst) {
  const unsigned width = bitsOf(inst.type);
  forLanes(warp.mask, [&](uint32_t lane) {
    const uint64_t a = warp.row(inst.src[0])[lane], b = warp.row(inst.src[1])[lane];
    const unsigned start = fieldOperand(inst, warp.row(inst.src[2])[lane]);
    const unsigned length = fieldOperand(inst, warp.row(inst.src[3])[lane]);
    const uint64_t where = start >= width ? 0 : (lowMask(length) << start) & lowMask(width);
    warp.row(inst.dst)[lane] = (b & ~where) | (start >= width ? 0 : (a << start) & where);
  });
  warp.setDefined(inst.dst, warp.defined[inst.src[0]] & warp.defined[inst.src[1]] &
                                warp.defined[inst.src[2]] & warp.defined[inst.src[3]]);
}

uint64_t findBit(const Inst &inst, uint64_t a) {
  const unsigned width = bitsOf(inst.type);
  if (isSigned(inst.type) && signExtend(a, width) < 0)
    a = ~a & lowMask(width);
  if (a == 0)
    return lowMask(32);
  const unsigned at = 63 - unsigned(std::countl_zero(a));
  return inst.op ? width - 1 - at : at;
}

uint64_t reverseBits(const Inst &inst, uint64_t a) {
  const unsigned width = bitsOf(inst.type);
  uint64_t out = 0;
  for (unsigned i = 0; i < width; ++i)
    out |= (a >> i & 1) << (width - 1 - i);
  return out;
}
uint64_t leadingZeros(const Inst &inst, uint64_t a) {
  return uint64_t(std::countl_zero(a)) - (64 - bitsOf(inst.type));
}
uint64_t countBits(const Inst &, uint64_t a) { return uint64_t(std::popcount(a)); }

enum PermuteMode : uint8_t { Select, Forward4, Backward4, Replicate8, EdgeLeft, EdgeRight, Replicate16 };

/// The selector that a permute mode and its two-bit control stand for: four nibbles, low byte first.
unsigned permuteSelector(uint8_t mode, uint64_t c) {
  static constexpr unsigned table[7][4] = {{},
                                           {0x3210, 0x4321, 0x5432, 0x6543},
                                           {0x5670, 0x6701, 0x7012, 0x0123},
                                           {0x0000, 0x1111, 0x2222, 0x3333},
                                           {0x3210, 0x3211, 0x3222, 0x3333},
                                           {0x0000, 0x1110, 0x2210, 0x3210},
                                           {0x1010, 0x3232, 0x1010, 0x3232}};
  return mode == Select ? unsigned(c & 0xffff) : table[mode][c & 3];
}

uint64_t permute(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t pair = b << 32 | a;
  const unsigned selector = permuteSelector(inst.op, c);
  uint64_t out = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> (4 * i) & 15;
    uint64_t byte = pair >> (8 * (nibble & 7)) & 0xff;
    if (inst.op == Select && nibble & 8) // replicate the sign
      byte = byte & 0x80 ? 0xff : 0;
    out |= byte << (8 * i);
  }
  return out;
}

/// A byte of the result is defined where the byte that it comes from is.
void permuteBytes(Warp &warp, const Inst &inst) {
  const std::array<uint32_t, 8> a = warp.definedBytes(inst.src[0]), b = warp.definedBytes(inst.src[1]);
  const uint32_t selected = warp.defined[inst.src[2]];
  std::array<uint32_t, 8> bytes{};
  forLanes(warp.mask, [&](uint32_t lane) {
    const unsigned selector = permuteSelector(inst.op, warp.row(inst.src[2])[lane]);
    for (unsigned i = 0; i < 4; ++i) {
      const unsigned from = selector >> (4 * i) & 7;
      bytes[i] |= (from < 4 ? a[from] : b[from - 4]) & selected & uint32_t(1) << lane;
    }
  });
  ternary<permute>(warp, inst);
  warp.setDefinedBytes(inst.dst, bytes, 4);
}

/// Bit i of the table is the result where the operands' bits form i = 4a + 2b + c.
uint64_t anyLogic(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 8; ++i)
    if (inst.op >> i & 1)
      out |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return out & lowMask(32);
}

uint64_t bitMask(const Inst &inst, uint64_t start, uint64_t length) {
  if (inst.has(FlagWrap)) {
    start &= 31;
    length &= 31;
  }
  return start >= 32 ? 0 : (lowMask(unsigned(std::min<uint64_t>(length, 32))) << start) & lowMask(32);
}

/// Operation of `predicateLogic`, in `Inst::op`.
enum PredicateOperator : uint8_t { And, Or, Xor, Not };

/// and, or, xor, not on predicates. `combine` has a bit for each operand that is negated, `!p`.
void predicateLogic(Warp &warp, const Inst &inst) {
  const auto value = [&](unsigned slot) {
    const uint32_t bits = warp.predicates[inst.src[slot]];
    return inst.combine >> slot & 1 ? ~bits : bits;
  };
  const uint32_t a = value(0), aDefined = warp.predicateDefined[inst.src[0]];
  if (inst.op == Not) {
    warp.setPredicate(inst.dst, ~a, aDefined);
    return;
  }
  const uint32_t b = value(1), bDefined = warp.predicateDefined[inst.src[1]];
  // A false operand decides an `and` whatever the other is, a true one an `or`.
  if (inst.op == And)
    warp.setPredicate(inst.dst, a & b, (aDefined & bDefined) | (aDefined & ~a) | (bDefined & ~b));
  else if (inst.op == Or)
    warp.setPredicate(inst.dst, a | b, (aDefined & bDefined) | (aDefined & a) | (bDefined & b));
  else
    warp.setPredicate(inst.dst, a ^ b, aDefined & bDefined);
}

template <auto F> constexpr Handler byteForByte = byBytes<unary<F>, copiedBytes, 1>;

template <auto F> void leftward(Warp &warp, const Inst &inst) {
  byBytes<binary<F>, shiftedLeftBytes, 2>(warp, inst);
}
template <auto F> void rightward(Warp &warp, const Inst &inst) {
  byBytes<binary<F>, shiftedRightBytes, 2>(warp, inst);
}

#define TEGULA_BY_WIDTH(shape, name)                                                                         \
  (width == 16 ? shape<name<16>> : width == 32 ? shape<name<32>> : shape<name<64>>)

bool decodeLogic(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  const bool isNot = name == "not";
  if (!form.takeType(inst.type))
    return false;
  if (inst.type == Type::Pred) {
    inst.op = name == "and" ? And : name == "or" ? Or : name == "xor" ? Xor : Not;
    inst.run = predicateLogic;
    if (!form.expectOperands(isNot ? 2 : 3) || !form.predicateDestination(form.operand(0), inst.dst))
      return false;
    for (unsigned slot = 0; slot < (isNot ? 1u : 2u); ++slot) {
      bool negated = false;
      if (!form.predicate(slot + 1, inst.src[slot], negated))
        return false;
      inst.combine |= uint8_t(negated) << slot;
    }
    return true;
  }
  const unsigned width = bitsOf(inst.type);
  if (!isUntyped(inst.type) || width < 16 || width > 64)
    return false;
  if (isNot || name == "cnot") {
    inst.run = isNot ? TEGULA_BY_WIDTH(byteForByte, bitNot) : unary<logicalNot>;
    return form.operands(inst.type, {inst.type});
  }
  inst.op = uint8_t(name == "and" ? Logic::And : name == "or" ? Logic::Or : Logic::Xor);
  inst.run = name == "and"  ? byBytes<binary<bitAnd>, combinedBytes, 2>
             : name == "or" ? byBytes<binary<bitOr>, combinedBytes, 2>
                            : byBytes<binary<bitXor>, combinedBytes, 2>;
  return form.operands(inst.type, {inst.type, inst.type});
}

bool decodeShift(Form &form) {
  Inst &inst = form.inst;
  if (!form.takeType(inst.type))
    return false;
  const unsigned width = bitsOf(inst.type);
  if (width < 16 || width > 64 || !(isInteger(inst.type) || isUntyped(inst.type)))
    return false;
  if (form.opcode() == "shl")
    inst.run = TEGULA_BY_WIDTH(leftward, shiftLeft);
  else
    inst.run = isSigned(inst.type) ? TEGULA_BY_WIDTH(rightward, shiftRightS)
                                   : TEGULA_BY_WIDTH(rightward, shiftRightU);
  return form.operands(inst.type, {inst.type, Type::U32});
}

bool decodeFunnel(Form &form) {
  Inst &inst = form.inst;
  const bool left = form.take("l");
  if ((!left && !form.take("r")) || !form.takeWrap())
    return false;
  inst.run = left ? ternary<funnel<true>> : ternary<funnel<false>>;
  return form.takeType(inst.type) && inst.type == Type::B32 &&
         form.operands(Type::B32, {Type::B32, Type::B32, Type::U32});
}

bool decodeField(Form &form) {
  Inst &inst = form.inst;
  const bool insert = form.opcode() == "bfi";
  if (!form.takeType(inst.type) || bitsOf(inst.type) < 32 || bitsOf(inst.type) > 64 ||
      !(insert ? isUntyped(inst.type) : isInteger(inst.type)))
    return false;
  inst.run =
      insert ? byBytes<insertField, insertedBytes, 4> : byBytes<ternary<extractField>, extractedBytes, 3>;
  return insert ? form.operands(inst.type, {inst.type, inst.type, Type::U32, Type::U32})
                : form.operands(inst.type, {inst.type, Type::U32, Type::U32});
}

/// bfind, brev, clz, popc: all but brev give 32 bits whatever they read.
bool decodeCount(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  inst.op = name == "bfind" && form.take("shiftamt");
  if (!form.takeType(inst.type) || bitsOf(inst.type) < 32 || bitsOf(inst.type) > 64)
    return false;
  inst.run = name == "bfind"  ? unary<findBit>
             : name == "brev" ? unary<reverseBits>
             : name == "clz"  ? unary<leadingZeros>
                              : unary<countBits>;
  return form.operands(name == "brev" ? inst.type : Type::U32, {inst.type});
}

bool decodePermute(Form &form) {
  Inst &inst = form.inst;
  static constexpr std::pair<std::string_view, PermuteMode> modes[] = {
      {"f4e", Forward4}, {"b4e", Backward4}, {"rc8", Replicate8},
      {"ecl", EdgeLeft}, {"ecr", EdgeRight}, {"rc16", Replicate16}};
  form.takeOneOf(modes, inst.op);
  inst.run = permuteBytes;
  return form.takeType(inst.type) && inst.type == Type::B32 &&
         form.operands(Type::B32, {Type::B32, Type::B32, Type::B32});
}

bool decodeAnyLogic(Form &form) {
  Inst &inst = form.inst;
  uint64_t table = 0;
  if (!form.takeType(inst.type) || inst.type != Type::B32 || !form.expectOperands(5) ||
      !form.immediate(4, table, "a table of 8 bits"))
    return false;
  inst.op = uint8_t(table);
  inst.run = byBytes<ternary<anyLogic>, elementBytes<3, 1>, 3>;
  return form.destination(0, Type::B32, inst.dst) && form.sources(1, {Type::B32, Type::B32, Type::B32});
}

bool decodeMask(Form &form) {
  Inst &inst = form.inst;
  inst.run = binary<bitMask>;
  return form.takeWrap() && form.takeType(inst.type) && inst.type == Type::B32 &&
         form.operands(Type::B32, {Type::B32, Type::B32});
}

#undef TEGULA_BY_WIDTH

} // namespace

bool decodeBits(Form &form) {
  const std::string_view name = form.opcode();
  if (name == "shl" || name == "shr")
    return decodeShift(form);
  if (name == "shf")
    return decodeFunnel(form);
  if (name == "bfe" || name == "bfi")
    return decodeField(form);
  if (name == "prmt")
    return decodePermute(form);
  if (name == "lop3")
    return decodeAnyLogic(form);
  if (name == "bmsk")
    return decodeMask(form);
  if (name == "bfind" || name == "brev" || name == "clz" || name == "popc")
    return decodeCount(form);
  return decodeLogic(form);
}

} // namespace tegula::runtime::ptx
