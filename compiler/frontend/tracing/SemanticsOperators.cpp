// The operators: which op computes each, for which types.
#include "compiler/frontend/tracing/Semantics.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;
using ast::BinaryOp;
using ast::CompareOp;

std::optional<Dtype> Semantics::commonFloat8(const Value &left, const Value &right) {
  Reporter::Quiet quiet(reporter);
  std::optional<Dtype> a = typeOf(left, {}), b = typeOf(right, {});
  if (!a || !b || a->isPointer() || b->isPointer() || (!a->isFloat8() && !b->isFloat8()))
    return std::nullopt;
  std::variant<Dtype, std::string> common = promote({*a, left.isNumber()}, {*b, right.isNumber()}, false);
  const Dtype *dtype = std::get_if<Dtype>(&common);
  return dtype && dtype->isFloat8() ? std::optional(*dtype) : std::nullopt;
}

std::optional<Semantics::Pair> Semantics::widenFloat8(const Value &left, const Value &right,
                                                      std::string_view what, SourceRange range) {
  std::optional<Pair> pair = unify(left, right, {}, what, range);
  if (!pair)
    return std::nullopt;
  Dtype half{ScalarKind::Float16};
  return Pair{emit.cast(pair->left, half), emit.cast(pair->right, half)};
}

Value Semantics::binary(BinaryOp op, const Value &left, const Value &right, SourceRange range) {
  bool isArithmetic = op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul ||
                      op == BinaryOp::Div || op == BinaryOp::Mod;
  const bool isWide = language.dividesFloat8InFloat32 && (op == BinaryOp::Div || op == BinaryOp::Mod);
  // No unit computes in eight bits.
  if (std::optional<Dtype> common = isArithmetic && !isWide ? commonFloat8(left, right) : std::nullopt) {
    std::optional<Pair> wide = widenFloat8(left, right, asCode(ast::spelling(op)), range);
    Value result = wide ? binary(op, wide->left, wide->right, range) : Value(Poison());
    const Tensor *tensor = result.as<Tensor>();
    return tensor ? Value(emit.cast(*tensor, *common)) : result;
  }
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
    return addOrSubtract(op, left, right, range);
  case BinaryOp::Mul:
    return multiply(left, right, range);
  case BinaryOp::Div:
    return divide(left, right, range);
  case BinaryOp::FloorDiv:
    return floorDivide(left, right, range);
  case BinaryOp::Mod:
    return modulo(left, right, range);
  case BinaryOp::BitAnd:
  case BinaryOp::BitOr:
  case BinaryOp::BitXor:
  case BinaryOp::ShiftLeft:
  case BinaryOp::ShiftRight:
    return bitwise(op, left, right, range);
  case BinaryOp::Pow:
  case BinaryOp::MatMul: // refused before
    return Poison();
  }
  return Poison();
}

Value Semantics::addPointer(Tensor pointer, Tensor offset) {
  // An offset is signed: an unsigned one must not lose its sign bit's meaning.
  if (offset.dtype.isUnsigned() && offset.dtype.bits() < 64)
    offset = emit.cast(offset, {ScalarKind::Int64});
  return Tensor{emit.make<tile::AddPtrOp>(pointer.ir.getType(), pointer.ir, offset.ir), pointer.dtype};
}

Value Semantics::addOrSubtract(BinaryOp op, const Value &left, const Value &right, SourceRange range) {
  bool adds = op == BinaryOp::Add;
  Unify how{.leftPointer = true, .rightPointer = adds};
  std::optional<Pair> pair = unify(left, right, how, asCode(ast::spelling(op)), range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (a.dtype.isPointer() && b.dtype.isPointer())
    return mismatch(left, right, asCode(ast::spelling(op)), "a pointer and an integer", range);
  if (a.dtype.isPointer() || b.dtype.isPointer()) {
    if (b.dtype.isPointer())
      std::swap(a, b);
    if (!adds) {
      // Widened before it is negated: the language subtracts the number that an unsigned offset stands for.
      if (b.dtype.isUnsigned() && b.dtype.bits() < 64)
        b = emit.cast(b, {ScalarKind::Int64});
      mlir::Value zero = emit.constant(Int(0), b.dtype, b.shape()).ir;
      b.ir = emit.make<arith::SubIOp>(zero, b.ir);
    }
    return addPointer(a, b);
  }
  if (a.dtype.isFloat()) {
    auto flags = emit.flags(arith::FastMathFlags::contract);
    return Tensor{adds ? emit.make<arith::AddFOp>(a.ir, b.ir, flags)
                       : emit.make<arith::SubFOp>(a.ir, b.ir, flags),
                  a.dtype};
  }
  assertNoOverflow(op, *pair, range);
  return oneOf<arith::AddIOp, arith::SubIOp>(adds, a, b);
}

Value Semantics::multiply(const Value &left, const Value &right, SourceRange range) {
  std::optional<Pair> pair = unify(left, right, {}, "`*`", range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (a.dtype.isFloat())
    return Tensor{emit.make<arith::MulFOp>(a.ir, b.ir, emit.flags(arith::FastMathFlags::contract)), a.dtype};
  assertNoOverflow(BinaryOp::Mul, *pair, range);
  return Tensor{emit.make<arith::MulIOp>(a.ir, b.ir), a.dtype};
}

void Semantics::assertNoOverflow(BinaryOp op, Pair operands, SourceRange range) {
  Dtype dtype = operands.left.dtype;
  if (!sanitizeOverflow || dtype.bits() >= 64)
    return;
  Dtype wide{ScalarKind::Int64};
  mlir::Value a = emit.cast(operands.left, wide).ir, b = emit.cast(operands.right, wide).ir;
  mlir::Value exact = op == BinaryOp::Add   ? emit.make<arith::AddIOp>(a, b)
                      : op == BinaryOp::Sub ? emit.make<arith::SubIOp>(a, b)
                                            : emit.make<arith::MulIOp>(a, b);
  Shape shape = operands.left.shape();
  mlir::Value low = emit.constant(minOf(dtype), wide, shape).ir,
              high = emit.constant(maxOf(dtype), wide, shape).ir;
  mlir::Value notBelow = emit.make<arith::CmpIOp>(arith::CmpIPredicate::sge, exact, low);
  mlir::Value notAbove = emit.make<arith::CmpIOp>(arith::CmpIPredicate::sle, exact, high);
  std::string message = typeName(dtype) + " overflow in " + asCode(ast::spelling(op));
  tile::AssertOp::create(emit.builder, emit.loc, emit.make<arith::AndIOp>(notBelow, notAbove), message);
}

Value Semantics::divide(const Value &left, const Value &right, SourceRange range) {
  std::optional<Pair> pair = unify(left, right, {.divides = true}, "`/`", range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (a.dtype.isInt()) {
    a = emit.cast(a, {ScalarKind::Float32});
    b = emit.cast(b, {ScalarKind::Float32});
  }
  // Full range but not correctly rounded in fp32; fp64 has only the correctly rounded one.
  auto flags =
      emit.flags(a.dtype.is(ScalarKind::Float32) ? arith::FastMathFlags::afn : arith::FastMathFlags::none);
  return Tensor{emit.make<arith::DivFOp>(a.ir, b.ir, flags), a.dtype};
}

Value Semantics::floorDivide(const Value &left, const Value &right, SourceRange range) {
  std::optional<Pair> pair = unify(left, right, {.divides = true}, "`//`", range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (!a.dtype.isInt())
    return mismatch(left, right, "`//`", "integers", range);
  return oneOf<arith::DivSIOp, arith::DivUIOp>(a.dtype.isSigned(), a, b);
}

Value Semantics::modulo(const Value &left, const Value &right, SourceRange range) {
  std::optional<Pair> pair = unify(left, right, {.divides = true}, "`%`", range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (a.dtype.isFloat())
    return Tensor{emit.make<arith::RemFOp>(a.ir, b.ir), a.dtype};
  return oneOf<arith::RemSIOp, arith::RemUIOp>(a.dtype.isSigned(), a, b);
}

Value Semantics::bitwise(BinaryOp op, const Value &left, const Value &right, SourceRange range) {
  std::string what = asCode(ast::spelling(op));
  std::optional<Pair> pair = unify(left, right, {}, what, range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (!a.dtype.isInt())
    return mismatch(left, right, what, "integers", range);
  switch (op) {
  case BinaryOp::BitAnd:
    return Tensor{emit.make<arith::AndIOp>(a.ir, b.ir), a.dtype};
  case BinaryOp::BitOr:
    return Tensor{emit.make<arith::OrIOp>(a.ir, b.ir), a.dtype};
  case BinaryOp::BitXor:
    return Tensor{emit.make<arith::XOrIOp>(a.ir, b.ir), a.dtype};
  case BinaryOp::ShiftLeft:
    return Tensor{emit.make<arith::ShLIOp>(a.ir, b.ir), a.dtype};
  default:
    break;
  }
  // The type of the tensor as written decides, not the one that both were promoted to.
  const Tensor *written = left.as<Tensor>() ? left.as<Tensor>() : right.as<Tensor>();
  return oneOf<arith::ShRSIOp, arith::ShRUIOp>(written->dtype.isSigned(), a, b);
}

Value Semantics::compare(CompareOp op, const Value &left, const Value &right, SourceRange range) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  struct Predicates {
    F real;
    I isSigned, isUnsigned;
  };
  static constexpr Predicates table[] = {
      {F::OEQ, I::eq, I::eq},   {F::UNE, I::ne, I::ne},   {F::OLT, I::slt, I::ult},
      {F::OLE, I::sle, I::ule}, {F::OGT, I::sgt, I::ugt}, {F::OGE, I::sge, I::uge},
  };
  std::string what = asCode(ast::spelling(op));
  if (op > CompareOp::Ge)
    return reporter.refuse(range, what + " is for values known at compile time, found " + describe(left) +
                                      " and " + describe(right));
  std::optional<Pair> typed = toTensors(left, right, range);
  if (!typed)
    return Poison();
  auto [x, y] = *typed;
  std::optional<Pair> pair =
      commonFloat8(x, y) ? widenFloat8(x, y, what, range) : unify(x, y, {}, what, range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  const Predicates &predicates = table[size_t(op)];
  Dtype flag{ScalarKind::Int1};
  if (a.dtype.isFloat())
    return Tensor{emit.make<arith::CmpFOp>(predicates.real, a.ir, b.ir), flag};
  return Tensor{
      emit.make<arith::CmpIOp>(a.dtype.isSigned() ? predicates.isSigned : predicates.isUnsigned, a.ir, b.ir),
      flag};
}

std::optional<Tensor> Semantics::asTruth(const Value &value, SourceRange range) {
  std::optional<Tensor> tensor = toTensor(value, range);
  if (!tensor)
    return std::nullopt;
  return cast(*tensor, {ScalarKind::Int1}, range);
}

/// `tensor`, of floats, with the other sign.
Value Semantics::negated(Tensor tensor) {
  // No unit computes in eight bits.
  if (tensor.dtype.isFloat8())
    return emit.cast(
        {emit.make<arith::NegFOp>(emit.cast(tensor, {ScalarKind::Float16}).ir), {ScalarKind::Float16}},
        tensor.dtype);
  return Tensor{emit.make<arith::NegFOp>(tensor.ir), tensor.dtype};
}

Value Semantics::unary(ast::UnaryOp op, const Value &operand, SourceRange range) {
  std::optional<Tensor> tensor = toTensor(operand, range);
  if (!tensor)
    return Poison();
  std::string what = asCode(ast::spelling(op));
  Dtype dtype = tensor->dtype;
  auto refuse = [&](std::string_view expected) -> Value {
    return reporter.refuse(range,
                           what + ": expected " + std::string(expected) + ", found " + describe(operand));
  };
  switch (op) {
  case ast::UnaryOp::Plus:
    return *tensor;
  case ast::UnaryOp::Negate: {
    if (dtype.isPointer())
      return refuse("a number");
    if (dtype.isFloat() && language.negationFlipsSign)
      return negated(*tensor);
    // Before, the language negated by subtracting from zero, which makes +0 of +0.
    Tensor zero = emit.constant(Int(0), dtype, tensor->shape());
    return binary(BinaryOp::Sub, zero, *tensor, range);
  }
  case ast::UnaryOp::Invert: {
    if (!dtype.isInt())
      return refuse("an integer");
    Tensor ones = emit.constant(Int(-1), dtype, tensor->shape());
    return Tensor{emit.make<arith::XOrIOp>(tensor->ir, ones.ir), dtype};
  }
  case ast::UnaryOp::Not: {
    std::optional<Tensor> flag = asTruth(operand, range);
    if (!flag)
      return Poison();
    Tensor ones = emit.constant(Int(1), flag->dtype, flag->shape());
    return Tensor{emit.make<arith::XOrIOp>(flag->ir, ones.ir), flag->dtype};
  }
  }
  return Poison();
}

Value Semantics::logical(ast::BoolOp op, const Value &left, const Value &right, SourceRange range) {
  std::optional<Tensor> a = asTruth(left, range), b = asTruth(right, range);
  if (!a || !b || !broadcast(*a, *b, asCode(ast::spelling(op)), range))
    return Poison();
  return oneOf<arith::AndIOp, arith::OrIOp>(op == ast::BoolOp::And, *a, *b);
}

Tensor Semantics::widenBFloat(Tensor tensor) {
  return tensor.dtype.is(ScalarKind::BFloat16) ? emit.cast(tensor, {ScalarKind::Float32}) : tensor;
}

Value Semantics::extremum(bool largest, const Value &left, const Value &right, NanPolicy nan,
                          SourceRange range) {
  std::string what = largest ? "`tl.maximum`" : "`tl.minimum`";
  std::optional<Pair> typed = toTensors(left, right, range);
  if (!typed)
    return Poison();
  if (std::optional<Dtype> common = commonFloat8(typed->left, typed->right)) {
    std::optional<Pair> wide = widenFloat8(typed->left, typed->right, what, range);
    Value result = wide ? extremum(largest, wide->left, wide->right, nan, range) : Value(Poison());
    const Tensor *tensor = result.as<Tensor>();
    return tensor ? Value(emit.cast(*tensor, *common)) : result;
  }
  std::optional<Pair> pair = unify(widenBFloat(typed->left), widenBFloat(typed->right), {}, what, range);
  if (!pair)
    return Poison();
  auto [a, b] = *pair;
  if (a.dtype.isFloat() && nan == NanPolicy::All)
    return oneOf<arith::MaximumFOp, arith::MinimumFOp>(largest, a, b);
  if (a.dtype.isFloat())
    return oneOf<arith::MaxNumFOp, arith::MinNumFOp>(largest, a, b);
  if (a.dtype.isSigned())
    return oneOf<arith::MaxSIOp, arith::MinSIOp>(largest, a, b);
  return oneOf<arith::MaxUIOp, arith::MinUIOp>(largest, a, b);
}

Value Semantics::select(const Value &condition, const Value &onTrue, const Value &onFalse,
                        SourceRange range) {
  std::optional<Tensor> flag = asTruth(condition, range);
  std::optional<Pair> pair =
      unify(onTrue, onFalse, {.leftPointer = true, .rightPointer = true}, "`tl.where`", range);
  if (!flag || !pair)
    return Poison();
  auto [x, y] = *pair;
  if (x.dtype.isPointer() != y.dtype.isPointer())
    return mismatch(onTrue, onFalse, "`tl.where`", "two pointers or two numbers", range);
  if (!broadcast(*flag, x, "`tl.where`", range) || !broadcast(x, y, "`tl.where`", range))
    return Poison();
  return Tensor{emit.make<arith::SelectOp>(flag->ir, x.ir, y.ir), x.dtype};
}
