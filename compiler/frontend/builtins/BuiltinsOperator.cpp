// Operators as methods: `x.__rshift__(4)` is `x >> 4`, and `x.__rrshift__(4)` is `4 >> x`.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Call.h"

using namespace tegula;
using namespace tegula::eval;
using ast::BinaryOp;
using ast::CompareOp;
using ast::UnaryOp;

namespace {

enum class Order : uint8_t { Plain, Reflected };

template <BinaryOp op, Order order = Order::Plain> Value binary(Call &call) {
  constexpr size_t left = order == Order::Plain ? 0 : 1;
  return call.evaluator.binary(op, call.value(left), call.value(1 - left), call.range);
}

template <CompareOp op, Order order = Order::Plain> Value compare(Call &call) {
  constexpr size_t left = order == Order::Plain ? 0 : 1;
  return call.evaluator.compare(op, call.value(left), call.value(1 - left), call.range);
}

template <UnaryOp op> Value unary(Call &call) { return call.evaluator.unary(op, call.value(0), call.range); }

Value getitem(Call &call) {
  return call.evaluator.subscript(call.value(0), call.value(1), {call.range, call.range, call.rangeOf(1)});
}

/// Numbers that are known and those that are not have the same methods: which a value is may depend on the
/// launch.
constexpr Handler add = binary<BinaryOp::Add>, radd = binary<BinaryOp::Add, Order::Reflected>,
                  sub = binary<BinaryOp::Sub>, rsub = binary<BinaryOp::Sub, Order::Reflected>,
                  mul = binary<BinaryOp::Mul>, rmul = binary<BinaryOp::Mul, Order::Reflected>,
                  truediv = binary<BinaryOp::Div>, rtruediv = binary<BinaryOp::Div, Order::Reflected>,
                  floordiv = binary<BinaryOp::FloorDiv>,
                  rfloordiv = binary<BinaryOp::FloorDiv, Order::Reflected>, mod = binary<BinaryOp::Mod>,
                  rmod = binary<BinaryOp::Mod, Order::Reflected>, pow = binary<BinaryOp::Pow>,
                  rpow = binary<BinaryOp::Pow, Order::Reflected>, lshift = binary<BinaryOp::ShiftLeft>,
                  rlshift = binary<BinaryOp::ShiftLeft, Order::Reflected>,
                  rshift = binary<BinaryOp::ShiftRight>,
                  rrshift = binary<BinaryOp::ShiftRight, Order::Reflected>, and_ = binary<BinaryOp::BitAnd>,
                  rand = binary<BinaryOp::BitAnd, Order::Reflected>, or_ = binary<BinaryOp::BitOr>,
                  ror = binary<BinaryOp::BitOr, Order::Reflected>, xor_ = binary<BinaryOp::BitXor>,
                  rxor = binary<BinaryOp::BitXor, Order::Reflected>, lt = compare<CompareOp::Lt>,
                  rlt = compare<CompareOp::Lt, Order::Reflected>, le = compare<CompareOp::Le>,
                  rle = compare<CompareOp::Le, Order::Reflected>, gt = compare<CompareOp::Gt>,
                  rgt = compare<CompareOp::Gt, Order::Reflected>, ge = compare<CompareOp::Ge>,
                  rge = compare<CompareOp::Ge, Order::Reflected>, eq = compare<CompareOp::Eq>,
                  req = compare<CompareOp::Eq, Order::Reflected>, ne = compare<CompareOp::Ne>,
                  rne = compare<CompareOp::Ne, Order::Reflected>, neg = unary<UnaryOp::Negate>,
                  pos = unary<UnaryOp::Plus>, invert = unary<UnaryOp::Invert>, not_ = unary<UnaryOp::Not>;

#include "compiler/frontend/builtins/BuiltinsOperator.inc"

} // namespace

std::span<const Builtin> eval::operatorBuiltins() { return table; }
