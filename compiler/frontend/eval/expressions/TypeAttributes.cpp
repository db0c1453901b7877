// Attributes of types, and of the class that they are of.
#include "compiler/frontend/eval/expressions/Attributes.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

/// Members of `tl.dtype.KIND` and `tl.dtype.SIGNEDNESS`, each by its number.
constexpr std::string_view kinds[] = {"BOOLEAN", "INTEGRAL", "FLOATING"};
constexpr std::string_view signedness[] = {"SIGNED", "UNSIGNED"};

/// Numbers by which a scalar type is described; nothing where it has no such attribute.
std::optional<Int> numberOf(Dtype dtype, std::string_view name) {
  if (name == "primitive_bitwidth")
    return Int(dtype.bits());
  if (name == "itemsize")
    return Int((dtype.bits() + 7) / 8);
  if (name == "int_bitwidth" && dtype.isInt())
    return Int(dtype.bits());
  if (name == "int_signedness" && dtype.isInt())
    return Int(dtype.isSigned() ? 0 : 1);
  if (name == "fp_mantissa_width" && dtype.isFloat())
    return Int(dtype.mantissaBits());
  if (name == "exponent_bias" && dtype.isFloat())
    return Int(dtype.exponentBias());
  if (name == "address_space" && dtype.isPointer())
    return Int(1);
  return std::nullopt;
}

bool holdsTypeOfKnown(const Value &value) {
  if (const TypeValue *type = value.as<TypeValue>())
    return type->known;
  const Tuple *tuple = value.as<Tuple>();
  return tuple && llvm::any_of(tuple->items, holdsTypeOfKnown);
}

} // namespace

Value eval::typeOfKnown(Evaluation &evaluator, const Value &value, SourceRange range) {
  // One in another would nest without an end.
  if (holdsTypeOfKnown(value))
    return evaluator.reporter.refuse(range, "expected a value, found " + describe(value));
  TypeValue type{
      .dtype = {}, .shape = {}, .isVoid = !value.isNumber(), .known = evaluator.memory.keep(value)};
  if (value.isNumber()) {
    std::optional<Dtype> dtype = evaluator.semantics.typeOf(value, range);
    if (!dtype)
      return Poison();
    type.dtype = *dtype;
  }
  return type;
}

std::optional<Value> eval::typeAttribute(Evaluation &evaluator, const TypeValue &type, std::string_view name,
                                         SourceRange range) {
  Dtype dtype = type.dtype;
  const bool isBlock = !type.shape.empty() && !type.isBlockPointer;
  if (type.isBlockPointer && name == "scalar")
    return Value(type);
  if (name == "element_ty" && !isBlock) {
    if (dtype.isPointer())
      return Value(TypeValue{dtype.pointee(), type.shape});
    evaluator.reporter
        .error(range, "`element_ty`: expected a pointer or a block type, found " + typeName(dtype))
        .help = "only pointers have an element type: `x_ptr.dtype.element_ty`";
    return Value(Poison());
  }
  if (name == "scalar" || name == "element_ty")
    return Value(TypeValue{dtype, {}});
  if (name == "value")
    return type.known ? *type.known : Value(type); // of a `tl.constexpr`, which here is the value itself
  if (name == "shape")
    return evaluator.memory.sides(type.shape, true, range);
  if (name == "name")
    return evaluator.memory.text(typeName(dtype, type.shape), range);
  if (name == "cache_key_part" && !isBlock && !dtype.isPointer())
    return evaluator.memory.text(typeName(dtype), range);
  if (name == "numel")
    return Value(Int(elementsOf(type.shape)));
  if (name == "nbytes" && isBlock)
    return Value(Int(elementsOf(type.shape) * int64_t(dtype.bits() / 8)));
  if (name == "const" && dtype.isPointer())
    return Value(dtype.isConst);
  if (std::optional<Int> number = numberOf(dtype, name))
    return Value(*number);
  return name == "get_block_shapes" && !isBlock ? std::nullopt : method(evaluator, type, name, OnType);
}

std::optional<Value> eval::partOfDtypeClass(Memory &memory, std::string_view name, SourceRange range) {
  auto numbered = [&](llvm::ArrayRef<std::string_view> names) {
    llvm::SmallVector<std::pair<Value, Value>, 4> fields;
    for (auto [number, field] : llvm::enumerate(names))
      fields.emplace_back(field, Int(number));
    return memory.record(fields, range);
  };
  if (name == "KIND")
    return numbered(kinds);
  if (name == "SIGNEDNESS")
    return numbered(signedness);
  llvm::SmallVector<Value, 16> listed;
  for (std::string_view attribute : dtypeAttributes()) {
    const Dtype dtype = *dtypeByAttribute(attribute);
    const bool isStandard = dtype.isFloat() && !dtype.isFloat8();
    if ((name == "SINT_TYPES" && dtype.isSigned()) || (name == "UINT_TYPES" && dtype.isUnsigned()) ||
        (name == "FP_TYPES" && dtype.isFloat()) || (name == "STANDARD_FP_TYPES" && isStandard))
      listed.push_back(memory.text(typeName(dtype), range));
  }
  if (name == "OTHER_TYPES")
    listed.push_back(std::string_view("void"));
  if (listed.empty())
    return std::nullopt;
  return memory.tuple(listed, true, range);
}
