// Integer arithmetic: add, sub, mul, mad, div, rem, abs, neg, min, max, sad, dp4a, and carries.

#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace tegula::runtime::ptx {

namespace {

template <unsigned W> uint64_t add(const Inst &, uint64_t a, uint64_t b) { return (a + b) & lowMask(W); }
template <unsigned W> uint64_t sub(const Inst &, uint64_t a, uint64_t b) { return (a - b) & lowMask(W); }
template <unsigned W> uint64_t mulLo(const Inst &, uint64_t a, uint64_t b) { return (a * b) & lowMask(W); }
template <unsigned W> uint64_t madLo(const Inst &, uint64_t a, uint64_t b, uint64_t c) {
  return (a * b + c) & lowMask(W);
}
template <unsigned W> uint64_t neg(const Inst &, uint64_t a) { return (0 - a) & lowMask(W); }

/// The number that the bits of an operand are.
template <unsigned W, bool Signed> auto numberOf(uint64_t bits) {
  if constexpr (Signed)
    return signExtend(bits, W);
  else
    return bits;
}

constexpr bool isMinusOne(int64_t number) { return number == -1; }
constexpr bool isMinusOne(uint64_t) { return false; }

template <unsigned W, bool Signed> uint64_t mulHi(const Inst &, uint64_t a, uint64_t b) {
  using Wide = std::conditional_t<Signed, __int128, unsigned __int128>;
  return uint64_t((Wide(numberOf<W, Signed>(a)) * numberOf<W, Signed>(b)) >> W) & lowMask(W);
}
/// The full product of W-bit operands, in 2W bits.
template <unsigned W, bool Signed> uint64_t mulWide(const Inst &, uint64_t a, uint64_t b) {
  return uint64_t(numberOf<W, Signed>(a) * numberOf<W, Signed>(b)) & lowMask(2 * W);
}
/// The part of a product that a multiplication gives, in `Inst::op`.
enum ProductPart : uint8_t { LowHalf, HighHalf, Whole };

/// A part of the product of operands of `inst.type`.
uint64_t productPart(const Inst &inst, ProductPart part, uint64_t a, uint64_t b) {
  const unsigned width = bitsOf(inst.type);
  const auto product =
      isSigned(inst.type)
          ? static_cast<unsigned __int128>(static_cast<__int128>(signExtend(a, width)) * signExtend(b, width))
          : static_cast<unsigned __int128>(a) * b;
  return uint64_t(part == HighHalf ? product >> width : product) & lowMask(part == Whole ? 2 * width : width);
}

/// High halves and wide products with an addend; rare enough to decide by `inst`.
uint64_t madOther(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  const unsigned width = bitsOf(inst.type);
  if (inst.op == Whole)
    return (productPart(inst, Whole, a, b) + c) & lowMask(2 * width);
  const uint64_t high = productPart(inst, HighHalf, a, b);
  if (inst.has(FlagSat))
    return uint64_t(std::clamp<int64_t>(signExtend(high, 32) + signExtend(c, 32), INT32_MIN, INT32_MAX)) &
           lowMask(32);
  return (high + c) & lowMask(width);
}

template <bool Subtract> uint64_t addSat32(const Inst &, uint64_t a, uint64_t b) {
  const int64_t x = signExtend(a, 32), y = signExtend(b, 32);
  return uint64_t(std::clamp<int64_t>(Subtract ? x - y : x + y, INT32_MIN, INT32_MAX)) & lowMask(32);
}

/// Division by zero gives all ones; the smallest number by -1 gives itself.
template <unsigned W, bool Signed> uint64_t divide(const Inst &, uint64_t a, uint64_t b) {
  const auto x = numberOf<W, Signed>(a), y = numberOf<W, Signed>(b);
  if (y == 0)
    return lowMask(W);
  return (isMinusOne(y) ? 0 - uint64_t(x) : uint64_t(x / y)) & lowMask(W);
}
/// The remainder by zero is the dividend.
template <unsigned W, bool Signed> uint64_t remainder(const Inst &, uint64_t a, uint64_t b) {
  const auto x = numberOf<W, Signed>(a), y = numberOf<W, Signed>(b);
  if (y == 0)
    return a;
  return (isMinusOne(y) ? 0 : uint64_t(x % y)) & lowMask(W);
}

template <unsigned W> uint64_t absS(const Inst &, uint64_t a) {
  return signExtend(a, W) < 0 ? (0 - a) & lowMask(W) : a;
}
template <unsigned W, bool Signed> uint64_t lesser(const Inst &, uint64_t a, uint64_t b) {
  return numberOf<W, Signed>(a) < numberOf<W, Signed>(b) ? a : b;
}
template <unsigned W, bool Signed> uint64_t greater(const Inst &, uint64_t a, uint64_t b) {
  return numberOf<W, Signed>(a) < numberOf<W, Signed>(b) ? b : a;
}
template <bool Max> uint64_t reluS32(const Inst &inst, uint64_t a, uint64_t b) {
  const uint64_t result = Max ? greater<32, true>(inst, a, b) : lesser<32, true>(inst, a, b);
  return signExtend(result, 32) < 0 ? 0 : result;
}

uint64_t sad(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  const unsigned width = bitsOf(inst.type);
  const bool less = isSigned(inst.type) ? signExtend(a, width) < signExtend(b, width) : a < b;
  return (c + (less ? b - a : a - b)) & lowMask(width);
}

/// dp4a and dp2a: the elements of `a` by as many bytes of `b`, of its upper half where `op` says so.
template <unsigned Count> uint64_t dotProduct(const Inst &inst, uint64_t a, uint64_t b, uint64_t c) {
  constexpr unsigned width = 32 / Count;
  const unsigned first = inst.op == HighHalf ? Count : 0;
  for (unsigned i = 0; i < Count; ++i) {
    const uint64_t x = a >> (width * i) & lowMask(width), y = b >> (8 * (first + i)) & 0xff;
    c += uint64_t((isSigned(inst.type) ? signExtend(x, width) : int64_t(x)) *
                  (isSigned(inst.from) ? signExtend(y, 8) : int64_t(y)));
  }
  return c & lowMask(32);
}

/// One step of a chain of additions, which hands a carry from part to part of a wide integer.
struct ChainStep final : InstData {
  bool subtracts = false, takesCarry = false, leavesCarry = false;
  std::optional<ProductPart> product; ///< of mad: what it adds to
};

/// Shapes for results whose lower bytes do not depend on the operands' upper ones.
template <auto F> constexpr Handler unaryUpwards = byBytes<unary<F>, carriedBytes<1>, 1>;
template <auto F> constexpr Handler binaryUpwards = byBytes<binary<F>, carriedBytes<2>, 2>;
template <auto F> constexpr Handler ternaryUpwards = byBytes<ternary<F>, carriedBytes<3>, 3>;

/// add.cc, addc, sub.cc, subc, mad.cc, madc.
void carried(Warp &warp, const Inst &inst) {
  const auto &step = inst.dataAs<ChainStep>();
  const unsigned width = bitsOf(inst.type);
  uint32_t carries = 0;
  uint32_t definedBits = warp.defined[inst.src[0]] & warp.defined[inst.src[1]];
  if (step.product)
    definedBits &= warp.defined[inst.src[2]];
  forLanes(warp.mask, [&](uint32_t lane) {
    uint64_t a = warp.row(inst.src[0])[lane];
    uint64_t b = warp.row(inst.src[1])[lane];
    if (step.product) {
      a = productPart(inst, *step.product, a, b);
      b = warp.row(inst.src[2])[lane];
    }
    uint64_t in = step.takesCarry ? warp.carry >> lane & 1 : 0;
    if (step.subtracts) { // a - b - borrow = a + ~b + 1 - borrow; the flag holds the borrow
      b = ~b & lowMask(width);
      in = 1 - in;
    }
    const unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + in;
    const uint64_t out = uint64_t(sum >> width) & 1;
    carries |= uint32_t(step.subtracts ? 1 - out : out) << lane;
    warp.row(inst.dst)[lane] = uint64_t(sum) & lowMask(width);
  });
  warp.setDefined(inst.dst, definedBits);
  if (step.leavesCarry)
    warp.carry = (warp.carry & ~warp.mask) | carries;
}

#define TEGULA_BY_WIDTH(shape, name)                                                                         \
  (width == 16 ? shape<name<16>> : width == 32 ? shape<name<32>> : shape<name<64>>)
#define TEGULA_BY_TYPE(shape, name)                                                                          \
  (isSigned(inst.type) ? (width == 16   ? shape<name<16, true>>                                              \
                          : width == 32 ? shape<name<32, true>>                                              \
                                        : shape<name<64, true>>)                                             \
                       : (width == 16   ? shape<name<16, false>>                                             \
                          : width == 32 ? shape<name<32, false>>                                             \
                                        : shape<name<64, false>>))

bool threeOperands(Form &form, Type type) { return form.operands(type, {type, type}); }

bool decodeMultiply(Form &form, bool add) {
  Inst &inst = form.inst;
  const bool low = form.take("lo"), high = !low && form.take("hi"), wide = !low && !high && form.take("wide");
  form.takeFlag("sat", FlagSat);
  const bool out = form.take("cc"), in = form.opcode() == "madc";
  if (!low && !high && !wide)
    return false;
  if (!form.takeType(inst.type) || !isInteger(inst.type) || (wide && bitsOf(inst.type) == 64))
    return false;
  if (inst.has(FlagSat) && !(high && add && inst.type == Type::S32))
    return false;
  const unsigned width = bitsOf(inst.type);
  const Type result = !wide ? inst.type : width == 16 ? Type::B32 : Type::B64;
  if (add ? !form.operands(result, {inst.type, inst.type, result})
          : !form.operands(result, {inst.type, inst.type}))
    return false;
  inst.op = wide ? Whole : high ? HighHalf : LowHalf;
  if (in || out) {
    auto &step = form.addData<ChainStep>();
    step.takesCarry = in;
    step.leavesCarry = out;
    step.product = low ? LowHalf : HighHalf;
    inst.run = carried;
    return add && !wide && width >= 32 && !inst.has(FlagSat);
  }
  if (add)
    inst.run = low ? TEGULA_BY_WIDTH(ternaryUpwards, madLo) : ternary<madOther>;
  else if (low)
    inst.run = TEGULA_BY_WIDTH(binaryUpwards, mulLo);
  else if (high)
    inst.run = TEGULA_BY_TYPE(binary, mulHi);
  else if (width == 16)
    inst.run = isSigned(inst.type) ? binary<mulWide<16, true>> : binary<mulWide<16, false>>;
  else
    inst.run = isSigned(inst.type) ? binary<mulWide<32, true>> : binary<mulWide<32, false>>;
  return true;
}

bool decodeAddition(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  const bool subtract = name == "sub" || name == "subc", in = name == "addc" || name == "subc";
  const bool out = form.take("cc");
  form.takeFlag("sat", FlagSat);
  if (!form.takeType(inst.type) || !isInteger(inst.type) || bitsOf(inst.type) < 16 ||
      !threeOperands(form, inst.type))
    return false;
  const unsigned width = bitsOf(inst.type);
  if (in || out) {
    auto &step = form.addData<ChainStep>();
    step.subtracts = subtract;
    step.takesCarry = in;
    step.leavesCarry = out;
    inst.run = carried;
    return width >= 32 && !inst.has(FlagSat);
  }
  if (inst.has(FlagSat)) {
    inst.run = subtract ? binary<addSat32<true>> : binary<addSat32<false>>;
    return inst.type == Type::S32;
  }
  inst.run = subtract ? TEGULA_BY_WIDTH(binaryUpwards, sub) : TEGULA_BY_WIDTH(binaryUpwards, add);
  return true;
}

bool decodeDotProduct(Form &form) {
  Inst &inst = form.inst;
  if (form.opcode() == "dp2a") {
    inst.op = form.take("hi") ? HighHalf : LowHalf;
    if (inst.op == LowHalf && !form.take("lo"))
      return false;
  }
  inst.run = form.opcode() == "dp4a" ? ternary<dotProduct<4>> : ternary<dotProduct<2>>;
  return form.takeType(inst.type) && form.takeType(inst.from) && isInteger(inst.type) &&
         isInteger(inst.from) && bitsOf(inst.type) == 32 && bitsOf(inst.from) == 32 &&
         form.operands(Type::B32, {Type::B32, Type::B32, Type::B32});
}

bool decodeMinMax(Form &form) {
  Inst &inst = form.inst;
  const bool max = form.opcode() == "max", relu = form.take("relu");
  if (!form.takeType(inst.type) || !isInteger(inst.type) || bitsOf(inst.type) < 16 ||
      !threeOperands(form, inst.type))
    return false;
  const unsigned width = bitsOf(inst.type);
  if (relu) {
    inst.run = max ? binary<reluS32<true>> : binary<reluS32<false>>;
    return inst.type == Type::S32;
  }
  inst.run = max ? TEGULA_BY_TYPE(binary, greater) : TEGULA_BY_TYPE(binary, lesser);
  return true;
}

} // namespace

bool decodeInteger(Form &form) {
  Inst &inst = form.inst;
  const std::string_view name = form.opcode();
  if (name == "mul" || name == "mad" || name == "madc")
    return decodeMultiply(form, name != "mul");
  if (name == "add" || name == "sub" || name == "addc" || name == "subc")
    return decodeAddition(form);
  if (name == "dp4a" || name == "dp2a")
    return decodeDotProduct(form);
  if (name == "min" || name == "max")
    return decodeMinMax(form);
  if (!form.takeType(inst.type) || !isInteger(inst.type) || bitsOf(inst.type) < 16)
    return false;
  const unsigned width = bitsOf(inst.type);
  if (name == "div" || name == "rem") {
    inst.run = name == "div" ? TEGULA_BY_TYPE(binary, divide) : TEGULA_BY_TYPE(binary, remainder);
    return threeOperands(form, inst.type);
  }
  if (name == "abs" || name == "neg") {
    inst.run = name == "abs" ? TEGULA_BY_WIDTH(unary, absS) : TEGULA_BY_WIDTH(unaryUpwards, neg);
    return isSigned(inst.type) && form.operands(inst.type, {inst.type});
  }
  if (name == "sad") {
    inst.run = ternary<sad>;
    return form.operands(inst.type, {inst.type, inst.type, inst.type});
  }
  return false;
}

#undef TEGULA_BY_WIDTH
#undef TEGULA_BY_TYPE

} // namespace tegula::runtime::ptx
