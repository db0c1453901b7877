// Evaluates `isinstance`.
#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/text/NamedTuples.h"
#include "compiler/frontend/values/Builtin.h"

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
    std::string_view name = ref->builtin->name;
    if (name == "tensor")
      return value.is<Tensor>() || value.is<BlockPointer>();
    if (name == "tensor_descriptor")
      return value.is<Descriptor>();
    if (name == "constexpr")
      return !isRuntime(value);
    if (name == "slice")
      return value.is<SliceValue>();
    if (name == "int")
      return value.is<Int>() || value.is<bool>();
    if (name == "float")
      return value.is<double>();
    if (name == "bool")
      return value.is<bool>();
    if (name == "str")
      return value.is<std::string_view>();
    if (name == "dict")
      return value.is<Dict>();
    if (name == "tuple" || name == "list")
      return value.is<Tuple>() && !aggregateOf(value) && value.as<Tuple>()->isList == (name == "list");
    if (name == "constexpr_type")
      return value.is<TypeValue>() && value.as<TypeValue>()->known;
    if (name == "dtype" || name == "block_type" || name == "pointer_type") {
      const TypeValue *held = value.as<TypeValue>();
      return held &&
             (name == "dtype" || (name == "block_type") == (!held->shape.empty() && !held->isBlockPointer)) &&
             (name != "pointer_type" || held->dtype.isPointer());
    }
  }
  return std::nullopt;
}
