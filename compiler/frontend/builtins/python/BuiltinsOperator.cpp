// Operators as methods: `x.__rshift__(4)` is `x >> 4`, and `x.__rrshift__(4)` is `4 >> x`.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/expressions/Operators.h"
#include "compiler/frontend/eval/expressions/Subscripts.h"

using namespace tegula;
using namespace tegula::eval;
using ast::BinaryOp;
using ast::CompareOp;
using ast::UnaryOp;

namespace {

template <BinaryOp op> Value binary(Call &call) {
  return eval::binary(call.evaluator, op, call.value(0), call.value(1), call.range);
}

template <CompareOp op> Value compare(Call &call) {
  return eval::compare(call.evaluator, op, call.value(0), call.value(1), call.range);
}

/// Calls `handler` with the operands in the other order.
template <Handler handler> Value reflected(Call &call) {
  std::swap(call.arguments[0], call.arguments[1]);
  return handler(call);
}

template <UnaryOp op> Value unary(Call &call) {
  return eval::unary(call.evaluator, op, call.value(0), call.range);
}

Value getitem(Call &call) {
  return eval::subscript(call.evaluator, call.value(0), call.value(1),
                         {call.range, call.range, call.rangeOf(1)});
}

constexpr Handler add = binary<BinaryOp::Add>, sub = binary<BinaryOp::Sub>, mul = binary<BinaryOp::Mul>,
                  truediv = binary<BinaryOp::Div>, floordiv = binary<BinaryOp::FloorDiv>,
                  mod = binary<BinaryOp::Mod>, pow = binary<BinaryOp::Pow>,
                  lshift = binary<BinaryOp::ShiftLeft>, rshift = binary<BinaryOp::ShiftRight>,
                  and_ = binary<BinaryOp::BitAnd>, or_ = binary<BinaryOp::BitOr>,
                  xor_ = binary<BinaryOp::BitXor>;
constexpr Handler radd = reflected<add>, rsub = reflected<sub>, rmul = reflected<mul>,
                  rtruediv = reflected<truediv>, rfloordiv = reflected<floordiv>, rmod = reflected<mod>,
                  rpow = reflected<pow>, rlshift = reflected<lshift>, rrshift = reflected<rshift>,
                  rand = reflected<and_>, ror = reflected<or_>, rxor = reflected<xor_>;
constexpr Handler lt = compare<CompareOp::Lt>, le = compare<CompareOp::Le>, gt = compare<CompareOp::Gt>,
                  ge = compare<CompareOp::Ge>, eq = compare<CompareOp::Eq>, ne = compare<CompareOp::Ne>;
constexpr Handler rlt = reflected<lt>, rle = reflected<le>, rgt = reflected<gt>, rge = reflected<ge>,
                  req = reflected<eq>, rne = reflected<ne>;
constexpr Handler neg = unary<UnaryOp::Negate>, pos = unary<UnaryOp::Plus>, invert = unary<UnaryOp::Invert>,
                  not_ = unary<UnaryOp::Not>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsOperator.inc"
