// Types: their constructors, the classes that `isinstance` asks for, and predicates.
#include "compiler/frontend/builtins/BuiltinTable.h"
#include "compiler/frontend/eval/calls/Call.h"
#include "compiler/frontend/eval/classes/Aggregates.h"
#include "compiler/frontend/eval/expressions/Attributes.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

Value constexpr_(Call &call) {
  if (isRuntime(call.value(0)))
    return call.errorAt(0, "expected a value known at compile time, found " + describe(call.value(0)));
  Value value = call.value(0);
  // A function of Python is called as such: it computes constants.
  if (Function *function = std::get_if<Function>(&value.payload); function && !function->definition->isJit)
    function->isHosts = true;
  value.wrapped = true;
  return value;
}

Value pointerType(Call &call, Dtype element, const Value & /*space*/, bool isConst) {
  // The size of the space is one byte of our own; no kernel has deeper pointers.
  if (element.pointerDepth >= 8)
    return call.errorAt(0, "expected a pointer to fewer pointers");
  Dtype pointer = element.pointerTo();
  pointer.isConst = isConst;
  return TypeValue{pointer, {}};
}

Value blockType(Call &call, Dtype element, const Integers &sides) {
  if (!call.semantics.checkShape(sides, call.rangeOf(1)))
    return Poison();
  llvm::SmallVector<int64_t, 8> shape(sides.begin(), sides.end());
  if (shape.empty())
    return call.errorAt(1, "expected a shape with dimensions, found []");
  // The context keeps the sides.
  auto type = llvm::cast<mlir::RankedTensorType>(call.emit.type(element, shape));
  return TypeValue{element, type.getShape()};
}

Value dtype(Call &, Dtype dtype) { return TypeValue{dtype, {}}; }

Value notCallable(Call &call) { return call.error("values of this class are not made by calling it"); }

/// `is_NAME()` of a type. Named types (`is_fp32`) answer by their name.
Value predicate(Call &call, const TypeValue &type) {
  const Dtype dtype = type.dtype;
  std::string_view name = call.builtin.name;
  if (type.isVoid || name == "is_void")
    return type.isVoid && name == "is_void";
  bool isBlock = !type.shape.empty() && !type.isBlockPointer;
  if (name == "is_block")
    return isBlock;
  // The conditions below are on scalar types: a block type is none of them.
  if (isBlock)
    return false;
  if (name == "is_ptr")
    return dtype.isPointer();
  if (name == "is_const")
    return dtype.isConst;
  if (dtype.isPointer())
    return false;
  if (name == "is_floating")
    return dtype.isFloat();
  if (name == "is_standard_floating")
    return dtype.isFloat() && !dtype.isFloat8();
  if (name == "is_fp8")
    return dtype.isFloat8();
  if (name == "is_int")
    return dtype.isInt();
  if (name == "is_bool")
    return dtype.isBool();
  if (name == "is_int_signed")
    return dtype.isSigned();
  if (name == "is_int_unsigned")
    return dtype.isUnsigned();
  return name.substr(3) == typeName(dtype);
}

/// `is_dtype(type_str)`: whether the language has a scalar type of this name.
Value isDtype(Call &, const Value & /*self*/, llvm::StringRef name) {
  std::optional<Dtype> known = dtypeByName(name);
  return name == "void" || (known && !known->isPointer() && typeName(*known) == name);
}

/// `get_int_dtype(bitwidth, signed)`: one bit is a bool either way.
Value getIntDtype(Call &call, Int width, bool isSigned) {
  bool isKnown = llvm::is_contained({1, 8, 16, 32, 64}, width);
  std::optional<Dtype> dtype;
  if (isKnown)
    dtype = dtypeByName((isSigned || width == 1 ? "int" : "uint") + std::to_string(int64_t(width)));
  if (!dtype)
    return call.errorAt(0, "expected the width of an integer type, 1, 8, 16, 32 or 64 bits");
  return TypeValue{*dtype, {}};
}

/// Returns the part of a function's name that tells a type from others.
std::string mangled(const TypeValue &type) {
  if (type.isVoid)
    return "V";
  const Dtype dtype = type.dtype;
  std::string text(dtype.pointerDepth, 'P');
  const Dtype scalar{dtype.scalar};
  text += scalar.isInt() ? (scalar.isSigned() ? "i" : "u") + std::to_string(scalar.bits()) : typeName(scalar);
  if (type.shape.empty())
    return text;
  text += "S";
  for (auto [i, side] : llvm::enumerate(type.shape))
    text += (i ? "_" : "") + std::to_string(side);
  return text + "S";
}

Value mangle(Call &call, const TypeValue &type) {
  return call.evaluator.memory.text(mangled(type), call.range);
}

Value getBlockShapes(Call &call, const TypeValue &type) {
  return call.evaluator.memory.sides(type.shape, false, call.range);
}

/// The type with elements of another one.
Value withElementTy(Call &, const TypeValue &type, Dtype element) { return TypeValue{element, type.shape}; }

/// `kind()`: 0 of truths, 1 of integers, 2 of floats, as `tl.dtype.KIND` numbers them.
Value kind(Call &call, const TypeValue &type) {
  if (type.isVoid || type.dtype.isPointer() || !type.shape.empty())
    return call.error("expected a type of numbers, found " + describe(type));
  return Int(type.dtype.isBool() ? 0 : type.dtype.isInt() ? 1 : 2);
}

template <Int limit(Dtype)> Value integerLimit(Call &call, const TypeValue &type) {
  if (type.isVoid || !type.dtype.isInt() || !type.shape.empty())
    return call.error("expected an integer type, found " + describe(type));
  return limit(type.dtype);
}

/// Returns the type's name in `tl`: "float16".
Value codegenName(Call &call, const TypeValue &type) {
  if (type.isVoid || type.dtype.isPointer() || !type.shape.empty())
    return call.evaluator.memory.text(toText(type, /*quoteStrings=*/false), call.range);
  return dtypeAttribute(type.dtype.scalar);
}

Value constexprType(Call &call) {
  if (isRuntime(call.value(0)))
    return call.errorAt(0, "expected a value known at compile time, found " + describe(call.value(0)));
  return typeOfKnown(call.evaluator, call.value(0), call.range);
}

/// `tl.tuple_type(types)`: the types side by side.
Value tupleType(Call &call, llvm::ArrayRef<Value> types) {
  return call.evaluator.memory.tuple(types, false, call.range);
}

/// `_unwrap_if_constexpr(o)`: the value that a `constexpr` holds; what is none stays as it is.
Value unwrapIfConstexpr(Call &call) {
  Value value = call.value(0);
  value.wrapped = false;
  return value;
}

/// `aggregate_replace(instance, field=value)`: a value as `instance` with other values of some fields.
Value aggregateReplace(Call &call) {
  if (!aggregateOf(call.value(0)))
    return call.errorAt(0, "expected a value of an aggregate, found " + describe(call.value(0)));
  return call.evaluator.aggregates().replaceFields(call.value(0), call.keywords, call.range);
}

constexpr auto getIntMaxValue = integerLimit<maxOf>, getIntMinValue = integerLimit<minOf>;

} // namespace

#include "compiler/frontend/builtins/python/BuiltinsType.inc"
