// Brings operands together: types, pointers, shapes, conversions.
#include "compiler/frontend/tracing/Semantics.h"

#include "llvm/ADT/STLExtras.h"

using namespace tegula;
using namespace tegula::eval;

std::optional<Dtype> Semantics::typeOf(const Value &value, SourceRange range) {
  if (const Tensor *tensor = value.as<Tensor>())
    return tensor->dtype;
  if (value.is<bool>())
    return Dtype{ScalarKind::Int1};
  if (const double *number = value.as<double>())
    return typeOfNumber(*number);
  if (const Int *number = value.as<Int>()) {
    if (std::optional<Dtype> dtype = typeOfNumber(*number))
      return dtype;
    reporter.error(range, "expected an integer of at most 64 bits, found " + toString(*number));
    return std::nullopt;
  }
  if (!value.isPoison())
    reporter.error(range, "expected a number or a tensor, found " + describe(value));
  return std::nullopt;
}

std::optional<Tensor> Semantics::toTensor(const Value &value, SourceRange range) {
  if (const Tensor *tensor = value.as<Tensor>())
    return *tensor;
  std::optional<Dtype> dtype = typeOf(value, range);
  if (!dtype)
    return std::nullopt;
  return emit.constant(value, *dtype);
}

std::optional<Semantics::Pair> Semantics::toTensors(const Value &left, const Value &right,
                                                    SourceRange range) {
  std::optional<Tensor> a = toTensor(left, range), b = toTensor(right, range);
  if (!a || !b)
    return std::nullopt;
  return Pair{*a, *b};
}

std::optional<Tensor> Semantics::convert(const Value &value, Dtype to, SourceRange range) {
  std::optional<Tensor> own = toTensor(value, range);
  if (!own)
    return std::nullopt;
  // A constant at once: no folder rounds what it cannot keep. What the own type does not hold is lost.
  if (const double *real = value.as<double>(); real && !to.isPointer())
    return emit.constant(Value(own->dtype.is(ScalarKind::Float32) ? double(float(*real)) : *real), to);
  return cast(*own, to, range);
}

Value Semantics::mismatch(const Value &left, const Value &right, std::string_view what,
                          std::string_view expected, SourceRange range) {
  Diagnostic &diagnostic =
      reporter.error(range, std::string(what) + ": invalid operands of type " + describe(left) + " and " +
                                describe(right) + ", expected " + std::string(expected));
  bool isFloat = false, isPointer = false;
  for (const Value *side : {&left, &right}) {
    const Tensor *tensor = side->as<Tensor>();
    isFloat = isFloat || side->is<double>() || (tensor && tensor->dtype.isFloat());
    isPointer = isPointer || (tensor && tensor->dtype.isPointer());
    if (tensor)
      reporter.addOrigin(diagnostic, tensor->ir, "the operand of type " + describe(*side) + " is made here");
  }
  if (isFloat && isPointer) {
    diagnostic.help = "offsets are integers: divide with `//`, or convert with `.to(tl.int32)`";
    const Tensor *offset = right.as<Tensor>();
    if (reporter.operands && offset && join(reporter.operands->first, reporter.operands->second) == range)
      reporter.addFix(diagnostic, "convert it with `.to(tl.int32)`",
                      suffixed(reporter.source(), reporter.operands->second, ".to(tl.int32)"));
  }
  return Poison();
}

bool Semantics::checkRange(const Value &number, Dtype common, SourceRange range) {
  std::optional<Int> value = number.asInt();
  if (!value || !common.isInt() || fits(*value, common))
    return true;
  Diagnostic &diagnostic =
      reporter.error(range, "Scalar " + toString(*value) + " is out of range for type " + typeName(common));
  diagnostic.help = "cast the other operand to a type that holds the number";
  return false;
}

std::optional<Tensor> Semantics::asOperand(const Value &value, Dtype common, SourceRange range) {
  if (const Tensor *tensor = value.as<Tensor>())
    return emit.cast(*tensor, common);
  if (!checkRange(value, common, range))
    return std::nullopt;
  return emit.constant(value, common);
}

std::optional<Semantics::Pair> Semantics::unifyPointers(const Value &left, const Value &right, Unify how,
                                                        std::string_view what, SourceRange range) {
  std::optional<Tensor> a = toTensor(left, range), b = toTensor(right, range);
  if (!a || !b)
    return std::nullopt;
  bool allowed = (!a->dtype.isPointer() || how.leftPointer) && (!b->dtype.isPointer() || how.rightPointer) &&
                 !a->dtype.isFloat() && !b->dtype.isFloat();
  if (a->dtype.isPointer() && b->dtype.isPointer())
    allowed = allowed && a->dtype == b->dtype;
  if (!allowed) {
    mismatch(left, right, what,
             how.leftPointer
                 ? (how.rightPointer ? "a pointer and an integer" : "a pointer on the left and an integer")
                 : "numbers, no pointers",
             range);
    return std::nullopt;
  }
  if (!broadcast(*a, *b, what, range))
    return std::nullopt;
  return Pair{*a, *b};
}

std::optional<Semantics::Pair> Semantics::unify(const Value &left, const Value &right, Unify how,
                                                std::string_view what, SourceRange range) {
  if (std::exchange(how.typedNumbers, false)) {
    std::optional<Pair> typed = toTensors(left, right, range);
    return typed ? unify(typed->left, typed->right, how, what, range) : std::nullopt;
  }
  std::optional<Dtype> a = typeOf(left, range), b = typeOf(right, range);
  if (!a || !b)
    return std::nullopt;
  if (a->isPointer() || b->isPointer())
    return unifyPointers(left, right, how, what, range);
  if (how.divides && language.dividesFloat8InFloat32)
    for (std::optional<Dtype> *side : {&a, &b})
      if ((*side)->isFloat8())
        *side = Dtype{ScalarKind::Float32};
  std::variant<Dtype, std::string> common =
      promote({*a, left.isNumber()}, {*b, right.isNumber()}, how.divides);
  if (const std::string *wrong = std::get_if<std::string>(&common)) {
    bool isFloat = a->isFloat() || b->isFloat();
    reporter.error(range, std::string(what) + ": " + *wrong).help =
        isFloat ? "cast the integer to a float"
                : "the result would hardly be useful: cast one operand to the other's sign";
    return std::nullopt;
  }
  std::optional<Tensor> x = asOperand(left, std::get<Dtype>(common), range);
  std::optional<Tensor> y = asOperand(right, std::get<Dtype>(common), range);
  if (!x || !y || !broadcast(*x, *y, what, range))
    return std::nullopt;
  return Pair{*x, *y};
}

bool Semantics::broadcast(Tensor &left, Tensor &right, std::string_view what, SourceRange range) {
  Shape a = left.shape(), b = right.shape();
  if (a == b)
    return true;
  if (a.empty() || b.empty()) {
    (a.empty() ? left : right) = emit.splat(a.empty() ? left : right, a.empty() ? b : a);
    return true;
  }
  llvm::SmallVector<int64_t, 8> common(std::max(a.size(), b.size()));
  for (size_t i = 0; i < common.size(); ++i) {
    // Sides are matched from the last one.
    int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      Diagnostic &diagnostic =
          reporter.error(range, std::string(what) + ": expected shapes that broadcast, found " +
                                    shapeText(a) + " and " + shapeText(b));
      reporter.addOrigin(diagnostic, left.ir, "the operand of shape " + shapeText(a) + " is made here");
      reporter.addOrigin(diagnostic, right.ir, "the operand of shape " + shapeText(b) + " is made here");
      return false;
    }
    common[common.size() - 1 - i] = std::max(x, y);
  }
  llvm::SmallVector<Int, 8> sides(common.begin(), common.end());
  if (!checkShape(sides, range))
    return false;
  for (Tensor *side : {&left, &right}) {
    while (side->shape().size() < common.size())
      *side = emit.expandDims(*side, 0);
    *side = emit.broadcast(*side, common);
  }
  return true;
}

bool Semantics::checkShape(llvm::ArrayRef<Int> shape, SourceRange range) {
  if (shape.size() > MaxTensorRank) {
    reporter.error(range, "expected at most " + std::to_string(MaxTensorRank) + " dimensions, found " +
                              std::to_string(shape.size()));
    return false;
  }
  Int elements = 1;
  for (auto [index, side] : llvm::enumerate(shape)) {
    if (side < 1 || (side & (side - 1)) != 0) {
      reporter.error(range, "Shape element " + std::to_string(index) + " must be a power of 2").help =
          "it is " + toString(side);
      return false;
    }
    elements = elements > tile::MaxTensorElements || side > tile::MaxTensorElements
                   ? tile::MaxTensorElements + 1
                   : elements * side;
  }
  if (elements > tile::MaxTensorElements) {
    reporter.error(range, "expected at most " + std::to_string(tile::MaxTensorElements) +
                              " elements in a tensor, found more");
    return false;
  }
  return true;
}

std::optional<Tensor> Semantics::broadcastTo(Tensor tensor, Shape shape, SourceRange range) {
  Shape from = tensor.shape();
  bool fine = from.empty() || from.size() == shape.size();
  for (size_t i = 0; fine && i < from.size(); ++i)
    fine = from[i] == shape[i] || from[i] == 1;
  if (fine)
    return emit.broadcast(tensor, shape);
  Diagnostic &diagnostic = reporter.error(range, "expected a tensor that broadcasts to " + shapeText(shape) +
                                                     ", found one of shape " + shapeText(from));
  if (from.size() != shape.size())
    diagnostic.help = "both must have the same number of dimensions: add some with `[:, None]`";
  reporter.addOrigin(diagnostic, tensor.ir, "the tensor is made here");
  return std::nullopt;
}

std::optional<Tensor> Semantics::cast(Tensor tensor, Dtype to, SourceRange range, Rounding rounding) {
  Dtype from = tensor.dtype;
  bool wrong = (from.isPointer() && (to.isFloat() || (to.isInt() && to.bits() != 64 && !to.isBool()))) ||
               (to.isPointer() && from.isFloat());
  if (wrong) {
    reporter.error(range, "expected a type that " + typeName(from) + " converts to, found " + typeName(to))
        .help = "an address converts to and from 64-bit integers only";
    return std::nullopt;
  }
  return emit.cast(tensor, to, rounding);
}

std::optional<Tensor> Semantics::bitcast(Tensor tensor, Dtype to, SourceRange range) {
  if (tensor.dtype.isPointer() || to.isPointer())
    return cast(tensor, to, range);
  if (tensor.dtype.bits() == to.bits())
    return emit.bitcast(tensor, to);
  reporter.error(range, "expected a type of " + std::to_string(tensor.dtype.bits()) + " bits like " +
                            typeName(tensor.dtype) + " to reinterpret it as, found " + typeName(to));
  return std::nullopt;
}
