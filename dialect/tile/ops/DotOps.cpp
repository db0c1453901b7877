// The verifier of `tile.dot`, and the attributes that say what unit computes one, and in which parts.
#include "dialect/layout/Parts.h"
#include "dialect/tile/Tile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tegula::tile;

namespace {

bool isEightBitFloat(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// Elements of `a` that one register of a fragment holds: 32 bits of them, or one that is larger.
int64_t elementsOfRegister(Type a) { return std::max<int64_t>(1, 32 / a.getIntOrFloatBitWidth()); }

/// `m16n8k16` and so on, as PTX writes it.
std::string shapeOf(MatrixUnitAttr unit) {
  return llvm::formatv("m{0}n{1}k{2}", unit.getM(), unit.getN(), unit.getK());
}

} // namespace

bool tegula::tile::mayMultiply(Type a, Type b, Type sum) {
  if (isEightBitFloat(a) && isEightBitFloat(b))
    return sum.isF32() || sum.isF16();
  if (a != b)
    return false;
  if (a.isF16())
    return sum.isF32() || sum.isF16();
  if (a.isBF16() || a.isF32())
    return sum.isF32();
  return (a.isF64() && sum.isF64()) || (a.isInteger(8) && sum.isInteger(32));
}

//===----------------------------------------------------------------------===//
// Units
//===----------------------------------------------------------------------===//

LogicalResult MatrixUnitAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, MatrixUnitKind kind,
                                     uint32_t m, uint32_t n, uint32_t k) {
  // (matrix_unit_c1)
  if (kind == MatrixUnitKind::FMA && (m != 1 || n != 1 || k != 1))
    return emitError() << "expected `fma` without sides, found m" << m << "n" << n << "k" << k;
  // (matrix_unit_c2)
  bool hasFragments = (m == 8 || m == 16) && n == 8 && k >= 4 && k <= 32 && llvm::isPowerOf2_32(k);
  if (kind == MatrixUnitKind::MmaSync && !hasFragments)
    return emitError() << "expected m8 or m16, n8 and k4 to k32 of `mma_sync`, found m" << m << "n" << n
                       << "k" << k;
  // (matrix_unit_c3)
  auto isPowerWithin = [](uint32_t side, uint32_t least, uint32_t most) {
    return llvm::isPowerOf2_32(side) && side >= least && side <= most;
  };
  if (kind == MatrixUnitKind::Wgmma && (m != 64 || !isPowerWithin(n, 8, 256) || !isPowerWithin(k, 8, 32)))
    return emitError() << "expected m64, n8 to n256 and k8 to k32 of `wgmma`, found m" << m << "n" << n << "k"
                       << k;
  return success();
}

Attribute MatrixUnitAttr::parse(AsmParser &parser, Type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef word, shape;
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  std::optional<MatrixUnitKind> kind = symbolizeMatrixUnitKind(word);
  if (!kind) {
    parser.emitError(loc) << "expected `fma`, `mma_sync` or `wgmma`, found `" << word << "`";
    return {};
  }
  uint32_t m = 1, n = 1, k = 1;
  if (succeeded(parser.parseOptionalComma())) {
    llvm::SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&shape))
      return {};
    StringRef rest = shape;
    bool isShape = rest.consume_front("m") && !rest.consumeInteger(10, m) && rest.consume_front("n") &&
                   !rest.consumeInteger(10, n) && rest.consume_front("k") && !rest.consumeInteger(10, k);
    if (!isShape || !rest.empty()) {
      parser.emitError(place) << "expected sides as in `m16n8k16`, found `" << shape << "`";
      return {};
    }
  }
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(), *kind, m, n, k);
}

void MatrixUnitAttr::print(AsmPrinter &printer) const {
  printer << '<' << stringifyMatrixUnitKind(getKind());
  if (getKind() != MatrixUnitKind::FMA)
    printer << ", " << shapeOf(*this);
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

LogicalResult DotPartsAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, uint32_t columns,
                                   uint32_t inFlight) {
  // (dot_parts_c1)
  if (!llvm::isPowerOf2_32(columns))
    return emitError() << "expected a power of two as columns of a part, found " << columns;
  // (dot_parts_c2)
  if (inFlight != 1 && inFlight != 2)
    return emitError() << "expected 1 or 2 parts in flight, found " << inFlight;
  return success();
}

//===----------------------------------------------------------------------===//
// Dots
//===----------------------------------------------------------------------===//

static LogicalResult verifyParts(DotOp op, DotPartsAttr parts) {
  // (dot_c10)
  MatrixUnitAttr unit = op.getUnitAttr();
  if (!unit || unit.getKind() != MatrixUnitKind::Wgmma || op.getMaxImprecise() == 0)
    return op.emitOpError() << "expected parts of a dot with `wgmma` and `max_imprecise` alone, found `"
                            << parts << "`";
  if (parts.getColumns() < unit.getN() || parts.getColumns() > op.getN())
    return op.emitOpError() << "expected parts of " << unit.getN() << " to " << op.getN()
                            << " columns, found " << parts.getColumns();
  const int32_t sides[] = {int32_t(op.getM()), int32_t(parts.getColumns())};
  if (!partLayout(layoutOf(op.getResultType()).getLayout(), sides))
    return op.emitOpError() << "expected a layout whose threads hold of each " << parts.getColumns()
                            << " columns what others hold, found " << op.getResultType();
  return success();
}

static LogicalResult verifyUnit(DotOp op, MatrixUnitAttr unit) {
  Type a = op.getAType().getElementType();
  // (dot_c6)
  if (!layoutOf(op.getResultType()))
    return op.emitOpError() << "expected no unit before there are layouts, found `" << unit << "`";
  // (dot_c7)
  if (unit.getKind() == MatrixUnitKind::FMA)
    return isEightBitFloat(a) || isEightBitFloat(op.getBType().getElementType())
               ? op.emitOpError() << "expected elements that threads multiply for `fma`, found " << a
               : LogicalResult(success());
  // (dot_c8)
  int64_t k = unit.getK(), each = elementsOfRegister(a);
  if (k > op.getK() || (k != 4 * each && k != 8 * each))
    return op.emitOpError() << "expected a K of " << 4 * each << " or " << 8 * each << " elements of " << a
                            << " and at most " << op.getK() << " for an instruction, found " << shapeOf(unit);
  // (dot_c9)
  if (unit.getKind() == MatrixUnitKind::Wgmma && (op.getBatchAxes() || a.isF64()))
    return op.emitOpError() << "expected one product of 32 bits or less for `wgmma`, found " << op.getAType();
  return success();
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getAType(), b = getBType(), result = getResultType();
  int64_t rank = result.getRank();
  // (dot_c1)
  bool areMatrices = (rank == 2 || rank == 3) && a.getRank() == rank && b.getRank() == rank;
  if (!areMatrices ||
      (rank == 3 && (a.getShape()[0] != result.getShape()[0] || b.getShape()[0] != result.getShape()[0])))
    return emitOpError() << "expected matrices, or batches of as many matrices each, found " << a << ", " << b
                         << " and " << result;
  // (dot_c2)
  ArrayRef<int64_t> sidesA = a.getShape().take_back(2), sidesB = b.getShape().take_back(2),
                    sides = result.getShape().take_back(2);
  if (sidesA[0] != sides[0] || sidesB[1] != sides[1] || sidesA[1] != sidesB[0])
    return emitOpError() << "expected M by K, K by N and M by N elements, found " << a << ", " << b << " and "
                         << result;
  // (dot_c3)
  if (!mayMultiply(a.getElementType(), b.getElementType(), result.getElementType()))
    return emitOpError() << "expected elements that can be multiplied and added up, found "
                         << a.getElementType() << " times " << b.getElementType() << " into "
                         << result.getElementType();
  // (dot_c4)
  bool hasLayout = layoutOf(result) != nullptr;
  if ((layoutOf(a) != nullptr) != hasLayout || (layoutOf(b) != nullptr) != hasLayout)
    return emitOpError() << "expected a layout on operands and result or on none, found " << a << ", " << b
                         << " and " << result;
  // (dot_c5)
  if (int32_t(getMaxImprecise()) < 0)
    return emitOpError() << "expected a number of imprecise additions, found " << int32_t(getMaxImprecise());
  if (getUnitAttr() && failed(verifyUnit(*this, getUnitAttr())))
    return failure();
  return getPartsAttr() ? verifyParts(*this, getPartsAttr()) : success();
}
