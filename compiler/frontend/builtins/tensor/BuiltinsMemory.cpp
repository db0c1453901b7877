// Loads and stores.
#include "compiler/frontend/builtins/tensor/BuiltinsMemory.h"

#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/Fixes.h"

using namespace tegula;
using namespace tegula::eval;

std::optional<Access> eval::pointerArgument(Call &call) {
  const Tensor *pointer = call.value(0).as<Tensor>();
  if (!pointer || !pointer->dtype.isPointer()) {
    Diagnostic &diagnostic = call.report(
        call.rangeOf(0), "expected a pointer or a tensor of pointers, found " + describe(call.value(0)));
    if (pointer)
      call.reporter.addOrigin(diagnostic, pointer->ir, "the value is made here");
    return std::nullopt;
  }
  return accessOf(call.emit, *pointer);
}

Access eval::accessOf(Emitter &emit, const Tensor &pointer) {
  Access result{pointer, pointer.dtype.pointee(), pointer.dtype.pointee().isBool()};
  if (result.isBool) {
    result.element = {ScalarKind::Int8};
    result.pointer = emit.cast(pointer, result.element.pointerTo());
  }
  return result;
}

bool eval::checkWritable(Call &call) {
  if (!call.value(0).as<Tensor>()->dtype.isConst)
    return true;
  call.errorAt(0, "Cannot store to a constant pointer, found " + describe(call.value(0)));
  return false;
}

std::optional<Tensor> eval::maskArgument(Call &call, size_t index) {
  if (!call.given(index))
    return Tensor{};
  // `mask=True` is how kernels spell that there is none.
  if (const bool *known = call.value(index).as<bool>(); known && *known)
    return Tensor{};
  std::optional<Tensor> value = call.tensor(index);
  if (!value || value->dtype.isBool())
    return value;
  Diagnostic &diagnostic =
      call.report(call.rangeOf(index), "expected a mask of int1, found " + describe(*value));
  diagnostic.help = "masks come from comparisons, such as `offsets < n`";
  if (value->dtype.isInt())
    addSuffixFix(call.reporter, diagnostic, call.valueRange(index), " != 0");
  return std::nullopt;
}

bool eval::fitToPointer(Call &call, Tensor &pointer, Tensor &operand, std::string_view what, size_t index,
                        bool fixedPointer) {
  if (!operand.ir)
    return true;
  Shape before = pointer.shape();
  std::string name(what);
  if (pointer.isScalar() && !operand.isScalar()) {
    call.errorAt(index,
                 "expected a scalar as the " + name + " for a scalar pointer, found " + describe(operand));
    return false;
  }
  if (!call.semantics.broadcast(pointer, operand, "the pointer and the " + name, call.rangeOf(index)))
    return false;
  if (!fixedPointer || pointer.shape() == before)
    return true;
  call.errorAt(index, "expected a " + name + " that broadcasts to the pointer's shape " + shapeText(before) +
                          ", found one that makes it " + shapeText(pointer.shape()));
  return false;
}

namespace {

using tile::CacheModifier;
constexpr CacheModifier loadModifiers[] = {CacheModifier::None, CacheModifier::CA, CacheModifier::CG,
                                           CacheModifier::CS, CacheModifier::CV},
                        storeModifiers[] = {CacheModifier::None, CacheModifier::WB, CacheModifier::CG,
                                            CacheModifier::CS, CacheModifier::WT};

std::optional<CacheModifier> cacheModifier(Call &call, size_t index, llvm::ArrayRef<CacheModifier> allowed) {
  std::optional<std::string_view> text = call.text(index, "");
  if (!text)
    return std::nullopt;
  std::string names;
  for (CacheModifier modifier : allowed) {
    std::string name = modifier == CacheModifier::None ? "" : "." + stringifyCacheModifier(modifier).str();
    if (name == *text)
      return modifier;
    names += (names.empty() ? "'" : ", '") + name + "'";
  }
  call.errorAt(index,
               "expected one of " + names + " as the cache modifier, found '" + std::string(*text) + "'");
  return std::nullopt;
}

std::optional<tile::EvictionPolicy> evictionPolicy(Call &call, size_t index) {
  std::optional<std::string_view> text = call.text(index, "");
  if (!text)
    return std::nullopt;
  if (text->empty() || *text == "evict_normal")
    return tile::EvictionPolicy::Normal;
  if (std::optional<tile::EvictionPolicy> policy = tile::symbolizeEvictionPolicy(llvm::StringRef(*text)))
    return policy;
  call.errorAt(index, "expected 'evict_first' or 'evict_last' as the eviction policy, found '" +
                          std::string(*text) + "'");
  return std::nullopt;
}

std::optional<CacheHints> cacheHints(Call &call, size_t cache, size_t evict,
                                     llvm::ArrayRef<CacheModifier> allowed) {
  std::optional<CacheModifier> modifier = cacheModifier(call, cache, allowed);
  std::optional<tile::EvictionPolicy> policy = evictionPolicy(call, evict);
  return modifier && policy ? std::optional(CacheHints{*modifier, *policy}) : std::nullopt;
}

} // namespace

std::optional<CacheHints> eval::cacheHintsOfLoad(Call &call, size_t cache, size_t evict) {
  return cacheHints(call, cache, evict, loadModifiers);
}

std::optional<CacheHints> eval::cacheHintsOfStore(Call &call, size_t cache, size_t evict) {
  return cacheHints(call, cache, evict, storeModifiers);
}

namespace {

bool refuseBlockPointerOptions(Call &call, size_t check, size_t padding) {
  const Tuple *dims = call.given(check) ? call.value(check).as<Tuple>() : nullptr;
  bool checks = call.given(check) && !(dims && dims->items.empty());
  const auto *text = padding && call.given(padding) ? call.value(padding).as<std::string_view>() : nullptr;
  if (!checks && !(text && !text->empty()))
    return true;
  call.errorAt(checks ? check : padding, "`boundary_check` and `padding_option` are for block pointers");
  return false;
}

Value load(Call &call) {
  using namespace loads;
  if (call.value(Pointer).is<BlockPointer>())
    return loadBlock(call);
  std::optional<CacheHints> hints = cacheHintsOfLoad(call, Cache, Evict);
  std::optional<bool> isVolatile = call.flag(Volatile, false);
  std::optional<Access> target = pointerArgument(call);
  std::optional<Tensor> condition = maskArgument(call, Mask);
  if (!hints || !isVolatile || !target || !condition || !refuseBlockPointerOptions(call, Check, Padding))
    return Poison();
  Tensor other;
  if (call.given(Other)) {
    if (!call.given(Mask))
      return call.errorAt(Other, "expected a mask with `other`, found none");
    std::optional<Tensor> converted =
        call.semantics.convert(call.value(Other), target->element, call.rangeOf(Other));
    if (!converted)
      return Poison();
    other = condition->ir ? *converted : Tensor{};
  }
  // All grow together: the mask may be larger than the pointer, and `other` than both.
  if (!fitToPointer(call, target->pointer, *condition, "mask", Mask, /*fixedPointer=*/false) ||
      !fitToPointer(call, target->pointer, other, "other", Other, /*fixedPointer=*/false))
    return Poison();
  if (!fitToPointer(call, target->pointer, *condition, "mask", Mask, /*fixedPointer=*/false))
    return Poison();
  auto op = tile::LoadOp::create(call.emit.builder, call.emit.loc, target->pointer.ir, condition->ir,
                                 other.ir, hints->cache, hints->evict, *isVolatile);
  Tensor result{op.getResult(), target->element};
  return target->isBool ? call.emit.isNonZero(result) : result;
}

Value store(Call &call) {
  using namespace stores;
  if (call.value(Pointer).is<BlockPointer>())
    return storeBlock(call);
  std::optional<CacheHints> hints = cacheHintsOfStore(call, Cache, Evict);
  std::optional<Access> target = pointerArgument(call);
  std::optional<Tensor> condition = maskArgument(call, Mask);
  if (!hints || !target || !condition || !refuseBlockPointerOptions(call, Check, 0) || !checkWritable(call))
    return Poison();
  if (!call.value(Stored).is<Tensor>() && !call.value(Stored).isNumber())
    return call.errorAt(Stored, "expected a number or a tensor, found " + describe(call.value(Stored)));
  // An array of truths is one of bytes: a truth is stored as 0 or 1, a number as its low byte.
  std::optional<Tensor> value =
      call.semantics.convert(call.value(Stored), target->element, call.rangeOf(Stored));
  if (!value)
    return Poison();
  if (!fitToPointer(call, target->pointer, *condition, "mask", Mask, /*fixedPointer=*/true) ||
      !fitToPointer(call, target->pointer, *value, "value", Stored, /*fixedPointer=*/true))
    return Poison();
  tile::StoreOp::create(call.emit.builder, call.emit.loc, target->pointer.ir, value->ir, condition->ir,
                        hints->cache, hints->evict);
  return None();
}

} // namespace

#include "compiler/frontend/builtins/tensor/BuiltinsMemory.inc"
