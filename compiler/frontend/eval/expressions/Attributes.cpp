// Attributes of tensors, arrays and what is known at compile time.
#include "compiler/frontend/eval/expressions/Attributes.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

std::optional<Value> tensorAttribute(Evaluation &evaluator, const Tensor &tensor, std::string_view name,
                                     SourceRange range) {
  if (name == "dtype")
    return Value(TypeValue{tensor.dtype, {}});
  if (name == "type")
    return Value(TypeValue{tensor.dtype, tensor.shape()});
  if (name == "shape")
    return evaluator.memory.sides(tensor.shape(), true, range);
  if (name == "numel")
    return Value(Int(elementsOf(tensor.shape())));
  if (name != "T")
    return method(evaluator, tensor, name, OnTensor);
  if (tensor.shape().size() == 2)
    return Value(evaluator.emit.permute(tensor, {1, 0}));
  return evaluator.reporter.refuse(range, "`T`: expected a tensor of 2 dimensions, found " +
                                              typeName(tensor.dtype, tensor.shape()));
}

/// Returns an attribute of a block pointer; its methods are a tensor's.
std::optional<Value> blockPointerAttribute(const BlockPointer &pointer, std::string_view name) {
  if (name != "dtype" && name != "type")
    return std::nullopt;
  TypeValue type{pointer.element.pointerTo(), pointer.block};
  type.dtype.isConst = pointer.isConst;
  type.isBlockPointer = true;
  return Value(type);
}

std::optional<Value> descriptorAttribute(Memory &memory, const Descriptor &descriptor, std::string_view name,
                                         SourceRange range) {
  if (name == "dtype")
    return Value(TypeValue{descriptor.element, {}});
  if (name == "block_type")
    return Value(TypeValue{descriptor.element, descriptor.block});
  if (name == "block_shape")
    return memory.sides(descriptor.block, true, range);
  llvm::SmallVector<Value, 5> items;
  if (name == "shape")
    llvm::append_range(items, sizesOf(descriptor));
  else if (name == "strides")
    llvm::append_range(items, stridesOf(descriptor));
  else
    return std::nullopt;
  return memory.tuple(items, true, range);
}

/// `tl.tuple_type` of a tuple, which here is the tuple of the items' types.
Value typeOfTuple(Evaluation &evaluator, const Tuple &tuple, SourceRange range) {
  llvm::SmallVector<Value, 8> types;
  for (const Value &item : tuple.items)
    types.push_back(evaluator.attribute(item, "type", range));
  return evaluator.memory.tuple(types, false, range, tuple.names);
}

} // namespace

std::optional<Value> eval::method(Evaluation &evaluator, const Value &object, std::string_view name,
                                  Home home) {
  if (const Builtin *builtin = evaluator.functions.builtin(name, home))
    return Value(BuiltinRef{builtin, evaluator.memory.keep(object)});
  if (home != OnTensor && home != OnDescriptor)
    return std::nullopt;
  const LibraryFunction *found =
      evaluator.functions.library(name, home == OnTensor ? ModuleId::Language : ModuleId::Descriptor);
  if (!found || (home == OnTensor && !found->isMethod))
    return std::nullopt;
  return Value(Function{found->definition, found->unit, evaluator.memory.keep(object)});
}

std::optional<Value> eval::attributeOf(Evaluation &evaluator, const Value &object, std::string_view name,
                                       SourceRange range) {
  if (const Tensor *tensor = object.as<Tensor>())
    return tensorAttribute(evaluator, *tensor, name, range);
  if (const BlockPointer *pointer = object.as<BlockPointer>()) {
    std::optional<Value> found = blockPointerAttribute(*pointer, name);
    return found ? found : method(evaluator, object, name, OnTensor);
  }
  if (const Descriptor *descriptor = object.as<Descriptor>()) {
    std::optional<Value> found = descriptorAttribute(evaluator.memory, *descriptor, name, range);
    return found ? found : method(evaluator, object, name, OnDescriptor);
  }
  if (const TypeValue *type = object.as<TypeValue>())
    return typeAttribute(evaluator, *type, name, range);
  if (name == "value" && !object.is<Function>())
    return object; // of a `tl.constexpr`, which here is the value itself
  if (object.isNumber()) {
    // A parameter may be a number for one launch and a run-time scalar for the next: the same code
    // has to do for both.
    if (name == "dtype") {
      std::optional<Dtype> dtype = evaluator.semantics.typeOf(object, range);
      return dtype ? Value(TypeValue{*dtype, {}}) : Value(Poison());
    }
    if (name == "type")
      return typeOfKnown(evaluator, object, range);
    std::optional<Value> found = method(evaluator, object, name, OnTensor);
    return found || !object.asInt() ? found : method(evaluator, object, name, OnInteger);
  }
  if (const SliceValue *slice = object.as<SliceValue>()) {
    auto part = llvm::find(SliceValue::names, name);
    return part == std::end(SliceValue::names)
               ? std::nullopt
               : std::optional(slice->parts[part - std::begin(SliceValue::names)]);
  }
  if (object.is<std::string_view>())
    return name == "type" ? typeOfKnown(evaluator, object, range) : method(evaluator, object, name, OnText);
  if (const Dict *dict = object.as<Dict>(); dict && dict->isRecord) {
    for (const auto &[key, value] : dict->items)
      if (*key.as<std::string_view>() == name)
        return value;
    return std::nullopt;
  }
  if (object.is<Dict>())
    return method(evaluator, object, name, OnDict);
  if (const Tuple *tuple = object.as<Tuple>(); tuple && tuple->names)
    for (size_t i = 0; i < tuple->items.size(); ++i)
      if (tuple->names->fields[i] == name)
        return tuple->items[i];
  if (const Tuple *tuple = object.as<Tuple>()) {
    if (name != "type")
      return method(evaluator, object, name, OnSequence);
    return isRuntime(object) ? typeOfTuple(evaluator, *tuple, range) : typeOfKnown(evaluator, object, range);
  }
  if (object.isNone() && name == "type")
    return typeOfKnown(evaluator, object, range);
  if (const BuiltinRef *ref = object.as<BuiltinRef>(); ref && ref->builtin->name == "dtype")
    return partOfDtypeClass(evaluator.memory, name, range);
  if (const Function *function = object.as<Function>(); function && name == "__name__")
    return Value(function->definition->name);
  return std::nullopt;
}
