// Text, builders, effects and verifiers of atomic ops and the barrier.
#include "dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tegula::tile;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;
using Operands = SmallVector<OpAsmParser::UnresolvedOperand, 3>;

//===----------------------------------------------------------------------===//
// Text, effects and types, shared by all
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

/// `order, scope,` into the properties of an `Op`.
template <typename Op> static ParseResult parseOrderAndScope(OpAsmParser &parser, OperationState &state) {
  auto order = MemoryOrder::AcquireRelease;
  auto scope = MemoryScope::Device;
  if (parseWord<MemoryOrder>(parser, "the order", symbolizeMemoryOrder, order) ||
      parseWord<MemoryScope>(parser, "the scope", symbolizeMemoryScope, scope))
    return failure();
  auto &properties = state.getOrAddProperties<typename Op::Properties>();
  properties.order = MemoryOrderAttr::get(parser.getContext(), order);
  properties.scope = MemoryScopeAttr::get(parser.getContext(), scope);
  return success();
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

static unsigned bitsInMemory(Type element) {
  return isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

/// The types of a pointer, a value and a mask, the first `count` of them.
static SmallVector<Type, 3> typesWithMask(OpAsmParser &parser, Type pointer, size_t count) {
  SmallVector<Type, 3> types{pointer, valueTypeOf(pointer),
                             withElementType(pointer, parser.getBuilder().getI1Type())};
  types.resize(count);
  return types;
}

/// An atomic op keeps its place among all accesses, whatever their addresses: it may be a lock.
static void addEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), SideEffects::DefaultResource::get());
  effects.emplace_back(MemoryEffects::Write::get(), SideEffects::DefaultResource::get());
}

/// Verifies an `op` that reads or writes `value` without changing it: its types, and that its order is relaxed
/// or the `strong` one.
template <typename Op> static LogicalResult verifyAccess(Op op, Type value, MemoryOrder strong) {
  // (atomic_load_c1), (atomic_store_c1)
  Type pointee = pointeeOf(op.getPointer().getType());
  if (elementTypeOf(value) != pointee)
    return op.emitOpError() << "expected a value of type " << pointee << ", found " << elementTypeOf(value);
  // (atomic_load_c2), (atomic_store_c2)
  unsigned bits = bitsInMemory(pointee);
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return op.emitOpError() << "expected a type of 8, 16, 32 or 64 bits, found " << pointee;
  // (atomic_load_c3), (atomic_store_c3)
  if (op.getOrder() != MemoryOrder::Relaxed && op.getOrder() != strong)
    return op.emitOpError() << "expected the order `relaxed` or `" << stringifyMemoryOrder(strong)
                            << "`, found `" << stringifyMemoryOrder(op.getOrder()) << "`";
  return success();
}

//===----------------------------------------------------------------------===//
// atomic_load
//===----------------------------------------------------------------------===//

void AtomicLoadOp::build(OpBuilder &builder, OperationState &state, MemoryOrder order, MemoryScope scope,
                         Value pointer, Value mask) {
  build(builder, state, valueTypeOf(pointer.getType()), order, scope, pointer, mask);
}

ParseResult AtomicLoadOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  Type pointer;
  if (parseOrderAndScope<AtomicLoadOp>(parser, state))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseOperands(parser, state, operands, 1, 2, pointer))
    return failure();
  SmallVector<Type, 2> types{pointer, withElementType(pointer, parser.getBuilder().getI1Type())};
  types.resize(operands.size());
  state.addTypes(valueTypeOf(pointer));
  return parser.resolveOperands(operands, types, loc, state.operands);
}

void AtomicLoadOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printOperands(printer, *this);
}

void AtomicLoadOp::getEffects(Effects &effects) { addEffects(effects); }

GlobalAccess AtomicLoadOp::getGlobalAccess() {
  return {
      .address = getPointer(), .mask = getMask(), .reads = true, .order = getOrder(), .scope = getScope()};
}

LogicalResult AtomicLoadOp::verify() { return verifyAccess(*this, getType(), MemoryOrder::Acquire); }

//===----------------------------------------------------------------------===//
// atomic_store
//===----------------------------------------------------------------------===//

ParseResult AtomicStoreOp::parse(OpAsmParser &parser, OperationState &state) {
  Operands operands;
  Type pointer;
  if (parseOrderAndScope<AtomicStoreOp>(parser, state))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseOperands(parser, state, operands, 2, 3, pointer))
    return failure();
  return parser.resolveOperands(operands, typesWithMask(parser, pointer, operands.size()), loc,
                                state.operands);
}

void AtomicStoreOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printOperands(printer, *this);
}

void AtomicStoreOp::getEffects(Effects &effects) { addEffects(effects); }

GlobalAccess AtomicStoreOp::getGlobalAccess() {
  return {
      .address = getPointer(), .mask = getMask(), .writes = true, .order = getOrder(), .scope = getScope()};
}

LogicalResult AtomicStoreOp::verify() {
  return verifyAccess(*this, getValue().getType(), MemoryOrder::Release);
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
  Operands operands;
  Type pointer;
  if (parseWord<AtomicKind>(parser, "the kind", symbolizeAtomicKind, kind) ||
      parseOrderAndScope<AtomicRMWOp>(parser, state))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseOperands(parser, state, operands, 2, 3, pointer))
    return failure();
  state.getOrAddProperties<Properties>().kind = AtomicKindAttr::get(parser.getContext(), kind);
  state.addTypes(valueTypeOf(pointer));
  return parser.resolveOperands(operands, typesWithMask(parser, pointer, operands.size()), loc,
                                state.operands);
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
  Operands operands;
  Type pointer;
  if (parseOrderAndScope<AtomicCASOp>(parser, state))
    return failure();
  llvm::SMLoc loc = parser.getCurrentLocation();
  if (parseOperands(parser, state, operands, 3, 3, pointer))
    return failure();
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
  unsigned bits = bitsInMemory(pointee);
  if (bits != 16 && bits != 32 && bits != 64)
    return emitOpError() << "expected a type of 16, 32 or 64 bits, found " << pointee;
  return success();
}

//===----------------------------------------------------------------------===//
// barrier
//===----------------------------------------------------------------------===//

void BarrierOp::getEffects(Effects &effects) { addEffects(effects); }

Interaction BarrierOp::getInteractions() { return Interaction::SyncsThreads | Interaction::PublishesWrites; }
