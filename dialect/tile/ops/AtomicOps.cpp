// Text, builders, effects and verifiers of atomic ops and the barrier.
#include "dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula::tile;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 3>;

//===----------------------------------------------------------------------===//
// Text, shared by both
//===----------------------------------------------------------------------===//

/// `keyword,` into `value`, one of the names of an enum called `what`.
template <typename Enum>
static ParseResult parseWord(OpAsmParser &parser, StringRef what, std::optional<Enum> (*symbolize)(StringRef),
                             Enum &value) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef word;
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<Enum> parsed = symbolize(word);
  if (!parsed)
    return parser.emitError(loc) << "expected " << what << " of an atomic op, found `" << word << "`";
  value = *parsed;
  return parser.parseComma();
}

/// `%p, ... {...} : type of the pointer`.
static ParseResult parseOperands(OpAsmParser &parser, OperationState &state, Operands &operands,
                                 unsigned minOperands, unsigned maxOperands, Type &pointer) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOperandList(operands))
    return failure();
  if (operands.size() < minOperands || operands.size() > maxOperands) {
    InFlightDiagnostic error = parser.emitError(loc) << "expected " << minOperands;
    if (minOperands != maxOperands)
      error << " to " << maxOperands;
    return error << " operands, found " << operands.size();
  }
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColon())
    return failure();
  loc = parser.getCurrentLocation();
  if (parser.parseType(pointer))
    return failure();
  if (!isa<PtrType>(elementTypeOf(pointer)) || (isa<ShapedType>(pointer) && !isa<RankedTensorType>(pointer)))
    return parser.emitError(loc) << "expected a pointer or a tensor of pointers, found " << pointer;
  return success();
}

template <typename Op> static void printOperands(OpAsmPrinter &printer, Op op) {
  printer << stringifyMemoryOrder(op.getOrder()) << ", " << stringifyMemoryScope(op.getScope()) << ", "
          << op->getOperands();
  printer.printOptionalAttrDict(op->getAttrs(), {"kind", "order", "scope"});
  printer << " : " << op.getPointer().getType();
}

static Type valueTypeOf(Type pointer) { return withElementType(pointer, pointeeOf(pointer)); }

/// An atomic op keeps its place among all accesses, whatever their addresses: it may be a lock.
static void addEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

//===----------------------------------------------------------------------===//
// atomic_rmw
//===----------------------------------------------------------------------===//

void AtomicRMWOp::build(OpBuilder &builder, OperationState &state, AtomicKind kind, MemoryOrder order,
                        MemoryScope scope, Value pointer, Value value, Value mask) {
  build(builder, state, valueTypeOf(pointer.getType()), kind, order, scope, pointer, value, mask);
}

ParseResult AtomicRMWOp::parse(OpAsmParser &parser, OperationState &state) {
  auto kind = AtomicKind::Add;
  auto order = MemoryOrder::AcquireRelease;
  auto scope = MemoryScope::Device;
  Operands operands;
  Type pointer;
  if (parseWord<AtomicKind>(parser, "the kind", symbolizeAtomicKind, kind) ||
      parseWord<MemoryOrder>(parser, "the order", symbolizeMemoryOrder, order) ||
      parseWord<MemoryScope>(parser, "the scope", symbolizeMemoryScope, scope))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseOperands(parser, state, operands, 2, 3, pointer))
    return failure();
  SmallVector<Type, 3> types{pointer, valueTypeOf(pointer),
                             withElementType(pointer, parser.getBuilder().getI1Type())};
  types.resize(operands.size());
  auto &properties = state.getOrAddProperties<Properties>();
  properties.kind = AtomicKindAttr::get(parser.getContext(), kind);
  properties.order = MemoryOrderAttr::get(parser.getContext(), order);
  properties.scope = MemoryScopeAttr::get(parser.getContext(), scope);
  state.addTypes(valueTypeOf(pointer));
  return parser.resolveOperands(operands, types, loc, state.operands);
}

void AtomicRMWOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyAtomicKind(getKind()) << ", ";
  printOperands(printer, *this);
}

void AtomicRMWOp::getEffects(Effects &effects) { addEffects(effects); }

GlobalAccess AtomicRMWOp::getGlobalAccess() {
  return {.address = getPointer(),
          .mask = getMask(),
          .reads = true,
          .writes = true,
          .order = getOrder(),
          .scope = getScope()};
}

LogicalResult AtomicRMWOp::verify() {
  Type pointee = pointeeOf(getPointer().getType());
  // (atomic_rmw_c1)
  for (Type type : {getValue().getType(), getType()})
    if (elementTypeOf(type) != pointee)
      return emitOpError() << "expected a value of type " << pointee << ", found " << elementTypeOf(type);
  // (atomic_rmw_c2)
  bool isWord = pointee.isInteger(32) || pointee.isInteger(64);
  bool isFloat = isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(pointee);
  bool fits = getKind() == AtomicKind::FAdd       ? isFloat
              : getKind() == AtomicKind::Exchange ? isWord || pointee.isF32() || pointee.isF64()
                                                  : isWord;
  if (!fits)
    return emitOpError() << "expected a type that `" << stringifyAtomicKind(getKind())
                         << "` is defined on, found " << pointee;
  return success();
}

//===----------------------------------------------------------------------===//
// atomic_cas
//===----------------------------------------------------------------------===//

void AtomicCASOp::build(OpBuilder &builder, OperationState &state, MemoryOrder order, MemoryScope scope,
                        Value pointer, Value compare, Value value) {
  build(builder, state, valueTypeOf(pointer.getType()), order, scope, pointer, compare, value);
}

ParseResult AtomicCASOp::parse(OpAsmParser &parser, OperationState &state) {
  auto order = MemoryOrder::AcquireRelease;
  auto scope = MemoryScope::Device;
  Operands operands;
  Type pointer;
  if (parseWord<MemoryOrder>(parser, "the order", symbolizeMemoryOrder, order) ||
      parseWord<MemoryScope>(parser, "the scope", symbolizeMemoryScope, scope))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseOperands(parser, state, operands, 3, 3, pointer))
    return failure();
  auto &properties = state.getOrAddProperties<Properties>();
  properties.order = MemoryOrderAttr::get(parser.getContext(), order);
  properties.scope = MemoryScopeAttr::get(parser.getContext(), scope);
  Type value = valueTypeOf(pointer);
  state.addTypes(value);
  return parser.resolveOperands(operands, {pointer, value, value}, loc, state.operands);
}

void AtomicCASOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printOperands(printer, *this);
}

void AtomicCASOp::getEffects(Effects &effects) { addEffects(effects); }

GlobalAccess AtomicCASOp::getGlobalAccess() {
  return {.address = getPointer(),
          .reads = true,
          .writes = true,
          .order = getOrder(),
          .scope = getScope(),
          .isConditional = true};
}

LogicalResult AtomicCASOp::verify() {
  Type pointee = pointeeOf(getPointer().getType());
  // (atomic_cas_c1)
  for (Type type : {getCompare().getType(), getValue().getType(), getType()})
    if (elementTypeOf(type) != pointee)
      return emitOpError() << "expected values of type " << pointee << ", found " << elementTypeOf(type);
  // (atomic_cas_c2)
  unsigned bits = isa<PtrType>(pointee) ? 64 : pointee.getIntOrFloatBitWidth();
  if (bits != 16 && bits != 32 && bits != 64)
    return emitOpError() << "expected a type of 16, 32 or 64 bits, found " << pointee;
  return success();
}

//===----------------------------------------------------------------------===//
// barrier
//===----------------------------------------------------------------------===//

void BarrierOp::getEffects(Effects &effects) { addEffects(effects); }

Interaction BarrierOp::getInteractions() { return Interaction::SyncsThreads | Interaction::PublishesWrites; }
