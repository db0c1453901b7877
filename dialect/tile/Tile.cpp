// The dialect itself, its pointer type, and what is asked of types everywhere.
#include "dialect/tile/Tile.h"
#include "dialect/tile/NameOps.h"
#include "dialect/tile/ops/ExternCall.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tegula::tile;

#include "dialect/tile/TileDialect.cpp.inc"
#include "dialect/tile/TileEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/tile/TileTypes.cpp.inc"

/// `, nonneg`, `, constant` or nothing: the end of `#tile.param<...>`.
static ParseResult parseParamFact(AsmParser &parser, bool &nonNegative, bool &constant) {
  if (failed(parser.parseOptionalComma()))
    return success();
  nonNegative = succeeded(parser.parseOptionalKeyword("nonneg"));
  constant = !nonNegative;
  return constant ? parser.parseKeyword("constant") : success();
}

static void printParamFact(AsmPrinter &printer, bool nonNegative, bool constant) {
  if (nonNegative || constant)
    printer << ", " << (nonNegative ? "nonneg" : "constant");
}

#define GET_ATTRDEF_CLASSES
#include "dialect/tile/TileAttrs.cpp.inc"

#define GET_OP_CLASSES
#include "dialect/tile/TileOps.cpp.inc"

void TileDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialect/tile/TileTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialect/tile/TileAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/tile/TileOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/tile/ops/ExternOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialect/tile/NameOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

LogicalResult PtrType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, Type pointee) {
  // (ptr_c1)
  bool isInteger = pointee.isSignlessInteger(1) || pointee.isSignlessInteger(8) ||
                   pointee.isSignlessInteger(16) || pointee.isSignlessInteger(32) ||
                   pointee.isSignlessInteger(64);
  if (isInteger ||
      isa<Float8E4M3FNType, Float8E5M2Type, Float16Type, BFloat16Type, Float32Type, Float64Type, PtrType>(
          pointee))
    return success();
  return emitError() << "expected a pointee of integer, float or pointer type, found " << pointee;
}

LogicalResult ViewType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t rank,
                               Type element) {
  // (view_type_c1)
  if (rank < 1 || rank > MaxTensorRank)
    return emitError() << "expected 1 to " << MaxTensorRank << " axes, found " << rank;
  // (view_type_c2)
  if (element.isInteger(1) || failed(PtrType::verify(emitError, element)))
    return emitError() << "expected elements of whole bytes, found " << element;
  return success();
}

unsigned PtrType::getPointeeBytes() const {
  Type pointee = getPointee();
  return isa<PtrType>(pointee) ? 8 : (pointee.getIntOrFloatBitWidth() + 7) / 8;
}

namespace tegula::tile {

bool hasTileShape(ShapedType type) {
  if (!type.hasStaticShape() || type.getRank() < 1 || type.getRank() > int64_t(MaxTensorRank))
    return false;
  int64_t elements = 1;
  for (int64_t side : type.getShape()) {
    // Sides are checked one by one: their product could overflow.
    if (side < 1 || side > MaxTensorElements || !llvm::isPowerOf2_64(uint64_t(side)))
      return false;
    elements *= side;
    if (elements > MaxTensorElements)
      return false;
  }
  return true;
}

LayoutAttr layoutOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? dyn_cast_or_null<LayoutAttr>(tensor.getEncoding()) : LayoutAttr();
}

Type elementTypeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? shaped.getElementType() : type;
}

Operation *firstThatIsNoScalarCode(Block &body) {
  Operation *found = nullptr;
  // The inner one of nested ops comes first: it is the one to name.
  body.walk([&](Operation *op) {
    auto isShaped = [](Type type) { return isa<ShapedType>(type); };
    // The ops inside of a branch or loop have been asked themselves.
    const bool isAllowed = isa<AssertOp, PrintOp>(op) || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                           isMemoryEffectFree(op);
    if (llvm::none_of(op->getResultTypes(), isShaped) && isAllowed)
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

Type withElementType(Type like, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(like);
  return tensor ? RankedTensorType::get(tensor.getShape(), element, tensor.getEncoding()) : element;
}

RankedTensorType withLayout(Type tensor, LayoutAttr layout) {
  auto type = cast<RankedTensorType>(tensor);
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

Type pointeeOf(Type pointerLike) { return cast<PtrType>(elementTypeOf(pointerLike)).getPointee(); }

LogicalResult verifySameShapeAndLayout(Operation *op) {
  Type first;
  for (auto types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      if (isa<BoxType>(type))
        continue;
      if (!first) {
        first = type;
        continue;
      }
      auto a = dyn_cast<RankedTensorType>(first), b = dyn_cast<RankedTensorType>(type);
      // (same_c1)
      if (bool(a) != bool(b) || (a && a.getShape() != b.getShape()))
        return op->emitOpError() << "expected scalars or tensors of one shape, found " << first << " and "
                                 << type;
      // (same_c2)
      if (a && a.getEncoding() != b.getEncoding())
        return op->emitOpError() << "expected one layout on all operands and results, found " << first
                                 << " and " << type;
    }
  return success();
}

} // namespace tegula::tile
