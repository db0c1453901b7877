#include "compiler/lower/math/ExpandMathBuilder.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula::expandmath {

//===-- Constants ---------------------------------------------------------===//

Type Expr::typeWith(Type element) const {
  if (auto shaped = llvm::dyn_cast<ShapedType>(type()))
    return shaped.clone(element);
  return element;
}

Expr Expr::splat(TypedAttr element) const {
  const Type type = typeWith(element.getType());
  Value &made = place->constants[{type, element}];
  if (!made) {
    OpBuilder::InsertionGuard guard(builder());
    if (place->enclosing)
      builder().setInsertionPoint(place->enclosing);
    TypedAttr value = element;
    if (auto shaped = llvm::dyn_cast<ShapedType>(type))
      value = DenseElementsAttr::get(shaped, element);
    made = builder().create<arith::ConstantOp>(value);
  }
  return {*place, made};
}

Expr Expr::constant(double number) const { return splat(FloatAttr::get(element(), number)); }

Expr Expr::number(const APFloat &value) const { return splat(FloatAttr::get(element(), value)); }

Expr Expr::integer(uint64_t number) const {
  APInt value(64, number);
  return splat(IntegerAttr::get(element(), value.zextOrTrunc(bits())));
}

Expr Expr::truth(bool value) const { return splat(BoolAttr::get(type().getContext(), value)); }

Expr Expr::infinity() const {
  auto format = llvm::cast<FloatType>(element());
  return splat(FloatAttr::get(format, APFloat::getInf(format.getFloatSemantics())));
}

Expr Expr::nan() const {
  auto format = llvm::cast<FloatType>(element());
  return splat(FloatAttr::get(format, APFloat::getNaN(format.getFloatSemantics())));
}

Expr Operand::like(const Expr &other) const {
  if (known)
    return *known;
  if (other.isFloat())
    return other.constant(asFloat);
  assert(asInteger && "a number with a fraction next to an integer");
  return other.integer(*asInteger);
}

//===-- Building ----------------------------------------------------------===//

static std::pair<Expr, Expr> alike(const Operand &a, const Operand &b) {
  const Expr &other = a.isExpr() ? a.expr() : b.expr();
  return {a.like(other), b.like(other)};
}

/// An op on these operands; of constants alone their result, so that what a formula does to them happens now.
template <typename Op, typename... Arguments>
static Value build(ImplicitLocOpBuilder &builder, std::initializer_list<Value> operands,
                   Arguments &&...arguments) {
  if (llvm::all_of(operands, [](Value value) { return matchPattern(value, m_Constant()); }))
    return builder.createOrFold<Op>(std::forward<Arguments>(arguments)...);
  return builder.create<Op>(std::forward<Arguments>(arguments)...);
}

/// The number that a constant is in each place, if there is one.
static std::optional<APFloat> numberOf(Expr x) {
  FloatAttr number;
  if (matchPattern(x.value(), m_Constant(&number)))
    return number.getValue();
  DenseFPElementsAttr elements;
  if (matchPattern(x.value(), m_Constant(&elements)) && elements.isSplat())
    return elements.getSplatValue<APFloat>();
  return std::nullopt;
}

template <typename Op> static Expr unary(Expr x) {
  return {x.site(), build<Op>(x.builder(), {x.value()}, x.value())};
}

template <typename Op> static Expr binary(const Operand &first, const Operand &second) {
  auto [a, b] = alike(first, second);
  return {a.site(), build<Op>(a.builder(), {a.value(), b.value()}, a.value(), b.value())};
}

template <typename FloatOp, typename IntegerOp>
static Expr either(const Operand &first, const Operand &second) {
  const Expr &known = first.isExpr() ? first.expr() : second.expr();
  return known.isFloat() ? binary<FloatOp>(first, second) : binary<IntegerOp>(first, second);
}

template <typename Op> static Expr convert(Expr x, Type element) {
  return {x.site(), build<Op>(x.builder(), {x.value()}, x.typeWith(element), x.value())};
}

Expr operator+(Operand a, Operand b) { return either<arith::AddFOp, arith::AddIOp>(a, b); }
Expr operator-(Operand a, Operand b) { return either<arith::SubFOp, arith::SubIOp>(a, b); }
Expr operator*(Operand a, Operand b) { return either<arith::MulFOp, arith::MulIOp>(a, b); }
Expr operator/(Operand a, Operand b) { return either<arith::DivFOp, arith::DivUIOp>(a, b); }
Expr operator-(Expr a) { return unary<arith::NegFOp>(a); }

Expr fma(Operand first, Operand second, Operand third) {
  const Expr &known = first.isExpr() ? first.expr() : second.isExpr() ? second.expr() : third.expr();
  const Expr a = first.like(known), b = second.like(known), c = third.like(known);
  std::optional<APFloat> x = numberOf(a), y = numberOf(b), z = numberOf(c);
  if (x && y && z) {
    x->fusedMultiplyAdd(*y, *z, APFloat::rmNearestTiesToEven);
    return known.number(*x);
  }
  return {known.site(), known.builder().create<math::FmaOp>(a.value(), b.value(), c.value())};
}

/// The quotient with `flags` in f32.
static Expr divide(Expr a, Expr b, arith::FastMathFlags flags) {
  if (a.bits() != 32)
    flags = arith::FastMathFlags::none;
  return {a.site(), build<arith::DivFOp>(a.builder(), {a.value(), b.value()}, a.value(), b.value(), flags)};
}

Expr quickDivide(Operand first, Operand second) {
  auto [a, b] = alike(first, second);
  return divide(a, b, arith::FastMathFlags::afn);
}

Expr quickReciprocal(Expr x) {
  return divide(x.constant(1), x, arith::FastMathFlags::afn | arith::FastMathFlags::arcp);
}

Expr sqrt(Expr x) { return unary<math::SqrtOp>(x); }
Expr abs(Expr x) { return unary<math::AbsFOp>(x); }
Expr copySign(Expr magnitude, Expr sign) { return binary<math::CopySignOp>(magnitude, sign); }
Expr truncate(Expr x) { return unary<math::TruncOp>(x); }

Expr clamp(Expr x, double low, double high) {
  if (x.bits() == 32)
    return binary<arith::MaximumFOp>(binary<arith::MinimumFOp>(x, high), low);
  // There is no instruction for doubles that keeps NaN.
  Expr below = select(x > high, x.constant(high), x);
  return select(below < low, x.constant(low), below);
}

template <typename Op> static Expr quick(Expr x) {
  return {x.site(), x.builder().create<Op>(x.value(), arith::FastMathFlags::afn)};
}

Expr quickExp2(Expr x) { return quick<math::Exp2Op>(x); }
Expr quickExp(Expr x) { return quick<math::ExpOp>(x); }
Expr quickRsqrt(Expr x) { return quick<math::RsqrtOp>(x); }

//===-- Bits --------------------------------------------------------------===//

Expr operator&(Operand a, Operand b) { return binary<arith::AndIOp>(a, b); }
Expr operator|(Operand a, Operand b) { return binary<arith::OrIOp>(a, b); }
Expr operator^(Operand a, Operand b) { return binary<arith::XOrIOp>(a, b); }
Expr shiftLeft(Operand a, Operand b) { return binary<arith::ShLIOp>(a, b); }
Expr shiftRight(Operand a, Operand b) { return binary<arith::ShRUIOp>(a, b); }
Expr shiftRightSigned(Operand a, Operand b) { return binary<arith::ShRSIOp>(a, b); }

Expr multiplyHigh(Expr a, Expr b) {
  auto product = a.builder().create<arith::MulUIExtendedOp>(a.value(), b.value());
  return {a.site(), product.getHigh()};
}

//===-- Comparisons -------------------------------------------------------===//

static Expr compare(const Operand &first, const Operand &second, arith::CmpFPredicate floats,
                    arith::CmpIPredicate integers) {
  auto [a, b] = alike(first, second);
  if (!a.isFloat())
    return {a.site(),
            build<arith::CmpIOp>(a.builder(), {a.value(), b.value()}, integers, a.value(), b.value())};
  std::optional<APFloat> x = numberOf(a), y = numberOf(b);
  if (x && y)
    return a.truth(arith::applyCmpPredicate(floats, *x, *y));
  return {a.site(), a.builder().create<arith::CmpFOp>(floats, a.value(), b.value())};
}

using FP = arith::CmpFPredicate;
using IP = arith::CmpIPredicate;
Expr operator<(Operand a, Operand b) { return compare(a, b, FP::OLT, IP::slt); }
Expr operator<=(Operand a, Operand b) { return compare(a, b, FP::OLE, IP::sle); }
Expr operator>(Operand a, Operand b) { return compare(a, b, FP::OGT, IP::sgt); }
Expr operator>=(Operand a, Operand b) { return compare(a, b, FP::OGE, IP::sge); }
Expr operator==(Operand a, Operand b) { return compare(a, b, FP::OEQ, IP::eq); }
Expr operator!=(Operand a, Operand b) { return compare(a, b, FP::UNE, IP::ne); }
Expr lessUnsigned(Expr a, Expr b) { return compare(a, b, FP::OLT, IP::ult); }
Expr ordered(Expr a, Expr b) { return compare(a, b, FP::ORD, IP::eq); }

Expr select(Expr condition, Operand first, Operand second) {
  auto [a, b] = alike(first, second);
  return {a.site(),
          build<arith::SelectOp>(a.builder(), {condition.value()}, condition.value(), a.value(), b.value())};
}

//===-- Conversions -------------------------------------------------------===//

Expr toBits(Expr x) {
  return convert<arith::BitcastOp>(x, IntegerType::get(x.type().getContext(), x.bits()));
}

Expr fromBits(Expr bits, Type floatElement) { return convert<arith::BitcastOp>(bits, floatElement); }
Expr toFloat(Expr i, Type floatElement) { return convert<arith::SIToFPOp>(i, floatElement); }
Expr toFloatUnsigned(Expr i, Type floatElement) { return convert<arith::UIToFPOp>(i, floatElement); }

Expr extendUnsigned(Expr i, unsigned bits) {
  return convert<arith::ExtUIOp>(i, IntegerType::get(i.type().getContext(), bits));
}

Expr narrow(Expr i, unsigned bits) {
  return convert<arith::TruncIOp>(i, IntegerType::get(i.type().getContext(), bits));
}

Expr extend(Expr x, Type floatElement) { return convert<arith::ExtFOp>(x, floatElement); }
Expr round(Expr x, Type floatElement) { return convert<arith::TruncFOp>(x, floatElement); }

/// The same for each element of tensors: a region of scalars sees nothing from outside.
static std::pair<Expr, Expr> rarelyByElement(Expr condition, Expr x,
                                             function_ref<std::pair<Expr, Expr>(Expr)> rare,
                                             std::pair<Expr, Expr> usual) {
  Site &site = condition.site();
  ImplicitLocOpBuilder &builder = site.builder;
  auto [a, b] = usual;
  auto map = builder.create<tile::MapOp>(TypeRange{a.type(), b.type()},
                                         ValueRange{condition.value(), x.value(), a.value(), b.value()},
                                         /*pack=*/1);
  Site inside(map);
  Block &body = map.getBody().emplaceBlock();
  SmallVector<Expr> scalars;
  for (const Expr &each : {condition, x, a, b})
    scalars.push_back({inside, body.addArgument(each.element(), map.getLoc())});
  inside.builder.setInsertionPointToStart(&body);
  auto [first, second] = rarely(scalars[0], scalars[1], rare, {scalars[2], scalars[3]});
  inside.builder.create<tile::YieldOp>(ValueRange{first.value(), second.value()});
  return {{site, map.getResult(0)}, {site, map.getResult(1)}};
}

std::pair<Expr, Expr> rarely(Expr condition, Expr x, function_ref<std::pair<Expr, Expr>(Expr)> rare,
                             std::pair<Expr, Expr> usual) {
  if (llvm::isa<ShapedType>(condition.type()))
    return rarelyByElement(condition, x, rare, usual);
  Site &site = condition.site();
  auto [a, b] = usual;
  ImplicitLocOpBuilder &builder = site.builder;
  auto branch =
      builder.create<scf::IfOp>(TypeRange{a.type(), b.type()}, condition.value(), /*withElse=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  builder.create<scf::YieldOp>(ValueRange{a.value(), b.value()});
  builder.setInsertionPointToStart(branch.thenBlock());
  Operation *outer = std::exchange(site.enclosing, branch);
  auto [rareA, rareB] = rare(x);
  builder.create<scf::YieldOp>(ValueRange{rareA.value(), rareB.value()});
  site.enclosing = outer;
  return {{site, branch.getResult(0)}, {site, branch.getResult(1)}};
}

Expr polynomial(Expr x, ArrayRef<double> coefficients) {
  Expr sum = x.constant(coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, c);
  return sum;
}

} // namespace tegula::expandmath
