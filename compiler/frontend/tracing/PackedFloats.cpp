#include "compiler/frontend/tracing/PackedFloats.h"

#include "compiler/spec/SmallFloat.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;

namespace {

constexpr Dtype bits32{ScalarKind::Int32}, float32{ScalarKind::Float32}, truth1{ScalarKind::Int1};
constexpr unsigned fractionOf32 = 23, biasOf32 = 127;

/// Arithmetic on words of 32 bits, all of one shape.
struct Words {
  Emitter &emit;
  Shape shape;

  Tensor word(int64_t value) { return emit.constant(Int(value), bits32, shape); }
  template <typename Op> Tensor make(Tensor a, Tensor b) { return {emit.make<Op>(a.ir, b.ir), bits32}; }
  Tensor add(Tensor a, Tensor b) { return make<arith::AddIOp>(a, b); }
  Tensor subtract(Tensor a, Tensor b) { return make<arith::SubIOp>(a, b); }
  Tensor both(Tensor a, int64_t mask) { return make<arith::AndIOp>(a, word(mask)); }
  Tensor either(Tensor a, Tensor b) { return make<arith::OrIOp>(a, b); }
  Tensor left(Tensor a, unsigned by) { return make<arith::ShLIOp>(a, word(by)); }
  Tensor right(Tensor a, Tensor by) { return make<arith::ShRUIOp>(a, by); }
  Tensor right(Tensor a, unsigned by) { return right(a, word(by)); }
  Tensor least(Tensor a, int64_t b) { return make<arith::MinUIOp>(a, word(b)); }
  Tensor most(Tensor a, int64_t b) { return make<arith::MaxUIOp>(a, word(b)); }
  Tensor compare(arith::CmpIPredicate how, Tensor a, int64_t b) {
    return {emit.make<arith::CmpIOp>(how, a.ir, word(b).ir), truth1};
  }
  Tensor select(Tensor which, Tensor a, Tensor b) {
    return {emit.make<arith::SelectOp>(which.ir, a.ir, b.ir), a.dtype};
  }
};

} // namespace

Tensor eval::unpackFloats(Emitter &emit, Tensor packed) {
  const SmallFloat &format = smallFloat(packed.dtype.scalar);
  Words words{emit, packed.shape()};
  Tensor code = emit.cast(emit.bitcast(packed, {ScalarKind::UInt8}), bits32);
  Tensor magnitude = words.both(code, 0x7f);
  // The fraction and the exponent stand side by side in both formats.
  Tensor normal = words.add(words.left(magnitude, fractionOf32 - unsigned(format.fraction)),
                            words.word(int64_t(biasOf32 - unsigned(format.bias)) << fractionOf32));
  // Below the least exponent the code counts units.
  const double unit = std::ldexp(1.0, 1 - format.bias - format.fraction);
  Tensor count{emit.make<arith::UIToFPOp>(emit.type(float32, packed.shape()), magnitude.ir), float32};
  Tensor small{emit.make<arith::MulFOp>(count.ir, emit.constant(unit, float32, packed.shape()).ir), float32};
  Tensor isSmall = words.compare(arith::CmpIPredicate::ult, magnitude, int64_t(1) << format.fraction);
  Tensor result = words.select(isSmall, emit.bitcast(small, bits32), normal);
  result = words.either(result, words.left(words.both(code, 0x80), 24));
  if (format.hasNoMinusZero())
    result =
        words.select(words.compare(arith::CmpIPredicate::eq, code, 0x80), words.word(0x7fc00000), result);
  return emit.bitcast(result, float32);
}

Tensor eval::packFloats(Emitter &emit, Tensor wide, Dtype to, Rounding rounding) {
  const SmallFloat &format = smallFloat(to.scalar);
  const SmallRounding how = rounding == Rounding::TowardZero ? SmallRounding::TowardZero : format.nearest;
  Words words{emit, wide.shape()};
  Tensor bits = emit.bitcast(wide, bits32);
  Tensor magnitude = words.both(bits, 0x7fffffff);
  Tensor exponent = words.right(magnitude, fractionOf32);
  Tensor significand = words.either(words.both(magnitude, 0x7fffff), words.word(int64_t(1) << fractionOf32));
  // Numbers below the least exponent of the target keep fewer bits, the smaller the fewer.
  const int64_t least = int64_t(biasOf32) + 1 - format.bias;
  Tensor raised = words.most(exponent, least);
  constexpr int64_t allGone = fractionOf32 + 3; // the significand and half a unit of it
  Tensor dropped = words.least(
      words.add(words.subtract(raised, exponent), words.word(fractionOf32 - format.fraction)), allGone);
  if (how != SmallRounding::TowardZero) {
    Tensor half = words.make<arith::ShLIOp>(words.word(1), words.subtract(dropped, words.word(1)));
    if (how == SmallRounding::ToNearestEven)
      half = words.add(words.subtract(half, words.word(1)), words.both(words.right(significand, dropped), 1));
    significand = words.add(significand, half);
  }
  // The leading one is a step of the exponent, and so is a carry out of the fraction.
  Tensor code = words.add(words.right(significand, dropped),
                          words.left(words.subtract(raised, words.word(least)), unsigned(format.fraction)));
  code = words.least(code, format.largest);
  Tensor sign = words.both(words.right(bits, 24), 0x80);
  Tensor result = words.either(code, sign);
  if (format.hasNoMinusZero())
    result = words.select(words.compare(arith::CmpIPredicate::eq, code, 0), code, result);
  // The sign of a NaN means nothing, and differs between devices.
  Tensor isNan = words.compare(arith::CmpIPredicate::ugt, magnitude, 0x7f800000);
  result = words.select(isNan, words.word(format.nan), result);
  return {emit.cast(result, {ScalarKind::UInt8}).ir, to};
}
