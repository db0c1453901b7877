// Evaluates `isinstance`.
#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/text/NamedTuples.h"
#include "compiler/frontend/values/Builtin.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tegula;
using namespace tegula::eval;

static bool isOrDerives(const AggregateClass &made, const AggregateClass &type) {
  return &made == &type ||
         llvm::any_of(made.bases, [&](const AggregateClass *base) { return isOrDerives(*base, type); });
}

std::optional<bool> Aggregates::isInstance(const Value &value, const Value &type) {
  if (const AggregateClass *wanted = classOf(type)) {
    const AggregateClass *made = aggregateOf(value);
    return made && isOrDerives(*made, *wanted);
  }
  if (const Function *function = type.as<Function>())
    return isMadeBy(value, *function);
  if (const BuiltinRef *ref = type.as<BuiltinRef>()) {
    const Tuple *sequence = aggregateOf(value) ? nullptr : value.as<Tuple>();
    const TypeValue *held = value.as<TypeValue>();
    const bool isBlock = held && !held->shape.empty() && !held->isBlockPointer;
    return llvm::StringSwitch<std::optional<bool>>(ref->builtin->name)
        .Case("tensor", value.is<Tensor>() || value.is<BlockPointer>())
        .Case("tensor_descriptor", value.is<Descriptor>())
        .Case("constexpr", !isRuntime(value))
        .Case("slice", value.is<SliceValue>())
        .Case("int", value.is<Int>() || value.is<bool>())
        .Case("float", value.is<double>())
        .Case("bool", value.is<bool>())
        .Case("str", value.is<std::string_view>())
        .Case("dict", value.is<Dict>())
        .Case("tuple", sequence && !sequence->isList)
        .Case("list", sequence && sequence->isList)
        .Case("constexpr_type", held && held->known)
        .Case("dtype", held != nullptr)
        .Case("block_type", isBlock)
        .Case("pointer_type", held && !isBlock && held->dtype.isPointer())
        .Default(std::nullopt);
  }
  return std::nullopt;
}
