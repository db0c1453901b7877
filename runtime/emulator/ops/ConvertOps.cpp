// cvt between all scalar types, the packing forms of cvt, and szext.

#include "runtime/emulator/numeric/Fp8.h"
#include "runtime/emulator/ops/DefinedBytes.h"
#include "runtime/emulator/ops/FloatMath.h"
#include "runtime/emulator/ops/Lanewise.h"
#include "runtime/emulator/ops/Opcodes.h"

#include <algorithm>

namespace tegula::runtime::ptx {

namespace {

/// `value` in an integer of `width` bits, clamped; NaN gives 0, or the top bit where double or 64 bits
/// are involved.
uint64_t clampToInteger(double value, unsigned width, bool isSignedType, bool wideNan) {
  if (value != value)
    return wideNan ? uint64_t(1) << (width - 1) : 0;
  const double low = isSignedType ? -std::ldexp(1.0, int(width) - 1) : 0;
  const double high = std::ldexp(1.0, isSignedType ? int(width) - 1 : int(width)); // one past the greatest
  if (value < low)
    return isSignedType ? uint64_t(1) << (width - 1) : 0;
  if (value >= high)
    return isSignedType ? lowMask(width - 1) : lowMask(width);
  return (isSignedType ? uint64_t(int64_t(value)) : uint64_t(value)) & lowMask(width);
}

uint64_t floatToInteger(const Inst &inst, uint64_t bits) {
  const Format &format = formatOf(inst.from);
  if (inst.has(FlagFtz))
    bits = flushSubnormal(bits, format);
  const unsigned width = bitsOf(inst.type);
  const bool wideNan = inst.from == Type::F64 || width == 64;
  const double rounded = roundToIntegral(toDouble(bits, format), inst.rounding);
  return clampToInteger(rounded, width, isSigned(inst.type), wideNan);
}

uint64_t integerToFloat(const Inst &inst, uint64_t bits) {
  const unsigned width = bitsOf(inst.from);
  bits &= lowMask(width);
  const bool negative = isSigned(inst.from) && signExtend(bits, width) < 0;
  const uint64_t magnitude = negative ? 0 - uint64_t(signExtend(bits, width)) : bits;
  const uint64_t out = integerTo(negative, magnitude, formatOf(inst.type), inst.rounding);
  if (!inst.has(FlagSat))
    return out;
  const double value = toDouble(out, formatOf(inst.type));
  return roundTo(std::clamp(value, 0.0, 1.0), formatOf(inst.type), Rounding::Nearest);
}

uint64_t integerToInteger(const Inst &inst, uint64_t bits) {
  const unsigned from = bitsOf(inst.from), to = bitsOf(inst.type);
  bits &= lowMask(from);
  if (!inst.has(FlagSat))
    return isSigned(inst.from) ? uint64_t(signExtend(bits, from)) & lowMask(to) : bits & lowMask(to);
  const __int128 value = isSigned(inst.from) ? __int128(signExtend(bits, from)) : __int128(bits);
  const __int128 low = isSigned(inst.type) ? -(__int128(1) << (to - 1)) : 0;
  const __int128 high = (__int128(1) << (isSigned(inst.type) ? to - 1 : to)) - 1;
  return uint64_t(std::clamp(value, low, high)) & lowMask(to);
}

/// .satfinite: infinities and overflow become the largest number.
uint64_t makeFinite(uint64_t bits, const Format &format) {
  if (format.isNan(bits))
    return format.nan;
  return (bits & ~format.sign()) == format.infinity() ? bits - 1 : bits;
}

/// NaNs keep sign and payload where double is involved and in the move from bf16 to f32; other
/// conversions give the one NaN of the format.
uint64_t nanToFloat(const Inst &inst, uint64_t bits) {
  const Format &from = formatOf(inst.from), &to = formatOf(inst.type);
  if (inst.has(FlagFtz) && from == single)
    bits = single.nan;
  if (inst.type == Type::TF32)
    return to.nan << 13;
  if (from == bfloat && to == single)
    return bits << 16; // a move, which does not even make the NaN quiet
  if (from == doubleFormat || to == doubleFormat)
    return convertNan(bits, from, to);
  return to.nan;
}

uint64_t floatToFloat(const Inst &inst, uint64_t bits) {
  const Format &from = formatOf(inst.from), &to = formatOf(inst.type);
  bits &= lowMask(unsigned(from.bits));
  if (from.isNan(bits) && !inst.has(FlagSat))
    return nanToFloat(inst, bits);
  // .ftz is about single-precision values, whichever side they are on.
  if (inst.has(FlagFtz) && from == single)
    bits = flushSubnormal(bits, from);
  double value = toDouble(bits, from);
  if (inst.op) // a rounding to an integral value
    value = roundToIntegral(value, inst.rounding);
  uint64_t out = roundTo(value, to, inst.op ? Rounding::Nearest : inst.rounding);
  if (inst.has(FlagFtz) && to == single)
    out = flushSubnormal(out, to);
  if (inst.has(FlagSat)) {
    const double clamped = value != value ? 0.0 : std::clamp(toDouble(out, to), 0.0, 1.0);
    out = roundTo(clamped == 0 ? 0.0 : clamped, to, Rounding::Nearest);
  }
  if (inst.has(FlagRelu) && !to.isNan(out) && out & to.sign())
    out = 0;
  if (inst.has(FlagFinite))
    out = makeFinite(out, to);
  return inst.type == Type::TF32 ? out << 13 : out;
}

uint64_t convert(const Inst &inst, uint64_t bits) {
  const bool fromFloat = isFloat(inst.from), toFloat = isFloat(inst.type) || inst.type == Type::TF32;
  uint64_t out;
  if (toFloat)
    out = fromFloat ? floatToFloat(inst, bits) : integerToFloat(inst, bits);
  else
    out = fromFloat ? floatToInteger(inst, bits & lowMask(bitsOf(inst.from))) : integerToInteger(inst, bits);
  // A register wider than the type gets the value extended.
  if (isSigned(inst.type))
    out = uint64_t(signExtend(out, bitsOf(inst.type))) & lowMask(inst.bytes);
  return out;
}

// The pairs that address arithmetic and mixed precision need often.
uint64_t signedToWide(const Inst &, uint64_t bits) { return uint64_t(signExtend(bits, 32)); }
uint64_t copyWide(const Inst &, uint64_t bits) { return bits; }
uint64_t copyNarrow(const Inst &, uint64_t bits) { return bits & lowMask(32); }
uint64_t floatToWide(const Inst &, uint64_t bits) {
  return single.isNan(bits) ? convertNan(bits, single, doubleFormat) : bitsOfDouble(double(asFloat(bits)));
}

/// cvt.rn.f16x2.f32 d, a, b: a in the upper half.
uint64_t packPair(const Inst &inst, uint64_t a, uint64_t b) {
  Inst scalar = inst;
  scalar.type = inst.type == Type::F16x2 ? Type::F16 : Type::BF16;
  return floatToFloat(scalar, a) << 16 | floatToFloat(scalar, b);
}

// In an `Inst` of a conversion from or to pairs of 8 bits, `op` is their format.

uint64_t eightBits(const Inst &inst, double value) {
  // -0 becomes +0 like a negative number; a NaN is not made zero.
  return roundToFp8(inst.has(FlagRelu) && value <= 0 ? 0.0 : value, Fp8(inst.op));
}

/// cvt.rn.satfinite.e4m3x2.f32 d, a, b: a in the upper byte.
uint64_t packEights(const Inst &inst, uint64_t a, uint64_t b) {
  return eightBits(inst, double(asFloat(a))) << 8 | eightBits(inst, double(asFloat(b)));
}

uint64_t halvesToEights(const Inst &inst, uint64_t bits) {
  return eightBits(inst, toDouble(bits >> 16 & 0xffff, half)) << 8 |
         eightBits(inst, toDouble(bits & 0xffff, half));
}

uint64_t eightsToHalves(const Inst &inst, uint64_t bits) {
  const auto convertOne = [&](uint64_t element) {
    const double value = double(fp8Value(Fp8(inst.op), uint8_t(element)));
    return roundTo(inst.has(FlagRelu) && value <= 0 ? 0.0 : value, half, Rounding::Nearest); // exact
  };
  return convertOne(bits >> 8) << 16 | convertOne(bits);
}

uint64_t extendBits(const Inst &inst, uint64_t a, uint64_t length) {
  length = inst.has(FlagWrap) ? length & 31 : std::min<uint64_t>(length, 32);
  if (isSigned(inst.type) && length > 0)
    return uint64_t(signExtend(a, unsigned(length))) & lowMask(32);
  return a & lowMask(unsigned(length));
}

Handler convertHandler(const Inst &inst) {
  if (inst.flags == 0 && inst.bytes == bitsOf(inst.type)) {
    if (bitsOf(inst.type) == 64 && inst.from == Type::S32)
      return isInteger(inst.type) ? byBytes<unary<signedToWide>, convertedBytes, 1> : unary<convert>;
    if (bitsOf(inst.type) == 64 && inst.from == Type::U32)
      return isInteger(inst.type) ? byBytes<unary<copyWide>, convertedBytes, 1> : unary<convert>;
    if (isInteger(inst.type) && bitsOf(inst.type) == 32 && isInteger(inst.from) && bitsOf(inst.from) == 64)
      return byBytes<unary<copyNarrow>, convertedBytes, 1>;
    if (inst.type == Type::F64 && inst.from == Type::F32 && !inst.op)
      return unary<floatToWide>;
  }
  if (isInteger(inst.type) && isInteger(inst.from) && !inst.has(FlagSat))
    return byBytes<unary<convert>, convertedBytes, 1>;
  return unary<convert>;
}

bool takeIntegral(Form &form) {
  static constexpr std::pair<std::string_view, Rounding> modes[] = {
      {"rni", Rounding::Nearest}, {"rzi", Rounding::Zero}, {"rmi", Rounding::Down}, {"rpi", Rounding::Up}};
  return form.takeOneOf(modes, form.inst.rounding);
}

bool decodePair(Form &form) {
  Inst &inst = form.inst;
  inst.run = binary<packPair>;
  return inst.from == Type::F32 && inst.rounding != Rounding::Down && inst.rounding != Rounding::Up &&
         form.operands(inst.type, {inst.from, inst.from});
}

bool takeEights(Form &form) {
  form.inst.op = uint8_t(Fp8::E5M2);
  if (form.take("e5m2x2"))
    return true;
  form.inst.op = uint8_t(Fp8::E4M3);
  return form.take("e4m3x2");
}

/// cvt.rn.satfinite{.relu}.e4m3x2.f32 and .f16x2, cvt.rn{.relu}.f16x2.e4m3x2; the same for e5m2x2.
bool decodeEights(Form &form, bool toEights) {
  Inst &inst = form.inst;
  if (inst.rounding != Rounding::Nearest || inst.has(FlagFinite) != toEights || !form.takeType(inst.type) ||
      inst.flags & ~(FlagFinite | FlagRelu))
    return false;
  if (!toEights) {
    inst.run = unary<eightsToHalves>;
    return inst.type == Type::F16x2 && form.operands(Type::B32, {Type::B16});
  }
  if (inst.type == Type::F16x2) {
    inst.run = unary<halvesToEights>;
    return form.operands(Type::B16, {Type::B32});
  }
  inst.run = binary<packEights>;
  return inst.type == Type::F32 && form.operands(Type::B16, {Type::F32, Type::F32});
}

bool decodeExtend(Form &form) {
  Inst &inst = form.inst;
  inst.run = binary<extendBits>;
  return form.takeWrap() && form.takeType(inst.type) && isInteger(inst.type) && bitsOf(inst.type) == 32 &&
         form.operands(inst.type, {inst.type, Type::U32});
}

} // namespace

bool decodeConvert(Form &form) {
  Inst &inst = form.inst;
  if (form.opcode() == "szext")
    return decodeExtend(form);
  const bool integral = takeIntegral(form);
  const bool away = !integral && form.take("rna");
  const bool rounded = !integral && !away && form.takeRounding();
  if (away)
    inst.rounding = Rounding::NearestAway;
  form.takeFlag("ftz", FlagFtz);
  form.takeFlag("sat", FlagSat);
  form.takeFlag("relu", FlagRelu);
  form.takeFlag("satfinite", FlagFinite);
  const std::string_view first = form.modifiersLeft().empty() ? "" : form.modifiersLeft().front();
  if (takeEights(form))
    return rounded && decodeEights(form, first.starts_with('e'));
  inst.op = 0;
  if (!form.takeType(inst.type) || !form.takeType(inst.from))
    return false;
  if (inst.type == Type::F16x2 || inst.type == Type::BF16x2)
    return rounded && decodePair(form);
  const bool fromFloat = isFloat(inst.from), toFloat = isFloat(inst.type) || inst.type == Type::TF32;
  if (!(fromFloat || isInteger(inst.from)) || !(toFloat || isInteger(inst.type)))
    return false;
  if (inst.type == Type::TF32 && inst.from != Type::F32)
    return false;
  // Rounding is required exactly where the conversion can be inexact.
  if (fromFloat && !toFloat && !integral)
    return form.fail("expected .rni, .rzi, .rmi or .rpi in a conversion to an integer");
  if (!fromFloat && toFloat && !rounded)
    return form.fail("expected .rn, .rz, .rm or .rp in a conversion from an integer");
  if (!fromFloat && !toFloat && (integral || rounded || away))
    return false;
  inst.op = integral && toFloat;
  inst.bytes = uint8_t(std::max(form.registerBits(0, inst.type), bitsOf(inst.type)));
  inst.run = convertHandler(inst);
  return form.expectOperands(2) && form.destination(0, inst.type, inst.dst, true) &&
         form.source(1, inst.from, inst.src[0], true);
}

} // namespace tegula::runtime::ptx
