// Floats of 8 bits: in registers they are bytes, which the conversions to and from wider floats alone look
// into. Nothing computes in these types, so those conversions, constants and reinterpretations are all there
// is.
//
// Rounding to 8 bits saturates, as `cvt` does: what is beyond the largest number, infinities included,
// becomes that number, and every NaN becomes 0x7f.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/target/Target.h"

#include <array>
#include <cmath>

using namespace mlir;

namespace tegula {
namespace {

bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(tile::elementTypeOf(type)); }
bool isE4M3(Type type) { return isa<Float8E4M3FNType>(tile::elementTypeOf(type)); }

bool hasConversions(Operation *op) {
  const Target *target = targetOf(op);
  return target && target->fp8Conversions;
}

/// Constants of one type, and ops on them.
class Scalars {
public:
  Scalars(OpBuilder &builder, Location loc) : b(loc, builder) {}

  Value integer(Type type, int64_t value) {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  }
  Value real(Type type, double value) { return arith::ConstantOp::create(b, b.getFloatAttr(type, value)); }
  Value intrinsic(StringRef name, Type type, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands).getResult(0);
  }
  Value element(Value vector, int64_t index) {
    return LLVM::ExtractElementOp::create(b, vector, integer(b.getI32Type(), index));
  }

  ImplicitLocOpBuilder b;
};

//===--- by instructions that convert two at a time -----------------------------------------===//

/// Bytes as halves of the words they come in: up to four bytes a word, so that a word that was loaded stays
/// whole. Each half has two bytes; of a single byte the upper one is zero.
Registers pairsOf(Scalars &s, ArrayRef<Value> bytes) {
  Type i16 = s.b.getI16Type();
  Registers pairs;
  for (size_t i = 0; i < bytes.size();) {
    size_t left = bytes.size() - i, count = left >= 4 ? 4 : left >= 2 ? 2 : 1;
    if (count == 1) {
      pairs.push_back(arith::ExtUIOp::create(s.b, i16, bytes[i]));
    } else {
      Value word = packWords(s.b, s.b.getLoc(), bytes.slice(i, count), unsigned(count * 8)).front();
      pairs.push_back(count == 2 ? word : arith::TruncIOp::create(s.b, i16, word).getResult());
      if (count == 4) {
        Value upper = arith::ShRUIOp::create(s.b, word, s.integer(word.getType(), 16));
        pairs.push_back(arith::TruncIOp::create(s.b, i16, upper));
      }
    }
    i += count;
  }
  return pairs;
}

/// The inverse: `count` bytes.
Registers bytesOf(Scalars &s, ArrayRef<Value> pairs, size_t count) {
  Type i8 = s.b.getI8Type(), i32 = s.b.getI32Type();
  Registers bytes;
  for (size_t i = 0; bytes.size() < count;) {
    size_t left = count - bytes.size();
    if (left == 1) {
      bytes.push_back(arith::TruncIOp::create(s.b, i8, pairs[i]));
      break;
    }
    Value word = pairs[i];
    if (left >= 4) {
      Value low = arith::ExtUIOp::create(s.b, i32, pairs[i]),
            high = arith::ExtUIOp::create(s.b, i32, pairs[i + 1]);
      word = arith::OrIOp::create(s.b, low, arith::ShLIOp::create(s.b, high, s.integer(i32, 16)));
    }
    llvm::append_range(bytes, unpackWords(s.b, s.b.getLoc(), {word}, i8));
    i += left >= 4 ? 2 : 1;
  }
  return bytes;
}

/// Bytes of the format `type` as f16.
Registers extendByPairs(Scalars &s, Type type, ArrayRef<Value> bytes) {
  StringRef name = isE4M3(type) ? "llvm.nvvm.e4m3x2.to.f16x2.rn" : "llvm.nvvm.e5m2x2.to.f16x2.rn";
  Type halves = VectorType::get({2}, s.b.getF16Type());
  Registers result;
  for (Value pair : pairsOf(s, bytes)) {
    Value both = s.intrinsic(name, halves, pair);
    for (int64_t i = 0; i < 2 && result.size() < bytes.size(); ++i)
      result.push_back(s.element(both, i));
  }
  return result;
}

/// f16 or f32 as bytes of the format `type`.
Registers truncateByPairs(Scalars &s, Type type, ArrayRef<Value> values) {
  Type from = values.front().getType(), i16 = s.b.getI16Type();
  Registers pairs;
  for (size_t i = 0; i < values.size(); i += 2) {
    Value low = values[i], high = i + 1 < values.size() ? values[i + 1] : s.real(from, 0);
    if (from.isF32()) {
      // The first operand goes into the upper byte.
      pairs.push_back(s.intrinsic(isE4M3(type) ? "llvm.nvvm.ff.to.e4m3x2.rn" : "llvm.nvvm.ff.to.e5m2x2.rn",
                                  i16, {high, low}));
      continue;
    }
    Value both = LLVM::UndefOp::create(s.b, VectorType::get({2}, from));
    for (auto [index, value] : llvm::enumerate(std::array{low, high}))
      both = LLVM::InsertElementOp::create(s.b, both, value, s.integer(s.b.getI32Type(), int64_t(index)));
    pairs.push_back(s.intrinsic(
        isE4M3(type) ? "llvm.nvvm.f16x2.to.e4m3x2.rn" : "llvm.nvvm.f16x2.to.e5m2x2.rn", i16, both));
  }
  return bytesOf(s, pairs, values.size());
}

//===--- by integer arithmetic --------------------------------------------------------------===//

/// A byte of the format `type` as f16.
Value extendByBits(Scalars &s, Type type, Value byte) {
  Type i16 = s.b.getI16Type(), f16 = s.b.getF16Type();
  Value wide = arith::ExtUIOp::create(s.b, i16, byte);
  // e5m2 is the upper byte of f16.
  Value shifted = arith::ShLIOp::create(s.b, wide, s.integer(i16, 8));
  if (!isE4M3(type))
    return arith::BitcastOp::create(s.b, f16, shifted);
  // The exponent and fraction of e4m3 are one place lower in f16, where the exponent's bias is greater by 8;
  // the multiplication is exact, for numbers below the least normal one too.
  Value sign = arith::AndIOp::create(s.b, shifted, s.integer(i16, int16_t(0x8000)));
  Value magnitude = arith::AndIOp::create(s.b, wide, s.integer(i16, 0x7f));
  Value small = arith::OrIOp::create(s.b, sign, arith::ShLIOp::create(s.b, magnitude, s.integer(i16, 7)));
  Value number = arith::MulFOp::create(s.b, arith::BitcastOp::create(s.b, f16, small), s.real(f16, 256));
  Value isNan = arith::CmpIOp::create(s.b, arith::CmpIPredicate::eq, magnitude, s.integer(i16, 0x7f));
  Value nan = arith::BitcastOp::create(s.b, f16, s.integer(i16, 0x7fff));
  return arith::SelectOp::create(s.b, isNan, nan, number);
}

/// An f32 as a byte of the format `type`, rounded to nearest even or towards zero.
Value truncateByBits(Scalars &s, Type type, Value value, bool towardZero) {
  using P = arith::CmpIPredicate;
  Type i32 = s.b.getI32Type(), f32 = s.b.getF32Type();
  const int fraction = isE4M3(type) ? 3 : 2, bias = isE4M3(type) ? 7 : 15, lost = 23 - fraction;
  const int64_t largest = isE4M3(type) ? 0x7e : 0x7b;
  Value bits = arith::BitcastOp::create(s.b, i32, value);
  Value magnitude = arith::AndIOp::create(s.b, bits, s.integer(i32, 0x7fffffff));

  // Normal numbers: the places that are lost are rounded away, and a carry raises the exponent.
  Value rounded = magnitude;
  if (!towardZero) {
    Value last = arith::AndIOp::create(s.b, arith::ShRUIOp::create(s.b, magnitude, s.integer(i32, lost)),
                                       s.integer(i32, 1));
    Value most = s.integer(i32, (int64_t(1) << (lost - 1)) - 1);
    rounded = arith::AddIOp::create(s.b, magnitude, arith::AddIOp::create(s.b, most, last));
  }
  Value kept = arith::ShRUIOp::create(s.b, rounded, s.integer(i32, lost));
  Value normal = arith::SubIOp::create(s.b, kept, s.integer(i32, int64_t(127 - bias) << fraction));
  normal = arith::MinSIOp::create(s.b, normal, s.integer(i32, largest));

  // Numbers below them are multiples of their last place: how many.
  Value count;
  if (towardZero) {
    Value scaled = arith::MulFOp::create(s.b, arith::BitcastOp::create(s.b, f32, magnitude),
                                         s.real(f32, std::ldexp(1.0, bias - 1 + fraction)));
    // A number far beyond this has no value here, but then it is not selected either.
    count = arith::FPToUIOp::create(s.b, i32, scaled);
  } else {
    // Added to a number whose last place is theirs, they are rounded to that place.
    Value rounder = s.real(f32, std::ldexp(1.0, 24 - bias - fraction));
    Value sum = arith::AddFOp::create(s.b, arith::BitcastOp::create(s.b, f32, magnitude), rounder);
    count = arith::SubIOp::create(s.b, arith::BitcastOp::create(s.b, i32, sum),
                                  arith::BitcastOp::create(s.b, i32, rounder));
  }
  Value isSmall = arith::CmpIOp::create(s.b, P::ult, magnitude, s.integer(i32, int64_t(128 - bias) << 23));
  Value sign =
      arith::AndIOp::create(s.b, arith::ShRUIOp::create(s.b, bits, s.integer(i32, 24)), s.integer(i32, 0x80));
  Value number = arith::OrIOp::create(s.b, arith::SelectOp::create(s.b, isSmall, count, normal), sign);
  Value isNan = arith::CmpIOp::create(s.b, P::ugt, magnitude, s.integer(i32, 0x7f800000));
  Value result = arith::SelectOp::create(s.b, isNan, s.integer(i32, 0x7f), number);
  return arith::TruncIOp::create(s.b, s.b.getI8Type(), result);
}

//===--- patterns ---------------------------------------------------------------------------===//

FailureOr<Registers> lowerExtF(arith::ExtFOp op, Adaptor<arith::ExtFOp> adaptor, Rewriter &rewriter,
                               LoweringState &) {
  Type from = op.getIn().getType(), to = tile::elementTypeOf(op.getType());
  if (!isFloat8(from))
    return rewriter.notifyMatchFailure(op, "not from a float of 8 bits");
  Scalars s(rewriter, op.getLoc());
  Registers bytes(adaptor.getIn()), results;
  if (hasConversions(op))
    results = extendByPairs(s, from, bytes);
  else
    for (Value byte : bytes)
      results.push_back(extendByBits(s, from, byte));
  // f16 holds every number of 8 bits, and so does every float that is no narrower.
  for (Value &value : results)
    if (to.isBF16())
      value = arith::TruncFOp::create(s.b, to, arith::ExtFOp::create(s.b, s.b.getF32Type(), value));
    else if (!to.isF16())
      value = arith::ExtFOp::create(s.b, to, value);
  return results;
}

FailureOr<Registers> lowerTruncF(arith::TruncFOp op, Adaptor<arith::TruncFOp> adaptor, Rewriter &rewriter,
                                 LoweringState &) {
  Type from = tile::elementTypeOf(op.getIn().getType()), to = op.getType();
  arith::RoundingMode mode = op.getRoundingmode().value_or(arith::RoundingMode::to_nearest_even);
  bool towardZero = mode == arith::RoundingMode::toward_zero;
  if (!isFloat8(to) || from.isF64())
    return rewriter.notifyMatchFailure(op, "not from at most 32 bits to 8");
  if (!towardZero && mode != arith::RoundingMode::to_nearest_even)
    return rewriter.notifyMatchFailure(op, "nothing rounds so");
  Scalars s(rewriter, op.getLoc());
  Registers values(adaptor.getIn()), results;
  bool byPairs = hasConversions(op) && !towardZero;
  for (Value &value : values)
    if (!from.isF32() && !(byPairs && from.isF16()))
      value = arith::ExtFOp::create(s.b, s.b.getF32Type(), value);
  if (byPairs)
    return truncateByPairs(s, to, values);
  for (Value value : values)
    results.push_back(truncateByBits(s, to, value, towardZero));
  return results;
}

/// Converts by way of f32. The language goes that way, too, but the canonicalizer folds the two steps into
/// one.
template <typename Op>
FailureOr<Value> lowerInteger(Op op, Adaptor<Op>, Rewriter &rewriter, LoweringState &) {
  if (!isFloat8(op.getType()))
    return rewriter.notifyMatchFailure(op, "not to a float of 8 bits");
  Type wide = tile::withElementType(op.getType(), rewriter.getF32Type());
  Value single = Op::create(rewriter, op.getLoc(), wide, op.getIn());
  return Value(arith::TruncFOp::create(rewriter, op.getLoc(), op.getType(), single));
}

/// Another reading of the same byte.
FailureOr<Registers> lowerBitcast(arith::BitcastOp op, Adaptor<arith::BitcastOp> adaptor, Rewriter &rewriter,
                                  LoweringState &) {
  if (!isFloat8(op.getIn().getType()) && !isFloat8(op.getType()))
    return rewriter.notifyMatchFailure(op, "not of a float of 8 bits");
  return Registers(adaptor.getIn());
}

/// A scalar, or a tensor of one value: one byte.
FailureOr<Registers> lowerConstant(arith::ConstantOp op, Adaptor<arith::ConstantOp>, Rewriter &rewriter,
                                   LoweringState &state) {
  auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
  auto number =
      splat ? dyn_cast<FloatAttr>(splat.getSplatValue<Attribute>()) : dyn_cast<FloatAttr>(op.getValue());
  SmallVector<Type> types;
  if (!isFloat8(op.getType()) || !number || failed(state.types.convertType(op.getType(), types)))
    return rewriter.notifyMatchFailure(op, "not one value of 8 bits");
  auto bits = IntegerAttr::get(rewriter.getI8Type(), number.getValue().bitcastToAPInt());
  Value byte = arith::ConstantOp::create(rewriter, op.getLoc(), bits);
  return Registers(types.size(), byte);
}

} // namespace

void populateFp8Patterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerExtF, lowerTruncF, lowerInteger<arith::SIToFPOp>, lowerInteger<arith::UIToFPOp>,
               lowerBitcast, lowerConstant>(patterns, state, /*benefit=*/2);
}

} // namespace tegula
