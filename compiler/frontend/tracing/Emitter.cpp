// Constants, shapes and conversions as IR.
#include "compiler/frontend/tracing/Emitter.h"

#include "compiler/frontend/tracing/PackedFloats.h"
#include "compiler/spec/SmallFloat.h"

#include "dialect/tile/NameOps.h"
#include "mlir/IR/Matchers.h"

using namespace tegula;
using namespace tegula::eval;
namespace arith = mlir::arith;

namespace {

/// The one value of every element of a tensor, where that is known.
mlir::TypedAttr splatAttribute(mlir::Value value) {
  mlir::Attribute attribute;
  if (!mlir::matchPattern(value, mlir::m_Constant(&attribute)))
    return {};
  return llvm::dyn_cast<mlir::TypedAttr>(attribute);
}

} // namespace

void Emitter::notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) {
  inserted += !llvm::isa<tile::BindOp>(op);
}

Tensor Emitter::constant(Int value, Dtype dtype, Shape shape) {
  if (dtype.isFloat())
    return constant(double(value), dtype, shape);
  Dtype bits = dtype.isPointer() ? Dtype{ScalarKind::Int64} : dtype;
  mlir::Type element = type(bits);
  llvm::APInt number(bits.bits(), uint64_t(value), /*isSigned=*/false, /*implicitTrunc=*/true);
  mlir::TypedAttr attribute = builder.getIntegerAttr(element, number);
  if (!shape.empty())
    attribute = mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(type(bits, shape)), number);
  Tensor result{arith::ConstantOp::create(builder, loc, attribute), bits};
  return dtype.isPointer() ? castPointer(result, dtype) : result;
}

Tensor Emitter::constant(double value, Dtype dtype, Shape shape) {
  if (dtype.isPackedFloat())
    return {
        constant(Int(smallFloat(dtype.scalar).bitsOf(double(float(value)))), {ScalarKind::UInt8}, shape).ir,
        dtype};
  auto element = llvm::cast<mlir::FloatType>(type(dtype));
  llvm::APFloat number(value);
  bool lossy = false;
  // Rounded by way of single precision, as in the language: 16-bit constants may be rounded twice.
  if (dtype.bits() < 32)
    number.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven, &lossy);
  bool isNan = number.isNaN(), isNegative = number.isNegative();
  number.convert(element.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &lossy);
  if (dtype.isFloat8() && !isNan && !number.isFinite())
    number = llvm::APFloat::getLargest(element.getFloatSemantics(), isNegative);
  mlir::TypedAttr attribute = builder.getFloatAttr(element, number);
  if (!shape.empty())
    attribute = mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(type(dtype, shape)), number);
  return {arith::ConstantOp::create(builder, loc, attribute), dtype};
}

Tensor Emitter::constant(const Value &number, Dtype dtype, Shape shape) {
  const double *real = number.as<double>();
  if (dtype.isBool())
    return constant(Int(*truth(number) ? 1 : 0), dtype, shape);
  if (!real)
    return constant(*number.asInt(), dtype, shape);
  if (dtype.isFloat())
    return constant(*real, dtype, shape);
  // Beyond 64 bits the conversion means nothing on the device either.
  llvm::APSInt whole(64, /*isUnsigned=*/false);
  bool exact = false;
  llvm::APFloat(*real).convertToInteger(whole, llvm::APFloat::rmTowardZero, &exact);
  return constant(Int(whole.getSExtValue()), dtype, shape);
}

Tensor Emitter::splat(Tensor scalar, Shape shape) {
  mlir::Type to = type(scalar.dtype, shape);
  // A constant becomes a constant at once, without a splat for the folder to look at.
  if (mlir::TypedAttr attribute = splatAttribute(scalar.ir)) {
    auto dense = mlir::DenseElementsAttr::get(llvm::cast<mlir::ShapedType>(to), mlir::Attribute(attribute));
    return {arith::ConstantOp::create(builder, loc, llvm::cast<mlir::TypedAttr>(dense)), scalar.dtype};
  }
  return {make<tile::SplatOp>(to, scalar.ir), scalar.dtype};
}

Tensor Emitter::broadcast(Tensor tensor, Shape shape) {
  if (tensor.shape() == shape)
    return tensor;
  if (tensor.isScalar())
    return splat(tensor, shape);
  return {make<tile::BroadcastOp>(type(tensor.dtype, shape), tensor.ir), tensor.dtype};
}

Tensor Emitter::expandDims(Tensor tensor, unsigned axis) {
  llvm::SmallVector<int64_t, 8> shape(tensor.shape());
  shape.insert(shape.begin() + axis, 1);
  if (tensor.isScalar())
    return splat(tensor, shape);
  return {make<tile::ExpandDimsOp>(type(tensor.dtype, shape), tensor.ir, axis), tensor.dtype};
}

Tensor Emitter::reshape(Tensor tensor, Shape shape) {
  if (tensor.shape() == shape)
    return tensor;
  if (tensor.isScalar())
    return splat(tensor, shape);
  return {make<tile::ReshapeOp>(type(tensor.dtype, shape), tensor.ir), tensor.dtype};
}

Tensor Emitter::onlyElement(Tensor tensor) {
  if (tensor.isScalar())
    return tensor;
  auto op = tile::ReduceOp::create(builder, loc, reshape(tensor, {1}).ir, 0u);
  // A single element needs no combining.
  mlir::OpBuilder::InsertionGuard guard(builder);
  mlir::Block &body = op.getCombine().emplaceBlock();
  mlir::Type element = type(tensor.dtype);
  body.addArguments({element, element}, {loc, loc});
  builder.setInsertionPointToStart(&body);
  tile::YieldOp::create(builder, loc, mlir::ValueRange(body.getArgument(0)));
  return {op.getResult(0), tensor.dtype};
}

Tensor Emitter::permute(Tensor tensor, llvm::ArrayRef<int32_t> order) {
  llvm::SmallVector<int64_t, 8> shape;
  for (int32_t axis : order)
    shape.push_back(tensor.shape()[axis]);
  return {make<tile::TransOp>(type(tensor.dtype, shape), tensor.ir, builder.getDenseI32ArrayAttr(order)),
          tensor.dtype};
}

Tensor Emitter::isNonZero(Tensor tensor) {
  if (tensor.dtype.isFloat8())
    tensor = castFloat(tensor, {ScalarKind::Float16}, Rounding::ToNearest);
  mlir::Value zero = constant(Int(0), tensor.dtype, tensor.shape()).ir;
  Dtype flag{ScalarKind::Int1};
  if (tensor.dtype.isFloat())
    return {make<arith::CmpFOp>(arith::CmpFPredicate::UNE, tensor.ir, zero), flag};
  return {make<arith::CmpIOp>(arith::CmpIPredicate::ne, tensor.ir, zero), flag};
}

Tensor Emitter::castFloat(Tensor tensor, Dtype to, Rounding rounding) {
  Dtype from = tensor.dtype;
  if (from.isPackedFloat())
    return cast(unpackFloats(*this, tensor), to, rounding);
  if (to.isPackedFloat())
    return packFloats(*this, cast(tensor, {ScalarKind::Float32}, rounding), to, rounding);
  mlir::Type target = type(to, tensor.shape());
  // Eight bits are rounded out of fp16 and fp32 only.
  bool isDirect = from.is(ScalarKind::Float16) || from.is(ScalarKind::Float32);
  if (to.isFloat8() && !isDirect)
    return castFloat(castFloat(tensor, {ScalarKind::Float32}, rounding), to, rounding);
  if (to.bits() < from.bits()) {
    if (rounding == Rounding::TowardZero)
      return {
          arith::TruncFOp::create(builder, loc, target, tensor.ir,
                                  arith::RoundingModeAttr::get(context(), arith::RoundingMode::toward_zero),
                                  arith::FastMathFlagsAttr()),
          to};
    return {make<arith::TruncFOp>(target, tensor.ir), to};
  }
  if (to.bits() > from.bits())
    return {make<arith::ExtFOp>(target, tensor.ir), to};
  // fp16 and bf16: each has values that the other lacks.
  return castFloat(castFloat(tensor, {ScalarKind::Float32}, rounding), to, rounding);
}

Tensor Emitter::castPointer(Tensor tensor, Dtype to) {
  mlir::Type target = type(to, tensor.shape());
  if (!tensor.dtype.isPointer())
    return {make<tile::IntToPtrOp>(target, cast(tensor, {ScalarKind::Int64}).ir), to};
  if (to.isPointer())
    // Only the language knows of pointers to constants: the IR's type may be the same.
    return {target == tensor.ir.getType() ? tensor.ir : make<tile::BitcastOp>(target, tensor.ir), to};
  Tensor address{make<tile::PtrToIntOp>(type({ScalarKind::Int64}, tensor.shape()), tensor.ir),
                 {ScalarKind::Int64}};
  return cast(address, to);
}

Tensor Emitter::cast(Tensor tensor, Dtype to, Rounding rounding) {
  Dtype from = tensor.dtype;
  if (from == to)
    return tensor;
  if (from.isPointer() || to.isPointer())
    return castPointer(tensor, to);
  if (from.isFloat() && to.isFloat())
    return castFloat(tensor, to, rounding);
  if (to.isBool())
    return isNonZero(tensor);
  // Integers come to eight bits as they do in hardware, by way of fp32.
  if (to.isFloat8())
    return castFloat(cast(tensor, {ScalarKind::Float32}), to, rounding);
  mlir::Type target = type(to, tensor.shape());
  if (from.isInt() && to.isInt()) {
    if (to.bits() < from.bits())
      return {make<arith::TruncIOp>(target, tensor.ir), to};
    if (to.bits() == from.bits())
      return {tensor.ir, to};
    return {from.isSigned() ? make<arith::ExtSIOp>(target, tensor.ir)
                            : make<arith::ExtUIOp>(target, tensor.ir),
            to};
  }
  if (from.isFloat()) {
    if (from.bits() < 32)
      tensor = castFloat(tensor, {ScalarKind::Float32}, rounding);
    return {to.isSigned() ? make<arith::FPToSIOp>(target, tensor.ir)
                          : make<arith::FPToUIOp>(target, tensor.ir),
            to};
  }
  return {from.isSigned() ? make<arith::SIToFPOp>(target, tensor.ir)
                          : make<arith::UIToFPOp>(target, tensor.ir),
          to};
}

Tensor Emitter::bitcast(Tensor tensor, Dtype to) {
  mlir::Type target = type(to, tensor.shape());
  if (target == tensor.ir.getType())
    return {tensor.ir, to};
  return {make<arith::BitcastOp>(target, tensor.ir), to};
}
