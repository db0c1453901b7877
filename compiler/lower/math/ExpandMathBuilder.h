// Formulas over scalars and tensors alike, written with the usual operators.
//
// An `Expr` is a value and the place where more may be built on it. `x * x + 1.0` builds `arith.mulf` and
// `arith.addf` on whatever shape x has; the 1.0 becomes a splat of that shape. What is made of constants
// alone is a constant: the logarithm that `0.999 ** step` needs is known when it is compiled. Nothing here
// knows functions.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/DenseMap.h"
#include <type_traits>

namespace tegula::expandmath {

/// The place where one function is written out: the builder, and the constants that it has made so far.
struct Site {
  explicit Site(mlir::Operation *op) : builder(op->getLoc(), op) {}

  mlir::ImplicitLocOpBuilder builder;
  /// While a region of this op is filled, constants are made before it, to be seen after it as well.
  mlir::Operation *enclosing = nullptr;
  llvm::DenseMap<std::pair<mlir::Type, mlir::Attribute>, mlir::Value> constants;
};

/// A float, integer or i1, scalar or shaped.
class Expr {
public:
  Expr(Site &site, mlir::Value value) : place(&site), held(value) {}

  mlir::Value value() const { return held; }
  mlir::Type type() const { return held.getType(); }
  mlir::Type element() const { return mlir::getElementTypeOrSelf(held.getType()); }
  unsigned bits() const { return element().getIntOrFloatBitWidth(); }
  bool isFloat() const { return llvm::isa<mlir::FloatType>(element()); }
  Site &site() const { return *place; }
  mlir::ImplicitLocOpBuilder &builder() const { return place->builder; }

  /// The same shape with another element type.
  mlir::Type typeWith(mlir::Type element) const;
  /// A constant of this type; a float is rounded to it, an integer cut to it.
  Expr constant(double number) const;
  Expr number(const llvm::APFloat &value) const;
  Expr integer(uint64_t number) const;
  /// A constant of this shape that is true or false everywhere.
  Expr truth(bool value) const;
  Expr infinity() const;
  Expr nan() const;

private:
  Expr splat(mlir::TypedAttr element) const;

  Site *place;
  mlir::Value held;
};

/// An operand: an `Expr`, or a number that takes the type of the `Expr` next to it.
class Operand {
public:
  Operand(Expr expr) : known(expr) {}
  template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
  Operand(T number) : asFloat(static_cast<double>(number)) {
    // Only whole numbers go with integers; the others have no integer to be.
    if constexpr (std::is_integral_v<T>)
      asInteger = static_cast<uint64_t>(number);
  }

  bool isExpr() const { return known.has_value(); }
  const Expr &expr() const { return *known; }
  /// Returns this operand as a value of the type of `other`.
  Expr like(const Expr &other) const;

private:
  std::optional<Expr> known;
  double asFloat = 0;
  std::optional<uint64_t> asInteger;
};

// Arithmetic. Of two operands at least one is an `Expr`. Integers wrap.
Expr operator+(Operand a, Operand b);
Expr operator-(Operand a, Operand b);
Expr operator*(Operand a, Operand b);
Expr operator/(Operand a, Operand b);
Expr operator-(Expr a);
/// a * b + c, rounded once.
Expr fma(Operand a, Operand b, Operand c);
/// a / b and 1 / x: in f32 `arith.divf fastmath<afn>`, off by at most 2 ulp, and `fastmath<arcp, afn>`, by 1;
/// in f64 rounded to nearest.
Expr quickDivide(Operand a, Operand b);
Expr quickReciprocal(Expr x);
Expr sqrt(Expr x);
/// 1 / sqrt(x) by the hardware, f32 only: `math.rsqrt fastmath<afn>`, off by at most 2 ulp; what is subnormal
/// counts as zero.
Expr quickRsqrt(Expr x);
Expr abs(Expr x);
Expr copySign(Expr magnitude, Expr sign);
Expr truncate(Expr x);
/// x between two bounds; NaN stays NaN.
Expr clamp(Expr x, double low, double high);
/// 2^x by the hardware, f32 only: `math.exp2 fastmath<afn>`, off by at most 2 ulp; what is subnormal becomes
/// zero.
Expr quickExp2(Expr x);
/// e^x by the hardware, f32 only: `math.exp fastmath<afn>`, 2^x of a rounded product.
Expr quickExp(Expr x);

// Bits of integers. Shift amounts are below the width.
Expr operator&(Operand a, Operand b);
Expr operator|(Operand a, Operand b);
Expr operator^(Operand a, Operand b);
Expr shiftLeft(Operand a, Operand b);
Expr shiftRight(Operand a, Operand b);
Expr shiftRightSigned(Operand a, Operand b);
/// The upper half of the unsigned product.
Expr multiplyHigh(Expr a, Expr b);

// Comparisons; of floats ordered (false for NaN), of integers signed.
Expr operator<(Operand a, Operand b);
Expr operator<=(Operand a, Operand b);
Expr operator>(Operand a, Operand b);
Expr operator>=(Operand a, Operand b);
Expr operator==(Operand a, Operand b);
/// Compares; true for floats that are NaN.
Expr operator!=(Operand a, Operand b);
Expr lessUnsigned(Expr a, Expr b);
/// Neither is NaN.
Expr ordered(Expr a, Expr b);
/// condition ? a : b; at least one of a and b is an `Expr`.
Expr select(Expr condition, Operand a, Operand b);

// Conversions that keep the shape.
/// The bits of a float as an integer of its width, and back.
Expr toBits(Expr x);
Expr fromBits(Expr bits, mlir::Type floatElement);
/// A signed integer to a float, rounded to nearest.
Expr toFloat(Expr i, mlir::Type floatElement);
Expr toFloatUnsigned(Expr i, mlir::Type floatElement);
Expr extendUnsigned(Expr i, unsigned bits);
Expr narrow(Expr i, unsigned bits);
/// A float to a wider format, and to a narrower one, rounded to nearest.
Expr extend(Expr x, mlir::Type floatElement);
Expr round(Expr x, mlir::Type floatElement);

/// Two values of which the first branch is rarely taken: `usual`, or where `condition` holds what `rare`
/// makes of `x`, a scalar, in a branch in control flow. Each element of a tensor has a branch of its own
/// (`tile.map`).
std::pair<Expr, Expr> rarely(Expr condition, Expr x, llvm::function_ref<std::pair<Expr, Expr>(Expr x)> rare,
                             std::pair<Expr, Expr> usual);

/// c0 + c1 x + c2 x^2 + ..., by Horner's rule.
Expr polynomial(Expr x, llvm::ArrayRef<double> coefficients);

} // namespace tegula::expandmath
