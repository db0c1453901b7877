// Atomics, and the barrier.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/builtins/tensor/BuiltinsMemory.h"

#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;
using tile::AtomicKind;

namespace {

struct Effect {
  tile::MemoryOrder order;
  tile::MemoryScope scope;
};

/// The values that `sem` may have, the default first.
using Orders = std::span<const std::string_view>;
constexpr std::string_view ordersOfUpdates[] = {"acq_rel", "acquire", "release", "relaxed"},
                           ordersOfLoads[] = {"acquire", "relaxed"},
                           ordersOfStores[] = {"release", "relaxed"};

/// Returns "'a', 'b' or 'c'".
std::string choiceOf(Orders orders) {
  std::string text;
  for (std::string_view order : orders)
    text += (text.empty() ? "'" : order == orders.back() ? " or '" : ", '") + std::string(order) + "'";
  return text;
}

/// `sem` and `scope`, by default those of a program that hands data to others on the device.
std::optional<Effect> effectArguments(Call &call, size_t semIndex, size_t scopeIndex,
                                      Orders orders = ordersOfUpdates) {
  std::optional<std::string_view> sem = call.text(semIndex, orders.front()),
                                  scope = call.text(scopeIndex, "gpu");
  if (!sem || !scope)
    return std::nullopt;
  std::optional<tile::MemoryOrder> order;
  if (llvm::is_contained(orders, *sem))
    order = tile::symbolizeMemoryOrder(llvm::StringRef(*sem));
  std::optional<tile::MemoryScope> seenBy = tile::symbolizeMemoryScope(llvm::StringRef(*scope));
  if (!order)
    call.errorAt(semIndex, "expected " + choiceOf(orders) + " as `sem`, found '" + std::string(*sem) + "'");
  if (!seenBy)
    call.errorAt(scopeIndex,
                 "expected 'gpu', 'cta' or 'sys' as `scope`, found '" + std::string(*scope) + "'");
  if (!order || !seenBy)
    return std::nullopt;
  return Effect{*order, *seenBy};
}

/// Types that the hardware has: "int32, uint32, ...", and whether `element` is among them.
struct Allowed {
  bool isAllowed;
  std::string_view names;
};
Allowed allowedTypes(AtomicKind update, Dtype element) {
  bool wide = (element.isInt() || element.isFloat()) && element.bits() >= 32;
  if (update == AtomicKind::Add)
    return {wide || (element.isFloat() && !element.isFloat8()),
            "int32, uint32, int64, uint64, fp16, bf16, fp32 or fp64"};
  return {wide, "int32, uint32, int64, uint64, fp32 or fp64"};
}

/// The kind that updates elements of this type as `update` does signed integers.
AtomicKind kindOf(AtomicKind update, Dtype element) {
  if (update == AtomicKind::Add && element.isFloat())
    return AtomicKind::FAdd;
  if (update == AtomicKind::Max && !element.isSigned())
    return AtomicKind::UMax;
  if (update == AtomicKind::Min && !element.isSigned())
    return AtomicKind::UMin;
  return update;
}

/// The pointer of an atomic, which may be written and whose elements are `isAllowed`.
std::optional<Access> target(Call &call, llvm::function_ref<Allowed(Dtype)> allowed) {
  std::optional<Access> access = pointerArgument(call);
  if (!access)
    return std::nullopt;
  Dtype element = call.value(0).as<Tensor>()->dtype.pointee();
  if (Allowed types = allowed(element); !types.isAllowed) {
    call.errorAt(0,
                 "expected a pointer to " + std::string(types.names) + ", found one to " + typeName(element));
    return std::nullopt;
  }
  return checkWritable(call) ? access : std::nullopt;
}

/// Argument `index` in the type of memory and the shape of the pointer.
std::optional<Tensor> operand(Call &call, size_t index, Access &access, std::string_view what) {
  if (!call.value(index).is<Tensor>() && !call.value(index).isNumber()) {
    call.errorAt(index, "expected a number or a tensor, found " + describe(call.value(index)));
    return std::nullopt;
  }
  std::optional<Tensor> value =
      call.semantics.convert(call.value(index), access.element, call.rangeOf(index));
  if (!value || !fitToPointer(call, access.pointer, *value, what, index, /*fixedPointer=*/true))
    return std::nullopt;
  return value;
}

mlir::Value update(Call &call, AtomicKind kind, Effect effect, mlir::Value pointer, mlir::Value value,
                   mlir::Value mask) {
  return tile::AtomicRMWOp::create(call.emit.builder, call.emit.loc, kind, effect.order, effect.scope,
                                   pointer, value, mask);
}

/// Computes the extremum of floats as one of their bits, of which the first is the sign. Compared with a
/// value without it, floats are ordered as signed integers: those with the sign are below. Compared with one
/// with it, they are ordered the other way round as unsigned integers: those without it are below. So -0.0 is
/// less than 0.0.
Tensor floatExtremum(Call &call, bool largest, Effect effect, const Access &access, Tensor value,
                     Tensor mask) {
  Dtype bits{access.element.bits() == 32 ? ScalarKind::Int32 : ScalarKind::Int64};
  Tensor pointer = call.emit.cast(access.pointer, bits.pointerTo()), number = call.emit.bitcast(value, bits);
  mlir::Value zero = call.emit.constant(Int(0), bits, number.shape()).ir;
  auto half = [&](arith::CmpIPredicate when, AtomicKind kind, mlir::Value &active) -> mlir::Value {
    active = call.emit.make<arith::CmpIOp>(when, number.ir, zero);
    // A constant mask needs one half only.
    if (mlir::matchPattern(active, mlir::m_Zero()))
      return {};
    if (mlir::matchPattern(active, mlir::m_One()))
      return update(call, kind, effect, pointer.ir, number.ir, mask.ir);
    mlir::Value both = mask.ir ? call.emit.make<arith::AndIOp>(active, mask.ir) : active;
    return update(call, kind, effect, pointer.ir, number.ir, both);
  };
  mlir::Value plus, minus;
  mlir::Value ofPlus = half(arith::CmpIPredicate::sge, largest ? AtomicKind::Max : AtomicKind::Min, plus);
  mlir::Value ofMinus = half(arith::CmpIPredicate::slt, largest ? AtomicKind::UMin : AtomicKind::UMax, minus);
  mlir::Value before = !ofPlus   ? ofMinus
                       : ofMinus ? call.emit.make<arith::SelectOp>(plus, ofPlus, ofMinus)
                                 : ofPlus;
  return call.emit.bitcast({before, bits}, access.element);
}

/// Bitwise on floats: on their bits.
Tensor updateBits(Call &call, AtomicKind kind, Effect effect, const Access &access, Tensor value,
                  Tensor mask) {
  Dtype bits{access.element.bits() == 32 ? ScalarKind::Int32 : ScalarKind::Int64};
  Tensor pointer = call.emit.cast(access.pointer, bits.pointerTo()), number = call.emit.bitcast(value, bits);
  return call.emit.bitcast({update(call, kind, effect, pointer.ir, number.ir, mask.ir), bits},
                           access.element);
}

template <AtomicKind what> Value atomic(Call &call) {
  enum { Pointer, Operand, Mask, Sem, Scope };
  std::optional<Effect> effect = effectArguments(call, Sem, Scope);
  std::optional<Access> access = target(call, [](Dtype element) { return allowedTypes(what, element); });
  std::optional<Tensor> condition = maskArgument(call, Mask);
  if (!effect || !access || !condition)
    return Poison();
  std::optional<Tensor> value = operand(call, Operand, *access, "value");
  if (!value || !fitToPointer(call, access->pointer, *condition, "mask", Mask, /*fixedPointer=*/true))
    return Poison();
  const AtomicKind kind = kindOf(what, access->element);
  if (access->element.isFloat() && (what == AtomicKind::Max || what == AtomicKind::Min))
    return floatExtremum(call, what == AtomicKind::Max, *effect, *access, *value, *condition);
  if (access->element.isFloat() &&
      llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor}, what))
    return updateBits(call, kind, *effect, *access, *value, *condition);
  return Tensor{update(call, kind, *effect, access->pointer.ir, value->ir, condition->ir), access->element};
}

Value atomicCas(Call &call) {
  enum { Pointer, Compare, Swapped, Sem, Scope };
  std::optional<Effect> effect = effectArguments(call, Sem, Scope);
  std::optional<Access> access = target(call, [](Dtype element) {
    return Allowed{!element.isPointer() && element.bits() >= 16, "numbers of 16, 32 or 64 bits"};
  });
  if (!effect || !access)
    return Poison();
  std::optional<Tensor> expected = operand(call, Compare, *access, "value to compare with");
  std::optional<Tensor> value = operand(call, Swapped, *access, "value");
  if (!expected || !value)
    return Poison();
  return Tensor{tile::AtomicCASOp::create(call.emit.builder, call.emit.loc, effect->order, effect->scope,
                                          access->pointer.ir, expected->ir, value->ir),
                access->element};
}

Value atomicLoad(Call &call) {
  enum { Pointer, Mask, Sem, Scope };
  std::optional<Effect> effect = effectArguments(call, Sem, Scope, ordersOfLoads);
  std::optional<Access> access = pointerArgument(call);
  std::optional<Tensor> condition = maskArgument(call, Mask);
  if (!effect || !access || !condition ||
      !fitToPointer(call, access->pointer, *condition, "mask", Mask, /*fixedPointer=*/true))
    return Poison();
  Tensor result{tile::AtomicLoadOp::create(call.emit.builder, call.emit.loc, effect->order, effect->scope,
                                           access->pointer.ir, condition->ir),
                access->element};
  return access->isBool ? call.emit.isNonZero(result) : result;
}

Value atomicStore(Call &call) {
  enum { Pointer, Stored, Mask, Sem, Scope };
  std::optional<Effect> effect = effectArguments(call, Sem, Scope, ordersOfStores);
  std::optional<Access> access = pointerArgument(call);
  std::optional<Tensor> condition = maskArgument(call, Mask);
  if (!effect || !access || !condition || !checkWritable(call))
    return Poison();
  std::optional<Tensor> value = operand(call, Stored, *access, "value");
  if (!value || !fitToPointer(call, access->pointer, *condition, "mask", Mask, /*fixedPointer=*/true))
    return Poison();
  tile::AtomicStoreOp::create(call.emit.builder, call.emit.loc, effect->order, effect->scope,
                              access->pointer.ir, value->ir, condition->ir);
  return None();
}

Value debugBarrier(Call &call) {
  tile::BarrierOp::create(call.emit.builder, call.emit.loc);
  return None();
}

constexpr Handler atomicAdd = atomic<AtomicKind::Add>, atomicMax = atomic<AtomicKind::Max>,
                  atomicMin = atomic<AtomicKind::Min>, atomicAnd = atomic<AtomicKind::And>,
                  atomicOr = atomic<AtomicKind::Or>, atomicXor = atomic<AtomicKind::Xor>,
                  atomicXchg = atomic<AtomicKind::Exchange>;

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsAtomic.inc"
