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

Value item(Call &call) {
  return call.evaluator.subscript(call.value(0), call.value(1), {call.range, call.range, call.rangeOf(1)});
}

/// Numbers that are known and those that are not have the same methods: which a value is may depend on the
/// launch.
constexpr uint32_t onNumbers = OnTensor, onAll = OnTensor | OnSequence | OnText;
constexpr std::string_view pair = "self, other";

constexpr Builtin table[] = {
    {"__add__", onAll, pair, binary<BinaryOp::Add>},
    {"__radd__", onNumbers, pair, binary<BinaryOp::Add, Order::Reflected>},
    {"__sub__", onNumbers, pair, binary<BinaryOp::Sub>},
    {"__rsub__", onNumbers, pair, binary<BinaryOp::Sub, Order::Reflected>},
    {"__mul__", onAll, pair, binary<BinaryOp::Mul>},
    {"__rmul__", onAll, pair, binary<BinaryOp::Mul, Order::Reflected>},
    {"__truediv__", onNumbers, pair, binary<BinaryOp::Div>},
    {"__rtruediv__", onNumbers, pair, binary<BinaryOp::Div, Order::Reflected>},
    {"__floordiv__", onNumbers, pair, binary<BinaryOp::FloorDiv>},
    {"__rfloordiv__", onNumbers, pair, binary<BinaryOp::FloorDiv, Order::Reflected>},
    {"__mod__", onNumbers, pair, binary<BinaryOp::Mod>},
    {"__rmod__", onNumbers, pair, binary<BinaryOp::Mod, Order::Reflected>},
    {"__pow__", onNumbers, pair, binary<BinaryOp::Pow>},
    {"__rpow__", onNumbers, pair, binary<BinaryOp::Pow, Order::Reflected>},
    {"__lshift__", onNumbers, pair, binary<BinaryOp::ShiftLeft>},
    {"__rlshift__", onNumbers, pair, binary<BinaryOp::ShiftLeft, Order::Reflected>},
    {"__rshift__", onNumbers, pair, binary<BinaryOp::ShiftRight>},
    {"__rrshift__", onNumbers, pair, binary<BinaryOp::ShiftRight, Order::Reflected>},
    {"__and__", onNumbers, pair, binary<BinaryOp::BitAnd>},
    {"__rand__", onNumbers, pair, binary<BinaryOp::BitAnd, Order::Reflected>},
    {"__or__", onNumbers, pair, binary<BinaryOp::BitOr>},
    {"__ror__", onNumbers, pair, binary<BinaryOp::BitOr, Order::Reflected>},
    {"__xor__", onNumbers, pair, binary<BinaryOp::BitXor>},
    {"__rxor__", onNumbers, pair, binary<BinaryOp::BitXor, Order::Reflected>},
    {"__lt__", onAll, pair, compare<CompareOp::Lt>},
    {"__rlt__", onNumbers, pair, compare<CompareOp::Lt, Order::Reflected>},
    {"__le__", onAll, pair, compare<CompareOp::Le>},
    {"__rle__", onNumbers, pair, compare<CompareOp::Le, Order::Reflected>},
    {"__gt__", onAll, pair, compare<CompareOp::Gt>},
    {"__rgt__", onNumbers, pair, compare<CompareOp::Gt, Order::Reflected>},
    {"__ge__", onAll, pair, compare<CompareOp::Ge>},
    {"__rge__", onNumbers, pair, compare<CompareOp::Ge, Order::Reflected>},
    {"__eq__", onAll | OnType, pair, compare<CompareOp::Eq>},
    {"__req__", onNumbers, pair, compare<CompareOp::Eq, Order::Reflected>},
    {"__ne__", onAll | OnType, pair, compare<CompareOp::Ne>},
    {"__rne__", onNumbers, pair, compare<CompareOp::Ne, Order::Reflected>},
    {"__neg__", onNumbers, "self", unary<UnaryOp::Negate>},
    {"__pos__", onNumbers, "self", unary<UnaryOp::Plus>},
    {"__invert__", onNumbers, "self", unary<UnaryOp::Invert>},
    {"__not__", onNumbers, "self", unary<UnaryOp::Not>},
    {"__getitem__", onAll | OnDict, "self, key", item},
};

} // namespace

std::span<const Builtin> eval::operatorBuiltins() { return table; }
